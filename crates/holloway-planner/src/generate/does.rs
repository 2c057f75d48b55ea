//! Does a tool do what is asked? A search always finds something: here a tool must do that
//! sort of thing, and speak of the thing that is meant.

use holloway_plan::tool::Effect;
use holloway_search::index::Index;
use holloway_search::literals::without_literals;
use holloway_search::rank::Hit;
use holloway_search::words::stem;
use rustc_hash::FxHashSet;

use super::words::{stems, without_values};
use crate::catalogue::ports::{Port, Role, terms};
use crate::catalogue::{Catalogue, Place};
use crate::request::deed::{Deed, Sorts, sorts_of_words};
use crate::request::services::{services, speaks_of};
use crate::request::{Analysis, Capability, EntityKind};

mod says;

pub(super) use says::writes_files;
use says::{Says, kinds_of_tool};

/// A tool that agrees less does something else.
const DOES: f32 = 0.6;
/// Nor does one that hardly speaks of the thing, or does another sort of thing.
const OBJECT_AT_LEAST: f32 = 0.35;
const OBJECT_ALONE: f32 = 0.65;
const VERB_AT_LEAST: f32 = 0.25;
const VERB_NAMED: f32 = 0.9;
/// What a tool that does another sort of thing has less than, and how well the search must
/// find it, for verbs that say nothing and for others; over four public benchmarks that
/// lets nine in ten of the right tools through and half of those of another catalogue.
const VERB_AT_ALL: f32 = 0.2;
const FOUND: (f32, f32) = (0.6, 0.8);
const WORDS_AT_LEAST: usize = 3;
/// What being found is worth beside doing it.
const BY_SEARCH: f32 = 0.6;
/// What counts when nothing can be said.
const UNKNOWN: f32 = 0.6;
/// Verbs that so many tools are called by that they say nothing about the thing.
const COMMON: [&str; 35] = [
    "compare", "count", "describe", "draw", "extract", "parse", "plot", "scan", "validate", "add",
    "analyse", "analyze", "change", "check", "create", "delete", "edit", "export", "fetch", "find",
    "generate", "insert", "list", "load", "open", "read", "remove", "save", "search", "send",
    "set", "update", "write", "append", "run",
];

/// Kinds of files that are no texts.
const BINARY: [&str; 6] = ["excel", "word", "powerpoint", "pdf", "image", "audio"];
/// What is done to files as such.
const HANDLES: [&str; 6] = ["rename", "move", "copy", "delete", "remove", "erase"];
const PACKS: [&str; 3] = ["zip", "unzip", "compress"];
/// Verbs that put something into a file.
const PUTS: [&str; 7] = ["append", "dump", "export", "put", "save", "store", "write"];
/// Verbs that mean the same, or nearly.
const SAME: &[&[&str]] = &[
    &["rename", "move"],
    &["delete", "remove", "erase"],
    &["fetch", "get", "download", "retrieve", "load"],
    &["find", "search", "locate", "lookup"],
    &["create", "make", "add", "new", "open"],
    &["add", "insert", "append"],
    &["save", "write", "store", "export"],
    &["edit", "update", "modify", "change"],
    &["compare", "diff"],
    &["mail", "email", "send"],
    &["read", "view", "show", "open"],
    &["calculate", "compute", "evaluate"],
    &["draw", "plot", "chart", "visualise", "visualize", "graph"],
    &["join", "merge", "combine"],
    &["execute", "run"],
];

/// What leads to where something goes.
const INTO: [&str; 5] = ["to", "into", "as", "in", "on"];

/// What is asked for, ready to be compared.
pub(super) struct Asked {
    deed: Deed,
    services: Vec<String>,
    /// Words for the kinds of the files that the clause names.
    kinds: FxHashSet<String>,
    /// The words for the thing, what it is last; empty when anything will do.
    thing: Vec<String>,
    /// All words of the clause, as stems.
    words: FxHashSet<String>,
    /// How many of them are no values and say something.
    said: usize,
    /// What parameters are called that take the values that the clause names.
    values: Vec<String>,
    /// Something is to be put into a file.
    wants_file: bool,
    /// Something is to be worked out.
    is_sum: bool,
}

