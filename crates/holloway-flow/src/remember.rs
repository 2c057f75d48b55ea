//! What does planning learn from a run that reached its goal? The request, the tools in
//! order, whose result went into which, and settings that the plan chose by itself; data
//! of one run stays out.

mod constant;

use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::reference::references_of;
use holloway_plan::step::Step;
use holloway_plan::tool::ToolSpec;
use holloway_planner::catalogue::shape::Shape;
use holloway_planner::frame::{Entity, EntityKind};
use holloway_planner::recall::PastRun;
use serde_json::{Map, Value};

use crate::discreet::remembered;
use constant::{Said, may_be_kept, uses};

/// More arguments of one call than this are not looked at.
const ARGUMENTS_AT_MOST: usize = 40;

/// What is known of whether a run brought what was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A person said yes.
    Confirmed,
    /// A person said no.
    Refused,
    /// Nobody could be asked.
    Unasked,
}

/// The run as it is learned from: not at all where it was refused, and as one that nobody checked
/// where neither a person nor the plan itself did.
pub fn judged(past: PastRun, verdict: Outcome, is_checked: bool) -> Option<PastRun> {
    (verdict != Outcome::Refused).then(|| PastRun {
        unchecked: verdict == Outcome::Unasked && !is_checked,
        ..past
    })
}

/// Whether the run of a plan that reaches its end was checked by the plan: a step expects something,
/// or the tool behind an answer declares what it gives, to which the result is held.
pub fn checks_itself(plan: &Plan) -> bool {
    let draft = plan.draft();
    let ends = |path: &String| path.split(['.', '[']).next().map(str::to_owned);
    let mut answers: Vec<String> = draft.answer.iter().filter_map(ends).collect();
    if answers.is_empty() {
        answers.extend(draft.steps.last().map(|step| step.id.clone()));
    }
    let declares = |step: &Step| {
        let tool = step.tool.as_deref().and_then(|name| plan.tool(name));
        tool.is_some_and(|tool| !tool.output_schema.is_null())
    };
    let mut is_checked = false;
    draft.walk(&mut |step| is_checked |= !step.expect.is_empty());
    let mut steps = draft.steps.iter();
    is_checked
        || steps.any(|step| {
            let call = step.step.as_deref().unwrap_or(step);
            answers.contains(&step.id) && declares(call)
        })
}

/// A run as planning remembers it; nothing for a plan without tools. Texts that
/// `is_secret` knows are left out wherever they stand.
pub fn past_run(request: &str, plan: &Plan, is_secret: &dyn Fn(&str) -> bool) -> Option<PastRun> {
    let mut steps: Vec<&Step> = Vec::new();
    plan.draft().walk(&mut |step| steps.push(step));
    let calls: Vec<&Step> = steps
        .into_iter()
        .filter(|step| step.tool.is_some())
        .collect();
    let tool_of = |step: &&Step| {
        let name = step.tool.as_deref()?;
        plan.tool(name)
    };
    let tools: Vec<&Arc<ToolSpec>> = calls.iter().filter_map(tool_of).collect();
    if tools.is_empty() || tools.len() != calls.len() {
        return None;
    }
    let mut found = Vec::new();
    for input in calls.iter().filter_map(|step| step.input.as_ref()) {
        uses("", input, &mut found);
    }
    let said = Said::of(request, is_secret).with_uses(found);
    let pairs = calls.iter().zip(&tools);
    Some(PastRun {
        request: remembered(request),
        links: links(&calls),
        arguments: pairs
            .map(|(step, tool)| arguments(step, tool, &said))
            .collect(),
        tools: tools.iter().map(|tool| tool.id.to_string()).collect(),
        unchecked: false,
    })
}

/// Whether a plan has to do with every file and address among what its request names; one that
/// passes over any of them is no example.
pub fn uses_all_named(named: &[Entity], plan: &Plan, input: &Value) -> bool {
    let written = format!("{}{input}", holloway_plan::write::json(plan.draft())).to_lowercase();
    let is_named = |entity: &&Entity| matches!(entity.kind, EntityKind::File | EntityKind::Url);
    named.iter().filter(is_named).all(|entity| {
        let text = entity.text.trim_end_matches('/');
        let text = text.strip_prefix("./").unwrap_or(text).to_lowercase();
        let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
        written.contains(&text) || entity.kind == EntityKind::File && written.contains(name)
    })
}

