//! What can be seen of a tool beside a part of a request? How near the search finds it, whether
//! it is called after what is to be done and to what, and whether it takes what is named.

use holloway_search::words::{spaced, stem};
use rustc_hash::FxHashSet;

use crate::bind::shape::Kind;
use crate::catalogue::ports::{Port, Ports, Role};
use crate::catalogue::{Catalogue, Place};
use crate::generate::does::{Asked, Says, same, spoken};
use crate::generate::fitting::asked;
use crate::request::deed::Sorts;
use crate::request::{Analysis, Capability, Entity, EntityKind};

/// What is seen, by name, in the order of [`Seen`].
pub const SEEN: [&str; 30] = [
    "near the request",
    "near the request of several parts",
    "near the part",
    "near the part without what it names",
    "words of the part",
    "meaning of the part",
    "verb in name",
    "like verb in name",
    "spoken verb in name",
    "verb at the beginning",
    "sorts meet",
    "sorts differ",
    "removes otherwise",
    "no verb on either side",
    "head of the thing",
    "rest of the thing",
    "no thing, verb fits",
    "for the kind of file",
    "for another kind",
    "for no kind",
    "unsaid in name",
    "said by name",
    "said by all",
    "all of the name said",
    "values taken",
    "values left",
    "needed and not there",
    "meaning of the thing",
    "source said",
    "says that it does it",
];
pub type Seen = [f32; SEEN.len()];

/// How far the tool says by itself that it does it: the last of what is seen.
pub(super) fn said_by(seen: &Seen) -> f32 {
    let [.., said] = seen;
    *said
}

/// How many tools are looked at by each way of searching.
const LOOKED_AT: usize = 40;
/// The scores of a search are in units of their spread; the others here are about one.
const SPREAD: f32 = 0.2;

/// What the search says of all tools.
pub(super) struct Searched<'a> {
    whole: &'a [f32],
    part: Vec<f32>,
    bare: Vec<f32>,
    words: Vec<f32>,
    meaning: Vec<f32>,
    /// The request has other parts.
    several: bool,
}

/// How near the tools are to a request as a whole.
pub(in crate::generate) struct Whole(Vec<f32>);

impl Whole {
    pub(in crate::generate) fn of(catalogue: &Catalogue, analysis: &Analysis) -> Self {
        let index = catalogue.index();
        let query = index.read(&plain(analysis, &analysis.request));
        Self(index.scores(&query).fused)
    }
}

impl<'a> Searched<'a> {
    pub(super) fn of(
        catalogue: &Catalogue,
        analysis: &Analysis,
        part: &Capability,
        whole: &'a Whole,
    ) -> Self {
        let index = catalogue.index();
        let scores = |text: &str| index.scores(&index.read(text));
        let own = scores(&plain(analysis, &part.text));
        let mut words = own.parts.words;
        let most = words.iter().copied().fold(1e-6, f32::max);
        for word in &mut words {
            *word /= most;
        }
        Self {
            whole: &whole.0,
            part: own.fused,
            bare: scores(&asked(analysis, part)).fused,
            words,
            meaning: own.parts.meaning,
            several: analysis.capabilities.len() > 1,
        }
    }

