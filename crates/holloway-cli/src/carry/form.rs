//! How does a person give a tool what it asks for? Field by field, each with its
//! type, what it is for and its default; what does not fit is asked for again.

use holloway_engine::checks::misfit;
use holloway_engine::mark::Issued;
use holloway_flow::confidential::is_secret;
use serde_json::{Map, Value};

use crate::print::one_line;

/// The most of a description that one line shows.
const WORDS: usize = 160;

/// One thing a tool wants to know.
#[derive(Debug)]
pub(crate) struct Field {
    name: String,
    kind: Kind,
    about: String,
    required: bool,
    default: Option<Value>,
    schema: Value,
    /// What is typed is not shown, and not told again.
    hidden: bool,
}

/// What a person is asked on one line.
pub(crate) struct Prompt<'a> {
    pub(crate) text: &'a str,
    pub(crate) hidden: bool,
}

#[derive(Debug)]
enum Kind {
    Text,
    Number,
    Integer,
    YesNo,
    /// Values, each with what people call it.
    Choice(Vec<(Value, String)>),
    /// Anything else is written as JSON.
    Json,
}

/// The fields of a question's schema.
pub(crate) fn fields(schema: &Value) -> Vec<Field> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let whole = schema;
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        kind: Kind::of(schema),
        about: about(schema),
        required: required.contains(&name.as_str()),
        default: schema.get("default").cloned(),
        schema: schema.clone(),
        hidden: is_secret(whole, name),
    };
    properties.into_iter().flatten().map(field).collect()
}

/// What the field is for, in the tool's words.
fn about(schema: &Value) -> String {
    let words = ["title", "description"].map(|name| schema.get(name).and_then(Value::as_str));
    let words: Vec<String> = words
        .into_iter()
        .flatten()
        .map(|text| one_line(text, WORDS))
        .collect();
    words.join(": ")
}

impl Kind {
    fn of(schema: &Value) -> Self {
        if let Some(choices) = choices(schema) {
            return Self::Choice(choices);
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => Self::Text,
            Some("number") => Self::Number,
            Some("integer") => Self::Integer,
            Some("boolean") => Self::YesNo,
            _ => Self::Json,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Number => "number".to_owned(),
            Self::Integer => "whole number".to_owned(),
            Self::YesNo => "yes or no".to_owned(),
            Self::Json => "JSON".to_owned(),
            Self::Choice(choices) => {
                let names: Vec<String> = choices.iter().map(|(_, name)| name.clone()).collect();
                format!("one of: {}", names.join(", "))
            }
        }
    }

    fn read(&self, text: &str) -> Result<Value, String> {
        let no = |wanted: &str| Err(format!("`{}` is not {wanted}", one_line(text, 60)));
        match self {
            Self::Text => Ok(Value::from(text)),
            Self::Number => text
                .parse::<serde_json::Number>()
                .map_or_else(|_| no("a number"), |number| Ok(Value::from(number))),
            Self::Integer => text
                .parse::<i64>()
                .map_or_else(|_| no("a whole number"), |number| Ok(Value::from(number))),
            Self::YesNo => match text.to_lowercase().as_str() {
                "y" | "yes" | "true" => Ok(Value::from(true)),
                "n" | "no" | "false" => Ok(Value::from(false)),
                _ => no("yes or no"),
            },
            Self::Choice(choices) => {
                let is_meant = |(value, name): &&(Value, String)| {
                    name == text || value.as_str().map_or(value.to_string(), str::to_owned) == text
                };
                let chosen = choices.iter().find(is_meant);
                chosen.map_or_else(|| no(&self.words()), |(value, _)| Ok(value.clone()))
            }
            Self::Json => serde_json::from_str(text).or_else(|_| no("JSON")),
        }
    }
}

/// Values to choose from: `enum` with or without names, or a list of constants with titles.
fn choices(schema: &Value) -> Option<Vec<(Value, String)>> {
    let name_of = |value: &Value, name: Option<&Value>| {
        let name = name.and_then(Value::as_str).or(value.as_str());
        name.map_or_else(|| value.to_string(), |name| one_line(name, WORDS))
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let names = schema.get("enumNames").and_then(Value::as_array);
        let named = |(index, value): (usize, &Value)| {
            let name = names.and_then(|names| names.get(index));
            (value.clone(), name_of(value, name))
        };
        return Some(values.iter().enumerate().map(named).collect());
    }
    let options = schema.get("oneOf").or(schema.get("anyOf"))?.as_array()?;
    let constant = |option: &Value| {
        let value = option.get("const")?;
        Some((value.clone(), name_of(value, option.get("title"))))
    };
    options.iter().map(constant).collect()
}

impl Field {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// The field on one line.
    pub(crate) fn text(&self) -> String {
        let mut words = vec![self.kind.words()];
        match &self.default {
            Some(_) if self.hidden => words.push("has a default".to_owned()),
            Some(default) => words.push(format!("default {}", one_line(&default.to_string(), 60))),
            None if self.required => words.push("required".to_owned()),
            None => {}
        }
        if self.hidden {
            words.push("not shown".to_owned());
        }
        let about = match self.about.as_str() {
            "" => String::new(),
            about => format!("  {about}"),
        };
        let name = one_line(&self.name, 60);
        format!("{name:<10} ({}){about}", words.join("; "))
    }

