//! Has every step the fields its type needs, and none that belong to another type?

use super::{Surroundings, problem_at};
use crate::draft::Draft;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems};
use crate::step::{Function, Step, StepType};

use StepType::{Approve, Conditional, Final, Loop, Parallel, Phase, Plan, Reduce, Tool};

/// A field, whether a step has it, and the types it belongs to.
type Field = (&'static str, fn(&Step) -> bool, &'static [StepType]);

/// Fields that not every type has; `id`, `when`, `expect` and the like belong to all.
const FIELDS: [Field; 25] = [
    ("tool", |s| s.tool.is_some(), &[Tool]),
    ("over", |s| s.over.is_some(), &[Loop]),
    ("as", |s| s.variable.is_some(), &[Loop, Reduce]),
    (
        "concurrency",
        |s| s.concurrency.is_some(),
        &[Loop, Reduce, Parallel],
    ),
    ("max_items", |s| s.max_items.is_some(), &[Loop, Reduce]),
    ("step", |s| s.step.is_some(), &[Loop]),
    ("steps", |s| !s.steps.is_empty(), &[Loop, Parallel]),
    ("reducer", |s| s.reducer.is_some(), &[Reduce]),
    ("initial", |s| s.initial.is_some(), &[Reduce]),
    ("accumulate", |s| s.accumulate.is_some(), &[Reduce]),
    ("condition", |s| s.condition.is_some(), &[Conditional]),
    ("then", |s| !s.then.is_empty(), &[Conditional]),
    ("otherwise", |s| !s.otherwise.is_empty(), &[Conditional]),
    ("function", |s| s.function.is_some(), &[Final]),
    ("plan", |s| s.plan.is_some(), &[Plan]),
    ("show", |s| s.show.is_some(), &[Approve]),
    ("ask", |s| s.ask.is_some(), &[Approve]),
    ("tools", |s| !s.tools.is_empty(), &[Phase]),
    ("goal", |s| s.goal.is_some(), &[Phase]),
    ("until", |s| s.until.is_some(), &[Phase]),
    ("max_calls", |s| s.max_calls.is_some(), &[Phase]),
    (
        "input",
        |s| s.input.is_some(),
        &[Tool, Final, Plan, Reduce, Phase],
    ),
    ("retry", |s| s.retry.is_some(), &[Tool, Final, Phase]),
    ("fallbacks", |s| !s.fallbacks.is_empty(), &[Tool, Final]),
    ("cache", |s| s.cache.is_some(), &[Tool, Final]),
];

pub(super) fn check(draft: &Draft, _around: &Surroundings<'_>, problems: &mut Problems) {
    check_top(draft, problems);
    draft.walk(&mut |step| {
        if problems.is_full() {
            return;
        }
        let foreign = foreign_fields(step);
        // A forgotten `type` would otherwise be reported twice.
        if !(step.kind == Tool && step.tool.is_none() && !foreign.is_empty()) {
            check_needs(step, problems);
        }
        for problem in foreign {
            problems.push(problem);
        }
        check_blank(step, problems);
    });
}

fn check_top(draft: &Draft, problems: &mut Problems) {
    let top = Place::default();
    if draft.version != "1.0" {
        let message = if draft.version.is_empty() {
            "the plan does not say which version of the plan language it is written in".to_owned()
        } else {
            format!(
                "version `{}` of the plan language is not known",
                shortened(&draft.version)
            )
        };
        let problem = Problem::new(Code::PlanShape, top.field("version"), message);
        problems.push(
            problem
                .at_step("", "version")
                .with_hint("write `version: \"1.0\"`"),
        );
    }
    if draft.steps.is_empty() {
        let problem = Problem::new(Code::PlanShape, top.field("steps"), "the plan has no steps");
        problems.push(
            problem
                .at_step("", "steps")
                .with_hint("add at least one step"),
        );
    }
}

/// The start of a text somebody wrote, for a message.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

fn foreign_fields(step: &Step) -> Vec<Problem> {
    let mut found = Vec::new();
    for (name, present, types) in FIELDS {
        if !present(step) || types.contains(&step.kind) {
            continue;
        }
        let message = format!("`{name}` does not belong to `{}` steps", step.kind.as_str());
        let names: Vec<String> = types
            .iter()
            .map(|kind| format!("`{}`", kind.as_str()))
            .collect();
        let mut hint = format!("`{name}` belongs to {} steps", names.join(", "));
        if let ([only], Tool, None) = (types, step.kind, &step.tool) {
            hint = format!(
                "`{name}` belongs to {} steps; add `type: {}`",
                names.join(", "),
                only.as_str()
            );
        }
        found.push(problem_at(Code::PlanShape, step, name, message).with_hint(hint));
    }
    found
}

