//! How does a plan grow? Tool by tool: each takes what the request says and what earlier steps give,
//! then what other tools can make for it; the rest is asked for.

use std::sync::Arc;

use holloway_plan::tool::{Effect, ToolSpec};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::OtherSettings;
use super::choose::Tool;
use super::inputs::drop_misfits;
use super::names::{identifier, joined, list_of, one_of_many};
use crate::bind::{Binding, Earlier, PastArguments, Situation, Source, bind};
use crate::catalogue::ports::{Port, Ports, Role, terms, top};
use crate::catalogue::shape::Kind;
use crate::catalogue::{Catalogue, Place};
use crate::frame::{Entity, Frame};

/// A plan in the making. A node only reads nodes before it.
pub(super) struct Assembly<'a> {
    pub(super) frame: &'a Frame,
    pub(super) catalogue: &'a Catalogue,
    pub(super) past: &'a PastArguments,
    pub(super) settings: &'a OtherSettings,
    pub(super) nodes: Vec<Node>,
    /// What the plan has to be told, by name.
    pub(super) inputs: Map<String, Value>,
    /// Entities that a step has taken.
    used: FxHashSet<usize>,
}

/// A call in the making.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) tool: Tool,
    pub(super) id: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) bindings: Vec<Binding>,
    /// Runs once per item of a list.
    pub(super) each: Option<Each>,
    /// The tool, with what the step gives as its output.
    pub(super) gives: Arc<ToolSpec>,
    /// Steps that must have ended before, although it reads nothing of them.
    pub(super) follows: Vec<String>,
}

