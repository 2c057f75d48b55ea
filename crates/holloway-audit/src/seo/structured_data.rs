//! Is the data for machines in a page sound? JSON-LD must parse, name its vocabulary and
//! types, and say what its type needs; microdata is noticed.

use scraper::ElementRef;
use serde::Serialize;
use serde_json::{Map, Value};

use super::schema_types::known;
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const SYNTAX: Rule = Rule::seo("structured-data-syntax");
const NO_CONTEXT: Rule = Rule::seo("structured-data-context");
const NO_TYPE: Rule = Rule::seo("structured-data-type");
const INCOMPLETE: Rule = Rule::seo("structured-data-incomplete");
const BREADCRUMB: Rule = Rule::seo("breadcrumb-invalid");
const MICRODATA: Rule = Rule::seo("microdata-without-type");

pub(super) const RULES: &[Rule] = &[
    SYNTAX, NO_CONTEXT, NO_TYPE, INCOMPLETE, BREADCRUMB, MICRODATA,
];

/// Objects looked at per page.
const OBJECTS: usize = 2000;

/// A described thing.
#[derive(Clone, Debug, Serialize)]
pub struct ThingRow {
    pub page: String,
    /// `json-ld` or `microdata`.
    pub format: &'static str,
    #[serde(rename = "type")]
    pub kind: String,
    pub missing: Vec<String>,
}

