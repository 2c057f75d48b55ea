//! Do requests become the steps that a person would take? From words to tools, with tools that
//! say what they do and nothing else.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::sync::Arc;

use holloway_plan::limits::Limits;
use holloway_plan::step::Step;
use holloway_plan::tool::{ToolId, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::assemble::{Manner, assemble};
use holloway_planner::bind::PastArguments;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::drafts::{Drafted, drafted, fill_from_past};
use holloway_planner::estimate::outlook;
use holloway_planner::frame::constraints::Constraints;
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::choose::understand;
use holloway_planner::recall::PastRun;
use holloway_planner::settings::GenerateSettings;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use serde_json::{Value, json};

/// The built-in tools, with what they say they do.
fn tools() -> Vec<Arc<ToolSpec>> {
    let lines = include_str!("data/builtin-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str(line).map(Arc::new));
    tools.collect::<Result<_, _>>().unwrap()
}

fn scene() -> Scene {
    let column = |name: &str, holds: &str, values: Value| json!({"name": name, "holds": holds, "values": values, "repeats": true});
    serde_json::from_value(json!({
        "files": [
            {"name": "boats.csv", "columns": [
                column("harbour", "texts", json!(["Bergen", "Kiel"])),
                column("length", "numbers", json!([])),
                column("price", "numbers", json!([])),
            ]},
            {"name": "more-boats.csv", "columns": [
                column("harbour", "texts", json!(["Bergen"])),
                column("length", "numbers", json!([])),
                column("price", "numbers", json!([])),
            ]},
            {"name": "log.txt"},
            {"name": "notes.md"},
        ],
        "folders": ["letters"],
    }))
    .unwrap()
}

fn catalogue(tools: &[Arc<ToolSpec>]) -> Catalogue {
    let parts = tools.iter().map(|tool| {
        let spec: ToolSpec = (**tool).clone();
        (spec, Entry::default(), Repute::default())
    });
    Catalogue::new(parts)
}

/// How long a plan is likely to take.
fn duration_ms(made: &Drafted, catalogue: &Catalogue) -> u64 {
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    let plan = validate(&made.draft, &around).unwrap();
    outlook(made, &plan, catalogue, &Constraints::default()).duration_ms
}

/// The tools in their order; every part of the request must be served.
#[track_caller]
fn check(request: &str, expected: &[&str]) {
    let scene = scene();
    let understood = understand(request, &scene);
    assert!(
        understood.troubles.is_empty(),
        "{request}: {:?}",
        understood.troubles
    );
    let made = assemble(&understood.frame, &scene, &tools(), Manner::default());
    let unserved: Vec<&str> = made
        .accounts
        .iter()
        .filter(|account| account.step.is_none())
        .map(|account| account.said.as_str())
        .collect();
    assert!(unserved.is_empty(), "{request}: {unserved:?}");
    let called = made.steps.iter().map(|step| {
        let inner = step.step.as_deref().unwrap_or(step);
        inner.tool.as_deref().unwrap_or_default()
    });
    assert_eq!(called.collect::<Vec<_>>(), expected, "{request}");
}

#[test]
fn requests_become_steps() {
    check(
        "how many boats in boats.csv are in Bergen?",
        &["csv-read", "data-select", "data-group"],
    );
    check(
        "average price per harbour in boats.csv, highest first",
        &["csv-read", "data-group", "data-select"],
    );
    check(
        "sort boats.csv by length and save it as sorted.csv",
        &["csv-read", "data-select", "csv-write"],
    );
    check(
        "turn boats.csv into an Excel file",
        &["csv-read", "xlsx-write"],
    );
    check(
        "what's different between boats.csv and more-boats.csv?",
        &["csv-read", "csv-read", "data-changes"],
    );
    check(
        "show me the first 5 lines of log.txt",
        &["file-read", "text-lines"],
    );
    check(
        "how many words are in notes.md?",
        &["file-read", "text-stats"],
    );
    check(
        "which headings are on http://127.0.0.1:9000/guide?",
        &["page-fetch", "headings-extract"],
    );
    check("rename log.txt to old-log.txt", &["file-move"]);
}

#[test]
fn each_file_of_a_folder_is_taken() {
    // What was found in each file is one table in the end.
    check(
        "extract all the e-mail addresses from the folder letters",
        &["file-list", "file-read", "text-entities", "data-stack"],
    );
}

#[test]
fn a_text_is_taken_apart_and_compared() {
    check(
        "how similar are notes.md and log.txt?",
        &["file-read", "file-read", "text-similarity"],
    );
    check(
        "split notes.md into sentences",
        &["file-read", "text-split"],
    );
    check(
        "count the price in boats.csv in bins",
        &["csv-read", "data-histogram"],
    );
}

/// A part that has fields goes only where they go: what lines lack is not what they contain.
#[test]
fn what_is_left_out_has_its_own_argument() {
    let scene = scene();
    let understood = understand("lines of log.txt without INFO", &scene);
    let made = assemble(&understood.frame, &scene, &tools(), Manner::default());
    let input = made.steps.last().and_then(|step| step.input.clone());
    assert_eq!(
        input,
        Some(json!({"text": "{{file_read.content}}", "lacking": "INFO"}))
    );
}

#[test]
fn one_source_becomes_two_files() {
    check(
        "notes.md as a web page and as a PDF",
        &["file-read", "html-write", "pdf-write"],
    );
}

#[test]
fn what_no_tool_does_is_not_served() {
    let scene = scene();
    let understood = understand("translate notes.md into French", &scene);
    let made = assemble(&understood.frame, &scene, &tools(), Manner::default());
    let served = made.accounts.iter().all(|account| account.step.is_some());
    assert!(!understood.troubles.is_empty() || !served || made.steps.is_empty());
}

/// A tool of a source, with lines that it declares and lines that were inferred.
fn foreign(id: &str, does: &[&str], inferred: &[&str]) -> Arc<ToolSpec> {
    let text = json!({"type": "string"});
    let mut tool = ToolSpec::named(id).with_input(json!({
        "type": "object",
        "properties": {"text": text, "path": text, "to": text},
    }));
    tool.does = does.iter().map(|line| line.parse().unwrap()).collect();
    tool.inferred = inferred.iter().map(|line| line.parse().unwrap()).collect();
    Arc::new(tool)
}

/// The tools that are called with these beside the built-in ones, and those of them that are a
/// guess.
fn called_with(request: &str, others: Vec<Arc<ToolSpec>>) -> (Vec<String>, Vec<String>) {
    let scene = scene();
    let understood = understand(request, &scene);
    let all: Vec<Arc<ToolSpec>> = tools().into_iter().chain(others).collect();
    let made = assemble(&understood.frame, &scene, &all, Manner::default());
    let called = made.steps.into_iter().filter_map(|step| step.tool);
    (called.collect(), made.inferred)
}

const TRANSLATES: &str = "translate text:text -> text:text with to=text";

#[test]
fn what_was_inferred_serves_where_no_tool_declares_it() {
    let request = "translate notes.md into French";
    let guess = foreign("mcp.words/translate", &[], &[TRANSLATES]);
    let (called, inferred) = called_with(request, vec![guess.clone()]);
    assert_eq!(called, ["file-read", "translate"]);
    assert_eq!(inferred, ["mcp.words/translate"]);

    // A declared tool goes before it, wherever it stands, by the name that means it.
    let declared = foreign("mcp.zoo/translate", &[TRANSLATES], &[]);
    let (called, inferred) = called_with(request, vec![guess, declared]);
    assert_eq!(called, ["file-read", "mcp.zoo/translate"]);
    assert_eq!(inferred, Vec::<String>::new());
}

#[test]
fn a_built_in_tool_never_loses_to_an_inferred_one() {
    let shorter = [
        "count file:path -> number with unit is words",
        "read file:path -> text:text",
        "load file.csv:path -> table:rows",
    ];
    let guess = || vec![foreign("mcp.all/everything", &[], &shorter)];
    for (request, expected) in [
        (
            "how many words are in log.txt",
            &["file-read", "text-stats"][..],
        ),
        (
            "show the boats from Bergen in boats.csv",
            &["csv-read", "data-select"],
        ),
    ] {
        let (called, inferred) = called_with(request, guess());
        assert_eq!(called, expected, "{request}");
        assert_eq!(inferred.len(), 0, "{request}");
    }
}

#[test]
fn a_tool_is_not_called_without_an_argument_that_it_needs() {
    let mut guess = foreign("mcp.words/translate", &[], &[TRANSLATES]);
    Arc::make_mut(&mut guess).input_schema["required"] = json!(["text", "to"]);
    let (called, _) = called_with("translate notes.md into French", vec![guess.clone()]);
    assert_eq!(called, ["file-read", "translate"]);
    Arc::make_mut(&mut guess).input_schema["required"] = json!(["text", "path"]);
    let (called, _) = called_with("translate notes.md into French", vec![guess]);
    assert_eq!(called, Vec::<String>::new());
}

/// Quick calls no tool for a domain that balanced does not see to, and takes no longer; and so on to
/// thorough.
#[test]
fn thorough_covers_no_less_than_balanced_and_balanced_no_less_than_quick() {
    let requests = [
        "Perform a complete audit of my website http://127.0.0.1:9000 including SEO, performance, accessibility, and security, then generate a prioritized action plan",
        "audit http://127.0.0.1:9000 for accessibility and security",
        "average price per harbour in boats.csv, highest first",
    ];
    for request in requests {
        let (scene, tools) = (scene(), tools());
        let understood = understand(request, &scene);
        let settings = GenerateSettings::default();
        let covered = |name: &str| {
            let mut strategies = settings.strategies.iter();
            let strategy = strategies.find(|strategy| strategy.name == name).unwrap();
            let made = drafted(&understood.frame, &scene, &tools, strategy, &settings).unwrap();
            let duration_ms = duration_ms(&made, &catalogue(&tools));
            let coverage = made.coverage.into_iter();
            let covered: Vec<_> = coverage.map(|one| (one.domain, one.steps)).collect();
            (covered, duration_ms)
        };
        let plans = ["quick", "balanced", "thorough"].map(covered);
        let durations = plans.clone().map(|(_, duration_ms)| duration_ms);
        assert!(durations.is_sorted(), "{request}: {durations:?}");
        let plans = plans.map(|(covered, _)| covered);
        for pair in plans.windows(2) {
            assert_eq!(pair[0].len(), pair[1].len(), "{request}");
            for (less, more) in pair[0].iter().zip(&pair[1]) {
                assert!(less.0 == more.0 && less.1 <= more.1, "{request}: {plans:?}");
            }
        }
    }
}

/// Runs of before fill a setting that no request speaks of, and nothing that one could have said.
#[test]
fn memory_fills_only_what_requests_leave_open() {
    let (scene, tools) = (scene(), tools());
    let run = PastRun {
        request: String::new(),
        tools: vec![
            "builtin/csv-read".to_owned(),
            "builtin/data-select".to_owned(),
        ],
        links: vec![(0, 1)],
        arguments: vec![
            serde_json::from_value(json!({"path": null, "header": true})).unwrap(),
            serde_json::from_value(json!({"rows": null, "distinct": true, "limit": 3})).unwrap(),
        ],
        unchecked: false,
    };
    let mut past = PastArguments::default();
    for request in [
        "the harbours, each once",
        "which lengths are there",
        "all owners",
    ] {
        let request = request.to_owned();
        past.remember(&PastRun {
            request,
            ..run.clone()
        });
    }
    let catalogue = catalogue(&tools);
    let understood = understand("show the boats from Bergen in boats.csv", &scene);
    let settings = GenerateSettings::default();
    let strategy = settings.strategies.first().unwrap();
    let mut made = drafted(&understood.frame, &scene, &tools, strategy, &settings).unwrap();
    let served = made.serves.clone();
    fill_from_past(&mut made, &catalogue, &past);
    let input = |tool: &str| {
        let mut steps = made.draft.steps.iter();
        let step = steps.find(|step| step.tool.as_deref() == Some(tool));
        step.and_then(|step| step.input.clone()).unwrap()
    };
    assert_eq!(input("csv-read")["header"], true);
    assert!(input("data-select").get("distinct").is_none());
    assert!(input("data-select").get("limit").is_none());
    assert_eq!(made.serves, served);
}

/// The steps of the strategy that comes first.
fn laid(request: &str, tools: &[Arc<ToolSpec>], settings: &GenerateSettings) -> Vec<Step> {
    let scene = scene();
    let understood = understand(request, &scene);
    let strategy = settings.strategies.first().unwrap();
    let made = drafted(&understood.frame, &scene, tools, strategy, settings).unwrap();
    made.draft.steps
}

#[test]
fn a_tool_that_does_the_same_stands_in() {
    let mut tools = tools();
    let own = tools.iter().find(|tool| tool.id.name() == "csv-read");
    let own = own.cloned().unwrap();
    let copy = |id: &str| ToolSpec {
        id: ToolId::new(id),
        ..ToolSpec::clone(&own)
    };
    let mut demanding = copy("mcp.c/demand_table");
    demanding.input_schema["required"] = json!(["path", "key"]);
    tools.push(Arc::new(demanding));
    tools.extend(["mcp.a/read_table", "mcp.b/load_table"].map(|id| Arc::new(copy(id))));
    let check = |fallbacks: usize, expected: &[&str]| {
        let settings = GenerateSettings {
            fallbacks,
            ..GenerateSettings::default()
        };
        let steps = laid("show the boats from Bergen in boats.csv", &tools, &settings);
        assert_eq!(steps[0].tool.as_deref(), Some("csv-read"));
        assert_eq!(steps[0].fallbacks, expected);
    };
    check(0, &[]);
    check(1, &["read_table"]);
    check(5, &["read_table", "load_table"]);
}

/// A strategy that aims at fewer steps lays them more narrowly, and drops nothing that was asked for.
#[test]
fn a_strategy_stays_within_its_steps_where_it_can() {
    let request = "audit http://127.0.0.1:9000 for accessibility and security";
    let with = |steps: usize| {
        let mut settings = GenerateSettings::default();
        settings.strategies[0].steps = steps;
        laid(request, &tools(), &settings).len()
    };
    let (wide, narrow) = (with(100), with(1));
    assert!(narrow < wide, "{narrow} of {wide}");
    assert_eq!(with(wide), wide);
    assert_eq!(with(narrow), narrow);
}
