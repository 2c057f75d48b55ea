//! `price-report`: how do these prices move, and which of them look wrong? The answer on the first
//! page, then a chart per product, what comes next where that can be said, and nothing else: the
//! rows belong into a workbook.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::Report;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::rows;

mod body;
mod figures;
mod words;

use figures::Prices;

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Pure::pooled(spec(), report)]
}

fn spec() -> ToolSpec {
    Declaration {
        name: "price-report",
        title: "Report how prices move",
        category: "statistics",
        description: "Makes a report of prices over time, per product and seller: the answer first (what rises, what falls, who is \
            cheapest, which prices look wrong), a line chart per product with the values that stand apart marked, and a forecast for \
            each series that has enough values, with its error. Trends are robust, so that words and signs agree. Use it on rows from \
            prices-collect or a price history, before report-write; raw rows belong into a workbook. Returns the report, the main \
            findings as a short text, one row per series and the outliers.",
        effect: Effect::Read,
        latency_ms: 50,
        input: input(
            &["rows", "value", "item"],
            json!({
                "rows": rows(),
                "value": {"type": "string", "description": "Column with the price"},
                "item": {"type": "string", "description": "Column with the product: each gets a chart"},
                "line": {"type": "string", "description": "Column with the seller or place: each is a line"},
                "time": {"type": "string", "description": "Column with the date"},
                "unit": {"type": "string", "description": "Currency, such as EUR"},
                "title": {"type": "string", "default": "Prices"},
                "subtitle": {"type": "string", "description": "Where the prices come from"},
                "date": {"type": "string", "description": "Of the report, as it is to be read"},
                "steps": {"type": "integer", "minimum": 1, "maximum": 26, "default": 4, "description": "Weeks to look ahead"}
            }),
        ),
        output: output(
            &["report", "told", "series", "outliers", "count"],
            json!({
                "report": {"type": "object", "description": "As report-write takes it"},
                "told": {"type": "string", "description": "The main findings in a few lines"},
                "series": {"type": "array", "items": {"type": "object"}, "description": "Per product and seller: first, last, trend, forecast"},
                "outliers": {"type": "array", "items": {"type": "object"}},
                "count": {"type": "integer", "description": "Prices that were looked at"}
            }),
        ),
        example: json!({"value": "price", "item": "product", "time": "day", "rows": example()}),
        does: &[],
    }
    .builtin()
}

fn example() -> Value {
    let prices = [10.0, 9.8, 9.9, 9.5, 9.4, 9.2, 9.1, 8.8];
    let row = |(day, price): (usize, &f64)| json!({"product": "Lamp", "day": format!("2026-01-{:02}", day + 1), "price": price});
    prices.iter().enumerate().map(row).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    rows: Vec<Value>,
    value: String,
    item: String,
    line: Option<String>,
    time: Option<String>,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    subtitle: String,
    #[serde(default)]
    date: String,
    #[serde(default = "four")]
    steps: usize,
}

fn four() -> usize {
    4
}

fn report(arguments: &Value) -> Result<Value, ToolFailure> {
    let given: Arguments = arguments::parse(arguments)?;
    if given.rows.is_empty() {
        return Err(ToolFailure::invalid("there are no prices: `rows` is empty"));
    }
    let prices = Prices::of(&given)?;
    let title = match given.title.trim() {
        "" => "Prices",
        title => title,
    };
    let report = Report {
        title: title.to_owned(),
        subtitle: given.subtitle.clone(),
        date: given.date.clone(),
        facts: words::facts(&prices),
        language: "en".to_owned(),
        summary: words::summary(&prices),
        blocks: body::blocks(&prices),
        ..Report::default()
    };
    let series: Vec<Value> = prices
        .series()
        .map(|(item, line)| figures::row(item, line))
        .collect();
    Ok(json!({
        "report": report,
        "told": words::told(&prices),
        "series": series,
        "outliers": prices.raw_outliers,
        "count": prices.count,
    }))
}

#[cfg(test)]
mod tests;
