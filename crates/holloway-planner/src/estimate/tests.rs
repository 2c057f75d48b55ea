//! Whole outlooks: a catalogue and a plan in, what a card shows out.

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_search::entry::Entry;
use holloway_search::rank::{Health, Repute};
use serde_json::{Value, json};

use super::*;
use crate::bind::{Binding, Source};
use crate::drafts::StepNote;

fn tool(
    id: &str,
    effect: Effect,
    parameters: &[&str],
    health: Health,
) -> (ToolSpec, Entry, Repute) {
    let properties: serde_json::Map<String, Value> = parameters
        .iter()
        .map(|name| ((*name).to_owned(), json!({})))
        .collect();
    let mut spec = ToolSpec::named(id)
        .with_effect(effect)
        .with_input(json!({"type": "object", "properties": properties}));
    spec.latency_ms = Some(200);
    spec.price = Some(0.01);
    let entry = Entry {
        id: id.to_owned(),
        ..Entry::default()
    };
    let repute = Repute {
        health,
        ..Repute::default()
    };
    (spec, entry, repute)
}

fn catalogue() -> Catalogue {
    use Effect::{Destructive, Idempotent, Read, Write};
    use Health::{Broken, Healthy, Unknown};
    Catalogue::new([
        tool("builtin/page-fetch", Read, &["url"], Healthy),
        tool("builtin/csv-read", Read, &["path"], Healthy),
        tool("mcp.a/fetch_page", Read, &["url"], Unknown),
        tool("mcp.b/get_page", Read, &["url"], Broken),
        tool(
            "builtin/report-write",
            Idempotent,
            &["path", "report"],
            Healthy,
        ),
        tool("builtin/email-send", Write, &["to", "text"], Healthy),
        tool("builtin/webhook-send", Write, &["url", "json"], Healthy),
        tool("builtin/file-delete", Destructive, &["path"], Healthy),
        tool("mcp.git/create_issue", Write, &["title"], Healthy),
        tool(
            "mcp.pdf/merge_pdfs",
            Write,
            &["input_paths", "output_path"],
            Healthy,
        ),
    ])
}

fn drafted(steps: Value, fit: f32) -> Drafted {
    let draft: Draft = serde_json::from_value(json!({
        "version": "1.0", "steps": steps,
        "input": {"target": {"type": "string", "default": "out/prices.csv"}, "who": {"type": "string"}},
    }))
    .unwrap();
    Drafted {
        strategy: "quick".to_owned(),
        draft,
        steps: Vec::new(),
        coverage: Vec::new(),
        missing: Vec::new(),
        serves: Vec::new(),
        open_inputs: Vec::new(),
        unused: Vec::new(),
        inferred: Vec::new(),
        fit,
    }
}

fn plan_of(drafted: &Drafted, catalogue: &Catalogue) -> Plan {
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    validate(&drafted.draft, &around).unwrap()
}

fn look(drafted: &Drafted, constraints: Constraints) -> Outlook {
    let catalogue = catalogue();
    let plan = plan_of(drafted, &catalogue);
    outlook(drafted, &plan, &catalogue, &constraints)
}

#[test]
fn effects_are_told_in_plain_words() {
    let drafted = drafted(
        json!([
            {"id": "page", "tool": "page-fetch", "input": {"url": "http://a.example"}},
            {"id": "pdf", "tool": "report-write", "input": {"path": "out/website-audit.pdf", "report": "{{page}}"}},
            {"id": "again", "tool": "report-write", "input": {"path": "out/website-audit.pdf", "report": 1}},
            {"id": "csv", "tool": "report-write", "input": {"path": "{{input.target}}"}},
            {"id": "mail", "tool": "email-send", "input": {"to": "ada@example.com", "text": "done"}},
            {"id": "mail_who", "tool": "email-send", "input": {"to": "{{input.who}}", "text": "done"}},
            {"id": "hook", "tool": "webhook-send", "input": {"url": "http://b.example/hook", "json": 1}},
            {"id": "issue", "tool": "create_issue", "input": {"title": "x"}},
            {"id": "merged", "tool": "merge_pdfs", "input": {"input_paths": ["a.pdf", "b.pdf"], "output_path": "all.pdf"}},
            {"id": "each", "type": "loop", "over": ["a", "b"], "step":
                {"id": "gone", "tool": "file-delete", "input": {"path": "tmp/{{item}}.txt"}}},
        ]),
        1.0,
    );
    let plan = plan_of(&drafted, &catalogue());
    assert_eq!(
        effects::effects(&calls::calls(&plan)),
        [
            "writes out/website-audit.pdf",
            "writes out/prices.csv",
            "sends an e-mail to ada@example.com",
            "sends an e-mail to what you give as `who`",
            "sends a webhook to http://b.example/hook",
            "creates issue (mcp.git/create_issue)",
            "merges a.pdf, b.pdf into all.pdf",
            "deletes tmp/….txt, for each item",
        ]
    );
}

