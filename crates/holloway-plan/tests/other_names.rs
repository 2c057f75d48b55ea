//! A field that other formats call otherwise gets a hint to ours.

use holloway_plan::limits::Limits;
use holloway_plan::read::{PLAN_FIELDS, STEP_FIELDS, read_text};

/// The hints for a plan whose only mistake is a field.
fn hints(plan: &str) -> Vec<String> {
    let Err(problems) = read_text(plan, &Limits::default()) else {
        return Vec::new();
    };
    let hints = problems.iter().filter_map(|problem| problem.hint.clone());
    hints.collect()
}

fn step(field: &str) -> String {
    format!("version: '1.0'\nsteps:\n  - {{id: a, tool: echo, {field}: [b]}}\n")
}

#[test]
fn names_of_other_formats_lead_to_ours() {
    for (other, ours) in [
        ("after", "depends_on"),
        ("needs", "depends_on"),
        ("run-after", "depends_on"),
        ("if", "when"),
        ("args", "input"),
        ("foreach", "over"),
        ("retries", "retry"),
        ("timeout", "timeout_ms"),
        ("on_failure", "on_error"),
        ("dependson", "depends_on"),
        ("purpos", "purpose"),
    ] {
        let expected = format!("did you mean `{ours}`?");
        assert_eq!(hints(&step(other)), [expected], "{other}");
    }
    let plan = "version: '1.0'\ngoal: x\nsteps: [{id: a, tool: echo}]\n";
    assert_eq!(hints(plan), ["did you mean `objective`?"]);
}

#[test]
fn the_list_of_other_names_speaks_of_fields_there_are() {
    let text = include_str!("../data/other_names.json");
    let list: std::collections::BTreeMap<String, Vec<String>> = serde_json::from_str(text).unwrap();
    for field in list.keys() {
        let is_known = STEP_FIELDS.contains(field) || PLAN_FIELDS.contains(field);
        assert!(is_known, "there is no field `{field}`");
    }
}
