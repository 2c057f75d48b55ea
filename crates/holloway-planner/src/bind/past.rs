//! What did past runs give? How often each argument of a tool was left out, taken from
//! the request, taken from which result, or always the same.

use std::hash::BuildHasher as _;

use holloway_search::words::{each_word, stem};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde_json::Value;

use crate::recall::PastRun;

/// Arguments of past runs, counted.
#[derive(Clone, Debug, Default)]
pub struct PastArguments {
    calls: FxHashMap<String, u32>,
    given: FxHashMap<(String, String), Given>,
}

#[derive(Clone, Debug, Default)]
struct Given {
    count: u32,
    said: u32,
    /// Values that the request did not say, with their counts.
    constants: Vec<Constant>,
    /// Tool and path of the result that was taken.
    joined: FxHashMap<(String, String), u32>,
}

#[derive(Clone, Debug)]
struct Constant {
    value: Value,
    count: u32,
    /// The requests that led to it, each once: the same one again shows nothing about others.
    requests: FxHashSet<u64>,
}

/// Beyond this many different values an argument is no constant.
const CONSTANTS_AT_MOST: usize = 32;

impl Given {
    fn keep(&mut self, value: &Value, asked: u64) {
        if let Some(known) = self.constants.iter_mut().find(|own| own.value == *value) {
            known.count += 1;
            known.requests.insert(asked);
        } else if self.constants.len() < CONSTANTS_AT_MOST {
            self.constants.push(Constant {
                value: value.clone(),
                count: 1,
                requests: FxHashSet::from_iter([asked]),
            });
        }
    }
}

impl PastArguments {
    /// Adds one run. An argument without a value was given, and nobody knows what.
    pub fn remember(&mut self, run: &PastRun) {
        let request = run.request.to_lowercase();
        let asked = FxBuildHasher.hash_one(words_of(&request));
        for (tool, arguments) in run.tools.iter().zip(&run.arguments) {
            *self.calls.entry(tool.clone()).or_default() += 1;
            for (name, value) in arguments {
                let given = self.given.entry((tool.clone(), name.clone())).or_default();
                given.count += 1;
                if value.is_null() {
                    continue;
                }
                if let Some((step, path)) = reference(value) {
                    let from = run.tools.get(step).cloned().unwrap_or_default();
                    *given.joined.entry((from, path)).or_default() += 1;
                } else if is_said(value, &request) {
                    given.said += 1;
                } else if !run.unchecked && !is_made_of(value, &request) {
                    // A setting is proposed again only where it is known to have served.
                    given.keep(value, asked);
                }
            }
        }
    }

    fn calls(&self, tool: &str) -> u32 {
        self.calls.get(tool).copied().unwrap_or_default()
    }

    fn given(&self, tool: &str, name: &str) -> Option<&Given> {
        self.given.get(&(tool.to_owned(), name.to_owned()))
    }

    /// Of all calls, and one more that is not known yet.
    fn share(&self, tool: &str, count: u32) -> f32 {
        count as f32 / (self.calls(tool) + 1) as f32
    }

    /// The most frequent values that no request said, with their shares.
    pub fn constants(&self, tool: &str, name: &str) -> Vec<(Value, f32)> {
        let Some(given) = self.given(tool, name) else {
            return Vec::new();
        };
        let mut constants: Vec<&Constant> = given.constants.iter().collect();
        constants.sort_by_key(|own| std::cmp::Reverse(own.count));
        let best = constants.into_iter().take(2);
        best.map(|own| (own.value.clone(), self.share(tool, own.count)))
            .collect()
    }

    /// How many different requests led to this value without saying it.
    pub fn times(&self, tool: &str, name: &str, value: &Value) -> usize {
        let given = self.given(tool, name);
        let mut constants = given.into_iter().flat_map(|given| &given.constants);
        let known = constants.find(|own| own.value == *value);
        known.map_or(0, |own| own.requests.len())
    }

    /// The share of calls that left it out; nothing for a tool never called.
    pub fn left_out(&self, tool: &str, name: &str) -> Option<f32> {
        let calls = self.calls(tool);
        let count = self.given(tool, name).map_or(0, |given| given.count);
        (calls > 0).then(|| self.share(tool, calls.saturating_sub(count)))
    }

    /// The share of calls that took it from the request.
    pub fn said(&self, tool: &str, name: &str) -> f32 {
        let said = self.given(tool, name).map_or(0, |given| given.said);
        self.share(tool, said)
    }

    /// The share of calls that took it from this place of a result.
    pub fn joined(&self, tool: &str, name: &str, from: &str, path: &str) -> f32 {
        let key = (from.to_owned(), path.to_owned());
        let joined = self
            .given(tool, name)
            .and_then(|given| given.joined.get(&key));
        self.share(tool, joined.copied().unwrap_or_default())
    }
}

