//! `price-extract`: which prices does this text, page or column name?

use std::sync::Arc;

use holloway_data::error::DataError;
use holloway_data::limits::Budget;
use holloway_data::price::{Decimal, Hints, Price, PriceKind, extract};
use holloway_data::table::Table;
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::{failure, rows};

mod page;

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Pure::pooled(spec(), prices)]
}

fn spec() -> ToolSpec {
    Declaration {
        name: "price-extract",
        title: "Extract prices",
        category: "data",
        description: "Finds prices in text, in an HTML page, or in a column of rows, in many notations: € 1.234,56; $1,234.56; 1 234,56 kr; 12.99 USD; GBP 5; 19,–. Use it \
            on scraped pages before comparing prices. Dates, phone numbers, versions and percentages are not prices; a minus is kept. Where 1.234 may be a thousand or a \
            decimal, or kr several currencies, `decimal` and `currency` decide, then the other prices, then what is usual, and the price is marked ambiguous with a note. Returns prices \
            with amount, ISO currency, kind (price, was, now, from, low, high, saving; crossed-out is was), per (kg, month), text, start and end in \
            characters; with `rows`, the rows with amount, currency and was added.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &[],
            json!({
                "text": {"type": "string", "description": "Give one of `text`, `html` and `rows`"},
                "html": {"type": "string", "description": "Scripts and styles are left out; positions are those in the text of the page"},
                "rows": rows(),
                "column": {"type": "string", "default": "price", "description": "For `rows`: the column with the text"},
                "currency": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "ISO code for $, kr, ¥ and amounts without a currency"},
                "decimal": {"type": "string", "enum": ["comma", "point"], "description": "The mark before the cents"}
            }),
        ),
        output: output(
            &["count"],
            json!({
                "count": {"type": "integer", "description": "Prices found, or rows with a price"},
                "prices": {"type": "array", "items": {"type": "object", "required": ["amount", "currency", "kind", "text"]}},
                "currencies": {"type": "object", "additionalProperties": {"type": "integer"}},
                "without": {"type": "array", "items": {"type": "integer"}, "description": "Rows without a price, counted from 1"},
                "rows": {"type": "array", "items": {"type": "object"}}
            }),
        ),
        example: json!({"text": "was $20 now $15.99, or 1.234,50 € per month"}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: Option<String>,
    html: Option<String>,
    rows: Option<IgnoredAny>,
    #[serde(default = "price")]
    column: String,
    currency: Option<String>,
    decimal: Option<Decimal>,
}

fn price() -> String {
    "price".to_owned()
}

fn prices(given: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(given)?;
    let hints = Hints {
        currency: arguments.currency,
        decimal: arguments.decimal,
    };
    match (arguments.text, arguments.html, arguments.rows) {
        (Some(text), None, None) => Ok(listed(&extract(&text, &[], &hints).map_err(failure)?)),
        (None, Some(html), None) => {
            let page = page::read(&html)?;
            Ok(listed(
                &extract(&page.text, &page.struck, &hints).map_err(failure)?,
            ))
        }
        (None, None, Some(_)) => in_rows(given, &arguments.column, &hints).map_err(failure),
        _ => Err(ToolFailure::invalid(
            "give exactly one of `text`, `html` and `rows`",
        )),
    }
}

fn listed(prices: &[Price]) -> Value {
    let mut currencies: Map<String, Value> = Map::new();
    for price in prices {
        let name = price
            .currency
            .clone()
            .unwrap_or_else(|| "unknown".to_owned());
        let count = currencies.get(&name).and_then(Value::as_u64).unwrap_or(0);
        currencies.insert(name, json!(count + 1));
    }
    json!({ "count": prices.len(), "currencies": currencies, "prices": prices })
}

fn in_rows(given: &Value, column: &str, hints: &Hints) -> Result<Value, DataError> {
    let table = Table::read(given, "rows")?;
    table.must_have(column)?;
    let mut budget = Budget::default();
    let (mut rows, mut without) = (Vec::with_capacity(table.len()), Vec::new());
    for (index, row) in table.rows().iter().enumerate() {
        let found = match row.get(column) {
            Some(Value::String(text)) => extract(text, &[], hints)?,
            Some(Value::Number(number)) => {
                // A number is an amount already.
                extract(&format!("price: {number}"), &[], hints)?
            }
            _ => Vec::new(),
        };
        let asked = asked(&found);
        if asked.is_none() {
            without.push(index + 1);
        }
        let mut row = (*row).clone();
        let was = found.iter().find(|price| price.kind == PriceKind::Was);
        row.insert("amount".to_owned(), json!(asked.map(|price| price.amount)));
        row.insert(
            "currency".to_owned(),
            json!(asked.and_then(|price| price.currency.as_ref())),
        );
        row.insert("was".to_owned(), json!(was.map(|price| price.amount)));
        row.insert(
            "ambiguous".to_owned(),
            // Of a range only its start is given.
            json!(asked.is_some_and(|price| price.ambiguous || price.kind == PriceKind::Low)),
        );
        budget.row(&row)?;
        rows.push(Value::Object(row));
    }
    Ok(json!({ "count": rows.len() - without.len(), "without": without, "rows": rows }))
}

/// The price that is asked now: a new one before a plain one before the start of a range.
fn asked(found: &[Price]) -> Option<&Price> {
    let order = [
        PriceKind::Now,
        PriceKind::Price,
        PriceKind::From,
        PriceKind::Low,
    ];
    order
        .iter()
        .find_map(|kind| found.iter().find(|price| price.kind == *kind))
}
