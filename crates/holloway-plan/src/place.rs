//! Where in a document does something stand? Paths into it, and the line and
//! column they have in the text a person wrote.

use std::fmt;

use serde::Serialize;

/// A path from the top of a plan document to something in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Place(Vec<Part>);

/// One turn of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Part {
    Field(String),
    Item(usize),
}

impl Place {
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    pub fn field(&self, name: &str) -> Self {
        self.with(Part::Field(name.to_owned()))
    }

    pub fn item(&self, index: usize) -> Self {
        self.with(Part::Item(index))
    }

    fn with(&self, part: Part) -> Self {
        let mut parts = self.0.clone();
        parts.push(part);
        Self(parts)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            match part {
                Part::Field(name) if i == 0 => write!(f, "{name}")?,
                Part::Field(name) => write!(f, ".{name}")?,
                Part::Item(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A line and column in a text, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
