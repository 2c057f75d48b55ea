//! How do the pieces of a document become one value? Without recursion, and
//! never larger than the limits, however short the text that asks for it.

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::pieces::{Fields, extent};
use super::{Mark, Source, hinted, too_large, unreadable};
use crate::limits::Limits;
use crate::place::Position;
use crate::problem::Problem;
use crate::read::{MANY_INNER, ONE_INNER, TOO_MANY_STEPS_HINT};

/// Values that can be repeated in one document.
const ANCHORS: usize = 1_000;

type Done = Result<(), Box<Problem>>;

/// Takes a document piece by piece.
pub(super) struct Builder<'a> {
    limits: &'a Limits,
    open: Vec<Open>,
    marks: Vec<Mark>,
    anchors: FxHashMap<usize, Anchored>,
    done: Option<Value>,
    values: usize,
    alias_bytes: usize,
    steps: usize,
}

/// A list or mapping that is being read.
struct Open {
    anchor: usize,
    mark: usize,
    role: Role,
    shape: Shape,
}

enum Shape {
    List(Vec<Value>),
    Mapping {
        fields: Fields,
        key: Option<(String, Position)>,
    },
}

/// What a list or mapping is for; steps are counted while they are read.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// The plan or a step: something that holds steps.
    Holder,
    Steps,
    Other,
}

