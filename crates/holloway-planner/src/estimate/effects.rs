//! What does a plan do to the world, in plain words? "writes out/audit.pdf", "sends an
//! e-mail to ada@example.com". What only reads is not told.

use holloway_plan::plan::Plan;
use holloway_plan::step::StepType;
use holloway_plan::tool::Effect;
use serde_json::Value;

use super::calls::Call;
use super::nature::{Purpose, parameters};
use super::words::{Manner, Words, deed};
use crate::lexicon::sorts::{Sorts, sorts_of_words};
use crate::text::clip;

/// Letters of a value that are shown.
const SHOWN: usize = 60;
/// More than this nobody reads; the rest is counted.
const TOLD: usize = 12;

/// All effects in the order of the steps, each told once.
pub(super) fn effects(calls: &[Call<'_>]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for call in calls.iter().filter(|call| !call.stands_in) {
        let Some(mut sentence) = sentence(call) else {
            continue;
        };
        if call.repeated {
            sentence.push_str(", for each item");
        }
        if call.step.kind == StepType::Phase {
            sentence = format!("may be: {sentence}");
        }
        if !told.contains(&sentence) {
            told.push(sentence);
        }
    }
    if told.len() > TOLD {
        let more = told.len() - (TOLD - 1);
        told.truncate(TOLD - 1);
        told.push(format!("and {more} more"));
    }
    told
}

/// What a call of the tool does; nothing when it only reads.
pub(super) fn sentence(call: &Call<'_>) -> Option<String> {
    let tool = call.tool;
    if tool.effect == Effect::Read {
        return None;
    }
    let given = |wanted: Purpose| arguments(call, wanted).into_iter().next();
    let deed = deed(tool.id.name());
    let verb = deed.as_ref().map_or("changes", |deed| deed.verb);
    let object = deed.as_ref().map(|deed| deed.object.as_str());
    let is = |manner: Manner| deed.as_ref().is_some_and(|deed| deed.manner == manner);
    let has = |wanted: Purpose| parameters(tool).any(|(_, purpose)| purpose == wanted);
    let sends = is(Manner::Sends);
    if sends && has(Purpose::Recipient) {
        let what = with_article(object.filter(|word| !word.is_empty()).unwrap_or("message"));
        let whom = given(Purpose::Recipient).map(|whom| format!(" to {whom}"));
        return Some(format!("{verb} {what}{}", whom.unwrap_or_default()));
    }
    if sends && has(Purpose::Address) {
        let what = match object {
            Some("http" | "") | None => "a request".to_owned(),
            Some(word) => with_article(word),
        };
        let place = given(Purpose::Address).map(|place| format!(" to {place}"));
        return Some(format!("{verb} {what}{}", place.unwrap_or_default()));
    }
    if has(Purpose::Path) && tool.effect == Effect::Destructive && is(Manner::Runs) {
        return Some("runs a program, which can do anything".to_owned());
    }
    let mut files = arguments(call, Purpose::Path).into_iter();
    if let Some(file) = files.next() {
        // A server that says nothing of what its tools change still calls them so.
        if deed.is_none() && sorts_of_words(tool.id.name()).is_only(Sorts::LOOK) {
            let id = &tool.id;
            return Some(format!("calls {id} on {file}, which may change something"));
        }
        // `create_chart` makes a chart in a workbook, not the workbook.
        let inside = object.filter(|_| is(Manner::Adds));
        let inside = inside.filter(|object| !object.is_empty() && !is_whole(object));
        if let Some(object) = inside {
            return Some(format!("{verb} {object} in {file}"));
        }
        // `sqlite-execute` changes the file it is given, it does not execute it.
        let verb = if is(Manner::Executes) {
            "changes"
        } else {
            verb
        };
        let into = files.next().filter(|_| is(Manner::Combines));
        let into = into.map(|other| format!(" into {other}"));
        return Some(format!("{verb} {file}{}", into.unwrap_or_default()));
    }
    match deed {
        Some(deed) if !deed.object.is_empty() => {
            Some(format!("{} {} ({})", deed.verb, deed.object, tool.id))
        }
        _ => Some(format!("calls {}, which may change something", tool.id)),
    }
}

/// Whether a thing is a file or a folder, not something in one.
fn is_whole(object: &str) -> bool {
    let last = object.split(' ').next_back().unwrap_or_default();
    let whole = &Words::english().whole;
    whole.contains(last) || whole.contains(last.trim_end_matches('s'))
}

/// The arguments of the step that are of the wanted kind, as far as they are known.
fn arguments(call: &Call<'_>, wanted: Purpose) -> Vec<String> {
    let of_kind = parameters(call.tool).filter(|(_, purpose)| *purpose == wanted);
    let given = of_kind.filter_map(|(name, _)| call.step.input.as_ref()?.get(name));
    given
        .filter_map(|value| known_text(call.plan, value))
        .collect()
}

/// A literal text, or the default of the plan's input that stands there.
fn known_text(plan: &Plan, value: &Value) -> Option<String> {
    let text = plain_text(value)?;
    let Some((before, rest)) = text.split_once("{{") else {
        return Some(shortened(&text));
    };
    let (inside, after) = rest.split_once("}}")?;
    let name = inside.trim().strip_prefix("input.");
    if before.is_empty() && after.is_empty() {
        let name = name?;
        let input = plan.draft().input.as_ref()?;
        let full = holloway_plan::tool::full_schema(input.clone());
        let property = full.get("properties")?.get(name)?;
        let known = property.get("default").and_then(plain_text);
        let known = known.map(|known| shortened(&known));
        return known.or_else(|| Some(format!("what you give as `{name}`")));
    }
    // A name with an open part still says what kind of file it is.
    let after = after.rsplit("}}").next().unwrap_or(after);
    Some(shortened(&format!("{before}…{after}")))
}

/// A text, or several with commas; nothing where there is none.
fn plain_text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => {
            let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            texts.join(", ")
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn shortened(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    clip(&flat, SHOWN)
}

/// A noun as a sentence has it.
fn with_article(noun: &str) -> String {
    let spelled = Words::english().spelled.get(noun);
    let noun = spelled.map_or(noun, String::as_str);
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}
