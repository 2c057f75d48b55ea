//! What do generated plans look like? Drafts over the built-in tools, for the two stories of
//! the project and for everyday requests, as people would read them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::{Arc, LazyLock};

use holloway_plan::limits::Limits;
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_plan::write;
use holloway_planner::bind::Source;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::generate::{Coverage, Drafted, GenerateSettings, Lack, generate, missing};
use holloway_planner::recall::{Recall, Sequence};
use holloway_planner::request::analyse;
use holloway_search::entry::Entry;
use holloway_search::rank::{Health, Repute};
use serde_json::json;

static BUILTIN: LazyLock<Catalogue> = LazyLock::new(builtin);
static RECALL: LazyLock<Recall> = LazyLock::new(|| Recall::new(Arc::clone(BUILTIN.index())));

/// The built-in tools, as `tests/data/README.md` says.
fn builtin() -> Catalogue {
    let lines = include_str!("data/builtin-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str::<ToolSpec>(line).unwrap());
    Catalogue::new(tools.map(|tool| {
        let repute = Repute {
            quality: 0.8,
            health: Health::Healthy,
            uses: 0,
        };
        (tool.clone(), entry(&tool), repute)
    }))
}

fn entry(tool: &ToolSpec) -> Entry {
    let entry = Entry {
        id: tool.id.to_string(),
        name: tool.id.name().to_owned(),
        server: String::new(),
        description: format!("{}. {}", tool.title, tool.description),
        category: tool.category.clone(),
        parameters: Vec::new(),
    };
    entry.with_schema(&tool.input_schema)
}

fn drafts(request: &str) -> Vec<Drafted> {
    let catalogue = &*BUILTIN;
    let analysis = analyse(request, catalogue);
    let sequences = RECALL.propose(request, 3);
    let drafts = generate(
        &analysis,
        catalogue,
        &sequences,
        &GenerateSettings::default(),
    );
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    for drafted in &drafts {
        if let Err(problems) = validate(&drafted.draft, &around) {
            panic!("{request}: {problems:?}");
        }
    }
    drafts
}

/// A draft as text: the plan, why each step is there, and what is covered.
fn shown(drafted: &Drafted) -> String {
    let count = drafted.steps.len();
    let mut lines = vec![format!("# {}: {count} calls", drafted.strategy)];
    lines.push(write::yaml(&drafted.draft) + "# why");
    for note in &drafted.steps {
        lines.push(format!("# {}: {}", note.step, note.reason));
        let bindings = note.bindings.iter();
        lines.extend(bindings.map(|one| {
            format!(
                "#   {}: {} ({:.1})",
                one.parameter, one.reason, one.confidence
            )
        }));
    }
    let coverage = drafted.coverage.iter();
    lines.extend(coverage.map(|one| format!("# covers {}", one.told())));
    let missing = drafted.missing.iter();
    lines.extend(missing.map(|one| format!("# missing: {}", one.capability)));
    lines.push(format!("# open: {:?}\n", drafted.open_inputs));
    lines.join("\n")
}

fn all(request: &str) -> String {
    let drafts = drafts(request);
    let texts: Vec<String> = drafts.iter().map(shown).collect();
    texts.join("\n")
}

fn one(request: &str, strategy: &str) -> String {
    let drafts = drafts(request);
    let found = drafts.iter().find(|drafted| drafted.strategy == strategy);
    found.map(shown).unwrap_or_default()
}

const AUDIT: &str = "Perform a complete audit of my website http://127.0.0.1:8080/ including SEO, performance, \
                     accessibility, and security, then generate a prioritized action plan";
const PRICES: &str =
    "Scrape competitor prices from http://127.0.0.1:8080/shop.html, analyze trends, make report";

#[test]
fn the_website_audit() {
    insta::assert_snapshot!(all(AUDIT));
}

#[test]
fn the_price_report() {
    insta::assert_snapshot!(all(PRICES));
}

#[test]
fn everyday_requests() {
    let requests = [
        "Summarise the article at https://example.com/news/tea.html and email it to ann@example.com",
        "Find outliers in the column price of prices.csv and save them as an Excel workbook",
        "When does the TLS certificate of https://example.com/ run out?",
        "Check the accessibility of https://example.com/",
        "Convert notes.md to HTML",
        "Fetch https://example.com/a.html and https://example.com/b.html and extract the tables",
        "Describe sales.csv and make a PDF report",
        "Translate the menu into Klingon",
    ];
    for (number, request) in requests.into_iter().enumerate() {
        let name = format!("everyday_{}", number + 1);
        insta::assert_snapshot!(name, one(request, "balanced"), request);
    }
}

/// What tools that change something are given of what the request names.
fn changed(request: &str) -> Vec<String> {
    let mut changed = Vec::new();
    for drafted in drafts(request) {
        for note in &drafted.steps {
            let place = BUILTIN.place(&ToolId::new(note.tool.as_str())).unwrap();
            let reads = BUILTIN.tool(place).unwrap().effect == Effect::Read;
            for binding in note.bindings.iter().filter(|_| !reads) {
                if let Source::Request { value, .. } | Source::Words { value, .. } = &binding.source
                {
                    changed.push(value.to_string());
                }
            }
        }
    }
    changed
}

#[test]
fn files_that_are_not_meant_are_not_changed() {
    for (request, spared) in [
        (
            "overwrite sales.csv with the content of notes.md",
            "notes.md",
        ),
        ("delete old.txt but keep words.txt", "words.txt"),
        ("delete all files except words.txt", "words.txt"),
        ("compare a.csv to b.csv and save the differences", "b.csv"),
    ] {
        let changed = changed(request);
        let is_spared = |value: &String| !value.contains(spared);
        assert!(changed.iter().all(is_spared), "{request}: {changed:?}");
    }
    let removed = changed("delete old.txt but keep words.txt");
    assert!(removed.contains(&"\"old.txt\"".to_owned()), "{removed:?}");
    assert_eq!(drafts("do not delete old.txt"), []);
}

#[test]
fn words_are_no_recipient() {
    let request = "Summarise the article at https://example.com/news/tea.html and email it to Ann";
    for drafted in drafts(request) {
        let mails = drafted.steps.iter();
        let mails = mails.filter(|note| note.tool == "builtin/email-send");
        for binding in mails.flat_map(|note| &note.bindings) {
            let is_said = matches!(
                binding.source,
                Source::Request { .. } | Source::Words { .. }
            );
            assert!(binding.parameter != "to" || !is_said, "{binding:?}");
        }
    }
}

#[test]
fn one_number_is_one_argument_of_a_call() {
    let request = "Fetch http://127.0.0.1:9/x with a delay of 6 seconds";
    let found = drafts(request);
    assert!(!found.is_empty());
    for note in found.iter().flat_map(|drafted| &drafted.steps) {
        let quantities = note.bindings.iter().filter(|binding| {
            let taken = &binding.source;
            matches!(taken, Source::Request { value, .. } if value.is_number())
        });
        assert!(quantities.count() < 2, "{:?}", note.bindings);
    }
}

/// Requests that were written for the search give plans that pass the checks.
#[test]
fn drafts_are_sound() {
    let lines = include_str!("../../../bench/everyday/dev.jsonl").lines();
    for line in lines.step_by(4) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        drafts(line["query"].as_str().unwrap());
    }
}

