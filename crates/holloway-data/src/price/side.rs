//! What stands right before and behind the digits of an amount? A currency, a minus, a
//! dash or a second number for the cents, a sign for hundredths.

use std::sync::LazyLock;

use regex::Regex;

use super::Decimal;
use super::currency::{self, Mark};
use super::notation::Reading;
use super::scan::digit_follows;

/// `19,–`, `19.-` and `299:-`.
static DASHES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^([.,:])(?:[–—−]|-{1,2})").ok());
/// Two digits and no more of a number: the cents of `12€50` and `$19 99`.
static CENTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[0-9]{2}(?:$|[^0-9\p{L}.,:%/–-]|[.,/](?:$|[^0-9]))").ok());

pub(super) struct Front {
    pub(super) before: Option<Mark>,
    pub(super) minus: Option<usize>,
    /// `$.99`: there is no whole part.
    pub(super) cents: Option<Reading>,
}

/// What stands before the number that begins at `start`. `free` tells whether a mark
/// belongs to no earlier price.
pub(super) fn front(
    text: &str,
    start: usize,
    written: &str,
    free: impl Fn(&Mark) -> bool,
) -> Front {
    let before = currency::before(text, start).filter(&free);
    let plain = |before, minus| Front {
        before,
        minus,
        cents: None,
    };
    if before.is_some() {
        let at = start - before.map_or(0, |mark| mark.length);
        return plain(before, minus(text, at));
    }
    let head = text.get(..start).unwrap_or_default();
    let previous = head.chars().next_back();
    let width = previous.map_or(0, char::len_utf8);
    // The mark stands before the minus or the point.
    let beyond = || {
        let mark = currency::before(text, start - width)?;
        let length = mark.length + width;
        Some(Mark { length, ..mark }).filter(&free)
    };
    match previous {
        Some('-' | '−') => {
            let spaced = head
                .get(..start - width)
                .is_some_and(|head| head.ends_with(char::is_whitespace));
            // `EUR-5` is a name, `EUR -5` and `€-5` are amounts.
            match beyond().filter(|mark| !mark.is_code || spaced) {
                Some(mark) => plain(Some(mark), Some(0)),
                None => plain(None, minus(text, start)),
            }
        }
        Some('.') if written.len() <= 2 => {
            let spaced = head.ends_with(" .");
            let mark = beyond().filter(|mark| !mark.is_code && !spaced);
            let amount = format!("0.{written}").parse().ok();
            let decimal = Some(Decimal::Point);
            let cents = amount
                .filter(|_| mark.is_some())
                .map(|amount| Reading::Certain { amount, decimal });
            Front {
                before: mark,
                minus: None,
                cents,
            }
        }
        _ => plain(None, None),
    }
}

/// A minus right before `at`, with nothing before it that it could join.
fn minus(text: &str, at: usize) -> Option<usize> {
    let mut before = text.get(..at)?.chars().rev();
    let sign = before.next().filter(|sign| matches!(sign, '-' | '−'))?;
    let is_apart = before
        .next()
        .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ':' | '=' | '"'));
    is_apart.then(|| sign.len_utf8())
}

pub(super) struct Back {
    /// Where the number ends, with its cents.
    pub(super) end: usize,
    pub(super) after: Option<Mark>,
    pub(super) has_dashes: bool,
    pub(super) reading: Reading,
    pub(super) doubt: Option<&'static str>,
}

/// What stands behind the number that ends at `end`.
pub(super) fn back(
    text: &str,
    end: usize,
    written: &str,
    reading: Reading,
    before: Option<Mark>,
) -> Back {
    let mut back = Back {
        end,
        after: None,
        has_dashes: false,
        reading,
        doubt: None,
    };
    if let Some(length) = dashes(text, end, before) {
        back.end += length;
        back.has_dashes = true;
    }
    back.after = currency::after(text, back.end);
    if back.after.is_none()
        && let Some(mark) = own_euro(text, back.end)
    {
        back.end += mark.length;
        back.after = Some(mark);
    }
    if back.has_dashes || back.after.is_some() {
        return back;
    }
    let is_whole = written.bytes().all(|byte| byte.is_ascii_digit());
    if before.is_some() {
        if is_whole && has_cents_apart(text, end) {
            back.doubt = Some("the two digits behind it may be its cents");
        }
        return back;
    }
    if let Some((mark, cents)) = cents_behind(text, end).filter(|_| is_whole)
        && let Ok(amount) = format!("{written}.{cents}").parse()
    {
        back.end += mark.length + cents.len();
        back.after = Some(mark);
        let decimal = None;
        back.reading = Reading::Certain { amount, decimal };
    } else if let (Some(mark), Reading::Certain { amount, decimal }) =
        (currency::hundredths(text, end, written.len()), reading)
    {
        let is_pence = mark.options == ["GBP"];
        if is_pence && !is_whole {
            return back;
        }
        back.end += mark.length;
        back.after = Some(mark);
        back.reading = Reading::Certain {
            amount: amount / 100.0,
            decimal,
        };
        back.doubt = is_pence.then_some("read as pence");
    }
    back
}

/// How long the dash for the cents is.
fn dashes(text: &str, end: usize, before: Option<Mark>) -> Option<usize> {
    let found = DASHES.as_ref()?.captures(text.get(end..)?)?;
    let length = found.get(0)?.end();
    let rest = text.get(end + length..)?;
    if digit_follows(text, end + length) {
        return None;
    }
    if before.is_some() || currency::after(text, end + length).is_some() {
        return Some(length);
    }
    // `1.- First` counts a list, `12.– 14. May` days, and `5:-)` smiles.
    let line = rest.trim_start_matches([' ', '\u{a0}']);
    let goes_on = found.get(1)?.as_str() != ","
        && (line.starts_with(char::is_alphanumeric) || line.starts_with([')', '(']));
    (!goes_on).then_some(length)
}

const EURO: &[&str] = &["EUR"];

fn euro() -> Mark {
    Mark {
        length: '€'.len_utf8(),
        options: EURO,
        is_code: false,
    }
}

/// In `5€10€` each number has its own.
fn own_euro(text: &str, end: usize) -> Option<Mark> {
    let rest = text.get(end..)?.strip_prefix('€')?;
    let digits = rest.bytes().take(16).take_while(u8::is_ascii_digit).count();
    let is_own = digits > 0 && rest.get(digits..)?.starts_with('€');
    is_own.then(euro)
}

/// `12€50`: the sign stands where others write a point.
fn cents_behind(text: &str, end: usize) -> Option<(Mark, &str)> {
    let rest = text.get(end..)?.strip_prefix('€')?;
    CENTS.as_ref()?.find(rest)?;
    let at = end + '€'.len_utf8();
    // In `5€10 €` each number has its own.
    if currency::after(text, at + 2).is_some() {
        return None;
    }
    Some((euro(), rest.get(..2)?))
}

/// `$19 99`, and nothing that says what else 99 is.
fn has_cents_apart(text: &str, end: usize) -> bool {
    let apart = || {
        let rest = text.get(end..)?.strip_prefix(' ')?;
        CENTS.as_ref()?.find(rest)?;
        let next = rest.get(2..)?.trim_start_matches(' ');
        let is_named = next.starts_with(char::is_alphanumeric);
        Some(!is_named && currency::after(text, end + 3).is_none())
    };
    apart().unwrap_or(false)
}
