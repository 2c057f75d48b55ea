//! Which tool is taken, which is passed over, and with what it is called.

use serde_json::json;

use holloway_plan::step::ApprovalRule;
use holloway_plan::tool::Effect;
use holloway_search::rank::Health;

use super::super::tests::{Sample, catalogue, samples, task};
use super::super::{PlanningConstraints, SubTaskItem, plan_advanced, sequence_and_prioritize};
use super::*;
use crate::frame::constraints::{Constraints, Priority};
use crate::frame::scene::Scene;
use crate::read::tasks;

fn bound(tasks: &[SubTaskItem], priority: Priority, samples: Vec<Sample>) -> Bound {
    let constraints = PlanningConstraints {
        priority,
        ..PlanningConstraints::default()
    };
    let sequenced = sequence_and_prioritize(tasks, &constraints).unwrap();
    let registry = catalogue(samples);
    let items: Vec<&SubTaskItem> = sequenced.iter().map(|one| &one.task).collect();
    let frame = tasks::read(&items, Constraints::default(), &Scene::default(), &registry);
    bind_tools(&sequenced, &frame, &AtHand::tools(&registry))
}

fn bound_all(
    tasks: &[SubTaskItem],
    priority: Priority,
    samples: Vec<Sample>,
) -> Result<Vec<BoundTask>, BindError> {
    let Bound { tasks, lacking } = bound(tasks, priority, samples);
    lacking
        .into_iter()
        .next()
        .map_or(Ok(tasks), |(_, lack)| Err(lack))
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
    assert_eq!(bound.steps[0].fallbacks, ["mcp.quick/web_search"]);
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
            let arguments = Value::Object(task.arguments().unwrap().clone());
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

#[track_caller]
fn check_left(tasks: &[SubTaskItem], expected: &str) {
    let bound = bound(tasks, Priority::Balanced, samples());
    let told = bound.tasks.iter().map(|task| {
        let own = &task.sequenced;
        let only_after = own.after.iter().filter(|step| !own.before.contains(step));
        let only_after: Vec<&str> = only_after.map(String::as_str).collect();
        format!(
            "{}<{}~{} !{}",
            own.step,
            own.before.join("+"),
            only_after.join("+"),
            task.undone.join("+")
        )
    });
    assert_eq!(told.collect::<Vec<_>>().join(" | "), expected);
}

#[test]
fn the_order_behind_a_task_that_is_left_out_is_kept() {
    check_left(
        &[
            task("a", "fetch the page", &[]),
            task("b", "knit a pullover", &["a"]),
            task("c", "fetch the page", &["b"]),
            task("d", "fetch the page", &["c"]),
        ],
        "a<~ ! | c<~a !knit a pullover | d<c~ !knit a pullover",
    );
}

#[test]
fn several_that_are_left_out_one_behind_the_other() {
    check_left(
        &[
            task("d", "fetch the page", &["c", "a", "x"]),
            task("c", "milk the goats", &["b"]),
            task("b", "knit a pullover", &["a", "y"]),
            task("a", "fetch the page", &[]),
            task("x", "fetch the page", &[]),
            task("y", "fetch the page", &[]),
        ],
        "a<~ ! | y<~ ! | x<~ ! | d<a+x~y !knit a pullover+milk the goats",
    );
}

#[test]
fn what_does_harm_asks_when_something_before_it_was_left_out() {
    let mut delete = Sample::new(
        "builtin/file-delete",
        "Deletes a file. Returns its path",
        json!({"path": {"type": "string"}}),
        json!({"path": {"type": "string"}}),
    );
    delete.effect = Effect::Destructive;
    let mut tools = samples();
    tools.push(delete);
    let registry = catalogue(tools);
    let mut wipe = task("wipe", "delete a file", &["check"]);
    wipe.inputs.insert("path".to_owned(), json!("old.csv"));
    let tasks = [
        task("copy", "fetch the page", &[]),
        task("check", "compare_checksums_of_backups", &["copy"]),
        wipe,
    ];
    let constraints = PlanningConstraints::default();
    let tracked = plan_advanced(&tasks, &constraints, &AtHand::tools(&registry)).unwrap();
    assert_eq!(tracked.lacking.len(), 1);
    let [copy, wipe] = tracked.draft.steps.as_slice() else {
        panic!("{:?}", tracked.draft.steps);
    };
    assert_eq!(copy.approval, None);
    assert_eq!(wipe.approval, Some(ApprovalRule::Always));
    assert_eq!(wipe.depends_on, ["copy"]);
    assert!(
        tracked.notes.iter().any(|note| note
            .contains("“compare checksums of backups” was to be done before it and is left out")),
        "{:?}",
        tracked.notes
    );
}

#[test]
fn where_every_tool_is_at_hand_nothing_changes() {
    check_left(
        &[
            task("a", "fetch the page", &[]),
            task("b", "fetch the page", &["a"]),
        ],
        "a<~ ! | b<a~ !",
    );
}
