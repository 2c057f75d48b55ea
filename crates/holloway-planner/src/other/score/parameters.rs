//! What can a tool be told? How much of what is said and named its parameters take, and what
//! they need beside it.

use holloway_search::words::stem;

use super::seen::yes;
use crate::catalogue::Catalogue;
use crate::catalogue::ports::{Port, Ports, Role};
use crate::catalogue::shape::Kind;
use crate::frame::{Entity, EntityKind};
use crate::lexicon::lists::List;
use crate::other::{asked::Asked, says::Says};

/// How much of what was said, beside the name, a tool can be told, or speaks of where it
/// says what it can be told.
pub(super) fn told(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> [f32; 2] {
    let words = asked.words.iter().filter(|word| !says.name.contains(word));
    let (mut all, mut told, mut explained) = (0.0, 0.0, 0.0);
    for word in words {
        let rarity = catalogue.rarity(word);
        all += rarity;
        if says.can_be_told(word) {
            told += rarity;
        } else if says.explains(word) {
            explained += rarity;
        }
    }
    [told, explained].map(|sum| sum / f32::max(all, 1e-6))
}

/// Words in names of parameters that say nothing about what they are.
static PLAIN: List = List::named("score_parameters.plain");

/// How many of the parameters that are needed the request calls by name.
pub(super) fn needed_by_name(asked: &Asked, ports: &Ports) -> f32 {
    let needed: Vec<&Port> = ports.needed().collect();
    let is_said = |port: &&&Port| {
        let mut telling = port.terms.iter();
        telling.any(|term| !PLAIN.contains(&term.as_str()) && asked.words.contains(term))
    };
    let said = needed.iter().filter(is_said).count();
    said as f32 / needed.len().max(1) as f32
}

/// Where cells are named ("A1:C20"), whether a tool takes cells.
pub(super) fn cells(asked: &Asked, ports: &Ports) -> [f32; 2] {
    static CALLED: List = List::named("score_parameters.called");
    if !asked.names_cells {
        return [0.0; 2];
    }
    let is_one = |term: &String| CALLED.iter().any(|word| stem(word) == *term);
    let takes = ports
        .inputs
        .iter()
        .any(|port| port.terms.iter().any(is_one));
    [yes(takes), yes(!takes)]
}

/// Whether a tool takes the two halves of "octocat/hello-world".
pub(super) fn takes_halves(ports: &Ports) -> bool {
    static OWNER: List = List::named("score_parameters.owner");
    static REPOSITORY: List = List::named("score_parameters.repository");
    let has = |words: &[&str]| {
        let mut names = ports.inputs.iter().map(|port| port.name.to_lowercase());
        names.any(|name| words.contains(&name.as_str()))
    };
    has(&OWNER) && has(&REPOSITORY)
}

/// How many of the values that are named the parameters take, how many are left, and how
/// many needed parameters go without.
pub(super) fn values(named: &[Entity], ports: &Ports) -> [f32; 3] {
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
    static FILES: List = List::named("score_parameters.files");
    static MAIL: List = List::named("score_parameters.mail");
    static DATES: List = List::named("score_parameters.dates");
    static TIMES: List = List::named("score_parameters.times");
    let called = |words: &[&str]| {
        let is_one = |term: &String| words.iter().any(|word| stem(word) == *term);
        port.terms.iter().any(is_one)
    };
    let place = matches!(port.role, Role::Address | Role::File);
    let textual = matches!(port.kind, Kind::Text | Kind::Any | Kind::List);
    match value.kind {
        EntityKind::Url => port.role == Role::Address,
        EntityKind::File | EntityKind::Path => port.role == Role::File || called(&FILES),
        EntityKind::Email => called(&MAIL),
        EntityKind::Number | EntityKind::Quantity | EntityKind::Money => {
            matches!(port.kind, Kind::Number | Kind::Integer)
        }
        EntityKind::Date => called(&DATES),
        EntityKind::Time => called(&TIMES),
        EntityKind::Quoted | EntityKind::Name | EntityKind::Code => textual && !place,
    }
}
