//! Do our own tools and tools of other people come together in one plan?

use holloway_plan::tool::Effect;
use holloway_planner::frame::scene::{Column, File, Holds};
use serde_json::{Value, json};

use super::*;

/// The built-in tools as they declare themselves.
const OWN: &str = include_str!("../../../../holloway-planner/tests/data/builtin-tools.jsonl");

fn orders() -> File {
    let column = |name: &str, holds, values: &[&str]| Column {
        name: name.to_owned(),
        holds,
        values: values.iter().map(ToString::to_string).collect(),
        repeats: true,
        gaps: false,
    };
    File {
        name: "orders.csv".to_owned(),
        columns: vec![
            column("customer", Holds::Texts, &["Ada", "Ben"]),
            column("status", Holds::Texts, &["open", "paid"]),
            column("amount", Holds::Numbers, &[]),
        ],
    }
}

fn planner(others: Vec<ToolSpec>) -> Planner {
    let own = OWN.lines().map(|line| serde_json::from_str(line).unwrap());
    let tools: Vec<ToolSpec> = own.chain(others).collect();
    let scene = Scene {
        files: vec![orders()],
        ..Scene::default()
    };
    let tools = tools.iter().map(|tool| (tool, None));
    Planner::new(tools, Skills::default(), GenerateSettings::default()).with_scene(scene)
}

fn other(id: &str, about: &str, input: Value, output: Value) -> ToolSpec {
    let mut tool = ToolSpec::named(id).with_input(input);
    about.clone_into(&mut tool.description);
    tool.output_schema = output;
    tool.effect = Effect::Write;
    tool
}

fn announcing() -> ToolSpec {
    let text = json!({"type": "string"});
    other(
        "mcp.board/announce_message",
        "Announce a message on the notice board of the office.",
        json!({"type": "object", "required": ["message"], "properties": {"message": text}}),
        Value::Null,
    )
}

fn tickets() -> ToolSpec {
    let row = json!({"type": "object", "properties": {"title": {"type": "string"}, "age": {"type": "integer"}}});
    let mut tool = other(
        "mcp.desk/list_tickets",
        "List the tickets of the help desk.",
        json!({"type": "object", "properties": {}}),
        json!({"type": "object", "properties": {"tickets": {"type": "array", "items": row}}}),
    );
    tool.effect = Effect::Read;
    tool
}

/// The steps of the first card with what they take, as JSON.
fn steps(planned: &Planned) -> Vec<(String, Value)> {
    let card = planned.cards.first().unwrap_or_else(|| {
        let missing: Vec<String> = planned.missing.iter().map(Missing::told).collect();
        panic!("no plan: {missing:?}")
    });
    assert!(card.missing.is_empty(), "{:?}", card.missing);
    let steps = card.plan.draft().steps.iter();
    let steps = steps.map(|step| {
        let tool = step.tool.clone().unwrap_or_default();
        (tool, step.input.clone().unwrap_or_default())
    });
    steps.collect()
}

#[test]
fn what_we_count_is_handed_to_a_tool_of_other_people() {
    let planner = planner(vec![announcing()]);
    let planned = planner.plan("Count the open orders in orders.csv, then announce the number.");
    let steps = steps(&planned);
    let (tool, input) = steps.last().unwrap();
    assert_eq!(tool, "announce_message");
    let handed = "{{ data_group.rows | first | dictsort | first | last | string }}";
    assert_eq!(input, &json!({"message": handed}));
    assert_eq!(steps[0].0, "csv-read");
    // Every part is in the account, and the places are those of the whole request.
    let frame = &planned.understood.frame;
    assert_eq!(frame.goals.len(), 2);
    assert!(frame.goals[1].said.at.start > frame.goals[0].said.at.start);
    let goals: Vec<usize> = planned.cards[0]
        .serves
        .iter()
        .map(|part| part.goal)
        .collect();
    assert!(goals.contains(&0) && goals.contains(&1), "{goals:?}");
}

#[test]
fn what_a_tool_of_other_people_gives_is_saved_by_ours() {
    let planner = planner(vec![tickets()]);
    let planned = planner.plan(
        "List the tickets of the help desk, then sort them by age and save them as tickets.csv.",
    );
    let called: Vec<String> = steps(&planned).into_iter().map(|(tool, _)| tool).collect();
    assert_eq!(called, ["list_tickets", "data-select", "csv-write"]);
}

#[test]
fn a_side_that_is_not_understood_makes_no_plan() {
    let planner = planner(vec![announcing()]);
    for request in [
        "Count the purple orders in orders.csv, then announce the number.",
        "Count the open orders in orders.csv, then knit a pullover.",
    ] {
        let planned = planner.plan(request);
        let whole = planned.cards.iter().filter(|card| card.missing.is_empty());
        assert_eq!(whole.count(), 0, "{request}");
    }
}
