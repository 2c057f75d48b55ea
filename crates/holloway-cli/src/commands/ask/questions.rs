//! What if a request leaves one thing open? The person at the terminal chooses; elsewhere the
//! question is an error that lists the choices.

use holloway_planner::read::check::Trouble;
use serde_json::json;

use super::inputs::can_ask;
use super::keyboard::{self, LOOK_EVERY};
use crate::carry::form;
use crate::carry::interrupts::Interrupts;
use crate::carry::keys;
use crate::error::CliError;
use crate::print::{self, visible};
use crate::session::Session;

/// Choices that have a key of their own.
const KEYS: usize = 9;

/// The answer of the person; nothing when they stop.
pub(super) fn ask(
    question: &Trouble,
    auto: bool,
    interrupts: &Interrupts,
    session: &Session,
) -> Result<Option<String>, CliError> {
    let Trouble::Open { about, choices, .. } = question else {
        return Ok(None);
    };
    if auto || !can_ask(session) {
        return Err(needed(question, session)?);
    }
    print::note(&visible(&format!("{about}?")));
    if choices.is_empty() || choices.len() > KEYS {
        let schema = json!({"type": "object", "required": ["answer"],
            "properties": {"answer": {"type": "string", "minLength": 1}}});
        let ask = |prompt: &form::Prompt<'_>| keys::ask(prompt, LOOK_EVERY, || !interrupts.heard());
        let filled = form::fill(&schema, ask, print::note);
        let answer = filled.and_then(|filled| Some(filled.get("answer")?.as_str()?.to_owned()));
        return Ok(answer);
    }
    for (number, choice) in choices.iter().enumerate() {
        print::note(&visible(&format!("  {}  {choice}", number + 1)));
    }
    let keys: Vec<char> = (1..=choices.len() as u32)
        .filter_map(|number| char::from_digit(number, 10))
        .collect();
    let pressed = keyboard::one_of(&keys, interrupts);
    let place = pressed.and_then(|key| key.to_digit(10)?.checked_sub(1));
    Ok(place.and_then(|place| choices.get(place as usize).cloned()))
}

/// The question as an error, and as data for programs.
pub(in crate::commands) fn needed(
    question: &Trouble,
    session: &Session,
) -> Result<CliError, CliError> {
    let Trouble::Open { about, choices, .. } = question else {
        return Ok(CliError::usage("answer-needed", "the request is not clear"));
    };
    if session.json {
        print::line(&json!({"event": "question", "about": about, "choices": choices}))?;
    }
    let hint = match choices.as_slice() {
        [] => "say it in the request, or add --answer \"…\"".to_owned(),
        choices => format!(
            "say it in the request, or add --answer with one of: {}",
            choices.join(" | ")
        ),
    };
    Ok(CliError::usage("answer-needed", format!("not clear: {about}")).hint(hint))
}
