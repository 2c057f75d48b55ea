//! Does the result of one tool serve as the argument of another? Whole, in part, item by
//! item, or gathered from several results; by kinds and fields first, then by names.

use std::cell::Cell;

use super::ports::terms;
use super::shape::{Kind, Shape};

/// How deep fields of a result are looked at, and how many of them.
const DEEP: usize = 2;
/// How deep two schemas are compared.
const AGREED: usize = 3;
const PLACES_AT_MOST: usize = 64;
/// How many pairs of schemas are compared for one answer.
const PAIRS_AT_MOST: u32 = 20_000;
/// Below this a fit is left unsaid.
const WORTH_SAYING: f32 = 0.2;

/// How a result serves as an argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Fit {
    #[default]
    None,
    /// The whole result.
    Exact { score: f32 },
    /// A field of it: `report.title`.
    Part { path: String, score: f32 },
    /// One item of a list at a time: `urls[]`, or a field of each: `entries[].url`.
    EachItem { path: String, score: f32 },
    /// A field of every item, taken together as a list: `entries[].url`.
    Collect { path: String, score: f32 },
    /// The argument is a list, and what this path names is one item of it; all of the
    /// result when the path is empty.
    Gather { path: String, score: f32 },
}

impl Fit {
    /// 0 to 1.
    pub fn score(&self) -> f32 {
        match self {
            Self::None => 0.0,
            Self::Exact { score }
            | Self::Part { score, .. }
            | Self::EachItem { score, .. }
            | Self::Collect { score, .. }
            | Self::Gather { score, .. } => *score,
        }
    }

    /// The way from the result to the argument; empty for the whole.
    pub fn path(&self) -> &str {
        match self {
            Self::None | Self::Exact { .. } => "",
            Self::Part { path, .. }
            | Self::EachItem { path, .. }
            | Self::Collect { path, .. }
            | Self::Gather { path, .. } => path,
        }
    }
}

/// A place inside a result.
#[derive(Debug)]
pub struct ResultPlace<'a> {
    pub path: String,
    pub shape: Shape<'a>,
    /// The words of its own name, and with those of what it belongs to before them.
    pub terms: Vec<String>,
    owned: Vec<String>,
    /// It lies inside the items of a list.
    each: bool,
    deep: usize,
}

impl<'a> ResultPlace<'a> {
    fn new(path: String, shape: Shape<'a>, each: bool, deep: usize) -> Self {
        let (terms, owned) = names(&path);
        Self {
            path,
            shape,
            terms,
            owned,
            each,
            deep,
        }
    }

    /// How far its name and that of a parameter mean the same, 0 to 1.
    pub fn agrees(&self, wanted: &[String]) -> f32 {
        terms_agree(&self.terms, &self.owned, wanted, self.each)
    }

    /// Every way from here to a parameter that is worth saying.
    /// Without words of a name, kinds alone decide.
    pub fn fits(&self, terms: &[String], wanted: Shape<'_>) -> Vec<Fit> {
        let mut fits = Vec::new();
        let path = || self.path.clone();
        let named = match terms {
            [] => 0.5,
            terms => self.agrees(terms),
        };
        // The deeper a place, the less likely it is meant.
        let near = 1.0 - 0.05 * self.deep as f32;
        let weigh = |kinds: f32, share: f32| share * near * kinds * (0.45 + 0.55 * named);
        if let Some(kinds) = agreement(self.shape, wanted, AGREED) {
            let score = weigh(kinds, 1.0);
            fits.push(match (self.each, self.path.is_empty()) {
                (true, _) => Fit::EachItem {
                    path: path(),
                    score: weigh(kinds, 0.9),
                },
                (false, true) => Fit::Exact { score },
                (false, false) => Fit::Part {
                    path: path(),
                    score,
                },
            });
        }
        if let Some(Some(item)) = wanted.list_items()
            && let Some(kinds) = agreement(self.shape, item, AGREED)
        {
            fits.push(match self.each {
                true if self.path.ends_with("[]") => Fit::None,
                true => Fit::Collect {
                    path: path(),
                    score: weigh(kinds, 0.85),
                },
                false => Fit::Gather {
                    path: path(),
                    score: weigh(kinds, 0.8),
                },
            });
        }
        fits.retain(|fit| fit.score() >= WORTH_SAYING);
        fits
    }
}

/// All places of a result, the nearer ones first.
pub fn places(output: Shape<'_>) -> Vec<ResultPlace<'_>> {
    let mut places = vec![ResultPlace::new(String::new(), output, false, 0)];
    let mut next = 0;
    while next < places.len() && places.len() < PLACES_AT_MOST {
        let inner = places.get(next).map(inner).unwrap_or_default();
        places.extend(inner);
        next += 1;
    }
    places.truncate(PLACES_AT_MOST);
    places
}

fn inner<'a>(place: &ResultPlace<'a>) -> Vec<ResultPlace<'a>> {
    let mut inner = Vec::new();
    if place.deep >= DEEP {
        return inner;
    }
    for form in place.shape.forms() {
        for (name, shape) in form.fields() {
            let path = match place.path.as_str() {
                "" => name.to_owned(),
                path => format!("{path}.{name}"),
            };
            inner.push(ResultPlace::new(path, shape, place.each, place.deep + 1));
        }
        // Lists inside lists would need a loop inside a loop.
        if let (false, Some(shape)) = (place.each, form.items()) {
            let path = format!("{}[]", place.path);
            inner.push(ResultPlace::new(path, shape, true, place.deep));
        }
    }
    inner
}