/// `$var2.title$`, `{{step2.title}}`: the number of the step, from nought, and the path.
pub fn reference(value: &Value) -> Option<(usize, String)> {
    let text = value.as_str()?;
    let inner = text
        .strip_prefix("$var")
        .and_then(|rest| rest.strip_suffix('$'))
        .or_else(|| {
            text.strip_prefix("{{step")
                .and_then(|rest| rest.strip_suffix("}}"))
        })?;
    let (number, path) = inner.split_once('.').unwrap_or((inner, ""));
    let number: usize = number.trim().parse().ok()?;
    Some((number.checked_sub(1)?, path.trim().to_owned()))
}

fn is_said(value: &Value, said: &str) -> bool {
    match value {
        Value::String(text) => said.contains(&text.to_lowercase()),
        Value::Number(number) => says_number(said, &number.to_string()),
        _ => false,
    }
}

/// Whether a value is put together of words of the request, as the name of a column is that
/// it asked for: `average_salary`.
fn is_made_of(value: &Value, asked: &str) -> bool {
    let Value::String(text) = value else {
        return false;
    };
    let said: FxHashSet<String> = words_of(asked).iter().map(|word| stem(word)).collect();
    let words = words_of(text);
    // Short words stand everywhere.
    let mut told = words.iter().filter(|word| word.len() > 2);
    words.len() > 1 && told.any(|word| said.contains(&stem(word)))
}

fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// Whether a number stands in a request by itself: digits of a port, an address or a longer
/// number do not say it.
fn says_number(said: &str, number: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '/' | ':' | '_');
    said.match_indices(number).any(|(at, _)| {
        let before = said.get(..at).unwrap_or_default();
        let after = said.get(at + number.len()..).unwrap_or_default();
        let goes_on = after.starts_with(joins)
            || after
                .strip_prefix(['.', ','])
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        !goes_on && !before.ends_with(|c: char| joins(c) || c == '.')
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_is_said_only_by_itself() {
        let check = |request: &str, expected: bool| {
            assert_eq!(is_said(&json!(17), request), expected, "{request}");
        };
        check("find 17 key words", true);
        check("find its key words, limit=17.", true);
        check("17-inch screens below $17", true);
        check("fetch http://127.0.0.1:41724/page.html", false);
        check("fetch http://127.0.0.1:17/page.html", false);
        check("fetch http://127.0.0.17/", false);
        check("in 2017, 17.5 % or 1,170", false);
    }

    #[test]
    fn runs_are_counted() {
        let mut past = PastArguments::default();
        for city in ["Rome", "Graz", "Linz"] {
            past.remember(&PastRun {
                request: format!("weather in {city}"),
                tools: vec!["find".into(), "weather".into()],
                arguments: [
                    json!({"city": city}),
                    json!({"place": "$var1.id$", "units": "metric"}),
                ]
                .map(|it| it.as_object().unwrap().clone())
                .to_vec(),
                ..PastRun::default()
            });
        }
        assert_eq!(
            past.constants("weather", "units"),
            [(json!("metric"), 0.75)]
        );
        assert_eq!(past.constants("find", "city"), []);
        assert_eq!(past.said("find", "city"), 0.75);
        assert_eq!(past.joined("weather", "place", "find", "id"), 0.75);
        assert_eq!(past.left_out("weather", "units"), Some(0.0));
        assert_eq!(past.left_out("weather", "language"), Some(0.75));
        assert_eq!(past.left_out("unknown", "language"), None);
        assert_eq!(past.times("weather", "units", &json!("metric")), 3);
        assert_eq!(past.times("weather", "units", &json!("us")), 0);
    }

    #[test]
    fn what_belongs_to_one_request_is_no_habit() {
        let mut past = PastArguments::default();
        let mut remember = |request: &str| {
            let arguments = json!({"y": "average_salary", "theme": "dark"});
            past.remember(&PastRun {
                request: request.to_owned(),
                tools: vec!["chart".into()],
                arguments: vec![arguments.as_object().unwrap().clone()],
                ..PastRun::default()
            });
        };
        remember("bar chart of average salary by department");
        remember("Bar chart of average salary by department.");
        let times = |past: &PastArguments, name: &str, value: &str| {
            past.times("chart", name, &json!(value))
        };
        assert_eq!(past.constants("chart", "y"), []);
        assert_eq!(times(&past, "theme", "dark"), 1);
        let mut other = past.clone();
        other.remember(&PastRun {
            request: "pie chart of orders by status".to_owned(),
            tools: vec!["chart".into()],
            arguments: vec![json!({"theme": "dark"}).as_object().unwrap().clone()],
            ..PastRun::default()
        });
        assert_eq!(times(&other, "theme", "dark"), 2);
    }

    #[test]
    fn what_was_given_without_a_value_is_not_left_out() {
        let mut past = PastArguments::default();
        let arguments = json!({"url": null}).as_object().unwrap().clone();
        past.remember(&PastRun {
            tools: vec!["fetch".into()],
            arguments: vec![arguments],
            ..PastRun::default()
        });
        assert_eq!(past.left_out("fetch", "url"), Some(0.0));
        assert_eq!(past.constants("fetch", "url"), []);
    }
}
