//! What planning remembers comes back as it was, holds nothing of one run alone, and is
//! gone from the file when it is forgotten.

use holloway_flow::remember::past_run;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::read::read_text;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fresh;
use crate::{DATABASE, Store};

/// What is in the files of a data folder that nobody has open.
fn bytes(folder: &TempDir) -> Vec<u8> {
    let files = std::fs::read_dir(folder.path()).unwrap();
    let files = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file());
    files
        .flat_map(|file| std::fs::read(file).unwrap())
        .collect()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[test]
fn past_runs_come_back_in_their_order_and_can_be_forgotten() {
    let (_folder, store) = fresh();
    for (run, request) in [("r1", "one"), ("r2", "two"), ("r1", "one again")] {
        let past = json!({"request": request, "arguments": [{"limit": 5}]});
        store.remember_run(run, &past).unwrap();
    }
    let runs = store.remembered_runs().unwrap();
    let mut told: Vec<String> = runs
        .iter()
        .map(|run| format!("{} {}", run.run, run.past))
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            r#"r1 {"request":"one again","arguments":[{"limit":5}]}"#,
            r#"r2 {"request":"two","arguments":[{"limit":5}]}"#,
        ]
    );
    assert!(store.forget_run("r1").unwrap());
    assert!(!store.forget_run("r1").unwrap());
    assert_eq!(store.forget_runs().unwrap(), 1);
    assert_eq!(store.remembered_runs().unwrap(), []);
}

#[test]
fn what_was_remembered_without_settings_is_still_read() {
    let (folder, store) = fresh();
    drop(store);
    let old = Connection::open(folder.path().join(DATABASE)).unwrap();
    old.execute_batch(
        "DROP TABLE learned;
         ALTER TABLE past_runs DROP COLUMN arguments_json;
         PRAGMA user_version = 3;
         INSERT INTO past_runs (run, at_ms, past_json) VALUES ('r1', 7, '{\"request\": \"one\"}');",
    )
    .unwrap();
    drop(old);
    let store = Store::open(folder.path()).unwrap();
    let runs = store.remembered_runs().unwrap();
    assert_eq!(runs[0].past, json!({"request": "one", "arguments": []}));
    assert_eq!(runs[0].at_ms, 7);
}

fn plan() -> Plan {
    let text = "
version: '1.0'
input: {type: object, properties: {site: {type: string, default: 'https://canary-site.example/'}}}
steps:
  - id: a
    tool: find
    input:
      site: '{{ input.site }}'
      mirror: https://canary-mirror.example/x
      api_key: canary-key
      mode: canary-secret
      label: canary-name
      note: canary@mail.example
      place: /tmp/canary-path
      phone: 4369912345678
      limit: 31
      language: tlh-kept
  - { id: b, tool: tell, input: { text: '{{ a.rows }}', quoted: canary-quoted } }
";
    let names = [
        "site", "mirror", "api_key", "mode", "label", "note", "place", "phone", "limit",
        "language", "text", "quoted",
    ];
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({})))
        .collect();
    let input = json!({"type": "object", "properties": properties});
    let tool = |id: &str| {
        let tool = ToolSpec::named(id).with_effect(Effect::Read);
        tool.with_input(input.clone())
    };
    let tools = ToolTable::new([tool("x/find"), tool("x/tell")]);
    let limits = Limits::default();
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    validate(&read_text(text, &limits).unwrap().draft, &around).unwrap()
}

#[test]
fn no_secret_and_no_address_reaches_the_file() {
    let (folder, store) = fresh();
    let request = "look at the shop of Canary-Name and say “canary-quoted”";
    let is_secret = |text: &str| text == "canary-secret";
    let past = past_run(request, &plan(), &is_secret).unwrap();
    let mut past = serde_json::to_value(past).unwrap();
    past["request"] = json!("");
    store.remember_run("r1", &past).unwrap();
    drop(store);
    let bytes = bytes(&folder);
    // The names of arguments, and the settings.
    for kept in ["api_key", "limit\":31", "tlh-kept", "x/find"] {
        assert!(holds(&bytes, kept), "{kept}");
    }
    for secret in ["canary", "Canary", "4369912345678"] {
        assert!(!holds(&bytes, secret), "{secret}");
    }
}

#[test]
fn what_is_forgotten_is_gone_from_the_file() {
    let (folder, store) = fresh();
    for run in 0..40 {
        let past = json!({"request": format!("canary request {run} {}", "x".repeat(500))});
        store.remember_run(&format!("r{run}"), &past).unwrap();
    }
    assert!(store.forget_run("r7").unwrap());
    drop(store);
    assert!(!holds(&bytes(&folder), "canary request 7 "));
    assert!(holds(&bytes(&folder), "canary request 8 "));
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.forget_runs().unwrap(), 39);
    drop(store);
    assert!(!holds(&bytes(&folder), "canary request"));
}
