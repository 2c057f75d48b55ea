//! What does a tool do, in words that a planner can join? Which act it performs, which kinds of
//! things it takes and gives, and which parts of a request its arguments serve. Written in one
//! line, the same in Rust, in configuration and on the screen:
//!
//! `select table:rows -> table:rows with where=filters* limit=limit.rows`

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that a tool does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Does {
    /// The name of the act, as in the planner's table of acts.
    pub act: String,
    pub takes: Vec<Takes>,
    pub gives: Option<Gives>,
    pub slots: Vec<Serves>,
    /// Arguments that this act always has.
    pub fixed: Vec<(String, Value)>,
}

/// A thing that goes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Any of these; `file` takes every `file.csv`.
    pub kinds: Vec<String>,
    /// The argument takes a list of such things.
    pub many: bool,
    pub argument: String,
    /// A filter of the plan language that the thing goes through, such as `tojson`.
    pub filter: Option<String>,
    /// Goes in where it is there: `asset[]:assets?`.
    pub optional: bool,
}

/// The thing that comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gives {
    /// One of these, chosen by what is wanted; `text.*` keeps the form of what went in.
    pub kinds: Vec<String>,
    /// The result is a list of such things.
    pub many: bool,
    /// Where in the result it is; empty for the result as a whole. For a list of objects,
    /// `entries[].path` names the field that each item is known by.
    pub field: String,
}

/// A part of a request that is served.
#[derive(Clone, Debug, PartialEq)]
pub enum Serves {
    /// By an argument; `field` picks from the part, `list` collects all parts of the slot.
    Argument {
        slot: String,
        argument: String,
        field: Option<String>,
        list: bool,
    },
    /// By an object that has a field for each part: `compute=compute{name:formula}`.
    Keyed {
        slot: String,
        argument: String,
        key: String,
        value: String,
    },
    /// By doing this at all, where the part has this value.
    Always { slot: String, value: String },
}

impl Serves {
    pub fn slot(&self) -> &str {
        match self {
            Self::Argument { slot, .. } | Self::Keyed { slot, .. } | Self::Always { slot, .. } => {
                slot
            }
        }
    }

    pub fn argument(&self) -> Option<&str> {
        match self {
            Self::Argument { argument, .. } | Self::Keyed { argument, .. } => Some(argument),
            Self::Always { .. } => None,
        }
    }
}

/// A line that is not of the notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{line}` {}: {reason}", Self::SAID)]
pub struct BadDoes {
    pub line: String,
    pub reason: &'static str,
}

impl BadDoes {
    /// What is told of every such line.
    pub const SAID: &str = "does not say what a tool does";
}

impl FromStr for Does {
    type Err = BadDoes;

    fn from_str(line: &str) -> Result<Self, BadDoes> {
        let bad = |reason| BadDoes {
            line: line.to_owned(),
            reason,
        };
        let (flow, with) = match line.split_once(" with ") {
            Some((flow, with)) => (flow, with),
            None => (line, ""),
        };
        let (before, after) = flow
            .split_once("->")
            .ok_or_else(|| bad("`->` is missing"))?;
        let mut words = before.split_whitespace();
        let act = words.next().ok_or_else(|| bad("the act is missing"))?;
        let takes: Option<Vec<Takes>> = words.map(takes).collect();
        let mut does = Self {
            act: act.to_owned(),
            takes: takes.ok_or_else(|| bad("what it takes is written `kind:argument`"))?,
            gives: gives(after.trim()),
            ..Self::default()
        };
        for word in terms(with) {
            let read = does.term(word);
            read.ok_or_else(|| {
                bad("behind `with` stand `argument=slot`, `slot is value`, `argument:=json`")
            })?;
        }
        Ok(does)
    }
}

impl Does {
    /// The names of all arguments that the line speaks of.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        let takes = self.takes.iter().map(|takes| takes.argument.as_str());
        let slots = self.slots.iter().filter_map(Serves::argument);
        let fixed = self.fixed.iter().map(|(argument, _)| argument.as_str());
        takes.chain(slots).chain(fixed)
    }

    fn term(&mut self, term: &str) -> Option<()> {
        if let Some((argument, value)) = term.split_once(":=") {
            let value = serde_json::from_str(value).ok()?;
            self.fixed.push((argument.to_owned(), value));
        } else if let Some((slot, value)) = term.split_once(" is ") {
            self.slots.push(Serves::Always {
                slot: slot.trim().to_owned(),
                value: value.trim().to_owned(),
            });
        } else {
            let (argument, served) = term.split_once('=')?;
            if let Some((slot, keyed)) = served.split_once('{') {
                let (key, value) = keyed.strip_suffix('}')?.split_once(':')?;
                self.slots.push(Serves::Keyed {
                    slot: slot.to_owned(),
                    argument: argument.to_owned(),
                    key: key.to_owned(),
                    value: value.to_owned(),
                });
                return Some(());
            }
            let (served, list) = match served.strip_suffix('*') {
                Some(served) => (served, true),
                None => (served, false),
            };
            let (slot, field) = match served.split_once('.') {
                Some((slot, field)) => (slot, Some(field.to_owned())),
                None => (served, None),
            };
            self.slots.push(Serves::Argument {
                slot: slot.to_owned(),
                argument: argument.to_owned(),
                field,
                list,
            });
        }
        Some(())
    }
}

