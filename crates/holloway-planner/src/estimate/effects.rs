//! What does a plan do to the world, in plain words? "writes out/audit.pdf", "sends an
//! e-mail to ada@example.com". What only reads is not told.

use holloway_plan::plan::Plan;
use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::Value;

use super::nature::{Means, means};
use super::verbs::deed;
use super::words::{Manner, Words};
use crate::read::action::{Sorts, sorts_of_words};

/// Letters of a value that are shown.
const SHOWN: usize = 60;
/// More than this nobody reads; the rest is counted.
const TOLD: usize = 12;

/// All effects in the order of the steps, each told once.
pub fn effects(plan: &Plan) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    add_list(plan, plan.steps(), false, &mut told);
    if told.len() > TOLD {
        let more = told.len() - (TOLD - 1);
        told.truncate(TOLD - 1);
        told.push(format!("and {more} more"));
    }
    told
}

fn add_list(plan: &Plan, steps: &[Step], repeated: bool, told: &mut Vec<String>) {
    for step in steps {
        add_step(plan, step, repeated, told);
        let inside = repeated || matches!(step.kind, StepType::Loop | StepType::Reduce);
        for (_, inner) in step.inner() {
            add_list(plan, inner, inside, told);
        }
        if let Some(inner) = step.plan.as_deref().and_then(|name| plan.inner_plan(name)) {
            add_list(inner, inner.steps(), inside, told);
        }
    }
}

fn add_step(plan: &Plan, step: &Step, repeated: bool, told: &mut Vec<String>) {
    let own = step.called_tool().into_iter();
    let tools = own.chain(step.tools.iter().map(String::as_str));
    for tool in tools.filter_map(|name| plan.tool(name)) {
        let Some(mut sentence) = sentence(plan, step, tool) else {
            continue;
        };
        if repeated {
            sentence.push_str(", for each item");
        }
        if step.kind == StepType::Phase {
            sentence = format!("may be: {sentence}");
        }
        if !told.contains(&sentence) {
            told.push(sentence);
        }
    }
}

/// What a call of the tool does; nothing when it only reads.
pub(super) fn sentence(plan: &Plan, step: &Step, tool: &ToolSpec) -> Option<String> {
    if tool.effect == Effect::Read {
        return None;
    }
    let given = |wanted: Means| arguments(plan, step, tool, wanted).into_iter().next();
    let deed = deed(tool.id.name());
    let verb = deed.as_ref().map_or("changes", |deed| deed.verb);
    let object = deed.as_ref().map(|deed| deed.object.as_str());
    let is = |manner: Manner| deed.as_ref().is_some_and(|deed| deed.manner == manner);
    let has = |wanted: Means| has_parameter(tool, wanted);
    let sends = is(Manner::Sends);
    if sends && has(Means::Recipient) {
        let what = with_article(object.filter(|word| !word.is_empty()).unwrap_or("message"));
        let whom = given(Means::Recipient).map(|whom| format!(" to {whom}"));
        return Some(format!("{verb} {what}{}", whom.unwrap_or_default()));
    }
    if sends && has(Means::Address) {
        let what = match object {
            Some("http" | "") | None => "a request".to_owned(),
            Some(word) => with_article(word),
        };
        let place = given(Means::Address).map(|place| format!(" to {place}"));
        return Some(format!("{verb} {what}{}", place.unwrap_or_default()));
    }
    if has(Means::Path) && tool.effect == Effect::Destructive && is(Manner::Runs) {
        return Some("runs a program, which can do anything".to_owned());
    }
    let mut files = arguments(plan, step, tool, Means::Path).into_iter();
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

fn has_parameter(tool: &ToolSpec, wanted: Means) -> bool {
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let mut properties = properties.into_iter().flatten();
    properties.any(|(name, schema)| means(name, schema) == wanted)
}

/// The arguments of the step that are of the wanted kind, as far as they are known.
fn arguments(plan: &Plan, step: &Step, tool: &ToolSpec, wanted: Means) -> Vec<String> {
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let of_kind = properties
        .into_iter()
        .flatten()
        .filter(|(name, schema)| means(name, schema) == wanted);
    let given = of_kind.filter_map(|(name, _)| step.input.as_ref()?.get(name));
    given.filter_map(|value| known_text(plan, value)).collect()
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
    match flat.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", flat.get(..end).unwrap_or_default()),
        None => flat,
    }
}

fn with_article(noun: &str) -> String {
    let noun = if noun == "email" { "e-mail" } else { noun };
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}
