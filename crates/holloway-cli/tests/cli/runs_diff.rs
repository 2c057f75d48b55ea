//! `holloway runs diff`.

use crate::place::Place;

#[test]
fn a_fork_is_compared_by_what_it_did_itself() {
    let place = Place::with_plan(
        "version: '1.0'\nid: compared\nexecution: sequential\nsteps:\n  - {id: same, tool: echo, input: {value: 1}}\n  \
         - {id: both, type: parallel, steps: [{id: left, tool: echo, input: {value: 2}}, {id: right, tool: echo, input: {value: 3}}]}\n  \
         - {id: other, tool: echo, input: {value: '{{input.x}}'}}\n",
    );
    place.run("run plan.yaml --quiet --input x=1");
    let name = |place: &Place| {
        let runs = place.json("runs list --limit 1");
        runs["runs"][0]["run"].as_str().unwrap().to_owned()
    };
    let first = name(&place);
    place.run(&format!(
        "runs fork {first} --from other --input x=2 --quiet"
    ));
    let fork = name(&place);
    let json = place.json(&format!("runs diff {first} {fork}"));
    let changed: Vec<(&str, &str)> = json["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            (
                change["of"].as_str().unwrap(),
                change["what"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(changed, [("other", "output")], "{json}");
    assert_eq!(json["taken_over"]["b"], serde_json::json!(["same", "both"]));
    let there = place.run(&format!("runs diff {first} {fork}"));
    let back = place.run(&format!("runs diff {fork} {first}"));
    place.check("diff_fork", &[&there, &back]);
}

#[test]
fn two_runs_side_by_side() {
    let place = Place::with_plan(
        "version: '1.0'\nid: compared\nexecution: sequential\nsteps:\n  - {id: same, tool: echo, input: {value: 1}}\n  \
         - {id: other, tool: echo, input: {value: '{{input.x}}'}}\n  \
         - {id: maybe, tool: echo, when: input.x > 1, input: {value: here}}\n",
    );
    let name = |place: &Place| {
        let runs = place.json("runs list --limit 1");
        runs["runs"][0]["run"].as_str().unwrap().to_owned()
    };
    place.run("run plan.yaml --quiet --input x=1");
    let a = name(&place);
    place.run("run plan.yaml --quiet --input x=2");
    let b = name(&place);
    let text = place.run(&format!("runs diff {a} {b}"));
    let same = place.run(&format!("runs diff {a} {a}"));
    let json = place.json(&format!("runs diff {a} {b}"));
    assert_eq!(json["same_plan"], true);
    assert_eq!(json["input"][0]["of"], "x");
    place.check("diff", &[&text, &same]);
}
