//! Which tool makes what another needs? Backward from the need over schemas, the cheapest
//! way first: few steps, reading only, documented or learned pairs, what the request is about.

use std::cell::RefCell;

use holloway_plan::tool::Effect;
use holloway_search::words::stem;
use rustc_hash::FxHashMap;

use super::assembly::Assembly;
use super::does::{kinds_of_named, kinds_of_tool};
use super::results::Pair;
use super::supply::least;
use super::targets::is_file;
use crate::bind::fit::Fit;
use crate::bind::shape::Kind;
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role};
use crate::request::Entity;

/// So many tools are looked at for one parameter.
const MAKERS_AT_MOST: usize = 16;
const LOOKED_AT: usize = 64;
/// What it costs to ask a person for a short value, and for data.
const ASK: f32 = 0.8;
const ASK_FOR_PLACE: f32 = 0.3;
const ASK_FOR_TEXT: f32 = 1.6;
const ASK_FOR_DATA: f32 = 3.0;
/// What it is worth that a tool says it comes after another, that a parameter names the
/// other, and that a run used the pair.
const AFTER: f32 = 0.85;
const SAID: f32 = 0.1;
const LEARNED: f32 = 0.5;
const NEAR: f32 = 0.4;
const ABOUT: f32 = 0.3;
/// What a tool costs that works on data and that nothing speaks for but its result.
const UNASKED: f32 = 0.6;
const WRITES: f32 = 2.0;
const LOOP: f32 = 0.3;
const MISFIT: f32 = 2.5;
const NEEDS_AT_BEST: f32 = 4.0;
/// Text comes under many names.
const TEXTS: [&str; 8] = [
    "text", "content", "body", "markdown", "summary", "document", "html", "article",
];

/// How well one tool gives a parameter of another, and whether item by item.
#[derive(Debug, Default)]
pub(super) struct Promises(RefCell<FxHashMap<(Place, Place, usize), Promise>>);

type Promise = Option<(f32, bool)>;

/// What was found out about needs while the plan had so many nodes and had taken so much
/// of what the request names.
#[derive(Debug, Default)]
pub(super) struct Costs {
    of_plan: (usize, usize),
    results: FxHashMap<(Place, usize), Option<f32>>,
    known: FxHashMap<(Place, usize, usize), (f32, Option<Place>)>,
}

impl Costs {
    pub(super) fn cell() -> RefCell<Self> {
        RefCell::default()
    }

    /// A plan that has grown has other results.
    fn refresh(&mut self, plan: (usize, usize)) {
        if self.of_plan != plan {
            self.of_plan = plan;
            self.results.clear();
            self.known.clear();
        }
    }
}