/// What stands behind `with`: blanks divide, except around `is`.
fn terms(with: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = with.trim();
    while !rest.is_empty() {
        let end = rest.find(' ').unwrap_or(rest.len());
        let end = match rest.get(end..).and_then(|rest| rest.strip_prefix(" is ")) {
            Some(value) => end + 4 + value.find(' ').unwrap_or(value.len()),
            None => end,
        };
        found.push(rest.get(..end).unwrap_or(rest));
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    found
}

fn takes(word: &str) -> Option<Takes> {
    let (kinds, argument) = word.split_once(':')?;
    let (argument, optional) = match argument.strip_suffix('?') {
        Some(argument) => (argument, true),
        None => (argument, false),
    };
    let (argument, filter) = match argument.split_once('|') {
        Some((argument, filter)) => (argument, Some(filter.to_owned())),
        None => (argument, None),
    };
    let (kinds, many) = kinds_of(kinds);
    Some(Takes {
        kinds,
        many,
        argument: argument.to_owned(),
        filter,
        optional,
    })
}

fn gives(word: &str) -> Option<Gives> {
    if word.is_empty() || word == "nothing" {
        return None;
    }
    let (kinds, field) = word.split_once(':').unwrap_or((word, ""));
    let (kinds, many) = kinds_of(kinds);
    Some(Gives {
        kinds,
        many,
        field: field.to_owned(),
    })
}

/// `file.csv|file.tsv`, with `[]` behind it for a list of them.
fn kinds_of(text: &str) -> (Vec<String>, bool) {
    let (text, many) = match text.strip_suffix("[]") {
        Some(text) => (text, true),
        None => (text, false),
    };
    (text.split('|').map(str::to_owned).collect(), many)
}

impl fmt::Display for Does {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.act)?;
        for takes in &self.takes {
            let many = if takes.many { "[]" } else { "" };
            write!(f, " {}{many}:{}", takes.kinds.join("|"), takes.argument)?;
            if let Some(filter) = &takes.filter {
                write!(f, "|{filter}")?;
            }
            f.write_str(if takes.optional { "?" } else { "" })?;
        }
        match &self.gives {
            None => f.write_str(" -> nothing")?,
            Some(gives) => {
                let many = if gives.many { "[]" } else { "" };
                write!(f, " -> {}{many}", gives.kinds.join("|"))?;
                if !gives.field.is_empty() {
                    write!(f, ":{}", gives.field)?;
                }
            }
        }
        let mut word = " with ";
        for slot in &self.slots {
            f.write_str(word)?;
            write!(f, "{slot}")?;
            word = " ";
        }
        for (argument, value) in &self.fixed {
            write!(f, "{word}{argument}:={value}")?;
            word = " ";
        }
        Ok(())
    }
}

impl fmt::Display for Serves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument {
                slot,
                argument,
                field,
                list,
            } => {
                write!(f, "{argument}={slot}")?;
                if let Some(field) = field {
                    write!(f, ".{field}")?;
                }
                f.write_str(if *list { "*" } else { "" })
            }
            Self::Keyed {
                slot,
                argument,
                key,
                value,
            } => write!(f, "{argument}={slot}{{{key}:{value}}}"),
            Self::Always { slot, value } => write!(f, "{slot} is {value}"),
        }
    }
}

impl TryFrom<String> for Does {
    type Error = BadDoes;

    fn try_from(line: String) -> Result<Self, BadDoes> {
        line.parse()
    }
}

impl From<Does> for String {
    fn from(does: Does) -> Self {
        does.to_string()
    }
}

/// Whether a thing of one kind may go where another is taken: `file.csv` is a `file`.
pub fn is_a(kind: &str, wanted: &str) -> bool {
    let wide = wanted.strip_suffix(".*").unwrap_or(wanted);
    kind.strip_prefix(wide)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_written_back() {
        for line in [
            "select table:rows -> table:rows with where=filters* limit=limit.rows",
            "count text:text -> number:words with unit is words",
            "join table:left table:right -> table:rows with on=on* how:=\"inner\"",
            "stack table[]:tables -> table:rows",
            "save table:content|tojson -> file.json:path with path=target.path",
            "load file.csv|file.tsv:path -> table:rows",
            "list folder:path -> file[]:entries[].path",
            "delete file:path -> nothing",
            "audit page[]:pages asset[]:assets? -> findings with domains is seo",
            "wait -> nothing with ms=limit.ms",
            "select table:rows -> table:rows with compute=compute{name:formula}",
        ] {
            let does: Does = line.parse().unwrap();
            assert_eq!(does.to_string(), line);
            let json = serde_json::to_string(&does).unwrap();
            assert_eq!(serde_json::from_str::<Does>(&json).unwrap(), does);
        }
    }

    #[test]
    fn a_line_names_its_arguments() {
        let line = "save table:rows page:page? -> file with path=target.path unit is rows by:=1";
        let does: Does = line.parse().unwrap();
        let named: Vec<&str> = does.arguments().collect();
        assert_eq!(named, ["rows", "page", "path", "by"]);
    }

    #[test]
    fn a_line_that_is_none_is_refused() {
        for line in ["", "select rows", "select table -> table", "a -> b with c"] {
            assert!(line.parse::<Does>().is_err(), "{line}");
        }
    }

    #[test]
    fn a_narrow_kind_is_also_the_wide_one() {
        assert!(is_a("file.csv", "file") && is_a("file.csv", "file.csv"));
        assert!(is_a("file.csv", "file.*") && is_a("file", "file.*"));
        assert!(!is_a("file", "file.csv") && !is_a("files", "file"));
    }
}
