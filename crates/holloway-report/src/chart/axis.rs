//! Where do the marks of an axis stand? At round numbers, or at the starts of days,
//! months and years.

use crate::figure::compact;
use crate::moment::{self, MINUTES_OF_DAY, month_name};

/// A scale from values to places.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Where `low` and `high` stand.
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Scale {
    pub(crate) fn place(&self, value: f64) -> f64 {
        let span = self.high - self.low;
        let part = if span > 0.0 {
            (value - self.low) / span
        } else {
            0.5
        };
        self.from + (self.to - self.from) * part
    }
}

/// Round numbers that enclose the values, about `count` of them.
pub(crate) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let (low, high) = widened(low, high);
    let rough = (high - low) / count.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * power);
    let step = step
        .into_iter()
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(rough);
    let first = (low / step + 1e-9).floor();
    let last = (high / step - 1e-9).ceil();
    let many = ((last - first) as usize).min(50);
    (0..=many)
        .map(|index| tidy((first + index as f64) * step, step))
        .collect()
}

/// Without the crumbs of binary fractions.
fn tidy(value: f64, step: f64) -> f64 {
    let rounded = (value / step).round() * step;
    let text = format!("{rounded:.12e}");
    text.parse().unwrap_or(rounded)
}

/// A span that is not nothing.
fn widened(low: f64, high: f64) -> (f64, f64) {
    if high > low && (high - low) > high.abs().max(low.abs()) * 1e-12 {
        return (low, high);
    }
    let room = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
    (low - room, low + room)
}

/// Zero belongs to the axis unless the values lie far from it.
pub(crate) fn with_zero(low: f64, high: f64) -> (f64, f64) {
    if low > 0.0 && low < high * 0.7 {
        (0.0, high)
    } else if high < 0.0 && high > low * 0.7 {
        (low, 0.0)
    } else {
        (low, high)
    }
}

pub(crate) fn number_labels(ticks: &[f64]) -> Vec<String> {
    ticks.iter().map(|tick| compact(*tick)).collect()
}

/// Marks of a time axis with what they say; days since 1970.
pub(crate) fn time_ticks(low: f64, high: f64, count: usize) -> Vec<(f64, String)> {
    let span = (high - low).max(1.0 / MINUTES_OF_DAY);
    let wanted = span / count.max(2) as f64;
    let ticks = if wanted < 0.9 {
        hours(low, high, wanted)
    } else if wanted < 20.0 {
        days(low, high, wanted)
    } else {
        months(low, high, wanted)
    };
    ticks
        .into_iter()
        .filter(|(at, _)| *at >= low - 1e-6 && *at <= high + 1e-6)
        .take(60)
        .collect()
}

fn hours(low: f64, high: f64, wanted: f64) -> Vec<(f64, String)> {
    let steps = [
        1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 180.0, 360.0, 720.0, 1440.0,
    ];
    let minutes = steps
        .into_iter()
        .find(|step| step / MINUTES_OF_DAY >= wanted)
        .unwrap_or(MINUTES_OF_DAY);
    let first = (low * MINUTES_OF_DAY / minutes).ceil() as i64;
    let last = (high * MINUTES_OF_DAY / minutes).floor() as i64;
    let marks = (first..=last).take(60).map(|index| {
        let minute = index as f64 * minutes;
        let of_day = minute.rem_euclid(MINUTES_OF_DAY) as i64;
        let at = minute / MINUTES_OF_DAY;
        let label = if of_day == 0 {
            short_date(at)
        } else {
            format!("{:02}:{:02}", of_day / 60, of_day % 60)
        };
        (at, label)
    });
    marks.collect()
}

fn days(low: f64, high: f64, wanted: f64) -> Vec<(f64, String)> {
    let step = [1.0, 2.0, 7.0, 14.0]
        .into_iter()
        .find(|step| *step >= wanted)
        .unwrap_or(14.0);
    // Weeks start on Monday, and 1970-01-01 was a Thursday.
    let offset = if step >= 7.0 { 4.0 } else { 0.0 };
    let first = ((low - offset) / step).ceil() as i64;
    let last = ((high - offset) / step).floor() as i64;
    let marks = (first..=last).take(60).map(|index| {
        let at = index as f64 * step + offset;
        (at, short_date(at))
    });
    marks.collect()
}

