//! How does a schema of a description become one that stands alone? Its words are
//! brought to JSON Schema 2020-12, and what it refers to comes along in `$defs`, so
//! that recursive schemas stay recursive and nothing is unrolled.

mod convert;
mod keyword;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::document::{Dialect, Document, Flaw};
use super::name::safe;
use convert::Walk;

/// What a schema describes: requests are checked as written, answers with leniency,
/// because services grow fields that their descriptions do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Sent,
    Received,
}

/// A converted schema and the places it refers to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    pub(crate) value: Value,
    references: Vec<String>,
    /// Those that apply to the very same value; a circle of them never ends.
    in_place: Vec<String>,
}

/// Converts schemas of one direction; each place in the document once.
pub(crate) struct Schemas<'a> {
    document: &'a Document,
    direction: Direction,
    keys: Keys,
    ready: HashMap<String, Rc<Piece>>,
}

/// The names of places in `$defs`.
#[derive(Default)]
struct Keys {
    by_pointer: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Keys {
    fn of(&mut self, pointer: &str) -> String {
        if let Some(key) = self.by_pointer.get(pointer) {
            return key.clone();
        }
        let short = pointer
            .strip_prefix("/components/schemas/")
            .unwrap_or(pointer);
        let short = Some(safe(short)).filter(|name| !name.is_empty());
        let short = short.unwrap_or_else(|| "schema".to_owned());
        let mut key = short.clone();
        let mut number = 2;
        while !self.taken.insert(key.clone()) {
            key = format!("{short}_{number}");
            number += 1;
        }
        self.by_pointer.insert(pointer.to_owned(), key.clone());
        key
    }
}

impl<'a> Schemas<'a> {
    pub(crate) fn new(document: &'a Document, direction: Direction) -> Self {
        Self {
            document,
            direction,
            keys: Keys::default(),
            ready: HashMap::new(),
        }
    }

    /// Converts the schema found at `pointer`.
    pub(crate) fn convert(&mut self, schema: &Value, pointer: &str) -> Result<Piece, Flaw> {
        let mut walk = Walk {
            document: self.document,
            thirty: self.document.dialect == Dialect::Thirty,
            direction: self.direction,
            keys: &mut self.keys,
            references: Vec::new(),
            in_place: Vec::new(),
        };
        let value = walk.schema(schema, &convert::Trail::start(pointer), true)?;
        Ok(Piece {
            value,
            references: walk.references,
            in_place: walk.in_place,
        })
    }

    /// Puts everything that `pieces` refer to into the `$defs` of `schema`.
    pub(crate) fn complete(
        &mut self,
        schema: &mut Map<String, Value>,
        pieces: &[&Piece],
    ) -> Result<(), Flaw> {
        let mut waiting: Vec<String> = Vec::new();
        for piece in pieces {
            waiting.extend(piece.references.iter().cloned());
        }
        let mut found: HashMap<String, Rc<Piece>> = HashMap::new();
        while let Some(pointer) = waiting.pop() {
            if found.contains_key(&pointer) {
                continue;
            }
            let piece = self.definition(&pointer)?;
            waiting.extend(piece.references.iter().cloned());
            found.insert(pointer, piece);
        }
        refuse_circles(&found)?;
        let mut definitions: Vec<_> = found
            .iter()
            .map(|(pointer, piece)| (self.keys.of(pointer), piece.value.clone()))
            .collect();
        definitions.sort_by(|(one, _), (other, _)| one.cmp(other));
        if !definitions.is_empty() {
            let definitions: Map<_, _> = definitions.into_iter().collect();
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        Ok(())
    }

    /// One schema with everything it refers to.
    pub(crate) fn alone(&mut self, piece: &Piece) -> Result<Value, Flaw> {
        let mut schema = match &piece.value {
            Value::Object(schema) => schema.clone(),
            Value::Bool(false) => json!({"not": {}}).as_object().cloned().unwrap_or_default(),
            _ => Map::new(),
        };
        self.complete(&mut schema, &[piece])?;
        Ok(Value::Object(schema))
    }

    fn definition(&mut self, pointer: &str) -> Result<Rc<Piece>, Flaw> {
        if let Some(ready) = self.ready.get(pointer) {
            return Ok(Rc::clone(ready));
        }
        let document = self.document;
        let schema = document.at(pointer, pointer)?;
        let piece = Rc::new(self.convert(schema, pointer)?);
        self.ready.insert(pointer.to_owned(), Rc::clone(&piece));
        Ok(piece)
    }
}

/// A schema that applies itself to the same value would be checked for ever.
fn refuse_circles(found: &HashMap<String, Rc<Piece>>) -> Result<(), Flaw> {
    let mut settled: HashSet<&str> = HashSet::new();
    for start in found.keys() {
        let mut open: Vec<&str> = Vec::new();
        let mut todo: Vec<(&str, bool)> = vec![(start, false)];
        while let Some((pointer, leaving)) = todo.pop() {
            if leaving {
                open.pop();
                settled.insert(pointer);
                continue;
            }
            if open.contains(&pointer) {
                return Err(Flaw::new(
                    pointer,
                    "this schema contains itself without end",
                ));
            }
            if settled.contains(pointer) {
                continue;
            }
            open.push(pointer);
            todo.push((pointer, true));
            for next in found.get(pointer).iter().flat_map(|piece| &piece.in_place) {
                todo.push((next, false));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
