//! May a plan of a model delete, move or write over something that the request does not ask for? Only
//! if a person agrees to that call, whatever else was agreed to: such steps always ask.

pub(in crate::model) mod defaults;

use std::sync::Arc;

use holloway_plan::draft::Draft;
use holloway_plan::step::{ApprovalRule, Step};
use holloway_plan::tool::does::{Does, Serves};
use holloway_plan::tool::{Effect, Lookup, ToolSpec, ToolTable};
use holloway_planner::frame::scene::Scene;
use holloway_planner::frame::{Frame, Goal};
use holloway_planner::read::entities::EntityKind;
use serde_json::Value;

use super::each;
use defaults::Defaults;

/// Where results go.
const TARGET: &str = "target";

/// What the steps of a plan are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    pub table: &'a ToolTable,
    pub scene: &'a Scene,
    /// The request as the embedded reader sees it.
    pub request: &'a Frame,
    /// Whether it understands all of it: a model's word alone is not enough.
    pub understood: bool,
}

/// Makes steps ask that destroy something, may write over a file that is there, or may carry what
/// was read to an address that the request does not name.
pub fn ask_first(draft: &mut Draft, around: &Around<'_>) -> Vec<String> {
    let given = Defaults::of(draft);
    let private = reads_files(draft, &given, around);
    let mut notes = Vec::new();
    each(&mut draft.steps, &mut |asking| {
        let step = &given.put_in(asking);
        let mut grave = tools(step, around).into_iter().filter(|tool| {
            let asked = || {
                let mut goals = around.request.goals.iter();
                around.understood && goals.any(|goal| asks_for(goal, tool, step))
            };
            is_risky(step, tool, around.scene) && !asked()
                || goes_out(step, tool, around.request, private)
        });
        if grave.next().is_none() || step.approval == Some(ApprovalRule::Always) {
            return;
        }
        asking.approval = Some(ApprovalRule::Always);
        notes.push(format!(
            "step `{}` asks first: the request does not plainly say so",
            step.id
        ));
    });
    notes
}

/// The tools that a step may call, fallbacks included.
fn tools(step: &Step, around: &Around<'_>) -> Vec<Arc<ToolSpec>> {
    let names = step.called_tool().into_iter();
    let names = names.chain(step.fallbacks.iter().map(String::as_str));
    let tools = names.filter_map(|name| match around.table.find(name) {
        Lookup::Found(tool) => Some(tool),
        _ => None,
    });
    tools.collect()
}

/// Whether a plan reads anything that is kept here.
fn reads_files(draft: &Draft, given: &Defaults, around: &Around<'_>) -> bool {
    let mut reads = false;
    draft.walk(&mut |step| {
        let step = &given.put_in(step);
        reads |= tools(step, around).iter().any(|tool| {
            let kinds = tool.does.iter().flat_map(|does| &does.takes);
            let mut kinds = kinds.flat_map(|takes| &takes.kinds);
            let of_file = kinds.any(|kind| kind.starts_with("file") || kind == "folder");
            // Of a tool that does not say what it takes, anything may be read.
            of_file || tool.does.is_empty() && !takes_address(step)
        });
    });
    reads
}

fn takes_address(step: &Step) -> bool {
    let input = step.input.as_ref().map(texts).unwrap_or_default();
    input.iter().any(|text| text.contains("://"))
}

/// Whether a call may carry something to an address that the request does not name, or changes
/// something at one.
fn goes_out(step: &Step, tool: &ToolSpec, request: &Frame, private: bool) -> bool {
    let takes_url = |name: &str| {
        let mut takes = tool.does.iter().flat_map(|does| &does.takes);
        takes.any(|takes| takes.argument == name && takes.kinds.iter().any(|kind| kind == "url"))
    };
    let named = |address: &str| {
        let mut urls = request.entities.iter();
        urls.any(|entity| entity.kind == EntityKind::Url && host(&entity.text) == host(address))
    };
    let fields = step.input.as_ref().and_then(Value::as_object);
    fields.into_iter().flatten().any(|(name, value)| {
        texts(value).into_iter().any(|text| {
            let is_address = text.contains("://");
            let made = is_made(text);
            let sends = is_address && tool.effect != Effect::Read;
            let elsewhere = is_address && !named(text);
            let carries = private && made && (is_address || takes_url(name));
            sends && (private || elsewhere) || elsewhere && is_reached(tool) || carries
        })
    })
}

