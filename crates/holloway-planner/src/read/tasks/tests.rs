//! Which acts and parts do tasks become?

use holloway_search::entry::Entry;
use holloway_search::rank::Repute;

use super::*;

fn registry() -> Catalogue {
    let tools = [
        (
            "builtin/file-read",
            vec!["read file.*:path -> text.*:content"],
        ),
        (
            "builtin/table-select",
            vec![
                "select table:rows -> table:rows with where=filters* limit=limit.rows last=limit.last",
            ],
        ),
        ("mcp.web/web_search", Vec::new()),
    ];
    Catalogue::new(tools.map(|(id, does)| {
        let mut tool = ToolSpec::named(id);
        tool.does = does.iter().map(|line| line.parse().unwrap()).collect();
        let entry = Entry {
            id: id.to_owned(),
            name: tool.id.name().to_owned(),
            ..Entry::default()
        };
        (tool, entry, Repute::default())
    }))
}

#[track_caller]
fn check(task: Value, expected: &str) {
    let task: SubTaskItem = serde_json::from_value(task).unwrap();
    let constraints = Constraints {
        money: Some(1.0),
        ..Constraints::default()
    };
    let frame = read(&[&task], constraints, &Scene::default(), &registry());
    assert_eq!(frame.constraints.money, Some(1.0));
    let goal = &frame.goals[0];
    let parts = goal.parts.iter();
    let parts = parts.map(|part| format!(" {}={} ({})", part.slot, part.value, part.said.text));
    let told = format!("{}{}", goal.act, parts.collect::<String>());
    assert_eq!(told, expected);
}

#[test]
fn a_named_tool_says_the_act_and_its_arguments_are_parts() {
    check(
        json!({"id": "a", "action": "look into it", "tools": ["file-read"], "inputs": {"path": "notes.txt"}}),
        r#"read sources={"path":"notes.txt"} (a.inputs.path)"#,
    );
    check(
        json!({"id": "b", "action": "narrow it down", "tools": ["table-select"],
            "inputs": {"limit": 3, "where": [{"column": "a", "op": "eq", "value": 1}]}}),
        r#"select limit={"rows":3} (b.inputs.limit) filters={"column":"a","op":"eq","value":1} (b.inputs.where)"#,
    );
}

#[test]
fn what_no_act_takes_stays_a_verb_with_its_object_and_arguments_by_name() {
    check(
        json!({"id": "c", "action": "search_competitors", "tools": ["web_search"], "inputs": {"query": "tents"}}),
        r#"other object="competitors" (competitors) arguments={"name":"query","value":"tents"} (c.inputs.query)"#,
    );
    check(
        json!({"id": "d", "action": "read the file", "tools": ["file-read"], "inputs": {"path": "{{c.path}}"}}),
        r#"other arguments={"name":"path","value":"{{c.path}}"} (d.inputs.path)"#,
    );
}

#[test]
fn dependencies_are_kept_by_number() {
    let task = |id: &str, needs: &[&str]| SubTaskItem {
        id: id.to_owned(),
        action: "search".to_owned(),
        depends_on: needs.iter().map(|need| (*need).to_owned()).collect(),
        ..SubTaskItem::default()
    };
    let tasks = [task("a", &[]), task("b", &[]), task("c", &["b", "a"])];
    let tasks: Vec<&SubTaskItem> = tasks.iter().collect();
    let frame = read(
        &tasks,
        Constraints::default(),
        &Scene::default(),
        &registry(),
    );
    assert_eq!(frame.goals[2].after, [1, 0]);
}
