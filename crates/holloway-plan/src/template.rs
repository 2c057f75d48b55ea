//! How is a step's input filled in? Any JSON value whose texts may hold
//! references; a text that is exactly one reference keeps the value's type.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::expression::{
    Expression, ExpressionError, LANGUAGE, Names, guarded_blocks, reason_of,
    without_slices_in_blocks,
};
use crate::size;

mod fill;
pub use fill::render_text;
use fill::{fill_blocks, fill_text};

/// A value with references in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    Literal(Arc<Value>),
    /// Exactly one reference: the result has its type.
    Whole(Expression),
    /// Text with references in between.
    Text(Vec<Piece>),
    /// Text with `{% … %}` blocks, left to the template language as a whole.
    Blocks {
        text: Arc<str>,
        names: Vec<String>,
    },
    List(Vec<Template>),
    Mapping(Vec<(String, Template)>),
}

/// A stretch of a text template.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Text(String),
    Value(Expression),
}

impl Template {
    pub fn parse(value: &Value) -> Result<Self, ExpressionError> {
        match value {
            Value::String(text) => Self::parse_text(text),
            other if !holds_references(other) => Ok(Self::literal(other)),
            Value::Array(items) => items
                .iter()
                .map(Self::parse)
                .collect::<Result<_, _>>()
                .map(Self::List),
            Value::Object(fields) => {
                let part =
                    |(name, field): (&String, &Value)| Ok((name.clone(), Self::parse(field)?));
                fields
                    .iter()
                    .map(part)
                    .collect::<Result<_, _>>()
                    .map(Self::Mapping)
            }
            other => Ok(Self::literal(other)),
        }
    }

    fn literal(value: &Value) -> Self {
        Self::Literal(Arc::new(value.clone()))
    }

    fn parse_text(text: &str) -> Result<Self, ExpressionError> {
        if text.contains("{%") || text.contains("{#") {
            return Self::parse_blocks(text);
        }
        let mut pieces = Vec::new();
        let mut left = text;
        while let Some((before, marked)) = left.split_once("{{") {
            let Some((inside, after)) = split_reference(marked) else {
                let reason = "`{{` without `}}`".to_owned();
                return Err(ExpressionError::unreadable(text, reason));
            };
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Value(Expression::parse(inside)?));
            left = after;
        }
        if pieces.is_empty() {
            return Ok(Self::literal(&Value::String(text.to_owned())));
        }
        if !left.is_empty() {
            pieces.push(Piece::Text(left.to_owned()));
        }
        match pieces.as_slice() {
            [Piece::Value(only)] => Ok(Self::Whole(only.clone())),
            _ => Ok(Self::Text(pieces)),
        }
    }

    fn parse_blocks(text: &str) -> Result<Self, ExpressionError> {
        let unreadable = |reason: String| ExpressionError::unreadable(text, reason);
        let safe = guarded_blocks(text).map_err(unreadable)?;
        LANGUAGE
            .template_from_named_str("template", &safe)
            .map_err(|error| unreadable(reason_of(&error)))?;
        let told = without_slices_in_blocks(&safe).map_err(unreadable)?;
        let told = LANGUAGE.template_from_named_str("names", &told);
        let told = told.map_err(|error| unreadable(reason_of(&error)))?;
        let mut names: Vec<String> = told.undeclared_variables(false).into_iter().collect();
        names.sort();
        Ok(Self::Blocks {
            text: Arc::from(text),
            names,
        })
    }

    /// The names whose values are needed, each once per use.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.collect_names(&mut names);
        names
    }

    fn collect_names<'a>(&'a self, names: &mut Vec<&'a str>) {
        match self {
            Self::Literal(_) => {}
            Self::Whole(expression) => names.extend(expression.names()),
            Self::Text(pieces) => {
                for piece in pieces {
                    if let Piece::Value(expression) = piece {
                        names.extend(expression.names());
                    }
                }
            }
            Self::Blocks { names: own, .. } => names.extend(own.iter().map(String::as_str)),
            Self::List(parts) => parts.iter().for_each(|part| part.collect_names(names)),
            Self::Mapping(parts) => parts.iter().for_each(|(_, part)| part.collect_names(names)),
        }
    }

    /// The value with every reference filled in.
    pub fn fill(&self, names: &dyn Names) -> Result<Arc<Value>, ExpressionError> {
        match self {
            Self::Literal(value) => Ok(Arc::clone(value)),
            Self::Whole(expression) => expression.value(names),
            other => {
                let mut room = names.room();
                other.fill_value(names, &mut room).map(Arc::new)
            }
        }
    }

    /// What is filled in is charged to `room` before it is copied.
    fn fill_value(&self, names: &dyn Names, room: &mut usize) -> Result<Value, ExpressionError> {
        match self {
            Self::Literal(value) => {
                fitting(value, "the input", names, room)?;
                Ok(Value::clone(value))
            }
            Self::Whole(expression) => {
                let value = expression.value(names)?;
                fitting(&value, expression.text(), names, room)?;
                Ok(Arc::unwrap_or_clone(value))
            }
            Self::Text(pieces) => fill_text(pieces, names, room).map(Value::String),
            Self::Blocks { text, names: own } => {
                fill_blocks(text, own, names, room).map(Value::String)
            }
            Self::List(parts) => parts
                .iter()
                .map(|part| part.fill_value(names, room))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::Array),
            Self::Mapping(parts) => {
                let field = |(name, part): &(String, Self)| {
                    Ok((name.clone(), part.fill_value(names, room)?))
                };
                parts
                    .iter()
                    .map(field)
                    .collect::<Result<Map<_, _>, _>>()
                    .map(Value::Object)
            }
        }
    }
}

