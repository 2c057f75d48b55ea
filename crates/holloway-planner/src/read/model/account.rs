//! What of a request did a model pass over? Files, addresses, numbers and quoted texts stand in some
//! part of its goals, in any language; so does a negation, where its language is known.

use serde_json::Value;

use super::limits;
use super::places::of;
use super::shapes::Shapes;
use crate::frame::scene::plain;
use crate::frame::{Entity, EntityKind, Frame, OTHER, Said};
use crate::read::denial::is_denied;

/// Slots that can say what is left out.
const LEAVES_OUT: [&str; 4] = ["filters", "distinct", "columns", "limit"];

/// Words that no part accounts for.
pub(super) fn unaccounted(request: &str, frame: &Frame) -> Vec<Said> {
    let mut said = Vec::new();
    for goal in &frame.goals {
        let values = goal.parts.iter().map(|part| &part.value);
        values.for_each(|value| scalars(value, &mut said));
        if goal.act == OTHER {
            said.push(goal.text.to_lowercase());
        }
    }
    let open = frame.entities.iter();
    let open = open.filter(|entity| !is_said(entity, &said, frame));
    let mut found: Vec<Said> = open
        .map(|entity| of(request, entity.place.clone()))
        .collect();
    found.extend(negation(request, frame));
    let known = |one: &Said| {
        frame
            .leftover
            .iter()
            .any(|left| left.at.contains(&one.at.start))
    };
    found.retain(|one| !known(one));
    found
}

/// Texts and numbers, in lower case.
fn scalars(value: &Value, said: &mut Vec<String>) {
    match value {
        Value::String(text) => said.push(text.to_lowercase()),
        Value::Number(number) => said.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| scalars(item, said)),
        Value::Object(fields) => fields.values().for_each(|item| scalars(item, said)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn is_said(entity: &Entity, said: &[String], frame: &Frame) -> bool {
    let text = entity.text.to_lowercase();
    let has = |text: &str| {
        said.iter()
            .any(|one| one.contains(text) || text.contains(&**one))
    };
    match entity.kind {
        EntityKind::Url | EntityKind::Email | EntityKind::Path | EntityKind::File => {
            let place = text
                .trim_start_matches("./")
                .trim_end_matches(['/', '.', ',']);
            has(place)
        }
        EntityKind::Quoted => {
            let inner = entity.value.as_str().unwrap_or(&text).to_lowercase();
            has(&inner) || said.iter().any(|one| plain(one) == plain(&inner))
        }
        EntityKind::Money if frame.constraints.money.is_some() => true,
        EntityKind::Number | EntityKind::Quantity | EntityKind::Money => {
            !text.contains(|letter: char| letter.is_ascii_digit())
                || is_limit(entity, frame)
                || is_counted(entity, said)
        }
        EntityKind::Date | EntityKind::Time | EntityKind::Name | EntityKind::Code => true,
    }
}

/// A time that the work is limited to.
fn is_limit(entity: &Entity, frame: &Frame) -> bool {
    let (Some(seconds), Some(number)) = (frame.constraints.seconds, entity.value.as_f64()) else {
        return false;
    };
    limits::is_of(number, seconds)
}

/// A number that stands in a value, also as part of a date or with its thousands written out; time
/// spans become dates.
fn is_counted(entity: &Entity, said: &[String]) -> bool {
    let bare = |run: &str| {
        let run = run.trim_start_matches('0');
        run.trim_end_matches('0').to_owned()
    };
    let runs = |text: &str| -> Vec<String> {
        let runs = text.split(|letter: char| !letter.is_ascii_digit());
        runs.filter(|run| !run.is_empty()).map(bare).collect()
    };
    let value = entity.value.to_string();
    let wanted = runs(
        entity
            .value
            .as_f64()
            .map_or(entity.text.as_str(), |_| &value),
    );
    let known: Vec<String> = said.iter().flat_map(|one| runs(one)).collect();
    let is_date = |text: &String| text.len() == 10 && text.matches('-').count() == 2;
    wanted.iter().all(|run| known.contains(run))
        || entity.label.is_some() && said.iter().any(is_date)
}

/// The first negation, where no part can say what is left out.
fn negation(request: &str, frame: &Frame) -> Option<Said> {
    let words = Shapes::table().negations.get(&frame.language)?;
    let leaves_out = frame.goals.iter().any(|goal| {
        goal.act == OTHER
            || Shapes::table().leaving_out.contains(&goal.act)
            || LEAVES_OUT.iter().any(|slot| goal.has(slot))
    });
    if leaves_out {
        return None;
    }
    let mut start = 0;
    for word in request.split_inclusive(|letter: char| {
        !letter.is_alphanumeric() && letter != '\'' && letter != '’'
    }) {
        let at = start..start + word.len();
        start = at.end;
        let bare = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let lower = bare.to_lowercase().replace('’', "'");
        // What is not to be done at all is nothing to plan.
        let rest = request.get(at.start..).unwrap_or_default();
        if words.contains(&lower) && !is_denied(rest) {
            return Some(of(request, at.start..at.start + bare.len()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::frame_of;
    use crate::frame::scene::Scene;

    #[track_caller]
    fn check(request: &str, goal: serde_json::Value, expected: &[&str]) {
        let answer = json!({"language": "en", "goals": [goal], "constraints": {"seconds": 120}});
        let (frame, _) = frame_of(&answer, request, &Scene::default()).unwrap();
        let left: Vec<&str> = frame
            .leftover
            .iter()
            .map(|said| said.text.as_str())
            .collect();
        assert_eq!(left, expected, "{request}");
    }

    #[test]
    fn what_was_passed_over_is_left() {
        let read = json!({"act": "read", "sources": ["a.txt"]});
        check("read a.txt within 2 minutes", read.clone(), &[]);
        check("read a.txt and b.txt", read.clone(), &["b.txt"]);
        check("a.txt と b.txt を読んで", read.clone(), &["b.txt"]);
        check("read the first 3 lines of a.txt", read.clone(), &["3"]);
        check("read a.txt, not the comments", read.clone(), &["not"]);
        check("read a.txt, do not delete it", read, &[]);
    }

    #[test]
    fn what_is_said_in_another_way_is_no_loss() {
        let select = |more: serde_json::Value| {
            let mut goal = json!({"act": "select", "sources": ["a.csv"]});
            goal.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            goal
        };
        let limit = select(json!({"limit": {"rows": 3}}));
        check("the top 3 of a.csv, not the others", limit, &[]);
        let filter = |op: &str, value: serde_json::Value| {
            select(json!({"filters": [{"column": "x", "op": op, "value": value}]}))
        };
        check("rows of a.csv above 1,200", filter("gt", json!(1200)), &[]);
        let year = json!(["2025-01-01", "2025-12-31"]);
        check("rows of a.csv in 2025", filter("between", year), &[]);
        check("rows of a.csv above 7", filter("gt", json!(8)), &["7"]);
    }
}
