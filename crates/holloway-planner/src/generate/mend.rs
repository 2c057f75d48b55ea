//! Is the draft sound? What the checks object to is mended: a stand-in is left out, an
//! argument becomes an input, a step that cannot be mended goes with all that reads it.

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::problem::Problems;
use holloway_plan::step::Step;
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use serde_json::{Value, json};

use crate::catalogue::Catalogue;

/// Mending that takes longer makes it worse.
const TURNS: usize = 4;

/// A draft without objections, or nothing.
pub(super) fn mended(mut draft: Draft, catalogue: &Catalogue) -> Option<Draft> {
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    for _ in 0..TURNS {
        match validate(&draft, &around) {
            Ok(_) => return Some(draft),
            Err(problems) => mend(&mut draft, &problems),
        }
    }
    None
}

fn mend(draft: &mut Draft, problems: &Problems) {
    let mut asked: Vec<String> = Vec::new();
    let mut dropped: Vec<String> = Vec::new();
    let mut schema_is_bad = false;
    for problem in problems.iter() {
        let step = problem.step.clone().unwrap_or_default();
        let field = problem.field.clone().unwrap_or_default();
        schema_is_bad |= step.is_empty();
        let top = field
            .split(['.', '['])
            .next()
            .unwrap_or_default()
            .to_owned();
        let argument = field
            .strip_prefix("input.")
            .and_then(|rest| rest.split(['.', '[']).next());
        let argument = argument.map(str::to_owned);
        each_step(&mut draft.steps, &mut |found| {
            if found.id != step {
                return;
            }
            match (top.as_str(), &argument) {
                ("fallbacks", _) => found.fallbacks.clear(),
                ("expect", _) => found.expect.clear(),
                ("purpose", _) => found.purpose = None,
                ("input", Some(name)) => {
                    let input = input_name(&found.id, name);
                    if let Some(Value::Object(arguments)) = &mut found.input {
                        arguments.insert(name.clone(), json!(format!("{{{{ input.{input} }}}}")));
                    }
                    asked.push(input);
                }
                _ => dropped.push(found.id.clone()),
            }
        });
    }
    if schema_is_bad {
        forget_details(draft);
    }
    drop_steps(&mut draft.steps, &dropped);
    for name in asked {
        ask(draft, &name);
    }
}

fn input_name(step: &str, argument: &str) -> String {
    super::assembly::identifier(&format!("{step}_{argument}"))
}

fn each_step(steps: &mut [Step], visit: &mut dyn FnMut(&mut Step)) {
    for step in steps {
        visit(step);
        if let Some(inner) = &mut step.step {
            each_step(std::slice::from_mut(&mut **inner), visit);
        }
        each_step(&mut step.steps, visit);
    }
}

fn drop_steps(steps: &mut Vec<Step>, names: &[String]) {
    steps.retain(|step| {
        let inner = step
            .step
            .as_ref()
            .is_some_and(|inner| names.contains(&inner.id));
        !names.contains(&step.id) && !inner
    });
    for step in steps.iter_mut() {
        drop_steps(&mut step.steps, names);
    }
    steps.retain(|step| {
        step.kind != holloway_plan::step::StepType::Parallel || !step.steps.is_empty()
    });
}

/// Inputs keep their names and values; what else was said of them is left out.
fn forget_details(draft: &mut Draft) {
    let properties = draft
        .input
        .as_mut()
        .and_then(|input| input.get_mut("properties"));
    for (_, property) in properties
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
    {
        let default = property.get("default").cloned();
        *property = match default {
            Some(default) => json!({"default": default}),
            None => json!({}),
        };
    }
}

fn ask(draft: &mut Draft, name: &str) {
    let input = draft
        .input
        .get_or_insert_with(|| json!({"type": "object", "properties": {}}));
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        properties.entry(name).or_insert_with(|| json!({}));
    }
    if let Value::Object(fields) = input {
        let required = fields.entry("required").or_insert_with(|| json!([]));
        if let Value::Array(names) = required
            && !names.contains(&json!(name))
        {
            names.push(json!(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use holloway_plan::read::read_text;
    use holloway_plan::tool::{Effect, ToolSpec};
    use holloway_plan::write;
    use holloway_search::entry::Entry;
    use holloway_search::rank::Repute;

    use super::*;

    #[test]
    fn what_does_not_fit_is_asked_for_or_left_out() {
        let schema = json!({"type": "object", "required": ["count"], "additionalProperties": false,
            "properties": {"count": {"type": "integer"}}});
        let tools = ["a/one", "a/two"].map(|id| ToolSpec::named(id).with_effect(Effect::Read));
        let tools = tools.map(|tool| match tool.id.name() {
            "one" => tool.with_input(schema.clone()),
            _ => tool.with_input(
                json!({"type": "object", "required": ["other"], "properties": {"other": {}}}),
            ),
        });
        let catalogue =
            Catalogue::new(tools.map(|tool| (tool, Entry::default(), Repute::default())));
        let text = "version: \"1.0\"\nsteps:\n  - {id: a, tool: one, input: {count: many}, fallbacks: [two]}\n  - {id: b, tool: gone}\n";
        let draft = read_text(text, &Limits::default()).unwrap().draft;
        let mended = mended(draft, &catalogue).unwrap();
        insta::assert_snapshot!(write::yaml(&mended));
    }
}
