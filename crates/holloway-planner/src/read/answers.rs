//! How does an answer to a question go into a frame? A column, a file or a text takes the place
//! that was open; the frame is then checked again.

use serde_json::{Value, json};

use super::check::{Trouble, check};
use super::choose::Understood;
use crate::frame::scene::{Scene, ending, is_outside};
use crate::frame::{Part, Said};

/// Puts an answer in where the first question of a frame asks for one. Gives back what is not
/// one of the choices.
pub(super) fn put_in(mut understood: Understood, answer: &str, scene: &Scene) -> Understood {
    let open = understood
        .troubles
        .iter()
        .find_map(|trouble| match trouble {
            Trouble::Open {
                goal,
                slot,
                choices,
                ..
            } => Some((*goal, slot.clone(), choices.clone())),
            _ => None,
        });
    let Some((number, slot, choices)) = open else {
        return understood;
    };
    let chosen = choices
        .iter()
        .find(|choice| choice.eq_ignore_ascii_case(answer));
    if chosen.is_none() && !choices.is_empty() {
        return understood;
    }
    let answer = chosen.map_or(answer, String::as_str);
    let Some(goal) = understood.frame.goals.get_mut(number) else {
        return understood;
    };
    if slot == "sources" {
        // The answer names the file that was meant, in place of one that is not there.
        let there = |path: &str| scene.file(path).is_some() || is_outside(path);
        goal.parts
            .retain(|part| part.slot != slot || part.text("path").is_none_or(there));
    }
    let said = Said {
        text: answer.to_owned(),
        at: 0..0,
    };
    let lacking = goal.parts.iter_mut().find(|part| {
        part.slot == slot && part.value.is_object() && part.value.get("column").is_none()
    });
    match (
        lacking.and_then(|part| part.value.as_object_mut()),
        slot.as_str(),
    ) {
        (Some(fields), _) if fields.contains_key("function") || slot != "measures" => {
            fields.insert("column".to_owned(), json!(answer));
        }
        (Some(fields), _) => {
            fields.insert("function".to_owned(), json!(answer));
        }
        (None, _) => goal
            .parts
            .push(Part::new(&slot, value_of(&slot, answer, scene), said)),
    }
    understood.troubles = check(&mut understood.frame, scene);
    understood
}

fn value_of(slot: &str, answer: &str, scene: &Scene) -> Value {
    match slot {
        "sources" if answer.contains("://") => json!({ "url": answer }),
        "sources" | "target" if scene.is_folder(answer) && ending(answer).is_none() => {
            json!({ "folder": answer })
        }
        "sources" | "target" => json!({ "path": answer }),
        "measures" => json!({ "function": "sum", "column": answer }),
        _ => json!(answer),
    }
}
