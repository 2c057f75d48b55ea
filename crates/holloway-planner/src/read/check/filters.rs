//! Do conditions fit the columns that they speak of?

use serde_json::Value;

use super::figures::amounts;
use super::{Ground, Trouble, called_like, settle, unfit};
use crate::frame::acts::Acts;
use crate::frame::scene::{Column, Holds};
use crate::frame::{Goal, Part};

pub(super) fn check(
    goal: &mut Goal,
    ground: &Ground<'_>,
    number: usize,
    troubles: &mut Vec<Trouble>,
) {
    for part in goal.parts.iter_mut().filter(|part| part.slot == "filters") {
        troubles.extend(resolve(part, ground, number));
        if let Some(trouble) = judge(part, ground) {
            troubles.push(trouble);
        }
    }
    contradictions(goal, troubles);
}

/// A condition without a column: “cheaper than 5”, “since March”.
fn resolve(part: &mut Part, ground: &Ground<'_>, number: usize) -> Option<Trouble> {
    if part.value.get("column").is_some() {
        return None;
    }
    let fields = part.value.as_object_mut()?;
    let like = fields.remove("like");
    let dated = fields.remove("dated").is_some();
    let found: Vec<&Column> = if dated {
        let columns = ground.columns.iter().copied();
        columns
            .filter(|column| column.holds == Holds::Dates)
            .collect()
    } else {
        let like = like.unwrap_or_default();
        let any = like.as_array().is_none_or(Vec::is_empty);
        if any {
            amounts(ground)
        } else {
            called_like(ground.numbers(), &like)
        }
    };
    settle(part, "column", &found, number, "which column is meant by")
}

fn judge(part: &Part, ground: &Ground<'_>) -> Option<Trouble> {
    let name = part.text("column")?;
    if !ground.has(name) && !ground.columns.is_empty() {
        return Some(unfit(format!("there is no column `{name}`")));
    }
    // Of a column that an earlier goal makes, nothing more is known.
    let column = ground.column(name)?;
    let op = part.text("op").unwrap_or_default();
    if let Some(other) = part.text("other") {
        let fits = ground
            .column(other)
            .is_some_and(|other| other.holds == column.holds);
        return (!fits).then(|| unfit(format!("`{name}` and `{other}` cannot be compared")));
    }
    let value = part.value.get("value");
    let values: Vec<&Value> = match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    };
    let op = Acts::table().operator(op);
    if op.bare != values.is_empty() {
        return Some(unfit(format!("the condition on `{name}` lacks its value")));
    }
    let fits = |value: &&Value| match column.holds {
        Holds::Numbers => value.is_number(),
        Holds::Dates | Holds::Texts => value.is_string() || !op.ordered,
    };
    let fits = values.iter().all(fits) && !(op.ordered && column.holds == Holds::Texts);
    let fits = fits && !(op.text && column.holds == Holds::Numbers);
    (!fits).then(|| {
        unfit(format!(
            "“{}” does not fit the column `{name}`",
            part.said.text
        ))
    })
}

/// One column cannot be two things at once.
fn contradictions(goal: &Goal, troubles: &mut Vec<Trouble>) {
    let equal: Vec<(&str, &Value)> = goal
        .all("filters")
        .filter(|part| part.text("op") == Some("eq"))
        .filter_map(|part| Some((part.text("column")?, part.value.get("value")?)))
        .collect();
    for (place, (column, value)) in equal.iter().enumerate() {
        let earlier = equal.iter().take(place);
        let mut earlier = earlier.filter(|(other, known)| other == column && known != value);
        if let Some((_, other)) = earlier.next() {
            troubles.push(unfit(format!(
                "`{column}` cannot be {other} and {value} at once"
            )));
        }
    }
}
