//! `html-extract`: which values are on this page? Fields picked by CSS selectors,
//! once for the page or once for every row of a list.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use reqwest::Url;
use scraper::{ElementRef, Selector};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::{OUTPUT_LIMIT, Pure, within_limit};
use super::super::{Tool, arguments};
use super::document::{base, parse_whole, visible_text};
use super::source::{Source, properties};

mod cost;

const MAX_ROWS: usize = 10_000;
const MAX_VALUES: usize = 10_000;
const MAX_SELECTOR: usize = 2_000;

#[derive(Deserialize)]
struct Arguments {
    #[serde(flatten)]
    source: Source,
    fields: BTreeMap<String, FieldArgument>,
    rows: Option<String>,
}

/// A selector alone, or with what to take from the element.
#[derive(Deserialize)]
#[serde(untagged)]
enum FieldArgument {
    Selector(String),
    Full {
        #[serde(default)]
        selector: String,
        attribute: Option<String>,
        #[serde(default)]
        many: bool,
    },
}

struct Field {
    name: String,
    /// The selector as it was written.
    text: String,
    /// None for the row itself.
    selector: Option<Selector>,
    attribute: Option<String>,
    many: bool,
}

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "html-extract",
        title: "Extract fields from HTML",
        category: "web",
        description: "Picks values from a page by CSS selectors: texts, attributes, one or many per field. Use it to turn product \
            lists, articles or tables of a known page into data. With `rows`, every element that fits gives one row and the \
            selectors count inside it. Returns `rows`, `count`, and the first row as `fields`; what is not there is null. \
            `truncated` is true where there are more than 10,000 rows.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["fields"],
            properties(json!({
                "fields": {
                    "type": "object",
                    "minProperties": 1,
                    "description": "By name: a CSS selector, or an object with `selector`, `attribute` and `many`",
                    "additionalProperties": {"anyOf": [
                        {"type": "string"},
                        {"type": "object", "additionalProperties": false, "properties": {
                            "selector": {"type": "string", "description": "Left out or empty: the row itself"},
                            "attribute": {"type": "string", "description": "Take this attribute instead of the text; `href` and `src` are made whole"},
                            "many": {"type": "boolean", "description": "Take all, as a list"}
                        }}
                    ]}
                },
                "rows": {"type": "string", "description": "CSS selector of the elements that give a row each"}
            })),
        ),
        output: output(
            &["rows", "count", "fields", "truncated"],
            json!({
                "rows": {"type": "array", "items": {"type": "object"}},
                "count": {"type": "integer"},
                "fields": {"type": "object", "description": "The first row; empty where there is none"},
                "truncated": {"type": "boolean", "description": "True when there were more rows than are returned"}
            }),
        ),
        example: json!({
            "html": "<ul><li><a href='/tent'>Tent</a> <b>129.00</b></li></ul>",
            "url": "https://example.com/",
            "rows": "li",
            "fields": {"name": "a", "price": "b", "link": {"selector": "a", "attribute": "href"}}
        }),
        does: &[],
    };
    Pure::pooled(spec.builtin(), run)
}

fn run(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let fields = arguments.fields.into_iter().map(ready);
    let fields: Vec<Field> = fields.collect::<Result<_, _>>()?;
    let rows_text = arguments.rows;
    let rows = rows_text.as_deref().map(|rows| selector(rows, "`rows`"));
    let rows = rows.transpose()?;
    let (html, url) = arguments.source.read()?;
    let document = parse_whole(&html)?;
    let texts = fields.iter().map(|field| field.text.as_str());
    cost::check(&document, rows_text.as_deref(), texts)?;
    let base = url.map(|url| base(&document, &url));
    let mut scopes: Vec<ElementRef<'_>> = match &rows {
        // One more than allowed tells a full list from a longer one.
        Some(rows) => document.select(rows).take(MAX_ROWS + 1).collect(),
        None => vec![document.root_element()],
    };
    let truncated = scopes.len() > MAX_ROWS;
    scopes.truncate(MAX_ROWS);
    let mut extracted = Vec::new();
    let mut bytes = 0;
    for scope in scopes {
        let row = row(scope, &fields, base.as_ref(), &mut bytes);
        within_limit(bytes)?;
        extracted.push(Value::Object(row));
    }
    let first = extracted.first().cloned().unwrap_or_else(|| json!({}));
    let count = extracted.len();
    Ok(json!({"count": count, "rows": extracted, "fields": first, "truncated": truncated}))
}

fn ready((name, argument): (String, FieldArgument)) -> Result<Field, ToolFailure> {
    let (text, attribute, many) = match argument {
        FieldArgument::Selector(selector) => (selector, None, false),
        FieldArgument::Full {
            selector,
            attribute,
            many,
        } => (selector, attribute, many),
    };
    let parsed = if text.trim().is_empty() {
        None
    } else {
        Some(selector(&text, &format!("the field `{name}`"))?)
    };
    Ok(Field {
        name,
        text,
        selector: parsed,
        attribute: attribute.map(|attribute| attribute.to_ascii_lowercase()),
        many,
    })
}

