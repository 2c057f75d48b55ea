//! What is asked of a tool? What is to be done, to what, with which files and on which
//! service, ready to be compared with what a tool says of itself.

use holloway_plan::tool::Effect;
use holloway_search::index::Index;
use holloway_search::literals::without_literals;
use holloway_search::words::stem;
use rustc_hash::FxHashSet;

use super::signs::{halves, is_adder, is_cells, kinds_of_files, removes_files, says_adding};
use super::words::{without_quotes, without_values};
use crate::catalogue::ports::{Role, stems};
use crate::catalogue::{Catalogue, Place};
use crate::frame::{Action, Entity, Frame, Goal};
use crate::lexicon::sorts::{Sorts, sorts_of_words};
use crate::read::services::{services, speaks_of};
use crate::read::verbs::after_lead_in;

use super::heard::COMMON;
use super::says::{Says, kinds_of_tool, writes_files};
use super::verbs::{american, same};
use crate::lexicon::lists::List;

/// A tool that agrees less does not say that it does it.
const SAID: f32 = 0.6;
/// Nor does one that hardly speaks of the thing, or does another sort of thing.
const OBJECT_AT_LEAST: f32 = 0.35;
const OBJECT_ALONE: f32 = 0.65;
const VERB_AT_LEAST: f32 = 0.25;
const VERB_NAMED: f32 = 0.9;
const WORDS_AT_LEAST: usize = 2;
/// What counts when nothing can be said.
const UNKNOWN: f32 = 0.6;

/// Kinds of files that are no texts.
static BINARY: List = List::named("tools_asked.binary");
/// What is done to files as such.
static HANDLES: List = List::named("tools_asked.handles");
static PACKS: List = List::named("tools_asked.packs");
/// Verbs that put something into a file.
pub(super) static PUTS: List = List::named("tools_asked.puts");
/// What leads to where something goes.
static INTO: List = List::named("tools_asked.into");

/// What a sum is asked for with.
const SUM: &str = "calculate the expression";

/// What is asked for, ready to be compared.
pub(super) struct Asked {
    pub(super) deed: Action,
    services: Vec<String>,
    /// Words for the kinds of the files that the clause names.
    pub(super) kinds: FxHashSet<String>,
    /// The words for the thing, what it is last; empty when anything will do.
    pub(super) thing: Vec<String>,
    /// All words of the clause, as stems.
    pub(super) words: FxHashSet<String>,
    /// What the clause names.
    pub(super) named: Vec<Entity>,
    /// The words of the whole request.
    pub(super) elsewhere: FxHashSet<String>,
    /// Something is to be put into a file.
    wants_file: bool,
    /// Something is to be worked out.
    is_sum: bool,
    /// Cells of a sheet are named.
    pub(super) names_cells: bool,
    /// A name of two halves ("octocat/hello-world") stands here, or elsewhere in the request.
    pub(super) halves: f32,
}

impl Asked {
    pub(super) fn of(frame: &Frame, goal: &Goal, before: &str) -> Self {
        let entities = frame.entities.as_slice();
        let mut action = if goal.clause.is_given {
            goal.clause.action.clone()
        } else {
            let text = without_quotes(entities, after_lead_in(&goal.text));
            Action::of(&without_values(entities, &text))
        };
        let is_sum = action.object.is_empty() && has_sum(frame, goal);
        if is_sum {
            action = Action::of(SUM);
        }
        let kinds = match kinds_of_files(entities, &goal.text) {
            own if own.is_empty() && action.refers_back => kinds_of_files(entities, before),
            own => own,
        };
        // "it" is where the thing before it is.
        let services = match goal.clause.services.as_slice() {
            [] if action.refers_back => services(before),
            own => own.to_vec(),
        };
        let says_file = action.after(&INTO).any(|word| stem(word) == "file");
        let puts = PUTS.contains(&action.verb.as_str());
        let thing = match thing(&action) {
            // What "it" is: what was spoken of just before.
            own if own.is_empty() && action.refers_back && !puts => {
                Action::of(&without_values(entities, before)).object
            }
            own => own,
        };
        Self {
            services,
            words: stems(&without_literals(&goal.text)),
            named: frame.named_in(goal).map(|(_, own)| own.clone()).collect(),
            elsewhere: stems(&without_literals(&frame.text())),
            thing,
            wants_file: puts && (says_file || !kinds.is_empty()),
            names_cells: goal.text.split_whitespace().any(is_cells),
            halves: halves(frame, goal),
            kinds,
            is_sum,
            deed: action,
        }
    }

