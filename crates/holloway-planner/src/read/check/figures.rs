//! Do figures, groups and orders fit the columns? A figure gets its name here, so that what
//! comes after can speak of it.

use serde_json::{Value, json};

use super::{Ground, Trouble, called_like, settle, unfit};
use crate::frame::acts::{Acts, Rows};
use crate::frame::scene::{Column, Holds};
use crate::frame::{Goal, Part};
use crate::read::holes::names_rows;

pub(super) fn check(
    goal: &mut Goal,
    ground: &Ground<'_>,
    number: usize,
    troubles: &mut Vec<Trouble>,
) {
    alone(goal, troubles);
    measures(goal, ground, number, troubles);
    groups(goal, ground, number, troubles);
    orders(goal, ground, number, troubles);
    columns(goal, ground, troubles);
    series(goal, ground, number, troubles);
}

/// "orders per city" counts where nothing else is asked of the rows.
fn alone(goal: &mut Goal, troubles: &mut Vec<Trouble>) {
    let others = goal.all("measures").count() > 1 || goal.has("limit");
    for part in goal.parts.iter_mut().filter(|part| part.slot == "measures") {
        let fields = part.value.as_object_mut();
        let counted = fields.and_then(|fields| fields.remove("alone")).is_some();
        if counted && others {
            troubles.push(unfit(format!(
                "“{}” can be meant in several ways",
                part.said.text
            )));
        }
    }
}

/// What is to be followed through time takes one column.
fn series(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    let followed = matches!(goal.act.as_str(), "trend" | "forecast");
    if !followed || goal.has("column") || ground.columns.is_empty() {
        return;
    }
    let found = amounts(ground);
    if found.len() > 1 {
        troubles.push(Trouble::Open {
            goal: number,
            slot: "column".to_owned(),
            about: format!("which column is meant by “{}”", goal.said.text),
            choices: found.iter().map(|column| column.name.clone()).collect(),
        });
    }
}

/// Numbers that say how much: not those that name or count something.
pub(super) fn amounts<'a>(ground: &Ground<'a>) -> Vec<&'a Column> {
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
    !column.repeats && names_rows(&column.name)
}

fn measures(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    for part in goal.parts.iter_mut().filter(|part| part.slot == "measures") {
        let Some(function) = part.text("function").map(str::to_owned) else {
            troubles.push(which_figure(part, number));
            continue;
        };
        let like = part
            .value
            .as_object_mut()
            .and_then(|fields| fields.remove("like"));
        if function != "count" && part.value.get("column").is_none() {
            let called = like.map(|like| called_like(ground.numbers(), &like));
            let found = called
                .filter(|called| called.len() == 1)
                .unwrap_or_else(|| amounts(ground));
            // "the five cheapest, and their average": of what they were chosen by.
            let chosen_by = |column: &&&Column| Some(&column.name) == ground.cut_by.as_ref();
            let found = found
                .iter()
                .find(chosen_by)
                .map_or_else(|| found.clone(), |column| vec![*column]);
            troubles.extend(settle(
                part,
                "column",
                &found,
                number,
                "which column is meant by",
            ));
        }
        let column = part.text("column").map(str::to_owned);
        troubles.extend(
            column
                .as_ref()
                .and_then(|name| of_numbers(name, &function, ground)),
        );
        let name = match &column {
            Some(column) => format!("{column}_{function}"),
            None => function,
        };
        if let Some(fields) = part.value.as_object_mut() {
            fields.entry("as").or_insert_with(|| json!(name));
        }
    }
}

/// "age per department": the sum, or the mean?
fn which_figure(part: &Part, number: usize) -> Trouble {
    Trouble::Open {
        goal: number,
        slot: part.slot.clone(),
        about: format!("which figure is wanted of “{}”", part.said.text),
        choices: Acts::table().figures.offered.clone(),
    }
}

fn of_numbers(name: &str, function: &str, ground: &Ground<'_>) -> Option<Trouble> {
    let of_anything = &Acts::table().figures.of_anything;
    let numeric = !of_anything.iter().any(|known| known == function);
    match ground.column(name) {
        Some(column) if numeric && column.holds != Holds::Numbers => {
            Some(unfit(format!("the column `{name}` holds no numbers")))
        }
        None if !ground.has(name) && !ground.columns.is_empty() => {
            Some(unfit(format!("there is no column `{name}`")))
        }
        _ => None,
    }
}

