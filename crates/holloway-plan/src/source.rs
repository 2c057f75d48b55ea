//! How does text become data with places? Reads JSON or YAML once, keeping the
//! line and column of every value, and refuses text that is built to explode.

use serde_json::Value;

use crate::limits::Limits;
use crate::place::{Part, Place, Position};
use crate::problem::{Code, Problem};

mod build;
mod flow;
mod json;
mod pieces;
mod yaml;

/// A document: its data, and where each piece of it stands in the text.
#[derive(Clone, Debug)]
pub struct Source {
    pub value: Value,
    /// One for each value, a list or mapping before what is inside it.
    marks: Vec<Mark>,
}

/// Where a value stands, and how many values it is made of, itself included.
/// Plans have many values, so this is kept small.
#[derive(Clone, Copy, Debug)]
struct Mark {
    line: u32,
    column: u32,
    size: u32,
}

impl Mark {
    fn at(position: Position) -> Self {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            line: number(position.line),
            column: number(position.column),
            size: 1,
        }
    }

    fn position(self) -> Position {
        Position {
            line: self.line as usize,
            column: self.column as usize,
        }
    }
}

impl Source {
    /// Reads JSON if the text begins like it, YAML otherwise.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Box<Problem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > limits.text_bytes {
            let message = format!(
                "the text has {} bytes; at most {} are read",
                text.len(),
                limits.text_bytes
            );
            let start = Position { line: 1, column: 1 };
            return Err(too_large(start, message));
        }
        if begins_like_json(text) {
            json::parse(text, limits)
        } else {
            yaml::parse(text, limits)
        }
    }

    /// Where `place` stands; the nearest thing around it if it is not there itself.
    pub fn position(&self, place: &Place) -> Position {
        let (mut value, mut at) = (&self.value, 0);
        for part in place.parts() {
            let inner = match (part, value) {
                (Part::Field(name), Value::Object(fields)) => {
                    let index = fields.keys().position(|key| key == name);
                    index.zip(fields.get(name))
                }
                (Part::Item(index), Value::Array(items)) => {
                    items.get(*index).map(|item| (*index, item))
                }
                _ => None,
            };
            let Some((index, inner)) = inner else { break };
            at = self.inside(at, index);
            value = inner;
        }
        self.marks
            .get(at)
            .map_or(Position { line: 1, column: 1 }, |mark| mark.position())
    }

    /// The mark of the value number `index` inside the one whose mark is at `at`.
    fn inside(&self, at: usize, index: usize) -> usize {
        let mut inner = at + 1;
        for _ in 0..index {
            inner += self.marks.get(inner).map_or(1, |mark| mark.size as usize);
        }
        inner
    }
}

/// `{` and then a quoted name; YAML's own short form would not quote it.
fn begins_like_json(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with(['"', '}']) || inside.is_empty())
}

fn unreadable(at: Position, message: impl Into<String>) -> Box<Problem> {
    located(Code::PlanUnreadable, at, message)
}

fn too_large(at: Position, message: impl Into<String>) -> Box<Problem> {
    located(Code::PlanTooLarge, at, message)
}

fn located(code: Code, at: Position, message: impl Into<String>) -> Box<Problem> {
    let mut problem = Problem::new(code, Place::default(), message);
    problem.position = Some(at);
    Box::new(problem)
}