pub fn check(site: &Site) -> Checked<ThingRow> {
    Checked::page_by_page(site, check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, Vec<ThingRow>) {
    let mut found = Collector::new(document);
    let mut rows = Vec::new();
    for script in document.named("script") {
        let kind = script.attr("type").unwrap_or_default().trim();
        if kind.eq_ignore_ascii_case("application/ld+json") {
            check_script(&mut found, &mut rows, script);
        }
    }
    check_microdata(&mut found, &mut rows);
    (found.finish(), rows)
}

fn check_script(found: &mut Collector, rows: &mut Vec<ThingRow>, script: ElementRef) {
    let text: String = script.text().collect();
    let data: Value = match serde_json::from_str(text.trim()) {
        Ok(data) => data,
        Err(error) => {
            found.element(&SYNTAX, script, &error.to_string());
            return;
        }
    };
    for outer in items(&data) {
        if !outer.contains_key("@context") {
            found.element(&NO_CONTEXT, script, &brief(outer));
        }
        let typed = outer.contains_key("@type") || outer.contains_key("@graph");
        if !typed {
            found.element(&NO_TYPE, script, &brief(outer));
        }
    }
    let mut waiting: Vec<&Value> = vec![&data];
    let mut objects = 0;
    while let Some(next) = waiting.pop().filter(|_| objects < OBJECTS) {
        match next {
            Value::Object(fields) => {
                objects += 1;
                check_object(found, rows, script, fields);
                waiting.extend(fields.values().rev());
            }
            Value::Array(items) => waiting.extend(items.iter().rev()),
            _ => {}
        }
    }
}

fn items(data: &Value) -> Vec<&Map<String, Value>> {
    match data {
        Value::Object(fields) => vec![fields],
        Value::Array(items) => items.iter().filter_map(Value::as_object).collect(),
        _ => Vec::new(),
    }
}

fn brief(fields: &Map<String, Value>) -> String {
    let names: Vec<_> = fields.keys().take(8).map(String::as_str).collect();
    format!("an object with: {}", names.join(", "))
}

fn check_object(
    found: &mut Collector,
    rows: &mut Vec<ThingRow>,
    script: ElementRef,
    fields: &Map<String, Value>,
) {
    let page = found.document().page().url.clone();
    for kind in types(fields) {
        let missing = missing(&kind, fields);
        if !missing.is_empty() {
            let evidence = format!("{kind} without {}", missing.join(", "));
            found.element(&INCOMPLETE, script, &evidence);
        }
        if kind == "BreadcrumbList"
            && let Some(problem) = breadcrumb_problem(fields)
        {
            found.element(&BREADCRUMB, script, &problem);
        }
        if rows.len() < OBJECTS {
            rows.push(ThingRow {
                page: page.clone(),
                format: "json-ld",
                kind,
                missing,
            });
        }
    }
}

fn types(fields: &Map<String, Value>) -> Vec<String> {
    let names = match fields.get("@type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let bare = names
        .iter()
        .map(|name| name.rsplit(['/', '#', ':']).next().unwrap_or(name));
    bare.map(str::to_owned).collect()
}

fn missing(kind: &str, fields: &Map<String, Value>) -> Vec<String> {
    let named = fields.get("@id").is_some();
    let Some(known) = known(kind) else {
        return Vec::new();
    };
    // `@id` with at most a type refers to an object that is described elsewhere.
    if named && fields.keys().all(|name| name.starts_with('@')) {
        return Vec::new();
    }
    let filled = |name: &&str| fields.get(*name).is_some_and(|value| !is_empty(value));
    let lacking = known.required.iter().filter(|any| !any.iter().any(filled));
    lacking.map(|any| any.join(" or ")).collect()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn breadcrumb_problem(fields: &Map<String, Value>) -> Option<String> {
    let elements = fields.get("itemListElement")?;
    let Value::Array(elements) = elements else {
        return (!elements.is_object()).then(|| "itemListElement is no list".to_owned());
    };
    for (index, element) in elements.iter().enumerate() {
        let item = element.get("item");
        let inner_name = item.and_then(|item| item.get("name"));
        let named = element.get("name").or(inner_name).is_some();
        let last = index + 1 == elements.len();
        let lacking = [
            ("position", element.get("position").is_some()),
            ("name", named),
            ("item", last || item.is_some()),
        ];
        if let Some((name, _)) = lacking.iter().find(|(_, given)| !given) {
            return Some(format!("entry {} has no {name}", index + 1));
        }
    }
    None
}

fn check_microdata(found: &mut Collector, rows: &mut Vec<ThingRow>) {
    let document = found.document();
    for element in document.elements() {
        if element.attr("itemscope").is_none() {
            continue;
        }
        let address = element.attr("itemtype").unwrap_or_default().trim();
        if address.is_empty() {
            found.tag(&MICRODATA, element);
        } else if rows.len() < OBJECTS {
            let kind = address.rsplit(['/', '#']).next().unwrap_or(address);
            rows.push(ThingRow {
                page: document.page().url.clone(),
                format: "microdata",
                kind: kind.to_owned(),
                missing: Vec::new(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_changes;

    const GOOD: &str = r#"<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
        {"@type": "Product", "name": "Boot", "offers": {"@type": "Offer", "price": "1.00"}, "brand": {"@type": "Organization", "@id": "/#us"}},
        {"@type": "BreadcrumbList", "itemListElement": [
            {"@type": "ListItem", "position": 1, "name": "Home", "item": "https://example.com/"},
            {"@type": "ListItem", "position": 2, "name": "Boot"}]}]}</script>
        <div itemscope itemtype="https://schema.org/Person"></div>"#;

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_changes(
            GOOD,
            RULES,
            &[],
            |site| check(site).findings,
            &[
                (r#""name": "Boot", "#, "", &["structured-data-incomplete"]),
                (
                    r#""price": "1.00""#,
                    r#""price": """#,
                    &["structured-data-incomplete"],
                ),
                (r#""@graph""#, r#""graph""#, &["structured-data-type"]),
                (
                    r#""@context": "https://schema.org", "#,
                    "",
                    &["structured-data-context"],
                ),
                ("}]}]}<", "}]}],}<", &["structured-data-syntax"]),
                (r#""position": 2, "#, "", &["breadcrumb-invalid"]),
                (
                    r#", "item": "https://example.com/""#,
                    "",
                    &["breadcrumb-invalid"],
                ),
                (
                    r#" itemtype="https://schema.org/Person""#,
                    "",
                    &["microdata-without-type"],
                ),
                (r#""@type": "Product""#, r#""@type": "UnknownThing""#, &[]),
                ("application/ld+json", "application/json", &[]),
            ],
        );
    }
}
