//! `chart-draw`: how do these numbers look?

use holloway_data::table::Table;
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::chart::Kind;
use holloway_report::compose;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::{Files, failure, path_schema};

pub(crate) fn spec() -> ToolSpec {
    Declaration {
        name: "chart-draw",
        title: "Draw a chart",
        category: "report",
        description: "Draws a chart as SVG: bars, lines, areas, points with outliers marked, a histogram, a donut or gauges. Give \
            `labels` with `values` or `series`, or `rows` with the names of their columns in `x` and `y`; ISO dates along the \
            axis make it an axis of time. Without `kind` the chart that fits the rows is chosen. Use it for one picture; for a \
            document use report-build. Returns the SVG text, what it shows, and the path when one was given.",
        effect: Effect::Idempotent,
        latency_ms: 20,
        input: input(
            &[],
            json!({
                "kind": {"type": "string", "enum": Kind::NAMES},
                "title": {"type": "string"},
                "description": {"type": "string", "description": "For readers who cannot see it; made from the data when left out"},
                "labels": {"type": "array", "items": {"type": ["string", "number"]}, "description": "Names or ISO dates along the axis"},
                "values": {"type": "array", "items": {"type": ["number", "null"]}, "description": "One series, a value per label"},
                "series": {"type": "array", "items": {"type": "object"}, "description": "[{name, values: [number|null]}], for scatter [{name?, points: [{x, y, label?, outlier?}]}]"},
                "rows": {"type": "array", "items": {"type": "object"}, "description": "Instead of labels and values"},
                "x": {"type": "string", "description": "Column of `rows` along the axis"},
                "y": {"type": ["string", "array"], "items": {"type": "string"}, "description": "Columns of `rows` with the values"},
                "label": {"type": "string", "description": "Column of `rows` that names points"},
                "outlier": {"type": "string", "description": "Column of `rows` that is true for outliers"},
                "unit": {"type": "string", "description": "Of the values, such as ms"},
                "x_title": {"type": "string"},
                "y_title": {"type": "string"},
                "stacked": {"type": "boolean", "default": false, "description": "Bars on top of each other"},
                "path": path_schema()
            }),
        ),
        output: output(
            &["svg", "kind", "description"],
            json!({
                "svg": {"type": "string"},
                "kind": {"type": "string", "enum": Kind::NAMES},
                "description": {"type": "string"},
                "path": {"type": "string"},
                "bytes": {"type": "integer"}
            }),
        ),
        example: json!({"kind": "bar", "title": "Sales", "labels": ["Mon", "Tue", "Wed"], "values": [3, 5, 4]}),
        does: &[
            "chart table:rows -> file.svg:path with kind=chart path=target.path x=column.x y=column.y title=title",
            "chart table:rows -> svg:svg with kind=chart x=column.x y=column.y title=title",
        ],
    }
    .builtin()
}

/// What a chart is made from; one of these must be there.
const SOURCES: [&str; 3] = ["rows", "values", "series"];

pub(crate) fn draw(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let Some(fields) = arguments.as_object() else {
        return Err(ToolFailure::invalid("the arguments must be an object"));
    };
    check(fields)?;
    let chart = match with_columns(fields)? {
        Some(named) => compose::chart(&named),
        None => compose::chart(arguments),
    };
    let chart = chart.map_err(failure)?;
    let svg = chart.svg();
    let mut result = Map::new();
    if let Some(path) = fields.get("path").and_then(Value::as_str) {
        files.save(path, svg.as_bytes())?;
        result.insert("path".to_owned(), json!(path));
        result.insert("bytes".to_owned(), json!(svg.len()));
    }
    result.insert("kind".to_owned(), json!(chart.kind));
    result.insert("description".to_owned(), json!(chart.scene().description()));
    result.insert("svg".to_owned(), json!(svg));
    Ok(Value::Object(result))
}

/// The same with the names that the columns have in the rows, where they are said otherwise.
fn with_columns(fields: &Map<String, Value>) -> Result<Option<Value>, ToolFailure> {
    const COLUMNS: [&str; 4] = ["x", "y", "label", "outlier"];
    let Some(Value::Array(rows)) = fields.get("rows") else {
        return Ok(None);
    };
    // What is no table is told by what draws it.
    let Ok(table) = Table::of(rows, "rows") else {
        return Ok(None);
    };
    let real = |name: &str| -> Result<Value, ToolFailure> {
        let found = table.column(name);
        Ok(json!(
            found.map_err(|error| ToolFailure::permanent(error.message))?
        ))
    };
    let mut changed = Map::new();
    for name in COLUMNS {
        let Some(said) = fields.get(name) else {
            continue;
        };
        let meant = match said {
            Value::String(column) => real(column)?,
            Value::Array(columns) => {
                let columns = columns.iter().filter_map(Value::as_str);
                columns.map(real).collect::<Result<Value, ToolFailure>>()?
            }
            _ => continue,
        };
        if meant != *said {
            changed.insert(name.to_owned(), meant);
        }
    }
    if changed.is_empty() {
        return Ok(None);
    }
    let mut named = fields.clone();
    named.extend(changed);
    Ok(Some(Value::Object(named)))
}

fn check(fields: &Map<String, Value>) -> Result<(), ToolFailure> {
    let schema = spec().input_schema;
    let known = |name: &String| {
        schema
            .pointer("/properties")
            .and_then(|known| known.get(name))
            .is_some()
    };
    if let Some(unknown) = fields.keys().find(|name| !known(name)) {
        return Err(ToolFailure::invalid(format!(
            "the arguments do not fit: unknown field `{unknown}`"
        )));
    }
    if SOURCES
        .iter()
        .any(|name| fields.get(*name).is_some_and(Value::is_array))
    {
        return Ok(());
    }
    let message = "there is nothing to draw: give `rows`, `values` or `series`";
    Err(ToolFailure::invalid(message))
}
