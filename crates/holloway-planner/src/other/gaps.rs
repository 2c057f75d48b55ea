//! Who makes what nobody said? An id that the server gave to an earlier step, the text of an earlier
//! result, or a tool whose result has a field of that name; backwards over schemas, few steps deep.

use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::assemble::{Assembly, Node};
use super::choose::Tool;
use super::names::joined;
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, terms};
use crate::catalogue::shape::Kind;
use crate::lexicon::lists::List;

/// How tools are called that begin something that later calls go on with.
static BEGINS: List = List::named("tools_gaps.begins");
/// The last words of names of parameters that hold what only tools know.
static HANDLES: List = List::named("tools_gaps.handles");

impl Assembly<'_> {
    /// Fills what a call needs and nobody said, as far as tools can.
    pub(super) fn fill(&mut self, node: &mut Node, deep: usize) {
        let Some(ports) = self.ports(node.tool.place) else {
            return;
        };
        let shared = |port: &&Port| !port.required && port.role == Role::File;
        for port in ports.inputs.iter().filter(shared) {
            if !node.arguments.contains_key(&port.name) {
                self.same(node, port);
            }
        }
        for port in ports.needed() {
            if node.arguments.contains_key(&port.name) {
                continue;
            }
            let found = self.same(node, port)
                || self.text_before(node, port)
                || self.opened(node, port, deep)
                || self.made(node, port, deep);
            if !found && port.role == Role::Heading {
                self.title(node, port);
            }
        }
    }

    /// What an earlier step of the same server was given: the same session, repository, file.
    fn same(&self, node: &mut Node, port: &Port) -> bool {
        let source = self.source(node.tool.place);
        let same = self.nodes.iter().rev().find(|other| {
            self.source(other.tool.place) == source
                && other.each.is_none()
                && other.arguments.contains_key(&port.name)
        });
        let shared = is_handle(port) || port.role == Role::File || port.role == Role::Address;
        let Some(same) = same.filter(|_| shared) else {
            return false;
        };
        let value = same.arguments.get(&port.name).cloned();
        node.arguments
            .insert(port.name.clone(), value.unwrap_or_default());
        let own = same
            .bindings
            .iter()
            .filter(|own| own.parameter == port.name);
        node.bindings.extend(own.cloned());
        true
    }

    /// The text of an earlier result, of which nothing is known but that it is there.
    fn text_before(&self, node: &mut Node, port: &Port) -> bool {
        let goal = node.tool.goal.and_then(|goal| self.frame.goals.get(goal));
        let goes_on = goal.is_some_and(|goal| goal.clause.action.refers_back);
        let before = self
            .opaque()
            .filter(|before| before.tool.goal != node.tool.goal);
        let Some(before) = before.filter(|_| goes_on && port.role == Role::Text) else {
            return false;
        };
        let step = before.id.clone();
        let value =
            format!("{{{{ {step}.text if {step}.text is defined else {step} | tojson(true) }}}}");
        let reason = format!("the result of {step}");
        read(node, port, json!(value), (step, String::new()), reason);
        true
    }

    /// The id that a tool of the same server gives when it begins something.
    fn opened(&mut self, node: &mut Node, port: &Port, deep: usize) -> bool {
        if !is_handle(port) || deep == 0 {
            return false;
        }
        let Some(opener) = self.opener(node.tool.place, port) else {
            return false;
        };
        let Some(step) = self.put_in(node, port, opener, deep) else {
            return false;
        };
        let value = json!(format!("{{{{ {} }}}}", joined(&step, &port.name)));
        let reason = format!("{} of {step}, as servers give it", spoken(&port.name));
        read(node, port, value, (step, port.name.clone()), reason);
        true
    }

    fn opener(&self, place: Place, port: &Port) -> Option<Place> {
        let source = self.source(place);
        let thing = port.terms.first()?;
        let tools = self.catalogue.tools().filter(|(other, tool)| {
            let named = terms(tool.id.name());
            let begins = named
                .first()
                .is_some_and(|own| BEGINS.contains(&own.as_str()));
            let speaks = self.ports(*other).is_some_and(|ports| {
                let own = ports.input(&port.name);
                !own.is_some_and(|own| own.required)
                    && (own.is_some() || ports.words.contains(thing) || named.contains(thing))
            });
            let same = *other != place && Some(tool.id.source()) == source;
            same && begins && speaks && is_opaque(tool) && tool.effect != Effect::Destructive
        });
        let needs = |place: &Place| self.open_needs(*place);
        tools.map(|(place, _)| place).min_by_key(needs)
    }

    /// What a tool of the same server, or one that is said to give it, returns under that name.
    fn made(&mut self, node: &mut Node, port: &Port, deep: usize) -> bool {
        if deep == 0 || !is_made(port) {
            return false;
        }
        let Some((maker, path)) = self.maker(node.tool.place, port) else {
            return false;
        };
        let Some(step) = self.put_in(node, port, maker, deep) else {
            return false;
        };
        let value = self.reference(node, port, &step, &path);
        let reason = format!("the {} of {step}", spoken(path.trim_end_matches("[]")));
        read(node, port, value, (step, path), reason);
        true
    }

    fn maker(&self, place: Place, port: &Port) -> Option<(Place, String)> {
        const NEEDS_AT_MOST: usize = 1;
        let makers = self.catalogue.makers(port.terms.last()?).iter();
        let makers = makers.chain(self.catalogue.said_makers(place, &port.name));
        let fitting = makers.filter_map(|maker| {
            let tool = self.catalogue.tool(*maker)?;
            let same = self.source(*maker) == self.source(place);
            let said = self.catalogue.says_so(place, &port.name, *maker);
            let outputs = self.ports(*maker)?.outputs.iter();
            let mut fields = outputs.filter(|field| field.terms == port.terms);
            let field = fields.find(|field| field.kind == port.kind || field.kind == Kind::List)?;
            let takes_same = self.ports(*maker)?.input(&port.name).is_some();
            let fits = *maker != place && !takes_same && (same || said);
            let many = field.kind == Kind::List && port.kind != Kind::List;
            let path = if many {
                format!("{}[]", field.name)
            } else {
                field.name.clone()
            };
            let needs = self.open_needs(*maker);
            let reads = tool.effect == Effect::Read;
            (fits && reads && needs <= NEEDS_AT_MOST).then_some((!said, needs, *maker, path))
        });
        let best =
            fitting.min_by(|one, other| (one.0, one.1, one.2).cmp(&(other.0, other.1, other.2)));
        best.map(|(_, _, maker, path)| (maker, path))
    }

    /// How many needed parameters a tool would leave open.
    fn open_needs(&self, place: Place) -> usize {
        let named = self.frame.entities.len();
        let needed = self.ports(place).map_or(0, |ports| ports.needed().count());
        needed.saturating_sub(named)
    }

    /// The step that makes something, put in if it is not there.
    fn put_in(&mut self, node: &Node, port: &Port, maker: Place, deep: usize) -> Option<String> {
        let known = self.nodes.iter().position(|own| own.tool.place == maker);
        let at = known.or_else(|| {
            let reason = format!(
                "makes the {} that {} needs",
                spoken(&port.name),
                node.gives.id.name()
            );
            let mut tool = Tool::new(maker, node.tool.goal, reason);
            tool.asked = false;
            self.add(tool, deep - 1)
        })?;
        self.nodes.get(at).map(|node| node.id.clone())
    }

    /// What a document is called follows from what was asked for.
    fn title(&self, node: &mut Node, port: &Port) {
        let goal = node.tool.goal.and_then(|goal| self.frame.goals.get(goal));
        let Some(goal) = goal else { return };
        let mut letters = goal.text.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        let value = json!(format!("{first}{}", letters.as_str()));
        node.arguments.insert(port.name.clone(), value.clone());
        node.bindings.push(Binding {
            parameter: port.name.clone(),
            source: Source::Words {
                place: goal.said.at.clone(),
                value,
            },
            entities: Vec::new(),
            confidence: 0.4,
            reason: "what was asked for".to_owned(),
        });
    }
}

