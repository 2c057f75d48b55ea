//! Which day is it, how far is it to another, which day comes then? `date-info`,
//! `date-difference` and `date-shift`. Days are said as people say them.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::Clock as _;
use holloway_plan::tool::{Effect, ToolSpec};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Unit};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::Pure;
use super::{Tool, arguments};
use crate::clock::SystemClock;

mod said;

/// Further away, a calendar means little.
const FAR: i64 = 1_000_000;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(info_spec(), |given| info(given, today())),
        Pure::tool(difference_spec(), |given| difference(given, today())),
        Pure::tool(shift_spec(), |given| shift(given, today())),
    ]
}

/// The day that the clock of this machine shows.
fn today() -> Date {
    let passed = i64::try_from(SystemClock.now_ms()).unwrap_or_default();
    let now = Timestamp::from_millisecond(passed).unwrap_or(Timestamp::UNIX_EPOCH);
    now.to_zoned(TimeZone::system()).date()
}

fn day_schema(what: &str) -> Value {
    let forms = "2026-12-24, 24 December 2026, December 24, Friday, today, tomorrow, Christmas; without a year, the next such day";
    json!({"type": "string", "minLength": 1, "maxLength": 60, "description": format!("{what}: {forms}")})
}

fn info_spec() -> ToolSpec {
    Declaration {
        name: "date-info",
        title: "Look at a date",
        category: "data",
        description: "Tells what there is to know about a day: its weekday, week and place in the year. Use it for the day of the week of a date, for \
            today's date, or whether a year is a leap year. Returns date, weekday, week (ISO 8601), day_of_year, days_in_month, quarter \
            and leap_year.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(&[], json!({"date": day_schema("The day, today if left out")})),
        output: output(
            &["date", "weekday", "week", "day_of_year", "days_in_month", "quarter", "leap_year"],
            json!({
                "date": {"type": "string"},
                "weekday": {"type": "string"},
                "week": {"type": "integer"},
                "day_of_year": {"type": "integer"},
                "days_in_month": {"type": "integer"},
                "quarter": {"type": "integer"},
                "leap_year": {"type": "boolean"}
            }),
        ),
        example: json!({"date": "2026-12-24"}),
        does: &["weekday -> text:weekday with date=day"],
    }
    .builtin()
}

fn difference_spec() -> ToolSpec {
    Declaration {
        name: "date-difference",
        title: "Time between dates",
        category: "data",
        description: "Counts the days from one date to another, negative where the second comes first. Use it for how many days, weeks or months lie between two \
            dates, until a day or since one. Returns from, to, days, weeks (days / 7), months and years (whole ones).",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &[],
            json!({
                "from": day_schema("The first day, today if left out"),
                "to": day_schema("The last day, today if left out")
            }),
        ),
        output: output(
            &["from", "to", "days", "weeks", "months", "years"],
            json!({
                "from": {"type": "string"},
                "to": {"type": "string"},
                "days": {"type": "integer"},
                "weeks": {"type": "number"},
                "months": {"type": "integer"},
                "years": {"type": "integer"}
            }),
        ),
        example: json!({"from": "2026-01-05", "to": "2026-03-01"}),
        does: &["days_between -> number:days with from=since to=until"],
    }
    .builtin()
}

fn shift_spec() -> ToolSpec {
    let count = json!({"type": "integer", "minimum": -FAR, "maximum": FAR, "default": 0});
    Declaration {
        name: "date-shift",
        title: "Add to a date",
        category: "data",
        description: "Goes so many days, weeks, months or years on from a date, or back with negative numbers. Use it for deadlines and for the date \
            some days before or after another. A month that is too short ends on its last day. Returns date and weekday.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &[],
            json!({
                "date": day_schema("The day to start from, today if left out"),
                "days": count, "weeks": count, "months": count, "years": count
            }),
        ),
        output: output(
            &["date", "weekday"],
            json!({"date": {"type": "string"}, "weekday": {"type": "string"}}),
        ),
        example: json!({"date": "2026-11-16", "days": 30}),
        does: &["day_after -> text:date with date=day days=shift.days weeks=shift.weeks months=shift.months years=shift.years"],
    }
    .builtin()
}

fn day(text: Option<&str>, today: Date) -> Result<Date, ToolFailure> {
    let Some(text) = text else {
        return Ok(today);
    };
    said::day(text, today).ok_or_else(|| {
        let message = format!("`{text}` is no day that is understood");
        ToolFailure::invalid(message).with_hint("write it 2026-12-24")
    })
}