/// Whether a tool speaks to other machines, as far as that is declared.
fn is_reached(tool: &ToolSpec) -> bool {
    let mut takes = tool.does.iter().flat_map(|does| &does.takes);
    tool.does.is_empty() || takes.any(|takes| takes.kinds.iter().any(|kind| kind == "url"))
}

/// The host of an address, without user and path.
fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    host.to_lowercase()
}

fn is_risky(step: &Step, tool: &ToolSpec, scene: &Scene) -> bool {
    match tool.effect {
        Effect::Read => false,
        Effect::Destructive => true,
        Effect::Idempotent | Effect::Write => {
            let targets = targets(tool);
            results(step, tool).iter().any(|(name, text)| {
                // Where a result goes is only known for sure if it is written out.
                let unknown = is_made(text) || text.contains("..");
                targets.contains(name) && unknown || is_there(text, scene)
            })
        }
    }
}

/// Whether a text is only known once the plan runs.
fn is_made(text: &str) -> bool {
    text.contains("{{") || text.contains("{%")
}

/// The arguments that say where a result goes, as far as a tool declares them.
fn targets(tool: &ToolSpec) -> Vec<&str> {
    let slots = tool.does.iter().flat_map(|does| &does.slots);
    let named = slots.filter_map(|slot| match slot {
        Serves::Argument { slot, argument, .. } if slot == TARGET => Some(argument.as_str()),
        _ => None,
    });
    named.collect()
}

/// All texts in the arguments of a step that its tool does not take as things to work on.
fn results<'a>(step: &'a Step, tool: &ToolSpec) -> Vec<(&'a str, &'a str)> {
    let taken = |name: &str| {
        let takes = |does: &Does| does.takes.iter().any(|takes| takes.argument == name);
        tool.does.iter().any(takes)
    };
    let fields = step.input.as_ref().and_then(Value::as_object);
    let fields = fields.into_iter().flatten();
    let given = fields.filter(|(name, _)| !taken(name));
    given
        .flat_map(|(name, value)| {
            texts(value)
                .into_iter()
                .map(move |text| (name.as_str(), text))
        })
        .collect()
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Whether a path names a file that was seen, however it leads there.
fn is_there(path: &str, scene: &Scene) -> bool {
    let plain = |path: &str| path.trim_start_matches("./").to_lowercase();
    let path = plain(path);
    let mut names = scene.files.iter().map(|file| plain(&file.name));
    names.any(|name| path == name || path.ends_with(&format!("/{name}")))
}

/// Whether a goal asks for just this call: the act of the tool on files of the goal and no other, or
/// a result that goes to its target.
fn asks_for(goal: &Goal, tool: &ToolSpec, step: &Step) -> bool {
    let paths = |slot: &'static str| {
        let parts = goal.parts.iter().filter(move |part| part.slot == slot);
        parts.filter_map(|part| part.text("path").or(part.text("folder")))
    };
    if tool.effect == Effect::Destructive {
        let input = step.input.as_ref().map(texts).unwrap_or_default();
        let named = |text: &&str| {
            paths("sources")
                .chain(paths(TARGET))
                .any(|path| path == *text)
        };
        return tool.does.iter().any(|does| does.act == goal.act)
            && !input.is_empty()
            && input.iter().all(named);
    }
    let is_target = |text: &str| paths(TARGET).any(|path| path == text);
    let targets = targets(tool);
    let results = results(step, tool);
    let mut results = results.iter().filter(|(name, _)| targets.contains(name));
    !targets.is_empty() && results.all(|(_, text)| is_target(text))
}

#[cfg(test)]
mod tests;
