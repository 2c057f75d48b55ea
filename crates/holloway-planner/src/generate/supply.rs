//! Where does a parameter get its value from? From results that are there, from the request,
//! from tools that are added for it, from the schema, or from the person who runs the plan.

use serde_json::{Value, json};

use super::assembly::{Assembly, Each, Node, Part, Wanted};
use super::does::writes_files;
use super::inputs::Wish;
use super::results::Found;
use crate::bind::fit::Fit;
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role};
use crate::request::EntityKind;

/// From here on a result is surely what an optional parameter means.
const SURE: f32 = 0.6;
/// How sure words of the request must be for what is needed.
const LIKELY: f32 = 0.55;

impl Assembly<'_> {
    /// Finds a value for a parameter that the call cannot do without.
    pub(super) fn supply(&mut self, node: &mut Node, port: &Port, deep: usize) {
        // Data in a file for data is what was asked for, not some text on the way to it.
        if node.part == Part::Form && is_data(node) && self.try_all(node, port) {
            return;
        }
        let is_kept = port.role == Role::Text && self.keeps_result(node);
        if is_kept && (self.try_results(node, port) || self.try_back(node, port)) {
            return;
        }
        if self.try_stated(node, port) || self.try_named_file(node, port) {
            return;
        }
        // What is said with the name of the parameter is meant for it.
        let is_text = matches!(port.role, Role::Text | Role::Heading);
        if is_text && node.part == Part::Core && self.try_labels(node, port) {
            return;
        }
        let goes_on = node.part == Part::Core && self.try_same_file(node, port);
        if goes_on || self.try_title(node, port) || self.try_clause(node, port) {
            return;
        }
        let is_setting =
            port.role == Role::Other && !matches!(port.kind, Kind::List | Kind::Object | Kind::Any);
        // What was read is not to be written over.
        let writes_file = port.role == Role::File && self.writes(node.place);
        let writes_text = port.role == Role::Text
            && node.part == Part::Core
            && self.is_writer(node.place)
            && writes_files(self.ground.catalogue, node.place);
        let asks_first = is_setting || matches!(port.role, Role::Address | Role::File);
        let found = if asks_first {
            self.try_request(node, port)
                || (is_setting && self.try_words(node, port, LIKELY))
                || (!writes_file && self.try_results(node, port))
        } else {
            self.try_results(node, port)
                || self.try_back(node, port)
                || self.try_request(node, port)
        };
        let found = found
            || self.try_folder(node, port)
            || self.try_columns(node, port)
            // Nor is what some tool happens to name to be changed, or to be written.
            || (!writes_file && !writes_text && self.try_chain(node, port, deep))
            || self.try_handle(node, port, deep)
            || self.try_all(node, port)
            || (port.role != Role::File && self.try_words(node, port, likely(port)));
        if !found {
            self.ask_person(node, port);
        }
    }

    /// "save it": what came before is meant, whatever else the request quotes.
    fn keeps_result(&self, node: &Node) -> bool {
        const STORES: [&str; 4] = ["save", "store", "write", "export"];
        let part = node
            .capability
            .and_then(|at| self.ground.analysis.capabilities.get(at));
        let quotes = self.ground.analysis.entities.iter().any(|entity| {
            entity.kind == EntityKind::Quoted
                && part.is_none_or(|part| part.text.contains(&entity.text))
        });
        let stores_it = self
            .deed_of(node)
            .is_some_and(|deed| deed.refers_back && STORES.contains(&deed.verb.as_str()));
        let is_core = node.part == Part::Core && !self.nodes.is_empty();
        is_core && stores_it && !quotes && self.is_writer(node.place)
    }

    /// Of parameters that stand for each other, the one that is the cheapest to have.
    pub(super) fn supply_one_of(&mut self, node: &mut Node, ports: &Ports, deep: usize) {
        let mut choices: Vec<&Port> = Vec::new();
        choices.extend(ports.one_of.iter().filter_map(|at| ports.inputs.get(*at)));
        if choices.is_empty()
            || choices
                .iter()
                .any(|port| node.arguments.contains_key(&port.name))
        {
            return;
        }
        // Data that the request carries need not be made.
        let of_any_shape =
            |port: &&&Port| matches!(port.kind, Kind::Any | Kind::Object | Kind::List);
        let mut shaped = choices.iter().filter(of_any_shape);
        if shaped.any(|port| self.try_stated(node, port)) {
            return;
        }
        let cost = |port: &Port| self.cost_of_port(node.place, port, deep);
        let costs: Vec<f32> = choices.iter().map(|port| cost(port)).collect();
        let best = costs
            .iter()
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(other.1));
        let Some(port) = best.and_then(|(at, _)| choices.get(at).copied()) else {
            return;
        };
        if self.says_enough(node, ports, port) {
            self.try_labels(node, port);
            return;
        }
        self.supply(node, port, deep);
    }

    /// Whether a call says what it has to without a text that it could take: it has what it
    /// needs, and nothing that came before is spoken of.
    fn says_enough(&self, node: &Node, ports: &Ports, port: &Port) -> bool {
        let refers_back = self.deed_of(node).is_none_or(|deed| deed.refers_back);
        let has_heading = ports.needed().any(|port| port.role == Role::Heading);
        node.part == Part::Core && port.role == Role::Text && has_heading && !refers_back
    }

    /// Optional parameters: only what is surely meant.
    pub(super) fn supply_optional(&mut self, node: &mut Node, ports: &Ports, deep: usize) {
        let excluded: Vec<&str> = ports
            .one_of
            .iter()
            .filter_map(|at| ports.inputs.get(*at))
            .map(|port| port.name.as_str())
            .collect();
        for port in &ports.inputs {
            let open = !port.required && !node.arguments.contains_key(&port.name);
            if !open || excluded.contains(&port.name.as_str()) {
                continue;
            }
            if node.part == Part::Gathers && self.try_domains(node, port) {
                continue;
            }
            if self.try_stated(node, port)
                || self.try_made_file(node, port)
                || self.try_same_place(node, port)
                || self.try_optional_columns(node, port)
            {
                continue;
            }
            if port.kind == Kind::List && port.structured {
                let best = self
                    .best_result(node, port)
                    .filter(|found| found.score >= SURE);
                let best = best.filter(|_| self.speaks_of(node.place, port));
                if let Some(found) = best.filter(|found| matches!(found.fit, Fit::Part { .. })) {
                    self.take(node, port, &found);
                    continue;
                }
                if self.wants_optional(node.place, port) {
                    let before = self.nodes.len();
                    self.try_chain(node, port, deep.min(1));
                    for added in self.nodes.iter_mut().skip(before) {
                        added.optional = true;
                    }
                }
                continue;
            }
            if node.part != Part::Core {
                self.try_habit(node, port);
            } else if !self.try_labels(node, port) {
                let _ = self.try_clause(node, port) || self.try_own_file(node, port);
            }
        }
    }

    /// A tool that takes the findings of several domains is told which were looked at.
    fn try_domains(&self, node: &mut Node, port: &Port) -> bool {
        let items = self
            .shape(node.place, port)
            .and_then(|shape| shape.list_items().flatten());
        let choices = items.map(Shape::choices).unwrap_or_default();
        let mut domains: Vec<Value> = Vec::new();
        for domain in self.nodes.iter().filter_map(|node| node.domain.as_ref()) {
            let domain = json!(domain);
            if !domains.contains(&domain) {
                domains.push(domain);
            }
        }
        if domains.is_empty() || !domains.iter().all(|domain| choices.contains(&domain)) {
            return false;
        }
        let value = Value::Array(domains);
        node.arguments.insert(port.name.clone(), value.clone());
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Schema { value },
            confidence: 0.9,
            reason: "what the plan looks at".to_owned(),
        });
        true
    }

    /// Whether making optional data is worth a step.
    fn wants_optional(&self, place: Place, port: &Port) -> bool {
        self.taste.fills_optional && self.shared.contains(&port.name) && self.speaks_of(place, port)
    }

    /// A tool that says nothing of a parameter hardly uses it.
    pub(super) fn speaks_of(&self, place: Place, port: &Port) -> bool {
        let own = self.ports(place).map(|ports| &ports.words);
        own.is_some_and(|own| port.terms.iter().all(|word| own.contains(word)))
    }

    /// From results that are there; many of them where the parameter is a list of such.
    fn try_results(&mut self, node: &mut Node, port: &Port) -> bool {
        if self.gather(node, port) || self.count_of(node, port) {
            return true;
        }
        match self.best_result(node, port) {
            Some(found) if found.score >= least(port) => {
                self.take(node, port, &found);
                true
            }
            _ => false,
        }
    }

    /// Takes a result as the argument.
    fn take(&mut self, node: &mut Node, port: &Port, found: &Found) {
        let goes_on = node.part == Part::Core && !self.writes(node.place);
        let Some(maker) = self.nodes.get_mut(found.node) else {
            return;
        };
        maker.goes_on |= goes_on;
        let id = maker.id.clone();
        let path = found.fit.path();
        let first = path.split(['.', '[']).next().unwrap_or_default();
        maker.read.insert(first.to_owned());
        let value = match &found.fit {
            Fit::EachItem { path, .. } => {
                let (list, rest) = path.split_once("[]").unwrap_or((path, ""));
                let over = joined(&id, list);
                let variable = match &node.each {
                    Some(each) => each.variable.clone(),
                    None => one_of_many(list, port),
                };
                node.each = Some(Each {
                    over,
                    variable: variable.clone(),
                });
                json!(format!(
                    "{{{{ {} }}}}",
                    joined(&variable, rest.trim_start_matches('.'))
                ))
            }
            Fit::Collect { path, .. } => {
                let (list, rest) = path.split_once("[]").unwrap_or((path, ""));
                let list = joined(&id, list);
                let field = rest.trim_start_matches('.');
                json!(format!(
                    "{{{{ {list} | map(attribute=\"{field}\") | list }}}}"
                ))
            }
            Fit::Gather { path, .. } => json!([format!("{{{{ {} }}}}", joined(&id, path))]),
            Fit::None | Fit::Exact { .. } | Fit::Part { .. } => {
                json!(format!("{{{{ {} }}}}", joined(&id, path)))
            }
        };
        let what = match path {
            "" => format!("the result of {id}"),
            path => format!("{} of {id}", path.trim_end_matches("[]")),
        };
        let reason = match node.each {
            Some(_) if matches!(found.fit, Fit::EachItem { .. }) => format!("each of {what}"),
            _ => what,
        };
        node.arguments.insert(port.name.clone(), value);
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Earlier {
                step: id,
                path: path.to_owned(),
            },
            confidence: found.score.clamp(0.0, 1.0),
            reason,
        });
    }

    /// What a document is called follows from what was asked for.
    fn try_title(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.role != Role::Heading {
            return false;
        }
        let own = (node.part == Part::Core).then(|| self.heading(node));
        let title = own.flatten();
        let title = title.unwrap_or_else(|| super::words::title(self.ground.analysis));
        node.arguments.insert(port.name.clone(), json!(title));
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Schema {
                value: json!(title),
            },
            confidence: 0.8,
            reason: "what was asked for, in a few words".to_owned(),
        });
        true
    }

    /// Adds the tools that make it.
    fn try_chain(&mut self, node: &mut Node, port: &Port, deep: usize) -> bool {
        let Some(maker) = self.cheapest_maker(node.place, port, deep) else {
            return false;
        };
        let tool = self.tool(node.place).map_or("", |tool| tool.id.name());
        let reason = format!("makes the {} that {tool} needs", spoken(&port.name));
        let mut wanted = Wanted::new(maker, Part::Gap, reason);
        wanted.capability = node.capability;
        let before = self.nodes.len();
        let Some(at) = self.add(wanted, deep.saturating_sub(1)) else {
            return false;
        };
        let found = self.result_of(at, node, port);
        match &found {
            Some(found) => self.take(node, port, found),
            // What turned out different from what was promised is of no use.
            None => self.nodes.truncate(before),
        }
        found.is_some()
    }

    /// What "it" is: the result of the step before, as it comes.
    fn try_back(&mut self, node: &mut Node, port: &Port) -> bool {
        let refers_back = self.deed_of(node).is_some_and(|deed| deed.refers_back);
        node.part == Part::Core && refers_back && self.try_all(node, port)
    }

    /// Text that nobody wrote is made from the results there are.
    fn try_all(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.role != Role::Text || port.kind != Kind::Text {
            return false;
        }
        let Some(last) = self.nodes.iter().rev().find(|node| node.part != Part::Gap) else {
            return false;
        };
        let id = last.id.clone();
        let schema = self.tool(last.place).map(|tool| &tool.output_schema);
        let text = match schema {
            // What says nothing of its result gives a text, or what was read from one.
            Some(Value::Null) if last.each.is_none() => {
                format!("{{{{ {id}.text if {id}.text is defined else {id} | tojson(true) }}}}")
            }
            _ => format!("{{{{ {id} | tojson(true) }}}}"),
        };
        let is_data = is_data(node);
        node.arguments.insert(port.name.clone(), json!(text));
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Earlier {
                step: id.clone(),
                path: String::new(),
            },
            confidence: if is_data { 0.9 } else { 0.4 },
            reason: format!("the result of {id}, written as text"),
        });
        true
    }

    /// Nobody said: the person who runs the plan will.
    pub(super) fn ask_person(&mut self, node: &mut Node, port: &Port) {
        let shape = self.shape(node.place, port);
        // A default is what the tool does anyway.
        if port.has_default {
            return;
        }
        let choices = shape.map(Shape::choices).unwrap_or_default();
        if let [only] = choices.as_slice() {
            let value = (*only).clone();
            node.arguments.insert(port.name.clone(), value.clone());
            node.bindings.push(Binding {
                entities: Vec::new(),
                parameter: port.name.clone(),
                source: Source::Schema { value },
                confidence: 1.0,
                reason: "the only value it takes".to_owned(),
            });
            return;
        }
        let step = self.tool(node.place).map_or("", |tool| tool.id.name());
        let name = self.inputs.ask(Wish {
            name: &port.name,
            shape,
            default: None,
            step,
        });
        node.arguments
            .insert(port.name.clone(), json!(format!("{{{{ input.{name} }}}}")));
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Input { name },
            confidence: 0.8,
            reason: "nobody said; to be given when the plan is run".to_owned(),
        });
    }

    /// Whether the tool would change something.
    pub(super) fn writes(&self, place: Place) -> bool {
        self.ports(place).is_some_and(|ports| ports.writes)
    }
}