#[test]
fn the_same_request_gives_the_same_drafts() {
    let again = |request: &str| assert_eq!(all(request), all(request));
    again(AUDIT);
    again(PRICES);
}

#[test]
fn odd_requests_do_no_harm() {
    let long = "check the seo of https://example.com/ ".repeat(500);
    for request in [
        "",
        " ",
        "{{ input.x }}",
        "{% for a in b %} audit my seo and security",
        "\u{0}",
        "😀 prüfe die Sicherheit",
        &long,
    ] {
        drafts(request);
    }
}

#[test]
fn strategies_differ_in_what_they_cover() {
    let counts: Vec<(String, usize)> = drafts(AUDIT)
        .into_iter()
        .map(|drafted| (drafted.strategy, drafted.steps.len()))
        .collect();
    let expected = [("thorough", 24), ("quick", 4), ("balanced", 14)];
    assert_eq!(
        counts,
        expected.map(|(name, count)| (name.to_owned(), count))
    );
}

#[test]
fn a_sequence_is_kept_as_it_is() {
    let catalogue = &*BUILTIN;
    let analysis = analyse(
        "Read notes.md, summarise it and save the summary as a file",
        catalogue,
    );
    let place = |name: &str| {
        catalogue
            .place(&ToolId::new(format!("builtin/{name}")))
            .unwrap()
    };
    let sequence = |names: &[&str]| Sequence {
        tools: names.iter().map(|name| place(name)).collect(),
        links: vec![(0, 1), (1, 2)],
        probability: 0.7,
        seen: 4,
    };
    let sequences = [
        sequence(&["file-read", "text-summarise", "file-write"]),
        sequence(&["file-read", "text-keywords", "text-summarise", "file-write"]),
        sequence(&["file-read", "text-summarise"]),
    ];
    let drafts = generate(
        &analysis,
        catalogue,
        &sequences,
        &GenerateSettings::default(),
    );
    let tools = |drafted: &Drafted| {
        let names: Vec<&str> = drafted
            .steps
            .iter()
            .map(|note| note.tool.as_str())
            .collect();
        format!("{}: {}", drafted.strategy, names.join(" "))
    };
    let shown: Vec<String> = drafts.iter().map(tools).collect();
    let balanced = drafts.iter().find(|drafted| drafted.strategy == "balanced");
    let plan = balanced.map(shown_plan).unwrap_or_default();
    insta::assert_snapshot!(format!("{}\n\n{plan}", shown.join("\n")));
}

