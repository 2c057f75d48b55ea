//! Which numbers does a request state, and what for? "the last 20 commits", "lines 40 to 60",
//! "for 2 seconds", "a 90% interval", "the second page".

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::frame::EntityKind;
use crate::lexicon::lists::{List, Pairs};

/// Names of parameters that say how many.
pub(super) static LIMITS: List = List::named("numbers.limits");
/// Names that say something else although they count.
static NO_LIMITS: List = List::named("numbers.no_limits");
static FIRST: List = List::named("numbers.first");
static LAST: List = List::named("numbers.last");
static MOST: List = List::named("numbers.most");
/// Words before a number that say which one, not how many.
static WHICH: List = List::named("numbers.which");
static LENGTHS: List = List::named("numbers.lengths");
/// How many seconds a unit of time has, and the units in the order in which they are looked for.
static SECONDS: Pairs = Pairs::named("numbers.seconds");
static UNITS: List = List::named("numbers.units");

/// "the last 20 commits" for `perPage`.
pub(super) fn counted(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    if !parameter.is_number() {
        return Vec::new();
    }
    if parameter.is_called(&LENGTHS) {
        return characters(request);
    }
    if !parameter.is_called(&LIMITS) || parameter.is_called(&NO_LIMITS) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        if token.kind != Some(EntityKind::Number) || is_in_list(request, at) {
            continue;
        }
        let before = previous(request, at);
        let leads = |words: &[&str]| before.is_some_and(|word| words.contains(&word));
        let next = request.tokens.get(at + 1).filter(|_| !token.stops);
        // "10 cities" counts cities.
        let counts = next.is_some_and(|next| {
            let is_most = MOST.contains(&next.lower.as_str()) && next.lower != "to";
            let is_many = next.lower.ends_with('s') && next.lower.len() > 3;
            next.kind.is_none() && (is_many || is_most)
        });
        let fits = match () {
            () if leads(&WHICH) => false,
            () if parameter.is_called(&["tail"]) => leads(&LAST),
            () if parameter.is_called(&["head"]) => leads(&FIRST),
            () => leads(&FIRST) || leads(&LAST) || leads(&MOST) || counts,
        };
        if fits && is_whole(&token.value) {
            found.push(Found::new(token.value.clone(), token.place.clone()));
        }
    }
    found
}

/// "at most 2000 characters".
fn characters(request: &Request<'_>) -> Vec<Found> {
    static LETTERS: List = List::named("numbers.letters");
    let pairs = request.tokens.windows(2);
    let found = pairs.filter_map(|pair| match pair {
        [number, unit] if number.is_number() && LETTERS.contains(&unit.lower.as_str()) => {
            Some(Found::new(number.value.clone(), number.place.clone()))
        }
        _ => None,
    });
    found.collect()
}

fn is_whole(value: &Value) -> bool {
    value.as_i64().is_some_and(|number| number > 0)
}

/// The word before, without articles.
pub(super) fn previous<'r>(request: &'r Request<'_>, at: usize) -> Option<&'r str> {
    static PASSED: List = List::named("numbers.passed");
    let before = request.tokens.get(..at)?.iter().rev();
    let mut before = before
        .take(2)
        .filter(|token| !PASSED.contains(&token.lower.as_str()));
    before.next().map(|token| token.lower.as_str())
}

/// Numbers in a row are data.
fn is_in_list(request: &Request<'_>, at: usize) -> bool {
    let own = request.tokens.get(at);
    let next = request.tokens.get(at + 1);
    let before = at.checked_sub(1).and_then(|at| request.tokens.get(at));
    let follows = own.is_some_and(|own| own.comma) && next.is_some_and(Token::is_number);
    follows || before.is_some_and(|before| before.comma && before.is_number())
}

/// "for 2 seconds" for `duration`, "300 dpi" for `dpi`, "a 90% interval" for a share.
pub(super) fn measured(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static SIDES: Pairs = Pairs::named("numbers.sides");
    if !parameter.is_number() {
        return Vec::new();
    }
    // "4 inches wide".
    let sided = request.tokens.windows(2).filter_map(|pair| match pair {
        [quantity, side] if quantity.is_number() => {
            let name = SIDES.of(&side.lower)?;
            let speaks = parameter.words.iter().any(|word| word == name);
            speaks.then(|| Found::new(quantity.value.clone(), quantity.place.clone()))
        }
        _ => None,
    });
    let sided: Vec<Found> = sided.collect();
    if !sided.is_empty() {
        return sided;
    }
    let quantities = request
        .tokens
        .iter()
        .filter(|token| token.kind == Some(EntityKind::Quantity));
    let found = quantities.filter_map(|token| {
        let unit = token.label.as_deref()?.to_lowercase();
        let number = token.value.as_f64()?;
        let value = if unit == "%" || unit.starts_with("per") {
            share(parameter, number)?
        } else if let Some(seconds) = seconds(&unit) {
            duration(parameter, number * seconds, &unit, number)?
        } else {
            let speaks = parameter.stems.contains(&stem(&unit));
            speaks.then_some(number)?
        };
        Some(Found::new(plain(value), token.place.clone()))
    });
    found.collect()
}

/// A number without a fraction where it has none.
pub(super) fn plain(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return json!(number as i64);
    }
    json!(number)
}

/// A share as the parameter wants it: of one or of a hundred.
fn share(parameter: &Parameter<'_>, percent: f64) -> Option<f64> {
    static SHARES: List = List::named("numbers.shares");
    let speaks = parameter.is_called(&SHARES);
    let most = parameter.shape.word("maximum").and_then(Value::as_f64);
    let of_one = most.is_some_and(|most| most <= 1.0)
        || parameter.description.contains("decimal")
        || parameter.description.contains("between 0 and 1")
        || parameter.description.contains("0.");
    speaks.then(|| if of_one { percent / 100.0 } else { percent })
}

/// How long a unit of time is.
fn seconds(unit: &str) -> Option<f64> {
    SECONDS.of(unit.trim_end_matches('s'))?.parse().ok()
}

/// A time in the unit that the parameter wants.
fn duration(parameter: &Parameter<'_>, seconds_said: f64, unit: &str, number: f64) -> Option<f64> {
    static TIMES: List = List::named("numbers.times");
    let words = &parameter.words;
    let named = words
        .iter()
        .find_map(|word| seconds(word).filter(|_| word.len() > 2));
    let named = named.or_else(|| words.iter().any(|word| word == "ms").then_some(0.001));
    if let Some(own) = named {
        return Some(seconds_said / own);
    }
    if !parameter.is_called(&TIMES) {
        return None;
    }
    let mut units = UNITS.iter();
    let said = units.find(|own| parameter.description.contains(**own));
    match said.and_then(|unit| seconds(unit)) {
        Some(own) => Some(seconds_said / own),
        // Nobody says in which unit: as it was said.
        None if unit.starts_with("sec") || unit.is_empty() => Some(number),
        None => None,
    }
}
