//! How does a plan grow? Tool by tool: each finds what it needs among the results that are
//! there, in the request, or by adding the tools that make it; the rest is asked for.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use holloway_plan::tool::ToolSpec;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use super::chain::{Costs, Promises};
use super::inputs::Inputs;
use super::{GenerateSettings, Taste};
use crate::bind::shape::{Kind, Shape};
use crate::bind::stated::{Stated, Text};
use crate::bind::{Binding, PastArguments};
use crate::catalogue::ports::{Port, Ports, Role, top};
use crate::catalogue::{Catalogue, Place};
use crate::request::deed::Deed;
use crate::request::{Analysis, Format};

/// What all strategies share for one request.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) catalogue: &'a Catalogue,
    pub(super) settings: &'a GenerateSettings,
    /// Which tool was seen to take the result of which.
    pub(super) learned: &'a FxHashSet<(Place, Place)>,
    /// How near each tool is to the request, 0 to 1.
    pub(super) near: &'a FxHashMap<Place, f32>,
    /// What tools could give each other, as far as it was looked at.
    pub(super) promises: &'a Promises,
    /// What the words of the request say for a tool, by the clause it serves.
    pub(super) bound: &'a RefCell<Bound>,
    /// What the request states outright, by the same.
    pub(super) stated: &'a StatedBy,
    /// What is done to what, for each capability.
    pub(super) deeds: &'a [Deed],
    /// What past runs gave for arguments.
    pub(super) past: &'a PastArguments,
}

/// Bindings by tool and clause.
pub(super) type Bound = FxHashMap<(Place, Option<usize>), Rc<Vec<Binding>>>;

/// What the request states for the calls that were looked at: for each the names of the
/// parameters, and what is stated for them.
#[derive(Default)]
pub(super) struct StatedBy {
    pub(super) text: OnceCell<Text>,
    pub(super) by_call: RefCell<FxHashMap<(Place, Option<usize>), StatedOnce>>,
}

type StatedOnce = Rc<(Vec<String>, Vec<Stated>)>;

/// A plan in the making. A node only reads nodes before it.
pub(super) struct Assembly<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) taste: Taste,
    pub(super) nodes: Vec<Node>,
    pub(super) inputs: Inputs,
    /// Optional parameters that so many chosen tools take that making them is worth a step.
    pub(super) shared: FxHashSet<String>,
    pub(super) costs: RefCell<Costs>,
    /// What the request names and a step has taken, or is about to.
    pub(super) reserved: FxHashSet<usize>,
    /// Forms that are wanted and no tool writes.
    pub(super) unwritten: Vec<Format>,
    /// The table that the request is about, as an expression.
    pub(super) table: Option<String>,
    taken: FxHashSet<String>,
}

/// A call in the making.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) id: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) bindings: Vec<Binding>,
    pub(super) reason: String,
    /// Runs once per item of a list.
    pub(super) each: Option<Each>,
    /// The schema of what it gives, when that is not what its tool gives.
    pub(super) result: Option<Value>,
    pub(super) part: Part,
    /// The capability it serves.
    pub(super) capability: Option<usize>,
    /// The domain it works for.
    pub(super) domain: Option<String>,
    /// Fields of its result that others read.
    pub(super) read: FxHashSet<String>,
    /// Others could do without it.
    pub(super) optional: bool,
    /// The plan goes on without it when it fails.
    pub(super) may_fail: bool,
    /// What was asked for is worked out from its result.
    pub(super) goes_on: bool,
    /// Steps that must have ended before, although it reads nothing of them.
    pub(super) follows: Vec<String>,
}

/// What a node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Was asked for.
    Core,
    /// Makes what another needs.
    Gap,
    /// Takes results together.
    Gathers,
    /// Brings the result into the form that was asked for.
    Form,
}

/// A loop around a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Each {
    pub(super) over: String,
    pub(super) variable: String,
}

/// What is to be added, and why.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) place: Place,
    pub(super) reason: String,
    pub(super) part: Part,
    pub(super) capability: Option<usize>,
    pub(super) domain: Option<String>,
    /// Arguments that are settled beforehand.
    pub(super) settled: Map<String, Value>,
    /// Works on the same data as this tool.
    pub(super) like: Option<Place>,
}

