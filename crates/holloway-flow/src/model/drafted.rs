//! What does a card say about a plan that a model wrote? Why each step is there, which parts of
//! the frame its steps take, what a person has to supply.

mod answer;
mod calls;
mod texts;

use holloway_plan::needs::needed_inputs;
use holloway_plan::plan::Plan;
use holloway_planner::assemble::Account;
use holloway_planner::drafts::{Coverage, Drafted, Lack, Missing, StepNote};
use holloway_planner::frame::{Frame, Goal, Part};

use calls::{Call, calls};
use texts::{Ways, texts};

/// Nothing is known of how well a model chooses before its plans have run.
const FIT: f32 = 0.5;
/// Stands for the act itself among the parts of a goal.
const ACT: &str = "act";

/// A sound plan with its notes.
pub fn drafted(plan: &Plan, strategy: &str, frame: &Frame, model: &str) -> Drafted {
    let calls = calls(plan);
    let goals = frame.goals.iter().enumerate();
    let serves: Vec<Account> = goals
        .flat_map(|(number, goal)| accounts(goal, number, &calls))
        .collect();
    let mut draft = plan.draft().clone();
    answer::fill(&mut draft, plan, frame, (&serves, &calls));
    Drafted {
        strategy: strategy.to_owned(),
        draft,
        steps: step_notes(plan, model),
        coverage: coverage(frame, &serves),
        missing: missing(frame, &serves),
        serves,
        open_inputs: needed_inputs(plan.draft()).into_keys().collect(),
        unused: Vec::new(),
        inferred: Vec::new(),
        fit: FIT,
    }
}

/// Which step takes which part: one whose arguments have its texts, or the first of several that
/// have them together.
fn accounts(goal: &Goal, number: usize, calls: &[Call]) -> Vec<Account> {
    let does = calls.iter().find(|call| call.acts.contains(&goal.act));
    let parts = goal.parts.iter().map(|part| {
        let texts = texts(part);
        let has = |call: &Call, ways: &Ways| ways.iter().any(|text| call.has(text));
        let takes = |call: &&Call| texts.iter().all(|ways| has(call, ways));
        let together = || {
            let whole = texts
                .iter()
                .all(|ways| calls.iter().any(|call| has(call, ways)));
            let mut some = calls
                .iter()
                .filter(|call| texts.iter().any(|ways| has(call, ways)));
            some.next().filter(|_| whole)
        };
        let call = if texts.is_empty() {
            does.or(calls.last())
        } else {
            calls.iter().find(takes).or_else(together)
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

/// Words that no goal accounts for, and parts that no step takes.
fn missing(frame: &Frame, serves: &[Account]) -> Vec<Missing> {
    let left = frame.leftover.iter();
    let mut found: Vec<Missing> = left
        .map(|said| Missing::new(&said.text, Lack::Words))
        .collect();
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

#[cfg(test)]
mod tests;
