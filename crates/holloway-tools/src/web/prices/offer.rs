//! What does structured data offer? Products and offers in the JSON-LD of a page.

use scraper::Html;
use serde_json::Value;

use super::super::document::all;

/// How deep and how many things are looked at in one page.
const DEPTH: usize = 8;
const THINGS: usize = 2_000;
/// How many characters of a name are told.
const NAME: usize = 200;

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
                currency: text(fields.get("priceCurrency")).filter(|code| is_currency(code)),
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
        Value::String(name) => Some(short(name)),
        thing => text(thing.get("name")),
    }
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(short)
}

/// A name on one line, cut to what a table of prices has room for.
pub(super) fn short(name: &str) -> String {
    let mut kept = String::new();
    let mut room = NAME;
    for word in name.split_whitespace() {
        if !kept.is_empty() && room > 0 {
            kept.push(' ');
            room -= 1;
        }
        if room == 0 {
            break;
        }
        kept.extend(word.chars().take(room));
        room = room.saturating_sub(word.chars().count());
    }
    kept.truncate(kept.trim_end().len());
    kept
}

fn is_currency(code: &str) -> bool {
    code.len() == 3 && code.chars().all(|letter| letter.is_ascii_alphabetic())
}

/// Numbers stand as numbers or as texts; what is no amount of money is none.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite() && *number >= 0.0)
}