/// A value that can be repeated, and what a repetition costs.
struct Anchored {
    value: Value,
    marks: Vec<Mark>,
    depth: usize,
    bytes: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            open: Vec::new(),
            marks: Vec::new(),
            anchors: FxHashMap::default(),
            done: None,
            values: 0,
            alias_bytes: 0,
            steps: 0,
        }
    }

    pub(super) fn open_list(&mut self, anchor: usize, at: Position) -> Done {
        self.open(anchor, at, Shape::List(Vec::new()))
    }

    pub(super) fn open_mapping(&mut self, anchor: usize, at: Position) -> Done {
        self.open(
            anchor,
            at,
            Shape::Mapping {
                fields: Fields::default(),
                key: None,
            },
        )
    }

    fn open(&mut self, anchor: usize, at: Position, shape: Shape) -> Done {
        if self.expects_key() {
            return Err(unreadable(at, "a field name must be a text"));
        }
        if self.open.len() >= self.limits.nesting {
            return Err(self.too_deep(at));
        }
        let role = self.role_inside(&shape);
        if role == Role::Holder && !self.open.is_empty() {
            self.steps += 1;
            if self.steps > self.limits.steps {
                let message = format!("the plan has more than {} steps", self.limits.steps);
                return Err(hinted(too_large(at, message), TOO_MANY_STEPS_HINT));
            }
        }
        self.count(1, at)?;
        let mark = self.marks.len();
        let at = self.key_position().unwrap_or(at);
        self.marks.push(Mark::at(at));
        self.open.push(Open {
            anchor,
            mark,
            role,
            shape,
        });
        Ok(())
    }

    fn role_inside(&self, shape: &Shape) -> Role {
        let Some(around) = self.open.last() else {
            return Role::Holder;
        };
        match (around.role, &around.shape, shape) {
            (Role::Steps, _, Shape::Mapping { .. }) => Role::Holder,
            (
                Role::Holder,
                Shape::Mapping {
                    key: Some((key, _)),
                    ..
                },
                Shape::List(_),
            ) if MANY_INNER.contains(&key.as_str()) => Role::Steps,
            (
                Role::Holder,
                Shape::Mapping {
                    key: Some((key, _)),
                    ..
                },
                Shape::Mapping { .. },
            ) if ONE_INNER.contains(&key.as_str()) => Role::Holder,
            _ => Role::Other,
        }
    }

    /// Ends the innermost list or mapping.
    pub(super) fn close(&mut self) -> Done {
        let Some(Open {
            anchor,
            mark,
            shape,
            ..
        }) = self.open.pop()
        else {
            return Ok(());
        };
        let value = match shape {
            Shape::List(mut items) => {
                items.shrink_to_fit();
                Value::Array(items)
            }
            Shape::Mapping { fields, .. } => fields.into_value(),
        };
        let size = self.marks.len() - mark;
        if let Some(mark) = self.marks.get_mut(mark) {
            mark.size = u32::try_from(size).unwrap_or(u32::MAX);
        }
        self.finish(anchor, mark, value)
    }

    /// Whether the next scalar is the name of a field.
    pub(super) fn expects_key(&self) -> bool {
        matches!(
            self.open.last().map(|open| &open.shape),
            Some(Shape::Mapping { key: None, .. })
        )
    }

    pub(super) fn key(&mut self, name: String, at: Position) -> Done {
        if let Some(Shape::Mapping { fields, key }) =
            self.open.last_mut().map(|open| &mut open.shape)
        {
            if fields.contains(&name) {
                let shown: String = name.chars().take(60).collect();
                return Err(unreadable(at, format!("`{shown}` is given twice")));
            }
            *key = Some((name, at));
        }
        Ok(())
    }

    /// People look for a field by its name, so the key's place counts.
    fn key_position(&self) -> Option<Position> {
        match self.open.last().map(|open| &open.shape) {
            Some(Shape::Mapping {
                key: Some((_, at)), ..
            }) => Some(*at),
            _ => None,
        }
    }

    pub(super) fn scalar(&mut self, anchor: usize, at: Position, value: Value) -> Done {
        self.count(1, at)?;
        let mark = self.marks.len();
        let at = self.key_position().unwrap_or(at);
        self.marks.push(Mark::at(at));
        self.finish(anchor, mark, value)
    }

    /// Repeats a value given before.
    pub(super) fn alias(&mut self, anchor: usize, at: Position) -> Done {
        if self.expects_key() {
            return Err(unreadable(at, "a field name must be a text"));
        }
        let Some(known) = self.anchors.get(&anchor) else {
            return Err(unreadable(at, "this alias stands inside what it refers to"));
        };
        let (size, bytes) = (known.marks.len(), known.bytes);
        if self.open.len() + known.depth > self.limits.nesting {
            return Err(self.too_deep(at));
        }
        self.count(size, at)?;
        self.alias_bytes += bytes;
        if self.alias_bytes > self.limits.text_bytes {
            let message = format!("aliases repeat more than {} bytes", self.limits.text_bytes);
            return Err(too_large(at, message));
        }
        let key_at = self.key_position().unwrap_or(at);
        let mark = self.marks.len();
        let Some(known) = self.anchors.get(&anchor) else {
            return Ok(());
        };
        self.marks.extend_from_slice(&known.marks);
        let value = known.value.clone();
        if let Some(first) = self.marks.get_mut(mark) {
            *first = Mark {
                size: first.size,
                ..Mark::at(key_at)
            };
        }
        self.finish(0, mark, value)
    }

    fn too_deep(&self, at: Position) -> Box<Problem> {
        let problem = too_large(
            at,
            format!("nested more than {} levels deep", self.limits.nesting),
        );
        hinted(
            problem,
            "steps can be nested a few levels deep, not hundreds",
        )
    }

    fn count(&mut self, values: usize, at: Position) -> Done {
        self.values += values;
        if self.values > self.limits.values {
            let problem = too_large(at, format!("more than {} values", self.limits.values));
            return Err(hinted(
                problem,
                "let a tool read large data, and refer to its result",
            ));
        }
        Ok(())
    }

    /// Puts a finished value, whose marks begin at `mark`, where it belongs.
    fn finish(&mut self, anchor: usize, mark: usize, value: Value) -> Done {
        if anchor > 0 {
            self.remember(anchor, mark, &value)?;
        }
        match self.open.last_mut().map(|open| &mut open.shape) {
            None => self.done = Some(value),
            Some(Shape::List(items)) => items.push(value),
            Some(Shape::Mapping { fields, key }) => {
                if let Some((name, _)) = key.take() {
                    fields.push(name, value);
                }
            }
        }
        Ok(())
    }

    /// What is kept for aliases counts as well: anchors inside anchors would add up.
    fn remember(&mut self, anchor: usize, mark: usize, value: &Value) -> Done {
        let marks: Vec<Mark> = self.marks.get(mark..).unwrap_or_default().to_vec();
        let at = marks
            .first()
            .map_or(Position { line: 1, column: 1 }, |mark| mark.position());
        if self.anchors.len() >= ANCHORS {
            return Err(too_large(at, format!("more than {ANCHORS} anchors")));
        }
        self.count(marks.len(), at)?;
        let (depth, bytes) = extent(value);
        self.anchors.insert(
            anchor,
            Anchored {
                value: value.clone(),
                marks,
                depth,
                bytes,
            },
        );
        Ok(())
    }

    pub(super) fn document(self) -> Source {
        let value = self.done.unwrap_or(Value::Null);
        Source {
            value,
            marks: self.marks,
        }
    }
}
