//! Where do amounts stand? Every number with a currency beside it, a dash for its cents,
//! or a word that names it a price. Dates, versions, percentages and the like are not.

use std::sync::LazyLock;

use regex::Regex;

use super::context;
use super::currency::{self, Mark};
use super::notation::{self, Reading};
use super::side;

/// An amount as it was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// With currency, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) reading: Reading,
    pub(super) factor: f64,
    pub(super) mark: Option<Mark>,
    /// The other end of a range stands right before or after.
    pub(super) range: Range,
    /// Why the amount may be meant otherwise.
    pub(super) doubt: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    No,
    Low,
    High,
}

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"[0-9]{1,3}(?:[ \u{a0}\u{202f}\u{2009}][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9]{1,3}(?:['’][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9]+(?:[.,][0-9]+)*").ok()
});
static PLAIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[0-9]+(?:[.,][0-9]+)*").ok());
/// No amount is written longer, in bytes. What is longer is left out whole: to begin
/// again behind each of its groups would take time with the square of its length.
const LONGEST: usize = 48;
static TO: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)^\s{0,2}(?:[–—−-]|to|bis|à|a|until|and|und)\s{0,2}$").ok());

/// A number with what is beside it.
struct Candidate {
    start: usize,
    end: usize,
    reading: Reading,
    has_dashes: bool,
    before: Option<Mark>,
    after: Option<Mark>,
    /// With a minus, which takes so many bytes before the currency or the number.
    minus: Option<usize>,
    doubt: Option<&'static str>,
}

pub(super) fn scan(text: &str) -> Vec<Found> {
    let Some(pattern) = NUMBER.as_ref() else {
        return Vec::new();
    };
    let mut found: Vec<Found> = Vec::new();
    // The last number without a currency: the next one may lend it its own.
    let mut bare: Option<Candidate> = None;
    let mut at = 0;
    while let Some(number) = pattern.find_at(text, at) {
        let (start, mut end) = (number.start(), number.end());
        if end - start > LONGEST {
            at = end;
            bare = None;
            continue;
        }
        if digit_follows(text, end) {
            // `123 4567` is not grouped: only its first digits are a number.
            end = text
                .get(start..)
                .and_then(|rest| PLAIN.as_ref()?.find(rest))
                .map_or(end, |plain| start + plain.end());
        }
        at = end;
        let used = found.last().map_or(0, |last| last.end);
        let candidate =
            candidate(text, start, end, used).or_else(|| shorter(text, start, end, used, &mut at));
        let Some(candidate) = candidate else {
            bare = None;
            continue;
        };
        at = at.max(candidate.end);
        place(text, candidate, &mut bare, &mut found);
    }
    found
}

/// `iPhone 12 999 000,5`: when the groups make no number, the first digits may.
fn shorter(text: &str, start: usize, end: usize, used: usize, at: &mut usize) -> Option<Candidate> {
    let plain = text
        .get(start..end)
        .and_then(|rest| PLAIN.as_ref()?.find(rest))?;
    if start + plain.end() >= end {
        return None;
    }
    *at = start + plain.end();
    candidate(text, start, *at, used)
}

fn place(text: &str, candidate: Candidate, bare: &mut Option<Candidate>, found: &mut Vec<Found>) {
    let mark = candidate.before.or(candidate.after);
    let between = |end: usize| {
        text.get(end..candidate.start - candidate.before.map_or(0, |mark| mark.length))
    };
    let joins =
        |end: usize| between(end).is_some_and(|gap| TO.as_ref().is_some_and(|to| to.is_match(gap)));
    if mark.is_none() {
        let last_joins = found
            .last()
            .is_some_and(|last| joins(last.end) && last.mark.is_some_and(|_| true));
        let signed = candidate.start - candidate.minus.unwrap_or_default();
        let is_price = candidate.has_dashes || context::is_named(text, signed, candidate.end);
        // `€5–10`: the second end of a range with the currency before the first.
        if last_joins && between_is_dash(text, found, candidate.start) {
            let mut high = candidate.found(text, None);
            if let Some(low) = found.last_mut() {
                low.range = Range::Low;
                high.mark = low.mark;
                high.range = Range::High;
            }
            found.push(high);
        } else if is_price {
            found.push(candidate.found(text, None));
        } else {
            *bare = Some(candidate);
            return;
        }
        *bare = None;
        return;
    }
    let bare = bare
        .take()
        .filter(|low| joins(low.end) && is_below(low, &candidate));
    let follows = found.last().is_some_and(|last| {
        joins(last.end) && last.range == Range::No && is_dash_gap(between(last.end))
    });
    let is_high = bare.is_some() || follows;
    if let Some(low) = bare {
        let mut low = low.found(text, None);
        low.mark = mark;
        low.range = Range::Low;
        found.push(low);
    } else if let Some(low) = found.last_mut().filter(|_| follows) {
        low.range = Range::Low;
    }
    // In `5 € -10 €` the dash is that of the range.
    let minus = candidate.minus.filter(|length| !is_high || *length == 0);
    let mut this = Candidate { minus, ..candidate }.found(text, mark);
    if is_high {
        this.range = Range::High;
    }
    found.push(this);
}