/// Takes the size of a value off the room that is left for the whole input.
fn fitting(
    value: &Value,
    text: &str,
    names: &dyn Names,
    room: &mut usize,
) -> Result<(), ExpressionError> {
    if size::take(value, room) {
        Ok(())
    } else {
        Err(ExpressionError::input_too_large(text, names.room()))
    }
}

/// Whether a text may hold references.
pub(crate) fn is_templated(text: &str) -> bool {
    text.contains("{{") || text.contains("{%") || text.contains("{#")
}

/// Whether any text inside a value may hold references.
pub(crate) fn holds_references(value: &Value) -> bool {
    match value {
        Value::String(text) => is_templated(text),
        Value::Array(items) => items.iter().any(holds_references),
        Value::Object(fields) => fields.values().any(holds_references),
        _ => false,
    }
}

/// Splits `a.b}} rest` at the end of the reference; braces in quotes and of inner mappings do not count.
fn split_reference(text: &str) -> Option<(&str, &str)> {
    let (mut quote, mut depth) = (None, 0_u32);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == *byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'{') => depth += 1,
            (None, b'}') if depth > 0 => depth -= 1,
            (None, b'}') if bytes.get(at + 1) == Some(&b'}') => {
                return Some((text.get(..at)?, text.get(at + 2..)?));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(input: Value, expected: Value) {
        let names = |name: &str| match name {
            "page" => Some(Arc::new(json!({"title": "Hi", "links": [1, 2]}))),
            "n" => Some(Arc::new(json!(2))),
            _ => None,
        };
        let filled = Template::parse(&input).and_then(|template| template.fill(&names));
        assert_eq!(
            filled.map_or_else(|error| json!(error.to_string()), |value| (*value).clone()),
            expected
        );
    }

    #[test]
    fn references_keep_their_type_when_alone() {
        check(json!("{{page.links}}"), json!([1, 2]));
        check(json!("{{ n }}"), json!(2));
        check(json!("{{ n + 1 }}"), json!(3));
        check(
            json!("{% for link in page.links[:n - 1] %}{{ link }}{% endfor %}"),
            json!("1"),
        );
        check(
            json!({"a": ["{{n}}", {"b": "{{page}}"}]}),
            json!({"a": [2, {"b": {"title": "Hi", "links": [1, 2]}}]}),
        );
    }

    #[test]
    fn text_around_a_reference_makes_text() {
        check(
            json!("{{page.title}} has {{page.links}}"),
            json!("Hi has [1,2]"),
        );
        check(
            json!("{% for l in page.links %}<{{l}}>{% endfor %}"),
            json!("<1><2>"),
        );
        check(json!("no reference"), json!("no reference"));
        check(json!("{{ '}}' }}"), json!("}}"));
        check(json!("{{ {'a': {'b': n}} }}"), json!({"a": {"b": 2}}));
    }

    #[test]
    fn what_cannot_be_read_or_filled_says_why() {
        check(
            json!("{{page.title"),
            json!("cannot read `{{page.title`: `{{` without `}}`"),
        );
        check(json!("{{nobody}}"), json!("`nobody` has no value"));
    }

    #[test]
    fn inputs_cannot_double_without_end() {
        let half = Arc::new(json!("x".repeat(20 << 20)));
        let names = |name: &str| (name == "a").then(|| Arc::clone(&half));
        let check = |input: Value, expected: &str| {
            let filled = Template::parse(&input).and_then(|template| template.fill(&names));
            assert_eq!(
                filled.map_err(|error| error.to_string()),
                Err(expected.to_owned())
            );
        };
        let told = "with `a` the input has more than 67108864 bytes";
        check(json!("{{a}}{{a}}{{a}}{{a}}"), told);
        check(json!(["{{a}}", "{{a}}", "{{a}}", "{{a}}"]), told);
        check(
            json!({"b": {"c": "{{a}}{{a}}"}, "d": ["{{a}}", "{{a}}"]}),
            told,
        );
        check(
            json!(["{{ a }}", "{% if a %}{{a}}{{a}}{{a}}{% endif %}"]),
            "`{% if a %}{{a}}{{a}}{{a}}{% endif %}` takes more than 67108864 bytes to work out",
        );
    }

    #[test]
    fn blocks_cannot_grow_without_end() {
        let all: Vec<u32> = (0..2000).collect();
        let names = |name: &str| (name == "all").then(|| Arc::new(json!(all)));
        let found = |text: &str| {
            let filled = Template::parse(&json!(text)).and_then(|template| template.fill(&names));
            filled.map_or_else(|error| error.to_string(), |value| value.to_string())
        };
        let big = found("{% for a in all %}{{all}}{{all}}{{all}}{{all}}{{all}}{{all}}{% endfor %}");
        assert!(
            big.ends_with("takes more than 67108864 bytes to work out"),
            "{big:.200}"
        );
        let endless = found(
            "{% for a in all %}{% for b in all %}{% for c in all %}x{% endfor %}{% endfor %}{% endfor %}",
        );
        assert!(
            endless.ends_with("takes too many steps to work out"),
            "{endless:.200}"
        );
        for statement in [
            "macro f() %}{% endmacro",
            "include 'x'",
            "set a = 1",
            "set a %}x{% endset",
            "import 'x' as y",
            "raw %}{% endraw",
        ] {
            let refused = found(&format!("{{% {statement} %}}"));
            assert!(
                refused.contains("is not part of the plan language"),
                "{refused}"
            );
        }
    }
}
