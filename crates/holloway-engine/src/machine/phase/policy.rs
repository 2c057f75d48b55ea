//! What is next where no model can be asked? The tools whose arguments can be had from what is known,
//! the most probable ones first, each of them once; the engine never makes an argument up.

use std::sync::Arc;

use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Map, Value};

use super::super::Machine;
use super::Chosen;
use crate::context::next::{Signs, fits, named};

/// A value that arguments may come from.
type Source = Arc<Value>;

impl Machine {
    pub(super) fn choose_by_policy(&mut self, n: u32, frame: u32) {
        let mut chosen = self.chosen_by_policy(n);
        let left = self.guided_of(n).map_or(0, |guided| guided.max_calls);
        let made = self.phased(n).map_or(0, |phased| phased.calls);
        chosen.truncate(left.saturating_sub(made) as usize);
        if !chosen.is_empty() {
            return self.begin_chosen(n, frame, chosen);
        }
        let until = self.guided_of(n).and_then(|guided| guided.until.as_ref());
        match until.map(|until| until.form.text().to_owned()) {
            None => self.end_phase(n, frame),
            Some(until) => {
                let message = format!(
                    "`{until}` does not hold, and no tool is left whose arguments are known"
                );
                let failure = crate::failure::ToolFailure::unmet(message).with_hint(
                    "configure a model, or give the section what its tools need with `input`",
                );
                self.fail_frame(frame, failure);
            }
        }
    }

    fn chosen_by_policy(&self, n: u32) -> Vec<Chosen> {
        let (Some(guided), Some(phased)) = (self.guided_of(n), self.phased(n)) else {
            return Vec::new();
        };
        let mut ranked = self.ranked_tools(n);
        ranked.sort_by(|left, right| right.1.total_cmp(&left.1));
        let sources = self.sources(n);
        let mut all = Vec::new();
        for (node, _) in ranked {
            let was_called = phased.made.iter().any(|made| made.node == node);
            let Some(tool) = self.tool_of(guided, node).filter(|_| !was_called) else {
                continue;
            };
            let calls = bound(tool, &sources).into_iter().map(|arguments| Chosen {
                node,
                arguments: Arc::new(Value::Object(arguments)),
            });
            let calls: Vec<Chosen> = calls.collect();
            if tool.effect == Effect::Read {
                all.extend(calls);
            } else if all.is_empty() && !calls.is_empty() {
                // What changes something is done alone, so that the next turn sees what it did.
                return calls;
            }
        }
        all
    }

    /// The tools of a phase with the probability that each is next.
    pub(super) fn ranked_tools(&self, n: u32) -> Vec<(u32, f64)> {
        let (Some(guided), Some(phased)) = (self.guided_of(n), self.phased(n)) else {
            return Vec::new();
        };
        let knowledge = self.knowledge();
        let last = phased
            .made
            .last()
            .and_then(|made| self.tool_of(guided, made.node));
        let nodes = (0..guided.tools as u32).filter(|node| !phased.skipped.contains(node));
        let ranked = nodes.filter_map(|node| {
            let tool = self.tool_of(guided, node)?;
            let followed = last.and_then(|last| knowledge.followed.get(&last.id));
            let signs = Signs {
                structure: 0.5,
                distance: 0.0,
                followed: followed.map(|after| after.get(&tool.id).copied().unwrap_or(0.0)),
                fits: last.map_or(0.0, |last| fits(tool, &last.output_schema)),
                goal: named(tool, &phased.goal),
            };
            Some((node, signs.probability()))
        });
        ranked.collect()
    }

    /// Where arguments may come from, the nearest first: results of the section, what it was given,
    /// the input of the plan.
    fn sources(&self, n: u32) -> Vec<Source> {
        let Some(phased) = self.phased(n) else {
            return Vec::new();
        };
        let made = phased.made.iter().rev();
        let results = made.filter_map(|made| Some(self.instance(made.n).output.as_ref()?.get()));
        let mut sources: Vec<Source> = results.collect();
        sources.push(Arc::clone(&phased.given));
        // What was given by name is as near as what it holds.
        if let Value::Object(fields) = &*phased.given {
            sources.extend(
                fields
                    .values()
                    .filter(|field| field.is_object())
                    .cloned()
                    .map(Arc::new),
            );
        }
        sources.extend(self.context_value(self.instance(n).frame, "input"));
        sources
    }
}