fn check_needs(step: &Step, problems: &mut Problems) {
    let mut needs = |field: &str, present: bool, hint: &str| {
        if !present {
            let message = format!("`{}` steps need `{field}`", step.kind.as_str());
            problems.push(problem_at(Code::PlanShape, step, field, message).with_hint(hint));
        }
    };
    match step.kind {
        Tool => needs(
            "tool",
            step.tool.is_some(),
            "name the tool to call, or give the step another `type`",
        ),
        Loop => {
            needs(
                "over",
                step.over.is_some(),
                "say which list to go through, such as `over: input.urls`",
            );
            needs(
                "step",
                step.step.is_some() || !step.steps.is_empty(),
                "add `step` or `steps`: what to do for each item",
            );
        }
        Parallel => needs(
            "steps",
            !step.steps.is_empty(),
            "list the steps that run side by side",
        ),
        Reduce => {
            needs(
                "input",
                step.input.is_some(),
                "say which list to go through, such as `input: pages`",
            );
            needs(
                "reducer",
                step.reducer.is_some(),
                "add the step that is run for each item",
            );
        }
        Conditional => {
            needs(
                "condition",
                step.condition.is_some(),
                "write what must hold, such as `condition: score.value > 0.5`",
            );
            let branches = !step.then.is_empty() || !step.otherwise.is_empty();
            needs("then", branches, "add steps to `then` or to `otherwise`");
        }
        Final => needs(
            "function",
            step.function.is_some(),
            "name a tool, or write `function: {prompt: …}` to ask a model",
        ),
        Plan => needs("plan", step.plan.is_some(), "name the saved plan to run"),
        Approve => needs(
            "ask",
            step.ask.is_some() || step.show.is_some(),
            "write what the person is asked or shown",
        ),
        Phase => {
            needs(
                "tools",
                !step.tools.is_empty(),
                "list the tools that may be used",
            );
            needs("goal", step.goal.is_some(), "write what is to be reached");
            let ends = step.until.is_some() || step.max_calls.is_some();
            needs(
                "until",
                ends,
                "a phase must end: add `until` or `max_calls`",
            );
        }
    }
    check_pairs(step, problems);
}

/// Fields that exclude or need each other.
fn check_pairs(step: &Step, problems: &mut Problems) {
    if step.kind == Loop && step.step.is_some() && !step.steps.is_empty() {
        let problem = problem_at(
            Code::PlanShape,
            step,
            "steps",
            "a loop has either `step` or `steps`, not both",
        );
        problems.push(problem.with_hint("move the single step into `steps`"));
    }
    if step.kind != Reduce {
        return;
    }
    let pair = match (&step.initial, &step.accumulate) {
        (Some(_), None) => (
            "initial",
            "accumulate",
            "name the value that is carried from item to item",
        ),
        (None, Some(_)) => ("accumulate", "initial", "say which value to start from"),
        _ => return,
    };
    let (has, lacks, hint) = pair;
    let problem = problem_at(
        Code::PlanShape,
        step,
        has,
        format!("`{has}` needs `{lacks}` beside it"),
    );
    problems.push(problem.with_hint(hint));
}

/// Texts that say nothing are most often a slip of whoever generated the plan.
fn check_blank(step: &Step, problems: &mut Problems) {
    let function = match &step.function {
        Some(Function::Named(text) | Function::Prompt { prompt: text }) => Some(text),
        None => None,
    };
    let texts = [
        ("when", step.when.as_ref()),
        ("condition", step.condition.as_ref()),
        ("until", step.until.as_ref()),
        ("tool", step.tool.as_ref()),
        ("function", function),
        ("plan", step.plan.as_ref()),
        ("goal", step.goal.as_ref()),
        ("ask", step.ask.as_ref()),
    ];
    for (field, text) in texts {
        if text.is_some_and(|text| text.trim().is_empty()) {
            let problem = problem_at(Code::PlanShape, step, field, format!("`{field}` is empty"));
            problems.push(problem.with_hint("fill it in, or leave the field out"));
        }
    }
}
