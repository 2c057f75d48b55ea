//! Where is there text in a definition? Everywhere: descriptions, names of
//! parameters, defaults, enum values, fields nobody asked for.

use serde_json::Value;

use crate::catalog::admit::difference::pointer_part;
use crate::catalog::offer::Offer;

/// A definition with more texts than this is reported as oversized.
pub(super) const MOST_TEXTS: usize = 20_000;
/// Of a longer text only the start is looked at; it is reported as oversized.
pub(super) const LONGEST_TEXT: usize = 20_000;
/// Deeper than this nothing is looked at; it is reported as oversized.
pub(super) const DEEPEST: usize = 200;

/// A text and where it stands.
pub(super) struct Text {
    pub place: String,
    pub chars: Vec<char>,
    /// It is the name of a field or of the tool, not a value.
    pub is_name: bool,
}

/// All texts of an offer.
pub(super) fn of(offer: &Offer) -> Vec<Text> {
    let mut texts = Vec::new();
    add(&mut texts, "", offer.id.name(), true);
    collect(&mut texts, "", &offer.definition, 0);
    // What the adapter made of the definition should be in it; if not, it counts as well.
    for (place, text) in [
        ("/title", &offer.title),
        ("/description", &offer.description),
        ("/category", &offer.category),
    ] {
        let chars: Vec<char> = text.chars().take(LONGEST_TEXT).collect();
        if !texts.iter().any(|known| known.chars == chars) {
            add(&mut texts, place, text, false);
        }
    }
    for (place, schema) in schemas(offer) {
        if offer.definition.pointer(&place) != Some(schema) {
            collect(&mut texts, &place, schema, 0);
        }
    }
    texts
}

/// The schemas of an offer, and where in the definition they stand.
pub(super) fn schemas(offer: &Offer) -> [(String, &Value); 2] {
    let place = |usual: &str, schema: &Value| {
        let fields = offer.definition.as_object();
        let mut found = fields.into_iter().flatten();
        let place = found.find(|(_, field)| !schema.is_null() && *field == schema);
        place.map_or_else(
            || usual.to_owned(),
            |(key, _)| format!("/{}", pointer_part(key)),
        )
    };
    [
        (
            place("/inputSchema", &offer.input_schema),
            &offer.input_schema,
        ),
        (
            place("/outputSchema", &offer.output_schema),
            &offer.output_schema,
        ),
    ]
}

fn add(texts: &mut Vec<Text>, place: &str, text: &str, is_name: bool) {
    if !text.is_empty() && texts.len() < MOST_TEXTS {
        texts.push(Text {
            place: place.to_owned(),
            chars: text.chars().take(LONGEST_TEXT).collect(),
            is_name,
        });
    }
}

fn collect(texts: &mut Vec<Text>, place: &str, value: &Value, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::String(text) => add(texts, place, text, false),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(texts, &format!("{place}/{index}"), item, depth + 1);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                let place = format!("{place}/{}", pointer_part(key));
                add(texts, &place, key, true);
                collect(texts, &place, field, depth + 1);
            }
        }
        _ => {}
    }
}
