//! Which days lie how far from today? "last month", "the last 30 days", "3 days ago".

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{self, StrDeserializer};
use serde_json::{Value, json};

use super::{last_day, months};
use crate::lexicon::Words;
use crate::read::tokens::Token;

/// A stretch of the calendar, as the lexicon names it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Period {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Period {
    fn named(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, value::Error> = name.into_deserializer();
        Self::deserialize(name).ok()
    }
}

/// Words that one such date may have.
const LONGEST: usize = 3;

/// A date by its distance from today, with where the words end.
pub(super) fn relative(
    tokens: &[Token],
    at: usize,
    words: &Words,
    today: &str,
) -> Option<(usize, Value)> {
    let today = Day::read(today)?;
    named(tokens, at, words, today)
        .or_else(|| rolling(tokens, at, words, today))
        .or_else(|| ago(tokens, at, words, today))
}

fn named(tokens: &[Token], at: usize, words: &Words, today: Day) -> Option<(usize, Value)> {
    (1..=LONGEST).rev().find_map(|count| {
        let taken = tokens.get(at..at + count)?;
        let said: Vec<&str> = taken.iter().map(|token| token.lower.as_str()).collect();
        let known = words.relative.get(&said.join(" "))?;
        Some((
            at + count,
            today.period(Period::named(&known.period)?, known.shift)?,
        ))
    })
}

/// "the last 30 days", up to today.
fn rolling(tokens: &[Token], at: usize, words: &Words, today: Day) -> Option<(usize, Value)> {
    let word = |at: usize| tokens.get(at).map(|token| token.lower.as_str());
    words.rolling.iter().find(|known| word(at) == Some(known))?;
    let count = number(word(at + 1)?, words)?;
    let period = words.periods.get(word(at + 2)?)?;
    let first = today.moved(Period::named(period)?, -count)?.next();
    Some((
        at + 3,
        json!({"from": first.written(), "to": today.written()}),
    ))
}

/// "3 days ago", "vor 3 Tagen".
fn ago(tokens: &[Token], at: usize, words: &Words, today: Day) -> Option<(usize, Value)> {
    let word = |at: usize| tokens.get(at).map(|token| token.lower.as_str());
    let is_ago =
        |at: usize| word(at).is_some_and(|word| words.ago.iter().any(|known| known == word));
    let (start, end) = if is_ago(at) {
        (at + 1, at + 3)
    } else {
        (at, at + 3)
    };
    if !is_ago(at) && !is_ago(at + 2) {
        return None;
    }
    let count = number(word(start)?, words)?;
    let day = today
        .moved(Period::named(words.periods.get(word(start + 1)?)?)?, -count)?
        .written();
    Some((end, json!({"from": day, "to": day})))
}

fn number(word: &str, words: &Words) -> Option<i64> {
    let known = words.numbers.get(word).map(|number| *number as i64);
    known
        .or_else(|| word.parse().ok())
        .filter(|count| (1..=1000).contains(count))
}

#[derive(Clone, Copy)]
struct Day {
    year: u32,
    month: u32,
    number: u32,
}

impl Day {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.get(..10)?.split('-').map(str::parse);
        let mut part = || parts.next()?.ok();
        let (year, month, day) = (part()?, part()?, part()?);
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Self {
            year,
            month,
            number: day,
        })
    }

    fn written(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.number)
    }

    fn next(self) -> Self {
        if self.number < last_day(self.year, self.month) {
            return Self {
                number: self.number + 1,
                ..self
            };
        }
        match self.month {
            12 => Self {
                year: self.year + 1,
                month: 1,
                number: 1,
            },
            month => Self {
                month: month + 1,
                number: 1,
                ..self
            },
        }
    }

    fn before(self) -> Self {
        if self.number > 1 {
            return Self {
                number: self.number - 1,
                ..self
            };
        }
        let (year, month) = if self.month == 1 {
            (self.year - 1, 12)
        } else {
            (self.year, self.month - 1)
        };
        Self {
            year,
            month,
            number: last_day(year, month),
        }
    }

    fn by_days(self, days: i64) -> Self {
        let step = if days < 0 { Self::before } else { Self::next };
        (0..days.unsigned_abs()).fold(self, |day, _| step(day))
    }

    fn by_months(self, count: i64) -> Option<Self> {
        let months = i64::from(self.year) * 12 + i64::from(self.month) - 1 + count;
        let year = u32::try_from(months.div_euclid(12)).ok()?;
        let month = u32::try_from(months.rem_euclid(12)).ok()? + 1;
        let day = self.number.min(last_day(year, month));
        Some(Self {
            year,
            month,
            number: day,
        })
    }

    fn moved(self, period: Period, count: i64) -> Option<Self> {
        match period {
            Period::Day => Some(self.by_days(count)),
            Period::Week => Some(self.by_days(count * 7)),
            Period::Month => self.by_months(count),
            Period::Quarter => self.by_months(count * 3),
            Period::Year => self.by_months(count * 12),
        }
    }

    /// Monday is 0.
    fn weekday(self) -> i64 {
        const SHIFTS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = if self.month < 3 {
            self.year - 1
        } else {
            self.year
        };
        let shift = SHIFTS
            .get(self.month as usize - 1)
            .copied()
            .unwrap_or_default();
        let sunday_based = (year + year / 4 - year / 100 + year / 400 + shift + self.number) % 7;
        i64::from((sunday_based + 6) % 7)
    }

    /// The whole day, week, month, quarter or year that lies so far away.
    fn period(self, period: Period, shift: i64) -> Option<Value> {
        let there = self.moved(period, shift)?;
        let quarter = (there.month - 1) / 3 * 3 + 1;
        match period {
            Period::Day => Some(json!({"from": there.written(), "to": there.written()})),
            Period::Week => {
                let monday = there.by_days(-there.weekday());
                Some(json!({"from": monday.written(), "to": monday.by_days(6).written()}))
            }
            Period::Month => Some(months(there.year, there.month, there.month)),
            Period::Quarter => Some(months(there.year, quarter, quarter + 2)),
            Period::Year => Some(months(there.year, 1, 12)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::tokens::tokens;

    fn check(text: &str, from: &str, to: &str) {
        let words = &Lexicon::shipped()[0].words;
        let found = relative(&tokens(text), 0, words, "2026-11-18").map(|(_, value)| value);
        assert_eq!(found, Some(json!({"from": from, "to": to})), "{text}");
    }

    #[test]
    fn days_are_counted_from_today() {
        check("today", "2026-11-18", "2026-11-18");
        check("yesterday", "2026-11-17", "2026-11-17");
        check("this week", "2026-11-16", "2026-11-22");
        check("last week", "2026-11-09", "2026-11-15");
        check("last month", "2026-10-01", "2026-10-31");
        check("last quarter", "2026-07-01", "2026-09-30");
        check("this year", "2026-01-01", "2026-12-31");
        check("last 30 days", "2026-10-20", "2026-11-18");
        check("past three months", "2026-08-19", "2026-11-18");
        check("two weeks ago", "2026-11-04", "2026-11-04");
    }
}