impl Wanted {
    pub(super) fn new(place: Place, part: Part, reason: impl Into<String>) -> Self {
        Self {
            place,
            reason: reason.into(),
            part,
            capability: None,
            domain: None,
            settled: Map::new(),
            like: None,
        }
    }
}

impl<'a> Assembly<'a> {
    pub(super) fn new(ground: Ground<'a>, taste: Taste) -> Self {
        Self {
            ground,
            taste,
            nodes: Vec::new(),
            inputs: Inputs::default(),
            shared: FxHashSet::default(),
            costs: Costs::cell(),
            reserved: FxHashSet::default(),
            unwritten: Vec::new(),
            table: None,
            taken: FxHashSet::default(),
        }
    }

    pub(super) fn tool(&self, place: Place) -> Option<&'a ToolSpec> {
        self.ground.catalogue.tool(place).map(|tool| &**tool)
    }

    pub(super) fn ports(&self, place: Place) -> Option<&'a Ports> {
        self.ground.catalogue.ports(place)
    }

    /// The schema of a parameter.
    pub(super) fn shape(&self, place: Place, port: &Port) -> Option<Shape<'a>> {
        let schema = &self.tool(place)?.input_schema;
        top(schema)?.field(&port.name)
    }

    /// The schema of what a node gives.
    pub(super) fn result(&self, node: usize) -> Option<&Value> {
        let node = self.nodes.get(node)?;
        match &node.result {
            Some(schema) => Some(schema),
            None => self.tool(node.place).map(|tool| &tool.output_schema),
        }
    }

    /// Adds a tool and, before it, what makes what it needs. Gives its place among the nodes.
    pub(super) fn add(&mut self, wanted: Wanted, deep: usize) -> Option<usize> {
        let ports = self.ports(wanted.place)?;
        let mut node = Node {
            place: wanted.place,
            id: String::new(),
            arguments: wanted.settled,
            bindings: Vec::new(),
            reason: wanted.reason,
            each: None,
            result: None,
            part: wanted.part,
            capability: wanted.capability,
            domain: wanted.domain,
            read: FxHashSet::default(),
            optional: false,
            may_fail: wanted.like.is_some(),
            goes_on: false,
            follows: Vec::new(),
        };
        if let Some(other) = wanted.like {
            self.share_data(&mut node, ports, other);
        }
        // Which file is written is settled when it is known which are read.
        let (files, mut others): (Vec<&Port>, Vec<&Port>) = ports
            .needed()
            .filter(|port| !node.arguments.contains_key(&port.name))
            .partition(|port| ports.writes && port.role == Role::File);
        // An address that the tool itself takes is not for those before it.
        others.sort_by_key(|port| port.role != Role::Address);
        for port in others {
            self.supply(&mut node, port, deep);
        }
        self.supply_one_of(&mut node, ports, deep);
        for port in files {
            self.supply(&mut node, port, deep);
        }
        self.supply_optional(&mut node, ports, deep);
        self.collect(&mut node, ports);
        node.id = self.name(wanted.place);
        if node.each.is_some() {
            node.result = self
                .tool(wanted.place)
                .map(|tool| list_of(&tool.output_schema));
        }
        self.nodes.push(node);
        Some(self.nodes.len() - 1)
    }

    /// Adds a node whose arguments are settled. Gives its place among the nodes.
    pub(super) fn push(&mut self, place: Place, mut node: Node) -> usize {
        node.id = self.name(place);
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Takes the data that another node works on.
    fn share_data(&self, node: &mut Node, ports: &Ports, other: Place) {
        let Some(other) = self.nodes.iter().find(|node| node.place == other) else {
            return;
        };
        for port in ports.needed().filter(|port| port.kind == Kind::List) {
            let Some(value) = other.arguments.get(&port.name) else {
                continue;
            };
            node.arguments.insert(port.name.clone(), value.clone());
            node.each.clone_from(&other.each);
            let same = other
                .bindings
                .iter()
                .filter(|binding| binding.parameter == port.name);
            node.bindings.extend(same.cloned());
        }
    }

    /// Notes the optional data that many of the chosen tools take.
    pub(super) fn share(&mut self, tools: &[Wanted]) {
        const SHARED_BY: usize = 2;
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for wanted in tools {
            let Some(ports) = self.ports(wanted.place) else {
                continue;
            };
            for port in ports
                .inputs
                .iter()
                .filter(|port| !port.required && port.structured)
            {
                let speaks = self.speaks_of(wanted.place, port);
                *counts.entry(&port.name).or_default() += usize::from(speaks);
            }
        }
        let often = counts.into_iter().filter(|(_, count)| *count >= SHARED_BY);
        self.shared = often.map(|(name, _)| name.to_owned()).collect();
    }

    /// The chosen tools, those first whose results the others take.
    pub(super) fn in_order(&self, tools: Vec<Wanted>) -> Vec<Wanted> {
        // A tool that only needs what can be had otherwise stays where it was said.
        const DATA: f32 = 2.0;
        // What belongs to a domain is in order already.
        if tools.iter().any(|wanted| wanted.domain.is_some()) {
            return tools;
        }
        let mut left = tools;
        let mut ordered: Vec<Wanted> = Vec::new();
        while !left.is_empty() {
            let is_free = |at: &usize| {
                let Some(taker) = left.get(*at) else {
                    return false;
                };
                let others = left.iter().enumerate().filter(|(other, _)| other != at);
                let waits = self.cost_of_needs(taker.place, self.ground.settings.deepest) >= DATA;
                !waits
                    || !others.into_iter().any(|(_, maker)| {
                        self.feeds(maker.place, taker.place)
                            && !self.feeds(taker.place, maker.place)
                    })
            };
            let first = (0..left.len()).find(is_free).unwrap_or(0);
            ordered.push(left.remove(first));
        }
        ordered
    }

    /// A name of its own, from that of the tool.
    fn name(&mut self, place: Place) -> String {
        let own = self.tool(place).map_or("step", |tool| tool.id.name());
        let base = identifier(own);
        let mut name = base.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }

    /// Keeps a name from being given to a step.
    pub(super) fn reserve(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    pub(super) fn uses(&self, place: Place) -> bool {
        self.nodes.iter().any(|node| node.place == place)
    }
}

/// What a loop over calls gives: a list of what each call gives.
pub(super) fn list_of(schema: &Value) -> Value {
    let mut list = json!({"type": "array", "items": schema});
    // What a schema points to stands in its document, which this one is now.
    for definitions in ["$defs", "definitions"] {
        if let (Some(own), Some(list)) = (schema.get(definitions), list.as_object_mut()) {
            list.insert(definitions.to_owned(), own.clone());
        }
    }
    list
}

/// A name that expressions can use.
pub(super) fn identifier(name: &str) -> String {
    const LONGEST: usize = 48;
    const MEANINGFUL: [&str; 8] = [
        "input", "index", "loop", "item", "self", "step", "steps", "output",
    ];
    let mut id = String::new();
    let mut before_was_small = false;
    for letter in name.chars().take(LONGEST) {
        if letter.is_ascii_uppercase() && before_was_small {
            id.push('_');
        }
        before_was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if letter.is_ascii_alphanumeric() {
            id.push(letter.to_ascii_lowercase());
        } else if !id.ends_with('_') {
            id.push('_');
        }
    }
    let id = id.trim_matches('_');
    if id.is_empty() {
        return "call".to_owned();
    }
    if !id.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return format!("call_{id}");
    }
    if MEANINGFUL.contains(&id) || is_reserved(id) {
        return format!("{id}_step");
    }
    id.to_owned()
}

/// Words of the expression language.
fn is_reserved(word: &str) -> bool {
    const WORDS: [&str; 27] = [
        "true",
        "false",
        "none",
        "null",
        "not",
        "and",
        "or",
        "in",
        "is",
        "if",
        "else",
        "elif",
        "for",
        "set",
        "block",
        "macro",
        "filter",
        "with",
        "do",
        "import",
        "extends",
        "super",
        "caller",
        "dict",
        "namespace",
        "range",
        "debug",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_can_stand_in_expressions() {
        for (name, expected) in [
            ("meta-tags-check", "meta_tags_check"),
            ("getWeatherNow", "get_weather_now"),
            ("math.hypot", "math_hypot"),
            ("2fa", "call_2fa"),
            ("not", "not_step"),
            ("input", "input_step"),
            ("天気", "call"),
            ("a--b__", "a_b"),
        ] {
            assert_eq!(identifier(name), expected, "{name}");
        }
    }
}
