//! How do tasks that are already taken apart become plans to choose from? One plan for each
//! strategy, by what it prefers, and each tracks itself; tasks that no tool does are told.

use holloway_planner::advanced::{
    AdvancedError, AtHand, ExpectedOutcome, PlanningConstraints, ProgressTracker, TrackedPlan,
    of_tasks, plan_advanced,
};
use holloway_planner::drafts::Missing;
use holloway_planner::frame::constraints::{Constraints, Priority};
use holloway_planner::read::choose::Understood;
use holloway_planner::read::tasks;
use holloway_planner::read::tasks::pattern::Pattern;
use holloway_planner::settings::Strategy;
use serde::Serialize;

use super::{EMBEDDED, Heard, Made, Planned, Planner};
use crate::model::spend::Spent;

/// How many steps a strategy for tasks aims at: as many as there are tasks.
const ALL: usize = usize::MAX;

/// The plans for tasks.
#[derive(Debug)]
pub struct TaskPlans {
    pub planned: Planned,
    pub tracked: Vec<Tracked>,
}

/// How the way to the goal is measured in the plan of one strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Tracked {
    pub strategy: String,
    pub tracker: ProgressTracker,
    pub hypotheses: Vec<ExpectedOutcome>,
}

impl Planner {
    /// The journey for tasks: sequence, bind, hypothesise, track, once for each strategy.
    pub fn plan_tasks(&self, pattern: &Pattern) -> Result<TaskPlans, AdvancedError> {
        let limits = pattern.limits;
        let at_hand = AtHand {
            registry: &self.catalogue,
            scene: self.has_looked.then_some(&self.scene),
            past: Some(&self.past),
            settings: Some(&self.settings),
        };
        let (mut made, mut tracked) = (Vec::new(), Vec::new());
        let mut notes = Notes::default();
        let mut understood = Understood::default();
        let mut missing: Vec<Missing> = Vec::new();
        let strategies = self.strategies(limits.priority);
        for strategy in &strategies {
            let wanted = PlanningConstraints {
                goal: pattern.objective.clone(),
                seconds: limits.seconds,
                money: limits.money,
                priority: strategy.prefers,
                profiles: self.settings.profiles,
            };
            let plan = match plan_advanced(&pattern.tasks, &wanted, &at_hand) {
                Err(AdvancedError::Bind(lacking)) => {
                    // No strategy does what no tool does.
                    missing = lacking
                        .iter()
                        .map(holloway_planner::advanced::BindError::missing)
                        .collect();
                    break;
                }
                planned => planned?,
            };
            notes.hear(&strategy.name, &plan);
            made.push(Made {
                drafted: of_tasks(&plan, &strategy.name),
                by: EMBEDDED.to_owned(),
            });
            understood.frame = plan.frame;
            tracked.push(Tracked {
                strategy: strategy.name.clone(),
                tracker: plan.tracker,
                hypotheses: plan.hypotheses,
            });
        }
        let none = made.is_empty();
        if none {
            let tasks: Vec<_> = pattern.tasks.iter().collect();
            let limits = Constraints::default();
            understood.frame = tasks::read(&tasks, limits, &self.scene, &self.catalogue);
        }
        understood.frame.constraints = constraints(pattern);
        let heard = Heard {
            understood,
            ..Heard::default()
        };
        let told = notes.told(strategies.len());
        let mut planned = self.shown(heard, made, Spent::default(), told);
        if none {
            self.name_packages(&mut missing);
            planned.missing = missing;
        }
        Ok(TaskPlans { planned, tracked })
    }

    /// The strategies that prefer what the tasks ask for; all when they do not say.
    fn strategies(&self, asked: Option<Priority>) -> Vec<Strategy> {
        let mut strategies = self.settings.strategies.clone();
        let Some(asked) = asked else {
            return strategies;
        };
        strategies.retain(|strategy| strategy.prefers == asked);
        if strategies.is_empty() {
            strategies.push(Strategy {
                name: asked.word().to_owned(),
                steps: ALL,
                prefers: asked,
            });
        }
        strategies.truncate(1);
        strategies
    }
}

/// What limits the plans, as the tasks say it.
fn constraints(pattern: &Pattern) -> Constraints {
    let limits = pattern.limits;
    Constraints {
        seconds: limits.seconds,
        money: limits.money,
        priority: limits.priority.unwrap_or_default(),
        ..Constraints::default()
    }
}

/// What was noted, and in the plans of which strategies.
#[derive(Default)]
struct Notes(Vec<(String, Vec<String>)>);

impl Notes {
    fn hear(&mut self, strategy: &str, plan: &TrackedPlan) {
        let named = plan.tasks.iter().flat_map(|task| {
            let id = &task.sequenced.task.id;
            let names = &task.sequenced.task.tools;
            let gone = task.passed_over.iter();
            let gone = gone.filter(|one| names.iter().any(|name| name == one.tool.as_str()));
            gone.map(move |one| {
                let (name, instead) = (&one.tool, &task.tool.id);
                format!(
                    "task {id}: {name} is not used, {}; {instead} is taken instead",
                    one.why
                )
            })
        });
        for note in plan.notes.iter().cloned().chain(named) {
            match self.0.iter_mut().find(|(known, _)| *known == note) {
                Some((_, strategies)) => strategies.push(strategy.to_owned()),
                None => self.0.push((note, vec![strategy.to_owned()])),
            }
        }
    }

