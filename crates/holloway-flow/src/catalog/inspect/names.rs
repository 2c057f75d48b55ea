//! Does a tool pose as another? The same plain name at two sources is normal, ids
//! keep them apart; a name that only looks the same, or claims to be ours, is not.

use std::collections::{BTreeMap, BTreeSet};

use holloway_plan::tool::ToolId;

use super::lookalike::{folded, glance, is_twin};
use super::{Findings, Suspicion, visible};
use crate::catalog::offer::Offer;

/// The names of all tools around.
pub(super) struct Names {
    /// How names of other sources look at a glance.
    glances: BTreeMap<String, Vec<ToolId>>,
    others: BTreeSet<String>,
    other_sources: BTreeSet<String>,
    own: BTreeSet<String>,
}

impl Names {
    pub(super) fn new<'a>(others: &[ToolId], own: impl IntoIterator<Item = &'a ToolId>) -> Self {
        let mut glances: BTreeMap<String, Vec<ToolId>> = BTreeMap::new();
        for id in others {
            glances
                .entry(glance(id.name()))
                .or_default()
                .push(id.clone());
        }
        let lower = |id: &ToolId| id.name().to_lowercase();
        Self {
            glances,
            others: others.iter().map(lower).collect(),
            other_sources: others.iter().map(|id| id.source().to_owned()).collect(),
            own: own.into_iter().map(lower).collect(),
        }
    }

    /// Is it the name of a tool of another source, and of none of this one?
    pub(super) fn is_foreign(&self, name: &str) -> bool {
        self.others.contains(name) && !self.own.contains(name)
    }

    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }
}

pub(super) fn look(offer: &Offer, names: &Names, findings: &mut Findings) {
    let name = offer.id.name();
    let trouble = posing(name, names)
        .or_else(|| disguised(name))
        .or_else(|| confused(name, names));
    if let Some(trouble) = trouble {
        findings.add(Suspicion::ShadowedName, "", trouble);
    }
}

/// Claims to be Holloway's own, or of another source.
fn posing(name: &str, names: &Names) -> Option<String> {
    let plain: String = name
        .chars()
        .map(folded)
        .filter(|c| c.is_alphanumeric())
        .collect();
    let shown = visible::shortened(name, 80);
    if plain.starts_with("builtin") || plain.starts_with("holloway") {
        return Some(format!("`{shown}` poses as one of Holloway's own"));
    }
    let (source, _) = name.split_once('/')?;
    names
        .other_sources
        .contains(source)
        .then(|| format!("`{shown}` poses as a tool of `{source}`"))
}

/// Latin mixed with letters that look Latin, or nothing but such letters.
fn disguised(name: &str) -> Option<String> {
    let has_twin = name.chars().any(is_twin);
    let reads_latin = name.chars().map(folded).all(|c| c.is_ascii());
    let has_latin = name.chars().any(|c| c.is_ascii_alphabetic());
    let unseen = name.chars().any(visible::is_invisible);
    (unseen || (has_twin && (reads_latin || has_latin))).then(|| {
        let named = |c: char| match c {
            c if c.is_ascii() => visible::all([&c]),
            c if visible::is_invisible(c) => visible::code_point(c),
            c => format!("{c}{}", visible::code_point(c)),
        };
        let spelled: String = name.chars().take(80).map(named).collect();
        format!("letters that pass for others: {spelled}")
    })
}

/// Easily taken for a name of another source without being it.
fn confused(name: &str, names: &Names) -> Option<String> {
    let twins = names.glances.get(&glance(name))?;
    let twin = twins.iter().find(|id| {
        let other = id.name();
        let differs = letters(name) != letters(other);
        name != other && (differs || !is_tidy(name) && is_tidy(other))
    })?;
    Some(format!(
        "`{}` is easily taken for `{twin}`",
        visible::shortened(name, 80)
    ))
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Written in one of the usual ways: `read_file`, `read-file`, `readFile`, `READ_FILE`.
fn is_tidy(name: &str) -> bool {
    let separators: BTreeSet<char> = name.chars().filter(|c| !c.is_alphanumeric()).collect();
    let parts: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let one_case = |part: &str| {
        let rest = || part.chars().skip(1);
        rest().all(|c| !c.is_uppercase()) || part.chars().all(|c| !c.is_lowercase())
    };
    let usual = |part: &&str| !part.is_empty() && (one_case(part) || parts.len() == 1);
    separators.len() <= 1 && parts.iter().all(usual) && !alternates(name)
}

/// Capitals and small letters in turn: `rEaD`.
fn alternates(name: &str) -> bool {
    let capitals: Vec<bool> = name.chars().map(char::is_uppercase).collect();
    let mut windows = capitals.windows(4);
    windows.any(|four| matches!(four, [a, b, c, d] if a != b && b != c && c != d))
}
