//! What do the arguments of a call say of a request, by the tool's own declaration? `where=filters*`
//! tells that each item of `where` is a condition; what is only known in the run says nothing here.

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::{Does, Serves};
use serde_json::{Map, Value, json};

/// How references begin: what they stand for is known in the run.
const REFERENCE: &str = "{{";

/// What an argument says for one slot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declared {
    pub(super) slot: String,
    /// In the shape of a part; of what several arguments say, one object.
    pub(super) value: Value,
    /// The tool would have chosen something itself.
    pub(super) has_default: bool,
}

/// All that the arguments say, and the slots of which something is known only in the run.
pub(super) fn declared(tool: &ToolSpec, input: &Value) -> (Vec<Declared>, Vec<String>) {
    let none = Map::new();
    let input = input.as_object().unwrap_or(&none);
    let mut said = Sheet::default();
    for does in &tool.does {
        for serves in &does.slots {
            match serves {
                Serves::Argument {
                    slot,
                    argument,
                    field,
                    list,
                } => {
                    if let Some(value) = input.get(argument) {
                        let default = default_of(tool, argument).is_some();
                        said.argument(slot, field.as_deref(), (value, *list), default);
                    }
                }
                Serves::Always { slot, value } if is_done(tool, does, slot, input) => {
                    said.put(slot, json!(value), false);
                }
                Serves::Always { .. } | Serves::Keyed { .. } => {}
            }
        }
    }
    (said.known, said.open)
}

/// The slots that a tool has something for.
pub(super) fn slots(tool: &ToolSpec) -> impl Iterator<Item = &str> {
    let serves = tool.does.iter().flat_map(|does| &does.slots);
    serves.map(Serves::slot)
}

#[derive(Default)]
struct Sheet {
    known: Vec<Declared>,
    open: Vec<String>,
}

impl Sheet {
    fn argument(
        &mut self,
        slot: &str,
        field: Option<&str>,
        (value, list): (&Value, bool),
        default: bool,
    ) {
        let items = match value {
            Value::Array(items) if list => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for item in items {
            if item.to_string().contains(REFERENCE) {
                self.open.push(slot.to_owned());
                continue;
            }
            match field {
                Some(field) if !list => self.field(slot, field, item, default),
                Some(field) => self.put(slot, json!({ field: item }), default),
                None => self.put(slot, item.clone(), default),
            }
        }
    }

    /// Several arguments of one slot make one object.
    fn field(&mut self, slot: &str, field: &str, value: &Value, default: bool) {
        let mut known = self.known.iter_mut();
        let same = known.find(|one| one.slot == slot && one.value.is_object());
        match same.and_then(|one| Some((&mut one.has_default, one.value.as_object_mut()?))) {
            Some((has_default, fields)) => {
                *has_default &= default;
                fields.insert(field.to_owned(), value.clone());
            }
            None => self.put(slot, json!({ field: value }), default),
        }
    }

    fn put(&mut self, slot: &str, value: Value, has_default: bool) {
        let declared = Declared {
            slot: slot.to_owned(),
            value,
            has_default,
        };
        if !self.known.contains(&declared) {
            self.known.push(declared);
        }
    }
}

/// Whether a call does what a line always does. Where the tool does the same act without it too, the
/// arguments of the line tell them apart.
fn is_done(tool: &ToolSpec, does: &Does, slot: &str, input: &Map<String, Value>) -> bool {
    let speaks = |does: &Does| does.slots.iter().any(|serves| serves.slot() == slot);
    let mut others = tool.does.iter().filter(|other| other.act == does.act);
    let optional = others.any(|other| !speaks(other));
    let given = |argument: &String, value: &Value| match input.get(argument) {
        Some(given) => given == value || given.is_array(),
        None => default_of(tool, argument) == Some(value),
    };
    !optional
        || does
            .fixed
            .iter()
            .all(|(argument, value)| given(argument, value))
}

fn default_of<'a>(tool: &'a ToolSpec, argument: &str) -> Option<&'a Value> {
    let fields = tool.input_schema.get("properties")?;
    fields.get(argument)?.get("default")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: Value, known: &[(&str, Value)], open: &[&str]) {
        let lines = [
            "select table:rows -> table:rows with where=filters* sort=order* limit=limit.rows last=limit.last by=group.column*",
            "select table:rows -> table:rows with where=filters* distinct is true distinct:=true",
        ];
        let tool = ToolSpec {
            does: lines.iter().map(|line| line.parse().unwrap()).collect(),
            ..ToolSpec::named("x/select")
        };
        let found = declared(&tool, &input);
        let said: Vec<(&str, Value)> = found
            .0
            .iter()
            .map(|one| (one.slot.as_str(), one.value.clone()))
            .collect();
        assert_eq!(said, known);
        assert_eq!(found.1, open);
    }

    #[test]
    fn arguments_say_what_the_tool_declares() {
        let condition = json!({"column": "a", "op": "gt", "value": 3});
        check(
            json!({"where": [condition], "limit": 3, "last": 2, "by": ["a", "b"]}),
            &[
                ("filters", condition),
                ("limit", json!({"rows": 3, "last": 2})),
                ("group", json!({"column": "a"})),
                ("group", json!({"column": "b"})),
            ],
            &[],
        );
        check(
            json!({"distinct": true}),
            &[("distinct", json!("true"))],
            &[],
        );
        check(json!({"distinct": false, "rows": []}), &[], &[]);
        let open = json!({"column": "a", "op": "eq", "value": "{{b.c}}"});
        check(json!({"where": [open]}), &[], &["filters", "filters"]);
    }
}
