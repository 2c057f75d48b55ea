//! What is there where the request of a case is made? Its files and folders, and the columns of the
//! tables that it names.

use std::collections::BTreeSet;

use holloway_planner::frame::acts::Acts;
use holloway_planner::frame::scene::{Column, File, Holds, Scene, ending};
use serde_json::Value;

/// Where the pages of a case are, until a server is started for them.
pub(crate) const BASE: &str = "http://127.0.0.1:8123";
const TODAY: &str = "2026-11-18";

/// Files and folders of a case; columns for the tables that the request names.
pub(crate) fn scene(request: &str, files: &Value) -> Scene {
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