impl Asked {
    pub(super) fn of(analysis: &Analysis, capability: &Capability) -> Self {
        let text = without_values(analysis, &without_quotes(analysis, &capability.text));
        let mut deed = Deed::of(&text);
        let is_sum = deed.object.is_empty() && has_sum(analysis, capability);
        if is_sum {
            deed = Deed::of("calculate the expression");
        }
        let own = kinds_of_files(analysis, capability);
        let kinds = if own.is_empty() && deed.refers_back {
            before(analysis, capability).map_or(own, |it| kinds_of_files(analysis, it))
        } else {
            own
        };
        let says_file = deed.after(&INTO).any(|word| stem(word) == "file");
        let own_services = services(&text);
        // "it" is where the thing before it is.
        let services = match before(analysis, capability) {
            Some(before) if own_services.is_empty() && deed.refers_back => services(&before.text),
            _ => own_services,
        };
        Self {
            services,
            words: stems(&without_literals(&capability.text)),
            said: stems(&text).len(),
            values: values(analysis, capability),
            thing: thing(&deed),
            wants_file: PUTS.contains(&deed.verb.as_str()) && (says_file || !kinds.is_empty()),
            kinds,
            is_sum,
            deed,
        }
    }

    /// How far a tool does it, 0 to 1, that the search finds fitting so far; nothing when it
    /// does something else.
    pub(super) fn done_by(&self, catalogue: &Catalogue, place: Place, found: f32) -> Option<f32> {
        let says = Says::of(catalogue, place)?;
        let ports = catalogue.ports(place)?;
        let takes_file = ports.inputs.iter().any(|port| port.role == Role::File);
        if self.handles_files() && !takes_file {
            return None;
        }
        let verb = self.verb(&says);
        let object = self.object(&says, catalogue.index());
        let agreement = (0.4 * verb + 0.6 * object) * self.of_service(&says) * self.general(&says);
        // A verb that says nothing leaves all to the thing.
        let least = if self.deed.light && !self.thing.is_empty() {
            OBJECT_ALONE
        } else {
            OBJECT_AT_LEAST
        };
        let verb_least = match () {
            () if self.handles_files() => VERB_NAMED,
            () if self.is_sum => UNKNOWN,
            () => VERB_AT_LEAST,
        };
        if agreement >= DOES && object >= least && verb >= verb_least {
            return Some(agreement);
        }
        let is_found = self.trusts_search(found) && verb >= VERB_AT_ALL;
        (is_found && self.of_service(&says) >= 1.0).then_some(agreement.max(BY_SEARCH * found))
    }

    /// Whether something is done to a file as such, whatever stands in it.
    fn handles_files(&self) -> bool {
        HANDLES.contains(&self.deed.verb.as_str()) && !self.kinds.is_empty()
            || PACKS.contains(&self.deed.verb.as_str())
    }

    /// Whether a tool is called after what is to be done.
    pub(super) fn is_called(&self, catalogue: &Catalogue, place: Place) -> bool {
        let name = catalogue.tool(place).map(|tool| terms(tool.id.name()));
        let name = name.unwrap_or_default();
        let verb = self.deed.verb.as_str();
        let has = |word: &str| name.contains(&stem(word));
        has(verb) || has(&american(verb)) || same(verb).any(has)
    }

    /// Whether all that is said is what to do with something that is named or came before.
    pub(super) fn is_only_verb(&self) -> bool {
        self.thing.is_empty() && !self.deed.light && !self.wants_file
    }

    /// Whether the search is to be believed although the words do not agree: people tell
    /// more than they order, and name examples for kinds. An order that says plainly what
    /// becomes what, or goes into a file, is taken at its word.
    fn trusts_search(&self, found: f32) -> bool {
        let converts = self.deed.sorts.is_only(Sorts::CONVERT);
        let plain = self.wants_file || self.is_sum || converts || self.handles_files();
        let enough = if self.deed.light { FOUND.0 } else { FOUND.1 };
        // Of few words any tool has some.
        !plain && self.said >= WORDS_AT_LEAST && found >= enough
    }

    /// Words for the kinds of the files that are meant.
    pub(super) fn kinds(&self) -> String {
        let mut kinds: Vec<&str> = self.kinds.iter().map(String::as_str).collect();
        kinds.sort_unstable();
        kinds.join(" ")
    }

    /// Other verbs for what is to be done.
    pub(super) fn other_verbs(&self) -> String {
        same(&self.deed.verb).collect::<Vec<_>>().join(" ")
    }

    /// How many of the values that the clause names a tool has a parameter for.
    pub(super) fn values_taken(&self, catalogue: &Catalogue, place: Place) -> usize {
        let ports = catalogue.ports(place);
        let takes = |word: &&String| {
            let is_called = |port: &Port| port.terms.last() == Some(*word);
            ports.is_some_and(|ports| ports.inputs.iter().any(is_called))
        };
        self.values.iter().filter(takes).count()
    }

    /// Whether a tool is called after the kind of a file that is named.
    pub(super) fn is_for_kind(&self, catalogue: &Catalogue, place: Place) -> bool {
        let own = catalogue.tool(place).map(|tool| kinds_of_tool(tool));
        let own = own.unwrap_or_default();
        own.iter().any(|kind| self.kinds.contains(kind))
    }

