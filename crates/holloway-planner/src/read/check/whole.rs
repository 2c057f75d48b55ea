//! Is a figure of all rows wanted, and of how many? "In total" asks for a sum where no figure is
//! named; the one with the most is told with those that have as many.

use serde_json::{Value, json};

use super::{Trouble, unfit};
use crate::frame::{Goal, Part};

const ROWS: &str = "select";

/// "In total" is about the figure that is named, or asks for the sum.
pub(super) fn check(goal: &mut Goal, troubles: &mut Vec<Trouble>) {
    let says_total = |part: &Part| part.slot == "measures" && part.value.get("total").is_some();
    let Some(place) = goal.parts.iter().position(says_total) else {
        return;
    };
    let named = |part: &Part| part.slot == "measures" && !says_total(part);
    let counted = goal.act != ROWS || goal.parts.iter().any(named);
    if counted {
        goal.parts.retain(|part| !says_total(part));
    } else if goal.has("order") || goal.has("limit") {
        let said = goal.parts.get(place).map(|part| part.said.text.clone());
        let said = said.unwrap_or_default();
        troubles.push(unfit(format!(
            "“{said}” does not say which figure is wanted"
        )));
    } else if let Some(part) = goal.parts.get_mut(place) {
        part.value = json!({ "function": "sum" });
    }
}

/// Of rows in an order, the first one comes with those that are equal to it.
pub(super) fn ties(goal: &mut Goal) {
    if goal.act != ROWS || !goal.has("order") {
        return;
    }
    let limits = goal.parts.iter_mut().filter(|part| part.slot == "limit");
    for fields in limits.filter_map(|part| part.value.as_object_mut()) {
        if fields.get("rows").and_then(Value::as_u64) == Some(1) {
            fields.insert("ties".to_owned(), json!(true));
        }
    }
}
