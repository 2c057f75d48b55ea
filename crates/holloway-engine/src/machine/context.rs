//! What may a step of this run see? Gathers from the state what [`crate::context`] puts together, and
//! says in the journal how much it is.

mod ahead;

use std::collections::BTreeSet;
use std::sync::Arc;

use holloway_plan::dag::{Node, Work};
use holloway_plan::digest;
use holloway_plan::scope::Slot;
use holloway_plan::step::MODEL_SOURCE;
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use super::Machine;
use super::state::Phase;
use crate::context::{Context, Knowledge, Loaded, PartKind, part, shown};
use crate::entry::EntryKind;
use crate::model::fence::line;
use ahead::Ahead;

/// Steps before this one that are listed.
const STEPS_BEFORE: usize = 6;
/// Steps that come after of which names are listed.
const STEPS_AFTER: usize = 10;
/// What of the tools of the source `model` works without one answers within this.
const AT_ONCE_MS: u64 = 100;
/// Characters of one field of a question that are looked at.
const MOST_ASKED: usize = 48_000;

impl Machine {
    /// What is known beside the plan.
    pub(super) fn knowledge(&self) -> Arc<Knowledge> {
        self.knowledge.clone().unwrap_or_default()
    }

    /// Writes down what a call that is about to be made may see: for each step of the plan once, for
    /// questions to a model every time.
    pub(super) fn tell_context(&mut self, n: u32) {
        if self.knowledge.is_none() {
            return;
        }
        let instance = self.instance(n);
        let place = (self.frame(instance.frame).body.0, instance.node);
        let asks = self.asks_model(n);
        if !self.state.contexts_told.insert(place) && !asks {
            return;
        }
        let mut loaded = self.loaded(n, asks);
        let likely: BTreeSet<String> = loaded.next.iter().map(|(tool, _)| tool.clone()).collect();
        let before = std::mem::replace(&mut self.state.preloaded, likely);
        let gone: Vec<String> = before.difference(&self.state.preloaded).cloned().collect();
        loaded.pruned = self.pruned(n, gone);
        let node = self.node_ref(n);
        self.record(EntryKind::ContextLoaded {
            node,
            loaded: Box::new(loaded),
        });
    }

    /// Of tools that are not shown any more those that were not called and will not be.
    fn pruned(&self, n: u32, mut gone: Vec<String>) -> Vec<String> {
        if gone.is_empty() {
            return gone;
        }
        let frame = self.frame(self.instance(n).frame);
        let beside = frame.latest.iter().copied().filter(|n| *n != u32::MAX);
        let beside = beside.filter(|n| {
            let phase = self.instance(*n).phase;
            !matches!(phase, Phase::Skipped | Phase::Cancelled)
        });
        let beside = beside.map(|n| self.node(n));
        let told = self.state.contexts_told.iter().filter_map(|(body, node)| {
            let body = self.dag.bodies().get(*body as usize)?;
            body.nodes.get(*node as usize)
        });
        for node in beside.chain(told) {
            if let Some(tool) = tool_of_node(self, node) {
                gone.retain(|name| name != tool.id.as_str());
            }
        }
        gone
    }

    fn asks_model(&self, n: u32) -> bool {
        let tool = self.tool_in_use(n);
        tool.is_some_and(|(_, tool)| {
            tool.id.source() == MODEL_SOURCE && tool.latency_ms > Some(AT_ONCE_MS)
        })
    }

    fn loaded(&self, n: u32, asks: bool) -> Loaded {
        let knowledge = self.knowledge();
        let context = self.context_of(n);
        let next = self.probably_next(n, &knowledge);
        let likely = next
            .into_iter()
            .filter(|ahead| ahead.chance > knowledge.threshold);
        let shown: Vec<&str> = context.names(PartKind::Next).collect();
        let mut skills: Vec<String> = context
            .names(PartKind::Skill)
            .filter_map(|name| Some(name.split_once(": ")?.0.to_owned()))
            .collect();
        skills.dedup();
        let whole = self
            .results_read(n)
            .iter()
            .map(|(_, value)| size_of(value))
            .sum::<u64>();
        let tokens = context.tokens() as u64;
        Loaded {
            tokens,
            sent: if asks { tokens } else { 0 },
            everything: knowledge.everything + whole,
            skills,
            next: likely
                .filter(|ahead| shown.contains(&ahead.tool.id.as_str()))
                .map(|ahead| (ahead.tool.id.to_string(), rounded(ahead.chance)))
                .collect(),
            pruned: Vec::new(),
            upcoming: context.names(PartKind::Upcoming).count(),
            digest: digest::of_json(&context.text()),
        }
    }

