//! What does a tool take and give? Its parameters and the fields of its result, read once
//! from its schemas, and which of its parameters stand for each other.

use std::sync::Arc;

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_search::words::{each_word, is_empty_word, spaced, stem};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::Place;
use crate::catalogue::shape::{Kind, Shape};
use crate::lexicon::lists::List;

/// More parameters or fields than this are not looked at.
const PORTS_AT_MOST: usize = 48;
/// Words that say that one parameter excludes another.
static INSTEAD: List = List::named("bind_parameter.cues");

/// What tools that move or copy a file call where it is and where it goes.
static ENDS: List = List::named("ports.ends");

/// What a tool takes and gives.
#[derive(Debug, Default)]
pub struct Ports {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    /// Parameters of which one is needed although none is required, by place in `inputs`.
    pub one_of: Vec<usize>,
    /// Changes something.
    pub writes: bool,
    /// The words of title and description that say something, as stems.
    pub words: FxHashSet<String>,
    /// The words in the names of the parameters, in what is said about them, and in what they
    /// can be set to.
    pub names: FxHashSet<String>,
    pub meanings: FxHashSet<String>,
    pub choices: FxHashSet<String>,
}

/// A parameter, or a field of a result.
#[derive(Debug)]
pub struct Port {
    /// Its place among the parameters or fields.
    pub at: usize,
    pub name: String,
    /// The words of the name, without number and case.
    pub terms: Vec<String>,
    pub kind: Kind,
    pub required: bool,
    pub has_default: bool,
    /// Of a list: that its items are objects with known fields.
    pub structured: bool,
    pub role: Role,
}

/// What the name of a parameter says that its kind does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Where something is on the web.
    Address,
    /// Where a file is or goes.
    File,
    /// What a document says.
    Text,
    /// What a document is called.
    Heading,
    Other,
}

impl Ports {
    pub fn of(tool: &ToolSpec) -> Self {
        let mut inputs = ports(&tool.input_schema);
        let of_files = terms(tool.id.name()).iter().any(|word| word == "file");
        for port in inputs.iter_mut().filter(|_| of_files) {
            let is_end = ENDS.contains(&port.name.to_lowercase().as_str());
            if is_end && port.kind == Kind::Text {
                port.role = Role::File;
            }
        }
        let writes = tool.effect != Effect::Read;
        Self {
            one_of: one_of(&tool.input_schema, &inputs, writes),
            inputs,
            outputs: ports(&tool.output_schema),
            writes,
            words: stems(&format!("{} {}", tool.title, tool.description)),
            names: of_fields(&tool.input_schema, |name, _| name.to_owned()),
            meanings: of_fields(&tool.input_schema, |_, field| {
                field.text("description").to_owned()
            }),
            choices: of_fields(&tool.input_schema, |_, field| choices(field)),
        }
    }

    pub fn input(&self, name: &str) -> Option<&Port> {
        self.inputs.iter().find(|port| port.name == name)
    }

    pub fn output(&self, name: &str) -> Option<&Port> {
        self.outputs.iter().find(|port| port.name == name)
    }

    /// Parameters that a call cannot do without.
    pub fn needed(&self) -> impl Iterator<Item = &Port> {
        self.inputs.iter().filter(|port| port.required)
    }
}

fn ports(schema: &Value) -> Vec<Port> {
    let Some(form) = top(schema) else {
        return Vec::new();
    };
    let fields = form.fields().take(PORTS_AT_MOST);
    fields
        .enumerate()
        .map(|(at, (name, field))| {
            let terms = terms(name);
            let kind = field.kind();
            Port {
                at,
                role: role(name, &terms, kind, field),
                structured: is_structured(field),
                name: name.to_owned(),
                required: form.is_required(name),
                has_default: field.word("default").is_some(),
                kind,
                terms,
            }
        })
        .collect()
}