    /// Whether what all is seen of a tool may tell that it does it, although it does not say
    /// so: people tell more than they order, and name examples for kinds. An order that says
    /// plainly what becomes what, or goes into a file, is taken at its word.
    pub(super) fn is_loose(&self) -> bool {
        let converts = self.deed.sorts.is_only(Sorts::CONVERT);
        let plain = self.wants_file || self.is_sum || converts || self.handles_files();
        // Of few words any tool has some.
        !plain && self.words.len() >= WORDS_AT_LEAST
    }

    /// How far a tool says that it does this sort of thing to this thing, 0 to 1; nothing
    /// when it does not say so.
    pub(super) fn said_by(&self, catalogue: &Catalogue, says: &Says<'_>) -> Option<f32> {
        let verb = self.verb(says);
        let object = self.object(says, catalogue.index());
        let agreement = (0.4 * verb + 0.6 * object) * self.general(says);
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
        let is_said = agreement >= SAID && object >= least && verb >= verb_least;
        is_said.then_some(agreement)
    }

    /// What no likeness of words makes up for: a service that a tool has never heard of, and
    /// a file that it cannot be told.
    pub(super) fn allows(&self, catalogue: &Catalogue, says: &Says<'_>, place: Place) -> bool {
        let Some(ports) = catalogue.ports(place) else {
            return false;
        };
        let takes_file = ports.inputs.iter().any(|port| port.role == Role::File);
        let is_told = takes_file || !self.handles_files();
        let is_meant = says_adding(&self.words) || !(says.writes_file && is_adder(says.tool));
        let is_meant = is_meant && !(self.is_of_part() && removes_files(says.tool, ports));
        // What removes is only meant where the verb says so.
        let removes = says.sorts.is_only(Sorts::REMOVE) || says.tool.effect == Effect::Destructive;
        let is_meant =
            is_meant && (!removes || self.deed.sorts.meets(Sorts::REMOVE) || self.is_called(says));
        // What is to be sent is not sent by a tool that does something else.
        let others = !says.sorts.is_empty() && !says.sorts.meets(Sorts::SEND);
        let sends = self.deed.sorts.is_only(Sorts::SEND) && others && !self.is_called(says);
        self.is_of_service(says) && is_told && is_meant && !sends && self.is_heard_of(says)
    }

    /// Whether only a part of a file is to go.
    fn is_of_part(&self) -> bool {
        static PARTS: List = List::named("tools_asked.parts");
        let mut object = self.deed.object.iter();
        object.any(|word| PARTS.iter().any(|part| stem(part) == stem(word)))
    }

    /// Whether something is done to a file as such, whatever stands in it.
    fn handles_files(&self) -> bool {
        let of_file = self.deed.object.is_empty() && !self.kinds.is_empty();
        HANDLES.contains(&self.deed.verb.as_str()) && of_file
            || PACKS.contains(&self.deed.verb.as_str())
    }

    /// Whether all that is said is what to do with something that is named or came before.
    pub(super) fn is_only_verb(&self) -> bool {
        self.thing.is_empty() && !self.deed.light && !self.wants_file
    }

    /// Tools that put something into a file, where that is asked: a search for the words
    /// of what goes there does not find them.
    pub(super) fn writers(&self, catalogue: &Catalogue) -> Vec<Place> {
        const AT_MOST: usize = 4;
        if !self.wants_file || !self.thing.is_empty() {
            return Vec::new();
        }
        let places = catalogue.tools().map(|(place, _)| place);
        let writers = places.filter(|place| writes_files(catalogue, *place));
        writers.take(AT_MOST).collect()
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
        // "play Despacito": what is done says more than what it is done to.
        let thing = if self.has_own_verb(says) {
            thing.max(UNKNOWN)
        } else {
            thing
        };
        thing * self.of_kind(says)
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

    /// Where no thing is named, what is done has to be what is meant.
    pub(super) fn without_thing(&self, says: &Says<'_>) -> f32 {
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
    pub(super) fn of_kind(&self, says: &Says<'_>) -> f32 {
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

    fn is_of_service(&self, says: &Says<'_>) -> bool {
        let mut services = self.services.iter();
        services.all(|service| speaks_of(&says.whole, service))
    }
}

/// What the deed is about: its object, or where it goes when that says more.
fn thing(deed: &Action) -> Vec<String> {
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

/// Whether there is something to be worked out.
pub(super) fn has_sum(frame: &Frame, goal: &Goal) -> bool {
    let mut named = frame.named_in(goal);
    named.any(|(_, entity)| entity.label.as_deref() == Some("expression"))
}
