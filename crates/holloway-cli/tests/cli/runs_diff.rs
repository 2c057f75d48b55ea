//! `holloway runs diff`.

use crate::place::Place;

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