fn read(
    node: &mut Node,
    port: &Port,
    value: Value,
    (step, path): (String, String),
    reason: String,
) {
    node.arguments.insert(port.name.clone(), value);
    node.bindings.push(Binding {
        parameter: port.name.clone(),
        source: Source::Earlier { step, path },
        entities: Vec::new(),
        confidence: 0.7,
        reason,
    });
}

/// The id of something is known to tools, not to people.
pub(super) fn is_handle(port: &Port) -> bool {
    let last = port.terms.last().map_or("", String::as_str);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    port.terms.len() > 1 && HANDLES.contains(&last) && port.name.chars().all(plain)
}

/// Data and ids are made by tools; addresses, paths and settings are said by people.
fn is_made(port: &Port) -> bool {
    match port.kind {
        Kind::List | Kind::Object => port.role == Role::Other,
        Kind::Text | Kind::Integer | Kind::Number => is_handle(port),
        Kind::Boolean | Kind::Any => false,
    }
}

/// Nothing is known of what the tool gives.
fn is_opaque(tool: &ToolSpec) -> bool {
    let fields = tool.output_schema.get("properties");
    let fields = fields.and_then(Value::as_object);
    fields.is_none_or(serde_json::Map::is_empty)
}

/// A name as people say it.
fn spoken(name: &str) -> String {
    name.replace(['_', '-'], " ")
}