/// Few requests carry the text they are about.
fn likely(port: &Port) -> f32 {
    match port.role {
        Role::Text => 0.75,
        _ => LIKELY,
    }
}

/// How well a result must fit a parameter that is needed.
pub(super) fn least(port: &Port) -> f32 {
    match port.kind {
        Kind::Any => 0.25,
        Kind::List | Kind::Object => 0.28,
        Kind::Text if port.role == Role::Text => 0.4,
        Kind::Text => 0.62,
        Kind::Integer | Kind::Number | Kind::Boolean => 0.8,
    }
}

/// A path below a name.
pub(super) fn joined(root: &str, path: &str) -> String {
    match path {
        "" => root.to_owned(),
        path => format!("{root}.{path}"),
    }
}

/// What one item of a list is called.
fn one_of_many(list: &str, port: &Port) -> String {
    let last = list.rsplit('.').next().unwrap_or_default();
    let single = match last {
        "" => port.name.as_str(),
        list => list,
    };
    let single = match single.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => single.strip_suffix('s').unwrap_or(single).to_owned(),
    };
    let name = super::assembly::identifier(&single);
    format!("one_{}", name.trim_end_matches("_step"))
}

/// A name as people say it.
pub(super) fn spoken(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

/// Whether a step writes a file for data.
fn is_data(node: &Node) -> bool {
    let mut known = node.arguments.values().filter_map(Value::as_str);
    known.any(|value| value.to_lowercase().ends_with(".json"))
}