/// A loop around a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Each {
    pub(super) over: String,
    pub(super) variable: String,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(
        frame: &'a Frame,
        catalogue: &'a Catalogue,
        past: &'a PastArguments,
        settings: &'a OtherSettings,
    ) -> Self {
        Self {
            frame,
            catalogue,
            past,
            settings,
            nodes: Vec::new(),
            inputs: Map::new(),
            used: FxHashSet::default(),
        }
    }

    pub(super) fn ports(&self, place: Place) -> Option<&'a Ports> {
        self.catalogue.ports(place)
    }

    pub(super) fn source(&self, place: Place) -> Option<&'a str> {
        self.catalogue.tool(place).map(|tool| tool.id.source())
    }

    pub(super) fn writes(&self, place: Place) -> bool {
        self.ports(place).is_some_and(|ports| ports.writes)
    }

    /// Adds a tool and, before it, what makes what it needs. Gives its place among the nodes.
    pub(super) fn add(&mut self, tool: Tool, deep: usize) -> Option<usize> {
        if self.nodes.len() >= self.settings.steps {
            return None;
        }
        let gives = Arc::clone(self.catalogue.tool(tool.place)?);
        let mut node = Node {
            id: String::new(),
            arguments: Map::new(),
            bindings: Vec::new(),
            each: None,
            follows: Vec::new(),
            gives,
            tool,
        };
        self.take_file(&mut node);
        self.take_said(&mut node);
        for binding in self.bound(&node) {
            self.take(&mut node, binding);
        }
        self.fill(&mut node, deep);
        drop_misfits(&mut node);
        self.ask(&mut node);
        node.id = self.name(&node.gives);
        if node.each.is_some() {
            let mut gives = ToolSpec::clone(&node.gives);
            gives.output_schema = list_of(&gives.output_schema);
            node.gives = Arc::new(gives);
        }
        let own = node.bindings.iter().flat_map(|own| own.entities.iter());
        self.used.extend(own.copied());
        self.nodes.push(node);
        Some(self.nodes.len() - 1)
    }

    /// What request, earlier steps and past runs say for the parameters of a call.
    fn bound(&self, node: &Node) -> Vec<Binding> {
        let earlier = self.nodes.iter().map(|node| Earlier {
            step: &node.id,
            tool: &node.gives,
        });
        let earlier: Vec<Earlier<'_>> = earlier.collect();
        let goal = node.tool.goal.and_then(|goal| self.frame.goals.get(goal));
        let situation = Situation {
            frame: self.frame,
            earlier: &earlier,
            clause: goal.map(|goal| goal.clause.number),
            used: Some(&self.used),
            past: Some(self.past),
            stated: None,
        };
        bind(&node.gives, &situation)
    }

    /// What opens or saves a file is told which.
    fn take_file(&self, node: &mut Node) {
        let file = node.tool.file.clone();
        let entity = file.and_then(|(name, at)| Some((name, at, self.frame.entities.get(at)?)));
        if let Some((parameter, at, entity)) = entity {
            node.arguments
                .insert(parameter.clone(), entity.value.clone());
            node.bindings.push(Binding {
                parameter,
                source: Source::Request {
                    entity: at,
                    value: entity.value.clone(),
                },
                entities: vec![at],
                confidence: 0.9,
                reason: "the file in the request".to_owned(),
            });
        }
    }

    /// What is said of the thing that a tool adds.
    fn take_said(&self, node: &mut Node) {
        let Some((parameter, said)) = node.tool.said.clone() else {
            return;
        };
        let place = self.frame.wording.place_of(&said);
        let inside =
            |entity: &Entity| place.start <= entity.place.start && entity.place.end <= place.end;
        let entities = self.frame.entities.iter().enumerate();
        let entities = entities.filter(|(_, entity)| inside(entity));
        node.arguments.insert(parameter.clone(), json!(said));
        node.bindings.push(Binding {
            parameter,
            entities: entities.map(|(at, _)| at).collect(),
            source: Source::Words {
                value: json!(said),
                place,
            },
            confidence: 0.8,
            reason: "what is said of it".to_owned(),
        });
    }

    /// Takes what was bound to a parameter, unless it is settled already.
    fn take(&mut self, node: &mut Node, binding: Binding) {
        let Some(port) = self
            .ports(node.tool.place)
            .and_then(|ports| ports.input(&binding.parameter))
        else {
            return;
        };
        if node.arguments.contains_key(&port.name) {
            return;
        }
        let value = match &binding.source {
            Source::Input { .. } => return,
            // The tool knows itself what it takes when nothing is said.
            Source::Schema { .. } if !port.required => return,
            Source::Earlier { step, path } => {
                if !self.may_read(node, port, step, path) {
                    return;
                }
                self.reference(node, port, step, path)
            }
            Source::Request { value, .. }
            | Source::Words { value, .. }
            | Source::Schema { value }
            | Source::Past { value } => value.clone(),
        };
        let is_said = !matches!(binding.source, Source::Earlier { .. });
        let value = if is_said && is_template(&value) {
            self.given_input(node.tool.place, port, value)
        } else {
            value
        };
        node.arguments.insert(port.name.clone(), value);
        node.bindings.push(binding);
    }

    /// A step takes from another what is called the same, or a text for a text.
    fn may_read(&self, node: &Node, port: &Port, step: &str, path: &str) -> bool {
        let maker = self.nodes.iter().find(|other| other.id == step);
        let Some(maker) = maker else { return false };
        let looped = path.contains("[]") && port.kind != Kind::List;
        let over = |each: &Each| path.starts_with(each.over.trim_start_matches(step));
        let last = path.rsplit('.').next().unwrap_or_default();
        let last = terms(last.trim_end_matches("[]"));
        let called = !last.is_empty() && last.last() == port.terms.last();
        let fits = match port.role {
            Role::Text => true,
            Role::File => called && last.len() > 1,
            _ => called || matches!(port.kind, Kind::List | Kind::Object),
        };
        maker.gives.effect != Effect::Destructive
            && fits
            && (port.required || path.contains(port.name.as_str()))
            && (!looped || node.each.as_ref().is_none_or(over))
    }

    /// The expression for what an earlier step gives; a list that meets a single parameter makes a
    /// loop.
    pub(super) fn reference(&self, node: &mut Node, port: &Port, step: &str, path: &str) -> Value {
        let Some((list, rest)) = path.split_once("[]") else {
            let value = json!(format!("{{{{ {} }}}}", joined(step, path)));
            let gathers = port.kind == Kind::List && !self.is_list(step, path);
            return if gathers { json!([value]) } else { value };
        };
        let (list, field) = (joined(step, list), rest.trim_start_matches('.'));
        if port.kind == Kind::List {
            let each = if field.is_empty() {
                String::new()
            } else {
                format!(" | map(attribute=\"{field}\") | list")
            };
            return json!(format!("{{{{ {list}{each} }}}}"));
        }
        let each = node.each.get_or_insert_with(|| Each {
            variable: one_of_many(&list, port),
            over: list,
        });
        json!(format!("{{{{ {} }}}}", joined(&each.variable, field)))
    }

    fn is_list(&self, step: &str, path: &str) -> bool {
        let maker = self.nodes.iter().find(|node| node.id == step);
        let mut shape = maker.and_then(|maker| top(&maker.gives.output_schema));
        for name in path.split('.').filter(|name| !name.is_empty()) {
            shape = shape.and_then(|shape| shape.field(name));
        }
        shape.is_none_or(|shape| shape.kind() == Kind::List)
    }

    /// Notes for each step that was asked for the one before it that it has to wait for, although
    /// it reads nothing of it: what is changed is changed in the order in which it was said.
    pub(super) fn keep_order(&mut self) {
        for at in 0..self.nodes.len() {
            let before = self.waits_for(at);
            if let Some(node) = self.nodes.get_mut(at) {
                node.follows.extend(before);
            }
        }
    }

    fn waits_for(&self, at: usize) -> Option<String> {
        let node = self.nodes.get(at).filter(|node| node.tool.asked)?;
        let writes = self.writes(node.tool.place);
        let before = self.nodes.get(..at)?.iter().rev();
        let mut before = before.filter(|other| {
            let same = self.source(other.tool.place) == self.source(node.tool.place);
            let changes = self.writes(other.tool.place);
            other.tool.asked && (changes && (same || writes) || writes && same)
        });
        let before = before.next()?;
        let reads = |own: &Binding| matches!(&own.source, Source::Earlier { step, .. } if *step == before.id);
        let reads = node.bindings.iter().any(reads);
        (!reads).then(|| before.id.clone())
    }

    /// A name of its own, from that of the tool.
    fn name(&self, tool: &ToolSpec) -> String {
        let base = identifier(tool.id.name());
        let is_free = |name: &String| !self.nodes.iter().any(|node| node.id == *name);
        let others = (2..).map(|count| format!("{base}_{count}"));
        let mut names = std::iter::once(base.clone()).chain(others);
        names.find(is_free).unwrap_or(base)
    }

    /// The latest step that gives something nobody says anything about.
    pub(super) fn opaque(&self) -> Option<&Node> {
        self.nodes.iter().rev().find(|node| {
            let is_text = |port: &&Port| port.role == Role::Text;
            let ports = self.ports(node.tool.place);
            let named = ports.and_then(|ports| ports.outputs.iter().find(is_text));
            node.each.is_none() && named.is_none() && !self.writes_files(node)
        })
    }

    fn writes_files(&self, node: &Node) -> bool {
        super::says::writes_files(self.catalogue, node.tool.place)
    }
}

/// A text that would be read as an expression.
pub(super) fn is_template(value: &Value) -> bool {
    let text = value.to_string();
    text.contains("{{") || text.contains("${") || text.contains("{%")
}
