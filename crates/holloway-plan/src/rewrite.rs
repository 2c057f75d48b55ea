//! What could a plan do better without meaning anything else? Each rule looks at
//! a sound plan and gives back a sound one, with a sentence for every change.

use serde::Serialize;

use crate::plan::Plan;

mod bind_defaults;
mod drop_unused;
mod lists;
mod merge_reads;
mod nature;
mod parallelise;
mod rename;

/// Something a rule did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub rule: &'static str,
    /// The steps that are different now or gone.
    pub steps: Vec<String>,
    pub sentence: String,
}

/// A better plan, and why it is better; never without a change.
pub type Rewritten = (Plan, Vec<Change>);

/// A way to make plans better.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub name: &'static str,
    /// What the rule does, for people.
    pub summary: &'static str,
    pub apply: fn(&Plan) -> Option<Rewritten>,
}

/// All rules, in the order in which one makes room for the next.
pub fn all() -> [Rule; 4] {
    [
        Rule {
            name: bind_defaults::NAME,
            summary: "write the tool's own defaults into the input, so that the plan says all it does",
            apply: bind_defaults::apply,
        },
        Rule {
            name: merge_reads::NAME,
            summary: "make identical read-only calls once",
            apply: merge_reads::apply,
        },
        Rule {
            name: drop_unused::NAME,
            summary: "leave out read-only calls whose result nobody reads",
            apply: drop_unused::apply,
        },
        Rule {
            name: parallelise::NAME,
            summary: "let steps that only look run together instead of one after the other",
            apply: parallelise::apply,
        },
    ]
}

/// Rounds after which a rule that undoes another is given up on.
const ROUNDS: usize = 100;

/// Applies all rules until none finds anything more to do.
pub fn optimise(plan: &Plan) -> Rewritten {
    let mut best = plan.clone();
    let mut changes = Vec::new();
    for _ in 0..ROUNDS {
        let before = changes.len();
        for rule in all() {
            if let Some((better, made)) = (rule.apply)(&best) {
                best = better;
                changes.extend(made);
            }
        }
        if changes.len() == before {
            break;
        }
    }
    (best, changes)
}
