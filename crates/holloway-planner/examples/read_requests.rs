//! How are the requests of a file of cases read? Prints goals, troubles and steps of each, to be
//! judged by a person: `read_requests CASES.jsonl [id ...]`. Tools are taken from the `does` lines of
//! the sources of the built-in tools.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::panic
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::assemble::{Manner, assemble};
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::{Understood, understand};
use regex::Regex;
use serde_json::Value;

#[path = "requests/scene.rs"]
mod scene;

use scene::{BASE, scene};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .unwrap_or_else(|| panic!("read_requests CASES.jsonl [id ...]"));
    let wanted: Vec<String> = arguments.collect();
    let tools = tools();
    let (mut planned, mut asked, mut refused) = (0, 0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap_or_default();
        if !wanted.is_empty() && !wanted.iter().any(|one| id.starts_with(one.as_str())) {
            continue;
        }
        let request = case["request"]
            .as_str()
            .unwrap_or_default()
            .replace("{{BASE}}", BASE);
        let scene = scene(&request, &case["files"]);
        let understood = understand(&request, &scene);
        let open = understood
            .troubles
            .iter()
            .all(|trouble| matches!(trouble, Trouble::Open { .. }));
        let state = if understood.troubles.is_empty() {
            planned += 1;
            "READ"
        } else if open {
            asked += 1;
            "ASK"
        } else {
            refused += 1;
            "REFUSED"
        };
        println!("{id} {state} | {}", request.replace('\n', " / "));
        print_understood(&understood);
        if understood.troubles.is_empty() {
            print_steps(&understood, &scene, &tools);
        }
    }
    println!("read {planned}, asked {asked}, refused {refused}");
}

fn print_understood(understood: &Understood) {
    for goal in &understood.frame.goals {
        let parts = goal
            .parts
            .iter()
            .map(|part| format!("{}={}", part.slot, part.value));
        println!("    {} {}", goal.act, parts.collect::<Vec<_>>().join(" "));
    }
    for trouble in &understood.troubles {
        match trouble {
            Trouble::Leftover { words } => println!("    left over: {}", words.join(" ¦ ")),
            Trouble::Open { about, choices, .. } => {
                println!("    open: {about} [{}]", choices.join(", "));
            }
            Trouble::Unfit { about } => println!("    unfit: {about}"),
        }
    }
    for note in &understood.frame.notes {
        println!("    note: {note}");
    }
}

fn print_steps(understood: &Understood, scene: &Scene, tools: &[Arc<ToolSpec>]) {
    let made = assemble(&understood.frame, scene, tools, Manner::default());
    let steps = made.steps.iter().map(|step| {
        let inner = step.step.as_deref().unwrap_or(step);
        inner.tool.clone().unwrap_or_default()
    });
    println!("    steps: {}", steps.collect::<Vec<_>>().join(" > "));
    for account in made.accounts.iter().filter(|one| one.step.is_none()) {
        println!("    UNSERVED {}: {}", account.slot, account.said);
    }
}

/// The built-in tools with what they say they do.
fn tools() -> Vec<Arc<ToolSpec>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../holloway-tools/src");
    let declared = Regex::new(r#"(?s)\bname: "([a-z0-9-]+)"|does: &\[(.*?)\],\n"#).unwrap();
    let line = Regex::new(r##"r#"(.*?)"#|"((?:[^"\\]|\\.)*)""##).unwrap();
    let mut tools = Vec::new();
    for file in sources(&root) {
        let text = std::fs::read_to_string(file).unwrap();
        let mut name = String::new();
        for found in declared.captures_iter(&text) {
            if let Some(called) = found.get(1) {
                called.as_str().clone_into(&mut name);
                continue;
            }
            let mut tool = ToolSpec::named(format!("builtin/{name}").as_str());
            for does in line.captures_iter(&found[2]) {
                let written = does.get(1).or(does.get(2)).unwrap().as_str();
                tool.does.extend(written.parse().ok());
            }
            if !tool.does.is_empty() {
                tools.push(Arc::new(tool));
            }
        }
    }
    tools
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}
