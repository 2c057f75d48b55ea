//! What does a model see of the folder? The date, tables that the request names with their
//! columns and a few values, and the names of other files; never what is secret.

use std::fmt::Write as _;

use holloway_planner::frame::scene::{Column, Holds, Scene};

use crate::discreet::discreet;
use crate::secret_words::speaks_of_secret;
use holloway_engine::model::fence::{fenced, line};

const MOST_COLUMNS: usize = 40;
const MOST_VALUES: usize = 6;
const MOST_NAMES: usize = 60;
const LONGEST_NAME: usize = 80;
const LONGEST_VALUE: usize = 40;

/// The date, and what is here between marks.
pub fn shown(scene: &Scene) -> String {
    let mut text = String::new();
    if let Some(today) = &scene.today {
        let today = line(today, LONGEST_NAME);
        let _ = match &scene.zone {
            Some(zone) => writeln!(
                text,
                "Today is {today}, time zone {}.",
                line(zone, LONGEST_NAME)
            ),
            None => writeln!(text, "Today is {today}."),
        };
    }
    let here = here(scene);
    if !here.is_empty() {
        let _ = write!(text, "\nWhat is here:\n{}\n", fenced("files", &here));
    }
    text
}

/// The same without what stands in tables: the names of files are left.
pub fn without_tables(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    for file in &mut scene.files {
        file.columns.clear();
    }
    if let Some(before) = &mut scene.before {
        before.columns.clear();
    }
    scene
}

/// The same without files, folders and columns whose very names look like keys.
pub fn without_keys(scene: &Scene) -> Scene {
    let plain = |name: &str| discreet(name).taken_out == 0;
    let mut scene = scene.clone();
    scene.files.retain(|file| plain(&file.name));
    scene.folders.retain(|folder| plain(folder));
    for file in &mut scene.files {
        file.columns.retain(|column| plain(&column.name));
    }
    if let Some(before) = &mut scene.before {
        before.columns.retain(|column| plain(&column.name));
    }
    scene
}

fn here(scene: &Scene) -> String {
    let mut lines = Vec::new();
    if let Some(before) = &scene.before {
        lines.push(format!(
            "the result of the run before ({}): {}",
            line(&before.kind, LONGEST_NAME),
            columns(&before.columns)
        ));
    }
    let (tables, others): (Vec<_>, Vec<_>) = scene
        .files
        .iter()
        .partition(|file| !file.columns.is_empty());
    lines.extend(tables.iter().map(|file| {
        let name = line(&file.name, LONGEST_NAME);
        format!("{name}: {}", columns(&file.columns))
    }));
    let folders = scene.folders.iter().map(|folder| format!("{folder}/"));
    let names = others.iter().map(|file| file.name.clone()).chain(folders);
    let names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let mut names: Vec<String> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| line(name, LONGEST_NAME))
        .collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    if !names.is_empty() {
        lines.push(names.join(", "));
    }
    lines.join("\n")
}

fn columns(columns: &[Column]) -> String {
    let shown = columns.iter().take(MOST_COLUMNS).map(column);
    shown.collect::<Vec<_>>().join("; ")
}

/// `status (text: paid, open)`.
fn column(column: &Column) -> String {
    let holds = match column.holds {
        Holds::Numbers => "number",
        Holds::Dates => "date",
        Holds::Texts => "text",
    };
    let name = line(&column.name, LONGEST_NAME);
    let values = if speaks_of_secret(&column.name) {
        &[]
    } else {
        column.values.as_slice()
    };
    let values = values.iter().filter(|value| discreet(value).taken_out == 0);
    let values: Vec<String> = values
        .take(MOST_VALUES)
        .map(|value| line(value, LONGEST_VALUE))
        .collect();
    if values.is_empty() {
        return format!("{name} ({holds})");
    }
    format!("{name} ({holds}: {})", values.join(", "))
}
