//! What does a card say about a plan that a model wrote? Why each step is there, which parts of
//! the frame its steps take, what a person has to supply.

use holloway_plan::needs::needed_inputs;
use holloway_plan::plan::Plan;
use holloway_planner::assemble::Account;
use holloway_planner::drafts::{Coverage, Drafted, Lack, Missing, StepNote};
use holloway_planner::frame::{Frame, Goal, Part};
use serde_json::Value;

/// Nothing is known of how well a model chooses before its plans have run.
const FIT: f32 = 0.5;
/// Stands for the act itself among the parts of a goal.
const ACT: &str = "act";
/// Fields of a part whose texts must stand in the arguments of a step. Others are said by the
/// choice of the tool, or in its own words.
const WRITTEN: [&str; 4] = ["path", "url", "column", "value"];
/// Slots that are no more than one text, and the same is true of them.
const TEXTS: [&str; 5] = ["pattern", "replacement", "text", "recipient", "on"];
/// Figures are ordered by names that a plan gives them itself.
const FREE: [&str; 2] = ["order", "compute"];

/// A sound plan with its notes.
pub fn drafted(plan: &Plan, strategy: &str, frame: &Frame, model: &str) -> Drafted {
    let calls = calls(plan);
    let goals = frame.goals.iter().enumerate();
    let serves: Vec<Account> = goals
        .flat_map(|(number, goal)| accounts(goal, number, &calls))
        .collect();
    Drafted {
        strategy: strategy.to_owned(),
        draft: plan.draft().clone(),
        steps: step_notes(plan, model),
        coverage: coverage(frame, &serves),
        missing: missing(&serves),
        serves,
        open_inputs: needed_inputs(plan.draft()).into_keys().collect(),
        unused: Vec::new(),
        inferred: Vec::new(),
        fit: FIT,
    }
}

/// A step that calls a tool.
struct Call {
    step: String,
    acts: Vec<String>,
    /// Its arguments, in lower case.
    written: String,
}

fn calls(plan: &Plan) -> Vec<Call> {
    let mut calls = Vec::new();
    plan.draft().walk(&mut |step| {
        if let Some(tool) = step.called_tool().and_then(|name| plan.tool(name)) {
            let input = step.input.as_ref().map(Value::to_string);
            calls.push(Call {
                step: step.id.clone(),
                acts: tool.does.iter().map(|does| does.act.clone()).collect(),
                written: input.unwrap_or_default().to_lowercase(),
            });
        }
    });
    calls
}

/// Which step takes which part: one whose arguments have its texts.
fn accounts(goal: &Goal, number: usize, calls: &[Call]) -> Vec<Account> {
    let does = calls.iter().find(|call| call.acts.contains(&goal.act));
    let parts = goal.parts.iter().map(|part| {
        let texts = texts(part);
        let takes = |call: &&Call| {
            texts
                .iter()
                .all(|text| call.written.contains(text.as_str()))
        };
        let call = if texts.is_empty() {
            does.or(calls.last())
        } else {
            calls.iter().find(takes)
        };
        account(number, &part.slot, part, call)
    });
    let parts: Vec<Account> = parts.collect();
    let served = parts.iter().find_map(|account| account.step.clone());
    let act = Account {
        goal: number,
        slot: ACT.to_owned(),
        said: goal.said.text.clone(),
        value: None,
        // A tool that does not say what it does is taken at its arguments.
        step: does.map(|call| call.step.clone()).or(served),
        argument: None,
    };
    std::iter::once(act).chain(parts).collect()
}

fn account(goal: usize, slot: &str, part: &Part, call: Option<&Call>) -> Account {
    Account {
        goal,
        slot: slot.to_owned(),
        said: part.said.text.clone(),
        value: Some(part.value.clone()),
        step: call.map(|call| call.step.clone()),
        argument: None,
    }
}

/// The texts of a part that a step must have in its arguments, in lower case, as JSON writes them.
fn texts(part: &Part) -> Vec<String> {
    let mut found = Vec::new();
    if !FREE.contains(&part.slot.as_str()) {
        let fields = WRITTEN.iter().filter_map(|field| part.value.get(field));
        fields.for_each(|value| texts_of(value, &mut found));
    }
    if TEXTS.contains(&part.slot.as_str()) {
        texts_of(&part.value, &mut found);
    }
    found
}

fn texts_of(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(_) => {
            let written = value.to_string().to_lowercase();
            found.push(written.trim_matches('"').trim_end_matches('/').to_owned());
        }
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, found)),
        _ => {}
    }
}

fn step_notes(plan: &Plan, model: &str) -> Vec<StepNote> {
    let mut notes = Vec::new();
    plan.draft().walk(&mut |step| {
        if let Some(tool) = step.called_tool().and_then(|name| plan.tool(name)) {
            let purpose = step.purpose.as_deref().unwrap_or("no purpose given");
            notes.push(StepNote {
                step: step.id.clone(),
                tool: tool.id.to_string(),
                reason: format!("{model}: {purpose}"),
                bindings: Vec::new(),
            });
        }
    });
    notes
}

fn coverage(frame: &Frame, serves: &[Account]) -> Vec<Coverage> {
    let goals = frame.goals.iter().enumerate();
    let rows = goals.map(|(number, goal)| {
        let own = || serves.iter().filter(move |account| account.goal == number);
        let mut steps: Vec<&str> = own()
            .filter_map(|account| account.step.as_deref())
            .collect();
        steps.sort_unstable();
        steps.dedup();
        Coverage {
            domain: goal.text.clone(),
            steps: steps.len(),
            covered: usize::from(own().all(|account| account.step.is_some())),
            available: 1,
        }
    });
    rows.collect()
}

/// Parts that no step takes.
fn missing(serves: &[Account]) -> Vec<Missing> {
    let mut found: Vec<Missing> = Vec::new();
    let unserved = serves
        .iter()
        .filter(|account| account.step.is_none() && !account.said.is_empty());
    for account in unserved {
        let missing = Missing::new(&account.said, Lack::Place);
        if !found.contains(&missing) {
            found.push(missing);
        }
    }
    found
}