#[test]
fn a_whole_outlook() {
    let mut drafted = drafted(
        json!([
            {"id": "prices", "tool": "csv-read", "input": {"path": "own.csv"}},
            {"id": "page", "tool": "mcp.a/fetch_page", "fallbacks": ["mcp.b/get_page"], "input": {"url": "http://a.example"}},
            {"id": "hook", "tool": "webhook-send", "input": {"url": "http://b.example", "json": "{{prices}} {{page}}"}},
            {"id": "gone", "tool": "file-delete", "depends_on": ["hook"], "input": {"path": "own.csv"}},
        ]),
        0.9,
    );
    drafted.open_inputs = vec!["who".to_owned()];
    drafted.steps = vec![StepNote {
        step: "page".to_owned(),
        tool: "mcp.a/fetch_page".to_owned(),
        reason: String::new(),
        bindings: vec![Binding {
            entities: Vec::new(),
            parameter: "url".to_owned(),
            source: Source::Past {
                value: json!("http://a.example"),
            },
            confidence: 0.4,
            reason: "used before".to_owned(),
        }],
    }];
    let constraints = Constraints {
        seconds: Some(0.5),
        money: Some(0.03),
        ..Constraints::default()
    };
    insta::assert_json_snapshot!(look(&drafted, constraints), @r#"
    {
      "steps": 4,
      "money": 0.04,
      "duration_ms": 600,
      "confidence": 0.7966170400905501,
      "effects": [
        "sends a webhook to http://b.example",
        "deletes own.csv"
      ],
      "risks": [
        {
          "code": "leak",
          "sentence": "it reads private data (prices), reads what strangers wrote (page) and sends something out (hook): private data could leave"
        },
        {
          "code": "destructive",
          "sentence": "what it does cannot be taken back: gone deletes own.csv"
        },
        {
          "code": "health",
          "sentence": "did not work when last called: mcp.b/get_page"
        },
        {
          "code": "health",
          "sentence": "has not been tried here yet: mcp.a/fetch_page"
        },
        {
          "code": "guessed",
          "sentence": "guessed: `url` of page (used before)"
        },
        {
          "code": "open_input",
          "sentence": "you have to say first: `who`"
        },
        {
          "code": "over_budget",
          "sentence": "expected to cost $0.04, more than the $0.03 allowed"
        },
        {
          "code": "over_budget",
          "sentence": "expected to take 0.6 s, more than the 0.5 s allowed"
        }
      ]
    }
    "#);
}

#[test]
fn confidence_grows_with_health_records_and_fallbacks() {
    let with = |steps: Value| look(&drafted(steps, 1.0), Constraints::default()).confidence;
    let input = json!({"url": "http://a.example"});
    let broken = with(json!([{"id": "a", "tool": "mcp.b/get_page", "input": input}]));
    let unknown = with(json!([{"id": "a", "tool": "mcp.a/fetch_page", "input": input}]));
    let healthy = with(json!([{"id": "a", "tool": "page-fetch", "input": input}]));
    let helped = with(
        json!([{"id": "a", "tool": "mcp.a/fetch_page", "fallbacks": ["page-fetch"], "input": input}]),
    );
    let two = with(json!([
        {"id": "a", "tool": "mcp.a/fetch_page", "input": input},
        {"id": "b", "tool": "mcp.b/get_page", "input": input},
    ]));
    assert!(two < broken && broken < unknown, "{two} {broken} {unknown}");
    assert!(unknown < healthy && unknown < helped, "{healthy} {helped}");
    let survived = with(json!([
        {"id": "a", "tool": "page-fetch", "input": input},
        {"id": "b", "tool": "mcp.b/get_page", "on_error": "continue", "input": input},
        {"id": "c", "tool": "mcp.a/fetch_page", "on_error": "skip", "input": input},
    ]));
    assert!(survived > two, "{survived}");
}

#[test]
fn what_no_step_takes_is_told() {
    let steps = json!([{"id": "a", "tool": "page-fetch", "input": {"url": "http://a.example"}}]);
    let mut drafted = drafted(steps, 0.8);
    drafted.unused = vec!["words.txt".to_owned(), "old.txt".to_owned()];
    let outlook = look(&drafted, Constraints::default());
    let risks = outlook.risks.iter();
    let unused = risks.filter(|risk| risk.code == RiskCode::Unused);
    let told: Vec<&str> = unused.map(|risk| risk.sentence.as_str()).collect();
    assert_eq!(told, ["not used: words.txt, old.txt"]);
}

#[test]
fn a_plan_that_is_less_likely_meant_is_less_sure() {
    let steps = json!([{"id": "a", "tool": "page-fetch", "input": {"url": "http://a.example"}}]);
    let with = |fit| look(&drafted(steps.clone(), fit), Constraints::default()).confidence;
    assert!(with(0.9) > with(0.4) && with(0.4) > with(0.0));
}
