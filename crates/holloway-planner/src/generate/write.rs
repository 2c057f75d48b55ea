//! How do nodes become steps? Calls, loops around calls, groups for domains, with what is
//! expected of results and which tools may stand in.

use holloway_plan::draft::{Budget, Draft};
use holloway_plan::step::{Expectation, OnError, Step, StepType};
use holloway_plan::tool::Effect;
use serde_json::{Value, json};

use super::StepNote;
use super::assembly::{Assembly, Node, Part, identifier};
use super::choose::Choices;
use super::inputs::clip;
use super::results::is_name;
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::Place;
use crate::catalogue::ports::Ports;

const OBJECTIVE_AT_MOST: usize = 300;
const PURPOSE_AT_MOST: usize = 120;
/// Domains with fewer steps need no group.
const GROUP_AT_LEAST: usize = 2;

impl Assembly<'_> {
    /// The plan as a draft.
    pub(super) fn draft(&mut self, choices: &Choices) -> Draft {
        let limits = self.ground.analysis.constraints;
        self.forget_unread();
        let mut draft = Draft {
            version: "1.0".to_owned(),
            objective: Some(clip(self.ground.analysis.request.trim(), OBJECTIVE_AT_MOST)),
            input: self.inputs.schema(),
            budget: Budget {
                money: limits.money,
                seconds: limits.seconds,
                ..Budget::default()
            },
            ..Draft::default()
        };
        draft.id = Some(super::words::slug(self.ground.analysis));
        let groups = self.groups();
        let mut written: Vec<&str> = Vec::new();
        for at in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(at) else {
                continue;
            };
            let group = groups.iter().find(|(_, members)| members.contains(&at));
            match group {
                None => draft.steps.push(self.step(node, choices)),
                Some((name, members)) if !written.contains(&name.as_str()) => {
                    written.push(name);
                    draft.steps.push(self.group(name, members, choices));
                }
                Some(_) => {}
            }
        }
        draft
    }

    /// Inputs that were asked for by steps that did not come about.
    fn forget_unread(&mut self) {
        let mut texts = String::new();
        for node in &self.nodes {
            texts += &Value::Object(node.arguments.clone()).to_string();
            texts += node.each.as_ref().map_or("", |each| each.over.as_str());
            texts.push(' ');
        }
        let ends = |rest: &str| {
            !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
        };
        self.inputs.keep(|name| {
            let needle = format!("input.{name}");
            let mut places = texts.match_indices(&needle);
            places.any(|(at, found)| texts.get(at + found.len()..).is_some_and(ends))
        });
    }

    /// What looks into one domain stands together, under a name no step has.
    fn groups(&mut self) -> Vec<(String, Vec<usize>)> {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(domain) = node.domain.as_ref().filter(|_| node.part == Part::Core) else {
                continue;
            };
            let name = identifier(domain);
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, members)) => members.push(at),
                None => groups.push((name, vec![at])),
            }
        }
        groups.retain(|(_, members)| members.len() >= GROUP_AT_LEAST);
        groups.retain(|(name, _)| self.reserve(name));
        groups
    }

    fn group(&self, name: &str, members: &[usize], choices: &Choices) -> Step {
        let members = members.iter().filter_map(|at| self.nodes.get(*at));
        Step {
            id: name.to_owned(),
            kind: StepType::Parallel,
            steps: members.map(|node| self.step(node, choices)).collect(),
            ..Step::default()
        }
    }

    fn step(&self, node: &Node, choices: &Choices) -> Step {
        let tool = self.ground.catalogue.name_in_plans(node.place);
        let mut call = Step {
            id: node.id.clone(),
            tool: tool.map(str::to_owned),
            purpose: self.purpose(node),
            input: (!node.arguments.is_empty()).then(|| Value::Object(node.arguments.clone())),
            fallbacks: self.fallbacks(node, choices),
            expect: self.expectations(node),
            on_error: node.may_fail.then_some(OnError::Continue),
            ..Step::default()
        };
        let Some(each) = &node.each else {
            call.depends_on.clone_from(&node.follows);
            return call;
        };
        call.id = format!("{}_each", node.id);
        let purpose = call.purpose.take();
        Step {
            id: node.id.clone(),
            kind: StepType::Loop,
            purpose,
            depends_on: node.follows.clone(),
            over: Some(json!(each.over)),
            variable: Some(each.variable.clone()),
            concurrency: Some(self.ground.settings.loop_concurrency),
            max_items: Some(self.ground.settings.loop_items),
            step: Some(Box::new(call)),
            ..Step::default()
        }
    }

    fn purpose(&self, node: &Node) -> Option<String> {
        let tool = self.tool(node.place)?;
        let first = tool
            .description
            .split(['.', '\n'])
            .next()
            .unwrap_or_default();
        let text = match tool.title.trim() {
            "" => first.trim(),
            title => title,
        };
        let plain: String = text
            .chars()
            .filter(|letter| !"{}".contains(*letter))
            .collect();
        (!plain.is_empty()).then(|| clip(&plain, PURPOSE_AT_MOST))
    }

    /// What must be true of a result before others build on it.
    fn expectations(&self, node: &Node) -> Vec<Expectation> {
        let Some(ports) = self.ports(node.place) else {
            return Vec::new();
        };
        let whole_number = |name: &str| {
            ports
                .output(name)
                .is_some_and(|port| port.required && port.kind == Kind::Integer)
        };
        let mut expected = Vec::new();
        // A HEAD request asks for nothing but the status, whatever it is.
        let asks_status = node.arguments.get("method") == Some(&Value::from("HEAD"));
        if whole_number("status") && !asks_status {
            expected.push(Expectation::That("status < 400".to_owned()));
        }
        // An answer may well be empty, a file may not.
        if ports.writes && whole_number("status") {
            return expected;
        }
        // A file that is emptied has no bytes.
        let empties = node.arguments.values().any(|value| value == "");
        if ports.writes && !empties {
            match (
                whole_number("bytes"),
                ports.output("path").is_some_and(|port| port.required),
            ) {
                (true, _) => expected.push(Expectation::That("bytes > 0".to_owned())),
                (false, true) => expected.push(Expectation::Exists("path".to_owned())),
                (false, false) => {}
            }
        }
        if ports.writes {
            return expected;
        }
        // A source that gives nothing leaves nothing to work on; a check may well find nothing.
        if (node.part == Part::Gap || node.goes_on) && !node.optional {
            let lists = ports
                .outputs
                .iter()
                .filter(|port| port.kind == Kind::List && node.read.contains(&port.name))
                .filter(|port| is_name(&port.name));
            for list in lists.take(1) {
                expected.push(if whole_number("count") {
                    Expectation::That("count > 0".to_owned())
                } else {
                    Expectation::Exists(format!("{}[0]", list.name))
                });
            }
        }
        expected
    }

    /// Tools that take the same input, give what others read, and do no more harm.
    fn fallbacks(&self, node: &Node, choices: &Choices) -> Vec<String> {
        let Some(capability) = node
            .capability
            .filter(|_| node.part == Part::Core && node.domain.is_none())
        else {
            return Vec::new();
        };
        let catalogue = self.ground.catalogue;
        let alternatives = choices.alternatives(capability, node.place).into_iter();
        let fitting =
            alternatives.filter(|other| !self.uses(*other) && self.can_stand_in(node, *other));
        let names = fitting.filter_map(|other| catalogue.name_in_plans(other));
        names
            .take(self.ground.settings.fallbacks)
            .map(str::to_owned)
            .collect()
    }

    fn can_stand_in(&self, node: &Node, other: Place) -> bool {
        let (Some(own), Some(tool), Some(ports)) =
            (self.tool(node.place), self.tool(other), self.ports(other))
        else {
            return false;
        };
        // Nothing is known of what a tool without a schema takes.
        if tool.input_schema.is_null() || ports.inputs.is_empty() {
            return false;
        }
        let harm = |effect: Effect| effect as u8;
        let takes = |name: &String| {
            ports
                .input(name)
                .is_some_and(|port| self.takes_same(node, name, port.kind))
        };
        let given = |name: &str| node.arguments.contains_key(name);
        harm(tool.effect) <= harm(own.effect)
            && node.arguments.keys().all(takes)
            && ports.needed().all(|port| given(&port.name))
            && self.gives_same(node, ports)
    }

    fn gives_same(&self, node: &Node, ports: &Ports) -> bool {
        let own = self
            .ports(node.place)
            .into_iter()
            .flat_map(|own| &own.outputs);
        let mut own = own.filter(|field| field.required || node.read.contains(&field.name));
        own.all(|field| {
            ports
                .output(&field.name)
                .is_some_and(|other| other.kind == field.kind)
        })
    }

    fn takes_same(&self, node: &Node, name: &str, kind: Kind) -> bool {
        let own = self
            .tool(node.place)
            .and_then(|tool| Shape::of(&tool.input_schema).field(name));
        own.is_some_and(|own| own.kind() == kind)
    }

    pub(super) fn notes(&self) -> Vec<StepNote> {
        let notes = self.nodes.iter().map(|node| StepNote {
            step: node.id.clone(),
            tool: self
                .tool(node.place)
                .map_or_else(String::new, |tool| tool.id.to_string()),
            reason: node.reason.clone(),
            bindings: node.bindings.clone(),
        });
        notes.collect()
    }
}
