//! What is a model told in a turn, and what becomes of its answer? The question holds what was done
//! since the last one; the answer is recorded as the result of an ordinary call.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::Machine;
use super::super::state::Phase;
use super::{Made, Said};
use crate::context::guided::{Opening, given, schema};
use crate::context::{Knowledge, shown};
use crate::failure::ToolFailure;

/// Tokens of one answer.
const MOST_ANSWERED: u32 = 1_024;
/// Of the budget of a context, the share that the beginning of all turns may have.
const OPENING_SHARE: usize = 2;

impl Machine {
    /// Writes the part of the prompt that stays the same for all turns.
    pub(super) fn open_turns(&mut self, n: u32) {
        let knowledge = self.knowledge();
        let Some(phased) = self.phased(n) else { return };
        let first = given(&phased.given, 2 * knowledge.result_characters);
        let system = self.opening(n, &knowledge);
        if let Some(phased) = self.phased_mut(n) {
            phased.system = system;
            phased.notes = vec![first];
        }
    }

    /// As many tools with parameters and sections of skills as there is room for.
    fn opening(&self, n: u32, knowledge: &Knowledge) -> String {
        let (Some(guided), Some(phased)) = (self.guided_of(n), self.phased(n)) else {
            return String::new();
        };
        let mut ranked = self.ranked_tools(n);
        ranked.sort_by(|left, right| right.1.total_cmp(&left.1));
        let tools = ranked
            .iter()
            .filter_map(|(node, _)| self.tool_of(guided, *node));
        let tools: Vec<_> = tools.map(|tool| &**tool).collect();
        let mut likely = ranked
            .iter()
            .filter(|(_, chance)| *chance > knowledge.threshold)
            .count();
        // Whoever is to choose needs at least something to choose from.
        likely = likely.max(2.min(tools.len()));
        let known = tools
            .iter()
            .take(likely)
            .filter_map(|tool| knowledge.sections.get(&tool.id));
        let mut sections: Vec<String> = Vec::new();
        for known in known.flatten() {
            let text = format!("## {}\n{}", known.title, known.text);
            if !sections.contains(&text) {
                sections.push(text);
            }
        }
        loop {
            let text = Opening {
                objective: &knowledge.objective,
                goal: &phased.goal,
                until: guided.until.as_ref().map(|until| until.form.text()),
                max_calls: guided.max_calls,
                tools: &tools,
                detailed: likely,
                sections: &sections,
            }
            .text();
            let fits = self.counter.count(&text) * OPENING_SHARE <= knowledge.budget;
            if fits || (sections.pop().is_none() && likely == 0) {
                return text;
            }
            if sections.is_empty() {
                likely = likely.saturating_sub(1);
            }
        }
    }

    pub(super) fn ask_for_turn(&mut self, n: u32, frame: u32, turn: u32) {
        let knowledge = self.knowledge();
        let report = self.report(n, &knowledge);
        let names = self.names_of(n);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let schema = schema(&names);
        let room = knowledge.budget;
        let counter = self.counter.clone();
        let Some(phased) = self.phased_mut(n) else {
            return;
        };
        phased.notes.clear();
        phased.told = phased.made.len();
        phased.said.push(Said {
            by_model: false,
            text: report,
        });
        let size = |said: &[Said]| -> usize { said.iter().map(|it| counter.count(&it.text)).sum() };
        let own = counter.count(&phased.system);
        // The oldest turns give way, a question and its answer at a time.
        let mut dropped = 0;
        while phased.said.len() > 2 && own + size(&phased.said) > room {
            phased.said.drain(..2);
            dropped += 1;
        }
        if dropped > 0
            && let Some(first) = phased.said.first_mut()
        {
            first.text = format!("(earlier turns are not shown)\n\n{}", first.text);
        }
        let (question, before) = match phased.said.split_last() {
            Some((question, before)) => (question.text.clone(), before),
            None => return,
        };
        let before: Vec<Value> = before
            .iter()
            .map(|said| {
                let role = if said.by_model { "model" } else { "user" };
                json!({"role": role, "text": said.text})
            })
            .collect();
        let arguments = json!({
            "system": phased.system, "messages": before, "prompt": question,
            "schema": schema, "max_tokens": MOST_ANSWERED,
        });
        self.visit_with(frame, turn, Arc::new(arguments));
    }

    /// The names of the tools of a phase, as turns use them.
    pub(super) fn names_of(&self, n: u32) -> Vec<String> {
        let Some(guided) = self.guided_of(n) else {
            return Vec::new();
        };
        let tools = (0..guided.tools as u32).filter_map(|node| self.tool_of(guided, node));
        tools.map(|tool| tool.id.name().to_owned()).collect()
    }

    /// What was done since the last turn.
    fn report(&self, n: u32, knowledge: &Knowledge) -> String {
        let Some(phased) = self.phased(n) else {
            return String::new();
        };
        let mut parts: Vec<String> = Vec::new();
        for (at, made) in phased.made.iter().enumerate().skip(phased.told) {
            parts.push(self.told(phased, at, *made, knowledge.result_characters));
        }
        parts.extend(phased.notes.iter().cloned());
        if phased.turns > 1 {
            let left = self.guided_of(n).map_or(0, |guided| guided.max_calls);
            let left = left.saturating_sub(phased.calls);
            parts.push(format!("Calls left: {left}. What is next?"));
        }
        parts.join("\n\n")
    }

    fn told(&self, phased: &super::Phased, at: usize, made: Made, most: usize) -> String {
        let name = &self.node(made.n).step;
        let instance = self.instance(made.n);
        if let (Some(output), Phase::Done) = (&instance.output, instance.phase) {
            return shown::result(name, &output.get(), most, Some(&handle(at)));
        }
        let why = phased.failures.get(&made.n);
        let why = why.map_or("it was not made", String::as_str);
        shown::result(name, &Value::from(format!("failed: {why}")), most, None)
    }

    pub(super) fn turn_ended(&mut self, n: u32, frame: u32, inner: u32) {
        let instance = self.instance(inner);
        let answer = instance
            .output
            .as_ref()
            .filter(|_| instance.phase == Phase::Done);
        let Some(answer) = answer.map(crate::retained::Retained::get) else {
            let why = self
                .phased(n)
                .and_then(|phased| phased.failures.get(&inner));
            let why = why.map_or("no model answered", String::as_str);
            let failure = ToolFailure::permanent(format!("what is next could not be asked: {why}"));
            return self.fail_frame(frame, failure);
        };
        if let Some(phased) = self.phased_mut(n) {
            phased.said.push(Said {
                by_model: true,
                text: answer.to_string(),
            });
        }
        self.take_turn(n, frame, &answer);
    }

    /// Shows a stretch of a result that was too long.
    pub(super) fn read_further(&self, n: u32, wanted: &str, from: usize) -> Option<String> {
        let phased = self.phased(n)?;
        let (_, made) = phased
            .made
            .iter()
            .enumerate()
            .find(|(at, _)| handle(*at) == wanted)?;
        let output = self.instance(made.n).output.as_ref()?;
        let most = 3 * self.knowledge().result_characters;
        Some(shown::stretch(
            &self.node(made.n).step,
            &output.get(),
            from,
            most,
        ))
    }

    /// Calls that a turn has chosen, for whoever starts them.
    pub(super) fn begin_chosen(&mut self, n: u32, frame: u32, chosen: Vec<super::Chosen>) {
        self.start_chosen(n, frame, VecDeque::from(chosen));
    }
}

/// How a turn names the result of a call.
fn handle(at: usize) -> String {
    format!("r{}", at + 1)
}
