//! Where does a column belong that is named by itself? "the column is `amount`" says which column
//! a figure, a condition or an order is about.

use serde_json::{Value, json};

use super::{Ground, Trouble, unfit};
use crate::frame::scene::Holds;
use crate::frame::{Goal, Part};

/// Puts every mentioned column where one is open; one that is spoken of anyway needs no place.
pub(super) fn settle(goal: &mut Goal, ground: &Ground<'_>, troubles: &mut Vec<Trouble>) {
    let names: Vec<String> = goal
        .all("mentions")
        .filter_map(|part| part.value.as_str().map(str::to_owned))
        .collect();
    goal.parts.retain(|part| part.slot != "mentions");
    for name in names {
        let Some(column) = ground.column(&name) else {
            troubles.push(unfit(format!("there is no column `{name}`")));
            continue;
        };
        let spoken_of = |part: &Part| {
            part.text("column") == Some(&name)
                || part.value.as_str() == Some(&name)
                || ["left", "right"]
                    .iter()
                    .any(|side| part.text(side) == Some(&name))
        };
        if goal.parts.iter().any(spoken_of) {
            continue;
        }
        let place = goal.parts.iter_mut().find(|part| takes(part, column.holds));
        match place.and_then(|part| part.value.as_object_mut()) {
            Some(fields) => {
                fields.remove("like");
                fields.remove("dated");
                // How many of a column of numbers is what they add up to.
                if fields.get("function").and_then(Value::as_str) == Some("count") {
                    fields.insert("function".to_owned(), json!("sum"));
                }
                fields.insert("column".to_owned(), json!(name));
            }
            None => troubles.push(unfit(format!(
                "nothing says what the column `{name}` is for"
            ))),
        }
    }
}

/// Whether a part lacks a column, and one of this kind will do.
fn takes(part: &Part, holds: Holds) -> bool {
    let open = part.value.is_object() && part.value.get("column").is_none();
    open && match part.slot.as_str() {
        "measures" => holds == Holds::Numbers,
        "period" => holds == Holds::Dates,
        "filters" if part.value.get("dated").is_some() => holds == Holds::Dates,
        "filters" => holds == Holds::Numbers,
        "order" => holds != Holds::Texts,
        _ => false,
    }
}