    /// Tools that put something into a file, where that is asked: a search for the words
    /// of what goes there does not find them.
    pub(super) fn writers(&self, catalogue: &Catalogue) -> Vec<Hit> {
        const AT_MOST: usize = 4;
        if !self.wants_file || !self.thing.is_empty() {
            return Vec::new();
        }
        let places = catalogue.tools().map(|(place, _)| place);
        let writers = places.filter(|place| writes_files(catalogue, *place));
        let hit = |place: Place| Hit {
            place,
            rank: 0.3,
            text: 0.7,
            of_kind: false,
            always: false,
            repute: catalogue.repute(place),
        };
        writers.take(AT_MOST).map(hit).collect()
    }

    /// How well the sort of deed agrees.
    fn verb(&self, says: &Says<'_>) -> f32 {
        let deed = &self.deed;
        let own = says.sorts;
        let removes = |sorts: Sorts| sorts.is_only(Sorts::REMOVE);
        let has_verb = says.name.contains(&stem(&deed.verb));
        if removes(own) != removes(deed.sorts) && !(has_verb && own.is_empty()) {
            return if own.is_empty() { 0.3 } else { 0.1 };
        }
        if !deed.light && has_verb {
            return 1.0;
        }
        if !deed.light && same(&deed.verb).any(|word| says.name.contains(&stem(word))) {
            return 0.95;
        }
        if !deed.light && says.begins.contains(&stem(&deed.verb)) {
            return 0.9;
        }
        let changes = says.tool.effect != Effect::Read;
        match () {
            () if deed.sorts.is_only(Sorts::LOOK) && changes && !own.meets(Sorts::LOOK) => 0.2,
            () if deed.light || deed.sorts.is_empty() => 0.75,
            () if deed.sorts.meets(own) => 0.8,
            () if own.is_empty() => UNKNOWN,
            // Who asks for something to be sent is not served by one who looks.
            () if deed.sorts.is_only(Sorts::SEND) => 0.1,
            () => 0.35,
        }
    }

    /// How well the thing agrees.
    fn object(&self, says: &Says<'_>, index: &Index) -> f32 {
        let Some((head, others)) = self.thing.split_last() else {
            return self.without_thing(says);
        };
        let head = says.covers(head, index);
        let others: Vec<f32> = others.iter().map(|word| says.covers(word, index)).collect();
        let mean = others.iter().sum::<f32>() / others.len().max(1) as f32;
        let thing = if others.is_empty() {
            head
        } else {
            0.65 * head + 0.35 * mean
        };
        let own_verb = !self.deed.light
            && !COMMON.contains(&self.deed.verb.as_str())
            && !self.deed.sorts.is_only(Sorts::CONVERT)
            && says.name.contains(&stem(&self.deed.verb));
        // "play Despacito": what is done says more than what it is done to.
        let thing = if own_verb { thing.max(UNKNOWN) } else { thing };
        thing * self.of_kind(says)
    }

    /// Where no thing is named, what is done has to be what is meant.
    fn without_thing(&self, says: &Says<'_>) -> f32 {
        let verb = self.deed.verb.as_str();
        let verbs = [verb.to_owned(), american(verb)];
        let is_called = |word: &str| says.name.contains(&stem(word));
        let thing = match () {
            () if self.wants_file && says.writes_file => 0.9,
            () if self.wants_file && self.puts(says) => 0.85,
            () if self.wants_file => 0.2,
            () if self.deed.light => UNKNOWN,
            () if verbs.iter().any(|verb| is_called(verb)) => 0.85,
            () if same(verb).any(is_called) => 0.8,
            () if verbs.iter().any(|verb| says.begins.contains(&stem(verb))) => 0.7,
            () if COMMON.contains(&self.deed.verb.as_str()) => UNKNOWN,
            () => 0.3,
        };
        thing * self.of_kind(says)
    }

    /// Whether a tool is called after putting something into files of the kind that is named.
    fn puts(&self, says: &Says<'_>) -> bool {
        let called = PUTS.iter().any(|word| says.name.contains(&stem(word)));
        let named = kinds_of_tool(says.tool);
        called && named.iter().any(|kind| self.kinds.contains(kind))
    }