    /// The tools worth a look.
    pub(super) fn candidates(&self) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for scores in [self.whole, &self.part, &self.bare] {
            let mut order: Vec<Place> = (0..scores.len()).collect();
            let score = |place: &Place| scores.get(*place).copied().unwrap_or(f32::MIN);
            order.sort_by(|one, other| score(other).total_cmp(&score(one)));
            places.extend(order.into_iter().take(LOOKED_AT));
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    pub(super) fn seen(
        &self,
        asked: &Asked,
        catalogue: &Catalogue,
        says: &Says<'_>,
        place: Place,
    ) -> Option<Seen> {
        let ports = catalogue.ports(place)?;
        let at = |scores: &[f32]| scores.get(place).copied().unwrap_or_default();
        let [in_name, like, spoken, begins] = verb(asked, says);
        let [meet, differ, removes, none] = sorts(asked, says);
        let [head, rest] = thing(asked, says, catalogue);
        let [of_kind, other_kind, no_kind] = kind(asked, says);
        let [unsaid, by_name, by_all, exactly] = said(asked, says, catalogue);
        let [taken, left, open] = values(&asked.named, ports);
        let no_thing = yes(asked.thing.is_empty()) * asked.without_thing(says);
        Some([
            SPREAD * at(self.whole) * yes(!self.several),
            SPREAD * at(self.whole) * yes(self.several),
            SPREAD * at(&self.part),
            SPREAD * at(&self.bare),
            at(&self.words),
            at(&self.meaning),
            in_name,
            like,
            spoken,
            begins,
            meet,
            differ,
            removes,
            none,
            head,
            rest,
            no_thing,
            of_kind,
            other_kind,
            no_kind,
            unsaid,
            by_name,
            by_all,
            exactly,
            taken,
            left,
            open,
            likeness(asked, says, catalogue),
            source_said(asked, says, catalogue),
            asked.said_by(catalogue, says).unwrap_or_default(),
        ])
    }
}

/// What people write short, and how tools write it.
const SHORT: [(&str, &str); 10] = [
    ("pr", "pull request"),
    ("prs", "pull requests"),
    ("repo", "repository"),
    ("repos", "repositories"),
    ("db", "database"),
    ("docs", "documents"),
    ("dir", "directory"),
    ("folder", "directory"),
    ("pics", "images"),
    ("sqrt", "square root"),
];

/// A text with what is written short also written out.
fn written_out(text: &str) -> String {
    let mut out = text.to_owned();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let lower = word.to_lowercase();
        if let Some((_, long)) = SHORT.iter().find(|(short, _)| *short == lower) {
            out.push(' ');
            out.push_str(long);
        }
    }
    out
}

/// What a text asks, in words that tools may have: names of files and addresses say nothing
/// about what is to be done with them but for their kind, nor does what is quoted, and what
/// stands after a colon is what it is done with.
fn plain(analysis: &Analysis, text: &str) -> String {
    let mut plain = text.to_owned();
    for entity in analysis
        .entities
        .iter()
        .filter(|entity| !entity.text.is_empty())
    {
        let kind = match entity.kind {
            EntityKind::Url => "url".to_owned(),
            EntityKind::Email => "email address".to_owned(),
            EntityKind::Path | EntityKind::File => kind_of_file(&entity.text),
            EntityKind::Quoted => String::new(),
            _ => continue,
        };
        plain = plain.replace(&entity.text, &kind);
    }
    written_out(before_colon(&plain))
}

fn kind_of_file(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((_, kind)) if !kind.is_empty() => format!("{kind} file"),
        _ if path.starts_with(['/', '~', '.']) => "directory".to_owned(),
        // "octocat/hello-world"
        _ => path.to_owned(),
    }
}

/// What stands before a colon, where that says something.
fn before_colon(text: &str) -> &str {
    const WORDS_AT_LEAST: usize = 2;
    let before = text.split_once(": ").map_or(text, |(before, _)| before);
    if before.split_whitespace().count() >= WORDS_AT_LEAST {
        before
    } else {
        text
    }
}

/// Words for tools that only make ready for others.
const READIES: [&str; 8] = [
    "load", "open", "connect", "login", "init", "start", "close", "test",
];

/// Whether a tool only makes ready, and that is not what is asked.
pub(super) fn only_readies(asked: &Asked, says: &Says<'_>) -> bool {
    let own = |word: &str| READIES.iter().any(|ready| stem(ready) == word);
    let first = says.name.iter().find(|word| !says.source.contains(word));
    let readies = first.is_some_and(|word| own(word));
    readies && !own(&stem(&asked.deed.verb))
}

