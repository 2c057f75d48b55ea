//! How does text become data with places? Reads JSON or YAML once, keeping the
//! line and column of every value, and refuses text that is built to explode.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};
use serde_json::{Map, Number, Value};

use crate::limits::Limits;
use crate::place::{Part, Place, Position};
use crate::problem::{Code, Problem};

/// A document: its data, and where each piece of it stands in the text.
#[derive(Clone, Debug)]
pub struct Source {
    pub value: Value,
    positions: Marked,
}

/// The position of a value and of the values inside it.
#[derive(Clone, Debug)]
struct Marked {
    at: Position,
    inner: Inner,
}

#[derive(Clone, Debug)]
enum Inner {
    Nothing,
    Items(Vec<Marked>),
    Fields(Vec<(String, Marked)>),
}

impl Source {
    /// Reads JSON if the text begins like it, YAML otherwise.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Problem> {
        if text.len() > limits.text_bytes {
            let message = format!(
                "the text has {} bytes; at most {} are read",
                text.len(),
                limits.text_bytes
            );
            return Err(Problem::new(Code::PlanTooLarge, Place::default(), message));
        }
        if begins_like_json(text) {
            parse_json(text, limits)
        } else {
            parse_yaml(text, limits)
        }
    }

    /// Where `place` stands; the nearest thing around it if it is not there itself.
    pub fn position(&self, place: &Place) -> Position {
        let mut marked = &self.positions;
        for part in place.parts() {
            let next = match (part, &marked.inner) {
                (Part::Field(name), Inner::Fields(fields)) => fields
                    .iter()
                    .find(|(key, _)| key == name)
                    .map(|(_, inner)| inner),
                (Part::Item(index), Inner::Items(items)) => items.get(*index),
                _ => None,
            };
            match next {
                Some(inner) => marked = inner,
                None => break,
            }
        }
        marked.at
    }
}

/// `{` and then a quoted name; YAML's own short form would not quote it.
fn begins_like_json(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with(['"', '}']) || inside.is_empty())
}

fn parse_json(text: &str, limits: &Limits) -> Result<Source, Problem> {
    let value = serde_json::from_str(text).map_err(|error| {
        let hint = if error.to_string().contains("recursion limit") {
            "steps can be nested a few levels deep, not hundreds"
        } else {
            "check commas, quotes and brackets around this place"
        };
        unreadable(error.line(), error.column(), &error.to_string()).with_hint(hint)
    })?;
    // Flow-style YAML is a superset of JSON, so the same reader finds the positions.
    let positions = parse_yaml(text, limits).map_or_else(|_| nowhere(), |source| source.positions);
    Ok(Source { value, positions })
}

fn nowhere() -> Marked {
    Marked {
        at: Position { line: 1, column: 1 },
        inner: Inner::Nothing,
    }
}

fn parse_yaml(text: &str, limits: &Limits) -> Result<Source, Problem> {
    let mut builder = Builder::new(limits);
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| scan_problem(&error))?;
        builder.take(event, span)?;
    }
    let (value, positions) = builder.finish();
    Ok(Source { value, positions })
}

fn scan_problem(error: &ScanError) -> Problem {
    let marker = error.marker();
    unreadable(marker.line(), marker.col() + 1, error.info())
        .with_hint("check indentation, quotes and colons around this place")
}

fn unreadable(line: usize, column: usize, message: &str) -> Problem {
    let mut problem = Problem::new(Code::PlanUnreadable, Place::default(), message);
    problem.position = Some(Position {
        line: line.max(1),
        column: column.max(1),
    });
    problem
}

/// Builds the document from parser events without recursion.
struct Builder<'a> {
    limits: &'a Limits,
    open: Vec<Open>,
    anchors: Vec<(usize, Node)>,
    done: Option<Node>,
    documents: usize,
    values: usize,
}

type Node = (Value, Marked);

/// A list or mapping that is being read.
struct Open {
    anchor: usize,
    at: Position,
    shape: Shape,
}

enum Shape {
    List(Vec<Value>, Vec<Marked>),
    Mapping {
        fields: Map<String, Value>,
        marks: Vec<(String, Marked)>,
        key: Option<(String, Position)>,
    },
}

