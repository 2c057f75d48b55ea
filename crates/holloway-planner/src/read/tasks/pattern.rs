//! How does a plan of the planning pattern become tasks? `{objective, steps: [{id, action,
//! desc, tools, depends_on, success_criteria}], constraints}`, or the bare list of steps; ids
//! may be numbers, single values stand for lists of one.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{SubTaskItem, TASKS_AT_MOST};
use crate::frame::constraints::Priority;
use crate::text::clip;

/// A plan of the planning pattern, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    pub objective: String,
    pub tasks: Vec<SubTaskItem>,
    pub limits: TaskLimits,
}

impl Pattern {
    /// All that it says, for whoever looks what is there before it is planned.
    pub fn text(&self) -> String {
        let tasks = self.tasks.iter().flat_map(|task| {
            let inputs = task.inputs.values().map(Value::to_string);
            std::iter::once(task.text()).chain(inputs)
        });
        let all = std::iter::once(self.objective.clone()).chain(tasks);
        all.collect::<Vec<_>>().join("\n")
    }
}

/// What tasks must keep to together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskLimits {
    pub seconds: Option<f64>,
    /// US dollars.
    pub money: Option<f64>,
    /// What matters most; every strategy has its own when nothing is said.
    pub priority: Option<Priority>,
}

/// What a document may say beside its steps; the first two mean the same, and so do the next.
const KNOWN: [&str; 8] = [
    "objective",
    "goal",
    "steps",
    "tasks",
    "subtasks",
    "constraints",
    "id",
    "version",
];

/// Why a document is no such plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("not a plan: expected an object with `steps`, or a list of steps; found {0}")]
    Shape(&'static str),
    #[error("`{found}` is nothing that tasks have; known are {}", KNOWN.join(", "))]
    Unknown { found: String },
    #[error("`constraints` is not readable: {0}")]
    Constraints(String),
    #[error("the plan has no steps")]
    Empty,
    #[error("the plan has {0} steps; at most {TASKS_AT_MOST} are read")]
    TooLong(usize),
    #[error("step {place} is not readable: {reason}")]
    Step { place: usize, reason: String },
}

/// A step as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Option<Value>,
    #[serde(default)]
    action: String,
    #[serde(default, alias = "description")]
    desc: String,
    #[serde(default, alias = "tool")]
    tools: Value,
    #[serde(default, alias = "dependsOn")]
    depends_on: Value,
    #[serde(default, alias = "successCriteria")]
    success_criteria: Value,
    #[serde(default, alias = "input")]
    inputs: Map<String, Value>,
    #[serde(alias = "output")]
    output_schema: Option<Value>,
}

/// Reads a plan of the planning pattern.
pub fn read(document: &Value) -> Result<Pattern, PatternError> {
    let (objective, steps, limits) = match document {
        Value::Array(steps) => (String::new(), steps, TaskLimits::default()),
        Value::Object(fields) => {
            let unknown = fields.keys().find(|name| !KNOWN.contains(&name.as_str()));
            if let Some(found) = unknown {
                let found = clip(found, 40);
                return Err(PatternError::Unknown { found });
            }
            let first = |names: &[&str]| names.iter().find_map(|name| fields.get(*name));
            let objective = first(&["objective", "goal"]).and_then(Value::as_str);
            let steps = first(&["steps", "tasks", "subtasks"]).and_then(Value::as_array);
            let steps = steps.ok_or(PatternError::Shape("an object without a list `steps`"))?;
            let limits = limits(fields.get("constraints"))?;
            (objective.unwrap_or_default().to_owned(), steps, limits)
        }
        other => return Err(PatternError::Shape(kind_of(other))),
    };
    match steps.len() {
        0 => return Err(PatternError::Empty),
        count if count > TASKS_AT_MOST => return Err(PatternError::TooLong(count)),
        _ => {}
    }
    let tasks = steps.iter().enumerate();
    let tasks: Result<Vec<SubTaskItem>, PatternError> = tasks
        .map(|(index, step)| {
            task(step, index + 1).map_err(|reason| PatternError::Step {
                place: index + 1,
                reason,
            })
        })
        .collect();
    Ok(Pattern {
        objective,
        tasks: tasks?,
        limits,
    })
}

fn limits(said: Option<&Value>) -> Result<TaskLimits, PatternError> {
    let Some(said) = said else {
        return Ok(TaskLimits::default());
    };
    let limits: TaskLimits = serde_json::from_value(said.clone())
        .map_err(|error| PatternError::Constraints(error.to_string()))?;
    let odd = |amount: f64| !amount.is_finite() || amount < 0.0;
    if limits.seconds.is_some_and(odd) || limits.money.is_some_and(odd) {
        let why = "`seconds` and `money` are at least 0".to_owned();
        return Err(PatternError::Constraints(why));
    }
    Ok(limits)
}