fn hinted(mut problem: Box<Problem>, hint: &str) -> Box<Problem> {
    problem.hint = Some(hint.to_owned());
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let limits = Limits {
            nesting: 5,
            values: 12,
            text_bytes: 200,
            steps: 2,
            ..Limits::default()
        };
        let found = match Source::parse(text, &limits) {
            Ok(source) => {
                let place = Place::default().field("b").item(1).field("c");
                format!("{} c at {}", source.value, source.position(&place))
            }
            Err(problem) => format!("{} {problem}", problem.position.unwrap()),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_value_knows_its_place() {
        check(
            "a: 1\nb:\n  - x\n  - {d: 2, c: 3}\n",
            r#"{"a":1,"b":["x",{"d":2,"c":3}]} c at 4:12"#,
        );
        check(
            "{\"a\": [1, 2],\n \"b\": [\"é\", {\"c\": 3}]}",
            r#"{"a":[1,2],"b":["é",{"c":3}]} c at 2:14"#,
        );
        check("b: [&x {c: 1}, *x]", r#"{"b":[{"c":1},{"c":1}]} c at 1:9"#);
        check("{b: 1}", r#"{"b":1} c at 1:2"#);
        check("", "null c at 1:1");
        check(
            r#"{"a": "\ud83d\ude00\/", "n": -1.5e3}"#,
            r#"{"a":"😀/","n":-1500.0} c at 1:1"#,
        );
    }

    #[test]
    fn json_mistakes_have_a_place() {
        check(
            r#"{"a": 1, "a": 2}"#,
            "1:10 Unreadable plan: `a` is given twice",
        );
        check(
            r#"{"a": 1,}"#,
            "1:9 Unreadable plan: expected a field name, found `}`",
        );
        check(
            "{\n\"a\" 1}",
            "2:5 Unreadable plan: expected `:`, found `1`",
        );
        check(
            r#"{"a": 1} x"#,
            "1:10 Unreadable plan: expected the end, found `x`",
        );
        check(r#"{"a": 01}"#, "1:7 Unreadable plan: `01` is no value");
        check(
            r#"{"a": 1e999}"#,
            "1:7 Unreadable plan: `1e999` is no value",
        );
        check(r#"{"a": NaN}"#, "1:7 Unreadable plan: `NaN` is no value");
        check(
            r#"{"a": "x"#,
            "1:7 Unreadable plan: the text has no closing quote",
        );
        check(
            r#"{"a": [1, 2}"#,
            "1:12 Unreadable plan: expected `,` or `]`, found `}`",
        );
        check(
            r#"{"a": [1"#,
            "1:9 Unreadable plan: expected `,` or `]`, found the end of the text",
        );
        check(
            "{\"a\": \"\u{7}\"}",
            "1:7 Unreadable plan: the text holds a control character or a bad escape",
        );
    }

    #[test]
    fn yaml_mistakes_have_a_place() {
        check("a: 1\na: 2", "2:1 Unreadable plan: `a` is given twice");
        check(
            "a: &x [*x]",
            "1:8 Unreadable plan: this alias stands inside what it refers to",
        );
        check(
            "a: 1\n---\nb: 2",
            "2:1 Unreadable plan: the file holds several documents",
        );
        check(
            "? [a]\n: 1",
            "1:3 Unreadable plan: a field name must be a text",
        );
        check(
            "b: {<<: {c: 1}}",
            "1:5 Unreadable plan: merge keys are not read",
        );
        check(
            "a: !!python/object x",
            "1:4 Unreadable plan: the tag `python/object` means nothing here",
        );
        check(
            "a: \"\u{1b}[31m\"",
            "1:5 Unreadable plan: the text holds the control character U+001B",
        );
    }

    #[test]
    fn explosions_are_stopped() {
        let deep = "nested more than 5 levels deep";
        check("[[[[[[1]]]]]]", &format!("1:6 Plan too large: {deep}"));
        check(
            r#"{"a":[[[[[1]]]]]}"#,
            &format!("1:10 Plan too large: {deep}"),
        );
        check(
            "a: &x [[1]]\nb: [[[*x]]]",
            &format!("2:7 Plan too large: {deep}"),
        );
        check(
            "[1,1,1,1,1,1,1,1,1,1,1,1,1]",
            "1:24 Plan too large: more than 12 values",
        );
        check(
            "a: &x [1,1,1]\nb: [*x, *x]",
            "2:5 Plan too large: more than 12 values",
        );
        check(
            &format!("a: &x {}\nb: [*x, *x]", "y".repeat(110)),
            "2:9 Plan too large: aliases repeat more than 200 bytes",
        );
        check(
            "steps: [{}, {}, {}]",
            "1:17 Plan too large: the plan has more than 2 steps",
        );
        check(
            r#"{"steps": [{"steps": [{}, {}]}]}"#,
            "1:27 Plan too large: the plan has more than 2 steps",
        );
    }
}
