//! Which steps of a plan are already written? Reads an answer piece by piece and gives each
//! step as soon as its last bracket has come, however the pieces are cut.

use serde_json::Value;

use holloway_engine::model::find_json::MOST_BYTES;

/// Nested deeper, it is no plan.
const DEEPEST: usize = 64;
/// Plans of models are shorter.
const MOST_STEPS: usize = 200;

/// Stands for a list among the keys.
const LIST: &str = "[]";

/// What is open at some point of the text.
#[derive(Clone, Debug, PartialEq)]
enum Open {
    /// With the key that is being filled, and whether a key comes next.
    Object {
        key: String,
        key_next: bool,
    },
    Array {
        of_steps: bool,
    },
}

/// An incremental reader.
#[derive(Clone, Debug, Default)]
pub struct StepReader {
    /// From the beginning of the step that is being written.
    pending: String,
    open: Vec<Open>,
    /// How deep the step lies that is being written.
    step_depth: Option<usize>,
    in_string: bool,
    escaped: bool,
    /// The string that is being read, where it may be a key.
    string: String,
    read: usize,
    given: usize,
    done: bool,
}

impl StepReader {
    /// Takes the next piece; gives the steps that it completed.
    pub fn feed(&mut self, piece: &str) -> Vec<Value> {
        let mut steps = Vec::new();
        for c in piece.chars() {
            if self.done {
                break;
            }
            self.read += c.len_utf8();
            if self.read > MOST_BYTES || self.open.len() > DEEPEST || self.given >= MOST_STEPS {
                self.done = true;
                break;
            }
            steps.extend(self.take(c));
        }
        steps
    }

    fn take(&mut self, c: char) -> Option<Value> {
        if self.step_depth.is_some() {
            self.pending.push(c);
        }
        if self.in_string {
            self.inside_string(c);
            return None;
        }
        match c {
            // Prose has quotes too; they mean nothing before the first bracket.
            '"' if !self.open.is_empty() => {
                self.in_string = true;
                self.string.clear();
            }
            '{' => self.open_object(),
            '[' => {
                let of_steps = self.steps_come_next();
                self.open.push(Open::Array { of_steps });
            }
            '}' | ']' => return self.close(),
            ':' => self.after_key(),
            ',' => {
                if let Some(Open::Object { key_next, .. }) = self.open.last_mut() {
                    *key_next = true;
                }
            }
            _ => {}
        }
        None
    }

    fn inside_string(&mut self, c: char) {
        if self.escaped {
            self.escaped = false;
        } else if c == '\\' {
            self.escaped = true;
        } else if c == '"' {
            self.in_string = false;
            return;
        }
        // Only keys are compared, and ours are short.
        if self.string.len() < 16 {
            self.string.push(c);
        }
    }

    fn after_key(&mut self) {
        if let Some(Open::Object { key, key_next }) = self.open.last_mut()
            && *key_next
        {
            *key = std::mem::take(&mut self.string);
            *key_next = false;
        }
    }

    fn open_object(&mut self) {
        let begins_step = self.step_depth.is_none()
            && matches!(self.open.last(), Some(Open::Array { of_steps: true }));
        if begins_step {
            self.step_depth = Some(self.open.len());
            self.pending.clear();
            self.pending.push('{');
        }
        self.open.push(Open::Object {
            key: String::new(),
            key_next: true,
        });
    }

    /// The list of a plan, of a plan that is wrapped up, or on its own.
    fn steps_come_next(&self) -> bool {
        let keys: Option<Vec<&str>> = self
            .open
            .iter()
            .map(|open| match open {
                Open::Object {
                    key,
                    key_next: false,
                } => Some(key.as_str()),
                Open::Array { of_steps: false } => Some(LIST),
                _ => None,
            })
            .collect();
        matches!(
            keys.as_deref(),
            Some([] | ["steps" | "plan"] | ["plan", "steps"] | ["plans", LIST | _, "steps"])
        )
    }

