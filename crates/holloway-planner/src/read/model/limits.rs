//! Does the request say the limits that a model read in it? A time is a number with a word for a unit,
//! in many languages: what the model makes of it must be that time, in whatever unit.

use serde_json::{Map, Value};

use super::places::of;
use super::shapes::Shapes;
use crate::frame::{EntityKind, Frame};
use crate::read::check::{Trouble, unfit};

/// Seconds in a unit of time that a limit may be said in.
const UNITS: [f64; 4] = [0.001, 1.0, 60.0, 3_600.0];
const SAME: f64 = 1e-6;

/// Takes over the limits of an answer. What the request plainly says otherwise is told; what it says
/// without a number is taken and noted.
pub(super) fn put(
    fields: &Map<String, Value>,
    request: &str,
    frame: &mut Frame,
) -> Option<Trouble> {
    let said = fields.get("constraints").and_then(Value::as_object);
    for (field, value) in said.into_iter().flatten() {
        if !value.is_null() && !frame.constraints.add(field, value) {
            frame
                .notes
                .push(format!("`{field}: {value}` limits nothing, left out"));
        }
    }
    if let Some(money) = frame.constraints.money
        && !has_number(frame, |number| (number - money).abs() < SAME)
    {
        frame.notes.push(format!(
            "the limit of ${money} is as the model read it: the request has no such number"
        ));
    }
    let seconds = frame.constraints.seconds?;
    let times = times(request);
    if times
        .iter()
        .any(|(_, known)| (known - seconds).abs() < SAME)
    {
        return None;
    }
    if let Some((words, _)) = times.first() {
        frame.constraints.seconds = None;
        return Some(unfit(format!(
            "`seconds: {seconds}` is not the time that the request says: “{words}”"
        )));
    }
    if !has_number(frame, |number| is_of(number, seconds)) && !has_unit(request, seconds) {
        frame.notes.push(format!(
            "the limit of {seconds} s is as the model read it: the request has no such number"
        ));
    }
    None
}

/// Whether a number of some unit of time is so many seconds.
pub(super) fn is_of(number: f64, seconds: f64) -> bool {
    UNITS
        .iter()
        .any(|unit| (number * unit - seconds).abs() < SAME)
}

/// Whether a unit of so many seconds is named: "within a minute".
fn has_unit(request: &str, seconds: f64) -> bool {
    let lower = request.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphabetic());
    let units = &Shapes::table().durations;
    words.any(|word| {
        units
            .get(word)
            .is_some_and(|unit| (unit - seconds).abs() < SAME)
    })
}

fn has_number(frame: &Frame, fits: impl Fn(f64) -> bool) -> bool {
    let numbers = frame.entities.iter().filter(|entity| {
        matches!(
            entity.kind,
            EntityKind::Number | EntityKind::Quantity | EntityKind::Money
        )
    });
    let mut values = numbers.filter_map(|entity| entity.value.as_f64());
    values.any(fits)
}

/// Numbers with a word for a unit of time behind them: the words, and how many seconds that is.
fn times(request: &str) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(at) = request.get(start..).and_then(first_digit) {
        let from = start + at;
        let rest = request.get(from..).unwrap_or_default();
        let length = rest
            .find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != ',')
            .unwrap_or(rest.len());
        start = from + length;
        let digits = rest.get(..length).unwrap_or_default();
        let number = digits.trim_end_matches(['.', ',']).replace(',', ".");
        let behind = request.get(start..).unwrap_or_default();
        if let (Ok(number), Some((unit, seconds))) = (number.parse::<f64>(), unit_at(behind)) {
            let words = of(request, from..start + unit);
            found.push((words.text, number * seconds));
        }
    }
    found
}

fn first_digit(text: &str) -> Option<usize> {
    text.find(|letter: char| letter.is_ascii_digit())
}

/// The unit that a text begins with: how long it is, and its seconds. Scripts without blanks go on
/// behind the unit.
fn unit_at(text: &str) -> Option<(usize, f64)> {
    let bare = text.trim_start_matches([' ', '\u{a0}', '-']);
    let gap = text.len() - bare.len();
    let length = bare
        .find(|letter: char| !letter.is_alphabetic())
        .unwrap_or(bare.len());
    let word = bare.get(..length)?.to_lowercase();
    let units = &Shapes::table().durations;
    if let Some(seconds) = units.get(&word) {
        return Some((gap + length, *seconds));
    }
    let begins = units.iter().filter(|(unit, _)| {
        unit.chars().all(|letter| !has_blanks(letter)) && word.starts_with(unit.as_str())
    });
    let longest = begins.max_by_key(|(unit, _)| unit.len());
    longest.map(|(unit, seconds)| (gap + unit.len(), *seconds))
}

/// Whether a letter is of a script that puts blanks between words.
fn has_blanks(letter: char) -> bool {
    const FIRST_WITHOUT: char = '\u{2e80}';
    letter < FIRST_WITHOUT
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::frame_of;
    use crate::frame::scene::Scene;

    /// The limit that is taken, and what is said about it.
    #[track_caller]
    fn check(request: &str, constraints: serde_json::Value, expected: (Option<f64>, &str)) {
        let goal = json!({"act": "read", "sources": ["a.txt"]});
        let answer = json!({"language": "xx", "goals": [goal], "constraints": constraints});
        let (frame, troubles) = frame_of(&answer, request, &Scene::default()).unwrap();
        let told = format!("{troubles:?} {:?}", frame.notes);
        assert_eq!(frame.constraints.seconds, expected.0, "{request}");
        assert!(told.contains(expected.1), "{told}");
    }

    #[test]
    fn a_limit_is_the_time_that_the_request_says() {
        let seconds = |seconds: f64| json!({ "seconds": seconds });
        for (request, most) in [
            ("a.txt を20秒以内に読んで", 20.0),
            ("Lee a.txt en menos de 2 minutos", 120.0),
            ("Les a.txt på høyst 1,5 minutter", 90.0),
            ("read a.txt in 10 s", 10.0),
        ] {
            check(request, seconds(most), (Some(most), "[] []"));
            check(request, seconds(most * 60.0), (None, "is not the time"));
        }
        let unknown = "lue a.txt 20 sekunnissa";
        check(unknown, seconds(20.0), (Some(20.0), "[] []"));
        check(unknown, seconds(30.0), (Some(30.0), "no such number"));
        check(
            "read a.txt within a minute",
            seconds(60.0),
            (Some(60.0), "[] []"),
        );
        check(
            "read a.txt quickly",
            seconds(9.0),
            (Some(9.0), "no such number"),
        );
    }

    #[test]
    fn a_sum_of_money_is_noted_where_no_number_says_it() {
        let money = json!({"money": 0.01});
        check("read a.txt for $0.01", money.clone(), (None, "[] []"));
        check("read a.txt for a cent", money, (None, "the limit of $0.01"));
    }
}