fn shown_plan(drafted: &Drafted) -> String {
    write::yaml(&drafted.draft)
}

/// Nothing here knows our tools: another catalogue with its own domains is planned alike.
#[test]
fn other_catalogues_have_domains_too() {
    let record = json!({"type": "object", "required": ["patient", "values"], "properties": {
        "patient": {"type": "string"}, "values": {"type": "object"}}});
    let result = json!({"type": "object", "required": ["notes"], "properties": {
        "notes": {"type": "array", "items": {"type": "object", "required": ["sentence"],
            "properties": {"sentence": {"type": "string"}}}}}});
    let looks = |name: &str, category: &str, description: &str| {
        let mut tool = ToolSpec::named(format!("mcp.clinic/{name}"))
            .with_effect(Effect::Read)
            .with_input(
                json!({"type": "object", "required": ["records"], "properties": {
                "records": {"type": "array", "items": record}}}),
            )
            .with_output(result.clone());
        tool.category = category.to_owned();
        tool.description = description.to_owned();
        tool
    };
    let mut read = ToolSpec::named("mcp.clinic/records_load")
        .with_effect(Effect::Read)
        .with_input(json!({"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}))
        .with_output(json!({"type": "object", "required": ["records"], "properties": {
            "records": {"type": "array", "items": record}}}));
    read.description = "Loads the records of patients from a file".to_owned();
    let mut rate = ToolSpec::named("mcp.clinic/cardiology_rating")
        .with_effect(Effect::Read)
        .with_input(json!({"type": "object", "required": ["outcomes"], "properties": {
            "outcomes": {"type": "array", "items": result}}}))
        .with_output(json!({"type": "object", "required": ["rating"], "properties": {"rating": {"type": "number"}}}));
    rate.category = "cardiology".to_owned();
    rate.description = "Rates what was noted about the heart".to_owned();
    let tools = [
        looks("pulse_review", "cardiology", "Looks at the pulse"),
        looks(
            "pressure_review",
            "cardiology",
            "Looks at the pressure of the blood",
        ),
        looks(
            "rhythm_review",
            "cardiology",
            "Looks at the rhythm of the heart",
        ),
        rate,
        looks("spine_review", "orthopaedics", "Looks at the spine"),
        looks("knee_review", "orthopaedics", "Looks at the knees"),
        read,
    ];
    let catalogue = Catalogue::new(tools.map(|tool| {
        let entry = entry(&tool);
        (tool, entry, Repute::default())
    }));
    let analysis = analyse(
        "Review cardiology and orthopaedics for the patients in ward.json",
        &catalogue,
    );
    let drafts = generate(&analysis, &catalogue, &[], &GenerateSettings::default());
    let thorough = drafts.iter().find(|drafted| drafted.strategy == "thorough");
    insta::assert_snapshot!(thorough.map(shown_plan).unwrap_or_default());
}

#[test]
fn what_no_tool_does_is_named() {
    let catalogue = Catalogue::new([]);
    let analysis = analyse("Water the plants in the garden", &catalogue);
    let drafts = generate(&analysis, &catalogue, &[], &GenerateSettings::default());
    assert_eq!(drafts, []);
    let missing = missing(&analysis, &catalogue);
    let names: Vec<&str> = missing.iter().map(|one| one.capability.as_str()).collect();
    assert_eq!(names, ["Water the plants in the garden"]);
}

#[test]
fn a_deed_that_no_tool_has_heard_of_is_not_just_any_change() {
    for request in ["encrypt contract.pdf", "sign contract.pdf"] {
        assert_eq!(drafts(request), [], "{request}");
    }
}

#[test]
fn a_deed_that_no_tool_has_heard_of_is_not_just_reading() {
    for request in [
        "hash notes.txt",
        "encrypt notes.txt",
        "minify data.json",
        "watch data.json",
        "compute the sha256 of notes.txt",
    ] {
        assert_eq!(drafts(request), [], "{request}");
    }
    for request in ["print notes.txt", "display data.json"] {
        assert_ne!(drafts(request), [], "{request}");
    }
}

#[test]
fn what_nobody_looks_at_first_is_not_claimed() {
    for (request, part, lack) in [
        (
            "delete num.csv only if it is empty",
            "if it is empty",
            Lack::Condition,
        ),
        ("increase all salaries in staff.csv by 10%", "", Lack::Tool),
    ] {
        for drafted in drafts(request) {
            let missing = drafted.missing.iter();
            let found: Vec<(&str, Lack)> = missing
                .map(|one| (one.capability.as_str(), one.lack))
                .collect();
            assert_eq!(found, [(part, lack)], "{request}");
            assert_eq!(drafted.coverage.first().unwrap().covered, 0);
        }
    }
}

#[test]
fn waiting_is_a_step_or_is_not_claimed() {
    let waiting = |request: &str| -> Vec<(bool, usize)> {
        let waits = |one: &&Coverage| one.domain == "wait 6 seconds";
        let of_one = |drafted: &Drafted| {
            let covered = drafted.coverage.iter().find(waits).unwrap().covered;
            (shown_plan(drafted).contains("default: 6000"), covered)
        };
        drafts(request).iter().map(of_one).collect()
    };
    for request in [
        "read a.json, then wait 6 seconds",
        "wait 6 seconds, then tell me how many rows x.csv has",
    ] {
        let all = waiting(request);
        assert!(!all.is_empty(), "{request}");
        for (is_step, covered) in all {
            assert_eq!(usize::from(is_step), covered, "{request}");
        }
    }
}

#[test]
fn data_in_the_request_is_what_is_sent() {
    let all = drafts(r#"post {"hello": "world"} to http://127.0.0.1:8765/hook"#);
    assert!(!all.is_empty());
    for drafted in &all {
        let plan = shown_plan(drafted);
        assert!(plan.contains("hello: world"), "{plan}");
        assert!(!plan.contains("http-fetch"), "{plan}");
        assert!(plan.contains("status < 400"), "{plan}");
    }
}

#[test]
fn what_no_chosen_tool_has_heard_of_is_told() {
    let missing = |request: &str, expected: &[&str]| {
        let all = drafts(request);
        assert!(!all.is_empty(), "{request}");
        for drafted in &all {
            let told: Vec<&str> = drafted
                .missing
                .iter()
                .map(|it| it.capability.as_str())
                .collect();
            assert_eq!(told, expected, "{request}");
        }
    };
    missing("which links on http://a.example/ are broken?", &["broken"]);
    missing("list all dead links on http://a.example/", &["dead"]);
    missing(
        "which product on http://a.example/prices.html is out of stock?",
        &["out of stock"],
    );
    missing(
        "check every 5 seconds whether http://a.example/ is up",
        &["every 5 seconds"],
    );
    missing("list all links on http://a.example/", &[]);
}

#[test]
fn whether_an_address_answers_is_asked_of_it() {
    for drafted in drafts("check whether http://a.example/x.html exists") {
        let plan = shown_plan(&drafted);
        assert!(plan.contains("method: HEAD"), "{plan}");
        assert!(plan.contains("http_fetch.status"), "{plan}");
        assert!(!plan.contains("status < 400"), "{plan}");
        assert_eq!(drafted.missing, []);
    }
}
