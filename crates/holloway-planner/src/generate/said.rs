//! What does the request say for a parameter? Addresses, files, recipients, quoted words and
//! labelled values become inputs of the plan with what was said as their value.

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::assembly::{Assembly, Each, Node};
use super::inputs::Wish;
use super::targets::{Deed, REMOVES, changeable, is_file};
use super::words::is_about_form;
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, terms};
use crate::request::{Entity, EntityKind};

/// Kinds of files that tools are called after.
const KINDS: [&str; 14] = [
    "csv", "tsv", "xlsx", "xls", "json", "jsonl", "pdf", "html", "md", "docx", "sqlite", "xml",
    "yaml", "svg",
];
/// A file of a kind that the tool does not read is said for another one.
const OTHER_KIND: f32 = 1.5;

/// How sure words must be for what is not needed.
const SURE: f32 = 0.7;
/// What the request names and no step has taken yet wants to be taken.
const WAITS: f32 = 1.5;
/// A tool that is called after the kind of a file is made for it.
const FOR_ITS_KIND: f32 = 2.5;

/// What the request says.
struct Said {
    entities: Vec<usize>,
    value: Value,
    /// Several values for a parameter that takes one.
    each: bool,
    confidence: f32,
    reason: &'static str,
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
            Some(said) => self.take_said(node, port, said),
            None => false,
        }
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
            || !self.may_touch(node.place, port, &value)
        {
            return false;
        }
        if is_form || !self.admits(node.place, port, &value) || node.bindings.iter().any(taken) {
            return false;
        }
        let shape = self.shape(node.place, port);
        let is_choice = shape.is_some_and(|shape| !shape.choices().is_empty());
        // A habit stays a part of the plan: as an input it would not be seen as one again.
        let argument = if is_choice || is_habit || value.is_boolean() {
            value
        } else {
            let step = self.tool(node.place).map_or("", |tool| tool.id.name());
            let default = Some(value);
            let name = self.inputs.ask(Wish {
                name: &port.name,
                shape,
                default,
                step,
            });
            json!(format!("{{{{ input.{name} }}}}"))
        };
        node.arguments.insert(port.name.clone(), argument);
        node.bindings.push(binding);
        true
    }

    /// Takes what the request says with the name of the parameter: "with a limit of 5".
    pub(super) fn try_labels(&mut self, node: &mut Node, port: &Port) -> bool {
        match self.labelled(node.place, port) {
            Some(said) => self.take_said(node, port, said),
            None => {
                port.role == Role::Other && port.terms.len() < 4 && self.try_words(node, port, SURE)
            }
        }
    }

    fn take_said(&mut self, node: &mut Node, port: &Port, said: Said) -> bool {
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

    fn of_kind(&self, kinds: &[EntityKind]) -> Vec<(usize, &Entity)> {
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
    fn is_taken(&self, at: usize) -> bool {
        if self.reserved.contains(&at) {
            return true;
        }
        let mut bindings = self.nodes.iter().flat_map(|node| &node.bindings);
        bindings
            .any(|binding| matches!(binding.source, Source::Request { entity, .. } if entity == at))
    }

    /// What a tool that changes something does to the file that a parameter names.
    fn deed(&self, place: Place, port: &Port) -> Option<Deed> {
        const TAKEN: [&str; 6] = ["source", "src", "from", "input", "origin", "original"];
        // What is sent along stays as it is.
        if !self.writes(place) || port.name.to_lowercase().contains("attach") {
            return None;
        }
        let is_any = |words: &[&str], terms: &[String]| {
            let mut stems = words.iter().map(|word| stem(word));
            stems.any(|stem| terms.contains(&stem))
        };
        let name = self.tool(place).map(|tool| terms(tool.id.name()));
        Some(match name.unwrap_or_default() {
            _ if is_any(&TAKEN, &port.terms) => Deed::Takes,
            name if is_any(&REMOVES, &name) => Deed::Removes,
            _ => Deed::Writes,
        })
    }

    /// Whether the files in a value may be given to a tool that changes what it is given.
    fn may_touch(&self, place: Place, port: &Port, value: &Value) -> bool {
        let Some(deed) = self.deed(place, port) else {
            return true;
        };
        let entities = self.ground.analysis.entities.iter().enumerate();
        let is_named = |text: &str| match value {
            Value::String(own) => own == text,
            Value::Array(several) => several.iter().any(|own| own == text),
            _ => false,
        };
        let mut named = entities
            .filter(|(_, entity)| is_file(entity) && is_named(&entity.text))
            .peekable();
        if named.peek().is_none() {
            return true;
        }
        let may = changeable(self.ground.analysis, deed);
        named.all(|(at, _)| may.contains(&at))
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
    fn is_of_kind(&self, place: Place, port: &Port, source: &Source) -> bool {
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

    /// What is read was named first; what is changed must be meant to be.
    fn file(&self, place: Place, port: &Port) -> Option<Said> {
        let files = self.of_kind(&[EntityKind::Path, EntityKind::File]);
        let fitting: Vec<_> = files
            .iter()
            .filter(|(_, entity)| self.suits(place, entity))
            .collect();
        let free = || fitting.iter().filter(|(at, _)| !self.is_taken(*at));
        let target = |found: &&&(usize, &Entity)| self.is_target(found.1);
        let (at, entity) = if let Some(deed) = self.deed(place, port) {
            let may = changeable(self.ground.analysis, deed);
            let found = free().rev().find(|found| may.contains(&found.0));
            found.map(|found| **found)
        } else {
            let source = free().find(|found| !target(found));
            let first = source.or(fitting.iter().find(|found| !target(found)));
            first.map(|found| **found).or(files.first().copied())
        }?;
        let value = match port.kind {
            Kind::List => json!([entity.text]),
            _ => json!(entity.text),
        };
        self.admits(place, port, &value).then_some(Said {
            entities: vec![at],
            value,
            each: false,
            confidence: 0.9,
            reason: "the file in the request",
        })
    }

    /// Whether a tool is for files of this kind, as far as names tell.
    fn suits(&self, place: Place, file: &Entity) -> bool {
        let Some((_, extension)) = file.text.rsplit_once('.') else {
            return true;
        };
        let words = self.words_of_name(place);
        let mut said = KINDS
            .iter()
            .filter(|kind| words.iter().any(|word| word == *kind));
        let extension = extension.to_lowercase();
        said.clone().next().is_none() || said.any(|kind| *kind == extension)
    }

    fn words_of_name(&self, place: Place) -> Vec<String> {
        let name = self.tool(place).map_or("", |tool| tool.id.name());
        let words = name.split(|letter: char| !letter.is_alphanumeric());
        words.map(str::to_lowercase).collect()
    }

    /// Whether a tool is called after files of this kind.
    fn is_for(&self, place: Place, file: &Entity) -> bool {
        let extension = file.text.rsplit_once('.').map(|(_, extension)| extension);
        let words = self.words_of_name(place);
        extension.is_some_and(|extension| words.contains(&extension.to_lowercase()))
    }

    /// Whether a file is to be written: "save it to totals.csv".
    fn is_target(&self, file: &Entity) -> bool {
        let before = self.ground.analysis.request.get(..file.place.start);
        let last = before.and_then(|text| text.split_whitespace().next_back());
        last.is_some_and(|word| ["to", "into", "as"].contains(&word.to_lowercase().as_str()))
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
                && label.last() == port.terms.last()
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

    fn admits(&self, place: Place, port: &Port, value: &Value) -> bool {
        let shape: Option<Shape<'_>> = self.shape(place, port);
        shape.is_none_or(|shape| shape.admits(value))
    }
}

/// An address without a path names a site.
fn is_root(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    !text.is_empty() && path.is_empty()
}
