//! Is this text a point in time? ISO dates, months and date-times become days since 1970.

use jiff::civil::{Date, DateTime};

pub(crate) const MINUTES_OF_DAY: f64 = 1440.0;

/// Days since 1970-01-01, with the time of day as the fraction.
pub(crate) fn days(text: &str) -> Option<f64> {
    let text = text.trim();
    // Cheap refusal first: most texts are no dates.
    let shape_fits = matches!(text.len(), 7..=35) && text.as_bytes().get(4) == Some(&b'-');
    if !shape_fits {
        return None;
    }
    if text.len() == 7 {
        return Some(f64::from(day_number(format!("{text}-01").parse().ok()?)));
    }
    if text.len() == 10 {
        return Some(f64::from(day_number(text.parse().ok()?)));
    }
    // The zone is left aside: the axis shows the clock of the place.
    let local = text.strip_suffix('Z').unwrap_or(text);
    let moment: DateTime = local.parse().ok()?;
    let minutes = f64::from(moment.hour()) * 60.0
        + f64::from(moment.minute())
        + f64::from(moment.second()) / 60.0;
    Some(f64::from(day_number(moment.date())) + minutes / MINUTES_OF_DAY)
}

fn day_number(date: Date) -> i32 {
    date.since(epoch()).map_or(0, |span| span.get_days())
}

fn epoch() -> Date {
    Date::constant(1970, 1, 1)
}

/// The date of a day number.
pub(crate) fn date(days: f64) -> Option<Date> {
    let whole = days.floor();
    if !(-700_000.0..=2_900_000.0).contains(&whole) {
        return None;
    }
    let span = jiff::Span::new().try_days(whole as i64).ok()?;
    epoch().checked_add(span).ok()
}

pub(crate) fn first_of(year: i16, month: i8) -> Option<f64> {
    Date::new(year, month, 1)
        .ok()
        .map(|date| f64::from(day_number(date)))
}

/// As people write it: `16 Nov 2026`, with the time when there is one.
pub(crate) fn shown(days: f64) -> String {
    let Some(date) = date(days) else {
        return String::new();
    };
    let minutes = ((days - days.floor()) * MINUTES_OF_DAY).round() as i64;
    let day = format!(
        "{} {} {}",
        date.day(),
        month_name(date.month()),
        date.year()
    );
    if minutes == 0 {
        day
    } else {
        format!("{day} {:02}:{:02}", minutes / 60, minutes % 60)
    }
}

pub(crate) fn month_name(month: i8) -> &'static str {
    let names = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let index = usize::try_from(month - 1).unwrap_or_default();
    names.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_days() {
        for (text, expected) in [
            ("1970-01-01", Some(0.0)),
            ("2024-03-01", Some(19783.0)),
            ("2024-03", Some(19783.0)),
            ("2024-03-01T12:00:00Z", Some(19783.5)),
            ("2024-03-01 06:00", Some(19783.25)),
            ("2024-13-01", None),
            ("2024", None),
            ("not a date", None),
        ] {
            assert_eq!(days(text), expected, "{text}");
        }
        assert_eq!(shown(19783.25), "1 Mar 2024 06:00");
        assert_eq!(shown(1e18), "");
    }
}
