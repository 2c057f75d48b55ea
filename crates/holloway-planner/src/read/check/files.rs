//! Are the files there that are read, and free to be written that are written?

use serde_json::json;

use super::{Trouble, unfit};
use crate::frame::acts::Acts;
use crate::frame::scene::{Scene, ending, is_outside};
use crate::frame::{Goal, Part};

/// Whether a file is there that is named beside its folder.
pub(super) fn in_folder(goal: &mut Goal) {
    let folder = goal.all("sources").find_map(|part| part.text("folder"));
    let path = goal.all("sources").find_map(|part| part.text("path"));
    if let (Some(folder), Some(path), "exists") = (folder, path, goal.act.as_str()) {
        let path = format!("{}/{path}", folder.trim_end_matches('/'));
        let said = goal.said.clone();
        goal.parts.retain(|part| part.slot != "sources");
        goal.parts
            .push(Part::new("sources", json!({ "path": path }), said));
    }
}

/// Files that are to be read must be there, as far as that can be seen.
pub(super) fn not_there(goal: &Goal, scene: &Scene) -> Vec<Trouble> {
    if goal.act == "exists" {
        return Vec::new();
    }
    let paths = goal.all("sources").filter_map(|part| part.text("path"));
    let missing = paths.filter(|path| scene.file(path).is_none() && !is_outside(path));
    missing
        .map(|path| unfit(format!("there is no file `{path}`")))
        .collect()
}

/// What is read is not written over in the same breath.
pub(super) fn onto_itself(goal: &Goal, scene: &Scene) -> Option<Trouble> {
    let mut targets = goal.all("target").filter_map(|part| part.text("path"));
    let is_source = |path: &&str| {
        let mut sources = goal.all("sources");
        goal.act != "append" && sources.any(|part| part.text("path") == Some(path))
    };
    let path = targets
        .find(is_source)
        .filter(|path| scene.file(path).is_some())?;
    Some(unfit(format!(
        "`{path}` would be written over while it is read; name a new file"
    )))
}

/// A file that goes into a folder keeps its name: none of that name may be there.
pub(super) fn in_the_way(goal: &Goal, scene: &Scene) -> Option<Trouble> {
    let folder = goal.first("target")?.text("folder")?;
    let source = goal.first("sources")?.text("path")?;
    let name = source.rsplit('/').next().unwrap_or(source);
    let path = format!("{}/{name}", folder.trim_end_matches('/'));
    let known = scene.file(&path).filter(|_| path != source)?;
    Some(unfit(format!("`{}` is already there", known.name)))
}

/// Rows of a text are asked for: there are none. It can only be written in another form.
pub(super) fn no_table(goal: &Goal, scene: &Scene) -> Option<Trouble> {
    let selects = goal.act == "select" && !goal.has("form") && !goal.has("target");
    let source = goal.first("sources").filter(|_| selects)?;
    let path = source.text("path")?;
    let kind = Acts::table().kind_of_file(ending(path).as_deref());
    let is_text = scene.file(path).is_some() && !Acts::table().tables.contains(&kind);
    is_text.then(|| unfit(format!("`{path}` is no table")))
}

/// A name of a file says its form; both said must agree. Each target takes one form.
pub(super) fn targets(goal: &mut Goal, troubles: &mut Vec<Trouble>) {
    let forms: Vec<String> = goal
        .all("target")
        .filter_map(|part| ending(part.text("path")?))
        .collect();
    if forms.is_empty() {
        return;
    }
    let same = |form: &str| {
        let kind = Acts::table().kind_of_file(Some(form));
        forms
            .iter()
            .any(|known| Acts::table().kind_of_file(Some(known)) == kind)
    };
    let odd: Vec<String> = goal
        .all("form")
        .filter_map(|part| part.value.as_str())
        .filter(|form| !same(form))
        .map(str::to_owned)
        .collect();
    for form in odd {
        let name = goal
            .first("target")
            .and_then(|part| part.text("path"))
            .unwrap_or_default();
        troubles.push(unfit(format!("`{name}` is no {form} file")));
    }
    // The name says it already.
    goal.parts
        .retain(|part| part.slot != "form" || !part.value.as_str().is_some_and(same));
}
