//! What goes into a document? Results by what they hold: findings to findings, scores to
//! scores, texts to texts, and the rest by name where a parameter takes any result.

use serde_json::{Map, Value, json};

use super::assembly::{Assembly, Node, Part};
use super::inputs::clip;
use super::results::is_name;
use crate::bind::shape::Kind;
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role};

/// A tool with fewer open parameters is no collector.
const OPEN_AT_LEAST: usize = 2;

/// How a result goes into an open parameter.
enum Taken {
    Whole,
    /// One field of it.
    Text(String),
    Number(String),
}

impl Assembly<'_> {
    /// Fills the open parameters of a tool that makes a document out of anything.
    pub(super) fn collect(&mut self, node: &mut Node, ports: &Ports) {
        if !self.nodes.is_empty() && self.takes_anything(node.place) {
            self.collect_fields(node);
            return;
        }
        let open: Vec<&Port> = ports.inputs.iter().filter(|port| is_open(port)).collect();
        if open.len() < OPEN_AT_LEAST {
            return;
        }
        let mut left: Vec<usize> = self.telling();
        for port in &open {
            let mut parts: Vec<(usize, Taken)> = Vec::new();
            for at in self.telling() {
                if let Some(taken) = self.taken(at, port) {
                    // A remark about a result is not yet the result.
                    if !matches!(taken, Taken::Text(_)) {
                        left.retain(|other| *other != at);
                    }
                    parts.push((at, taken));
                }
            }
            self.put(node, port, &parts);
        }
        let takes_any = open
            .iter()
            .find(|port| self.takes_results(node, port, true));
        let takes_any = takes_any.or_else(|| {
            open.iter()
                .find(|port| self.takes_results(node, port, false))
        });
        if let Some(port) = takes_any
            && !left.is_empty()
            && !node.arguments.contains_key(&port.name)
        {
            self.put_by_name(node, port, &left);
        }
    }

    /// Nodes that say something: not those that only fetched what others worked on.
    fn telling(&self) -> Vec<usize> {
        let tells = |node: &Node| matches!(node.part, Part::Core | Part::Gathers);
        let all = self.nodes.iter().enumerate();
        let telling: Vec<usize> = all
            .filter(|(_, node)| tells(node))
            .map(|(at, _)| at)
            .collect();
        if telling.is_empty() {
            return self.nodes.len().checked_sub(1).into_iter().collect();
        }
        telling
    }

    fn taken(&self, at: usize, port: &Port) -> Option<Taken> {
        let node = self.nodes.get(at)?;
        if node.each.is_some() {
            return None;
        }
        let outputs = &self.ports(node.place)?.outputs;
        let field = outputs
            .iter()
            .filter(|field| is_name(&field.name))
            .find(|field| field.required && field.terms == port.terms)?;
        match field.kind {
            Kind::List => Some(Taken::Whole),
            // What may be missing has no fields.
            _ if node.may_fail => None,
            Kind::Text => Some(Taken::Text(field.name.clone())),
            // Many of what the result has one of.
            Kind::Number | Kind::Integer if field.name != port.name => {
                Some(Taken::Number(field.name.clone()))
            }
            _ => None,
        }
    }

    fn put(&mut self, node: &mut Node, port: &Port, parts: &[(usize, Taken)]) {
        if parts.is_empty() || node.arguments.contains_key(&port.name) {
            return;
        }
        let mut list = Vec::new();
        let mut by_name = Map::new();
        for (at, taken) in parts {
            let Some(maker) = self.nodes.get(*at) else {
                continue;
            };
            let id = &maker.id;
            match taken {
                Taken::Whole => list.push(format!("{{{{ {id} }}}}")),
                Taken::Text(field) => list.push(format!("{{{{ {id}.{field} }}}}")),
                Taken::Number(field) => {
                    by_name.insert(self.label(*at), json!(format!("{{{{ {id}.{field} }}}}")));
                }
            }
        }
        let value = match (list.as_slice(), by_name.is_empty()) {
            (_, false) => Value::Object(by_name),
            ([only], true) => json!(only),
            (several, true) => json!(several),
        };
        self.say(node, port, value, parts.iter().map(|(at, _)| *at));
    }

    fn put_by_name(&mut self, node: &mut Node, port: &Port, places: &[usize]) {
        let mut by_name = Map::new();
        for at in self.conclusions_first(places) {
            if let Some(maker) = self.nodes.get(at) {
                by_name.insert(self.label(at), json!(format!("{{{{ {} }}}}", maker.id)));
            }
        }
        self.say(node, port, Value::Object(by_name), places.iter().copied());
    }

    /// What others were made from comes after what was made of it.
    fn conclusions_first(&self, places: &[usize]) -> Vec<usize> {
        let reads = |reader: &Node, id: &str| {
            let sources = reader.bindings.iter().map(|binding| &binding.source);
            sources
                .into_iter()
                .any(|source| matches!(source, Source::Earlier { step, .. } if step == id))
        };
        let is_ground = |at: &usize| {
            let Some(ground) = self.nodes.get(*at) else {
                return false;
            };
            let others = places.iter().filter_map(|other| self.nodes.get(*other));
            others.into_iter().any(|other| reads(other, &ground.id))
        };
        let (ground, mut ordered): (Vec<usize>, Vec<usize>) =
            places.iter().partition(|at| is_ground(at));
        ordered.extend(ground);
        ordered
    }

    fn say(
        &mut self,
        node: &mut Node,
        port: &Port,
        value: Value,
        places: impl Iterator<Item = usize>,
    ) {
        node.arguments.insert(port.name.clone(), value);
        for maker in places.filter_map(|at| self.nodes.get(at)) {
            node.bindings.push(Binding {
                entities: Vec::new(),
                parameter: port.name.clone(),
                source: Source::Earlier {
                    step: maker.id.clone(),
                    path: String::new(),
                },
                confidence: 0.8,
                reason: format!("what {} found", maker.id),
            });
        }
    }

    /// A tool that takes any fields: each result becomes one.
    fn collect_fields(&mut self, node: &mut Node) {
        let places = self.telling();
        for at in &places {
            if let Some(maker) = self.nodes.get(*at) {
                let name = self.label(*at);
                node.arguments
                    .entry(name)
                    .or_insert_with(|| json!(format!("{{{{ {} }}}}", maker.id)));
            }
        }
        let ids: Vec<String> = places
            .iter()
            .filter_map(|at| Some(self.nodes.get(*at)?.id.clone()))
            .collect();
        for id in ids {
            node.bindings.push(Binding {
                entities: Vec::new(),
                parameter: id.clone(),
                reason: format!("what {id} found"),
                source: Source::Earlier {
                    step: id,
                    path: String::new(),
                },
                confidence: 0.7,
            });
        }
    }

    /// A tool that makes a document out of the results there are.
    pub(super) fn is_collector(&self, place: Place) -> bool {
        let open = self.ports(place).map_or(0, |ports| {
            ports.inputs.iter().filter(|port| is_open(port)).count()
        });
        open >= OPEN_AT_LEAST || self.takes_anything(place)
    }

    /// A document tool whose schema says that any field may be given.
    fn takes_anything(&self, place: Place) -> bool {
        let Some(tool) = self.tool(place) else {
            return false;
        };
        let more = tool.input_schema.get("additionalProperties");
        let open = more.is_some_and(|more| *more == Value::Bool(true) || more.is_object());
        let makes_text = self
            .ports(place)
            .is_some_and(|ports| ports.outputs.iter().any(|port| port.role == Role::Text));
        open && makes_text
    }

    /// A parameter for results of any kind: it says so, best of all in its first word.
    fn takes_results(&self, node: &Node, port: &Port, first: bool) -> bool {
        let description = self
            .shape(node.place, port)
            .map(|shape| shape.text("description"));
        let words = description.unwrap_or_default().to_lowercase();
        let says = if first {
            words.starts_with("results")
        } else {
            words.contains("results")
        };
        says && port.kind == Kind::Any
    }

    /// What a result is called in a document.
    pub(super) fn label(&self, at: usize) -> String {
        let Some(node) = self.nodes.get(at) else {
            return String::new();
        };
        if let (Some(domain), Part::Gathers) = (&node.domain, node.part) {
            return capital(domain);
        }
        let tool = self.tool(node.place);
        let title = tool.map(|tool| match tool.title.as_str() {
            "" => super::supply::spoken(tool.id.name()),
            title => title.to_owned(),
        });
        let plain: String = title
            .unwrap_or_default()
            .chars()
            .filter(|letter| !"{}".contains(*letter))
            .collect();
        clip(&capital(&plain), 60)
    }
}

/// Nothing is said about what it takes.
fn is_open(port: &Port) -> bool {
    !port.required && port.kind == Kind::Any
}

pub(super) fn capital(text: &str) -> String {
    const ABBREVIATION: usize = 3;
    if text.len() <= ABBREVIATION {
        return text.to_uppercase();
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}
