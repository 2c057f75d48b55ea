//! How much of what everyday requests state becomes the right argument?

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

/// What became of one argument that a request states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Right,
    LeftOut,
    Asked,
    FromResult,
    TooMuch,
    TooLittle,
    Wrong,
}

#[derive(Default)]
pub(crate) struct Arguments {
    requests: usize,
    whole: usize,
    /// Arguments that nobody stated.
    invented: usize,
    fates: BTreeMap<Fate, usize>,
}

/// A tool, what is stated for it, and what it is given.
type Call = (String, Map<String, Value>, Map<String, Value>);

impl Arguments {
    /// Counts what became of the arguments of one request, and tells what went wrong.
    pub(crate) fn judge(&mut self, calls: &[Call]) -> Vec<String> {
        let mut told = Vec::new();
        for (id, stated, given) in calls {
            let name = id.rsplit('/').next().unwrap_or_default();
            for (parameter, wanted) in stated {
                let found = given.get(parameter);
                let fate = fate(wanted, found);
                *self.fates.entry(fate).or_default() += 1;
                if fate != Fate::Right {
                    let found = found.unwrap_or(&Value::Null);
                    told.push(format!(
                        "{fate:?} {name}.{parameter}: {wanted}, found {found}"
                    ));
                }
            }
            let literal = |value: &Value| !value.is_null() && !value.to_string().contains("{{");
            for (parameter, value) in given {
                if !stated.contains_key(parameter) && literal(value) {
                    self.invented += 1;
                    told.push(format!("Invented {name}.{parameter}: {value}"));
                }
            }
        }
        self.requests += 1;
        self.whole += usize::from(told.is_empty());
        told
    }
}

impl fmt::Display for Arguments {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: usize = self.fates.values().sum();
        let right = self.fates.get(&Fate::Right).copied().unwrap_or_default();
        write!(
            to,
            "{right} of {all} stated arguments are right, {} were stated by nobody, all are right for {} of {} requests; {:?}",
            self.invented, self.whole, self.requests, self.fates
        )
    }
}

fn fate(wanted: &Value, found: Option<&Value>) -> Fate {
    match found {
        None => Fate::LeftOut,
        Some(found) if is_right(wanted, found) => Fate::Right,
        Some(Value::Null) => Fate::Asked,
        Some(found) if found.to_string().contains("{{") => Fate::FromResult,
        Some(found) => {
            let (wanted, found) = (plain(wanted), plain(found));
            match () {
                () if found.contains(&wanted) => Fate::TooMuch,
                () if wanted.contains(&found) => Fate::TooLittle,
                () => Fate::Wrong,
            }
        }
    }
}

/// Whether a value is what is wanted; `{"contains": …}` wants a part of a text.
fn is_right(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(only), _) if only.len() == 1 && only.contains_key("contains") => {
            let part = only.get("contains").map(plain).unwrap_or_default();
            !found.is_null() && plain(found).contains(&part)
        }
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(name, wanted)| found.get(name).is_some_and(|found| is_right(wanted, found))),
        (Value::Array(wanted), Value::Array(found)) => {
            let mut pairs = wanted.iter().zip(found);
            wanted.len() == found.len() && pairs.all(|(wanted, found)| is_right(wanted, found))
        }
        (Value::Number(wanted), Value::Number(found)) => wanted.as_f64() == found.as_f64(),
        (wanted, found) => !found.is_null() && plain(wanted) == plain(found),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_lowercase(),
        other => other.to_string().to_lowercase(),
    }
}
