//! How are comparisons and directions said? "is over 100", "between 10 and 20", "highest first".

use serde_json::{Value, json};

use super::Comparison;
use super::phrases::{ARTICLES, Reader};
use super::tokens::Kind;

impl Reader<'_> {
    /// How a column is compared, and with what.
    pub(super) fn comparison(&mut self) -> Option<(Comparison, Value)> {
        let before = self.at;
        if let Some(Kind::Compares(comparison)) = self.now().map(|token| &token.kind) {
            self.at += 1;
            let value = self.value();
            return value.map(|value| (*comparison, value)).or_else(|| {
                self.at = before;
                None
            });
        }
        if let Some(found) = self.bounded() {
            return Some(found);
        }
        let said = self.eat(&["is", "are", "was", "were", "be"]);
        let denied = self.eat(&["isn't", "aren't"]);
        let said = said || denied;
        let denied = self.eat(&["not"]) || denied;
        let found = self.compared().or(said.then_some(Comparison::Equal));
        let compared = found.and_then(|found| {
            let value = match found {
                Comparison::Missing | Comparison::Present => Some(Value::Null),
                Comparison::Between => self.both(),
                Comparison::OneOf => self.several(),
                _ => self.value(),
            };
            Some((if denied { opposite(found)? } else { found }, value?))
        });
        if compared.is_none() {
            self.at = before;
        }
        compared
    }

    /// "45000 or more", "100 or less".
    fn bounded(&mut self) -> Option<(Comparison, Value)> {
        let before = self.at;
        self.eat(&["is", "are", "of"]);
        let number = matches!(self.now()?.kind, Kind::Number(_));
        let value = if number { self.value() } else { None };
        let joined = value.is_some() && self.eat(&["or"]);
        let up = joined && self.eat(&["more", "above", "over", "higher", "later", "after"]);
        let down = joined && !up && self.eat(&["less", "fewer", "below", "under", "lower"]);
        if up || down {
            let comparison = if up {
                Comparison::AtLeast
            } else {
                Comparison::AtMost
            };
            return Some((comparison, value?));
        }
        self.at = before;
        None
    }

    fn compared(&mut self) -> Option<Comparison> {
        use Comparison::{
            AtLeast, AtMost, Between, Contains, EndsWith, Equal, Less, Missing, More, OneOf, Other,
            StartsWith,
        };
        const SAID: [(&[&str], Comparison); 47] = [
            (&["less", "than", "or", "equal", "to"], AtMost),
            (&["greater", "than", "or", "equal", "to"], AtLeast),
            (&["more", "than", "or", "equal", "to"], AtLeast),
            (&["no", "less", "than"], AtLeast),
            (&["no", "fewer", "than"], AtLeast),
            (&["at", "least"], AtLeast),
            (&["no", "more", "than"], AtMost),
            (&["at", "most"], AtMost),
            (&["up", "to"], AtMost),
            (&["more", "than"], More),
            (&["greater", "than"], More),
            (&["larger", "than"], More),
            (&["higher", "than"], More),
            (&["bigger", "than"], More),
            (&["later", "than"], More),
            (&["over"], More),
            (&["above"], More),
            (&["exceeds"], More),
            (&["exceeding"], More),
            (&["after"], More),
            (&["less", "than"], Less),
            (&["fewer", "than"], Less),
            (&["lower", "than"], Less),
            (&["smaller", "than"], Less),
            (&["earlier", "than"], Less),
            (&["under"], Less),
            (&["below"], Less),
            (&["before"], Less),
            (&["between"], Between),
            (&["one", "of"], OneOf),
            (&["either"], OneOf),
            (&["contains"], Contains),
            (&["containing"], Contains),
            (&["contain"], Contains),
            (&["includes"], Contains),
            (&["starts", "with"], StartsWith),
            (&["starting", "with"], StartsWith),
            (&["begins", "with"], StartsWith),
            (&["ends", "with"], EndsWith),
            (&["ending", "with"], EndsWith),
            (&["other", "than"], Other),
            (&["different", "from"], Other),
            (&["equal", "to"], Equal),
            (&["equals"], Equal),
            (&["missing"], Missing),
            (&["empty"], Missing),
            (&["blank"], Missing),
        ];
        let said = SAID.iter().find(|(words, _)| self.eat_all(words));
        said.map(|(_, comparison)| *comparison)
    }

    /// "10 and 20".
    fn both(&mut self) -> Option<Value> {
        let low = self.value()?;
        let high = self.eat(&["and", "to"]).then(|| self.value()).flatten()?;
        Some(json!([low, high]))
    }

    /// "North, South or West".
    fn several(&mut self) -> Option<Value> {
        let mut values = vec![self.value()?];
        loop {
            let before = self.at;
            let is_comma = self.now().is_some_and(|token| token.kind == Kind::Comma);
            self.at += usize::from(is_comma);
            let joined = self.eat(&["or", "and"]) || is_comma;
            if let Some(value) = self.value().filter(|_| joined) {
                values.push(value)
            } else {
                self.at = before;
                return Some(Value::Array(values));
            }
        }
    }

    /// In which direction rows stand: nothing where it is not said.
    pub(super) fn direction(&mut self) -> Option<bool> {
        const DOWN: [&str; 8] = [
            "highest", "largest", "biggest", "newest", "latest", "most", "greatest", "longest",
        ];
        const UP: [&str; 7] = [
            "lowest", "smallest", "oldest", "earliest", "cheapest", "least", "shortest",
        ];
        let before = self.at;
        self.eat(&["in", "with", "from"]);
        self.eat_any(&ARTICLES);
        let down = self.eat(&["descending", "desc", "reverse", "decreasing", "falling"]);
        let up = !down && self.eat(&["ascending", "asc", "increasing", "rising"]);
        if down || up {
            self.eat(&["order"]);
            return Some(down);
        }
        let down = self.eat(&DOWN) || self.eat_all(&["high"]);
        let up = !down && (self.eat(&UP) || self.eat_all(&["low"]));
        let ends = self.eat(&["first"])
            || self.eat(&["to"])
                && (self.eat(&UP) || self.eat(&DOWN) || self.eat(&["low", "high"]));
        if (down || up) && ends {
            return Some(down);
        }
        self.at = before;
        None
    }
}

pub(super) fn opposite(comparison: Comparison) -> Option<Comparison> {
    use Comparison::{AtLeast, AtMost, Equal, Less, Missing, More, Other, Present};
    Some(match comparison {
        Equal => Other,
        Other => Equal,
        More => AtMost,
        AtMost => More,
        Less => AtLeast,
        AtLeast => Less,
        Missing => Present,
        Present => Missing,
        _ => return None,
    })
}
