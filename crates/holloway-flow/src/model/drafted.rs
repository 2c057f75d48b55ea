//! What does a card say about a plan that a model wrote? Why each step is there, which parts of
//! the frame its steps take, what a person has to supply.

mod answer;
mod calls;
mod conditions;
mod declared;
mod shown;
mod signs;
mod texts;
mod unasked;

use holloway_plan::needs::needed_inputs;
use holloway_plan::plan::Plan;
use holloway_planner::assemble::Account;
use holloway_planner::drafts::{Coverage, Drafted, Lack, Missing, StepNote};
use holloway_planner::frame::{Frame, Goal, Part};

use calls::{Call, calls};
use shown::Shown;
use unasked::unasked;

/// Nothing is known of how well a model chooses before its plans have run.
const FIT: f32 = 0.5;
/// Stands for the act itself among the parts of a goal.
const ACT: &str = "act";

/// A sound plan with its notes.
pub fn drafted(plan: &Plan, strategy: &str, frame: &Frame, model: &str) -> Drafted {
    let calls = calls(plan);
    let answer = plan.draft().answer.join(" ").to_lowercase();
    let shown = Shown {
        calls: &calls,
        answer: &answer,
    };
    let goals = frame.goals.iter().enumerate();
    let serves: Vec<Account> = goals
        .flat_map(|(number, goal)| accounts(goal, number, &shown))
        .collect();
    let mut missing = missing(frame, &serves);
    missing.extend(unasked(frame, &calls));
    let mut draft = plan.draft().clone();
    answer::fill(&mut draft, plan, frame, (&serves, &calls));
    Drafted {
        strategy: strategy.to_owned(),
        draft,
        steps: step_notes(plan, model),
        coverage: coverage(frame, &serves),
        missing,
        serves,
        open_inputs: needed_inputs(plan.draft()).into_keys().collect(),
        unused: Vec::new(),
        inferred: Vec::new(),
        fit: FIT,
    }
}

/// What a plan does not do of the goals, for whoever wrote it: the parts as they were read.
pub fn lacks(plan: &Plan, frame: &Frame) -> Vec<String> {
    let drafted = drafted(plan, "", frame, "");
    let open = drafted
        .serves
        .iter()
        .filter(|account| account.step.is_none());
    let open = open.filter_map(|account| {
        let value = account.value.as_ref()?;
        Some(format!("no step shows {}: {value}", account.slot))
    });
    let unfit = drafted.missing.iter().filter(|one| one.lack == Lack::Unfit);
    open.chain(unfit.map(Missing::told)).collect()
}

/// Which step takes which part.
fn accounts(goal: &Goal, number: usize, shown: &Shown<'_>) -> Vec<Account> {
    let mut calls = shown.calls.iter();
    let does = calls.find(|call| call.acts.contains(&goal.act));
    let parts = goal.parts.iter().map(|part| {
        let call = shown.call_of(part, goal);
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
