//! Do figures, groups and orders fit the columns? A figure gets its name here, so that what
//! comes after can speak of it.

use serde_json::{Value, json};

use super::{Ground, Trouble, called_like, settle, unfit};
use crate::frame::Goal;
use crate::frame::scene::{Column, Holds};

pub(super) fn check(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    measures(goal, ground, number, troubles);
    groups(goal, ground, number, troubles);
    orders(goal, ground, number, troubles);
    columns(goal, ground, number, troubles);
}

/// Numbers that say how much: not those that name or count something.
fn amounts<'a>(ground: &Ground<'a>) -> Vec<&'a Column> {
    let numbers: Vec<&Column> = ground.numbers().collect();
    // A column that tells every row apart and is called like a name is an id.
    let amounts: Vec<&Column> = numbers
        .iter()
        .filter(|column| !is_key(column))
        .copied()
        .collect();
    if amounts.is_empty() { numbers } else { amounts }
}

fn is_key(column: &Column) -> bool {
    let name = column.name.to_lowercase();
    !column.repeats && (name == "id" || name.ends_with("_id") || name.ends_with(" id") || name.ends_with("_no") || name == "no" || name == "nr")
}

fn measures(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    for part in goal.parts.iter_mut().filter(|part| part.slot == "measures") {
        let function = part.text("function").unwrap_or_default().to_owned();
        if function != "count" && part.value.get("column").is_none() {
            let found = amounts(ground);
            troubles.extend(settle(part, "column", &found, number, "which column is meant by"));
        }
        let column = part.text("column").map(str::to_owned);
        if let Some(name) = &column {
            let numeric = !matches!(function.as_str(), "count" | "distinct" | "first" | "last");
            match ground.column(name) {
                Some(column) if numeric && column.holds != Holds::Numbers => {
                    troubles.push(unfit(format!("the column `{name}` holds no numbers")));
                }
                None if !ground.has(name) => {
                    troubles.push(unfit(format!("there is no column `{name}`")));
                }
                _ => {}
            }
        }
        let name = match &column {
            Some(column) => format!("{column}_{function}"),
            None => function,
        };
        if let Some(fields) = part.value.as_object_mut() {
            fields.entry("as").or_insert_with(|| json!(name));
        }
    }
}

fn groups(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    let measured = goal.has("measures");
    for part in goal.parts.iter_mut().filter(|part| part.slot == "group") {
        if part.value.get("period").is_some() && part.value.get("column").is_none() {
            let columns = ground.columns.iter().copied();
            let dates: Vec<&Column> = columns.filter(|column| column.holds == Holds::Dates).collect();
            troubles.extend(settle(part, "column", &dates, number, "which column has the dates for"));
        } else if let Some(name) = part.text("column").filter(|name| !ground.has(name)) {
            troubles.push(unfit(format!("there is no column `{name}`")));
        }
        if !measured {
            let choices = amounts(ground).into_iter().map(|column| column.name.clone());
            troubles.push(Trouble::Open {
                goal: number,
                slot: "measures".to_owned(),
                about: format!("which figure is wanted “{}”", part.said.text),
                choices: choices.collect(),
            });
        }
    }
}

fn orders(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    let measure = goal.first("measures").and_then(|part| part.text("as")).map(str::to_owned);
    let grouped: Vec<String> = goal.all("group").filter_map(|part| part.text("column")).map(str::to_owned).collect();
    let measured: Vec<(String, String)> = goal
        .all("measures")
        .filter_map(|part| Some((part.text("column")?.to_owned(), part.text("as")?.to_owned())))
        .collect();
    let is_text = goal.act == "lines";
    for part in goal.parts.iter_mut().filter(|part| part.slot == "order") {
        let Some(fields) = part.value.as_object_mut() else {
            continue;
        };
        let like = fields.remove("like");
        let alphabetical = fields.get("alphabetical").is_some();
        if let Some(named) = fields.get("column").and_then(Value::as_str).map(str::to_owned) {
            // Behind a figure, its column goes by the name of the figure.
            let figure = measured.iter().find(|(column, _)| *column == named);
            if let Some((_, name)) = figure.filter(|_| !grouped.contains(&named)) {
                fields.insert("column".to_owned(), json!(name));
            } else if !ground.has(&named) {
                troubles.push(unfit(format!("there is no column `{named}`")));
            }
            continue;
        }
        if is_text {
            continue;
        }
        if let Some(measure) = measure.as_ref().filter(|_| !alphabetical) {
            fields.insert("column".to_owned(), json!(measure));
            continue;
        }
        fields.remove("alphabetical");
        let columns = ground.columns.iter().copied();
        let found: Vec<&Column> = if alphabetical {
            columns.filter(|column| column.holds == Holds::Texts).take(1).collect()
        } else {
            let like = like.clone().unwrap_or_default();
            let ordered = columns.filter(|column| column.holds != Holds::Texts);
            let found = called_like(ordered, &like);
            let any = like.as_array().is_none_or(Vec::is_empty);
            if found.is_empty() && any { amounts(ground) } else { found }
        };
        if ground.columns.is_empty() {
            // Nothing is known of the rows beforehand: whoever plans finds the column.
            if let (Some(fields), Some(like)) = (part.value.as_object_mut(), like) {
                fields.insert("like".to_owned(), like);
            }
            continue;
        }
        troubles.extend(settle(part, "column", &found, number, "which column is meant by"));
    }
}

fn columns(goal: &Goal, ground: &Ground<'_>, _number: usize, troubles: &mut Vec<Trouble>) {
    let names = goal.all("columns").chain(goal.all("on")).filter_map(|part| part.value.as_str());
    for name in names.filter(|name| !ground.columns.is_empty() && !ground.has(name)) {
        troubles.push(unfit(format!("there is no column `{name}`")));
    }
}