fn is_dash_gap(gap: Option<&str>) -> bool {
    gap.is_some_and(|gap| {
        gap.trim()
            .chars()
            .all(|c| matches!(c, '-' | '–' | '—' | '−'))
            || matches!(gap.trim(), "to" | "bis")
    })
}

fn between_is_dash(text: &str, found: &[Found], start: usize) -> bool {
    found
        .last()
        .is_some_and(|last| last.range == Range::No && is_dash_gap(text.get(last.end..start)))
}

/// A range goes up: `12-05 €` is none.
fn is_below(low: &Candidate, high: &Candidate) -> bool {
    let value = |reading: Reading| match reading {
        Reading::Certain { amount, .. } => amount,
        Reading::Either { thousands, .. } => thousands,
    };
    value(low.reading) < value(high.reading)
}

pub(super) fn digit_follows(text: &str, end: usize) -> bool {
    text.get(end..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|next| next.is_ascii_digit())
}

fn candidate(text: &str, start: usize, end: usize, used: usize) -> Option<Candidate> {
    let written = text.get(start..end)?;
    let free = |mark: &Mark| start - mark.length >= used;
    let side::Front {
        before,
        minus,
        cents,
    } = side::front(text, start, written, free);
    let reading = cents.map_or_else(|| notation::read(written), Some)?;
    let side::Back {
        end,
        after,
        has_dashes,
        reading,
        doubt,
    } = side::back(text, end, written, reading, before);
    let has_currency = before.is_some() || after.is_some();
    // What the number is glued to tells that it is no amount: v1.2, #12, 12%, 3x, 5:30.
    let previous = text
        .get(..start - before.map_or(0, |mark| mark.length))?
        .chars()
        .next_back();
    let glued = before.is_none()
        && previous.is_some_and(|c| {
            c.is_alphanumeric() || matches!(c, '#' | '_' | '@' | '+' | '/' | ':' | '.' | '\\' | '=')
        });
    let next = text.get(end..)?.chars().next();
    let refused = next.is_some_and(|c| matches!(c, '%' | '°' | '‰' | '_' | '"' | '″'));
    let clock = next == Some(':') && digit_follows(text, end + 1);
    // Letters right behind are a unit or a name, unless they are a currency or a factor.
    let letters = after.is_none()
        && next.is_some_and(char::is_alphabetic)
        && context::multiplier(text, end).is_none()
        && next.is_none_or(|c| c.is_ascii());
    let date_like = previous == Some('-')
        && before_dash_is_digit(text, start, before)
        && !ends_range(text, start, end, used);
    let refused = glued || refused || clock || letters || (date_like && !has_currency);
    (!refused).then_some(Candidate {
        start,
        end,
        reading,
        has_dashes,
        before,
        after,
        minus,
        doubt,
    })
}

fn before_dash_is_digit(text: &str, start: usize, before: Option<Mark>) -> bool {
    let start = start - before.map_or(0, |mark| mark.length);
    text.get(..start)
        .and_then(|head| head.chars().rev().nth(1))
        .is_some_and(|c| c.is_ascii_digit())
}

/// `$5-10`: a dash right behind a price, and no further one, as a date would have.
fn ends_range(text: &str, start: usize, end: usize, used: usize) -> bool {
    let behind = text.get(end..).unwrap_or_default();
    used > 0 && text.get(used..start) == Some("-") && !behind.starts_with('-')
}

impl Candidate {
    fn found(&self, text: &str, mark: Option<Mark>) -> Found {
        let start =
            self.start - self.before.map_or(0, |mark| mark.length) - self.minus.unwrap_or_default();
        let multiplied = mark.and_then(|_| context::multiplier(text, self.end));
        let (factor, number_end) = multiplied.unwrap_or((1.0, self.end));
        let factor = if self.minus.is_some() {
            -factor
        } else {
            factor
        };
        let after = currency::after(text, number_end);
        // `$5 USD`: the code says which dollar, and belongs to the price.
        let (mark, end) = match (self.before, after) {
            (Some(_), Some(code)) if code.is_code => (Some(code), number_end + code.length),
            (None, Some(after)) => (Some(after), number_end + after.length),
            (before, _) => (before.or(mark), number_end),
        };
        Found {
            start,
            end,
            reading: self.reading,
            factor,
            mark,
            range: Range::No,
            doubt: self.doubt,
        }
    }
}