/// A selector of the caller, or where it goes wrong.
fn selector(text: &str, place: &str) -> Result<Selector, ToolFailure> {
    if text.len() > MAX_SELECTOR {
        let message = format!("{place}: a selector may have {MAX_SELECTOR} bytes at most");
        return Err(ToolFailure::invalid(message));
    }
    Selector::parse(text).map_err(|_| {
        let right = text
            .char_indices()
            .rev()
            .filter_map(|(end, _)| text.get(..end))
            .map(str::trim_end)
            .find(|start| !start.is_empty() && Selector::parse(start).is_ok())
            .unwrap_or_default();
        let position = right.chars().count() + 1;
        let after = if right.is_empty() {
            "at its beginning".to_owned()
        } else {
            format!("at character {position}, after `{right}`")
        };
        ToolFailure::invalid(format!(
            "{place}: `{text}` is no CSS selector; it goes wrong {after}"
        ))
        .with_hint("such as `div.price > span` or `a[href^=\"/shop\"]`")
    })
}

fn row(
    scope: ElementRef<'_>,
    fields: &[Field],
    base: Option<&Url>,
    bytes: &mut usize,
) -> Map<String, Value> {
    let mut row = Map::new();
    for field in fields {
        let elements: Vec<ElementRef<'_>> = match &field.selector {
            None => vec![scope],
            Some(selector) => scope.select(selector).take(MAX_VALUES).collect(),
        };
        let mut values = elements
            .into_iter()
            .filter_map(|element| value(element, field.attribute.as_deref(), base));
        let value = if field.many {
            let values: Vec<String> = values.inspect(|value| *bytes += value.len()).collect();
            json!(values)
        } else {
            let value = values.next();
            *bytes += value.as_ref().map_or(0, String::len);
            json!(value)
        };
        row.insert(field.name.clone(), value);
        if *bytes > OUTPUT_LIMIT {
            break;
        }
    }
    row
}

fn value(element: ElementRef<'_>, attribute: Option<&str>, base: Option<&Url>) -> Option<String> {
    let Some(attribute) = attribute else {
        return Some(visible_text(element));
    };
    let text = element.attr(attribute)?.trim();
    let whole = match (attribute, base) {
        ("href" | "src" | "action" | "poster", Some(base)) => base.join(text).ok(),
        _ => None,
    };
    Some(whole.map_or_else(|| text.to_owned(), |url| url.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOP: &str = "<title>Shop</title><ul id=list>\
        <li class=item data-sku=T1><a href=/tent>Tent <i>two</i></a><b>129.00</b><em>red</em><em>blue</em></li>\
        <li class=item><a href='https://b.example/x'>Boots</a><script>no()</script></li></ul>";

    fn check(arguments: Value, expected: Value) {
        let mut arguments = arguments;
        arguments["html"] = json!(SHOP);
        arguments["url"] = json!("https://a.example/shop/");
        assert_eq!(run(&arguments).unwrap(), expected);
    }

    #[test]
    fn rows_and_fields_are_picked() {
        let fields = json!({
            "name": "a", "price": "b",
            "link": {"selector": "a", "attribute": "HREF"},
            "sku": {"attribute": "data-sku"},
            "colours": {"selector": "em", "many": true},
        });
        let tent = json!({"name": "Tent two", "price": "129.00", "link": "https://a.example/tent", "sku": "T1", "colours": ["red", "blue"]});
        let boots = json!({"name": "Boots", "price": null, "link": "https://b.example/x", "sku": null, "colours": []});
        check(
            json!({"rows": "li.item", "fields": fields}),
            json!({"count": 2, "rows": [tent, boots], "fields": tent, "truncated": false}),
        );
        check(
            json!({"fields": {"title": "title"}}),
            json!({"count": 1, "rows": [{"title": "Shop"}], "fields": {"title": "Shop"}, "truncated": false}),
        );
        check(
            json!({"rows": "table", "fields": {"a": "b"}}),
            json!({"count": 0, "rows": [], "fields": {}, "truncated": false}),
        );
    }

    #[test]
    fn a_list_that_is_cut_says_so() {
        let list = |count: usize| {
            let html = format!("<ul>{}</ul>", "<li>x".repeat(count));
            let told = run(&json!({"html": html, "rows": "li", "fields": {"text": ""}})).unwrap();
            (told["count"].clone(), told["truncated"].clone())
        };
        assert_eq!(list(MAX_ROWS), (json!(MAX_ROWS), json!(false)));
        assert_eq!(list(MAX_ROWS + 1), (json!(MAX_ROWS), json!(true)));
    }

    #[test]
    fn a_wrong_selector_is_shown_with_its_place() {
        let wrong = |fields: Value, rows: Option<&str>| {
            let arguments = json!({"html": SHOP, "fields": fields, "rows": rows});
            run(&arguments).unwrap_err().to_string()
        };
        assert_eq!(
            wrong(json!({"price": "li > ]"}), None),
            "Validation failed: the field `price`: `li > ]` is no CSS selector; it goes wrong at character 3, after `li`"
        );
        assert_eq!(
            wrong(json!({"a": "b"}), Some("li:nonsense")),
            "Validation failed: `rows`: `li:nonsense` is no CSS selector; it goes wrong at character 3, after `li`"
        );
        assert_eq!(
            wrong(json!({"a": "!!"}), None),
            "Validation failed: the field `a`: `!!` is no CSS selector; it goes wrong at its beginning"
        );
    }
}
