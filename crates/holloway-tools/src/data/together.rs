//! How do tables meet? `data-join` puts them side by side, `data-stack` one under the other,
//! `data-changes` says what is different.

use std::sync::Arc;

use holloway_data::tables::changes::Changes;
use holloway_data::tables::join::Join;
use holloway_data::tables::stack::Stack;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::json;

use super::super::Tool;
use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::{answer, names, rows, table};

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::pooled(join_spec(), answer::<Join>),
        Pure::pooled(stack_spec(), answer::<Stack>),
        Pure::pooled(changes_spec(), answer::<Changes>),
    ]
}

fn join_spec() -> ToolSpec {
    Declaration {
        name: "data-join",
        title: "Join two tables",
        category: "data",
        description: "Joins two tables on one or more key columns: inner, left, right, outer, or anti (left rows that fit nothing). Use it to put \
            prices beside product names, or to find what is missing on one side. 1 and 1.0 are the same key, the text 1 is another; a \
            missing key fits nothing. Without `on`, the columns that both tables have are the key. Columns of the same name get suffixes. A result of more than a million rows is refused. Returns columns, count, \
            left_unmatched, right_unmatched and rows.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["left", "right"],
            json!({
                "left": rows(),
                "right": rows(),
                "on": {"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "Key columns; those that both tables have if left out"},
                "right_on": names("Their names in `right`, where they differ"),
                "how": {"type": "string", "enum": ["inner", "left", "right", "outer", "anti"], "default": "inner"},
                "suffixes": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2, "default": ["_left", "_right"]}
            }),
        ),
        output: output(
            &["columns", "count", "left_unmatched", "right_unmatched", "rows"],
            table(&["left_unmatched", "right_unmatched"]),
        ),
        example: json!({
            "left": [{"sku": 1, "price": 9.5}],
            "right": [{"sku": 1, "name": "Pen"}],
            "on": ["sku"],
            "how": "left"
        }),
        does: &[
            "join table:left table:right -> table:rows with on=on* how=how",
            r#"unmatched table:left table:right -> table:rows with on=on* how:="anti""#,
        ],
    }
    .builtin()
}

fn stack_spec() -> ToolSpec {
    Declaration {
        name: "data-stack",
        title: "Merge tables",
        category: "data",
        description: "Merges tables into one, row under row, such as the files of several months. Use it where the tables have the same columns; to put \
            columns beside each other use data-join. Columns of the same name, whatever their case, are one column; a row has null where its table lacks one. \
            Returns columns, count, from (how many rows each table gave) and rows.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["tables"],
            json!({
                "tables": {"type": "array", "minItems": 1, "maxItems": 100, "items": rows(), "description": "Tables, each a list of rows as data-load and csv-parse give them"}
            }),
        ),
        output: output(
            &["columns", "count", "from", "rows"],
            json!({
                "columns": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"},
                "from": {"type": "array", "items": {"type": "integer"}},
                "rows": {"type": "array", "items": {"type": "object"}}
            }),
        ),
        example: json!({"tables": [[{"day": 1, "price": 2}], [{"day": 2, "price": 3}]]}),
        does: &["stack table[]:tables -> table:rows", "gather table[]:tables -> table:rows"],
    }
    .builtin()
}

fn changes_spec() -> ToolSpec {
    let found = json!({"type": "array", "items": {"type": "object"}});
    Declaration {
        name: "data-changes",
        title: "Compare two tables",
        category: "data",
        description: "Says what changed between two tables: rows that were added, rows that were removed, and for rows with the same key each cell that is \
            different, with the value before and after. Use it on two versions of a file. Without `on`, the first column that tells all rows apart is the key; \
            if there is none, a changed row counts as one removed and one added. Returns same, a summary in words, the key used, unchanged (rows), \
            added, removed, changed (cells), and the columns that were added and removed.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["before", "after"],
            json!({
                "before": rows(),
                "after": rows(),
                "on": names("Key columns that tell rows apart")
            }),
        ),
        output: output(
            &["same", "summary", "on", "unchanged", "added", "removed", "changed", "columns_added", "columns_removed"],
            json!({
                "same": {"type": "boolean"},
                "summary": {"type": "string"},
                "on": {"type": "array", "items": {"type": "string"}},
                "unchanged": {"type": "integer"},
                "added": found,
                "removed": found,
                "changed": found,
                "columns_added": {"type": "array", "items": {"type": "string"}},
                "columns_removed": {"type": "array", "items": {"type": "string"}}
            }),
        ),
        example: json!({
            "before": [{"id": 1, "price": 2}, {"id": 2, "price": 3}],
            "after": [{"id": 1, "price": 2.5}, {"id": 3, "price": 4}]
        }),
        does: &[
            "compare table:before table:after -> changes with on=on*",
        ],
    }
    .builtin()
}
