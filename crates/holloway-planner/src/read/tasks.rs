//! How do tasks that are already taken apart become a frame? One goal a task: with the act that
//! its tool or its words say, where the arguments are parts of that act; otherwise `other`, with
//! the verb, the object and the arguments by name. Every part keeps the field it came from.

use std::sync::Arc;

use holloway_plan::tool::does::{Does, Serves, Takes, is_a};
use holloway_plan::tool::{Lookup, ToolSpec};
use holloway_search::words::spaced;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::choose::understand;
use crate::catalogue::Catalogue;
use crate::frame::acts::Acts;
use crate::frame::constraints::Constraints;
use crate::frame::scene::Scene;
use crate::frame::{ARGUMENTS, Action, Frame, Goal, OBJECT, OTHER, Part, Said};
use crate::text::clip;

pub mod pattern;

/// More tasks than this are not planned at once.
pub const TASKS_AT_MOST: usize = 1_000;
/// How much of what a task says is looked at.
const LOOKED_AT: usize = 400;

/// A task as somebody took it out of a larger one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SubTaskItem {
    pub id: String,
    pub description: String,
    /// What kind of doing it is: `search`, `http_fetch`, `write_report`.
    pub action: String,
    /// Ids of tasks that must have ended before.
    pub depends_on: Vec<String>,
    /// Arguments that are known; `{{task.field}}` stands for a result.
    pub inputs: Map<String, Value>,
    /// JSON Schema that the result must fit.
    pub output: Option<Value>,
    /// Tools that were named for it, the first preferred.
    pub tools: Vec<String>,
    /// How to tell that it is done, in words or as a condition.
    pub success_criteria: Vec<String>,
}

impl SubTaskItem {
    /// All that it says about what is to be done.
    pub fn text(&self) -> String {
        let action = self.action.trim();
        // The name of an action is words; in a text, files and addresses stay as they are.
        let is_name = !action.contains(char::is_whitespace);
        let action = if is_name {
            spaced(action)
        } else {
            action.to_owned()
        };
        let said = [action.as_str(), self.description.trim()];
        let said = said.into_iter().filter(|text| !text.is_empty());
        clip(&said.collect::<Vec<_>>().join(", "), LOOKED_AT)
    }

    /// What is to be done, in a few words.
    pub fn wanted(&self) -> String {
        let said = [&self.action, &self.description, &self.id];
        let first = said.into_iter().find(|text| !text.trim().is_empty());
        first.map_or_else(String::new, |text| text.replace(['_', '-'], " "))
    }

    /// The first of its tools that is at hand.
    pub fn named<'a>(&self, registry: &'a Catalogue) -> Option<&'a Arc<ToolSpec>> {
        let mut names = self.tools.iter();
        names.find_map(|name| match registry.table().find(name) {
            Lookup::Found(tool) => registry.tool(registry.place(&tool.id)?),
            _ => None,
        })
    }
}

/// Reads tasks, in the order in which they are to be done.
pub fn read(
    tasks: &[&SubTaskItem],
    constraints: Constraints,
    scene: &Scene,
    registry: &Catalogue,
) -> Frame {
    let places = tasks.iter().enumerate();
    let places: FxHashMap<&str, usize> = places.map(|(at, task)| (task.id.as_str(), at)).collect();
    let place = |id: &String| places.get(id.as_str()).copied();
    let goals = tasks.iter().map(|task| {
        let text = task.text();
        let known = known(task, &text, scene, registry);
        Goal {
            after: task.depends_on.iter().filter_map(place).collect(),
            ..known.unwrap_or_else(|| other(task, text))
        }
    });
    Frame {
        goals: goals.collect(),
        constraints,
        ..Frame::default()
    }
}

/// What is in no table: a verb with its object, and arguments by name.
fn other(task: &SubTaskItem, text: String) -> Goal {
    let action = Action::of(&text);
    let verb = Some(action.verb).filter(|verb| !verb.is_empty());
    let object = (!action.object.is_empty()).then(|| {
        let object = action.object.join(" ");
        Part::new(OBJECT, json!(object), said(object.clone()))
    });
    let arguments = task.inputs.iter().map(|(name, value)| {
        let value = json!({"name": name, "value": value});
        Part::new(ARGUMENTS, value, field(task, name))
    });
    Goal {
        act: OTHER.to_owned(),
        said: said(verb.unwrap_or_else(|| text.clone())),
        parts: object.into_iter().chain(arguments).collect(),
        text,
        ..Goal::default()
    }
}

