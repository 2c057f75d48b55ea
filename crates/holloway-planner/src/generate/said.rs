//! What does the request say for a parameter? Addresses, files, recipients, quoted words and
//! labelled values become inputs of the plan with what was said as their value.

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::assembly::{Assembly, Each, Node};
use super::inputs::Wish;
use super::words::is_about_form;
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, terms};
use crate::request::{Entity, EntityKind};

/// A file of a kind that the tool does not read is said for another one.
const OTHER_KIND: f32 = 1.5;

/// How sure words must be for what is not needed.
const SURE: f32 = 0.7;
/// What the request names and no step has taken yet wants to be taken.
const WAITS: f32 = 1.5;
/// A tool that is called after the kind of a file is made for it.
const FOR_ITS_KIND: f32 = 2.5;

/// What the request says.
pub(super) struct Said {
    pub(super) entities: Vec<usize>,
    pub(super) value: Value,
    /// Several values for a parameter that takes one.
    pub(super) each: bool,
    pub(super) confidence: f32,
    pub(super) reason: &'static str,
}

impl Assembly<'_> {
    /// What having it from the request costs.
    pub(super) fn cost_of_saying(&self, place: Place, port: &Port) -> Option<f32> {
        let said = self.said(place, port)?;
        let first = *said.entities.first()?;
        let entity = self.ground.analysis.entities.get(first)?;
        let waits = matches!(port.role, Role::File | Role::Address) && !self.is_taken(first);
        Some(match port.role {
            Role::File if !self.suits(place, entity) => OTHER_KIND,
            Role::File if waits && self.is_for(place, entity) => -WAITS - FOR_ITS_KIND,
            _ if waits => -WAITS,
            _ => 0.0,
        })
    }

    /// Takes what the request says.
    pub(super) fn try_request(&mut self, node: &mut Node, port: &Port) -> bool {
        match self.said(node.place, port) {
            Some(said) if !self.counts_twice(node, &said) => self.take_said(node, port, said),
            _ => false,
        }
    }

    /// One number of the request is not two arguments of one call.
    fn counts_twice(&self, node: &Node, said: &Said) -> bool {
        let entities = &self.ground.analysis.entities;
        let is_number = |at: &usize| {
            let entity = entities.get(*at).map(|entity| entity.kind);
            matches!(entity, Some(EntityKind::Number | EntityKind::Quantity))
        };
        let numbers: Vec<usize> = said.entities.iter().copied().filter(is_number).collect();
        let mut bindings = node.bindings.iter();
        bindings.any(
            |own| matches!(own.source, Source::Request { entity, .. } if numbers.contains(&entity)),
        )
    }

    /// Takes words of the request that were found to be meant, or what past runs gave.
    pub(super) fn try_words(&mut self, node: &mut Node, port: &Port, least: f32) -> bool {
        let Some(binding) = self.meant(node, port, least) else {
            return false;
        };
        let value = match &binding.source {
            Source::Request { value, .. }
            | Source::Words { value, .. }
            | Source::Past { value } => value.clone(),
            Source::Earlier { .. } | Source::Schema { .. } | Source::Input { .. } => return false,
        };
        let taken = |own: &Binding| match (&own.source, &binding.source) {
            (Source::Request { entity: one, .. }, Source::Request { entity: other, .. }) => {
                one == other
            }
            (one, other) => one == other,
        };
        let is_habit = matches!(binding.source, Source::Past { .. });
        let is_form = !is_habit && value.as_str().is_some_and(is_about_form);
        if !self.is_of_kind(node.place, port, &binding.source)
            || !self.is_place(port, &binding.source)
            || !self.may_touch(node.place, port, &value)
        {
            return false;
        }
        if is_form || !self.admits(node.place, port, &value) || node.bindings.iter().any(taken) {
            return false;
        }
        // A habit stays a part of the plan: as an input it would not be seen as one again.
        let argument = self.said_argument(node.place, port, value, is_habit);
        node.arguments.insert(port.name.clone(), argument);
        node.bindings.push(binding);
        true
    }

    /// A value as an argument: choices and switches stand in the plan, the rest becomes an input
    /// of it, unless it is to stay.
    pub(super) fn said_argument(
        &mut self,
        place: Place,
        port: &Port,
        value: Value,
        stays: bool,
    ) -> Value {
        let shape = self.shape(place, port);
        let is_choice = shape.is_some_and(|shape| !shape.choices().is_empty());
        if is_choice || stays || value.is_boolean() {
            return value;
        }
        let step = self.tool(place).map_or("", |tool| tool.id.name());
        let name = self.inputs.ask(Wish {
            name: &port.name,
            shape,
            default: Some(value),
            step,
        });
        json!(format!("{{{{ input.{name} }}}}"))
    }

    /// Words that name no place are none.
    fn is_place(&self, port: &Port, source: &Source) -> bool {
        const PLACES: [&str; 5] = ["path", "dir", "directory", "folder", "filename"];
        let last = port.terms.last();
        let wants = last.is_some_and(|last| PLACES.iter().any(|word| stem(word) == *last));
        let entity = match source {
            Source::Request { entity, .. } => self.ground.analysis.entities.get(*entity),
            _ => None,
        };
        let is_file = entity.is_some_and(super::targets::is_file);
        // Nor is the name of a file what stands in it.
        let is_data = port.kind == Kind::List && port.role == Role::Other;
        if wants {
            is_file
        } else {
            !(is_file && is_data)
        }
    }

    /// Takes what the request says with the name of the parameter: "with a limit of 5".
    pub(super) fn try_labels(&mut self, node: &mut Node, port: &Port) -> bool {
        match self.labelled(node.place, port) {
            Some(said) if !self.counts_twice(node, &said) => self.take_said(node, port, said),
            _ => {
                port.role == Role::Other && port.terms.len() < 4 && self.try_words(node, port, SURE)
            }
        }
    }

    pub(super) fn take_said(&mut self, node: &mut Node, port: &Port, said: Said) -> bool {
        if said.each && node.each.is_some() {
            return false;
        }
        let step = self.tool(node.place).map_or("", |tool| tool.id.name());
        let shape = self.shape(node.place, port);
        let plural = format!("{}s", port.name);
        let name = match port.role {
            _ if said.each => plural.as_str(),
            Role::Address if port.kind == Kind::Text && is_root(&said.value) => "site",
            _ => port.name.as_str(),
        };
        let input = self.inputs.ask(Wish {
            name,
            shape: shape.filter(|_| !said.each),
            default: Some(said.value.clone()),
            step,
        });
        let value = if said.each {
            let variable = format!("one_{}", super::assembly::identifier(&port.name));
            node.each = Some(Each {
                over: format!("input.{input}"),
                variable: variable.clone(),
            });
            format!("{{{{ {variable} }}}}")
        } else {
            format!("{{{{ input.{input} }}}}")
        };
        node.arguments.insert(port.name.clone(), json!(value));
        self.reserved.extend(&said.entities);
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Request {
                entity: said.entities.first().copied().unwrap_or_default(),
                value: said.value,
            },
            confidence: said.confidence,
            reason: said.reason.to_owned(),
        });
        true
    }

    fn said(&self, place: Place, port: &Port) -> Option<Said> {
        match port.role {
            Role::Address => self.address(place, port),
            Role::File => self.file(place, port),
            Role::Text | Role::Heading => self.quoted(place, port),
            Role::Other => self
                .labelled(place, port)
                .or_else(|| self.of_its_kind(place, port)),
        }
    }

    pub(super) fn of_kind(&self, kinds: &[EntityKind]) -> Vec<(usize, &Entity)> {
        let entities = self.ground.analysis.entities.iter().enumerate();
        entities
            .filter(|(_, entity)| kinds.contains(&entity.kind))
            .collect()
    }

    fn address(&self, place: Place, port: &Port) -> Option<Said> {
        let urls = self.of_kind(&[EntityKind::Url]);
        let (first, entity) = *urls.first()?;
        let all: Vec<Value> = urls.iter().map(|(_, entity)| json!(entity.text)).collect();
        let said = |entities: Vec<usize>, value: Value, each: bool| Said {
            entities,
            value,
            each,
            confidence: 0.95,
            reason: "the address in the request",
        };
        let every = || urls.iter().map(|(at, _)| *at).collect::<Vec<_>>();
        match port.kind {
            // A whole site is more than its first page.
            Kind::List if urls.len() == 1 && is_root(&json!(entity.text)) => None,
            Kind::List => Some(said(every(), Value::Array(all), false)),
            Kind::Text if urls.len() > 1 && !self.writes(place) => {
                Some(said(every(), Value::Array(all), true))
            }
            _ => Some(said(vec![first], json!(entity.text), false)),
        }
        .filter(|said| said.each || self.admits(place, port, &said.value))
    }

    /// Whether a step takes what the request names.
    pub(super) fn is_taken(&self, at: usize) -> bool {
        if self.reserved.contains(&at) {
            return true;
        }
        let mut bindings = self.nodes.iter().flat_map(|node| &node.bindings);
        bindings
            .any(|binding| matches!(binding.source, Source::Request { entity, .. } if entity == at))
    }

    /// The only kind of thing that a parameter for addresses takes.
    fn kind_of_address(&self, place: Place, port: &Port) -> Option<EntityKind> {
        let format = self.shape(place, port).map(|shape| shape.text("format"));
        let is = |words: &[&str]| {
            let last = port.terms.last();
            last.is_some_and(|last| words.iter().any(|word| stem(word) == *last))
        };
        let sends_mail = || {
            let name = self.tool(place).map(|tool| terms(tool.id.name()));
            let name = name.unwrap_or_default();
            let words = self.ports(place).map(|ports| &ports.words);
            ["email", "mail"].iter().any(|word| {
                let word = stem(word);
                name.contains(&word) || words.is_some_and(|words| words.contains(&word))
            })
        };
        match format.unwrap_or_default() {
            "email" => Some(EntityKind::Email),
            "uri" | "url" => Some(EntityKind::Url),
            _ if !matches!(port.kind, Kind::Text | Kind::List) => None,
            _ if is(&["email"]) => Some(EntityKind::Email),
            _ if is(&["to", "recipient", "cc", "bcc"]) && sends_mail() => Some(EntityKind::Email),
            _ if is(&["url", "uri", "href"]) => Some(EntityKind::Url),
            _ => None,
        }
    }

    /// Whether words of the request are what a parameter for addresses takes.
    pub(super) fn is_of_kind(&self, place: Place, port: &Port, source: &Source) -> bool {
        let Some(kind) = self.kind_of_address(place, port) else {
            return true;
        };
        match source {
            Source::Request { entity, .. } => {
                let entity = self.ground.analysis.entities.get(*entity);
                entity.is_some_and(|entity| entity.kind == kind)
            }
            Source::Words { .. } => false,
            _ => true,
        }
    }

    fn quoted(&self, place: Place, port: &Port) -> Option<Said> {
        if port.kind != Kind::Text {
            return None;
        }
        self.only(
            &[EntityKind::Quoted],
            place,
            port,
            "the quoted words of the request",
        )
    }

    /// The only thing of a kind that the parameter is surely about.
    fn of_its_kind(&self, place: Place, port: &Port) -> Option<Said> {
        let last = port.terms.last().map(String::as_str)?;
        let (kinds, reason): (&[EntityKind], _) = match last {
            "to" | "email" | "recipi" | "recipient" | "cc" => {
                (&[EntityKind::Email], "the recipient in the request")
            }
            "date" | "dai" | "day" => (&[EntityKind::Date], "the date in the request"),
            "time" => (&[EntityKind::Time], "the time in the request"),
            "amount" | "price" | "budget" => (&[EntityKind::Money], "the sum in the request"),
            "id" | "number" | "code" if port.required => {
                (&[EntityKind::Code], "the code in the request")
            }
            "query" | "queri" | "keyword" | "search" | "q" if port.required => (
                &[EntityKind::Quoted, EntityKind::Name],
                "what the request looks for",
            ),
            "name" | "citi" | "city" | "location" if port.required => {
                (&[EntityKind::Name], "the name in the request")
            }
            _ if port.required && matches!(port.kind, Kind::Integer | Kind::Number) => (
                &[EntityKind::Number, EntityKind::Quantity],
                "the number in the request",
            ),
            _ => return None,
        };
        self.only(kinds, place, port, reason)
    }

    fn only(
        &self,
        kinds: &[EntityKind],
        place: Place,
        port: &Port,
        reason: &'static str,
    ) -> Option<Said> {
        let found = self.of_kind(kinds);
        let (at, entity) = match found.as_slice() {
            [only] => *only,
            _ => return None,
        };
        let value = match port.kind {
            Kind::List => json!([entity.value]),
            _ => entity.value.clone(),
        };
        self.admits(place, port, &value).then_some(Said {
            entities: vec![at],
            value,
            each: false,
            confidence: 0.7,
            reason,
        })
    }

    fn labelled(&self, place: Place, port: &Port) -> Option<Said> {
        let entities = self.ground.analysis.entities.iter().enumerate();
        let kind = self.kind_of_address(place, port);
        let mut fitting = entities.filter(|(_, entity)| {
            let label = entity.label.as_deref().map(terms).unwrap_or_default();
            !label.is_empty()
                && kind.is_none_or(|kind| kind == entity.kind)
                && self.may_touch(place, port, &entity.value)
                && is_label_of(&label, &port.terms)
                && self.admits(place, port, &entity.value)
        });
        let (at, entity) = fitting.next()?;
        Some(Said {
            entities: vec![at],
            value: entity.value.clone(),
            each: false,
            confidence: 0.85,
            reason: "said with its name in the request",
        })
    }

    pub(super) fn admits(&self, place: Place, port: &Port, value: &Value) -> bool {
        let shape: Option<Shape<'_>> = self.shape(place, port);
        shape.is_none_or(|shape| shape.admits(value))
    }
}

/// "branch name" is the label of `branchName` and of `name`, not of `newBranchName`.
fn is_label_of(label: &[String], terms: &[String]) -> bool {
    let known = label.len() < 2 || terms.iter().all(|term| label.contains(term));
    label.last() == terms.last() && known
}

/// An address without a path names a site.
fn is_root(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    !text.is_empty() && path.is_empty()
}