impl Assembly<'_> {
    /// The tool that makes a parameter with the least effort, if that is less than asking.
    pub(super) fn cheapest_maker(&self, place: Place, port: &Port, deep: usize) -> Option<Place> {
        let (cost, maker) = self.cost_of_making(place, port, deep);
        maker.filter(|_| cost < ask(port) || port.kind == Kind::List)
    }

    /// What it takes to have a value for a parameter.
    pub(super) fn cost_of_port(&self, place: Place, port: &Port, deep: usize) -> f32 {
        if port.has_default {
            return 0.0;
        }
        if port.role == Role::Heading {
            return 0.1;
        }
        if let Some(cost) = self.cost_of_result(place, port) {
            return cost;
        }
        if let Some(cost) = self.cost_of_saying(place, port) {
            return cost;
        }
        let made = self.cost_of_making(place, port, deep).0.min(ask(port));
        if deep > 0 && self.has_opener(place, port) {
            return made.min(self.taste.step_cost);
        }
        made
    }

    /// The results that are there, without adding anything.
    fn cost_of_result(&self, place: Place, port: &Port) -> Option<f32> {
        let key = (place, port.at);
        {
            let mut costs = self.costs.borrow_mut();
            costs.refresh((self.nodes.len(), self.reserved.len()));
            if let Some(known) = costs.results.get(&key) {
                return *known;
            }
        }
        let cost = self.look_for_result(place, port);
        self.costs.borrow_mut().results.insert(key, cost);
        cost
    }

    fn look_for_result(&self, place: Place, port: &Port) -> Option<f32> {
        let shape = self.shape(place, port)?;
        let scores = self.nodes.iter().enumerate().filter_map(|(at, node)| {
            let known = self.known_of(node.place, place, port);
            let pair = Pair {
                ports: self.ports(node.place)?,
                maker: self.tool(node.place)?,
                port,
                trusted: known > 0.0 || node.part != super::assembly::Part::Gap,
                said: known > 0.0,
            };
            let output = self.result(at)?;
            let given = |name: &str| node.arguments.contains_key(name);
            let (fit, score) = pair.present(output, shape, given)?;
            Some((matches!(fit, Fit::EachItem { .. }), score + known))
        });
        let (each, best) = scores.max_by(|one, other| one.1.total_cmp(&other.1))?;
        let looped = if each { LOOP } else { 0.0 };
        (best >= least(port)).then(|| looped + 0.3 * (1.0 - best).max(0.0))
    }

    fn cost_of_making(&self, place: Place, port: &Port, deep: usize) -> (f32, Option<Place>) {
        if deep == 0 || !is_made(port) {
            return (f32::MAX, None);
        }
        let key = (place, port.at, deep);
        {
            let mut costs = self.costs.borrow_mut();
            costs.refresh((self.nodes.len(), self.reserved.len()));
            if let Some(known) = costs.known.get(&key) {
                return *known;
            }
            // Whoever comes here again on the way would go in a circle.
            costs.known.insert(key, (f32::MAX, None));
        }
        let found = self.cheapest(place, port, deep);
        self.costs.borrow_mut().known.insert(key, found);
        found
    }

    fn cheapest(&self, place: Place, port: &Port, deep: usize) -> (f32, Option<Place>) {
        let mut best = (f32::MAX, None);
        for (maker, cost) in self.makers(place, port) {
            // The first ones are the best by themselves; needs can hardly make up for more.
            if cost - NEEDS_AT_BEST >= best.0 {
                continue;
            }
            let cost = cost + self.cost_of_needs(maker, deep - 1);
            if cost < best.0 {
                best = (cost, Some(maker));
            }
        }
        best
    }

    /// Whether a text is what a person says, not what stands in a document: a message, what
    /// is looked for, or anything for a tool that takes the only file by itself.
    fn is_own_text(&self, maker: Place, place: Place, port: &Port) -> bool {
        let is_content = match port.terms.as_slice() {
            [only] => TEXTS.iter().any(|word| stem(word) == *only),
            _ => false,
        };
        let takes_file = |place: Place| {
            let needed = self.ports(place).into_iter().flat_map(Ports::needed);
            needed.into_iter().any(|port| port.role == Role::File)
        };
        let entities = self.ground.analysis.entities.iter();
        let files: Vec<&Entity> = entities.filter(|entity| is_file(entity)).collect();
        let kinds = self.tool(place).map(kinds_of_tool).unwrap_or_default();
        let works_on = |file: &&&Entity| {
            let of_kind = kinds_of_named(file);
            kinds.iter().any(|kind| of_kind.contains(kind))
        };
        let own = takes_file(place) || files.iter().any(|file| works_on(&file));
        !is_content || files.len() < 2 && own && takes_file(maker)
    }

    /// What a tool needs before it can be called.
    pub(super) fn cost_of_needs(&self, place: Place, deep: usize) -> f32 {
        let Some(ports) = self.ports(place) else {
            return f32::MAX;
        };
        let mut cost = 0.0;
        for port in ports.needed() {
            cost += self.cost_of_port(place, port, deep);
        }
        let choices = ports.one_of.iter().filter_map(|at| ports.inputs.get(*at));
        let choices = choices.map(|port| self.cost_of_port(place, port, deep));
        cost + choices.min_by(f32::total_cmp).unwrap_or(0.0)
    }

    /// Tools that make a parameter, with what they cost by themselves, the cheapest first.
    fn makers(&self, place: Place, port: &Port) -> Vec<(Place, f32)> {
        let catalogue = self.ground.catalogue;
        let mut places: Vec<Place> = Vec::new();
        if let Some(last) = port.terms.last() {
            places.extend(catalogue.makers(last));
        }
        if port.role == Role::Text && port.name != "html" {
            places.extend(TEXTS.iter().flat_map(|word| catalogue.makers(&stem(word))));
        }
        places.extend(catalogue.said_makers(place, &port.name));
        places.sort_unstable();
        places.dedup();
        // What needs the same before it can give it brings a plan no further.
        let passes_on = |place: &Place| {
            let mut needed = self.ports(*place).into_iter().flat_map(Ports::needed);
            needed.any(|need| need.kind == Kind::List && need.terms == port.terms)
        };
        places.retain(|place| !passes_on(place));
        let near = |place: &Place| self.ground.near.get(place).copied().unwrap_or_default();
        // Names such as `id` have too many makers to look at all of them.
        places.sort_by(|one, other| near(other).total_cmp(&near(one)));
        places.truncate(LOOKED_AT);
        let mut makers: Vec<(Place, f32)> = places
            .into_iter()
            .filter(|maker| *maker != place)
            .filter_map(|maker| Some((maker, self.cost_of_maker(maker, place, port)?)))
            .collect();
        let key = |maker: &(Place, f32)| maker.1 + self.cost_of_places(maker.0);
        makers.sort_by(|one, other| key(one).total_cmp(&key(other)).then(one.0.cmp(&other.0)));
        makers.truncate(MAKERS_AT_MOST);
        makers
    }

    /// What the files and addresses of the request save or cost a tool.
    fn cost_of_places(&self, place: Place) -> f32 {
        let needed = self.ports(place).into_iter().flat_map(Ports::needed);
        let places = needed.filter(|port| matches!(port.role, Role::File | Role::Address));
        places
            .filter_map(|port| self.cost_of_saying(place, port))
            .sum()
    }

    /// Whether one tool gives what another needs, and is called so.
    pub(super) fn feeds(&self, maker: Place, taker: Place) -> bool {
        let Some(ports) = self.ports(taker) else {
            return false;
        };
        let choices = ports.one_of.iter().filter_map(|at| ports.inputs.get(*at));
        let mut ports = ports.needed().chain(choices).filter(|port| is_made(port));
        ports.any(|port| self.cost_of_maker(maker, taker, port).is_some())
    }

    /// A tool that takes data apart is no source of it.
    fn works_on_data(&self, place: Place) -> bool {
        let needed = self.ports(place).into_iter().flat_map(Ports::needed);
        needed
            .into_iter()
            .any(|port| port.kind == Kind::List && port.structured)
    }

    /// How well a tool would give a parameter of another.
    fn promise(&self, maker: Place, place: Place, port: &Port) -> Option<(f32, bool)> {
        let key = (maker, place, port.at);
        if let Some(known) = self.ground.promises.0.borrow().get(&key) {
            return *known;
        }
        let found = self.look_for_promise(maker, place, port);
        self.ground.promises.0.borrow_mut().insert(key, found);
        found
    }

    fn look_for_promise(&self, maker: Place, place: Place, port: &Port) -> Option<(f32, bool)> {
        let known = self.known_of(maker, place, port);
        let pair = Pair {
            ports: self.ports(maker)?,
            maker: self.tool(maker)?,
            port,
            trusted: known > 0.0,
            said: known > 0.0,
        };
        let (fit, score) = pair.promise(self.shape(place, port)?)?;
        let each = matches!(fit, Fit::EachItem { .. });
        (score + known >= least(port)).then_some((score, each))
    }

    fn cost_of_maker(&self, maker: Place, place: Place, port: &Port) -> Option<f32> {
        let tool = self.tool(maker)?;
        // A document about nothing is no text.
        let about_nothing = self.nodes.is_empty() && self.is_collector(maker);
        if tool.effect == Effect::Destructive || about_nothing {
            return None;
        }
        let (score, each) = self.promise(maker, place, port)?;
        let said = self.ground.catalogue.says_so(place, &port.name, maker);
        let learned = self.ground.learned.contains(&(maker, place));
        let part = |yes: bool, worth: f32| if yes { worth } else { 0.0 };
        let near = self.ground.near.get(&maker).copied().unwrap_or_default();
        // Almost every tool gives some text: one must be about what is asked.
        let speaks = said || learned || near >= ABOUT || self.cost_of_places(maker) < 0.0;
        let other_source = self
            .tool(place)
            .is_some_and(|taker| taker.id.source() != tool.id.source());
        let loose = port.kind == Kind::Object || port.kind == Kind::List && !port.structured;
        let unsaid = other_source && !said && !learned;
        let unlikely = loose || port.role == Role::Text && self.is_own_text(maker, place, port);
        if port.role == Role::Text && !speaks || unsaid && unlikely {
            return None;
        }
        Some(
            self.taste.step_cost
                + MISFIT * (1.0 - score).max(0.0)
                + part(tool.effect != Effect::Read, WRITES)
                + part(each, LOOP)
                + part(other_source, 0.1)
                + part(!speaks && self.works_on_data(maker), UNASKED)
                - part(said, SAID)
                - part(self.ground.catalogue.comes_after(place, maker), AFTER)
                - part(learned, LEARNED)
                - NEAR * near,
        )
    }
}

/// Data and documents are made by tools; addresses, paths and settings are said by people.
fn is_made(port: &Port) -> bool {
    match port.kind {
        Kind::List | Kind::Object => port.role != Role::File,
        Kind::Text => port.role == Role::Text || is_reference(port),
        Kind::Integer | Kind::Number => is_reference(port),
        Kind::Boolean | Kind::Any => false,
    }
}

/// The id of something is known to tools, not to people.
pub(super) fn is_reference(port: &Port) -> bool {
    let last = port.terms.last().map(String::as_str);
    port.terms.len() > 1 && matches!(last, Some("id" | "key" | "token" | "code"))
}

fn ask(port: &Port) -> f32 {
    match port.kind {
        Kind::Text if port.role == Role::Address => ASK_FOR_PLACE,
        Kind::List if port.role == Role::Address => ASK,
        Kind::List | Kind::Object => ASK_FOR_DATA,
        Kind::Text if port.role == Role::Text => ASK_FOR_TEXT,
        _ => ASK,
    }
}
