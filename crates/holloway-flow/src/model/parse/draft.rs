//! How does an answer become a draft? The forms of other planners are brought into our
//! language, with a note for each; what is still wrong then is told as for any plan.

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::place::Place;
use holloway_plan::problem::{Code, Problem, Problems};
use holloway_plan::read::read_value;
use holloway_plan::step::Step;
use serde_json::{Map, Value, json};

use super::forms;
use crate::model::repair::approvals;
use holloway_engine::model::find_json;

/// A draft as a model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    pub draft: Draft,
    /// What was brought into our language.
    pub notes: Vec<String>,
}

/// Why an answer is no draft.
#[derive(Clone, Debug, PartialEq)]
pub enum NoDraft {
    NotJson(String),
    NotAPlan(Problems),
}

/// A model's plan is for a person to choose: larger ones are mistakes.
pub fn limits() -> Limits {
    Limits {
        text_bytes: find_json::MOST_BYTES,
        values: 20_000,
        steps: 200,
        step_depth: 6,
        ..Limits::default()
    }
}

/// Reads an answer that is a plan.
pub fn parse(answer: &str) -> Result<Parsed, NoDraft> {
    parse_value(find_json::find(answer).map_err(NoDraft::NotJson)?)
}

/// Reads a plan as a model wrote it.
pub fn parse_value(value: Value) -> Result<Parsed, NoDraft> {
    let mut notes = Vec::new();
    let value = forms::brought_into_ours(plan_in(value, &mut notes), &mut notes);
    match read_value(&value, &limits()) {
        Ok(draft) => Ok(Parsed { draft, notes }),
        Err(problems) => Err(NoDraft::NotAPlan(problems)),
    }
}

/// One step as a model wrote it, in our language, if it can be read at all.
pub fn step_of(value: Value) -> Option<Step> {
    let plan = Map::from_iter([("steps".to_owned(), json!([value]))]);
    let plan = forms::brought_into_ours(plan, &mut Vec::new());
    let mut steps = read_value(&plan, &limits()).ok()?.steps;
    // What is taken out is noted once the whole plan is read.
    approvals::left_to_policy(&mut steps, &mut Vec::new());
    steps.pop()
}

/// The mapping with the steps: all of it, the list of steps alone, or wrapped up.
fn plan_in(value: Value, notes: &mut Vec<String>) -> Map<String, Value> {
    match value {
        Value::Array(steps) => {
            notes.push("the answer is a list of steps; taken as a plan".to_owned());
            Map::from_iter([("steps".to_owned(), Value::Array(steps))])
        }
        Value::Object(mut fields) => {
            let inner = fields
                .get("plan")
                .is_some_and(|plan| plan.get("steps").is_some() || plan.is_array());
            if fields.contains_key("steps") || !inner {
                return fields;
            }
            match fields.remove("plan") {
                Some(plan) => plan_in(plan, notes),
                None => fields,
            }
        }
        other => Map::from_iter([("steps".to_owned(), json!([other]))]),
    }
}

impl NoDraft {
    /// As problems of a plan.
    pub fn problems(self) -> Problems {
        match self {
            Self::NotAPlan(problems) => problems,
            Self::NotJson(why) => Problems(vec![Problem::new(
                Code::PlanUnreadable,
                Place::default(),
                why,
            )]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plan as YAML and the notes, or what is wrong.
    #[track_caller]
    fn check(name: &str, answer: &str) {
        let shown = match parse(answer) {
            Ok(parsed) => format!(
                "{}\n{}",
                holloway_plan::write::yaml(&parsed.draft),
                parsed.notes.join("\n")
            ),
            Err(NoDraft::NotJson(why)) => format!("not JSON: {why}"),
            Err(NoDraft::NotAPlan(problems)) => problems.to_string(),
        };
        insta::assert_snapshot!(name, format!("{answer}\n\n=>\n\n{shown}"));
    }

    #[test]
    fn a_plan_in_our_language() {
        check(
            "ours",
            r#"{"version": "1.0", "steps": [{"id": "a", "tool": "t", "input": {"x": 1}, "dependsOn": []}]}"#,
        );
    }

    #[test]
    fn the_minimal_form() {
        check(
            "minimal",
            r#"[{"id":1,"desc":"find competitors","tools":["web_search"],"depends_on":[],"success_criteria":"at least three are found"},
{"id":2,"action":"collect_pricing","depends_on":[1],"tools":["web_search", "other"],"input":{"names":"{{1.names}}"},"success_criteria":"prices | length >= 3"}]"#,
        );
    }

    #[test]
    fn forms_of_other_planners() {
        check(
            "others",
            r#"{"plan": {"objective": "x", "confidence": 0.9, "steps": [
 {"id": "step 1", "tool": {"id": "fetch"}, "arguments": {"url": "${input.url}"}, "timeoutMs": "5000", "title": "Fetch"},
 {"step_id": "b", "tool_name": "count", "params": {"n": "2"}, "dependencies": "step 1", "onError": "skip", "concurrency": null},
 {"id": "each", "type": "foreach", "over": "{{steps.step_1.output.links}}", "as": "link", "maxItems": "10", "step": {"tool": "fetch", "args": {"url": "{{link}}"}}},
 {"id": "if", "type": "if", "condition": "b.n > 1", "then": {"id": "t", "tool": "x"}, "else": []}
]}}"#,
        );
    }

    #[test]
    fn what_is_still_wrong_is_told() {
        check(
            "wrong",
            r#"{"version": "1.0", "steps": [{"id": "a", "tool": "t", "conditon": "x > 1"}, {"id": "b", "type": "magic"}, 5]}"#,
        );
        check("nothing", r#"{"answer": "no"}"#);
        check("prose", "I am sorry.");
    }
}
