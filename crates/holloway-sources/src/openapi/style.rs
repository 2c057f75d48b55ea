//! How is a value written into a path, a query, a header or a cookie? By the
//! parameter's style, with everything encoded that could be taken for syntax.

use oas3::spec::ParameterStyle as Style;
use serde_json::Value;

use super::operation::parameter::Parameter;

/// A name and a value of a query, both encoded.
pub(crate) type Pair = (String, String);

/// What stands in the path in place of `{name}`.
pub(crate) fn path(parameter: &Parameter, value: &Value) -> String {
    let parts = Parts::of(parameter, value, &|text| encode(text));
    match parameter.style {
        Style::Label => match &parts {
            Parts::One(text) => format!(".{text}"),
            _ if parameter.explode => format!(".{}", parts.exploded(".")),
            _ => format!(".{}", parts.joined(",")),
        },
        Style::Matrix => matrix(parameter, &parts),
        _ if parameter.explode => parts.exploded(","),
        _ => parts.joined(","),
    }
}

fn matrix(parameter: &Parameter, parts: &Parts) -> String {
    let name = encode(&parameter.name);
    match parts {
        Parts::Many(items) if parameter.explode => {
            let items = items.iter().map(|item| format!(";{name}={item}"));
            items.collect()
        }
        Parts::Named(pairs) if parameter.explode => {
            let pairs = pairs.iter().map(|(key, value)| format!(";{key}={value}"));
            pairs.collect()
        }
        _ => format!(";{name}={}", parts.joined(",")),
    }
}

/// What is added to the query.
pub(crate) fn query(parameter: &Parameter, value: &Value) -> Vec<Pair> {
    let name = encode(&parameter.name);
    if parameter.style == Style::DeepObject && value.is_object() {
        return deep(&parameter.name, value);
    }
    let encoding: fn(&str) -> String = if parameter.allow_reserved {
        encode_keeping_reserved
    } else {
        encode
    };
    let parts = Parts::of(parameter, value, &encoding);
    match parts {
        Parts::One(text) => vec![(name, text)],
        Parts::Many(items) if parameter.explode => {
            items.into_iter().map(|item| (name.clone(), item)).collect()
        }
        Parts::Named(pairs) if parameter.explode => pairs,
        parts => {
            let between = match parameter.style {
                Style::SpaceDelimited => "%20",
                Style::PipeDelimited => "%7C",
                _ => ",",
            };
            vec![(name, parts.joined(between))]
        }
    }
}

/// `filter[a]=1&filter[b][c]=2`.
pub(crate) fn deep(name: &str, value: &Value) -> Vec<Pair> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| deep(&format!("{name}[{key}]"), value))
            .collect(),
        Value::Array(items) => items.iter().flat_map(|item| deep(name, item)).collect(),
        Value::Null => Vec::new(),
        one => vec![(encode(name), encode(&text(one)))],
    }
}

/// A header's value; what does not fit into one is refused when it is set.
pub(crate) fn header(parameter: &Parameter, value: &Value) -> String {
    let parts = Parts::of(parameter, value, &str::to_owned);
    if parameter.explode {
        parts.exploded(",")
    } else {
        parts.joined(",")
    }
}

/// A value without its structure.
enum Parts {
    One(String),
    Many(Vec<String>),
    Named(Vec<Pair>),
}

impl Parts {
    fn of(parameter: &Parameter, value: &Value, encode: &dyn Fn(&str) -> String) -> Self {
        if parameter.json {
            return Self::One(encode(&value.to_string()));
        }
        match value {
            Value::Array(items) => {
                Self::Many(items.iter().map(|item| encode(&text(item))).collect())
            }
            Value::Object(fields) => {
                let pairs = fields.iter().filter(|(_, value)| !value.is_null());
                Self::Named(
                    pairs
                        .map(|(key, value)| (encode(key), encode(&text(value))))
                        .collect(),
                )
            }
            one => Self::One(encode(&text(one))),
        }
    }

    /// `a,b` and `key,value`.
    fn joined(&self, between: &str) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Many(items) => items.join(between),
            Self::Named(pairs) => {
                let flat: Vec<_> = pairs
                    .iter()
                    .flat_map(|(key, value)| [key.as_str(), value])
                    .collect();
                flat.join(between)
            }
        }
    }

    /// `a,b` and `key=value`.
    fn exploded(&self, between: &str) -> String {
        match self {
            Self::Named(pairs) => {
                let pairs: Vec<_> = pairs
                    .iter()
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                pairs.join(between)
            }
            other => other.joined(between),
        }
    }
}

/// Text as it is, everything else as JSON.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Leaves only what can never be taken for syntax.
pub(crate) fn encode(text: &str) -> String {
    encode_except(text, "-_.~")
}

/// For parameters that say so: what may stand in a query and does not end it.
fn encode_keeping_reserved(text: &str) -> String {
    encode_except(text, "-_.~:/?@!$'()*,;")
}

fn encode_except(text: &str, kept: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |index: u8| {
        DIGITS
            .get(usize::from(index))
            .copied()
            .map_or('0', char::from)
    };
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        let character = char::from(byte);
        if character.is_ascii_alphanumeric() || (byte.is_ascii() && kept.contains(character)) {
            encoded.push(character);
        } else {
            encoded.push('%');
            encoded.push(digit(byte >> 4));
            encoded.push(digit(byte & 15));
        }
    }
    encoded
}

#[cfg(test)]
mod tests;