/// The act that the named tool or the words say, where it can take all the arguments.
fn known(task: &SubTaskItem, text: &str, scene: &Scene, registry: &Catalogue) -> Option<Goal> {
    // What comes out of another task by name goes to an argument by name.
    if task.inputs.values().any(holds_reference) {
        return None;
    }
    let heard = heard(text, scene);
    let act = heard.as_ref().map(|goal| goal.act.as_str());
    let goal = |does: &Does| {
        let parts = parts(task, does)?;
        let own = heard.clone().filter(|heard| heard.act == does.act);
        let mut goal = own.unwrap_or_else(|| Goal {
            act: does.act.clone(),
            said: said(text.to_owned()),
            ..Goal::default()
        });
        let said_twice = |known: &Part| parts.iter().any(|part| part.slot == known.slot);
        goal.parts.retain(|known| !said_twice(known));
        goal.parts.extend(parts);
        text.clone_into(&mut goal.text);
        Some(goal)
    };
    match task.named(registry) {
        Some(tool) => {
            let said = tool
                .does
                .iter()
                .filter(|does| Some(does.act.as_str()) == act);
            said.chain(only_act(tool)).find_map(goal)
        }
        None if task.inputs.is_empty() => heard.clone(),
        None => {
            let all = registry.tools().flat_map(|(_, tool)| &tool.does);
            all.filter(|does| Some(does.act.as_str()) == act)
                .find_map(goal)
        }
    }
}

/// What a tool does that does one thing only.
fn only_act(tool: &ToolSpec) -> impl Iterator<Item = &Does> {
    let first = tool.does.first().map(|does| does.act.as_str());
    let same = tool
        .does
        .iter()
        .all(|does| Some(does.act.as_str()) == first);
    tool.does.iter().filter(move |_| same)
}

/// The one goal that the words say, where they leave nothing over.
fn heard(text: &str, scene: &Scene) -> Option<Goal> {
    let mut frame = understand(text, scene).frame;
    let whole = frame.leftover.is_empty() && frame.goals.len() == 1;
    let goal = frame.goals.pop().filter(|_| whole)?;
    Acts::table().act(&goal.act).is_some().then_some(goal)
}

/// The arguments of a task as parts of an act; nothing where the act does not take one of them.
fn parts(task: &SubTaskItem, does: &Does) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for (name, value) in &task.inputs {
        let place = field(task, name);
        if let Some(takes) = does.takes.iter().find(|takes| takes.argument == *name) {
            parts.extend(sources(takes, value, &place)?);
            continue;
        }
        let serves = does
            .slots
            .iter()
            .find(|serves| takes_it(serves, name, value))?;
        put(&mut parts, serves, value, &place)?;
    }
    Some(parts)
}

/// What a tool works on: files, folders and addresses.
fn sources(takes: &Takes, value: &Value, place: &Said) -> Option<Vec<Part>> {
    let takes_kind = |kind: &str| takes.kinds.iter().any(|own| is_a(own, kind));
    let field = if takes_kind("url") {
        "url"
    } else if takes_kind("file") {
        "path"
    } else if takes_kind("folder") {
        "folder"
    } else {
        return None;
    };
    let texts = match value {
        Value::Array(items) => items
            .iter()
            .map(Value::as_str)
            .collect::<Option<Vec<_>>>()?,
        one => vec![one.as_str()?],
    };
    let source = |text: &&str| Part::new("sources", json!({ field: text }), place.clone());
    Some(texts.iter().map(source).collect())
}

fn takes_it(serves: &Serves, name: &str, value: &Value) -> bool {
    match serves {
        Serves::Argument { argument, list, .. } => argument == name && (!list || value.is_array()),
        Serves::Keyed { argument, .. } => argument == name && value.is_object(),
        Serves::Always { .. } => false,
    }
}

/// Turns an argument into what it serves; fields of one slot make one part.
fn put(parts: &mut Vec<Part>, serves: &Serves, value: &Value, place: &Said) -> Option<()> {
    let part = |slot: &str, value: Value| Part::new(slot, value, place.clone());
    match serves {
        Serves::Argument {
            slot, field, list, ..
        } => {
            let of = |value: &Value| match field {
                Some(field) => json!({ field: value }),
                None => value.clone(),
            };
            if *list {
                parts.extend(value.as_array()?.iter().map(|item| part(slot, of(item))));
                return Some(());
            }
            let mut known = parts.iter_mut().filter(|part| part.slot == *slot);
            let known = known.find_map(|part| part.value.as_object_mut());
            match (known, field) {
                (Some(known), Some(field)) => {
                    known.insert(field.clone(), value.clone());
                }
                _ => parts.push(part(slot, of(value))),
            }
        }
        Serves::Keyed {
            slot,
            key,
            value: own,
            ..
        } => {
            let fields = value.as_object()?.iter();
            parts.extend(fields.map(|(name, value)| part(slot, json!({key: name, own: value}))));
        }
        Serves::Always { .. } => return None,
    }
    Some(())
}

fn said(text: String) -> Said {
    Said { text, at: 0..0 }
}

/// The place of an argument: the field of its task.
fn field(task: &SubTaskItem, name: &str) -> Said {
    said(format!("{}.inputs.{name}", task.id))
}

/// What is filled in when the plan runs may be anything.
pub(crate) fn holds_reference(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{"),
        Value::Array(items) => items.iter().any(holds_reference),
        Value::Object(fields) => fields.values().any(holds_reference),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
