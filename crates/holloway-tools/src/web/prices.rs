//! `prices-collect`: what does each page say something costs, and when? Price histories
//! in tables, price lists, offers in structured data, and prices in the text, as rows of
//! one shape.

use std::sync::Arc;

use holloway_data::date;
use holloway_data::price::{Decimal, Hints, Price, PriceKind, extract};
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use scraper::Html;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::audit::schemas::page_schema;
use super::super::declaration::{Declaration, input, output};
use super::super::pure::{Pure, within_limit};
use super::super::{Tool, arguments};
use super::document::{first, parse_whole, visible_text};
use super::tables::tables;
use super::text::{Shown, readable};

mod offer;
#[cfg(test)]
mod tests;

use offer::{Offer, offers, short};

/// What a row takes beside its texts, for the limit of the whole.
const ROW_BYTES: usize = 160;
/// How many characters of an address are told.
const ADDRESS: usize = 2_000;
/// A table is a history or a list when most of its rows fit.
const MOST: f64 = 0.6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    pages: Vec<Page>,
    currency: Option<String>,
    decimal: Option<Decimal>,
}

/// Of a page only what is needed here.
#[derive(Deserialize)]
struct Page {
    url: String,
    #[serde(default)]
    html: String,
}

/// One price on one day.
struct Row {
    product: String,
    date: Option<String>,
    amount: f64,
    currency: Option<String>,
}

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "prices-collect",
        title: "Collect prices from pages",
        category: "web",
        description: "Scrapes the prices of products from fetched shop pages, with the product, the seller and, where a page has a price history, the date. Use it on what \
            pages-fetch or site-crawl returns, before trends, outliers or comparisons of competitors. Looks for tables of dates and prices, price lists, offers in structured data, and \
            last the first price in the text. Returns rows with page, seller, product, date (null when the page tells none), price and currency, their count, and the pages without a price.",
        effect: Effect::Read,
        latency_ms: 50,
        input: input(
            &["pages"],
            json!({
                "pages": {"type": "array", "items": page_schema(), "maxItems": 10_000, "description": "Pages as pages-fetch returns them"},
                "currency": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "ISO code for $, kr, ¥ and amounts without a currency"},
                "decimal": {"type": "string", "enum": ["comma", "point"], "description": "The mark before the cents"}
            }),
        ),
        output: output(
            &["rows", "count", "without"],
            json!({
                "rows": {"type": "array", "items": {"type": "object", "properties": {
                    "page": {"type": "string"},
                    "seller": {"type": "string", "description": "The shop, or the host of the page"},
                    "product": {"type": "string"},
                    "date": {"type": ["string", "null"], "format": "date"},
                    "price": {"type": "number"},
                    "currency": {"type": ["string", "null"]}
                }}},
                "count": {"type": "integer"},
                "without": {"type": "array", "items": {"type": "string"}, "description": "Pages on which no price was found"}
            }),
        ),
        example: json!({"pages": [{"url": "https://example.com/dune", "html": "<h1>Dune tent</h1><table><tr><th>Date<th>Price<tr><td>2026-01-01<td>€ 129,00<tr><td>2026-01-02<td>€ 127,50</table>"}]}),
        does: &["prices page[]:pages -> table:rows"],
    };
    Pure::pooled(spec.builtin(), run)
}

fn run(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let hints = Hints {
        currency: arguments.currency,
        decimal: arguments.decimal,
    };
    let mut collected = Vec::new();
    let mut without = Vec::new();
    let mut bytes = 0;
    for page in &arguments.pages {
        let (seller, rows) = read(page, &hints)?;
        let address: String = page.url.chars().take(ADDRESS).collect();
        if rows.is_empty() {
            bytes += address.len();
            within_limit(bytes)?;
            without.push(address);
            continue;
        }
        for row in rows {
            bytes += ROW_BYTES + address.len() + seller.len() + row.product.len();
            within_limit(bytes)?;
            collected.push(json!({
                "page": address, "seller": seller, "product": row.product, "date": row.date,
                "price": row.amount, "currency": row.currency,
            }));
        }
    }
    Ok(json!({"count": collected.len(), "rows": collected, "without": without}))
}

/// The seller and the prices of one page.
fn read(page: &Page, hints: &Hints) -> Result<(String, Vec<Row>), ToolFailure> {
    let document = parse_whole(&page.html)?;
    let offers = offers(&document);
    let product = product(&document, &offers);
    let seller = seller(&document, &offers, &page.url);
    let mut rows = Vec::new();
    for table in tables(&document)? {
        rows.extend(from_table(&table, &product, hints));
    }
    if rows.is_empty() {
        rows = from_offers(&offers, &product);
    }
    if rows.is_empty() {
        rows.extend(from_text(&document, &product, hints));
    }
    Ok((seller, rows))
}

fn product(document: &Html, offers: &[Offer]) -> String {
    let named = offers.iter().find_map(|offer| offer.product.clone());
    let heading = || first(document, "h1").map(visible_text);
    let title = || first(document, "title").map(visible_text);
    let name = named.or_else(heading).or_else(title).unwrap_or_default();
    short(&name)
}

fn seller(document: &Html, offers: &[Offer], url: &str) -> String {
    let named = offers.iter().find_map(|offer| offer.seller.clone());
    let site = || {
        let meta = first(document, "meta[property='og:site_name']")?;
        meta.attr("content").map(short)
    };
    let host = || {
        let url = reqwest::Url::parse(url).ok()?;
        url.host_str().map(short)
    };
    let name = named.or_else(site).filter(|name| !name.is_empty());
    name.or_else(host).unwrap_or_default()
}

