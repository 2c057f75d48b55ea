//! What does planning learn from a run that reached its goal? The request, the tools in
//! order, and whose result went into which; arguments that hold data of one run stay out.

use holloway_plan::plan::Plan;
use holloway_plan::reference::references_of;
use holloway_plan::step::Step;
use holloway_planner::recall::PastRun;

/// A run as planning remembers it; nothing for a plan without tools.
pub fn past_run(request: &str, plan: &Plan) -> Option<PastRun> {
    let mut steps: Vec<&Step> = Vec::new();
    plan.draft().walk(&mut |step| steps.push(step));
    let calls: Vec<&Step> = steps
        .into_iter()
        .filter(|step| step.tool.is_some())
        .collect();
    let tool_of = |step: &&Step| {
        let name = step.tool.as_deref()?;
        plan.tool(name).map(|tool| tool.id.to_string())
    };
    let tools: Vec<String> = calls.iter().filter_map(tool_of).collect();
    if tools.is_empty() || tools.len() != calls.len() {
        return None;
    }
    Some(PastRun {
        request: request.to_owned(),
        links: links(&calls),
        arguments: Vec::new(),
        tools,
    })
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
    use holloway_plan::tool::{ToolSpec, ToolTable};
    use holloway_plan::validate::{NoPlans, Surroundings, validate};

    use super::*;

    #[test]
    fn tools_and_links_are_remembered_and_data_is_not() {
        let text = "
version: '1.0'
steps:
  - { id: a, tool: find, input: { key: secret } }
  - id: both
    type: parallel
    steps:
      - { id: b, tool: look, input: { x: '{{ a.x }}' } }
      - { id: c, tool: look, input: { x: 1 } }
  - { id: d, tool: tell, input: { all: ['{{ b }}', '{{ a }}'] } }
";
        let limits = Limits::default();
        let tools = ToolTable::new(["x/find", "x/look", "x/tell"].map(ToolSpec::named));
        let around = Surroundings {
            tools: &tools,
            plans: &NoPlans,
            context: &[],
            limits: &limits,
        };
        let plan = validate(&read_text(text, &limits).unwrap().draft, &around).unwrap();
        let past = past_run("tell me", &plan).unwrap();
        insta::assert_json_snapshot!(past, @r#"
        {
          "request": "tell me",
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
          "arguments": []
        }
        "#);
    }
}
