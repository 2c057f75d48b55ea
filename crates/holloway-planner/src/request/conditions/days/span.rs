//! How long a time is said? "three weeks", "a year and a half", "2 weeks and 3 days", "half a
//! year", in units of the calendar.

use super::super::Unit;
use crate::request::entities::number_word;

/// As far as a calendar reaches.
const FAR: i64 = 1_000_000;

/// A unit as people name it: the calendar's own, how many of it, and what a half of it is.
struct Named {
    unit: Unit,
    times: i64,
    half: Option<(Unit, i64)>,
}

/// The time in whole units, each once; nothing where it is none, or no whole number of days.
pub(super) fn read(text: &str) -> Option<Vec<(Unit, i64)>> {
    let text = text.to_lowercase().replace(',', " and ").replace('-', " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut rest = words.as_slice();
    let mut sums: Vec<(Unit, i64)> = Vec::new();
    while !rest.is_empty() {
        while let [first, others @ ..] = rest
            && matches!(*first, "and" | "exactly")
        {
            rest = others;
        }
        rest = amount(rest, &mut sums)?;
    }
    let is_near = sums.iter().all(|(_, count)| *count <= FAR);
    (is_near && !sums.is_empty()).then_some(sums)
}

/// Whether a time is spoken of, understood or not: "10 working days".
pub(super) fn is_meant(text: &str) -> bool {
    let text = text.to_lowercase().replace('-', " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends = words.last().is_some_and(|word| unit(word).is_some());
    ends && halves(&words).is_some()
}

/// Takes one amount from the words and gives the others.
fn amount<'w>(words: &'w [&'w str], sums: &mut Vec<(Unit, i64)>) -> Option<&'w [&'w str]> {
    let (halves, rest) = halves(words)?;
    let [word, rest @ ..] = rest else {
        return None;
    };
    let unit = unit(word)?;
    // "a year and a half".
    let (halves, rest) = match rest {
        ["and", "a", "half", rest @ ..] => (halves + 1, rest),
        rest => (halves, rest),
    };
    add(sums, unit.unit, (halves / 2).checked_mul(unit.times)?);
    if halves % 2 == 1 {
        let (unit, count) = unit.half?;
        add(sums, unit, count);
    }
    sums.retain(|(_, count)| *count > 0);
    Some(rest)
}

fn add(sums: &mut Vec<(Unit, i64)>, unit: Unit, count: i64) {
    match sums.iter_mut().find(|(own, _)| *own == unit) {
        Some((_, sum)) => *sum = sum.saturating_add(count),
        None => sums.push((unit, count)),
    }
}

/// A number at the start of the words, counted in halves, and the words after it.
fn halves<'w>(words: &'w [&'w str]) -> Option<(i64, &'w [&'w str])> {
    let (twice, rest) = match words {
        ["half", "a" | "an", rest @ ..] | ["a", "half", rest @ ..] | ["half", rest @ ..] => {
            return Some((1, rest));
        }
        ["a", "couple", "of", rest @ ..] | ["a", "couple", rest @ ..] => return Some((4, rest)),
        ["a", number, ..] if number_word(number).is_some() => spelled(words.get(1..)?)?,
        ["a" | "an", rest @ ..] => (2, rest),
        [digits, rest @ ..] if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            let twice = digits.parse::<f64>().ok()? * 2.0;
            let is_whole = twice.fract() == 0.0 && twice <= 2.0 * FAR as f64;
            (is_whole.then_some(twice as i64)?, rest)
        }
        words => spelled(words)?,
    };
    // "two and a half years".
    match rest {
        ["and", "a", "half", rest @ ..]
            if rest.first().is_some_and(|word| unit(word).is_some()) =>
        {
            Some((twice + 1, rest))
        }
        rest => Some((twice, rest)),
    }
}

/// "twenty one", "two hundred": a number in words, counted in halves.
fn spelled<'w>(words: &'w [&'w str]) -> Option<(i64, &'w [&'w str])> {
    let mut sum = None;
    let mut rest = words;
    while let [word, others @ ..] = rest
        && let Some(worth) = number_word(word)
    {
        let before: i64 = sum.unwrap_or(0);
        let is_scale = matches!(*word, "hundred" | "thousand" | "dozen");
        sum = Some(if is_scale {
            before.max(1).checked_mul(worth)?
        } else {
            before.checked_add(worth)?
        });
        rest = others;
    }
    Some((sum?.checked_mul(2)?, rest))
}

fn unit(word: &str) -> Option<Named> {
    let (unit, times, half) = match word.trim_end_matches('s') {
        "day" => (Unit::Days, 1, None),
        "week" => (Unit::Weeks, 1, None),
        "fortnight" => (Unit::Weeks, 2, Some((Unit::Weeks, 1))),
        "month" => (Unit::Months, 1, None),
        "quarter" => (Unit::Months, 3, None),
        "year" => (Unit::Years, 1, Some((Unit::Months, 6))),
        "decade" => (Unit::Years, 10, Some((Unit::Years, 5))),
        "century" | "centurie" => (Unit::Years, 100, Some((Unit::Years, 50))),
        _ => return None,
    };
    Some(Named { unit, times, half })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_words_and_digits() {
        let check = |text: &str, expected: &[(Unit, i64)]| {
            assert_eq!(read(text).unwrap_or_default(), expected, "{text}");
        };
        check("three weeks", &[(Unit::Weeks, 3)]);
        check("a week", &[(Unit::Weeks, 1)]);
        check("half a year", &[(Unit::Months, 6)]);
        check("a year and a half", &[(Unit::Years, 1), (Unit::Months, 6)]);
        check(
            "two and a half years",
            &[(Unit::Years, 2), (Unit::Months, 6)],
        );
        check("1.5 years", &[(Unit::Years, 1), (Unit::Months, 6)]);
        check("2 weeks and 3 days", &[(Unit::Weeks, 2), (Unit::Days, 3)]);
        check("twenty-one days", &[(Unit::Days, 21)]);
        check("a hundred days", &[(Unit::Days, 100)]);
        check("a fortnight", &[(Unit::Weeks, 2)]);
        check("a couple of months", &[(Unit::Months, 2)]);
        check(
            "1 year, 2 months and 3 days",
            &[(Unit::Years, 1), (Unit::Months, 2), (Unit::Days, 3)],
        );
        for text in [
            "half a week",
            "a few days",
            "10 working days",
            "weeks",
            "",
            "and",
            "3",
        ] {
            check(text, &[]);
        }
    }
}
