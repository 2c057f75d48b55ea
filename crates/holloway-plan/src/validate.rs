//! Is a plan sound? Every rule looks at the whole draft and reports all it
//! finds; a draft nobody objects to becomes a [`Plan`]. One rule, one file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::draft::Draft;
use crate::limits::Limits;
use crate::place::Place;
use crate::plan::Plan;
use crate::problem::{Code, Problem, Problems};
use crate::step::{Function, MODEL_TOOL, Step, StepType};
use crate::tool::{Lookup, ToolSpec, ToolTable};

mod answer;
mod cycles;
mod fallbacks;
mod fit;
mod formulas;
mod graph;
mod identifiers;
mod inputs;
mod limits;
mod names;
mod plans;
mod prompts;
mod references;
mod schemas;
mod shape;
mod tools;

use plans::Seen;

/// What a plan is checked against.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub tools: &'a ToolTable,
    /// Saved plans, by the name a `plan` step uses.
    pub plans: &'a dyn PlanLibrary,
    /// Names given to the plan besides `input`.
    pub context: &'a [&'a str],
    pub limits: &'a Limits,
}

/// Finds saved plans.
pub trait PlanLibrary {
    fn find(&self, name: &str) -> Option<Draft>;
    /// Known names, for hints.
    fn names(&self) -> Vec<String>;
}

/// No saved plans.
pub struct NoPlans;

impl PlanLibrary for NoPlans {
    fn find(&self, _name: &str) -> Option<Draft> {
        None
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A rule: looks at a draft, reports what is wrong.
type Rule = fn(&Draft, &Surroundings<'_>, &mut Problems);

/// Rules that make sense of the document; the later ones rely on them.
const FIRST: [Rule; 7] = [
    shape::check,
    limits::check,
    identifiers::check,
    names::check,
    schemas::check,
    formulas::check,
    answer::check,
];

/// Rules that look at what steps mean to each other.
const SECOND: [Rule; 5] = [
    tools::check,
    graph::check,
    fallbacks::check,
    inputs::check,
    prompts::check,
];

/// Checks a draft against all rules.
pub fn validate(draft: &Draft, around: &Surroundings<'_>) -> Result<Plan, Problems> {
    validate_owned(draft.clone(), around)
}

/// The same for a draft that nobody needs any more: a large one is kept only once.
pub fn validate_owned(draft: Draft, around: &Surroundings<'_>) -> Result<Plan, Problems> {
    validate_inside(draft, around, &[], &mut Seen::default()).map(|(plan, _)| plan)
}

/// `outer` names the plans this one is used by, so that no plan contains itself.
/// Returns the number of steps as well, with those of the plans inside.
fn validate_inside(
    draft: Draft,
    around: &Surroundings<'_>,
    outer: &[String],
    seen: &mut Seen,
) -> Result<(Plan, usize), Problems> {
    let mut problems = Problems::default();
    for rule in FIRST {
        rule(&draft, around, &mut problems);
    }
    // What is too large to be read is not read: the rest would cost too much to find.
    if problems
        .iter()
        .any(|problem| problem.code == Code::PlanTooLarge)
    {
        return Err(problems);
    }
    // Expressions are read once; who reads whose result is remembered for the cycles.
    let readings = references::check(&draft, around, &mut problems);
    cycles::check(&draft, &readings, &mut problems);
    drop(readings);
    for rule in SECOND {
        rule(&draft, around, &mut problems);
    }
    let (plans, size) = plans::resolve(&draft, around, outer, seen, &mut problems);
    let tools = used_tools(&draft, around.tools);
    problems
        .or(())
        .map(|()| (Plan::sound(draft, tools, plans), size))
}

/// The definitions of the tools a draft names, by the names it uses.
fn used_tools(draft: &Draft, table: &ToolTable) -> BTreeMap<String, Arc<ToolSpec>> {
    let mut used = BTreeMap::new();
    draft.walk(&mut |step| {
        for (_, name) in named_tools(step) {
            if let Lookup::Found(tool) = table.find(name) {
                used.entry(name.to_owned()).or_insert(tool);
            }
        }
        // A phase asks the model what is next, where there is one.
        if step.kind == StepType::Phase
            && let Lookup::Found(tool) = table.find(MODEL_TOOL)
        {
            used.entry(MODEL_TOOL.to_owned()).or_insert(tool);
        }
    });
    used
}

/// Every tool a step names, with the field it stands in.
fn named_tools(step: &Step) -> Vec<(String, &str)> {
    let field = if step.function.is_some() {
        "function"
    } else {
        "tool"
    };
    let mut named: Vec<(String, &str)> = Vec::new();
    named.extend(step.called_tool().map(|name| (field.to_owned(), name)));
    named.extend(
        step.fallbacks
            .iter()
            .enumerate()
            .map(|(i, name)| (format!("fallbacks[{i}]"), name.as_str())),
    );
    named.extend(
        step.tools
            .iter()
            .enumerate()
            .map(|(i, name)| (format!("tools[{i}]"), name.as_str())),
    );
    named
}

/// A problem with one field of a step; the field may lead further in, as `next[0].to` does.
fn problem_at(code: Code, step: &Step, field: &str, message: impl Into<String>) -> Problem {
    Problem::new(code, place_of(step, field), message).at_step(&name_of(step), field)
}

/// What a step is called in messages; one without id by its place.
fn name_of(step: &Step) -> String {
    if step.id.is_empty() {
        step.place.to_string()
    } else {
        step.id.clone()
    }
}

fn place_of(step: &Step, field: &str) -> Place {
    let mut place = step.place.clone();
    for part in field.split(['.', '[']) {
        place = match part.strip_suffix(']').and_then(|index| index.parse().ok()) {
            Some(index) => place.item(index),
            None => place.field(part),
        };
    }
    place
}

/// What a step gives to the tool it calls.
fn call_input(step: &Step) -> Cow<'_, Value> {
    let nothing = || Cow::Owned(Value::Object(Map::new()));
    let given = step.input.as_ref().map_or_else(nothing, Cow::Borrowed);
    match &step.function {
        Some(Function::Prompt { prompt }) if given.is_object() => {
            let mut input = given.into_owned();
            if let Value::Object(fields) = &mut input {
                fields
                    .entry("prompt")
                    .or_insert_with(|| Value::String(prompt.clone()));
            }
            Cow::Owned(input)
        }
        _ => given,
    }
}
