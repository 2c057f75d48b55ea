//! What does a reference or a condition mean? Reads `{{…}}`, `${…}` and bare
//! paths into one form, tells which names it needs, and works out its value.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use minijinja::ErrorKind;
use minijinja::value::{Serde, Value as Jinja};
use serde_json::Value;

use crate::path::Path;
use crate::size::{VALUE_BYTES, take};

mod guard;
mod language;
mod meter;
mod product;
mod slices;
mod sums;
mod token;

pub(crate) use guard::{guarded_blocks, without_slices_in_blocks};
pub(crate) use language::{Capped, LANGUAGE, LONG_TEXTS, render};
pub(crate) use meter::is_too_large;

/// Finds the value of a name.
pub trait Names {
    fn value(&self, name: &str) -> Option<Arc<Value>>;

    /// How large a value made of these may be, in bytes.
    fn room(&self) -> usize {
        VALUE_BYTES
    }
}

impl<F: Fn(&str) -> Option<Arc<Value>>> Names for F {
    fn value(&self, name: &str) -> Option<Arc<Value>> {
        self(name)
    }
}

/// Something that has a value once the names in it have one.
#[derive(Clone)]
pub struct Expression {
    text: Arc<str>,
    form: Form,
}

#[derive(Clone)]
enum Form {
    Path(Arc<Path>),
    Formula(Arc<Formula>),
}

struct Formula {
    compiled: minijinja::Expression<'static, 'static>,
    names: BTreeSet<String>,
}

/// Why an expression cannot be read or has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    #[error("cannot read `{text}`: {reason}")]
    Unreadable { text: String, reason: String },
    /// A name or field had no value.
    #[error("{0}")]
    Missing(String),
    #[error("cannot work out `{text}`: {reason}")]
    Failed { text: String, reason: String },
    /// What it makes and what it reads for that would not fit together.
    #[error("`{text}` takes more than {limit} bytes to work out")]
    TooLarge { text: String, limit: usize },
    #[error("with `{text}` the input has more than {limit} bytes")]
    InputTooLarge { text: String, limit: usize },
    #[error("`{text}` takes too many steps to work out")]
    Endless { text: String },
}

impl ExpressionError {
    /// Only the start of a long text is repeated.
    pub(crate) fn unreadable(text: &str, reason: String) -> Self {
        Self::Unreadable {
            text: beginning(text),
            reason,
        }
    }

    pub(crate) fn endless(text: &str) -> Self {
        Self::Endless {
            text: beginning(text),
        }
    }

    pub(crate) fn input_too_large(text: &str, limit: usize) -> Self {
        Self::InputTooLarge {
            text: beginning(text),
            limit,
        }
    }

    pub(crate) fn too_large(text: &str, limit: usize) -> Self {
        Self::TooLarge {
            text: beginning(text),
            limit,
        }
    }
}