impl<'a> Builder<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            open: Vec::new(),
            anchors: Vec::new(),
            done: None,
            documents: 0,
            values: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        let at = Position {
            line: span.start.line(),
            column: span.start.col() + 1,
        };
        match event {
            Event::DocumentStart(_) => self.start_document(at),
            Event::SequenceStart(anchor, _) => {
                self.open(anchor, at, Shape::List(Vec::new(), Vec::new()))
            }
            Event::MappingStart(anchor, _) => {
                let shape = Shape::Mapping {
                    fields: Map::new(),
                    marks: Vec::new(),
                    key: None,
                };
                self.open(anchor, at, shape)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Scalar(text, style, anchor, tag) => {
                let quoted =
                    style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.suffix == "str");
                let value = if quoted {
                    Value::String(text.into_owned())
                } else {
                    plain(&text)
                };
                self.add(
                    anchor,
                    (
                        value,
                        Marked {
                            at,
                            inner: Inner::Nothing,
                        },
                    ),
                )
            }
            Event::Alias(anchor) => self.alias(anchor, at),
            _ => Ok(()),
        }
    }

    fn start_document(&mut self, at: Position) -> Result<(), Problem> {
        self.documents += 1;
        if self.documents > 1 {
            return Err(
                unreadable(at.line, at.column, "the file holds several documents")
                    .with_hint("put one plan into one file"),
            );
        }
        Ok(())
    }

    fn open(&mut self, anchor: usize, at: Position, shape: Shape) -> Result<(), Problem> {
        if self.open.len() >= self.limits.nesting {
            let message = format!("nested more than {} levels deep", self.limits.nesting);
            let mut problem = Problem::new(Code::PlanTooLarge, Place::default(), message);
            problem.position = Some(at);
            return Err(problem);
        }
        self.open.push(Open { anchor, at, shape });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        let Some(Open { anchor, at, shape }) = self.open.pop() else {
            return Ok(());
        };
        let node = match shape {
            Shape::List(items, marks) => (
                Value::Array(items),
                Marked {
                    at,
                    inner: Inner::Items(marks),
                },
            ),
            Shape::Mapping { fields, marks, .. } => (
                Value::Object(fields),
                Marked {
                    at,
                    inner: Inner::Fields(marks),
                },
            ),
        };
        self.add(anchor, node)
    }

    fn alias(&mut self, anchor: usize, at: Position) -> Result<(), Problem> {
        let node = self
            .anchors
            .iter()
            .find(|(id, _)| *id == anchor)
            .map(|(_, node)| node.clone());
        let Some(node) = node else {
            return Err(unreadable(
                at.line,
                at.column,
                "this alias stands inside what it refers to",
            ));
        };
        self.values += size(&node.1);
        self.add(0, node)
    }

    /// Puts a finished value where it belongs.
    fn add(&mut self, anchor: usize, node: Node) -> Result<(), Problem> {
        self.values += 1;
        if self.values > self.limits.values {
            let message = format!("more than {} values", self.limits.values);
            let mut problem = Problem::new(Code::PlanTooLarge, Place::default(), message);
            problem.position = Some(node.1.at);
            return Err(problem);
        }
        if anchor > 0 {
            self.anchors.push((anchor, node.clone()));
        }
        match self.open.last_mut().map(|open| &mut open.shape) {
            None => self.done = Some(node),
            Some(Shape::List(items, marks)) => {
                items.push(node.0);
                marks.push(node.1);
            }
            Some(Shape::Mapping { fields, marks, key }) => match key.take() {
                None => *key = Some((key_text(&node)?, node.1.at)),
                Some((name, at)) => insert(fields, marks, name, at, node)?,
            },
        }
        Ok(())
    }

    fn finish(self) -> Node {
        self.done.unwrap_or_else(|| (Value::Null, nowhere()))
    }
}

fn insert(
    fields: &mut Map<String, Value>,
    marks: &mut Vec<(String, Marked)>,
    name: String,
    key_at: Position,
    (value, mark): Node,
) -> Result<(), Problem> {
    if fields.contains_key(&name) {
        return Err(unreadable(
            key_at.line,
            key_at.column,
            &format!("`{name}` is given twice"),
        ));
    }
    // People look for a field by its name, so the key's place counts.
    marks.push((
        name.clone(),
        Marked {
            at: key_at,
            inner: mark.inner,
        },
    ));
    fields.insert(name, value);
    Ok(())
}

fn key_text((value, mark): &Node) -> Result<String, Problem> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Array(_) | Value::Object(_) => Err(unreadable(
            mark.at.line,
            mark.at.column,
            "a field name must be a text",
        )),
        other => Ok(other.to_string()),
    }
}

fn size(marked: &Marked) -> usize {
    1 + match &marked.inner {
        Inner::Nothing => 0,
        Inner::Items(items) => items.iter().map(size).sum(),
        Inner::Fields(fields) => fields.iter().map(|(_, inner)| size(inner)).sum(),
    }
}

/// A plain scalar by the rules of YAML's core schema.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        return None;
    }
    if let Some(hex) = digits.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(Number::from);
    }
    if let Some(octal) = digits.strip_prefix("0o") {
        return u64::from_str_radix(octal, 8).ok().map(Number::from);
    }
    let whole = digits.parse::<i64>().ok().map(Number::from);
    let whole = whole.or_else(|| digits.parse::<u64>().ok().map(Number::from));
    whole.or_else(|| digits.parse::<f64>().ok().and_then(Number::from_f64))
}
