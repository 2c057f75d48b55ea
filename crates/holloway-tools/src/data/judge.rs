//! What can be said about the data, and how surely? `data-trend`, `data-correlate`,
//! `data-outliers`, `data-compare`, `data-forecast`.

use std::sync::Arc;

use holloway_data::tables::compare::Compare;
use holloway_data::tables::correlate::Correlate;
use holloway_data::tables::forecast::Forecast;
use holloway_data::tables::outliers::Outliers;
use holloway_data::tables::trend::Trend;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::super::Tool;
use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::{answer, figure, names, rows};

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::pooled(trend_spec(), answer::<Trend>),
        Pure::pooled(correlate_spec(), answer::<Correlate>),
        Pure::tool(outliers_spec(), answer::<Outliers>),
        Pure::tool(compare_spec(), answer::<Compare>),
        Pure::tool(forecast_spec(), answer::<Forecast>),
    ]
}

fn series_example() -> Value {
    let price = |(day, price): (usize, &f64)| json!({"shop": "A", "day": format!("2024-01-{:02}", day + 1), "price": price});
    let prices = [10.0, 9.8, 9.9, 9.5, 9.4, 9.2, 9.1, 8.8];
    prices.iter().enumerate().map(price).collect()
}

fn trend_spec() -> ToolSpec {
    Declaration {
        name: "data-trend",
        title: "Analyse trends",
        category: "statistics",
        description: "Finds out whether a number rises or falls over time, for each series apart. Use it on price histories and other measurements. A \
            direction (rising, falling) is named only when the Mann-Kendall test finds one at `alpha`; otherwise it says no clear trend, constant, too few times, or too \
            few values (below 5). Values that depend on the one before make the test too sure. Returns per series first, last, change, change_percent (first to last), trend_percent (along the robust slope, so that its sign agrees with the direction), direction, \
            note, the least-squares slope, intercept (at the first date), r, p and stderr, theil_sen (a slope that a few wild values do not move; up to 3000 values), mann_kendall, \
            and moving_average with `window`.",
        effect: Effect::Read,
        latency_ms: 10,
        input: input(
            &["rows", "value"],
            json!({
                "rows": rows(),
                "value": {"type": "string", "description": "Column with the number"},
                "time": {"type": "string", "description": "Column with dates or numbers; the order of the rows if left out"},
                "by": names("Key columns, each combination a series of its own"),
                "per": {"type": "string", "enum": ["day", "week", "month", "year"], "default": "day", "description": "What slopes are given per when time is a date"},
                "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.05, "description": "A trend is named when its p is below"},
                "window": {"type": "integer", "minimum": 1, "description": "Values in each moving average"}
            }),
        ),
        output: output(
            &["count", "slope_per", "series"],
            json!({
                "count": {"type": "integer"},
                "slope_per": {"type": "string"},
                "alpha": {"type": "number"},
                "series": {"type": "array", "items": {"type": "object", "required": ["count", "direction", "note", "slope", "change_percent"]}}
            }),
        ),
        example: json!({"rows": series_example(), "value": "price", "time": "day", "by": ["shop"]}),
        does: &[
            "trend table:rows -> trend with value=column",
        ],
    }
    .builtin()
}

fn correlate_spec() -> ToolSpec {
    Declaration {
        name: "data-correlate",
        title: "Correlate columns",
        category: "statistics",
        description: "Measures how numeric columns go together, pair by pair, over the rows that have both values. Use it to see what moves with what; it does not \
            say why. Methods: pearson (linear), spearman (ranks), kendall (tau-b). p is the chance of a coefficient as large without any connection; with many \
            pairs some small p are to be expected. Returns columns, count and pairs, the strongest first, with coefficient, p and count; \
            null where a column does not vary.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["rows"],
            json!({
                "rows": rows(),
                "columns": names("Which columns, at most 64; all numeric ones if left out"),
                "method": {"type": "string", "enum": ["pearson", "spearman", "kendall"], "default": "pearson"}
            }),
        ),
        output: output(
            &["columns", "count", "pairs"],
            json!({
                "columns": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"},
                "pairs": {"type": "array", "items": {"type": "object", "properties": {"coefficient": figure(), "p": figure()}}}
            }),
        ),
        example: json!({"rows": [{"price": 2, "sold": 9}, {"price": 3, "sold": 7}, {"price": 5, "sold": 4}, {"price": 6, "sold": 4}]}),
        does: &[
            "correlate table:rows -> table:pairs with columns=columns*",
        ],
    }
    .builtin()
}