fn groups(goal: &mut Goal, ground: &Ground<'_>, number: usize, troubles: &mut Vec<Trouble>) {
    let measured = goal.has("measures");
    let grouped = |part: &&mut Part| matches!(part.slot.as_str(), "group" | "period");
    for part in goal.parts.iter_mut().filter(grouped) {
        if part.slot == "period" && part.value.get("column").is_none() {
            let columns = ground.columns.iter().copied();
            let dates: Vec<&Column> = columns
                .filter(|column| column.holds == Holds::Dates)
                .collect();
            troubles.extend(settle(
                part,
                "column",
                &dates,
                number,
                "which column has the dates for",
            ));
        } else if let Some(name) = part.text("column").filter(|name| !ground.has(name)) {
            troubles.push(unfit(format!("there is no column `{name}`")));
        }
        if !measured {
            let choices = amounts(ground)
                .into_iter()
                .map(|column| column.name.clone());
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
    if goal.act == "lines" {
        return;
    }
    one_direction(goal);
    let known = Figures::of(goal);
    let act = Acts::table().act(&goal.act);
    let rows = act.and_then(|act| act.rows.as_ref());
    for part in goal.parts.iter_mut().filter(|part| part.slot == "order") {
        troubles.extend(order(part, &known, ground, (number, rows)));
    }
}

/// "sorted by date, newest first": the second part says how the first is meant.
fn one_direction(goal: &mut Goal) {
    let orders: Vec<usize> = (0..goal.parts.len())
        .filter(|at| goal.parts.get(*at).is_some_and(|part| part.slot == "order"))
        .collect();
    let [first, second] = orders.as_slice() else {
        return;
    };
    let Some(later) = goal
        .parts
        .get(*second)
        .filter(|part| part.text("column").is_none())
    else {
        return;
    };
    let direction = later.value.get("descending").cloned().unwrap_or_default();
    let Some(fields) = goal
        .parts
        .get_mut(*first)
        .filter(|part| part.text("column").is_some())
        .and_then(|part| part.value.as_object_mut())
    else {
        return;
    };
    fields.insert("descending".to_owned(), direction);
    goal.parts.remove(*second);
}

/// The figures of a goal, by the columns they are of.
struct Figures {
    first: Option<String>,
    of: Vec<(String, String)>,
    grouped: Vec<String>,
    periods: bool,
}

impl Figures {
    fn of(goal: &Goal) -> Self {
        let texts =
            |part: &Part| Some((part.text("column")?.to_owned(), part.text("as")?.to_owned()));
        let grouped = goal.all("group").filter_map(|part| part.text("column"));
        Self {
            first: goal
                .first("measures")
                .and_then(|part| part.text("as"))
                .map(str::to_owned),
            of: goal.all("measures").filter_map(texts).collect(),
            grouped: grouped.map(str::to_owned).collect(),
            periods: goal.has("period"),
        }
    }

    /// Whether rows have this column once the figures are there.
    fn has(&self, name: &str) -> bool {
        let is_figure = |(_, figure): &(String, String)| figure == name;
        self.first.as_deref().is_none_or(|first| first == name)
            || self.periods
            || self.of.iter().any(is_figure)
            || self.grouped.iter().any(|grouped| grouped == name)
    }
}

fn order(
    part: &mut Part,
    known: &Figures,
    ground: &Ground<'_>,
    (number, rows): (usize, Option<&Rows>),
) -> Option<Trouble> {
    let fields = part.value.as_object_mut()?;
    let like = fields.remove("like").unwrap_or_default();
    let dates = fields.remove("dates").and_then(|dates| dates.as_bool());
    if let Some(named) = fields
        .get("column")
        .and_then(Value::as_str)
        .map(str::to_owned)
    {
        // Behind a figure, its column goes by the name of the figure.
        let figure = known.of.iter().find(|(column, _)| *column == named);
        if let Some((_, name)) = figure.filter(|_| !known.grouped.contains(&named)) {
            fields.insert("column".to_owned(), json!(name));
            return None;
        }
        if !known.has(&named) {
            return Some(unfit(format!(
                "“{}” does not fit: the figures have no column `{named}`",
                part.said.text
            )));
        }
        return (!ground.has(&named) && !ground.columns.is_empty())
            .then(|| unfit(format!("there is no column `{named}`")));
    }
    let alphabetical = fields.get("alphabetical").is_some();
    if let Some(figure) = known.first.as_ref().filter(|_| !alphabetical) {
        fields.insert("column".to_owned(), json!(figure));
        return None;
    }
    if let Some(rows) = rows.filter(|_| ground.columns.is_empty()) {
        let by = match dates {
            _ if alphabetical => &rows.name,
            Some(_) => &rows.date,
            None => &rows.size,
        };
        fields.remove("alphabetical");
        fields.insert("column".to_owned(), json!(by));
        if let Some(descending) = dates {
            fields.insert("descending".to_owned(), json!(descending));
        }
        return None;
    }
    if ground.columns.is_empty() {
        // Nothing is known of the rows beforehand: whoever plans finds the column.
        fields.insert("like".to_owned(), like);
        return None;
    }
    fields.remove("alphabetical");
    let columns = || ground.columns.iter().copied();
    let mut found: Vec<&Column> = if alphabetical {
        columns()
            .filter(|column| column.holds == Holds::Texts)
            .take(1)
            .collect()
    } else {
        called_like(
            columns().filter(|column| match column.holds {
                Holds::Numbers => true,
                // Only what speaks of time can be about days: "newest", never "longest".
                Holds::Dates => dates.is_some(),
                Holds::Texts => false,
            }),
            &like,
        )
    };
    if let Some(descending) = dates.filter(|_| found.is_empty()) {
        found = columns()
            .filter(|column| column.holds == Holds::Dates)
            .collect();
        fields.insert("descending".to_owned(), json!(descending));
    }
    if found.is_empty() && like.as_array().is_none_or(Vec::is_empty) {
        found = amounts(ground);
    }
    settle(part, "column", &found, number, "which column is meant by")
}

fn columns(goal: &mut Goal, ground: &Ground<'_>, troubles: &mut Vec<Trouble>) {
    others(goal, ground);
    let names = goal
        .all("columns")
        .chain(goal.all("on"))
        .filter_map(|part| part.value.as_str());
    for name in names.filter(|name| !ground.columns.is_empty() && !ground.has(name)) {
        troubles.push(unfit(format!("there is no column `{name}`")));
    }
    for part in goal.parts.iter_mut().filter(|part| part.slot == "compute") {
        troubles.extend(formula(part, ground));
    }
}

/// "without the column x": all the others.
fn others(goal: &mut Goal, ground: &Ground<'_>) {
    let Some(place) = goal
        .parts
        .iter()
        .position(|part| part.slot == "columns" && part.value.get("except").is_some())
    else {
        return;
    };
    let part = goal.parts.remove(place);
    let left_out: Vec<&str> = part
        .value
        .get("except")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let kept = ground
        .columns
        .iter()
        .filter(|column| !left_out.contains(&column.name.as_str()));
    goal.parts
        .extend(kept.map(|column| Part::new("columns", json!(column.name), part.said.clone())));
}

/// A computed column gets its formula.
fn formula(part: &mut Part, ground: &Ground<'_>) -> Option<Trouble> {
    let side = |field: &str| match part.value.get(field) {
        Some(Value::String(name)) if !ground.has(name) => {
            Err(unfit(format!("there is no column `{name}`")))
        }
        Some(Value::String(name)) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            Ok(name.clone())
        }
        Some(Value::String(name)) => Ok(format!("row[{}]", json!(name))),
        other => Ok(other.map(Value::to_string).unwrap_or_default()),
    };
    let op = part.text("op").unwrap_or_default();
    let formula = match (side("left"), side("right")) {
        (Ok(left), Ok(right)) => format!("{left} {op} {right}"),
        (Err(trouble), _) | (_, Err(trouble)) => return Some(trouble),
    };
    let fields = part.value.as_object_mut()?;
    fields.insert("formula".to_owned(), json!(formula));
    None
}
