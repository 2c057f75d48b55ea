//! How do the examples read when they are explained? One snapshot per form.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // tests read files and fail loudly

use std::fmt::Write;

use holloway_plan::explain;

#[path = "explain/examples.rs"]
mod examples;
#[path = "explain/tools.rs"]
mod tools;

/// Plans without an id are named after their digest, which changes with any tool.
fn stable() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter("plan-[0-9a-f]{8}", "plan-[digest]");
    settings.add_filter("\"version\": \"[0-9a-f]{32}\"", "\"version\": \"[digest]\"");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("explain/snapshots");
    settings
}

#[test]
fn every_example_as_text() {
    for (name, text) in examples::all() {
        let plan = tools::plan(&text);
        let explained = explain::text(&plan, &tools::dag(&plan));
        stable().bind(|| {
            insta::assert_snapshot!(format!("{}.text", name.replace('/', "-")), explained);
        });
    }
}

#[test]
fn every_example_as_drawings() {
    for (name, text) in examples::all() {
        let dag = tools::dag(&tools::plan(&text));
        let name = name.replace('/', "-");
        stable().bind(|| {
            insta::assert_snapshot!(format!("{name}.mermaid"), explain::mermaid(&dag));
            insta::assert_snapshot!(format!("{name}.dot"), explain::dot(&dag));
        });
    }
}

#[test]
fn an_example_as_data() {
    let (_, text) = examples::all()
        .into_iter()
        .find(|(name, _)| name == "writes")
        .unwrap();
    let plan = tools::plan(&text);
    stable().bind(|| {
        insta::assert_json_snapshot!("writes.json", explain::json(&plan, &tools::dag(&plan)));
    });
}

/// Names no drawing language likes.
const AWKWARD: &str = r##"
version: "1.0"
id: 'a "quoted" plan \ with {braces}'
steps:
  - id: end
    tool: builtin/echo
    purpose: "\"]; --> <script>"
    input: { value: 1 }
  - id: size-of-it
    tool: builtin/echo
    when: end != "größe 日本 ]\"#;`|{{"
    input: { value: "{{end}}" }
  - id: subgraph
    type: conditional
    condition: end == "a\\b <c> & \"d\" [e] (f)"
    then:
      - { id: graph, tool: builtin/echo, input: { value: 2 } }
  - id: node
    type: approve
    depends_on: [subgraph]
    ask: "Sure?\nReally?"
  - id: empty
    type: loop
    over: []
    steps:
      - { id: inner, tool: builtin/echo, input: { value: "{{item}}" } }
"##;

#[test]
fn awkward_names_stay_inside_their_labels() {
    let dag = tools::dag(&tools::plan(AWKWARD));
    stable().bind(|| {
        insta::assert_snapshot!("awkward.mermaid", explain::mermaid(&dag));
        insta::assert_snapshot!("awkward.dot", explain::dot(&dag));
    });
}

/// Gives every drawing to Graphviz itself where it is installed.
#[test]
#[allow(clippy::disallowed_types)] // the one test that needs another program
fn graphviz_draws_every_example() {
    let plans = examples::all()
        .into_iter()
        .map(|(_, text)| text)
        .chain([AWKWARD.to_owned()]);
    let drawings: String = plans.fold(String::new(), |mut all, text| {
        write!(all, "{}", explain::dot(&tools::dag(&tools::plan(&text)))).unwrap();
        all
    });
    let mut command = std::process::Command::new("dot");
    command.arg("-Tsvg").stdin(std::process::Stdio::piped());
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        return;
    };
    let mut stdin = child.stdin.take().unwrap();
    let feeder =
        std::thread::spawn(move || std::io::Write::write_all(&mut stdin, drawings.as_bytes()));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}