    /// What holds for all plans is told once, the rest with their names.
    fn told(self, plans: usize) -> Vec<String> {
        let told = self.0.into_iter().map(|(note, strategies)| {
            if strategies.len() == plans {
                note
            } else {
                format!("{}: {note}", strategies.join(", "))
            }
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use holloway_plan::tool::{Effect, ToolSpec};
    use holloway_planner::read::tasks::pattern;
    use holloway_planner::settings::{GenerateSettings, Profile};
    use serde_json::{Value, json};

    use super::*;
    use crate::model::prompt::tools::tests::tools;
    use crate::skills::Skills;

    fn planned_or_not(document: &Value) -> Result<TaskPlans, AdvancedError> {
        let tools = tools();
        let tools = tools.iter().map(|tool| (tool, None));
        let planner = Planner::new(tools, Skills::shipped(), GenerateSettings::default());
        planner.plan_tasks(&pattern::read(document).unwrap())
    }

    fn told(document: &Value) -> String {
        let TaskPlans { planned, tracked } = planned_or_not(document).unwrap();
        let mut lines: Vec<String> = Vec::new();
        for card in &planned.cards {
            let steps = card.steps.iter();
            let steps: Vec<String> = steps
                .map(|note| format!("{}={}", note.step, note.tool))
                .collect();
            lines.push(format!("{}: {}", card.strategy, steps.join(" ")));
        }
        let same = planned.same.iter();
        lines.extend(same.map(|same| format!("{} is {}", same.strategy, same.as_strategy)));
        lines.extend(tracked.iter().map(|one| {
            let (nodes, hypotheses) = (one.tracker.nodes, one.tracker.hypotheses);
            format!(
                "{} tracks {nodes} nodes, {hypotheses} hypotheses",
                one.strategy
            )
        }));
        lines.extend(
            planned
                .missing
                .iter()
                .map(|one| format!("missing: {}", one.capability)),
        );
        lines.extend(planned.notes);
        lines.join("\n")
    }

    #[test]
    fn every_strategy_plans_the_tasks_and_tracks_them() {
        let document = json!({"objective": "Count", "steps": [
            {"id": 1, "action": "fetch page", "inputs": {"url": "https://a.example"}, "success_criteria": "it is pretty"},
            {"id": 2, "action": "count words", "depends_on": [1], "tools": ["no-such-tool", "text-stats"]},
            {"id": 3, "action": "knit_a_pullover", "depends_on": [2]},
        ]});
        insta::assert_snapshot!(told(&document), @"
        thorough: step_1=builtin/page-fetch step_2=builtin/text-stats
        quick: step_1=builtin/page-fetch step_2=builtin/text-stats
        balanced is quick
        thorough tracks 2 nodes, 1 hypotheses
        quick tracks 2 nodes, 1 hypotheses
        balanced tracks 2 nodes, 1 hypotheses
        missing: knit a pullover
        step_1: “it is pretty” is for you to check; no tool can
        task 2: no-such-tool is not used, it is not at hand; builtin/text-stats is taken instead
        ");
    }

    #[test]
    fn what_matters_most_can_be_said() {
        let document =
            json!({"steps": [{"action": "fetch page"}], "constraints": {"priority": "cost"}});
        insta::assert_snapshot!(told(&document), @"
        cost: step_1=builtin/page-fetch
        cost tracks 1 nodes, 1 hypotheses
        you have to say first: `url`
        ");
    }

    #[test]
    fn tasks_that_nothing_does_make_no_plan() {
        let TaskPlans { planned, .. } =
            planned_or_not(&json!([{"action": "knit_a_pullover"}])).unwrap();
        assert!(planned.cards.is_empty());
        assert_eq!(planned.missing[0].capability, "knit a pullover");
        let cycle = json!([{"id": 1, "action": "a", "depends_on": 2}, {"id": 2, "action": "b", "depends_on": 1}]);
        assert!(planned_or_not(&cycle).is_err());
    }

    #[test]
    fn the_profiles_of_the_settings_choose_between_tools() {
        let tool = |id: &str, latency_ms: u64, price: f64| {
            let mut tool = ToolSpec::named(id).with_effect(Effect::Read);
            "Translates a text. Returns the text".clone_into(&mut tool.description);
            (tool.latency_ms, tool.price) = (Some(latency_ms), Some(price));
            tool
        };
        let mut tools = tools();
        tools.push(tool("mcp.dear/translate_quick", 100, 0.5));
        tools.push(tool("mcp.slow/translate_deep", 20_000, 0.0));
        let pattern = pattern::read(&json!({
            "steps": [{"action": "translate the text"}], "constraints": {"priority": "speed"},
        }));
        let pattern = pattern.unwrap();
        let taken = |settings: GenerateSettings| {
            let tools = tools.iter().map(|tool| (tool, None));
            let planner = Planner::new(tools, Skills::shipped(), settings);
            let plans = planner.plan_tasks(&pattern).unwrap().planned.cards;
            plans[0].steps[0].tool.clone()
        };
        let mut settings = GenerateSettings::default();
        assert_eq!(taken(settings.clone()), "mcp.dear/translate_quick");
        settings.profiles.speed = Profile {
            fidelity: 0.0,
            speed: 0.0,
            cost: 1.0,
        };
        assert_eq!(taken(settings), "mcp.slow/translate_deep");
    }
}
