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

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::assemble::{Manner, assemble};
use holloway_planner::frame::acts::Acts;
use holloway_planner::frame::scene::{Column, File, Holds, Scene, ending};
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::{Understood, understand};
use regex::Regex;
use serde_json::Value;

const BASE: &str = "http://127.0.0.1:8123";
const TODAY: &str = "2026-11-18";

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

/// Files and folders of a case; columns for the tables that the request names.
fn scene(request: &str, files: &Value) -> Scene {
    let mut scene = Scene {
        today: Some(TODAY.to_owned()),
        ..Scene::default()
    };
    let mut folders = BTreeSet::new();
    for (name, content) in files.as_object().into_iter().flatten() {
        if let Some((folder, _)) = name.split_once('/') {
            folders.insert(folder.to_owned());
            if !request.contains(name.as_str()) {
                continue;
            }
        }
        let named = request.to_lowercase().contains(&name.to_lowercase());
        let rows = if named {
            rows(name, content)
        } else {
            Vec::new()
        };
        scene.files.push(File {
            name: name.clone(),
            columns: columns(&rows),
        });
    }
    scene.folders = folders.into_iter().collect();
    scene
}

/// The cells of a table, the names of the columns first.
fn rows(name: &str, content: &Value) -> Vec<Vec<String>> {
    let text = content.as_str().unwrap_or_default();
    let cells = |row: &Value| {
        let cell = |cell: &Value| {
            cell.as_str()
                .map_or_else(|| cell.to_string(), str::to_owned)
        };
        row.as_array().into_iter().flatten().map(cell).collect()
    };
    match Acts::table().kind_of_file(ending(name).as_deref()).as_str() {
        "file.csv" | "file.tsv" => {
            let first = text.lines().next().unwrap_or_default();
            let mark = ['\t', ';', ',']
                .into_iter()
                .max_by_key(|mark| first.matches(*mark).count());
            let lines = text.lines().filter(|line| !line.is_empty());
            lines.map(|line| split(line, mark.unwrap())).collect()
        }
        "file.xlsx" => {
            let sheets = content["sheets"].as_object();
            let first = sheets.and_then(|sheets| sheets.values().next());
            let rows = first.and_then(Value::as_array).into_iter().flatten();
            rows.map(cells).collect()
        }
        "file.json" | "file.jsonl" => {
            let whole: Vec<Value> = serde_json::from_str(text).unwrap_or_else(|_| {
                let lines = text.lines();
                lines
                    .filter_map(|line| serde_json::from_str(line).ok())
                    .collect()
            });
            let names: Vec<String> = whole
                .first()
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|row| row.keys().cloned())
                .collect();
            let row = |row: &Value| {
                let cell = |name: &String| match &row[name] {
                    Value::String(text) => text.clone(),
                    Value::Null => String::new(),
                    other => other.to_string(),
                };
                names.iter().map(cell).collect::<Vec<_>>()
            };
            let body: Vec<Vec<String>> = whole.iter().map(row).collect();
            std::iter::once(names.clone()).chain(body).collect()
        }
        _ => Vec::new(),
    }
}

fn split(line: &str, mark: char) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        if c == '"' {
            quoted = !quoted;
        } else if c == mark && !quoted {
            cells.push(String::new());
        } else {
            cells.last_mut().unwrap().push(c);
        }
    }
    cells
}

fn columns(rows: &[Vec<String>]) -> Vec<Column> {
    let Some((names, body)) = rows.split_first() else {
        return Vec::new();
    };
    let column = |(place, name): (usize, &String)| {
        let cells = body.iter().filter_map(|row| row.get(place));
        let there: Vec<&String> = cells.filter(|cell| !cell.is_empty()).collect();
        let is_number = |cell: &&String| {
            let bare = cell
                .trim_matches(['£', '$', '€', '%', ' '])
                .replace(',', "");
            bare.parse::<f64>().is_ok()
        };
        let is_date = |cell: &&String| {
            let day = cell.get(..10).unwrap_or_default();
            day.len() == 10
                && day
                    .split('-')
                    .filter_map(|part| part.parse::<u32>().ok())
                    .count()
                    == 3
        };
        let holds = if there.is_empty() {
            Holds::Texts
        } else if there.iter().all(is_number) {
            Holds::Numbers
        } else if there.iter().all(is_date) {
            Holds::Dates
        } else {
            Holds::Texts
        };
        let values: BTreeSet<String> = there.iter().map(|cell| (*cell).clone()).collect();
        Column {
            name: name.clone(),
            holds,
            repeats: values.len() < there.len(),
            gaps: there.len() < body.len(),
            values: values
                .into_iter()
                .filter(|_| holds != Holds::Numbers)
                .collect(),
        }
    };
    names.iter().enumerate().map(column).collect()
}