fn task(step: &Value, place: usize) -> Result<SubTaskItem, String> {
    let written: Written =
        serde_json::from_value(step.clone()).map_err(|error| error.to_string())?;
    let id = match &written.id {
        // Steps without an id are counted.
        None | Some(Value::Null) => place.to_string(),
        Some(id) => word(id).ok_or("`id` is neither a number nor a text")?,
    };
    if written.action.trim().is_empty() && written.desc.trim().is_empty() {
        return Err("it has neither `action` nor `desc`, so nobody knows what to do".to_owned());
    }
    Ok(SubTaskItem {
        id,
        action: written.action,
        description: written.desc,
        depends_on: words(&written.depends_on, "depends_on")?,
        tools: words(&written.tools, "tools")?,
        success_criteria: words(&written.success_criteria, "success_criteria")?,
        inputs: written.inputs,
        output: written.output_schema,
    })
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A list, one value, or nothing.
fn words(value: &Value, field: &str) -> Result<Vec<String>, String> {
    let bad = || format!("`{field}` holds something that is neither a number nor a text");
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Vec::new()),
        Value::Array(items) => items
            .iter()
            .map(|item| word(item).ok_or_else(bad))
            .collect(),
        one => word(one).map(|word| vec![word]).ok_or_else(bad),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(document: &Value) -> String {
        match read(document) {
            Ok(pattern) => {
                let tasks = pattern.tasks.iter().map(|task| {
                    format!(
                        "{} {} {} after [{}] with [{}] until [{}]",
                        task.id,
                        task.action,
                        task.description,
                        task.depends_on.join(" "),
                        task.tools.join(" "),
                        task.success_criteria.join(" ")
                    )
                });
                let tasks: Vec<String> = tasks.collect();
                format!("{}\n{}", pattern.objective, tasks.join("\n"))
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_example_of_the_pattern_is_read() {
        let document = json!({"objective": "Market analysis report", "steps": [
            {"id": 1, "action": "search_competitors", "tools": ["web_search"]},
            {"id": 2, "action": "collect_pricing", "depends_on": [1], "tools": ["web_search"]},
            {"id": 3, "action": "synthesize", "depends_on": [1, 2], "tools": ["LLM"]},
        ]});
        insta::assert_snapshot!(told(&document), @r"
        Market analysis report
        1 search_competitors  after [] with [web_search] until []
        2 collect_pricing  after [1] with [web_search] until []
        3 synthesize  after [1 2] with [LLM] until []
        ");
    }

    #[test]
    fn the_answer_to_the_minimal_prompt_is_read() {
        let document = json!([
            {"id": "a", "desc": "find pages", "tools": "sitemap", "depends_on": [], "success_criteria": "pages is not empty"},
            {"desc": "write it down", "depends_on": "a"},
        ]);
        insta::assert_snapshot!(told(&document), @r"
        a  find pages after [] with [sitemap] until [pages is not empty]
        2  write it down after [a] with [] until []
        ");
    }

    #[test]
    fn what_is_no_such_plan_is_refused() {
        let check = |document: Value, expected: &str| assert_eq!(told(&document), expected);
        check(
            json!("do it"),
            "not a plan: expected an object with `steps`, or a list of steps; found a text",
        );
        check(
            json!({"steps": 3}),
            "not a plan: expected an object with `steps`, or a list of steps; found an object without a list `steps`",
        );
        check(json!([]), "the plan has no steps");
        check(
            json!({"steps": [], "constrants": {}}),
            "`constrants` is nothing that tasks have; known are objective, goal, steps, tasks, subtasks, constraints, id, version",
        );
        check(
            json!({"steps": [], "constraints": {"money": -1}}),
            "`constraints` is not readable: `seconds` and `money` are at least 0",
        );
        check(
            json!([{"id": 1}]),
            "step 1 is not readable: it has neither `action` nor `desc`, so nobody knows what to do",
        );
        check(
            json!([{"id": [1], "action": "x"}]),
            "step 1 is not readable: `id` is neither a number nor a text",
        );
        check(
            json!([{"action": "x", "tools": [{}]}]),
            "step 1 is not readable: `tools` holds something that is neither a number nor a text",
        );
        let long = vec![json!({"action": "x"}); TASKS_AT_MOST + 1];
        check(
            json!(long),
            "the plan has 1001 steps; at most 1000 are read",
        );
    }
}
