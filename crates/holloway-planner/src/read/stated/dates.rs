//! Which of the days that a request names is meant? "since 2025-10-01" begins there, "until
//! Friday" ends there; the only one is meant wherever a day is wanted.

use serde_json::{Value, json};

use super::{Found, Request};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::List;

static BEGINS: List = List::named("said_dates.begins");
static ENDS: List = List::named("said_dates.ends");

pub(super) fn dated(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static DAYS: List = List::named("said_dates.days");
    static TIMES: List = List::named("said_dates.times");
    static SAYS_DAY: List = List::named("said_dates.says_day");
    let speaks = parameter.wants == Wants::Date
        || parameter.is_called(&DAYS)
        || parameter.is_called(&TIMES) && parameter.says(&SAYS_DAY);
    if parameter.kind != Kind::Text || !parameter.choices.is_empty() || !speaks {
        return Vec::new();
    }
    let (begins, ends) = (parameter.is_called(&BEGINS), parameter.is_called(&ENDS));
    let days: Vec<usize> = request
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Some(EntityKind::Date))
        .map(|(at, _)| at)
        .collect();
    let alone = days.len() == 1;
    let mut found = Vec::new();
    for at in days {
        let Some(token) = request.tokens.get(at) else {
            continue;
        };
        let lead = at.checked_sub(1).and_then(|at| request.tokens.get(at));
        let lead = lead.map_or("", |lead| lead.lower.as_str());
        let fits = match (begins, ends) {
            (true, false) => BEGINS.contains(&lead) || lead == "between" || lead == "in" && alone,
            (false, true) => ENDS.contains(&lead) || lead == "and",
            _ => alone,
        };
        if fits {
            found.push(Found::new(
                in_form(parameter, &token.value),
                token.place.clone(),
            ));
        }
    }
    found
}

/// The day as the parameter wants it written: a whole day has a time where one is asked for.
fn in_form(parameter: &Parameter<'_>, day: &Value) -> Value {
    let text = day.as_str().unwrap_or_default();
    let is_day = text.len() == 10 && text.chars().filter(|letter| *letter == '-').count() == 2;
    match parameter.shape.text("format") {
        "date-time" if is_day => json!(format!("{text}T00:00:00Z")),
        "date" if text.len() > 10 => json!(text.get(..10).unwrap_or(text)),
        _ => day.clone(),
    }
}