fn weekday(date: Date) -> String {
    let name = format!("{:?}", date.weekday());
    name.trim_start_matches("Weekday::").to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Info {
    date: Option<String>,
}

fn info(given: &Value, today: Date) -> Result<Value, ToolFailure> {
    let given: Info = arguments::parse(given)?;
    let date = day(given.date.as_deref(), today)?;
    Ok(json!({
        "date": date.to_string(),
        "weekday": weekday(date),
        "week": date.iso_week_date().week(),
        "day_of_year": date.day_of_year(),
        "days_in_month": date.days_in_month(),
        "quarter": (date.month() + 2) / 3,
        "leap_year": date.in_leap_year(),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Difference {
    from: Option<String>,
    to: Option<String>,
}

fn difference(given: &Value, today: Date) -> Result<Value, ToolFailure> {
    let given: Difference = arguments::parse(given)?;
    let from = day(given.from.as_deref(), today)?;
    let to = day(given.to.as_deref(), today)?;
    let whole = |unit: Unit| from.until((unit, to)).unwrap_or_default();
    let days = whole(Unit::Day).get_days();
    let mut result = Map::new();
    result.insert("from".to_owned(), json!(from.to_string()));
    result.insert("to".to_owned(), json!(to.to_string()));
    result.insert("days".to_owned(), json!(days));
    let weeks = if days % 7 == 0 {
        json!(days / 7)
    } else {
        json!((f64::from(days) / 7.0 * 100.0).round() / 100.0)
    };
    result.insert("weeks".to_owned(), weeks);
    result.insert("months".to_owned(), json!(whole(Unit::Month).get_months()));
    result.insert("years".to_owned(), json!(whole(Unit::Year).get_years()));
    Ok(Value::Object(result))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shift {
    date: Option<String>,
    #[serde(default)]
    days: i64,
    #[serde(default)]
    weeks: i64,
    #[serde(default)]
    months: i64,
    #[serde(default)]
    years: i64,
}

fn shift(given: &Value, today: Date) -> Result<Value, ToolFailure> {
    let given: Shift = arguments::parse(given)?;
    let start = day(given.date.as_deref(), today)?;
    let too_far = || ToolFailure::invalid("that day is beyond the calendar (years -9999 to 9999)");
    let span = Span::new()
        .try_days(given.days)
        .and_then(|span| span.try_weeks(given.weeks))
        .and_then(|span| span.try_months(given.months))
        .and_then(|span| span.try_years(given.years))
        .map_err(|_| too_far())?;
    let date = start.checked_add(span).map_err(|_| too_far())?;
    Ok(json!({ "date": date.to_string(), "weekday": weekday(date) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const TODAY: Date = date(2026, 11, 16);

    #[test]
    fn days_are_counted() {
        let check = |given: Value, days: i64, weeks: Value| {
            let found = difference(&given, TODAY).unwrap();
            assert_eq!(
                (&found["days"], &found["weeks"]),
                (&json!(days), &weeks),
                "{given}"
            );
        };
        check(
            json!({"from": "2026-01-05", "to": "2026-03-01"}),
            55,
            json!(7.86),
        );
        check(json!({"to": "Christmas"}), 39, json!(5.57));
        check(json!({"to": "2026-12-28"}), 42, json!(6));
        check(json!({"from": "2026-11-01"}), 15, json!(2.14));
        check(json!({"to": "2026-11-15"}), -1, json!(-0.14));
        check(
            json!({"from": "2024-01-01", "to": "2025-01-01"}),
            366,
            json!(52.29),
        );
    }

    #[test]
    fn a_day_is_known_and_moved() {
        let found = info(&json!({"date": "24 December 2026"}), TODAY).unwrap();
        assert_eq!(
            (&found["weekday"], &found["week"]),
            (&json!("Thursday"), &json!(52))
        );
        assert_eq!(info(&json!({}), TODAY).unwrap()["weekday"], "Monday");
        assert_eq!(
            info(&json!({"date": "2028-01-01"}), TODAY).unwrap()["leap_year"],
            true
        );
        let moved = |given: Value| shift(&given, TODAY).map(|it| it["date"].clone());
        assert_eq!(moved(json!({"days": 90})).unwrap(), "2027-02-14");
        assert_eq!(
            moved(json!({"date": "2026-01-31", "months": 1})).unwrap(),
            "2026-02-28"
        );
        assert_eq!(
            moved(json!({"date": "2026-03-01", "days": -1})).unwrap(),
            "2026-02-28"
        );
        assert!(moved(json!({"years": 900_000})).is_err());
        let failure = info(&json!({"date": "soon"}), TODAY).unwrap_err();
        assert!(failure.message.contains("`soon`"), "{}", failure.message);
    }
}