fn beginning(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

impl Expression {
    /// Reads the inside of `{{…}}`, or a bare path in `over` and `input`.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let text = text.trim();
        if let Some(path) = Path::parse(text) {
            return Ok(Self {
                text: Arc::from(text),
                form: Form::Path(Arc::new(path)),
            });
        }
        let unreadable = |reason: String| ExpressionError::unreadable(text, reason);
        let safe = guard::guarded(text).map_err(unreadable)?.into_owned();
        let compiled = LANGUAGE
            .compile_expression_owned(safe.clone())
            .map_err(|error| unreadable(reason_of(&error)))?;
        let names = match slices::without_slices(&safe) {
            Cow::Borrowed(_) => compiled.undeclared_variables(false),
            Cow::Owned(told) => LANGUAGE
                .compile_expression_owned(told)
                .map_err(|error| unreadable(reason_of(&error)))?
                .undeclared_variables(false),
        };
        let names = names.into_iter().collect();
        Ok(Self {
            text: Arc::from(text),
            form: Form::Formula(Arc::new(Formula { compiled, names })),
        })
    }

    /// Reads a condition: `a.b > 1`, `${a.b} > 1`, `{{a.b}} > 1` and `{{a.b > 1}}` mean the same.
    pub fn parse_condition(text: &str) -> Result<Self, ExpressionError> {
        if text.len() > guard::BYTES {
            let reason = format!(
                "it has {} bytes; at most {} are read",
                text.len(),
                guard::BYTES
            );
            return Err(ExpressionError::unreadable(text, reason));
        }
        Self::parse(&without_marks(text))
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The path, if this is nothing but one.
    pub fn as_path(&self) -> Option<&Path> {
        match &self.form {
            Form::Path(path) => Some(path),
            Form::Formula(_) => None,
        }
    }

    /// The names whose values are needed.
    pub fn names(&self) -> Vec<&str> {
        match &self.form {
            Form::Path(path) => vec![path.root.as_str()],
            Form::Formula(formula) => formula.names.iter().map(String::as_str).collect(),
        }
    }

    /// The value, of its own type.
    pub fn value(&self, names: &dyn Names) -> Result<Arc<Value>, ExpressionError> {
        match &self.form {
            Form::Path(path) => {
                let root = names
                    .value(&path.root)
                    .ok_or_else(|| no_value(&path.root))?;
                if path.rest.is_empty() {
                    return Ok(root);
                }
                path.walk(&root)
                    .map(|value| Arc::new(value.clone()))
                    .map_err(ExpressionError::Missing)
            }
            Form::Formula(formula) => {
                let result = self.evaluate(formula, names)?;
                if result.is_undefined() {
                    return Err(ExpressionError::Missing(format!(
                        "`{}` has no value",
                        self.text
                    )));
                }
                if !meter::take_whole(&result, &mut names.room()) {
                    return Err(ExpressionError::too_large(&self.text, names.room()));
                }
                serde_json::to_value(&result)
                    .map(Arc::new)
                    .map_err(|error| self.failed(&error.to_string()))
            }
        }
    }

    /// Whether the value counts as true.
    pub fn holds(&self, names: &dyn Names) -> Result<bool, ExpressionError> {
        match &self.form {
            Form::Path(_) => Ok(is_true(&*self.value(names)?)),
            Form::Formula(formula) => Ok(self.evaluate(formula, names)?.is_true()),
        }
    }

    fn evaluate(&self, formula: &Formula, names: &dyn Names) -> Result<Jinja, ExpressionError> {
        let too_large = || ExpressionError::too_large(&self.text, names.room());
        let (scope, _) = scope_of(formula.names.iter(), names).ok_or_else(too_large)?;
        formula
            .compiled
            .eval(scope)
            .map_err(|error| match error.kind() {
                _ if is_too_large(&error) => too_large(),
                ErrorKind::UndefinedError => self.missing(formula, names, &error),
                ErrorKind::OutOfFuel => ExpressionError::endless(&self.text),
                _ => self.failed(&reason_of(&error)),
            })
    }

    fn missing(
        &self,
        formula: &Formula,
        names: &dyn Names,
        error: &minijinja::Error,
    ) -> ExpressionError {
        match formula
            .names
            .iter()
            .find(|name| names.value(name).is_none())
        {
            Some(name) => no_value(name),
            None => ExpressionError::Missing(format!(
                "a part of `{}` has no value: {}",
                self.text,
                reason_of(error)
            )),
        }
    }

    fn failed(&self, reason: &str) -> ExpressionError {
        ExpressionError::Failed {
            text: self.text.to_string(),
            reason: reason.to_owned(),
        }
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({})", self.text)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The values of `wanted`, as the expression language takes them, and the room that their copies
/// leave; what has no value is left out. Nothing if they do not fit.
pub(crate) fn scope_of<'a>(
    wanted: impl Iterator<Item = &'a String>,
    names: &dyn Names,
) -> Option<(Jinja, usize)> {
    let mut room = names.room();
    let mut known = Vec::new();
    for name in wanted {
        let Some(value) = names.value(name) else {
            continue;
        };
        if !take(&value, &mut room) {
            return None;
        }
        known.push((name.as_str(), Jinja::from(Serde(&*value))));
    }
    known.push((meter::ROOM, Jinja::from(room)));
    Some((Jinja::from_pairs(known), room))
}

fn no_value(name: &str) -> ExpressionError {
    ExpressionError::Missing(format!("`{name}` has no value"))
}

/// An error of the expression language without its location inside one line.
pub(crate) fn reason_of(error: &minijinja::Error) -> String {
    error
        .detail()
        .map_or_else(|| error.kind().to_string(), ToOwned::to_owned)
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// Turns `${a.b}` and `{{a.b}}` inside a condition into `(a.b)`.
fn without_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut left = text;
    loop {
        let dollar = left.find("${").map(|at| (at, "}"));
        let braces = left.find("{{").map(|at| (at, "}}"));
        let first = [dollar, braces]
            .into_iter()
            .flatten()
            .min_by_key(|(at, _)| *at);
        let Some((at, end)) = first else { break };
        let (before, marked) = left.split_at(at);
        let Some((inside, after)) = marked.split_at(2).1.split_once(end) else {
            break;
        };
        plain.push_str(before);
        plain.push('(');
        plain.push_str(inside.trim());
        plain.push(')');
        left = after;
    }
    plain.push_str(left);
    let trimmed = plain.trim();
    // `${a.b}` alone stays a path, so that it keeps its type and its clear errors.
    match trimmed
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
    {
        Some(inner) if Path::parse(inner).is_some() => inner.to_owned(),
        _ => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests;
