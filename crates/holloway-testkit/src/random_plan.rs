//! What plans could people write? Plans drawn at random: every step kind,
//! nested, with data flow, conditions, fallbacks and failure policies.

use holloway_plan::step::MODEL_TOOL;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use serde_json::{Map, Value, json};

use crate::chance::Chance;

/// The tools that random plans call, one per effect class.
pub fn tools() -> ToolTable {
    let effects = [
        Effect::Read,
        Effect::Idempotent,
        Effect::Write,
        Effect::Destructive,
    ];
    let tools = effects.map(|effect| ToolSpec::named(format!("test/{effect}")).with_effect(effect));
    ToolTable::new(tools.into_iter().chain([model_tool()]))
}

/// What turns of phases are asked of.
pub fn model_tool() -> ToolSpec {
    ToolSpec {
        latency_ms: Some(2_000),
        ..ToolSpec::named(MODEL_TOOL).with_effect(Effect::Read)
    }
}

/// How a random plan may look.
#[derive(Clone, Copy, Debug)]
pub struct Taste {
    pub steps: usize,
    pub depth: usize,
    /// May steps end the whole run when they fail?
    pub may_fail: bool,
}

/// A plan drawn from a seed.
pub fn random_plan(seed: u64, taste: Taste) -> Value {
    let mut painter = Painter {
        chance: Chance::new(seed),
        taste,
        count: 0,
    };
    let sequential = painter.chance.percent(25);
    let steps = painter.list(taste.steps, 0, &mut Vec::new());
    json!({ "version": "1.0", "execution": if sequential { "sequential" } else { "dag" }, "steps": steps })
}

struct Painter {
    chance: Chance,
    taste: Taste,
    count: usize,
}

impl Painter {
    /// `visible` holds the names a step may read.
    fn list(&mut self, most: usize, depth: usize, visible: &mut Vec<String>) -> Vec<Value> {
        let length = 1 + self.chance.below(most.max(1));
        (0..length).map(|_| self.step(depth, visible)).collect()
    }

    fn step(&mut self, depth: usize, visible: &mut Vec<String>) -> Value {
        self.count += 1;
        let id = format!("s{}", self.count);
        let nested = depth < self.taste.depth && self.chance.percent(35);
        let mut step = if nested {
            self.composite(depth, visible)
        } else {
            self.call(visible)
        };
        step.insert("id".to_owned(), json!(id));
        if self.chance.percent(15) {
            step.insert(
                "when".to_owned(),
                json!(if self.chance.percent(50) {
                    "1 == 1"
                } else {
                    "1 == 2"
                }),
            );
        }
        self.failure_policy(&mut step);
        visible.push(id);
        Value::Object(step)
    }

    fn call(&mut self, visible: &[String]) -> Map<String, Value> {
        const TOOLS: [&str; 4] = [
            "test/read",
            "test/idempotent",
            "test/write",
            "test/destructive",
        ];
        let tool = TOOLS[self.chance.below(TOOLS.len())];
        let mut step = Map::from_iter([("tool".to_owned(), json!(tool))]);
        let mut input = Map::new();
        for index in 0..self.chance.below(3) {
            if let Some(reference) = self.reference(visible) {
                input.insert(format!("x{index}"), json!(reference));
            }
        }
        step.insert("input".to_owned(), Value::Object(input));
        if tool == "test/read" && self.chance.percent(30) {
            step.insert("fallbacks".to_owned(), json!(["test/idempotent"]));
        }
        if self.chance.percent(20) {
            step.insert(
                "expect".to_owned(),
                json!([{ "exists": "from" }, { "that": "output.items | length == 3" }]),
            );
        }
        step.insert(
            "retry".to_owned(),
            json!({ "max": self.chance.below(4), "base_ms": 5 }),
        );
        step
    }

    /// Optional reads survive skipped steps, so plans do not fail for that reason alone.
    fn reference(&mut self, visible: &[String]) -> Option<String> {
        let name = visible.get(self.chance.below(visible.len() + 1))?;
        Some(format!("{{{{ {name} | default('none') | length }}}}"))
    }

    fn composite(&mut self, depth: usize, visible: &[String]) -> Map<String, Value> {
        let mut inner = visible.to_vec();
        let step = match self.chance.below(6) {
            0 => {
                inner.push("item".to_owned());
                let over = json!(
                    (0..self.chance.below(4))
                        .map(|n| format!("i{n}"))
                        .collect::<Vec<_>>()
                );
                let steps = self.list(3, depth + 1, &mut inner);
                json!({ "type": "loop", "over": over, "as": "item", "concurrency": 1 + self.chance.below(3), "steps": steps })
            }
            1 => {
                let steps = self.list(4, depth + 1, &mut inner);
                json!({ "type": "parallel", "concurrency": 1 + self.chance.below(4), "steps": steps })
            }
            2 => {
                let condition = if self.chance.percent(50) {
                    "1 == 1"
                } else {
                    "1 == 2"
                };
                let mut other = visible.to_vec();
                let then = self.list(3, depth + 1, &mut inner);
                let otherwise = self.list(3, depth + 1, &mut other);
                json!({ "type": "conditional", "condition": condition, "then": then, "otherwise": otherwise })
            }
            3 => {
                inner.push("item".to_owned());
                let reducer = self.step(self.taste.depth, &mut inner);
                json!({ "type": "reduce", "input": [1, 2, 3], "as": "item", "reducer": reducer })
            }
            4 => self.phase(visible),
            _ => {
                inner.push("item".to_owned());
                inner.push("sum".to_owned());
                let reducer = self.step(self.taste.depth, &mut inner);
                json!({ "type": "reduce", "input": ["a", "b"], "as": "item", "initial": "", "accumulate": "sum", "reducer": reducer })
            }
        };
        step.as_object().unwrap().clone()
    }

    fn phase(&mut self, visible: &[String]) -> Value {
        let mut tools = vec!["test/read", "test/idempotent", "test/write"];
        tools.rotate_left(self.chance.below(3));
        tools.truncate(1 + self.chance.below(3));
        let goal = match self.reference(visible) {
            Some(reference) => format!("Look at {reference}"),
            None => "Look around".to_owned(),
        };
        let mut step = json!({
            "type": "phase", "goal": goal, "tools": tools, "max_calls": 1 + self.chance.below(5),
            "retry": { "max": self.chance.below(4), "base_ms": 5 }
        });
        if self.chance.percent(40) {
            let untils = [
                "calls >= 2",
                "results['read'].items | length == 3",
                "1 == 2",
            ];
            step["until"] = json!(untils[self.chance.below(untils.len())]);
        }
        step
    }

    fn failure_policy(&mut self, step: &mut Map<String, Value>) {
        let policies = if self.taste.may_fail {
            ["fail", "skip", "continue"]
        } else {
            ["continue", "skip", "continue"]
        };
        let policy = policies[self.chance.below(policies.len())];
        step.insert("on_error".to_owned(), json!(policy));
    }
}