fn yes(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Whether a tool is called after what is to be done, or after nearly the same, or begins
/// its description with it.
fn verb(asked: &Asked, says: &Says<'_>) -> [f32; 4] {
    let verb = asked.deed.verb.as_str();
    let firm = !asked.deed.light;
    let is_called = |word: &str| says.name.contains(&stem(word));
    let named = firm && is_called(verb);
    let like = firm && !named && same(verb).any(is_called);
    let spoken = !named && !like && spoken(verb).iter().any(|word| is_called(word));
    let begins = firm && !named && !like && says.begins.contains(&stem(verb));
    [yes(named), yes(like), yes(spoken), yes(begins)]
}

/// Whether both are about the same sort of deed.
fn sorts(asked: &Asked, says: &Says<'_>) -> [f32; 4] {
    let (deed, own) = (asked.deed.sorts, says.sorts);
    let known = !deed.is_empty() && !own.is_empty();
    let removes = |sorts: Sorts| sorts.is_only(Sorts::REMOVE);
    [
        yes(deed.meets(own)),
        yes(known && !deed.meets(own)),
        yes(removes(own) != removes(deed)),
        yes(asked.deed.light && own.is_empty()),
    ]
}

/// How surely a tool speaks of the thing, and of what is said about it.
fn thing(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> [f32; 2] {
    let index = catalogue.index();
    let Some((head, others)) = asked.thing.split_last() else {
        return [0.0; 2];
    };
    let head = says.covers(head, index);
    let all: f32 = others.iter().map(|word| says.covers(word, index)).sum();
    let mean = all / others.len().max(1) as f32;
    [head, if others.is_empty() { head } else { mean }]
}

fn kind(asked: &Asked, says: &Says<'_>) -> [f32; 3] {
    let fits = asked.of_kind(says);
    [
        yes(fits > 1.0),
        yes(fits < 0.5),
        yes((0.5..1.0).contains(&fits)),
    ]
}

/// How much of the name nobody said, and how much of what was said the name and the whole
/// text of the tool have; words that few tools speak of tell more.
fn said(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> [f32; 4] {
    let named: FxHashSet<&String> = says.name.iter().collect();
    let own = named.iter().filter(|word| !says.source.contains(**word));
    let own: Vec<&&String> = own.collect();
    let unsaid = own
        .iter()
        .filter(|word| word.len() > 2 && !asked.words.contains(word.as_str()))
        .count();
    let rarity = |word: &String| catalogue.rarity(word);
    let all: f32 = asked.words.iter().map(rarity).sum();
    let share = |words: f32| words / all.max(1e-6);
    let by_name = asked.words.iter().filter(|word| named.contains(word));
    let by_all = asked.words.iter().filter(|word| says.has(word));
    [
        unsaid as f32 / own.len().max(1) as f32,
        share(by_name.map(rarity).sum()),
        share(by_all.map(rarity).sum()),
        yes(unsaid == 0 && !own.is_empty()),
    ]
}

fn likeness(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> f32 {
    if asked.thing.is_empty() {
        return 0.0;
    }
    let table = catalogue.index().table();
    let thing = table.meaning(&asked.thing.join(" "));
    let name = table.meaning(&spaced(says.tool.id.name()));
    let products = thing.iter().zip(&name).map(|(one, other)| one * other);
    products.sum()
}

/// Whether the request speaks of the server or package that a tool comes from.
fn source_said(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> f32 {
    const PLAINLY: f32 = 4.0;
    let said = says.source.iter();
    let said = said.filter(|word| word.len() > 2 && asked.elsewhere.contains(*word));
    let most = said.map(|word| catalogue.rarity(word)).fold(0.0, f32::max);
    most.min(PLAINLY) / PLAINLY
}

/// How many of the values that are named the parameters take, how many are left, and how
/// many needed parameters go without.
fn values(named: &[Entity], ports: &Ports) -> [f32; 3] {
    const AT_MOST: usize = 3;
    let mut free: Vec<&Port> = ports.inputs.iter().collect();
    let (mut taken, mut left) = (0, 0);
    for value in named {
        match free.iter().position(|port| takes(port, value)) {
            Some(at) => {
                free.remove(at);
                taken += 1;
            }
            None => left += 1,
        }
    }
    let open = free.iter().filter(|port| port.required).count();
    [
        taken.min(AT_MOST) as f32,
        left.min(AT_MOST) as f32,
        (1.0 + open as f32).ln(),
    ]
}

/// Whether a parameter may be meant by what is named.
fn takes(port: &Port, value: &Entity) -> bool {
    let called = |words: &[&str]| {
        let is_one = |term: &String| words.iter().any(|word| stem(word) == *term);
        port.terms.iter().any(is_one)
    };
    let place = matches!(port.role, Role::Address | Role::File);
    let textual = matches!(port.kind, Kind::Text | Kind::Any | Kind::List);
    match value.kind {
        EntityKind::Url => port.role == Role::Address,
        EntityKind::File | EntityKind::Path => {
            port.role == Role::File || called(&["file", "path", "source", "document", "repository"])
        }
        EntityKind::Email => called(&["email", "mail", "to", "recipient"]),
        EntityKind::Number | EntityKind::Quantity | EntityKind::Money => {
            matches!(port.kind, Kind::Number | Kind::Integer)
        }
        EntityKind::Date => called(&["date", "day", "start", "end", "since", "until", "time"]),
        EntityKind::Time => called(&["time", "hour", "start", "end"]),
        EntityKind::Quoted | EntityKind::Name | EntityKind::Code => textual && !place,
    }
}
