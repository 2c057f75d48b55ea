//! Which tool is taken, which is passed over, and with what it is called.

use serde_json::json;

use super::super::tests::{Sample, catalogue, samples, task};
use super::super::{PlanningConstraints, SubTaskItem, sequence_and_prioritize};
use super::*;
use crate::frame::constraints::Priority;

fn bound_all(
    tasks: &[SubTaskItem],
    priority: Priority,
    samples: Vec<Sample>,
) -> Result<Vec<BoundTask>, BindError> {
    let constraints = PlanningConstraints {
        priority,
        ..PlanningConstraints::default()
    };
    let sequenced = sequence_and_prioritize(tasks, &constraints).unwrap();
    bind_tools(&sequenced, &catalogue(samples))
}

fn one(task: SubTaskItem, priority: Priority, samples: Vec<Sample>) -> BoundTask {
    bound_all(&[task], priority, samples).unwrap().remove(0)
}

#[test]
fn between_tools_that_fit_the_profile_decides() {
    let tool = |priority| {
        let bound = one(task("a", "web search", &[]), priority, samples());
        bound.tool.id.source().to_owned()
    };
    assert_eq!(tool(Priority::Speed), "mcp.quick");
    assert_eq!(tool(Priority::Cost), "mcp.quick");
    assert_eq!(tool(Priority::Fidelity), "mcp.deep");
}

#[test]
fn a_tool_that_is_named_is_taken_and_the_next_best_stands_by() {
    let mut named = task("a", "look for shops", &[]);
    named.tools = vec!["no-such-tool".to_owned(), "web_search_deep".to_owned()];
    named.description = "search the web".to_owned();
    let bound = one(named, Priority::Speed, samples());
    assert_eq!(bound.tool.id.source(), "mcp.deep");
    assert_eq!(
        bound.reason,
        "named with the task; takes about 9000 ms; works"
    );
    let missing = &bound.passed_over[0];
    assert_eq!(
        (missing.tool.as_str(), missing.why.as_str()),
        ("no-such-tool", "it is not at hand")
    );
    assert_eq!(bound.fallbacks, [ToolId::new("mcp.quick/web_search")]);
}

#[test]
fn broken_tools_and_those_of_another_form_are_passed_over() {
    let mut broken = samples();
    for sample in &mut broken {
        if sample.id.starts_with("mcp.quick") {
            sample.health = Health::Broken;
        }
    }
    let bound = one(task("a", "web search", &[]), Priority::Speed, broken);
    assert_eq!(bound.tool.id.source(), "mcp.deep");
    let why = &bound.passed_over[0].why;
    assert_eq!(why, "it did not work when last called");

    let mut wanting = task("a", "web search", &[]);
    wanting.inputs.insert("color".to_owned(), json!("red"));
    let error = bound_all(&[wanting], Priority::Speed, samples()).unwrap_err();
    assert!(error.to_string().contains("it takes no `color`"), "{error}");

    let mut wanting = task("a", "web search", &[]);
    wanting.output = Some(json!({"type": "object", "required": ["summary"]}));
    let error = bound_all(&[wanting], Priority::Speed, samples()).unwrap_err();
    assert!(
        error.to_string().contains("its result has no `summary`"),
        "{error}"
    );
}

#[test]
fn arguments_come_from_the_task_from_results_or_from_the_person() {
    let tasks = [
        task("find", "web search", &[]),
        task("page", "fetch the page", &["find"]),
        task("prices", "extract prices", &["page"]),
        task("report", "write a report file", &["prices"]),
    ];
    let bound = bound_all(&tasks, Priority::Speed, samples()).unwrap();
    let told: Vec<String> = bound
        .iter()
        .map(|task| {
            let open: Vec<&str> = task.open.iter().map(|open| open.name.as_str()).collect();
            let arguments = Value::Object(task.arguments.clone());
            format!(
                "{} {arguments} open {}",
                task.tool.id.name(),
                open.join(" ")
            )
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    web_search {"query":"{{input.query}}"} open query
    page-fetch {"url":"{{find.urls[0]}}"} open 
    price-extract {"html":"{{page.html}}"} open 
    report-write {"path":"{{input.path}}","rows":"{{prices.rows}}"} open path
    "#);
}

#[test]
fn what_is_only_near_in_meaning_does_not_do_it() {
    let audit = || {
        let about = "Turns the findings of checks into one score from 0 to 100. Use it after the checks of the domain.";
        let input = json!({"results": {"type": "array"}});
        Sample::new(
            "builtin/audit-score",
            about,
            input,
            json!({"score": {"type": "number"}}),
        )
    };
    let mut wanted = task("a", "compare_checksums_of_backups", &[]);
    let bound = bound_all(
        std::slice::from_ref(&wanted),
        Priority::Balanced,
        vec![audit()],
    );
    assert!(matches!(bound, Err(BindError::NoTool { .. })), "{bound:?}");
    // The same where a tool was named that is not there.
    wanted.tools = vec!["checksums".to_owned()];
    let bound = bound_all(&[wanted], Priority::Balanced, vec![audit()]);
    assert!(matches!(bound, Err(BindError::NoTool { .. })), "{bound:?}");
    let own = task("a", "score the findings of checks", &[]);
    assert_eq!(
        one(own, Priority::Balanced, vec![audit()]).tool.id.name(),
        "audit-score"
    );
}