/// The argument lists that the sources give: none where something is missing, several where one
/// argument is needed and a list of them is known.
fn bound(tool: &ToolSpec, sources: &[Source]) -> Vec<Map<String, Value>> {
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let schema_of = |name: &str| {
        properties
            .and_then(|all| all.get(name))
            .unwrap_or(&Value::Null)
    };
    let mut arguments = Map::new();
    let mut open = Vec::new();
    for name in &required {
        match sources
            .iter()
            .find_map(|source| field(source, name, schema_of(name)))
        {
            Some(value) => {
                arguments.insert((*name).to_owned(), value);
            }
            None => open.push(*name),
        }
    }
    match open.as_slice() {
        [] if required.is_empty() => Vec::new(),
        [] => vec![arguments],
        [only] => {
            let schema = schema_of(only);
            let mut lists = sources.iter().map(|source| many(source, only, schema));
            let values = lists.find(|values| !values.is_empty()).unwrap_or_default();
            let each = values.into_iter().map(|value| {
                let mut arguments = arguments.clone();
                arguments.insert((*only).to_owned(), value);
                arguments
            });
            each.collect()
        }
        _ => Vec::new(),
    }
}

/// The field of this name, where its value is of the kind that the parameter takes.
fn field(source: &Value, name: &str, schema: &Value) -> Option<Value> {
    let value = source.get(name)?;
    is_kind(value, schema).then(|| value.clone())
}

/// The values of a list: one under the plural of the name, or the field of each of its items.
fn many(source: &Value, name: &str, schema: &Value) -> Vec<Value> {
    let Value::Object(fields) = source else {
        return Vec::new();
    };
    let plural = fields.get(&format!("{name}s")).and_then(Value::as_array);
    let direct = plural
        .into_iter()
        .flatten()
        .filter(|item| is_kind(item, schema));
    let direct: Vec<Value> = direct.cloned().collect();
    if !direct.is_empty() {
        return direct;
    }
    let lists = fields.values().filter_map(Value::as_array);
    let mut values = lists.map(|items| {
        let values = items.iter().filter_map(|item| field(item, name, schema));
        values.collect::<Vec<_>>()
    });
    values.find(|values| !values.is_empty()).unwrap_or_default()
}

fn is_kind(value: &Value, schema: &Value) -> bool {
    let Some(kind) = schema.get("type").and_then(Value::as_str) else {
        return !value.is_null();
    };
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(input: Value, sources: &[Value], expected: Value) {
        let tool = ToolSpec::named("x/look").with_input(input);
        let sources: Vec<Source> = sources.iter().cloned().map(Arc::new).collect();
        let found: Vec<Value> = bound(&tool, &sources)
            .into_iter()
            .map(Value::Object)
            .collect();
        assert_eq!(Value::Array(found), expected);
    }

    fn page() -> Value {
        json!({"type": "object", "required": ["url"], "properties": {"url": {"type": "string"}}})
    }

    #[test]
    fn arguments_come_from_fields_of_the_same_name_and_kind() {
        check(
            page(),
            &[json!({"url": 3}), json!({"url": "u"})],
            json!([{"url": "u"}]),
        );
        check(page(), &[json!({"address": "u"})], json!([]));
        // What takes nothing is not called only because it can be.
        check(json!({"type": "object"}), &[json!({"url": "u"})], json!([]));
    }

    #[test]
    fn a_list_gives_one_call_for_each_item() {
        let both = json!([{"url": "a"}, {"url": "b"}]);
        check(page(), &[json!({"urls": ["a", "b"]})], both.clone());
        check(
            page(),
            &[json!({"pages": [{"url": "a"}, {"url": "b"}]})],
            both,
        );
    }
}