/// How well a value of one schema satisfies another, 0 to 1; nothing when it cannot.
pub fn agreement(output: Shape<'_>, input: Shape<'_>, deep: usize) -> Option<f32> {
    let fuel = Cell::new(PAIRS_AT_MOST);
    let found = shapes_agree(output, input, deep, &fuel);
    // What was not looked at to its end is no fit.
    found.filter(|_| fuel.get() > 0)
}

fn shapes_agree(output: Shape<'_>, input: Shape<'_>, deep: usize, fuel: &Cell<u32>) -> Option<f32> {
    let mut best: Option<f32> = None;
    for from in output.forms() {
        for to in input.forms() {
            for own in from.kinds() {
                for wanted in to.kinds() {
                    burn(fuel, 1)?;
                    let found = forms_agree((from, own), (to, wanted), deep, fuel);
                    best = match (best, found) {
                        (Some(best), Some(found)) => Some(best.max(found)),
                        (best, found) => best.or(found),
                    };
                }
            }
        }
    }
    best
}

/// Nothing once too much was looked at.
fn burn(fuel: &Cell<u32>, count: usize) -> Option<()> {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    fuel.set(fuel.get().saturating_sub(count));
    (fuel.get() > 0).then_some(())
}

fn forms_agree(
    from: (Shape<'_>, Kind),
    to: (Shape<'_>, Kind),
    deep: usize,
    fuel: &Cell<u32>,
) -> Option<f32> {
    match (from.1, to.1) {
        (Kind::Any, Kind::Any) => Some(0.5),
        (_, Kind::Any) => Some(0.6),
        (Kind::Any, _) => Some(0.4),
        (Kind::Object, Kind::Object) => objects_agree(from.0, to.0, deep, fuel),
        (Kind::List, Kind::List) => match (from.0.items(), to.0.items()) {
            (Some(own), Some(wanted)) if deep > 0 => shapes_agree(own, wanted, deep - 1, fuel),
            (None, Some(_)) => Some(0.5),
            _ => Some(0.8),
        },
        (Kind::Integer, Kind::Number) => Some(0.95),
        (own, wanted) if own == wanted => values_agree(from.0, to.0),
        _ => None,
    }
}

fn objects_agree(from: Shape<'_>, to: Shape<'_>, deep: usize, fuel: &Cell<u32>) -> Option<f32> {
    let is_open = from.fields().next().is_none();
    let (mut sum, mut count) = (0.0, 0.0);
    for name in to.required() {
        burn(fuel, 1)?;
        count += 1.0;
        match (from.field(name), to.field(name)) {
            (Some(own), Some(wanted)) if deep > 0 => {
                sum += shapes_agree(own, wanted, deep - 1, fuel)?;
            }
            (Some(_), _) => sum += 1.0,
            (None, _) if is_open => sum += 0.4,
            (None, _) => return None,
        }
    }
    if count > 0.0 {
        return Some(sum / count);
    }
    // Nothing is required: the more fields they share, the better.
    let shared = to.fields().filter(|(name, _)| from.field(name).is_some());
    let fields = to.fields().count();
    burn(fuel, fields)?;
    Some(match fields {
        0 => 0.7,
        _ => 0.4 + 0.5 * shared.count() as f32 / fields as f32,
    })
}

/// Two texts or two numbers: formats and listed values may still speak against it.
fn values_agree(from: Shape<'_>, to: Shape<'_>) -> Option<f32> {
    let (own, wanted) = (from.choices(), to.choices());
    if !wanted.is_empty() {
        let all = !own.is_empty() && own.iter().all(|value| wanted.contains(value));
        return match (all, own.is_empty()) {
            (true, _) => Some(1.0),
            (false, true) => Some(0.25),
            (false, false) => None,
        };
    }
    match (from.text("format"), to.text("format")) {
        (own, wanted) if own == wanted => Some(1.0),
        (_, "") => Some(0.95),
        ("", _) => Some(0.8),
        _ => None,
    }
}

/// How far the end of a path and a name mean the same, 0 to 1. Without a name, half.
pub fn names_agree(path: &str, name: &str) -> f32 {
    if name.is_empty() {
        return 0.5;
    }
    let (own, owned) = names(path);
    terms_agree(&own, &owned, &terms(name), path.contains("[]"))
}

/// The words of the end of a path, alone and after those of what it belongs to.
fn names(path: &str) -> (Vec<String>, Vec<String>) {
    let path = path.trim_end_matches("[]");
    let (before, last) = path.rsplit_once('.').unwrap_or(("", path));
    let own = terms(last);
    let owner = before.rsplit('.').next().unwrap_or_default();
    let mut owned = terms(owner.trim_end_matches("[]"));
    owned.extend(own.iter().cloned());
    (own, owned)
}

fn terms_agree(own: &[String], owned: &[String], wanted: &[String], each: bool) -> f32 {
    if own.is_empty() || wanted.is_empty() {
        return 0.0;
    }
    if own == wanted {
        return 1.0;
    }
    // `artist.id` is an `artistId`, and so is the `id` of each of the `artists`.
    if owned == wanted {
        return if each { 0.9 } else { 0.95 };
    }
    if wanted.ends_with(own) || own.ends_with(wanted) {
        return 0.7;
    }
    let shared = own.iter().filter(|term| wanted.contains(term)).count() as f32;
    let all = (own.len() + wanted.len()) as f32 - shared;
    0.6 * shared / all
}

#[cfg(test)]
mod tests;
