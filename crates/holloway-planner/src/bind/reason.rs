//! Why this argument? In plain words, for the card of a plan.

use super::Situation;
use super::candidates::Origin;
use crate::catalogue::fit::Fit;
use crate::frame::{EntityKind, Frame};
use crate::read::spans::{Reading, Sort};

pub fn reason(origin: &Origin, situation: &Situation<'_>, reading: &Reading) -> String {
    match origin {
        Origin::Nothing => "the request does not say it".to_owned(),
        Origin::Default => "what the tool takes when nothing is said".to_owned(),
        Origin::Only => "the only value the tool takes".to_owned(),
        Origin::Usual => "goes without saying".to_owned(),
        Origin::Stated { place } => {
            let mut entities = situation.frame.entities.iter();
            match entities.find(|entity| entity.place == *place) {
                Some(entity) => said(entity.kind, situation.frame, place.clone()),
                None => quoted(situation.frame, place.clone()),
            }
        }
        Origin::Past { .. } => "the same as in past runs".to_owned(),
        Origin::Choice { place } | Origin::Flag { place } => quoted(situation.frame, place.clone()),
        Origin::Several { numbers } => {
            let first = numbers
                .first()
                .and_then(|number| reading.spans.get(*number));
            let kind = first.and_then(|span| span.sort.kind());
            format!("the {} in the request", plural(kind))
        }
        Origin::Span { number, .. } => match reading.spans.get(*number) {
            Some(span) => match span.sort {
                Sort::Entity { kind, .. } => said(kind, situation.frame, span.place.clone()),
                Sort::Run { .. } => quoted(situation.frame, span.place.clone()),
            },
            None => String::new(),
        },
        Origin::Earlier { number, fit, .. } => {
            let step = situation.earlier.get(*number).map_or("", |step| step.step);
            earlier(step, fit)
        }
    }
}

fn quoted(frame: &Frame, place: std::ops::Range<usize>) -> String {
    frame.wording.quote(place).map_or_else(
        || "words of the request".to_owned(),
        |said| format!("“{said}” in the request"),
    )
}

fn said(kind: EntityKind, frame: &Frame, place: std::ops::Range<usize>) -> String {
    match kind {
        EntityKind::Url => "the address in the request".to_owned(),
        EntityKind::Email => "the e-mail address in the request".to_owned(),
        EntityKind::Date => "the date in the request".to_owned(),
        EntityKind::Time => "the time in the request".to_owned(),
        EntityKind::Money => "the amount of money in the request".to_owned(),
        EntityKind::Path | EntityKind::File => "the file in the request".to_owned(),
        _ => quoted(frame, place),
    }
}

fn plural(kind: Option<EntityKind>) -> &'static str {
    match kind {
        Some(EntityKind::Url) => "addresses",
        Some(EntityKind::Email) => "e-mail addresses",
        Some(EntityKind::Path | EntityKind::File) => "files",
        Some(EntityKind::Date) => "dates",
        Some(EntityKind::Number | EntityKind::Quantity) => "numbers",
        Some(EntityKind::Name) => "names",
        _ => "words",
    }
}

/// "the pages that step fetch found", "the url of each of the pages that step fetch found".
fn earlier(step: &str, fit: &Fit) -> String {
    let words = |path: &str| holloway_search::words::spaced(path).to_lowercase();
    let of_step = format!("that step {step} found");
    match fit {
        Fit::Exact { .. } | Fit::None => format!("the result of step {step}"),
        Fit::Part { path, .. } => match path.rsplit_once('.') {
            Some((owner, field)) => {
                format!("the {} of the {} {of_step}", words(field), words(owner))
            }
            None => format!("the {} {of_step}", words(path)),
        },
        Fit::EachItem { path, .. } | Fit::Collect { path, .. } => {
            let (list, field) = path.split_once("[]").unwrap_or((path, ""));
            let list = if list.is_empty() {
                "items".to_owned()
            } else {
                words(list)
            };
            match field.trim_start_matches('.') {
                "" => format!("each of the {list} {of_step}"),
                field => format!("the {} of each of the {list} {of_step}", words(field)),
            }
        }
        Fit::Gather { path, .. } if path.is_empty() => {
            format!("the result of step {step}, in a list")
        }
        Fit::Gather { path, .. } => format!("the {} {of_step}, in a list", words(path)),
    }
}