/// Settings with their values; what else was given with nothing but its name, so that
/// nobody takes it for left out.
fn arguments(step: &Step, tool: &ToolSpec, said: &Said<'_>) -> Map<String, Value> {
    let known = Shape::of(&tool.input_schema);
    match &step.input {
        Some(Value::Object(given)) => given
            .iter()
            // Names that the tool does not declare may hold anything.
            .filter(|(name, _)| known.field(name).is_some())
            .take(ARGUMENTS_AT_MOST)
            .map(|(name, value)| {
                let kept = may_be_kept(tool, name, value, said);
                let value = if kept { value.clone() } else { Value::Null };
                (name.clone(), value)
            })
            .collect(),
        None => Map::new(),
        // All of it comes from elsewhere: which arguments there are is not known.
        Some(_) => known
            .fields()
            .take(ARGUMENTS_AT_MOST)
            .map(|(name, _)| (name.to_owned(), Value::Null))
            .collect(),
    }
}

/// Whose result is read by whom, by place in the list.
fn links(calls: &[&Step]) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    for (to, step) in calls.iter().enumerate() {
        let references = references_of(step);
        let names: Vec<&str> = references
            .iter()
            .flatten()
            .flat_map(|reference| reference.names())
            .collect();
        let earlier = calls.iter().enumerate().take(to);
        for (from, step) in earlier {
            let known_as = |name: &&str| **name == step.id || Some(*name) == step.output.as_deref();
            if names.iter().any(known_as) {
                links.push((from, to));
            }
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use holloway_plan::limits::Limits;
    use holloway_plan::read::read_text;
    use holloway_plan::tool::ToolTable;
    use holloway_plan::validate::{NoPlans, Surroundings, validate};
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check_checked(answer: &str, step: &str, tells: &[&str], expected: bool) {
        let text =
            format!("version: '1.0'\n{answer}\nsteps:\n  - {step}\n  - {{ id: z, tool: tell }}\n");
        let limits = Limits::default();
        let tools = ["x/find", "x/tell"].map(|id| {
            let mut tool = ToolSpec::named(id);
            if tells.contains(&tool.id.name()) {
                tool.output_schema = json!({"type": "object"});
            }
            tool
        });
        let tools = ToolTable::new(tools);
        let around = Surroundings {
            tools: &tools,
            plans: &NoPlans,
            context: &[],
            limits: &limits,
        };
        let plan = validate(&read_text(&text, &limits).unwrap().draft, &around).unwrap();
        assert_eq!(checks_itself(&plan), expected, "{text}");
    }

    #[test]
    fn expectations_and_declared_results_of_answers_check_a_run() {
        let find = "{ id: a, tool: find }";
        check_checked("", find, &[], false);
        check_checked("", find, &["tell"], true);
        check_checked("", find, &["find"], false);
        check_checked("answer: [a.rows]", find, &["find"], true);
        let expects = "{ id: a, tool: find, expect: [{ exists: rows }] }";
        check_checked("", expects, &[], true);
    }

    #[test]
    fn tools_and_links_are_remembered_and_data_is_not() {
        let text = "
version: '1.0'
steps:
  - { id: a, tool: find, input: { key: secret, limit: 25, city: Graz, other: 1 } }
  - id: both
    type: parallel
    steps:
      - { id: b, tool: look, input: { x: '{{ a.x }}' } }
      - { id: c, tool: look, input: { x: 1 } }
  - { id: d, tool: tell, input: { all: ['{{ b }}', '{{ a }}'] } }
";
        let limits = Limits::default();
        let find = json!({"type": "object", "properties": {
            "key": {"type": "string"}, "limit": {"type": "integer"}, "city": {"type": "string"}}});
        let mut tools = ["x/find", "x/look", "x/tell"].map(ToolSpec::named);
        tools[0].input_schema = find;
        let tools = ToolTable::new(tools);
        let around = Surroundings {
            tools: &tools,
            plans: &NoPlans,
            context: &[],
            limits: &limits,
        };
        let plan = validate(&read_text(text, &limits).unwrap().draft, &around).unwrap();
        let past = past_run("tell me of Graz", &plan, &|_| false).unwrap();
        let counts = |verdict, is_checked| {
            let judged = judged(past.clone(), verdict, is_checked);
            judged.map(|past| !past.unchecked)
        };
        assert_eq!(counts(Outcome::Refused, true), None);
        assert_eq!(counts(Outcome::Confirmed, false), Some(true));
        assert_eq!(counts(Outcome::Unasked, true), Some(true));
        assert_eq!(counts(Outcome::Unasked, false), Some(false));
        insta::assert_json_snapshot!(past, @r#"
        {
          "request": "tell me of Graz",
          "tools": [
            "x/find",
            "x/look",
            "x/look",
            "x/tell"
          ],
          "links": [
            [
              0,
              1
            ],
            [
              0,
              3
            ],
            [
              1,
              3
            ]
          ],
          "arguments": [
            {
              "key": null,
              "limit": 25,
              "city": null
            },
            {},
            {},
            {}
          ]
        }
        "#);
    }
}
