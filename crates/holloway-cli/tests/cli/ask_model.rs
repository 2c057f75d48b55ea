//! `holloway ask` with a model: its plan is checked, shown and run; what it says in vain is
//! told; safe first steps begin while it still writes.

use serde_json::{Value, json};

use crate::model::{Log, Model, Says, page};
use crate::place::{Place, Ran};

/// What the model reads in a request about a page.
fn frame(act: &str, address: &str) -> String {
    let goal = match act {
        "count" => json!({"act": act, "sources": [address], "unit": "words"}),
        _ => json!({"act": act, "sources": [address]}),
    };
    json!({"language": "en", "goals": [goal]}).to_string()
}

fn request(address: &str) -> String {
    format!("Fetch {address} and count its words")
}

/// The first step of a plan, and what follows it.
fn plan(address: &str) -> (String, String) {
    let fetch = json!({"id": "page", "purpose": "get the page", "tool": "builtin/page-fetch", "input": {"url": address}});
    let text =
        json!({"id": "text", "tool": "builtin/html-text", "input": {"html": "{{ page.html }}"}});
    let count =
        json!({"id": "count", "tool": "builtin/text-stats", "input": {"text": "{{ text.text }}"}});
    (
        format!(r#"{{"version": "1.0", "objective": "count", "steps": [{fetch}"#),
        format!(", {text}, {count}]}}"),
    )
}

/// A place whose configuration names the model.
fn place(model: &Model, more: &str) -> Place {
    let place = Place::new();
    place.file("holloway.toml", &model.settings(more));
    place.trust();
    place
}

fn event<'a>(lines: &'a [Value], kind: &str) -> &'a Value {
    let found = lines.iter().find(|line| line["event"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {lines:?}"))
}

fn makers(ran: &Ran) -> Vec<String> {
    let ready = event(&ran.lines(), "plans_ready").clone();
    let plans = ready["plans"].as_array().unwrap().iter();
    plans
        .map(|plan| plan["made_by"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_models_plan_is_checked_run_and_answered() {
    let log = Log::default();
    let address = page(log.clone());
    let (first, rest) = plan(&address);
    let model = Model::serve(
        Says::text(&frame("count", &address)),
        Says::text(&(first + &rest)),
        log,
    );
    let place = place(&model, "");
    let ran = place.run(&format!(
        "ask '{}' --model always --plan quick --json",
        request(&address)
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(
        makers(&ran),
        ["scripted"],
        "three times the same plan is one card: {ran}"
    );
    let lines = ran.lines();
    let ready = event(&lines, "plans_ready");
    let spent = &ready["spent"];
    assert_eq!(
        (spent["calls"].as_u64(), spent["tokens_in"].as_u64()),
        (Some(2), Some(20))
    );
    assert!(
        (spent["money"].as_f64().unwrap() - 0.0002).abs() < 1e-9,
        "{spent}"
    );
    let answer = event(&lines, "answer");
    assert_eq!(answer["status"], "succeeded");
    assert_eq!(answer["result"]["words"], 3, "{answer}");
    // Nothing begins before the plan was chosen, unless that is allowed.
    let seen = model.log.all();
    let fetched = seen
        .iter()
        .position(|what| what == "web /page.html")
        .unwrap();
    assert!(
        seen[..fetched]
            .iter()
            .filter(|what| *what == "plan ends")
            .count()
            == 1,
        "{seen:?}"
    );
    assert_eq!(model.log.count("web /page.html"), 1);
}

#[test]
fn small_mistakes_are_mended_and_told() {
    let log = Log::default();
    let address = page(log.clone());
    let (first, rest) = plan(&address);
    let fenced = format!("Here is the plan:\n```json\n{first}{rest}\n```\n")
        .replace("builtin/page-fetch", "page_fetch");
    let model = Model::serve(
        Says::text(&frame("count", &address)),
        Says::text(&fenced),
        log,
    );
    let place = place(&model, "");
    let ran = place.run(&format!(
        "ask '{}' --model always --plan 1 --json",
        request(&address)
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(makers(&ran), ["scripted"]);
    let notes = event(&ran.lines(), "plans_ready")["notes"].to_string();
    assert!(notes.contains("page_fetch"), "{notes}");
}

#[test]
fn garbage_is_asked_for_again_then_replaced_and_that_is_said() {
    for garbage in [
        "I am a teapot.",
        r#"{"steps": [{"id": "a", "tool": "no-such-tool"}]}"#,
        "\u{1b}[2J{",
    ] {
        let log = Log::default();
        let address = page(log.clone());
        let model = Model::serve(Says::text(garbage), Says::text(garbage), log);
        let place = place(&model, "attempts = 2\n");
        let ran = place.run(&format!(
            "ask '{}' --model always --plan quick",
            request(&address)
        ));
        assert_eq!(ran.code, Some(0), "{ran}");
        assert!(ran.stderr.contains("embedded planner"), "{ran}");
        assert!(ran.stderr.contains("scripted was of no help"), "{ran}");
        assert!(!ran.stderr.contains('\u{1b}'), "{ran}");
        // Both times the frame, and both times the plans of all strategies.
        assert_eq!(model.log.count("frame asked"), 2);
        assert_eq!(model.log.count("plan asked"), 2);
        assert!(model.log.count("web /page.html") >= 1);
    }
}

#[test]
fn a_model_that_hangs_is_asked_once() {
    let log = Log::default();
    let address = page(log.clone());
    let model = Model::serve(Says::Nothing, Says::Nothing, log);
    let place = place(&model, "timeout_ms = 1000\n");
    let ran = place.run(&format!(
        "ask '{}' --model always --plan quick",
        request(&address)
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(model.log.count("frame asked"), 1);
    assert_eq!(model.log.count("plan asked"), 0);
    assert!(
        ran.stderr
            .contains("did not answer within 1000 ms, and so was not asked for plans"),
        "{ran}"
    );
}

#[test]
fn a_model_that_hangs_over_a_plan_is_waited_for_once() {
    let log = Log::default();
    let address = page(log.clone());
    let model = Model::serve(Says::text(&frame("count", &address)), Says::Nothing, log);
    let place = place(&model, "timeout_ms = 1000\n");
    let ran = place.run(&format!(
        "ask '{}' --model always --plan quick",
        request(&address)
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    // One question for all strategies, and none again.
    assert_eq!(model.log.count("plan asked"), 1);
    assert!(
        ran.stderr.contains("the embedded planner's plans are used"),
        "{ran}"
    );
}

#[test]
fn a_model_that_is_not_there_is_told() {
    let log = Log::default();
    let address = page(log);
    let place = Place::new();
    // A port that was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = free.local_addr().unwrap();
    drop(free);
    place.file(
        "holloway.toml",
        &format!(
            "[model]\nprovider = \"openai\"\nname = \"dead\"\nbase_url = \"http://{dead}/v1\"\ntimeout_ms = 1000\n"
        ),
    );
    place.trust();
    let ran = place.run(&format!(
        "ask '{}' --model always --plan quick",
        request(&address)
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    let told = "the embedded planner's plans are used: dead was of no help";
    assert!(ran.stderr.contains(told), "{ran}");
    assert!(ran.stderr.contains("was not asked for plans"), "{ran}");
}

#[test]
fn a_safe_first_step_begins_while_the_plan_is_still_written() {
    let log = Log::default();
    let address = page(log.clone());
    let (first, rest) = plan(&address);
    let held = Says::Held(first, "web /page.html", rest);
    let model = Model::serve(Says::text(&frame("count", &address)), held, log);
    let place = place(&model, "early_start = true\n");
    let ran = place.run(&format!(
        "ask '{}' --model always --plan quick --json",
        request(&address)
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    let seen = model.log.all();
    let at = |what: &str| seen.iter().position(|known| known == what).unwrap();
    assert!(at("web /page.html") < at("plan ends"), "{seen:?}");
    assert_eq!(
        seen.iter()
            .filter(|what| what.starts_with("waited in vain"))
            .count(),
        0
    );
    // The run finds the page in memory.
    assert_eq!(model.log.count("web /page.html"), 1, "{seen:?}");
    let lines = ran.lines();
    assert_eq!(event(&lines, "answer")["result"]["words"], 3);
}

#[test]
fn what_is_not_safe_waits_for_the_choice() {
    let log = Log::default();
    let address = page(log.clone());
    let (first, rest) = plan(&address);
    // An address that the request does not name.
    let first = first.replace("page.html", "other.html?q=led-astray");
    let model = Model::serve(
        Says::text(&frame("count", &address)),
        Says::text(&(first + &rest)),
        log,
    );
    let place = place(&model, "early_start = true\n");
    let ran = place.run(&format!(
        "ask '{}' --model always --json",
        request(&address)
    ));
    // What a model has read is shown first, and nobody is there to look.
    assert_eq!(ran.code, Some(2), "{ran}");
    assert_eq!(
        event(&ran.lines(), "plans_ready")["plans"][0]["made_by"],
        "embedded planner, request read by scripted",
        "the model's plan does not take the page that is asked about"
    );
    let web = |what: &&String| what.starts_with("web ");
    assert_eq!(model.log.all().iter().filter(web).count(), 0);
}

#[test]
fn a_setting_that_two_runs_used_is_proposed_again() {
    let log = Log::default();
    let address = page(log.clone());
    let plan = json!({"version": "1.0", "steps": [
        {"id": "page", "tool": "builtin/page-fetch", "input": {"url": address, "cache_seconds": 77}},
        {"id": "text", "tool": "builtin/html-text", "input": {"html": "{{ page.html }}"}},
        {"id": "words", "tool": "builtin/text-keywords", "input": {"text": "{{ text.text }}"}},
    ]});
    let model = Model::serve(
        Says::text(&frame("keywords", &address)),
        Says::text(&plan.to_string()),
        log,
    );
    let place = place(&model, "");
    let request = format!("Fetch {address} and find its key words");
    let proposed = || {
        let settings = place.read("holloway.toml");
        place.file("holloway.toml", "");
        let planned = place.json(&format!("plan '{request}'"));
        place.file("holloway.toml", &settings);
        place.trust();
        planned
            .to_string()
            .contains(r#"{"parameter":"cache_seconds","source":{"past":{"value":77}}"#)
    };
    for run in 0..2 {
        assert!(!proposed(), "after {run} runs");
        // A habit shows in different requests.
        let said = ["find its key words", "tell me the main topics of the page"][run];
        let ran = place.run(&format!(
            "ask 'Fetch {address} and {said}' --model always --plan 1 --quiet --json"
        ));
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    let remembered = place.json("memory show last");
    // What the request names is not kept with the settings.
    assert_eq!(
        remembered["arguments"],
        json!([{"url": null, "cache_seconds": 77}, {"html": null}, {"text": null}])
    );
    assert!(proposed());
    assert_eq!(place.json("memory forget --all")["forgotten"]["runs"], 2);
    assert!(!proposed());
}
