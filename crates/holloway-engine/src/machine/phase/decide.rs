//! What does a turn lead to? Only what was approved is called; whatever else it says is told back,
//! and the next turn is asked.

use std::sync::Arc;

use serde_json::Value;

use super::super::Machine;
use super::Chosen;
use crate::context::guided::{Turn, Wanted};
use crate::context::shown;
use crate::entry::EntryKind;
use crate::model::fence::line;

impl Machine {
    pub(super) fn take_turn(&mut self, n: u32, frame: u32, answer: &Value) {
        let turn = match serde_json::from_value::<Turn>(answer.clone()) {
            Ok(turn) => turn,
            Err(error) => {
                self.note(n, format!("This is no turn: {error}."));
                return self.next_turn(n, frame);
            }
        };
        match turn {
            Turn::Call { calls } => return self.call_wanted(n, frame, calls),
            Turn::Done { result } => return self.take_result(n, frame, result),
            Turn::Describe { tools } => self.describe(n, &tools),
            Turn::Read { handle, from } => {
                let shown = self.read_further(n, &handle, from);
                self.note(
                    n,
                    shown.unwrap_or_else(|| "There is no such handle.".to_owned()),
                );
            }
            Turn::Skip { tools } => self.skip_tools(n, &tools),
            Turn::Need { capability } => self.miss(n, &capability),
        }
        self.next_turn(n, frame);
    }

    fn note(&mut self, n: u32, text: String) {
        if let Some(phased) = self.phased_mut(n) {
            phased.notes.push(text);
        }
    }

    /// The node of a tool that may be called, by its name or its whole id.
    fn approved(&self, n: u32, name: &str) -> Option<u32> {
        let guided = self.guided_of(n)?;
        let mut nodes = 0..guided.tools as u32;
        nodes.find(|node| {
            let tool = self.tool_of(guided, *node);
            tool.is_some_and(|tool| tool.id.name() == name || tool.id.as_str() == name)
        })
    }

    fn call_wanted(&mut self, n: u32, frame: u32, calls: Vec<Wanted>) {
        let mut chosen: Vec<Chosen> = Vec::new();
        for call in calls {
            let Some(node) = self.approved(n, &call.tool) else {
                let name = line(&call.tool, 80);
                self.note(n, format!("`{name}` may not be called in this section."));
                continue;
            };
            let next = Chosen {
                node,
                arguments: Arc::new(Value::Object(call.arguments)),
            };
            if !chosen.contains(&next) {
                chosen.push(next);
            }
        }
        let most = self.guided_of(n).map_or(0, |guided| guided.max_calls);
        let made = self.phased(n).map_or(0, |phased| phased.calls);
        let left = most.saturating_sub(made) as usize;
        if chosen.len() > left {
            self.note(
                n,
                format!("Calls left were {left}; the others were not made."),
            );
            chosen.truncate(left);
        }
        if chosen.is_empty() {
            return self.next_turn(n, frame);
        }
        self.begin_chosen(n, frame, chosen);
    }

    /// A result ends the section only where its end condition holds.
    fn take_result(&mut self, n: u32, frame: u32, result: Value) {
        let until = self.guided_of(n).and_then(|guided| guided.until.as_ref());
        if let Some(until) = until.map(|until| line(until.form.text(), 300))
            && !self.until_holds(n, frame)
        {
            self.note(n, format!("Not done: `{until}` does not hold yet."));
            return self.next_turn(n, frame);
        }
        if let Some(phased) = self.phased_mut(n) {
            phased.result = Some(Arc::new(result));
        }
        self.end_phase(n, frame);
    }

    fn describe(&mut self, n: u32, tools: &[String]) {
        let known = tools.iter().map(|name| {
            let guided = self.guided_of(n);
            let node = self.approved(n, name);
            let tool = guided
                .zip(node)
                .and_then(|(guided, node)| self.tool_of(guided, node));
            match tool {
                Some(tool) => shown::signature(tool),
                None => format!("There is no tool `{}` in this section.", line(name, 80)),
            }
        });
        let text = known.collect::<Vec<_>>().join("\n");
        self.note(n, text);
    }

    fn skip_tools(&mut self, n: u32, tools: &[String]) {
        let nodes: Vec<u32> = tools
            .iter()
            .filter_map(|name| self.approved(n, name))
            .collect();
        if let Some(phased) = self.phased_mut(n) {
            phased.skipped.extend(nodes);
            phased.notes.push("Noted.".to_owned());
        }
    }

    /// No listed tool can do what is needed.
    fn miss(&mut self, n: u32, capability: &str) {
        let node = self.node_ref(n);
        self.record(EntryKind::ToolMissing {
            node,
            capability: line(capability, 300),
        });
        self.note(
            n,
            "No other tool can be had in this run. Go on with those that are listed.".to_owned(),
        );
    }
}
