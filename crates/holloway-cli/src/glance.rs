//! What is there where a request is made? A glance before planning, through our own tools and no
//! further than their grants: files and folders here, columns and values of the tables that
//! the request names, and the date. What cannot be read is left out; the run itself will say why.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest, ToolCaller as _};
use holloway_plan::tool::{Effect, ToolId};
use holloway_planner::frame::acts::Acts;
use holloway_planner::frame::scene::{Column, File, Holds, Scene, ending};
use holloway_planner::read::named;
use serde_json::{Value, json};

use crate::error::CliError;
use crate::runtime;
use crate::workbench::Workbench;

/// Larger files are not looked into; requests about them are read by their words alone.
const BYTES: u64 = 8 * 1024 * 1024;
/// Files and folders that are listed.
const LISTED: usize = 2_000;
/// Different values that are kept of a column.
const VALUES: usize = 20_000;
/// A longer text is nothing that a request would say.
const LETTERS: usize = 80;

/// What is known of the folder and of what a request names.
pub(crate) fn scene(request: &str, workbench: &Workbench) -> Result<Scene, CliError> {
    let now = jiff::Zoned::now();
    let today = now.date().to_string();
    let zone = now.time_zone().iana_name().map(str::to_owned);
    runtime::run(async {
        let mut scene = Scene {
            today: Some(today),
            zone,
            ..Scene::default()
        };
        list(workbench, None, &mut scene).await;
        for path in named::paths(request) {
            look_up(workbench, path, &mut scene).await;
        }
        // Results without a name of their own go there, and must not take another one's.
        let usual = holloway_planner::settings::GenerateSettings::default().folder;
        let usual = Some(usual).filter(|folder| scene.is_folder(folder));
        for folder in named::folders(request, &scene).into_iter().chain(usual) {
            list(workbench, Some(&folder), &mut scene).await;
        }
        for file in named::tables(request, &scene) {
            let columns = table(workbench, &file).await.unwrap_or_default();
            if let Some(known) = scene.files.iter_mut().find(|known| known.name == file) {
                known.columns = columns;
            }
        }
        scene
    })
}

/// The files and folders in a folder, or here.
async fn list(workbench: &Workbench, folder: Option<&str>, scene: &mut Scene) {
    let mut arguments = json!({ "limit": LISTED });
    if let (Some(folder), Some(fields)) = (folder, arguments.as_object_mut()) {
        fields.insert("path".to_owned(), json!(folder));
    }
    let listed = call(workbench, "file-list", arguments).await;
    let entries = listed.as_ref().and_then(|listed| listed.get("entries"));
    for entry in entries.and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let Some(path) = text("path") else { continue };
        add(scene, path.trim_start_matches("./"), text("kind"));
    }
}

async fn look_up(workbench: &Workbench, path: String, scene: &mut Scene) {
    if scene.file(&path).is_some() || scene.is_folder(&path) {
        return;
    }
    let looked = call(workbench, "file-stat", json!({ "path": path })).await;
    let kind = looked.as_ref().and_then(|looked| looked.get("kind"));
    add(scene, &path, kind.and_then(Value::as_str));
}

fn add(scene: &mut Scene, name: &str, kind: Option<&str>) {
    match kind {
        Some("file") => scene.files.push(File {
            name: name.to_owned(),
            columns: Vec::new(),
        }),
        Some("folder") => scene.folders.push(name.trim_end_matches('/').to_owned()),
        _ => {}
    }
}

async fn call(workbench: &Workbench, tool: &str, arguments: Value) -> Option<Value> {
    let request = CallRequest {
        tool: ToolId::new(format!("builtin/{tool}")),
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: "glance".into(),
        run: RunId::default(),
        node: "glance".into(),
        attempt: 1,
        line: CallLine::default(),
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
    };
    workbench
        .toolbox
        .call(request)
        .await
        .ok()
        .map(|output| output.value)
}

async fn table(workbench: &Workbench, file: &str) -> Option<Vec<Column>> {
    let looked = call(workbench, "file-stat", json!({ "path": file })).await?;
    let size = looked.get("size").and_then(Value::as_u64)?;
    if size > BYTES {
        return None;
    }
    let path = json!({ "path": file });
    let typed = match Acts::table().kind_of_file(ending(file).as_deref()).as_str() {
        "file.csv" | "file.tsv" => {
            rows(workbench, call(workbench, "csv-read", path).await?).await?
        }
        "file.xlsx" => rows(workbench, call(workbench, "xlsx-read", path).await?).await?,
        _ => {
            let text = call(workbench, "file-read", path).await?;
            call(
                workbench,
                "data-load",
                json!({ "text": text.get("content")? }),
            )
            .await?
        }
    };
    Some(columns(&typed))
}

async fn rows(workbench: &Workbench, read: Value) -> Option<Value> {
    call(workbench, "data-load", json!({ "rows": read.get("rows")? })).await
}

/// The columns of rows that an earlier run gave.
pub(crate) fn columns_of(rows: &Value, workbench: &Workbench) -> Result<Vec<Column>, CliError> {
    let typed = runtime::run(call(workbench, "data-load", json!({ "rows": rows })))?;
    Ok(typed.as_ref().map(columns).unwrap_or_default())
}

/// What typed rows hold, column by column.
fn columns(typed: &Value) -> Vec<Column> {
    let list = |name: &str| {
        typed
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let profile = list("profile");
    let columns = profile.filter_map(|about| {
        let text = |name: &str| about.get(name).and_then(Value::as_str);
        let name = text("column")?;
        let holds = match text("type")? {
            "number" => Holds::Numbers,
            "date" => Holds::Dates,
            _ => Holds::Texts,
        };
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut gaps = false;
        for row in list("rows") {
            let value = match row.get(name) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                _ => {
                    gaps = true;
                    continue;
                }
            };
            if value.len() <= LETTERS && (seen.len() < VALUES || seen.contains_key(&value)) {
                *seen.entry(value).or_default() += 1;
            }
        }
        let repeats = seen.values().any(|count| *count > 1);
        let is_kept = holds != Holds::Numbers;
        Some(Column {
            name: name.to_owned(),
            holds,
            values: seen.into_keys().filter(|_| is_kept).collect(),
            repeats,
            gaps,
        })
    });
    columns.collect()
}
