//! What does each call of a plan work with? Its own arguments, and what encloses it: the lists that
//! loops go through, the conditions that it stands under. Inputs count with their defaults.

use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::step::Step;
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use super::declared::{Declared, declared};
use crate::model::repair::unasked::defaults::Defaults;

/// A step that calls a tool.
pub(super) struct Call {
    pub(super) step: String,
    /// The step of the plan's own list that holds it.
    pub(super) outer: usize,
    pub(super) acts: Vec<String>,
    pub(super) tool: Arc<ToolSpec>,
    pub(super) input: Value,
    /// What its arguments say of a request, by the tool's own declaration.
    pub(super) declared: Vec<Declared>,
    /// The slots of which something is known only in the run.
    pub(super) open: Vec<String>,
    /// Its arguments and what encloses it, in lower case.
    pub(super) written: String,
}

impl Call {
    pub(super) fn has(&self, text: &str) -> bool {
        self.written.contains(text)
    }

    /// What its arguments say for a slot.
    pub(super) fn says<'a>(&'a self, slot: &'a str) -> impl Iterator<Item = &'a Declared> {
        self.declared.iter().filter(move |one| one.slot == slot)
    }
}

/// The calls of a plan, outer ones first.
pub(super) fn calls(plan: &Plan) -> Vec<Call> {
    let mut walk = Walk {
        plan,
        given: Defaults::of(plan.draft()),
        calls: Vec::new(),
    };
    for (outer, step) in plan.steps().iter().enumerate() {
        walk.step(step, outer, "");
    }
    walk.calls
}

struct Walk<'a> {
    plan: &'a Plan,
    given: Defaults,
    calls: Vec<Call>,
}

impl Walk<'_> {
    fn step(&mut self, step: &Step, outer: usize, around: &str) {
        let conditions = [&step.when, &step.condition].into_iter().flatten();
        let mut written: Vec<String> = conditions.cloned().collect();
        let values = [step.input.as_ref(), step.over.as_deref()]
            .into_iter()
            .flatten();
        written.extend(values.map(|value| stated(&self.given.filled(value)).to_string()));
        let written = format!("{around} {}", written.join(" ")).to_lowercase();
        if let Some(tool) = step.called_tool().and_then(|name| self.plan.tool(name)) {
            let input = step.input.as_ref();
            let input = input.map(|input| self.given.filled(input));
            let input = input.unwrap_or_default();
            let (declared, open) = declared(tool, &input);
            self.calls.push(Call {
                step: step.id.clone(),
                outer,
                acts: tool.does.iter().map(|does| does.act.clone()).collect(),
                tool: Arc::clone(tool),
                input,
                declared,
                open,
                written: written.clone(),
            });
        }
        for inner in step.inner().into_iter().flat_map(|(_, steps)| steps) {
            self.step(inner, outer, &written);
        }
    }
}

/// Without arguments that say nothing or no.
fn stated(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let says = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
            let fields = fields.iter().filter(|(_, value)| says(value));
            let fields = fields.map(|(name, value)| (name.clone(), stated(value)));
            fields.collect::<serde_json::Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(stated).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use holloway_plan::tool::{ToolSpec, ToolTable};
    use holloway_plan::validate::{NoPlans, Surroundings, validate};
    use serde_json::json;

    use super::*;

    #[test]
    fn what_encloses_a_call_belongs_to_it() {
        let step = json!({"id": "read", "tool": "x/read", "input": {"path": "{{p}}", "to": "{{ input.out }}"}});
        let each = json!({"id": "each", "type": "loop", "over": ["a.txt", "b.txt"], "as": "p", "step": step});
        let choice = json!({"id": "choice", "type": "conditional", "condition": "3 > 2", "then": [each], "otherwise": []});
        let input = json!({"type": "object", "properties": {"out": {"type": "string", "default": "Week.txt"}}});
        let answer = json!({"version": "1.0", "input": input, "steps": [choice]});
        let draft = crate::model::parse::draft::parse_value(answer)
            .unwrap()
            .draft;
        let table = ToolTable::new([ToolSpec::named("x/read")]);
        let around = Surroundings {
            tools: &table,
            plans: &NoPlans,
            context: &[],
            limits: &crate::model::parse::draft::limits(),
        };
        let calls = calls(&validate(&draft, &around).unwrap());
        let [call] = calls.as_slice() else {
            panic!("one call");
        };
        assert_eq!((call.step.as_str(), call.outer), ("read", 0));
        for text in ["a.txt", "b.txt", "3 > 2", "week.txt"] {
            assert!(call.has(text), "{text}");
        }
        assert!(!call.has("c.txt"));
    }
}
