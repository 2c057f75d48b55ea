//! Which column do tables have in common that are joined?

use serde_json::json;

use super::{Trouble, unfit};
use crate::frame::scene::{File, Scene};
use crate::frame::{Goal, Part};

/// What tables are joined on, each of them must have.
pub(super) fn keys(goal: &mut Goal, scene: &Scene, number: usize) -> Vec<Trouble> {
    let tables: Vec<&File> = goal
        .all("sources")
        .filter_map(|part| scene.file(part.text("path")?))
        .collect();
    let mut troubles: Vec<Trouble> = shared(goal, &tables, number).into_iter().collect();
    for key in goal.all("on").filter_map(|part| part.value.as_str()) {
        let lacks = |file: &&&File| !file.columns.iter().any(|column| column.name == key);
        let lacking = tables.iter().filter(lacks);
        troubles
            .extend(lacking.map(|file| unfit(format!("`{}` has no column `{key}`", file.name))));
    }
    troubles
}

/// The one column that two tables share is what they are joined on.
fn shared(goal: &mut Goal, tables: &[&File], number: usize) -> Option<Trouble> {
    let joins = matches!(goal.act.as_str(), "join" | "unmatched");
    let [one, other] = tables else {
        return None;
    };
    if !joins || goal.has("on") {
        return None;
    }
    let has = |name: &str| other.columns.iter().any(|column| column.name == name);
    let names = one.columns.iter().map(|column| column.name.as_str());
    let names: Vec<&str> = names.filter(|name| has(name)).collect();
    if let [only] = names.as_slice() {
        let said = goal.said.clone();
        goal.parts.push(Part::new("on", json!(only), said));
        return None;
    }
    if goal.act == "unmatched" && names.len() == one.columns.len() {
        // Whole rows are looked for.
        return None;
    }
    let about = "which column the tables have in common".to_owned();
    Some(Trouble::Open {
        goal: number,
        slot: "on".to_owned(),
        about,
        choices: names.iter().map(|name| (*name).to_owned()).collect(),
    })
}
