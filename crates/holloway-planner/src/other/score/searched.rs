//! What does the search say of the tools beside a part of a request? How near they are to the
//! part and to the whole request, and which servers do what was asked just before.

use holloway_search::literals::without_literals;
use rustc_hash::FxHashMap;

use super::unsaid::unsaid;
use crate::catalogue::{Catalogue, Place};
use crate::frame::{EntityKind, Frame, Goal};
use crate::lexicon::lists::Pairs;
use crate::other::choose::asked;
use crate::other::says::Says;

/// How many tools are looked at by each way of searching.
const LOOKED_AT: usize = 40;
/// What the search says of all tools.
pub(super) struct Searched<'a> {
    pub(super) whole: &'a [f32],
    pub(super) part: Vec<f32>,
    pub(super) bare: Vec<f32>,
    pub(super) words: Vec<f32>,
    pub(super) meaning: Vec<f32>,
    /// The request has other parts.
    pub(super) several: bool,
    pub(super) kin: &'a Kin,
}

/// How near the tools are to a request as a whole.
pub(in crate::other) struct Whole(Vec<f32>);

impl Whole {
    pub(in crate::other) fn of(catalogue: &Catalogue, frame: &Frame) -> Self {
        let index = catalogue.index();
        let query = index.read(&plain(frame, &frame.text()));
        Self(index.scores(&query).fused)
    }
}

impl<'a> Searched<'a> {
    pub(super) fn of(
        catalogue: &Catalogue,
        frame: &Frame,
        goal: &Goal,
        (whole, kin): (&'a Whole, &'a Kin),
    ) -> Self {
        let index = catalogue.index();
        let scores = |text: &str| index.scores(&index.read(text));
        let own = scores(&plain(frame, &goal.text));
        let mut words = own.parts.words;
        let most = words.iter().copied().fold(1e-6, f32::max);
        for word in &mut words {
            *word /= most;
        }
        Self {
            whole: &whole.0,
            part: own.fused,
            bare: scores(&asked(frame, goal)).fused,
            words,
            meaning: own.parts.meaning,
            several: frame.goals.len() > 1,
            kin,
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
}

/// How likely each server does what was asked just before: its tools know what was done.
#[derive(Debug, Default)]
pub(in crate::other) struct Kin(FxHashMap<String, f32>);

impl Kin {
    /// By how much each tool was meant; only differences count.
    pub(in crate::other) fn of(
        catalogue: &Catalogue,
        meant: impl Iterator<Item = (Place, f32)> + Clone,
    ) -> Self {
        let most = meant.clone().map(|tool| tool.1).fold(f32::MIN, f32::max);
        let mut sums: FxHashMap<String, f32> = FxHashMap::default();
        let mut all = 0.0;
        for (place, meant) in meant {
            let chance = (meant - most).exp();
            let source = catalogue.tool(place).map(|tool| tool.id.source());
            *sums
                .entry(source.unwrap_or_default().to_owned())
                .or_default() += chance;
            all += chance;
        }
        for sum in sums.values_mut() {
            *sum /= all;
        }
        Self(sums)
    }

    pub(in crate::other) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn of_tool(&self, says: &Says<'_>) -> f32 {
        self.0
            .get(says.tool.id.source())
            .copied()
            .unwrap_or_default()
    }
}

/// What people write short, and how tools write it.
static SHORT: Pairs = Pairs::named("score_searched.short");

/// A text with what is written short also written out.
fn written_out(text: &str) -> String {
    let mut out = text.to_owned();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let lower = word.to_lowercase();
        if let Some(long) = SHORT.of(&lower) {
            out.push(' ');
            out.push_str(long);
        }
    }
    out
}

/// What a text asks, in words that tools may have: names of files and addresses say nothing
/// about what is to be done with them but for their kind, nor does what is quoted, and what
/// stands after a colon is what it is done with.
fn plain(frame: &Frame, text: &str) -> String {
    let mut plain = text.to_owned();
    for entity in frame
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
    let said = written_out(before_colon(&plain));
    match unsaid(frame, text) {
        more if more.is_empty() => said,
        more => format!("{said} {more}"),
    }
}

fn kind_of_file(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((_, kind)) if !kind.is_empty() => match without_literals(name) {
            said if said != name => said,
            _ => format!("{kind} file"),
        },
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
