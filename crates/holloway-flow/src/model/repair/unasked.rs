//! May a plan of a model delete, move or write over something that the request does not ask for? Only
//! if a person agrees to that call, whatever else was agreed to: such steps always ask.

pub(in crate::model) mod defaults;

use std::sync::Arc;

use holloway_plan::draft::Draft;
use holloway_plan::step::{ApprovalRule, Step};
use holloway_plan::tool::does::{Does, Serves};
use holloway_plan::tool::{Effect, Lookup, ToolSpec, ToolTable};
use holloway_planner::estimate::nature::{Purpose, fetches, nature, purpose};
use holloway_planner::frame::scene::Scene;
use holloway_planner::frame::{EntityKind, Frame, Goal};
use serde_json::Value;
use url::Url;

use super::each;
use defaults::Defaults;

/// Where results go.
const TARGET: &str = "target";
/// The source of our own tools.
const BUILTIN: &str = "builtin";

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
    input.iter().any(|text| address(text).is_some())
}

/// Whether a call may carry something to an address that the request does not name, or changes
/// something at one.
fn goes_out(step: &Step, tool: &ToolSpec, request: &Frame, private: bool) -> bool {
    if !talks(tool) {
        return false;
    }
    let named = |host: &str| {
        let mut urls = request.entities.iter();
        urls.any(|entity| {
            entity.kind == EntityKind::Url
                && matches!(address(&entity.text), Some(Address::At(known)) if known == host)
        })
    };
    let writes = |text: &str| {
        let mut known = request.entities.iter();
        known.any(|entity| {
            entity.kind == EntityKind::Email && entity.text.eq_ignore_ascii_case(text)
        })
    };
    let changes = tool.effect != Effect::Read;
    let input = step.input.as_ref();
    input.into_iter().flat_map(texts).any(|text| {
        let elsewhere = match address(text) {
            None => false,
            Some(Address::Unclear) => true,
            Some(Address::At(host)) => !named(&host) || changes && private,
        };
        let to_others = changes && mail_addresses(text).any(|address| !writes(address));
        elsewhere || to_others || private && is_made(text)
    })
}

/// Whether a tool speaks to other machines: by what it declares, takes or is called, or because it
/// is one.
fn talks(tool: &ToolSpec) -> bool {
    let mut takes = tool.does.iter().flat_map(|does| &does.takes);
    takes.any(|takes| takes.kinds.iter().any(|kind| kind == "url"))
        || tool.id.source() != BUILTIN
        || fetches(tool)
        || nature(tool).outbound
}

/// Where a text leads, if it is an address.
enum Address {
    /// Host and port.
    At(String),
    /// It looks like one, and no program would agree where it leads.
    Unclear,
}

/// Read as the tools that call it read it.
fn address(text: &str) -> Option<Address> {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    let plain = plain.trim();
    match Url::parse(plain) {
        Ok(url) => url.host_str().map(|host| {
            let port = url.port_or_known_default().unwrap_or_default();
            Address::At(format!("{host}:{port}"))
        }),
        Err(_) => plain.contains("://").then_some(Address::Unclear),
    }
}

/// What looks like an address of mail in a text.
fn mail_addresses(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "<>,;()[]\"'".contains(c));
    words.filter(|word| {
        let ends = word.split_once('@');
        ends.is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
    })
}

fn is_risky(step: &Step, tool: &ToolSpec, scene: &Scene) -> bool {
    match tool.effect {
        Effect::Read => false,
        Effect::Destructive => true,
        Effect::Idempotent | Effect::Write => {
            let targets = targets(tool);
            // Nobody knows where a result goes if all arguments are made by another step.
            let is_made_whole = step.input.as_ref().is_some_and(|input| !input.is_object());
            is_made_whole
                || results(step, tool).iter().any(|(name, text)| {
                    // Where a result goes is only known for sure if it is written out.
                    let unknown = is_made(text) || text.contains("..");
                    let leads =
                        targets.contains(name) || purpose(name, &Value::Null) == Purpose::Path;
                    leads && unknown || is_there(text, scene)
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

/// All texts in the arguments of a step that its tool does not take as things to work on, each with
/// the name of the field that it stands in.
fn results<'a>(step: &'a Step, tool: &ToolSpec) -> Vec<(&'a str, &'a str)> {
    let taken = |name: &str| {
        let takes = |does: &Does| does.takes.iter().any(|takes| takes.argument == name);
        tool.does.iter().any(takes)
    };
    let fields = step.input.as_ref().and_then(Value::as_object);
    let fields = fields.into_iter().flatten();
    let given = fields.filter(|(name, _)| !taken(name));
    given
        .flat_map(|(name, value)| named_texts(name, value))
        .collect()
}

fn named_texts<'a>(name: &'a str, value: &'a Value) -> Vec<(&'a str, &'a str)> {
    match value {
        Value::String(text) => vec![(name, text)],
        Value::Array(items) => items
            .iter()
            .flat_map(|item| named_texts(name, item))
            .collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            fields
                .flat_map(|(name, value)| named_texts(name, value))
                .collect()
        }
        _ => Vec::new(),
    }
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
