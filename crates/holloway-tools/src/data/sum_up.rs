//! What do many rows come to? `data-group`, `data-resample`, `data-describe`,
//! `data-histogram`.

use std::sync::Arc;

use holloway_data::tables::describe::Describe;
use holloway_data::tables::group::Group;
use holloway_data::tables::histogram::Histogram;
use holloway_data::tables::resample::Resample;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::json;

use super::super::Tool;
use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::{aggregates, answer, names, rows, table};

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(group_spec(), answer::<Group>),
        Pure::pooled(resample_spec(), answer::<Resample>),
        Pure::tool(describe_spec(), answer::<Describe>),
        Pure::tool(histogram_spec(), answer::<Histogram>),
    ]
}

fn group_spec() -> ToolSpec {
    Declaration {
        name: "data-group",
        title: "Group rows",
        category: "data",
        description: "Sums up the rows of each group with several figures at once: count, sum, mean, median, min, max, stdev (sample), first, last, \
            distinct, quantile. Use it for totals and averages per shop, product or month. Groups stand in order of first appearance; rows \
            with a missing key form a group of their own. With `pivot`, the values of one column become columns. Returns columns, count and \
            rows, one per group.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["rows"],
            json!({
                "rows": rows(),
                "by": names("Key columns; all rows are one group if left out"),
                "aggregates": aggregates(),
                "pivot": {"type": "string", "description": "Column whose values become columns, at most 500"}
            }),
        ),
        output: output(&["columns", "count", "rows"], table(&[])),
        example: json!({
            "rows": [{"shop": "A", "price": 2}, {"shop": "A", "price": 4}, {"shop": "B", "price": 3}],
            "by": ["shop"],
            "aggregates": [{"column": "price", "function": "mean"}, {"function": "count"}]
        }),
        does: &[
            "group table:rows -> table:rows with by=group.column* aggregates=measures*",
            r#"tally table:rows -> table:rows with aggregates:=[{"function":"count"}]"#,
        ],
    }
    .builtin()
}

fn resample_spec() -> ToolSpec {
    Declaration {
        name: "data-resample",
        title: "Group rows by time",
        category: "data",
        description: "Sums up dated rows per day, week (from Monday), month, quarter or year, with the figures of data-group. Use it to turn single \
            observations into a regular series. Dates are ISO 8601, with an offset the day as written; data-load reads others. A period is named by its first day; with \
            `empty`, periods without rows get a row too. Returns columns, count, undated (rows without a date) and rows with `period`.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["rows", "period"],
            json!({
                "rows": rows(),
                "date": {"type": "string", "description": "Column with the date; if left out, one called after the period, or the only one that holds dates"},
                "period": {"type": "string", "enum": ["day", "week", "month", "quarter", "year"]},
                "by": names("Further key columns, each with a series of its own"),
                "aggregates": aggregates(),
                "empty": {"type": "boolean", "default": false, "description": "Also periods without rows, between the first and the last"}
            }),
        ),
        output: output(&["columns", "count", "undated", "rows"], table(&["undated"])),
        example: json!({
            "rows": [{"day": "2024-01-30", "price": 2}, {"day": "2024-02-02", "price": 4}],
            "date": "day",
            "period": "month",
            "aggregates": [{"column": "price", "function": "mean"}]
        }),
        does: &[
            "group table:rows -> table:rows with date=period.column period=period.period by=group.column* aggregates=measures*",
        ],
    }
    .builtin()
}

fn describe_spec() -> ToolSpec {
    Declaration {
        name: "data-describe",
        title: "Describe a table",
        category: "data",
        description: "Describes every column of a table; use it to get to know data before judging it. Numbers: sum, mean, stdev (sample), min, q1, median, q3, \
            max (quartiles interpolated linearly, as pandas and Excel do), skewness and kurtosis (adjusted, excess). Other columns: distinct values, the most frequent one (top) and how often it \
            occurs (frequency), min and max. Returns count and one entry per column with type, count and missing.",
        effect: Effect::Read,
        latency_ms: 3,
        input: input(&["rows"], json!({"rows": rows(), "columns": names("Which columns; all if left out")})),
        output: output(
            &["count", "columns"],
            json!({"count": {"type": "integer"}, "columns": {"type": "array", "items": {"type": "object"}}}),
        ),
        example: json!({"rows": [{"shop": "A", "price": 2}, {"shop": "A", "price": 4}, {"shop": "B", "price": null}]}),
        does: &[
            "describe table:rows -> table:columns",
            "columns table:rows -> table:columns",
        ],
    }
    .builtin()
}

fn histogram_spec() -> ToolSpec {
    Declaration {
        name: "data-histogram",
        title: "Count values in bins",
        category: "statistics",
        description: "Counts how many numbers of a column fall between edges. Use it to see a distribution before choosing a figure for it. Without `bins` and \
            `edges`, their number is chosen by NumPy's auto rule. Every bin but the last leaves out its upper edge. Returns count, missing, outside, \
            most (the highest count) and bins with from, to, count and share.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(
            &["rows", "column"],
            json!({
                "rows": rows(),
                "column": {"type": "string"},
                "bins": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Bins of equal width from the smallest to the largest value"},
                "edges": {"type": "array", "items": {"type": "number"}, "minItems": 2, "description": "Rising edges instead of `bins`"}
            }),
        ),
        output: output(
            &["count", "missing", "outside", "most", "bins"],
            json!({
                "count": {"type": "integer"},
                "missing": {"type": "integer"},
                "outside": {"type": "integer"},
                "most": {"type": "integer"},
                "bins": {"type": "array", "items": {"type": "object"}}
            }),
        ),
        example: json!({"rows": [{"price": 2}, {"price": 4}, {"price": 9}], "column": "price", "bins": 2}),
        does: &["distribution table:rows -> table:bins with column=column"],
    }
    .builtin()
}