fn outliers_spec() -> ToolSpec {
    Declaration {
        name: "data-outliers",
        title: "Find outliers",
        category: "statistics",
        description: "Finds values that stand apart, for each group on its own; with `*` as column, in every column of numbers. Use it before averaging, or to spot wrong prices. Methods: iqr (beyond 1.5 \
            quartile ranges), zscore (beyond 3 standard deviations; blind in small groups), mad (modified z beyond 3.5; robust). Returns count, groups with \
            the limits used (or a note why there are none), and outliers with row (from 1), value, side, score and all fields.",
        effect: Effect::Read,
        latency_ms: 3,
        input: input(
            &["rows", "column"],
            json!({
                "rows": rows(),
                "column": {"type": "string", "examples": ["price", "*"]},
                "method": {"type": "string", "enum": ["iqr", "zscore", "mad"], "default": "mad"},
                "threshold": {"type": "number", "exclusiveMinimum": 0, "description": "Instead of 1.5, 3 or 3.5"},
                "by": names("Key columns")
            }),
        ),
        output: output(
            &["count", "threshold", "groups", "outliers"],
            json!({
                "count": {"type": "integer"},
                "threshold": {"type": "number"},
                "groups": {"type": "array", "items": {"type": "object", "properties": {"lower": figure(), "upper": figure()}}},
                "outliers": {"type": "array", "items": {"type": "object"}}
            }),
        ),
        example: json!({"rows": [{"price": 10}, {"price": 11}, {"price": 10}, {"price": 12}, {"price": 99}], "column": "price"}),
        does: &[
            "outliers table:rows -> table:outliers with column=column",
        ],
    }
    .builtin()
}

fn compare_spec() -> ToolSpec {
    Declaration {
        name: "data-compare",
        title: "Compare two samples",
        category: "statistics",
        description: "Tells whether two samples differ by more than chance: Welch's t test for the means, Mann-Whitney U (exact for small samples without ties) \
            for the ranks. Use it for prices of two shops or before and after a change. Give two lists, or rows with `column` and `by`. \
            Returns both samples with count, mean, median and stdev, the difference (right minus left), a verdict (different, no clear difference, unclear, too few \
            values) and both tests with p.",
        effect: Effect::Read,
        latency_ms: 3,
        input: input(
            &[],
            json!({
                "left": {"type": "array", "description": "Numbers; nulls are left out"},
                "right": {"type": "array"},
                "rows": rows(),
                "column": {"type": "string", "description": "Column with the numbers"},
                "by": {"type": "string", "description": "Column that parts the rows into two samples"},
                "groups": {"type": "array", "minItems": 2, "maxItems": 2, "description": "Which two values of `by`, if it has more"},
                "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.05}
            }),
        ),
        output: output(
            &["left", "right", "difference", "verdict", "note"],
            json!({
                "left": {"type": "object"},
                "right": {"type": "object"},
                "difference": figure(),
                "verdict": {"type": "string"},
                "note": {"type": "string"},
                "welch": {"type": ["object", "null"]},
                "mann_whitney": {"type": ["object", "null"]}
            }),
        ),
        example: json!({"left": [9.9, 10.1, 10.0, 9.8], "right": [11.2, 11.0, 11.4, 11.1]}),
        does: &[],
    }
    .builtin()
}

fn forecast_spec() -> ToolSpec {
    Declaration {
        name: "data-forecast",
        title: "Forecast a series",
        category: "statistics",
        description: "Carries a series on as before: the last value, Holt's line, or the value a `season` ago, whichever was nearest on a tail that was kept back. Use it \
            for a first guess, not for decisions; it knows nothing of causes. Needs at least 8 values at regular times (data-resample makes them). Returns \
            method, values, mean_error (on the kept tail), held_back, tried with the error of each method, and a note.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["rows", "value"],
            json!({
                "rows": rows(),
                "value": {"type": "string", "description": "Column with the number"},
                "time": {"type": "string", "description": "Column to order by; the order of the rows if left out"},
                "steps": {"type": "integer", "minimum": 1, "maximum": 365, "default": 3},
                "season": {"type": "integer", "minimum": 2, "description": "Values in one season, such as 7 for days or 12 for months"}
            }),
        ),
        output: output(
            &["method", "values", "mean_error", "held_back", "tried", "count", "note"],
            json!({
                "method": {"type": "string"},
                "values": {"type": "array", "items": {"type": "number"}},
                "mean_error": figure(),
                "held_back": {"type": "integer"},
                "tried": {"type": "array", "items": {"type": "object"}},
                "count": {"type": "integer"},
                "note": {"type": "string"}
            }),
        ),
        example: json!({"rows": series_example(), "value": "price", "time": "day"}),
        does: &[
            "forecast table:rows -> list:values with value=column steps=steps",
        ],
    }
    .builtin()
}
