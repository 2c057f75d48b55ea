//! How do rows get into shape? `data-load`, `data-select`.

use std::sync::Arc;

use holloway_data::table::Table;
use holloway_data::tables::load::Load;
use holloway_data::tables::select::Select;
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::formulas::Compiled;
use super::{answer, failure, names, rows};

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(load_spec(), answer::<Load>),
        Pure::pooled(select_spec(), select),
    ]
}

fn load_spec() -> ToolSpec {
    Declaration {
        name: "data-load",
        title: "Load a table",
        category: "data",
        description: "Turns CSV, TSV, JSON or JSON-lines text, or rows that are there already, into rows with typed columns. Use it \
            first on any table before analysing it. A column is a number, date or boolean when every value that is not \
            missing is one; one odd value makes it text, and the profile names such values. Blank fields, NA, N/A, NaN, null, none and - \
            are missing and become null. Dates become 2024-01-31. Returns format, count, columns, profile (type, missing, present per \
            column) and rows.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &[],
            json!({
                "text": {"type": "string", "description": "The table as text; give either this or `rows`"},
                "rows": rows(),
                "format": {"type": "string", "enum": ["auto", "csv", "tsv", "json", "jsonl"], "default": "auto"},
                "delimiter": {"type": "string", "minLength": 1, "maxLength": 1, "description": "Between the fields of CSV; found out if left out"},
                "numbers": {"type": "string", "enum": ["auto", "point", "comma", "none"], "default": "auto", "description": "auto: as each column shows; point: 1,234.5; comma: 1.234,5; none: text stays text"},
                "dates": {"type": "string", "enum": ["auto", "iso", "dmy", "mdy", "none"], "default": "auto", "description": "auto: as each column shows; iso: 2024-01-31; dmy: 31.01.2024; mdy: 01/31/2024; none: text stays text"},
                "missing": names("Texts that mean a missing value, instead of those listed above")
            }),
        ),
        output: output(
            &["format", "count", "columns", "profile", "rows"],
            json!({
                "format": {"type": "string"},
                "count": {"type": "integer"},
                "columns": {"type": "array", "items": {"type": "string"}},
                "profile": {"type": "array", "items": {"type": "object"}},
                "rows": {"type": "array", "items": {"type": "object"}}
            }),
        ),
        example: json!({"text": "shop,price,seen\nA,9.99,2024-01-31\nB,,2024-02-01\n"}),
        does: &[
            "load text.json|text.jsonl|text.csv|text.tsv:text -> table:rows",
        ],
    }
    .builtin()
}

fn select_spec() -> ToolSpec {
    Declaration {
        name: "data-select",
        title: "Select from a table",
        category: "data",
        description: "Filters rows by one or more conditions, adds computed columns, drops repeated rows, sorts, cuts, and chooses and renames columns, in \
            that order. Use it to get the rows and columns that a question needs. A missing value fits only the conditions ne, not_in and \
            missing, comes last when sorted, and makes a formula that needs it null. A column may be named without regard to case, blanks and marks. Returns columns, count, matching (before offset, \
            limit and last), dropped (by the conditions) and rows.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["rows"],
            json!({
                "rows": rows(),
                "where": {
                    "type": "array",
                    "description": "Conditions that all must hold, or any with `any`",
                    "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["column", "op"],
                        "properties": {
                            "column": {"type": "string"},
                            "op": {"type": "string", "enum": ["eq", "ne", "lt", "lte", "gt", "gte", "between", "in", "not_in", "contains", "starts_with", "ends_with", "matches", "missing", "present"]},
                            "value": {"description": "What to compare with: a list for in and not_in, [lowest, highest] for between, a regular expression for matches"},
                            "other": {"type": "string", "description": "A column of the same row to compare with, in place of `value`"}
                        }
                    }
                },
                "any": {"type": "boolean", "default": false, "description": "One fitting condition is enough"},
                "ignore_case": {"type": "boolean", "default": false, "description": "Texts fit whatever their case"},
                "compute": {"type": "object", "additionalProperties": {"type": "string"}, "description": "New columns by formula over the columns of the row, such as {\"total\": \"price * quantity\"}; odd names as row[\"Unit price\"]"},
                "distinct": {"type": "boolean", "default": false, "description": "Keep only the first of rows that are the same in `columns`"},
                "distinct_by": names("Keep only the first of rows that are the same in these columns"),
                "sort": {
                    "type": "array",
                    "description": "By which columns, the first counting most",
                    "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["column"],
                        "properties": {"column": {"type": "string"}, "descending": {"type": "boolean", "default": false}}
                    }
                },
                "offset": {"type": "integer", "minimum": 0, "default": 0},
                "limit": {"type": "integer", "minimum": 0, "description": "The most rows of the result"},
                "ties": {"type": "boolean", "default": false, "description": "Rows that `sort` puts on a par with the last one of `limit` come too"},
                "last": {"type": "integer", "minimum": 0, "description": "Only so many of the rows that are left after `offset` and `limit`, from the end"},
                "columns": names("Columns of the result, in this order; all if left out"),
                "drop": names("Columns that are left out; all others stay"),
                "rename": {"type": "object", "additionalProperties": {"type": "string"}, "description": "Old name to new name"}
            }),
        ),
        output: output(
            &["columns", "count", "matching", "dropped", "rows"],
            json!({
                "columns": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"},
                "matching": {"type": "integer"},
                "dropped": {"type": "integer"},
                "rows": {"type": "array", "items": {"type": "object"}}
            }),
        ),
        example: json!({
            "rows": [{"item": "a", "price": 2, "quantity": 3}, {"item": "b", "price": 5, "quantity": 1}],
            "where": [{"column": "price", "op": "gt", "value": 1}],
            "compute": {"total": "price * quantity"},
            "sort": [{"column": "total", "descending": true}]
        }),
        does: &[
            "select table:rows -> table:rows with ignore_case:=true ignore_case=case where=filters* compute=compute{name:formula} sort=order* limit=limit.rows ties=limit.ties last=limit.last columns=columns*",
            "select table:rows -> table:rows with ignore_case:=true ignore_case=case where=filters* compute=compute{name:formula} sort=order* limit=limit.rows ties=limit.ties last=limit.last columns=columns* distinct is true distinct:=true",
            "select table:rows -> table:rows with ignore_case:=true ignore_case=case where=filters* compute=compute{name:formula} sort=order* limit=limit.rows ties=limit.ties last=limit.last columns=columns* distinct_by=distinct.column*",
        ],
    }
    .builtin()
}

fn select(given: &Value) -> Result<Value, ToolFailure> {
    let question: Select = arguments::parse(given)?;
    let table = Table::read(given, "rows").map_err(failure)?;
    let formulas = Compiled::of(&question, &table).map_err(failure)?;
    question.answer(given, &formulas).map_err(failure)
}
