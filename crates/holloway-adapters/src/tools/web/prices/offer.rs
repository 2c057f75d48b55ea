//! What does structured data offer? Products and offers in the JSON-LD of a page.

use scraper::Html;
use serde_json::Value;

use super::super::document::all;

/// How deep and how many things are looked at in one page.
const DEPTH: usize = 8;
const THINGS: usize = 2_000;

/// An offer, as far as the page tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Offer {
    pub(super) product: Option<String>,
    pub(super) seller: Option<String>,
    pub(super) price: Option<f64>,
    pub(super) currency: Option<String>,
}

/// The offers of a page; a product without an offer is one without a price.
pub(super) fn offers(document: &Html) -> Vec<Offer> {
    let mut found = Vec::new();
    for script in all(document, "script[type='application/ld+json']") {
        let text: String = script.text().collect();
        if let Ok(data) = serde_json::from_str::<Value>(&text) {
            collect(&data, &Offer::default(), DEPTH, &mut found);
        }
    }
    found
}

fn collect(data: &Value, around: &Offer, depth: usize, found: &mut Vec<Offer>) {
    let Some(deeper) = depth.checked_sub(1) else {
        return;
    };
    if found.len() >= THINGS {
        return;
    }
    match data {
        Value::Array(things) => {
            for thing in things {
                collect(thing, around, deeper, found);
            }
        }
        Value::Object(fields) if is_a(data, "Product") => {
            let product = Offer {
                product: name(data).or_else(|| around.product.clone()),
                ..around.clone()
            };
            match fields.get("offers") {
                Some(offers) => collect(offers, &product, deeper, found),
                None => found.push(product),
            }
        }
        Value::Object(fields) if is_a(data, "Offer") || is_a(data, "AggregateOffer") => {
            let price = ["price", "lowPrice"].map(|field| fields.get(field).and_then(number));
            found.push(Offer {
                price: price.into_iter().flatten().next(),
                currency: text(fields.get("priceCurrency")),
                seller: fields
                    .get("seller")
                    .and_then(name)
                    .or_else(|| around.seller.clone()),
                ..around.clone()
            });
        }
        Value::Object(fields) => {
            for field in fields.values() {
                collect(field, around, deeper, found);
            }
        }
        _ => {}
    }
}

fn is_a(thing: &Value, kind: &str) -> bool {
    match thing.get("@type") {
        Some(Value::String(found)) => found == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|found| found == kind),
        _ => false,
    }
}

fn name(thing: &Value) -> Option<String> {
    match thing {
        Value::String(name) => Some(name.clone()),
        thing => text(thing.get("name")),
    }
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// Numbers stand as numbers or as texts.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}
