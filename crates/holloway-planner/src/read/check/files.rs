//! Do the files that a goal reads and writes fit? What is read must be there; what is written over
//! must be meant.

use holloway_plan::problem::closest;
use serde_json::json;

use super::{Trouble, unfit};
use crate::frame::acts::Acts;
use crate::frame::scene::{Scene, ending, is_outside};
use crate::frame::{Goal, Part};
use crate::lexicon::Lexicon;

/// What is against the files of a goal.
pub(super) fn check(goal: &Goal, scene: &Scene, number: usize) -> Vec<Trouble> {
    let one = [
        in_the_way(goal, scene),
        onto_itself(goal, scene),
        no_table(goal, scene),
        rows_behind_rows(goal, scene),
        setting(goal),
    ];
    let one = one.into_iter().flatten();
    one.chain(not_there(goal, scene, number)).collect()
}

/// "Save the file": the one that was read is written over.
pub(super) fn same(goal: &mut Goal, read: &[String]) -> Option<Trouble> {
    let is_same = |part: &&mut Part| part.slot == "target" && part.value.get("same").is_some();
    let part = goal.parts.iter_mut().find(is_same)?;
    match read {
        [only] => {
            part.value = json!({ "path": only });
            None
        }
        _ => Some(unfit(format!(
            "“{}” does not say which file is written over",
            part.said.text
        ))),
    }
}

/// Where nothing is read yet, a file that is named without "as" or "to" is the one to be read,
/// whether it is there or not.
pub(super) fn unmarked(goal: &mut Goal, scene: &Scene, language: &str) {
    let alone = Acts::table().act(&goal.act).is_none_or(|act| act.alone);
    if alone || goal.has("sources") || goal.has("text") {
        return;
    }
    let lexicon = Lexicon::shipped()
        .iter()
        .find(|lexicon| lexicon.language == language);
    let named = |part: &&mut Part| {
        let Some(path) = part.text("path").filter(|_| part.slot == "target") else {
            return false;
        };
        let before = part
            .said
            .text
            .strip_suffix(path)
            .unwrap_or(&part.said.text)
            .trim();
        let within = |lexicon: &Lexicon| lexicon.words.within.contains(&before.to_lowercase());
        scene.file(path).is_none() && (before.is_empty() || lexicon.is_some_and(within))
    };
    if let Some(part) = goal.parts.iter_mut().find(named) {
        "sources".clone_into(&mut part.slot);
    }
}

/// A file that is named and not there is told where no source is known.
pub(super) fn named(goal: &Goal, scene: &Scene, troubles: &mut [Trouble]) {
    let targets = goal.all("target").filter_map(|part| part.text("path"));
    let mut missing = targets.filter(|path| scene.file(path).is_none() && !is_outside(path));
    let Some(path) = missing.next() else { return };
    for trouble in troubles {
        if let Trouble::Open { slot, about, .. } = trouble
            && slot == "sources"
        {
            *about = format!("which file is meant: {}", absent(path, scene));
        }
    }
}

/// That a file is not there, with the one that may be meant.
fn absent(path: &str, scene: &Scene) -> String {
    match like(path, scene) {
        Some(name) => format!("there is no file `{path}`; did you mean `{name}`?"),
        None => format!("there is no file `{path}`"),
    }
}

fn like<'a>(path: &str, scene: &'a Scene) -> Option<&'a str> {
    let names = scene.files.iter().map(|file| file.name.as_str());
    closest(path, names.filter(|name| ending(name) == ending(path)))
}

/// The rows of a table are not put behind a file as text: its header would stand among them.
fn rows_behind_rows(goal: &Goal, scene: &Scene) -> Option<Trouble> {
    let is_table = |path: &str| {
        let file = scene.file(path);
        file.is_some_and(|file| !file.columns.is_empty())
    };
    let source = goal.first("sources")?.text("path")?;
    let target = goal.first("target")?.text("path")?;
    let both = goal.act == "append" && is_table(source) && is_table(target);
    both.then(|| {
        unfit(format!(
            "`{source}` is a table; put it under `{target}` and save both as a new file"
        ))
    })
}

/// In a file of settings, a word that is not quoted may be a name or a value.
fn setting(goal: &Goal) -> Option<Trouble> {
    let pattern = goal.first("pattern").filter(|_| goal.act == "replace")?;
    let path = goal.first("sources")?.text("path")?;
    let ending = ending(path).filter(|ending| Acts::table().settings.contains(ending))?;
    let text = pattern.value.as_str()?;
    let said = &pattern.said.text;
    let quoted = said
        .split_once(text)
        .is_some_and(|(before, _)| before.ends_with(['"', '\'', '“', '„', '`', '«']));
    (!quoted).then(|| {
        unfit(format!(
            "`{text}` may be a setting or a text in a .{ending} file; put a text in quotes"
        ))
    })
}

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
fn not_there(goal: &Goal, scene: &Scene, number: usize) -> Vec<Trouble> {
    if goal.act == "exists" {
        return Vec::new();
    }
    let paths = goal.all("sources").filter_map(|part| part.text("path"));
    let missing = paths.filter(|path| scene.file(path).is_none() && !is_outside(path));
    let told = |path: &str| Trouble::Open {
        goal: number,
        slot: "sources".to_owned(),
        about: format!("which file is meant: there is no file `{path}`"),
        choices: like(path, scene).into_iter().map(str::to_owned).collect(),
    };
    missing.map(told).collect()
}

/// A table that is read is not written over in the same breath.
fn onto_itself(goal: &Goal, scene: &Scene) -> Option<Trouble> {
    let mut targets = goal.all("target").filter_map(|part| part.text("path"));
    let is_source = |path: &&str| {
        let mut sources = goal.all("sources");
        goal.act != "append" && sources.any(|part| part.text("path") == Some(path))
    };
    // A text is read and written as it is; a table would lose how its cells are written.
    let path = targets.find(is_source).filter(|path| {
        scene
            .file(path)
            .is_some_and(|file| !file.columns.is_empty())
    })?;
    Some(unfit(format!(
        "`{path}` would be written over while it is read; name a new file"
    )))
}

/// A file that goes into a folder keeps its name: none of that name may be there. Nor may a new name
/// be taken by a file that would be lost.
fn in_the_way(goal: &Goal, scene: &Scene) -> Option<Trouble> {
    let target = goal.first("target")?;
    let source = goal.first("sources")?.text("path")?;
    let renames = Acts::table().act(&goal.act).is_some_and(|act| act.destroys);
    let path = match target.text("folder") {
        Some(folder) => {
            let name = source.rsplit('/').next().unwrap_or(source);
            format!("{}/{name}", folder.trim_end_matches('/'))
        }
        None => target.text("path").filter(|_| renames)?.to_owned(),
    };
    let known = scene.file(&path).filter(|_| path != source)?;
    Some(unfit(format!("`{}` is already there", known.name)))
}

/// Rows of a text are asked for: there are none. It can only be written in another form.
fn no_table(goal: &Goal, scene: &Scene) -> Option<Trouble> {
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