/// The part of a schema that declares the fields: alternatives beside them only say which
/// of them go together.
pub fn top(schema: &Value) -> Option<Shape<'_>> {
    if schema.get("properties").is_some() {
        return Some(Shape::of(schema));
    }
    Shape::of(schema).forms().first().copied()
}

/// The words of a name, in a form in which one and many are the same.
pub fn terms(name: &str) -> Vec<String> {
    let mut terms = Vec::new();
    each_word(name, |word| terms.push(stem(word)));
    terms
}

/// The words of a text that say something, as stems.
pub fn stems(text: &str) -> FxHashSet<String> {
    let mut stems = FxHashSet::default();
    each_word(text, |word| {
        if !is_empty_word(word) {
            stems.insert(stem(word));
        }
    });
    stems
}

/// The words that something says about the parameters of a tool.
fn of_fields(schema: &Value, says: impl Fn(&str, Shape<'_>) -> String) -> FxHashSet<String> {
    const LETTERS_AT_MOST: usize = 4_000;
    let mut text = String::new();
    for (name, field) in Shape::of(schema).fields().take(PORTS_AT_MOST) {
        if text.len() < LETTERS_AT_MOST {
            text.push_str(&says(name, field));
            text.push(' ');
        }
    }
    stems(&text)
}

/// The values that a parameter can be set to, one after the other.
fn choices(field: Shape<'_>) -> String {
    const AT_MOST: usize = 60;
    let items = field.list_items().flatten();
    let items = items.map(Shape::choices).unwrap_or_default();
    let values = field.choices().into_iter().chain(items);
    let texts = values.filter_map(Value::as_str).take(AT_MOST);
    texts.map(|text| spaced(text) + " ").collect()
}

fn is_structured(field: Shape<'_>) -> bool {
    let items = field.list_items().flatten();
    items.is_some_and(|items| {
        let forms = items.forms();
        forms
            .iter()
            .any(|form| form.fields().next().is_some() || form.required().next().is_some())
    })
}

fn role(name: &str, terms: &[String], kind: Kind, field: Shape<'_>) -> Role {
    static ADDRESS: List = List::named("ports.address");
    static FILE: List = List::named("ports.file");
    static TEXT: List = List::named("ports.text");
    static PROJECT: List = List::named("ports.project");
    static HEADING: List = List::named("ports.heading");
    let is = |words: &[&str]| {
        let last = terms.last();
        last.is_some_and(|last| words.iter().any(|word| stem(word) == *last))
    };
    // Where a project is, is no file to be read or written.
    let is_project = terms.iter().any(|term| PROJECT.contains(&term.as_str()));
    // The head of a branch has the stem of a heading.
    let is_head = name.to_lowercase().ends_with("head");
    let textual = matches!(kind, Kind::Text | Kind::List | Kind::Any);
    match () {
        () if matches!(field.text("format"), "uri" | "url") => Role::Address,
        () if textual && is(&ADDRESS) => Role::Address,
        () if textual && is(&FILE) && !is_project => Role::File,
        () if kind == Kind::Text && is(&TEXT) => Role::Text,
        () if kind == Kind::Text && is(&HEADING) && !is_head => Role::Heading,
        () => Role::Other,
    }
}

/// Parameters that stand for each other: schemas say it with `anyOf`, people in descriptions.
fn one_of(schema: &Value, inputs: &[Port], writes: bool) -> Vec<usize> {
    let mut group: FxHashSet<usize> = FxHashSet::default();
    let at = |name: &str| inputs.iter().position(|port| port.name == name);
    for word in ["anyOf", "oneOf"] {
        let several = schema.get(word).and_then(Value::as_array);
        for one in several.into_iter().flatten() {
            let required = Shape::of(one).required().filter_map(at);
            group.extend(required);
        }
    }
    let shape = Shape::of(schema);
    for (place, port) in inputs.iter().enumerate() {
        let Some(field) = shape.field(&port.name) else {
            continue;
        };
        let description = field.text("description").to_lowercase();
        if !INSTEAD.iter().any(|word| description.contains(word)) {
            continue;
        }
        let others: Vec<usize> = inputs
            .iter()
            .enumerate()
            .filter(|(at, other)| *at != place && names(&description, &other.name))
            .map(|(at, _)| at)
            .collect();
        if !others.is_empty() {
            group.insert(place);
            group.extend(others);
        }
    }
    // Where nothing is said and no data is required, the data it works on is needed.
    let is_data = |port: &Port| {
        let shape = shape.field(&port.name);
        let items = shape.and_then(|shape| shape.list_items().flatten());
        let of_objects = items.is_some_and(|items| items.kind() == Kind::Object);
        port.role == Role::Text
            || (port.kind == Kind::List && port.role == Role::Other && of_objects)
    };
    // Settings that exclude each other are not needed; data and places are.
    let matters = |at: &usize| {
        let port = inputs.get(*at);
        port.is_some_and(|port| {
            is_data(port) || port.kind == Kind::Object || port.role == Role::Address
        })
    };
    if !group.iter().any(matters) {
        group.clear();
    }
    let requires_data = inputs
        .iter()
        .any(|port| port.required && (is_data(port) || port.kind == Kind::Object));
    let requires_nothing = !inputs.iter().any(|port| port.required);
    if group.is_empty() && !requires_data && (writes || requires_nothing) {
        let data = |port: &Port| !port.has_default && is_data(port);
        group.extend(
            inputs
                .iter()
                .enumerate()
                .filter(|(_, port)| data(port))
                .map(|(at, _)| at),
        );
    }
    let mut group: Vec<usize> = group
        .into_iter()
        .filter(|at| {
            inputs
                .get(*at)
                .is_some_and(|port| !port.required && !port.has_default)
        })
        .collect();
    group.sort_unstable();
    group
}

/// Whether a text names a parameter, in backticks.
fn names(description: &str, name: &str) -> bool {
    description.contains(&format!("`{}`", name.to_lowercase()))
}

/// Which tool says of which other that it comes before, and for which parameter.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The whole tool: "use it after `pages-fetch`".
    pub(super) after: FxHashSet<(Place, Place)>,
    /// One parameter: "as `page-fetch` returns it".
    pub(super) takes: FxHashMap<(Place, String), Vec<Place>>,
}