/// A history (dates and prices) or a list (names and prices).
fn from_table(table: &Value, product: &str, hints: &Hints) -> Vec<Row> {
    let columns = texts(table.get("columns"));
    let rows = table.get("rows").and_then(Value::as_array);
    let rows: Vec<&Value> = rows.into_iter().flatten().collect();
    let cell = |row: &Value, column: &str| {
        let cell = row.get(column).and_then(Value::as_str);
        cell.unwrap_or_default().to_owned()
    };
    let share = |column: &String, fits: &dyn Fn(&str) -> bool| {
        let fitting = rows.iter().filter(|row| fits(&cell(row, column))).count();
        fitting as f64 / rows.len().max(1) as f64
    };
    let best = |fits: &dyn Fn(&str) -> bool| {
        columns
            .iter()
            .find(|column| share(column, fits) >= MOST)
            .cloned()
    };
    let date_column = best(&|text| day(text).is_some());
    let with_currency = |text: &str| {
        let price = whole_price(text, hints)?;
        Some((price.amount, price.currency))
    };
    // Under a heading that says so, a number is a price by itself.
    let bare = |text: &str| Some((amount(text, hints)?, hints.currency.clone()));
    let others = || {
        let others = columns.iter();
        others.filter(|column| Some(*column) != date_column.as_ref())
    };
    let marked = others().find(|one| share(one, &|text| with_currency(text).is_some()) >= MOST);
    let headed = || {
        let mut headed = others().filter(|column| says_price(column));
        headed.find(|one| share(one, &|text| bare(text).is_some()) >= MOST)
    };
    let Some(price_column) = marked.or_else(headed) else {
        return Vec::new();
    };
    let price_of = |text: &str| match marked {
        Some(_) => with_currency(text),
        None => bare(text),
    };
    let name_column = columns.iter().find(|column| {
        *column != price_column
            && Some(*column) != date_column.as_ref()
            && share(column, &|text| text.chars().any(char::is_alphabetic)) >= MOST
    });
    if date_column.is_none() && name_column.is_none() {
        return Vec::new();
    }
    let row = |row: &&Value| {
        let (amount, currency) = price_of(&cell(row, price_column))?;
        let name = name_column.map(|column| short(&cell(row, column)));
        Some(Row {
            product: name
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| product.to_owned()),
            date: date_column
                .as_ref()
                .and_then(|column| day(&cell(row, column))),
            amount,
            currency,
        })
    };
    rows.iter().filter_map(row).collect()
}

fn says_price(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let mut words = heading.split(|letter: char| !letter.is_alphabetic());
    words.any(|word| {
        matches!(
            word,
            "price" | "prices" | "cost" | "costs" | "preis" | "prix"
        )
    })
}

/// A number that is all there is in a cell, with either mark before the cents.
fn amount(text: &str, hints: &Hints) -> Option<f64> {
    let text = text.trim();
    let fits = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    if !text.starts_with(|letter: char| letter.is_ascii_digit()) || !text.chars().all(fits) {
        return None;
    }
    let last = text.rfind(['.', ',']);
    let (whole, rest) = text.split_at_checked(last.unwrap_or(text.len()))?;
    let mark = rest.chars().next();
    let cents = rest.trim_start_matches(['.', ',']);
    let said = match hints.decimal {
        Some(Decimal::Comma) => mark == Some(','),
        Some(Decimal::Point) => mark == Some('.'),
        None => cents.len() < 3,
    };
    let digits = |part: &str| part.replace(['.', ','], "");
    let plain = if said {
        format!("{}.{cents}", digits(whole))
    } else {
        digits(text)
    };
    plain.trim_end_matches('.').parse().ok()
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A cell that is a date and nothing else, as `2026-01-31`.
fn day(text: &str) -> Option<String> {
    date::read(text.trim()).map(|moment| moment.date().to_string())
}

/// The price of a cell that holds little else.
fn whole_price(text: &str, hints: &Hints) -> Option<Price> {
    let text = text.trim();
    if text.is_empty() || text.len() > 60 || day(text).is_some() {
        return None;
    }
    let prices = extract(text, &[], hints).ok()?;
    let counts = |price: &&Price| !matches!(price.kind, PriceKind::Was | PriceKind::Saving);
    let price = prices.iter().find(counts)?;
    let has_currency = price.currency.is_some();
    let is_all = price.text.len() * 2 >= text.len();
    (has_currency || is_all).then(|| price.clone())
}

fn from_offers(offers: &[Offer], product: &str) -> Vec<Row> {
    let row = |offer: &Offer| {
        Some(Row {
            product: offer.product.clone().unwrap_or_else(|| product.to_owned()),
            date: None,
            amount: offer.price?,
            currency: offer.currency.clone(),
        })
    };
    offers.iter().filter_map(row).collect()
}

/// The first price that is what one pays now.
fn from_text(document: &Html, product: &str, hints: &Hints) -> Option<Row> {
    let body = first(document, "main").or_else(|| first(document, "body"))?;
    let prices = extract(&readable(body, Shown::default()), &[], hints).ok()?;
    let counts = |price: &&Price| {
        price.currency.is_some() && !matches!(price.kind, PriceKind::Was | PriceKind::Saving)
    };
    let price = prices.iter().find(counts)?;
    Some(Row {
        product: product.to_owned(),
        date: None,
        amount: price.amount,
        currency: price.currency.clone(),
    })
}