    /// A tool for one kind of file is not for another; one that turns a kind into another
    /// must know both, and which is which.
    fn of_kind(&self, says: &Says<'_>) -> f32 {
        if !self.deed.sorts.is_only(Sorts::CONVERT) {
            let own = kinds_of_tool(says.tool);
            let other = !self.kinds.is_empty() && !own.is_empty();
            let known = own.iter().any(|kind| self.kinds.contains(kind));
            // What is no text is not for tools that know no kinds.
            let is_text = !BINARY.iter().any(|kind| self.kinds.contains(&stem(kind)));
            return match (other, known) {
                (true, false) => 0.4,
                (true, true) => 1.2,
                (false, _) if is_text => 1.0,
                (false, _) => 0.85,
            };
        }
        let known = self.kinds.iter().any(|kind| says.has(kind));
        let unknown = !self.kinds.is_empty() && !known;
        let into = self.thing.last().map(|word| stem(word));
        let to = says.name.iter().position(|word| word == "to");
        let after = to.and_then(|to| says.name.get(to + 1..));
        let other_way = after.is_some_and(|after| {
            !after.is_empty() && into.is_some_and(|into| !after.contains(&into))
        });
        if unknown || other_way { 0.2 } else { 1.0 }
    }

    /// A tool for something special that nobody asked for is less likely meant.
    fn general(&self, says: &Says<'_>) -> f32 {
        const EACH: f32 = 0.05;
        const AT_MOST: usize = 3;
        let special = says.name.iter().filter(|word| {
            let is_noun = sorts_of_words(word).is_empty() && word.len() > 2;
            is_noun && !self.words.contains(*word) && !says.source.contains(word)
        });
        1.0 - EACH * special.count().min(AT_MOST) as f32
    }

    fn of_service(&self, says: &Says<'_>) -> f32 {
        let known = |service: &String| speaks_of(&says.whole, service);
        if self.services.iter().all(known) {
            1.0
        } else {
            0.15
        }
    }
}

/// Verbs that mean what this one means.
fn same(verb: &str) -> impl Iterator<Item = &'static str> {
    let rows = SAME.iter().filter(move |row| row.contains(&verb));
    let others = rows.flat_map(|row| row.iter().copied());
    others
        .filter(move |other| *other != verb)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Names are mostly spelled so.
fn american(verb: &str) -> String {
    match verb.strip_suffix("ise") {
        Some(start) => format!("{start}ize"),
        None => verb.to_owned(),
    }
}

/// What the deed is about: its object, or where it goes when that says more.
fn thing(deed: &Deed) -> Vec<String> {
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let into: Vec<&str> = deed.after(&INTO).collect();
    let converts = deed.sorts.is_only(Sorts::CONVERT);
    if converts && !into.is_empty() {
        return owned(into);
    }
    if !deed.object.is_empty() {
        return deed.object.clone();
    }
    // What is looked for is no kind of thing.
    if deed.sorts.is_only(Sorts::LOOK) {
        return Vec::new();
    }
    let no_file = into.into_iter().filter(|word| stem(word) != "file");
    owned(no_file.collect())
}

fn kinds_of_files(analysis: &Analysis, capability: &Capability) -> FxHashSet<String> {
    let mut kinds = FxHashSet::default();
    for entity in &analysis.entities {
        let is_file = matches!(entity.kind, EntityKind::File | EntityKind::Path);
        if !is_file || !capability.text.contains(&entity.text) {
            continue;
        }
        if let Some((_, extension)) = entity.text.rsplit_once('.') {
            kinds.extend(stems(&without_literals(&entity.text)));
            kinds.insert(stem(&extension.to_lowercase()));
        }
    }
    kinds
}

/// What parameters are called that take the times, days and sums of a clause.
fn values(analysis: &Analysis, capability: &Capability) -> Vec<String> {
    let own = analysis
        .entities
        .iter()
        .filter(|entity| !entity.text.is_empty() && capability.text.contains(&entity.text));
    let called = own.filter_map(|entity| match entity.kind {
        EntityKind::Time => Some("time"),
        EntityKind::Date => Some("date"),
        EntityKind::Money => Some("amount"),
        EntityKind::Email => Some("to"),
        _ => None,
    });
    called.map(stem).collect()
}

/// What was asked for just before: "it" is about that.
fn before<'a>(analysis: &'a Analysis, capability: &Capability) -> Option<&'a Capability> {
    let capabilities = &analysis.capabilities;
    let at = capabilities.iter().position(|other| other == capability)?;
    capabilities.get(at.checked_sub(1)?)
}

/// Whether there is something to be worked out.
pub(super) fn has_sum(analysis: &Analysis, capability: &Capability) -> bool {
    analysis.entities.iter().any(|entity| {
        entity.label.as_deref() == Some("expression") && capability.text.contains(&entity.text)
    })
}

/// A text without what it quotes and calls by name.
fn without_quotes(analysis: &Analysis, text: &str) -> String {
    let mut text = text.to_owned();
    let quoted = |kind: EntityKind| kind == EntityKind::Quoted;
    for entity in analysis
        .entities
        .iter()
        .filter(|entity| quoted(entity.kind))
    {
        if !entity.text.is_empty() {
            text = text.replace(&entity.text, " ");
        }
    }
    text
}
