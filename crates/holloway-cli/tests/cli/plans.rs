//! `holloway plans`.

use crate::place::Place;

#[test]
fn saved_shown_run_and_removed() {
    let place = Place::with_plan(
        "version: '1.0'\nid: kept\nsteps:\n  - {id: a, tool: echo, input: {value: hello}}\n",
    );
    let none = place.run("plans");
    let saved = place.run("plans save plan.yaml");
    let named = place.run("plans save plan.yaml --as other");
    let listed = place.run("plans list");
    let shown = place.run("plans show kept");
    let ran = place.run("run kept --quiet");
    let checked = place.run("check other");
    let removed = place.run("plans remove kept");
    let gone = place.run("run kepp");
    let missing = place.run("plans show othe");
    place.check(
        "plans",
        &[
            &none, &saved, &named, &listed, &shown, &ran, &checked, &removed, &gone, &missing,
        ],
    );
}

#[test]
fn two_plans_step_by_step() {
    let place = Place::with_plan(
        "version: '1.0'\nid: a\nsteps:\n  - {id: page, tool: echo, input: {value: 1}}\n  - {id: gone, tool: no-such-tool}\n",
    );
    place.file(
        "other.yaml",
        "version: '1.0'\nid: b\nsteps:\n  - {id: page, tool: echo, input: {value: 2}}\n  - {id: new, tool: sleep, input: {ms: 1}}\n",
    );
    let text = place.run("plans diff plan.yaml other.yaml");
    assert_eq!(
        text.stdout,
        "plan.yaml → other.yaml\n- gone: no-such-tool\n+ new: sleep\n~ page\n    input.value: 1 → 2\n"
    );
    assert_eq!(text.code, Some(0));
    let same = place.json("plans diff plan.yaml plan.yaml");
    assert_eq!(same["same"], true);
    let missing = place.run("plans diff plan.yaml no-such-plan");
    assert_eq!(missing.code, Some(2));
    let twice = place.run("plans diff - -");
    assert!(
        twice.stderr.contains("only one of the two"),
        "{}",
        twice.stderr
    );
}

#[test]
fn another_plan_is_replaced_only_when_told() {
    let plan = |value: &str| {
        format!(
            "version: '1.0'\nid: kept\nsteps:\n  - {{id: a, tool: echo, input: {{value: {value}}}}}\n"
        )
    };
    let place = Place::with_plan(&plan("one"));
    assert_eq!(place.run("plans save plan.yaml").code, Some(0));
    let same = place.run("plans save plan.yaml");
    assert_eq!(same.code, Some(0), "{same}");
    place.file("plan.yaml", &plan("two"));
    let refused = place.run("plans save plan.yaml");
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(refused.stderr.contains("plan-exists"), "{refused}");
    let replaced = place.run("plans save plan.yaml --replace");
    assert_eq!(replaced.code, Some(0), "{replaced}");
    let shown = place.run("plans show kept");
    assert!(shown.stdout.contains("value: two"), "{shown}");
}

#[test]
fn a_made_plan_is_shown_by_its_id_and_spares_other_files() {
    let place = Place::new();
    place.file("prices.csv", "day,price\n1,2\n");
    let request = "plan 'read prices.csv and make a report'";
    let made = place.json(request);
    let id = made["plans"][0]["id"].as_str().unwrap();
    let shown = place.run(&format!("plans show {id}"));
    assert!(shown.stdout.starts_with("version:"), "{shown}");
    let refused = place.run(&format!("{request} -o prices.csv"));
    assert!(refused.stderr.contains("file-exists"), "{refused}");
    assert_eq!(place.read("prices.csv"), "day,price\n1,2\n");
    for typed in ["-o made.yaml", "-o made.yaml", "-o prices.csv --replace"] {
        let saved = place.run(&format!("{request} {typed}"));
        assert_eq!(saved.code, Some(0), "{saved}");
    }
    // The file of another plan is spared too.
    let other = "plan 'read prices.csv' -o made.yaml";
    let made = place.read("made.yaml");
    let refused = place.run(other);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(refused.stderr.contains("plan-exists"), "{refused}");
    assert_eq!(place.read("made.yaml"), made);
    let replaced = place.run(&format!("{other} --replace"));
    assert_eq!(replaced.code, Some(0), "{replaced}");
    assert_ne!(place.read("made.yaml"), made);
    let printed = place.json(&format!("{request} -o -"));
    assert!(printed["steps"].is_array(), "{printed}");
}

/// What lies in the current folder does not take the place of a template in a plan that is kept.
#[test]
fn a_kept_plan_takes_nothing_from_the_current_folder() {
    let outer = "version: '1.0'\nid: outer\nsteps:\n  - {id: inner, type: plan, plan: csv-summary, input: {file: a.csv, column: price}}\n";
    let place = Place::with_plan(outer);
    let saved = place.run("plans save plan.yaml --as outer");
    assert_eq!(saved.code, Some(0), "{saved}");
    place.file(
        "csv-summary.yaml",
        "version: '1.0'\nid: csv-summary\nsteps:\n  - {id: w, tool: file-write, approval: never, input: {path: pwned.txt, content: x}}\n",
    );
    let explained = place.run("explain outer");
    assert!(!explained.to_string().contains("pwned"), "{explained}");
    place.run("run outer --quiet");
    assert!(!place.path("pwned.txt").exists());
}

#[test]
fn a_name_can_be_typed_and_hides_no_template() {
    let place = Place::with_plan(
        "version: '1.0'\nid: one\nsteps:\n  - {id: read, tool: file-read, input: {path: a}}\n",
    );
    for name in ["", "my plan", "a/b", "../a"] {
        let refused = place.run(&format!("plans save plan.yaml --as '{name}'"));
        assert_eq!(refused.code, Some(2), "{refused}");
        assert!(
            refused.stderr.contains("letters, digits, dots"),
            "{refused}"
        );
    }
    let hiding = "plans save plan.yaml --as website-audit";
    let refused = place.run(hiding);
    assert!(
        refused
            .stderr
            .contains("a shipped template `website-audit`"),
        "{refused}"
    );
    assert_eq!(place.json("plans")["plans"].as_array().unwrap().len(), 0);
    for typed in [format!("{hiding} --replace"), hiding.to_owned()] {
        let saved = place.run(&typed);
        assert_eq!(saved.code, Some(0), "{saved}");
    }
}

/// A file that lies in the current folder does not take the place of a plan that was saved.
#[test]
fn a_file_does_not_hide_a_saved_plan() {
    let say = |id: &str, words: &str| {
        format!(
            "version: '1.0'\nid: {id}\nsteps:\n  - {{id: say, tool: echo, input: {{value: {words}}}}}\n"
        )
    };
    let place = Place::with_plan(&say("daily", "saved"));
    assert_eq!(place.run("plans save plan.yaml").code, Some(0));
    for name in ["daily", "website-audit", "other"] {
        place.file(name, &say("file", "from-the-file"));
    }
    for (wanted, is_file, is_told) in [
        ("daily", false, true),
        ("./daily", true, false),
        ("website-audit", false, true),
        ("./website-audit", true, false),
        ("other", true, false),
    ] {
        let shown = place.run(&format!("explain {wanted}"));
        let took_file = shown.stdout.contains("from-the-file");
        assert_eq!(took_file, is_file, "{shown}");
        let told = shown.stderr.contains(&format!("write ./{wanted}"));
        assert_eq!(told, is_told, "{shown}");
    }
    let ran = place.run("run daily --quiet");
    assert_eq!(ran.stdout.trim(), "saved", "{ran}");
}