/// Words that stand before a tool whose result is wanted.
static BEFORE: List = List::named("ports.before");

pub(super) fn mentions(tools: &[Arc<ToolSpec>]) -> Mentions {
    // A name that is an ordinary word is no mention.
    let telling = |name: &&str| name.contains(['-', '_']);
    let named: FxHashMap<&str, Place> = tools
        .iter()
        .enumerate()
        .filter(|(_, tool)| telling(&tool.id.name()))
        .map(|(place, tool)| (tool.id.name(), place))
        .collect();
    let mut mentions = Mentions::default();
    for (place, tool) in tools.iter().enumerate() {
        let is_other = |other: &Place| {
            let source = tools.get(*other).map(|other| other.id.source());
            *other != place && source == Some(tool.id.source())
        };
        let mut before: [&str; 2] = ["", ""];
        for word in words(&tool.description) {
            let found = named.get(word).filter(|other| is_other(other));
            if let Some(other) = found
                && before
                    .iter()
                    .any(|word| BEFORE.contains(&word.to_lowercase().as_str()))
            {
                mentions.after.insert((place, *other));
            }
            // Only the tool that stands there is meant, not the one after it.
            before = match found {
                Some(_) => ["", ""],
                None => [before[1], word],
            };
        }
        for (name, field) in Shape::of(&tool.input_schema).fields().take(PORTS_AT_MOST) {
            let found =
                words(field.text("description")).filter_map(|word| named.get(word).copied());
            let found: Vec<Place> = found.filter(is_other).collect();
            if !found.is_empty() {
                mentions.takes.insert((place, name.to_owned()), found);
            }
        }
    }
    mentions
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && !"-_".contains(letter));
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