fn short_date(at: f64) -> String {
    moment::date(at).map_or_else(String::new, |date| {
        format!("{} {}", date.day(), month_name(date.month()))
    })
}

fn months(low: f64, high: f64, wanted: f64) -> Vec<(f64, String)> {
    let months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
    // A few marks more than asked for are better than half as many.
    let step = months
        .into_iter()
        .find(|months| f64::from(*months) * 30.5 >= wanted * 0.8)
        .unwrap_or(2400);
    let (Some(start), Some(end)) = (moment::date(low), moment::date(high)) else {
        return Vec::new();
    };
    let number = |year: i16, month: i8| i32::from(year) * 12 + i32::from(month) - 1;
    let first = number(start.year(), start.month()).div_euclid(step) * step;
    let last = number(end.year(), end.month());
    let mut marks = Vec::new();
    let mut next = first;
    while next <= last && marks.len() < 60 {
        let (year, month) = (next.div_euclid(12) as i16, (next.rem_euclid(12) + 1) as i8);
        if let Some(at) = moment::first_of(year, month) {
            let label = if step >= 12 || month == 1 {
                year.to_string()
            } else {
                month_name(month).to_owned()
            };
            marks.push((at, label));
        }
        next += step;
    }
    // Months alone do not tell the year: the first mark that is shown says it.
    let shown = marks.iter_mut().find(|(at, _)| *at >= low);
    if let Some((at, label)) = shown
        && let Some(date) = moment::date(*at)
        && !label.chars().all(|character| character.is_ascii_digit())
    {
        *label = format!("{label} {}", date.year());
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_at_round_numbers() {
        for (low, high, expected) in [
            (0.0, 97.0, vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0]),
            (0.0, 0.3, vec![0.0, 0.1, 0.2, 0.3]),
            (-5.0, 12.0, vec![-5.0, 0.0, 5.0, 10.0, 15.0]),
            (7.0, 7.0, vec![6.0, 6.5, 7.0, 7.5, 8.0]),
            (1e-9, 3e-9, vec![1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9]),
        ] {
            let found = ticks(low, high, 5);
            assert!(
                found.len() <= 8
                    && found.first().unwrap() <= &low
                    && found.last().unwrap() >= &high,
                "{found:?}"
            );
            if low.abs() > 1e-6 || high > 0.5 {
                assert_eq!(found.len(), expected.len(), "{low}..{high}: {found:?}");
            }
        }
    }

    #[test]
    fn marks_of_time_follow_the_calendar() {
        let check = |from: &str, to: &str, expected: &[&str]| {
            let (low, high) = (moment::days(from).unwrap(), moment::days(to).unwrap());
            let labels: Vec<String> = time_ticks(low, high, 6)
                .into_iter()
                .map(|(_, label)| label)
                .collect();
            assert_eq!(labels, expected, "{from}..{to}");
        };
        check(
            "2024-01-01",
            "2024-12-31",
            &["2024", "Mar", "May", "Jul", "Sep", "Nov"],
        );
        check(
            "2024-02-10",
            "2024-06-20",
            &["Mar 2024", "Apr", "May", "Jun"],
        );
        check(
            "2010-06-01",
            "2024-06-01",
            &["2012", "2014", "2016", "2018", "2020", "2022", "2024"],
        );
        check(
            "2024-03-01",
            "2024-03-07",
            &[
                "1 Mar", "2 Mar", "3 Mar", "4 Mar", "5 Mar", "6 Mar", "7 Mar",
            ],
        );
        check(
            "2024-03-01T00:00",
            "2024-03-01T06:00",
            &[
                "1 Mar", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00",
            ],
        );
    }
}
