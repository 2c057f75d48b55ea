//! Plans in, templates out: with no input given, a template does what its plan did.

use holloway_plan::limits::Limits;
use holloway_plan::needs::needed_inputs;
use holloway_plan::read::read_text;
use holloway_plan::tool::ToolSpec;
use proptest::prelude::*;

use super::*;

fn draft_of(text: &str) -> Draft {
    read_text(text, &Limits::default()).unwrap().draft
}

fn tools() -> ToolTable {
    let schema = json!({"url": {"type": "string", "description": "Where to begin"}});
    ToolTable::new([ToolSpec::named("builtin/page-fetch").with_input(schema)])
}

/// Puts the defaults back where the references stand.
fn filled(value: &mut Value, inputs: &[Input]) {
    match value {
        Value::String(text) => {
            for input in inputs {
                let reference = format!("{{{{ input.{} }}}}", input.name);
                if *text == reference {
                    *value = input.default.clone();
                    return;
                }
                if let Some(default) = input.default.as_str() {
                    *text = text.replace(&reference, default);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| filled(item, inputs)),
        Value::Object(fields) => fields.values_mut().for_each(|field| filled(field, inputs)),
        _ => {}
    }
}

fn steps_of(draft: &Draft) -> Value {
    serde_json::to_value(&draft.steps).unwrap()
}

#[track_caller]
fn keeps_the_meaning(draft: &Draft) -> Inferred {
    let inferred = infer(draft, &tools());
    let mut steps = steps_of(&inferred.draft);
    filled(&mut steps, &inferred.inputs);
    assert_eq!(steps, steps_of(draft));
    assert!(needed_inputs(&inferred.draft).is_empty() || draft.input.is_some());
    inferred
}

#[test]
fn the_same_literal_is_one_input() {
    let draft = draft_of(
        r#"
version: "1.0"
id: watch
steps:
  - { id: page, tool: page-fetch, input: { url: "https://example.com/", timeout_ms: 5 } }
  - { id: other, tool: page-fetch, input: { url: "https://example.com/b" } }
  - id: each
    type: loop
    over: ["https://a.org/", "https://b.org/"]
    as: address
    step: { id: one, tool: page-fetch, input: { url: "{{ address }}" } }
  - id: report
    type: final
    function: create_report
    input: { title: "Seen on https://example.com/ today", path: out/page.md, query: tents, headers: { referer: "https://example.com/" } }
"#,
    );
    let inferred = keeps_the_meaning(&draft);
    let found: Vec<String> = inferred
        .inputs
        .iter()
        .map(|input| {
            format!(
                "{} = {} ({}) {}",
                input.name,
                input.default,
                input.description,
                input.used_in.join(" ")
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            r#"url = "https://example.com/" (Where to begin) page.url report.title"#,
            r#"other_url = "https://example.com/b" (Where to begin) other.url"#,
            r#"address_list = ["https://a.org/","https://b.org/"] (Address in step each) each.address_list"#,
            r#"path = "out/page.md" (File or folder in step report) report.path"#,
            r#"query = "tents" (Words to look for in step report) report.query"#,
        ]
    );
    let schema = inferred.draft.input.unwrap();
    assert_eq!(schema["properties"]["address_list"]["type"], "array");
    assert_eq!(
        schema["properties"]["url"]["default"],
        "https://example.com/"
    );
}

#[test]
fn inputs_that_are_there_stay() {
    let draft = draft_of(
        "version: '1.0'\ninput: {url: {type: string}}\nsteps:\n  - {id: a, tool: page-fetch, input: {url: '{{ input.url }}'}}\n  - {id: b, tool: page-fetch, input: {url: 'https://b.org/'}}\n",
    );
    let inferred = keeps_the_meaning(&draft);
    assert_eq!(inferred.inputs[0].name, "b_url");
    let properties = &inferred.draft.input.unwrap()["properties"];
    assert!(properties["url"].get("default").is_none() && properties["b_url"].is_object());
    let plain = draft_of("version: '1.0'\nsteps: [{id: a, tool: echo, input: {value: 1}}]");
    assert_eq!(infer(&plain, &tools()).draft, plain);
}

#[test]
fn what_ships_can_be_read_and_says_what_it_takes() {
    for template in shipped::all() {
        let draft = draft_of(template.text);
        assert_eq!(draft.id.as_deref(), Some(template.name));
        assert!(
            draft
                .objective
                .is_some_and(|objective| objective.len() > 20),
            "{}",
            template.name
        );
        let schema = draft.input.unwrap_or_default();
        let properties = schema["properties"].as_object().unwrap();
        for (name, property) in properties {
            assert!(
                property["description"].is_string(),
                "{}: {name}",
                template.name
            );
        }
    }
    let names: Vec<&str> = shipped::all()
        .iter()
        .map(|template| template.name)
        .collect();
    assert!(names.is_sorted() && names.len() >= 8, "{names:?}");
}

proptest! {
    #[test]
    fn any_plan_keeps_its_meaning(
        values in prop::collection::vec(
            ("(url|path|q|to|x y|1|)", prop_oneof![
                "(https://a.b/|a@b.c|2026-01-01|out/a.csv|\\PC{0,8})( https://a.b/)?".prop_map(Value::from),
                any::<i32>().prop_map(Value::from),
                prop::collection::vec("(https://a.b/|https://c.d/|z)", 0..3).prop_map(Value::from),
            ]),
            0..6,
        )
    ) {
        let steps = values.into_iter().enumerate().map(|(index, (parameter, value))| Step {
            id: format!("s{index}"),
            tool: Some("page-fetch".to_owned()),
            input: Some(json!({ parameter: value })),
            ..Step::default()
        });
        let draft = Draft { version: "1.0".to_owned(), steps: steps.collect(), ..Draft::default() };
        let inferred = infer(&draft, &tools());
        let mut steps = steps_of(&inferred.draft);
        filled(&mut steps, &inferred.inputs);
        prop_assert_eq!(steps, steps_of(&draft));
    }
}