    fn close(&mut self) -> Option<Value> {
        self.open.pop();
        if self.step_depth == Some(self.open.len()) {
            self.step_depth = None;
            let step = serde_json::from_str(&std::mem::take(&mut self.pending));
            // A step that is no JSON means that the plan is none.
            self.done = step.is_err();
            self.given += usize::from(step.is_ok());
            return step.ok();
        }
        // What follows the plan is prose.
        self.done |= self.open.is_empty() && self.given > 0;
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// `‸` marks where a step must come, neither sooner nor later.
    #[track_caller]
    fn check(marked: &str, expected: &[Value]) {
        let mut reader = StepReader::default();
        let mut found = Vec::new();
        for text in marked.split_inclusive('‸') {
            let (silent, last) = match text.strip_suffix('‸') {
                Some(text) => text.split_at(text.len() - 1),
                None => (text, ""),
            };
            assert!(reader.feed(silent).is_empty(), "too soon: {text}");
            found.extend(reader.feed(last));
        }
        assert_eq!(found, expected, "{marked}");
    }

    #[test]
    fn each_step_comes_with_its_last_bracket() {
        check(
            r#"{"steps": [{"id": "a"}‸, {"id": "b", "x": {"y": "}]\""}}‸]}"#,
            &[json!({"id": "a"}), json!({"id": "b", "x": {"y": "}]\""}})],
        );
        check(
            r#"Sure [1]: "a" {} {"objective": "[{", "steps":[{"id":1}‸], "z": [{"id":2}]} [{"id":3}]"#,
            &[json!({"id": 1})],
        );
        check(r#"[{"id": 1}‸]"#, &[json!({"id": 1})]);
        check(r#"{"plan": {"steps": [{"id": 1}‸]}}"#, &[json!({"id": 1})]);
        check(r#"{"x": {"steps": [{"id": 1}]}}"#, &[]);
        check(
            r#"{"steps": [{"type": "loop", "steps": [{"id": "in"}]}‸"#,
            &[json!({"type": "loop", "steps": [{"id": "in"}]})],
        );
        check(r#"{"steps": [{"id": }, {"id": 2}]}"#, &[]);
        check("no plan today", &[]);
    }

    #[test]
    fn hostile_sizes_end_it() {
        let mut reader = StepReader::default();
        assert!(reader.feed(&"[".repeat(1_000)).is_empty() && reader.done);
        let mut reader = StepReader::default();
        let many = format!("[{}", "{},".repeat(10_000));
        assert_eq!(reader.feed(&many).len(), MOST_STEPS);
        let mut reader = StepReader::default();
        let _ = reader.feed("[{\"a\": \"");
        let _ = reader.feed(&"x".repeat(2 * MOST_BYTES));
        assert!(reader.done && reader.pending.len() <= MOST_BYTES);
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"\\\\{}\\[\\]:,]{0,6}", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_split_gives_the_steps_of_the_document(
            steps in prop::collection::vec(prop::collection::btree_map("[a-z]{1,6}", values(), 0..4), 0..6),
            objective in ".{0,20}",
            before in "[a-zäß .]{0,20}",
            after in ".{0,20}",
            pretty in any::<bool>(),
            cuts in prop::collection::vec(1_usize..9, 1..40),
        ) {
            let steps: Vec<Value> = steps.into_iter().map(|fields| Value::Object(fields.into_iter().collect())).collect();
            let document = json!({"version": "1.0", "objective": objective, "steps": steps});
            let written = if pretty { format!("{document:#}") } else { document.to_string() };
            let after = if steps.is_empty() { String::new() } else { after };
            let text: Vec<char> = format!("{before}{written}{after}").chars().collect();
            let mut reader = StepReader::default();
            let mut found = Vec::new();
            let mut rest = text.as_slice();
            for size in cuts.iter().cycle() {
                let (piece, later) = rest.split_at((*size).min(rest.len()));
                found.extend(reader.feed(&piece.iter().collect::<String>()));
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(found, steps);
        }

        #[test]
        fn no_text_is_trouble(text in "[\\[\\]{}\":,a-z\\\\ ]{0,200}") {
            let _ = StepReader::default().feed(&text);
        }
    }
}
