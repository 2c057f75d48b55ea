//! `holloway explain`.

use crate::place::Place;

#[test]
fn in_every_form() {
    let place = Place::with_plan(
        "version: '1.0'\nid: explained\nsteps:\n  - {id: a, tool: echo, input: {value: 1}}\n  \
         - {id: b, tool: file-delete, input: {path: '{{a}}'}}\n",
    );
    let text = place.run("explain plan.yaml");
    let mermaid = place.run("explain plan.yaml --format mermaid");
    let dot = place.run("explain plan.yaml --format dot");
    let json = place.json("explain plan.yaml --optimize");
    assert_eq!(json["plan"]["id"], "explained");
    place.check("explain", &[&text, &mermaid, &dot]);
}