    /// What the typed text means; nothing if the field is left out.
    fn read(&self, text: &str) -> Result<Option<Value>, String> {
        let value = match (text, &self.default) {
            ("", Some(default)) => default.clone(),
            ("", None) if self.required => return Err("a value is needed".to_owned()),
            ("", None) => return Ok(None),
            (text, _) => self.kind.read(text).map_err(|complaint| {
                if self.hidden {
                    format!("this is not {}", self.kind.words())
                } else {
                    complaint
                }
            })?,
        };
        match misfit(Some(&self.schema), &value, &Issued::new()) {
            Some(complaint) => Err(complaint),
            None => Ok(Some(value)),
        }
    }
}

/// Asks for every field until all of it fits; `ask` gives nothing when the person stops.
pub(crate) fn fill(
    schema: &Value,
    mut ask: impl FnMut(&Prompt<'_>) -> Option<String>,
    mut say: impl FnMut(&str),
) -> Option<Value> {
    loop {
        let mut content = Map::new();
        for field in fields(schema) {
            fill_one(field, &mut content, &mut ask, &mut say)?;
        }
        let content = Value::Object(content);
        match misfit(Some(schema), &content, &Issued::new()) {
            None => return Some(content),
            Some(complaint) => {
                say(&format!("  the answer does not fit: {complaint}"));
                // With nothing to change, asking again would go on for ever.
                if fields(schema).is_empty() {
                    return None;
                }
            }
        }
    }
}

fn fill_one(
    field: Field,
    content: &mut Map<String, Value>,
    ask: &mut impl FnMut(&Prompt<'_>) -> Option<String>,
    say: &mut impl FnMut(&str),
) -> Option<()> {
    loop {
        let typed = ask(&Prompt {
            text: &format!("  {}: ", field.text()),
            hidden: field.hidden,
        })?;
        // A password may begin or end with a blank.
        let typed = if field.hidden {
            typed.as_str()
        } else {
            typed.trim()
        };
        match field.read(typed) {
            Ok(Some(value)) => {
                content.insert(field.name, value);
                return Some(());
            }
            Ok(None) => return Some(()),
            Err(complaint) => say(&format!("  {complaint}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn only(schema: Value) -> Field {
        let schema = json!({"properties": {"it": schema}, "required": ["it"]});
        fields(&schema).remove(0)
    }

    #[test]
    fn what_is_typed_is_read_by_type() {
        let check = |schema: Value, typed: &str, expected: Result<Value, &str>| {
            let read = only(schema).read(typed);
            let expected = expected.map(Some).map_err(str::to_owned);
            assert_eq!(read, expected, "{typed}");
        };
        let choice =
            json!({"type": "string", "enum": ["s", "m"], "enumNames": ["Small", "Medium"]});
        let titled = json!({"oneOf": [{"const": 1, "title": "One"}, {"const": 2, "title": "Two"}]});
        check(json!({"type": "string"}), "12", Ok(json!("12")));
        check(json!({"type": "string"}), "", Err("a value is needed"));
        check(json!({"type": "number"}), "1.5", Ok(json!(1.5)));
        check(
            json!({"type": "number"}),
            "one",
            Err("`one` is not a number"),
        );
        check(json!({"type": "integer"}), "-3", Ok(json!(-3)));
        check(
            json!({"type": "integer"}),
            "1.5",
            Err("`1.5` is not a whole number"),
        );
        check(json!({"type": "boolean"}), "Yes", Ok(json!(true)));
        check(
            json!({"type": "boolean"}),
            "maybe",
            Err("`maybe` is not yes or no"),
        );
        check(
            json!({"type": "boolean", "default": false}),
            "",
            Ok(json!(false)),
        );
        check(choice.clone(), "Medium", Ok(json!("m")));
        check(choice.clone(), "m", Ok(json!("m")));
        check(choice, "XL", Err("`XL` is not one of: Small, Medium"));
        check(titled, "Two", Ok(json!(2)));
        check(json!({"type": "array"}), "[1]", Ok(json!([1])));
        check(
            json!({"type": "integer", "maximum": 9}),
            "10",
            Err("value is greater than the maximum of 9"),
        );
    }

    #[test]
    fn a_form_is_filled_in_until_it_fits() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Whose?", "default": "Ada"},
                "note": {"type": "string"},
                "seats": {"type": "integer"},
            },
            "required": ["seats"],
        });
        let mut typed = ["", "", "many", "", "2"].into_iter();
        let mut heard = Vec::new();
        let filled = fill(
            &schema,
            |_| typed.next().map(str::to_owned),
            |text| heard.push(text.to_owned()),
        );
        assert_eq!(filled, Some(json!({"name": "Ada", "seats": 2})));
        assert_eq!(
            heard,
            ["  `many` is not a whole number", "  a value is needed"]
        );
        assert_eq!(fill(&schema, |_| None, |_| {}), None);
    }

    #[test]
    fn what_is_secret_is_not_told_again() {
        let schema = json!({"properties": {"pin": {"type": "integer", "default": 1234}}});
        let field = fields(&schema).remove(0);
        assert!(field.is_hidden());
        assert_eq!(
            field.text(),
            "pin        (whole number; has a default; not shown)"
        );
        assert_eq!(
            field.read("12a4"),
            Err("this is not whole number".to_owned())
        );
    }

    #[test]
    fn a_field_says_what_it_wants() {
        let schema =
            json!({"type": "integer", "title": "Seats", "description": "How\u{1b}[2J many?"});
        let expected = "it         (whole number; required)  Seats: How\\x1b[2J many?";
        assert_eq!(only(schema).text(), expected);
    }
}