    /// What an instance may see. Of a question to a model, the very question.
    pub fn context_of(&self, n: u32) -> Context {
        if self.asks_model(n) {
            return self.asked(n);
        }
        let knowledge = self.knowledge();
        let mut context = Context::default();
        let mut add = |kind, name: &str, text: String| {
            let part = part(kind, name, text, &self.counter);
            context.add(part, knowledge.budget);
        };
        if !knowledge.objective.is_empty() {
            let text = format!("# Objective\n{}", line(&knowledge.objective, 400));
            add(PartKind::Objective, "objective", text);
        }
        add(PartKind::Outline, "outline", self.outline(n));
        let Some((_, tool)) = self.tool_in_use(n) else {
            return context.in_order();
        };
        let text = format!("# Tool of this step\n{}", shown::signature(tool));
        add(PartKind::Tool, tool.id.as_str(), text);
        for (name, value) in self.results_read(n) {
            let text = shown::result(&name, &value, knowledge.result_characters, Some(&name));
            add(PartKind::Result, &name, text);
        }
        for known in knowledge.sections.get(&tool.id).into_iter().flatten() {
            let text = format!("# {}\n{}", known.title, known.text);
            add(PartKind::Skill, &known.name(), text);
        }
        let ahead = self.probably_next(n, &knowledge);
        for next in ahead
            .iter()
            .filter(|next| next.chance > knowledge.threshold)
        {
            let text = format!("# Probably next\n{}", shown::signature(&next.tool));
            add(PartKind::Next, next.tool.id.as_str(), text);
        }
        for next in ahead.iter().take(STEPS_AFTER) {
            add(PartKind::Upcoming, &next.step, next.line());
        }
        context.in_order()
    }

    /// A question to a model is what it sees, whoever has put it together.
    fn asked(&self, n: u32) -> Context {
        let arguments = self.instance(n).arguments.clone().unwrap_or_default();
        let mut context = Context::default();
        let mut add = |kind, name: &str, text: &str| {
            context
                .parts
                .push(part(kind, name, text.to_owned(), &self.counter));
        };
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        if let Some(system) = text("system") {
            add(PartKind::Objective, "system", system);
        }
        let messages = arguments.get("messages").and_then(Value::as_array);
        for message in messages.into_iter().flatten() {
            if let Some(text) = message.get("text").and_then(Value::as_str) {
                add(PartKind::Outline, "message", text);
            }
        }
        let fields = arguments.as_object();
        for (name, value) in fields.into_iter().flatten() {
            match (name.as_str(), value) {
                ("system" | "messages" | "schema" | "max_tokens", _) => {}
                (name, Value::String(text)) => {
                    let text: String = text.chars().take(MOST_ASKED).collect();
                    add(PartKind::Result, name, &text);
                }
                (name, value) => add(PartKind::Result, name, &shown::brief(value, MOST_ASKED)),
            }
        }
        context
    }

    /// The steps before this one in its list, and how they stand.
    fn outline(&self, n: u32) -> String {
        let instance = self.instance(n);
        let frame = self.frame(instance.frame);
        let Some(body) = self.dag.body(frame.body) else {
            return String::new();
        };
        let at = instance.node as usize;
        let from = at.saturating_sub(STEPS_BEFORE);
        let mut lines = vec!["# Steps so far".to_owned()];
        if from > 0 {
            lines.push(format!("- … {from} steps before"));
        }
        for (place, node) in body.nodes.iter().enumerate().take(at + 1).skip(from) {
            let stands = match frame.latest.get(place) {
                _ if place == at => "now",
                Some(latest) if *latest != u32::MAX => word(self.instance(*latest).phase),
                _ => "to come",
            };
            lines.push(format!("- {}{} [{stands}]", node.step, purpose(node)));
        }
        lines.join("\n")
    }

    /// The results that a step reads, by the names under which it does.
    fn results_read(&self, n: u32) -> Vec<(String, Arc<Value>)> {
        let Work::Call { input, .. } = &self.node(n).work else {
            return Vec::new();
        };
        let frame = self.instance(n).frame;
        let read = input.slots.iter().filter_map(|(name, slot)| match slot {
            Slot::Context(_) => None,
            slot => Some((name.to_string(), self.slot_value(frame, slot)?)),
        });
        read.collect()
    }

    /// Tools that come after this step, the most probable first.
    fn probably_next(&self, n: u32, knowledge: &Knowledge) -> Vec<Ahead> {
        let Some((_, tool)) = self.tool_in_use(n) else {
            return Vec::new();
        };
        let mut ahead = self.ahead_of(n);
        let followed = knowledge.followed.get(&tool.id);
        for next in &mut ahead {
            next.weigh(tool, followed, &knowledge.objective);
        }
        ahead.sort_by(|left, right| right.chance.total_cmp(&left.chance));
        ahead
    }
}

fn purpose(node: &Node) -> String {
    let purpose = node.purpose.as_deref();
    purpose.map_or_else(String::new, |purpose| format!(": {}", line(purpose, 120)))
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Done => "done",
        Phase::Failed => "failed",
        Phase::Skipped => "skipped",
        Phase::Cancelled => "cancelled",
        Phase::Waiting | Phase::Parked => "to come",
        Phase::Queued
        | Phase::Asking
        | Phase::Calling
        | Phase::BackingOff { .. }
        | Phase::Inside => "at work",
    }
}

/// About the tokens of a whole value: counting megabytes would cost more than it tells.
fn size_of(value: &Value) -> u64 {
    const BYTES: u64 = 4;
    shown::json_bytes(value).div_ceil(BYTES)
}

fn rounded(chance: f64) -> f64 {
    (chance * 1_000.0).round() / 1_000.0
}

/// The name of the tool that a node calls first.
fn tool_of_node<'a>(machine: &'a Machine, node: &Node) -> Option<&'a Arc<ToolSpec>> {
    let Work::Call { tools, .. } = &node.work else {
        return None;
    };
    machine.dag.tools().get(tools.first()?.0 as usize)
}
