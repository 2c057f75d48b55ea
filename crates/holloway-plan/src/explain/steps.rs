//! What does each step say? One line for what it does, then only the fields that
//! differ from what every step has.

use serde::Serialize;
use serde_json::Value;

use super::clip;
use crate::plan::Plan;
use crate::step::{ApprovalRule, Expectation, Function, OnError, Step, StepType};

/// A step as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// Its place: `2` is the second step, `2.1` the first one inside it.
    pub number: String,
    pub id: String,
    #[serde(rename = "type")]
    pub kind: StepType,
    /// What it does, on one line.
    pub does: String,
    /// The name of its result, if not its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    pub details: Vec<Detail>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<Inside>,
}

/// Something more a step says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detail {
    pub name: &'static str,
    pub text: String,
}

/// A list of steps inside a step, with the field it stands in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inside {
    pub field: &'static str,
    pub steps: Vec<StepView>,
}

pub(super) fn of_list(plan: &Plan, steps: &[Step], before: &str) -> Vec<StepView> {
    let view =
        |(index, step): (usize, &Step)| of_step(plan, step, format!("{before}{}", index + 1));
    steps.iter().enumerate().map(view).collect()
}

fn of_step(plan: &Plan, step: &Step, number: String) -> StepView {
    let mut inside = Vec::new();
    for (field, steps) in step.inner() {
        let before = if field == "otherwise" {
            format!("{number}.otherwise.")
        } else {
            format!("{number}.")
        };
        inside.push(Inside {
            field,
            steps: of_list(plan, steps, &before),
        });
    }
    StepView {
        number,
        id: step.id.clone(),
        kind: step.kind,
        does: does(plan, step),
        output: step.output.clone(),
        purpose: step.purpose.as_deref().map(clip::sentence),
        details: details(step),
        inside,
    }
}

fn does(plan: &Plan, step: &Step) -> String {
    let list = |value: Option<&Value>| value.map(said_list).unwrap_or_default();
    let item = step.variable.as_deref().unwrap_or("item");
    let at_once = step
        .concurrency
        .map(|limit| format!(", {limit} at a time"))
        .unwrap_or_default();
    match step.kind {
        StepType::Tool => format!("call {}", tool_name(plan, step)),
        StepType::Final => match &step.function {
            Some(Function::Prompt { prompt }) => {
                format!("finish by asking the model \"{}\"", clip::line(prompt))
            }
            _ => format!("finish with {}", tool_name(plan, step)),
        },
        StepType::Loop => format!("for each {item} of {}{at_once}", list(step.over.as_deref())),
        StepType::Reduce => match (&step.accumulate, &step.initial) {
            (Some(carried), initial) => {
                format!(
                    "fold {} by {item} into {carried}, from {}",
                    list(step.input.as_ref()),
                    list(initial.as_deref())
                )
            }
            _ => format!(
                "reduce each {item} of {}{at_once}",
                list(step.input.as_ref())
            ),
        },
        StepType::Parallel => format!("together{at_once}"),
        StepType::Conditional => format!(
            "if {}",
            clip::line(step.condition.as_deref().unwrap_or_default())
        ),
        StepType::Plan => format!("run the plan {}", step.plan.as_deref().unwrap_or_default()),
        StepType::Approve => format!(
            "ask a person \"{}\"",
            clip::line(step.ask.as_deref().unwrap_or("Go on?"))
        ),
        StepType::Phase => format!(
            "work towards \"{}\"",
            clip::sentence(step.goal.as_deref().unwrap_or_default())
        ),
    }
}

fn said_list(value: &Value) -> String {
    match value {
        Value::String(path) => clip::line(path),
        Value::Array(items) => format!("{} listed items", items.len()),
        other => clip::value(other),
    }
}

fn tool_name(plan: &Plan, step: &Step) -> String {
    let name = step.called_tool().unwrap_or_default();
    plan.tool(name)
        .map_or_else(|| name.to_owned(), |tool| tool.id.to_string())
}

fn details(step: &Step) -> Vec<Detail> {
    let mut details = Vec::new();
    let mut add = |name, text: String| details.push(Detail { name, text });
    if let Some(when) = &step.when {
        add("when", clip::line(when));
    }
    if let (Some(input), false) = (&step.input, step.kind == StepType::Reduce) {
        for field in clip::fields(input) {
            add("input", field);
        }
    }
    if let Some(show) = &step.show {
        for field in clip::fields(show) {
            add("shows", field);
        }
    }
    step.tools
        .iter()
        .for_each(|tool| add("may use", tool.clone()));
    if let Some(until) = &step.until {
        add("until", clip::line(until));
    }
    step.expect
        .iter()
        .for_each(|expectation| add("expects", expected(expectation)));
    step.fallbacks
        .iter()
        .for_each(|tool| add("or else", tool.clone()));
    limits(step, &mut add);
    step.next
        .iter()
        .for_each(|edge| add("next", arrow(&edge.to, edge.when.as_deref())));
    details
}

fn limits(step: &Step, add: &mut dyn FnMut(&'static str, String)) {
    let mut number = |name, value: Option<u64>| {
        if let Some(value) = value {
            add(name, value.to_string());
        }
    };
    number("most items", step.max_items.map(|items| items as u64));
    number("most calls", step.max_calls.map(u64::from));
    number("most visits", step.max_visits.map(u64::from));
    number(
        "retries",
        step.retry
            .as_ref()
            .and_then(|retry| retry.max)
            .map(u64::from),
    );
    if let Some(ms) = step.timeout_ms {
        add("time limit", format!("{ms} ms"));
    }
    if let Some(cache) = &step.cache {
        add("remembered", format!("{} s", cache.ttl));
    }
    match step.on_error {
        None | Some(OnError::Fail) => {}
        Some(OnError::Skip) => add("on error", "skip it and what reads it".to_owned()),
        Some(OnError::Continue) => add("on error", "go on with null".to_owned()),
        Some(OnError::Repair) => add("on error", "repair".to_owned()),
        Some(OnError::Ask) => add("on error", "ask a person".to_owned()),
    }
    match step.approval {
        None | Some(ApprovalRule::Policy) => {}
        Some(ApprovalRule::Always) => add("approval", "always".to_owned()),
        Some(ApprovalRule::Never) => add("approval", "never".to_owned()),
    }
}

fn expected(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Schema(schema) => format!("a result that fits {}", clip::value(schema)),
        Expectation::That(condition) => clip::line(condition),
        Expectation::Exists(path) => format!("{path} exists"),
        Expectation::Unchanged(path) => format!("{path} unchanged"),
    }
}

fn arrow(to: &str, when: Option<&str>) -> String {
    when.map_or_else(
        || format!("{to}, otherwise"),
        |when| format!("{to} when {}", clip::line(when)),
    )
}
