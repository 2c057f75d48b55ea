//! `holloway plan` and `holloway ask`: from words to plans, and from the chosen one to an
//! answer; with and without somebody to choose, and with a model that talks nonsense.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::place::Place;
use crate::shop::Shop;

const ROWS: &str = "day,shop,price\n2026-01-01,A,10\n2026-01-02,A,11\n2026-01-03,A,12\n";
const SUMMARY: &str = "read prices.csv, describe the data and make a report";

fn with_rows() -> Place {
    let place = Place::new();
    place.file("prices.csv", ROWS);
    place
}

/// The tools of a plan, in the order of its steps.
fn tools(plan: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(&plan["plan"]["steps"], &mut found);
    found
}

fn collect(steps: &Value, found: &mut Vec<String>) {
    for step in steps.as_array().into_iter().flatten() {
        found.extend(step["tool"].as_str().map(str::to_owned));
        collect(&step["steps"], found);
        if step["step"].is_object() {
            collect(&json!([step["step"]]), found);
        }
    }
}

#[test]
fn plans_are_shown_kept_and_run_by_their_id() {
    let place = with_rows();
    let planned = place.json(&format!("plan '{SUMMARY}'"));
    let plans = planned["plans"].as_array().unwrap();
    assert!(plans.iter().all(|plan| !tools(plan).is_empty()));
    let id = plans[0]["id"].as_str().unwrap();
    let checked = place.json(&format!("check {id}"));
    assert_eq!(checked["ok"], true);
    let strategies: BTreeSet<&str> = plans
        .iter()
        .map(|plan| plan["strategy"].as_str().unwrap())
        .collect();
    assert_eq!(strategies.len(), plans.len());
}

#[test]
fn an_audit_covers_every_domain_that_is_named() {
    let shop = Shop::open();
    let place = Place::new();
    let request = format!(
        "Perform a complete audit of my website {} including SEO, performance, accessibility, and security, \
         then generate a prioritized action plan",
        shop.address
    );
    let planned = place.json(&format!("plan '{request}'"));
    let steps_of = |strategy: &str| {
        let plans = planned["plans"].as_array().unwrap();
        let plan = plans.iter().find(|plan| plan["strategy"] == strategy);
        plan.map(tools).unwrap()
    };
    let (thorough, quick, balanced) = (
        steps_of("thorough"),
        steps_of("quick"),
        steps_of("balanced"),
    );
    assert!((18..=26).contains(&thorough.len()), "{thorough:?}");
    assert!(quick.len() <= 8, "{quick:?}");
    assert!(quick.len() < balanced.len() && balanced.len() < thorough.len());
    for tool in ["wcag-check", "audit-score", "action-plan"] {
        assert!(thorough.iter().any(|known| known == tool), "{tool}");
    }
    let serves = planned["plans"][0]["serves"].as_array().unwrap();
    for domain in ["seo", "performance", "accessibility", "security"] {
        let served = |part: &&Value| part["value"] == domain && part["step"].is_string();
        assert!(serves.iter().any(|part| served(&part)), "{domain}");
    }
}

#[test]
fn what_is_chosen_is_run_and_answered() {
    let place = with_rows();
    let answer = place.run(&format!("ask '{SUMMARY}' --plan thorough --quiet --json"));
    let lines = answer.lines();
    let ready = lines.iter().find(|line| line["event"] == "plans_ready");
    assert!(ready.is_some());
    let told = lines.iter().find(|line| line["event"] == "answer").unwrap();
    assert_eq!(told["status"], "succeeded", "{told}");
    let files = told["files"].as_array().unwrap();
    assert!(!files.is_empty());
    for file in files {
        assert!(place.path(file.as_str().unwrap()).is_file(), "{file}");
    }
}

#[test]
fn without_anybody_to_choose_the_way_is_said() {
    let shop = Shop::open();
    let place = Place::new();
    let request = format!(
        "audit {} for SEO and security and write a report",
        shop.address
    );
    let lines = place.run(&format!("ask '{request}' --json")).lines();
    let error = lines.iter().find_map(|line| line.get("error")).unwrap();
    assert_eq!(error["code"], "choice-needed");
    assert!(error["hint"].as_str().unwrap().contains("--auto"));
}

#[test]
fn the_same_number_makes_the_same_choice() {
    let place = with_rows();
    let choice = |seed: u32| {
        let typed = format!("ask '{SUMMARY}' --auto --seed {seed} --dry-run --quiet --json");
        let lines = place.run(&typed).lines();
        let chosen = lines.iter().find(|line| line["event"] == "auto_selected");
        chosen.map(|line| line["strategy"].as_str().unwrap().to_owned())
    };
    assert!(choice(7).is_some());
    assert_eq!(choice(7), choice(7));
}

#[test]
fn draws_are_those_of_the_confidences() {
    let place = with_rows();
    for seed in 0..5 {
        let typed = format!("ask '{SUMMARY}' --auto --seed {seed} --dry-run --quiet --json");
        let lines = place.run(&typed).lines();
        let event = |kind: &str| lines.iter().find(|line| line["event"] == kind).unwrap();
        let plans = event("plans_ready")["plans"].as_array().unwrap();
        let confidences: Vec<f64> = plans
            .iter()
            .map(|plan| plan["outlook"]["confidence"].as_f64().unwrap())
            .collect();
        let drawn = holloway_flow::choose::choose_seeded(&confidences, seed).unwrap();
        assert_eq!(event("auto_selected")["plan"], plans[drawn]["id"], "{seed}");
    }
}

#[test]
fn what_needs_no_plan_gets_none() {
    let place = Place::new();
    let greeting = place.run("ask 'hello there'");
    let nothing = place.run("ask '...'");
    let no_tool = place.run("ask 'what is the weather in Oslo tomorrow'");
    let wrong = place.run("ask 'read prices.csv and make a report' --plan best");
    place.check("ask_without_plan", &[&greeting, &nothing, &no_tool, &wrong]);
}

/// A server that speaks the protocol of a model and always says the same.
fn model(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut length = 0;
                let mut line = String::new();
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    let lower = line.to_lowercase();
                    if let Some(count) = lower.strip_prefix("content-length:") {
                        length = count.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let reply = json!({
                    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}],
                    "usage": {"prompt_tokens": 10, "completion_tokens": 5},
                })
                .to_string();
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    reply.len()
                );
                stream.write_all(head.as_bytes()).unwrap();
                stream.write_all(reply.as_bytes()).unwrap();
            });
        }
    });
    address
}

#[test]
fn a_model_that_talks_nonsense_is_replaced_and_that_is_said() {
    for answer in [
        "I am a teapot.",
        "{\"steps\": [{\"tool\": \"no-such-tool\"}]}",
        "[]",
    ] {
        let place = with_rows();
        let settings = format!(
            "[model]\nprovider = \"openai\"\nname = \"odd\"\nbase_url = \"{}\"\n",
            model(answer)
        );
        place.file("holloway.toml", &settings);
        place.trust();
        let planned = place.json(&format!("plan '{SUMMARY}'"));
        let makers: Vec<&Value> = planned["plans"]
            .as_array()
            .unwrap()
            .iter()
            .map(|plan| &plan["made_by"])
            .collect();
        assert!(!makers.is_empty());
        assert!(
            makers.iter().all(|maker| *maker == "embedded planner"),
            "{makers:?}"
        );
        let notes = planned["notes"].to_string();
        assert!(notes.contains("embedded planner"), "{notes}");
        assert!(planned["spent"]["tokens_in"].as_u64().unwrap() >= 10);
    }
}
