//! Which arguments of a call may be remembered? Settings that a plan chose by itself: short
//! numbers, switches and words such as `en` or `metric`. Never what the request says, what
//! an input or a result gave, nor what names a person, a place or a key.

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_planner::catalogue::shape::Shape;
use holloway_planner::frame::Entity;
use holloway_planner::read::named;
use holloway_search::words::{each_word, stem};
use serde_json::Value;

use crate::secret_words::{List, speaks_of_secret};

/// Longer words are contents, not settings.
const LETTERS: usize = 24;
/// Larger numbers are ids, amounts and telephone numbers.
const LARGEST: f64 = 100_000.0;
/// A word with more digits than this is a number of something.
const DIGITS: usize = 4;

/// What the arguments of one run are held against.
pub(super) struct Said<'a> {
    request: String,
    entities: Vec<Entity>,
    uses: Vec<(String, String)>,
    is_secret: &'a dyn Fn(&str) -> bool,
}

impl<'a> Said<'a> {
    pub(super) fn of(request: &str, is_secret: &'a dyn Fn(&str) -> bool) -> Self {
        Self {
            entities: named(request),
            request: request.to_lowercase(),
            uses: Vec::new(),
            is_secret,
        }
    }

    /// With the texts in the arguments of all calls.
    pub(super) fn with_uses(mut self, uses: Vec<(String, String)>) -> Self {
        self.uses = uses;
        self
    }

    /// Whether the request says the value, or a part of it.
    fn says(&self, value: &Value) -> bool {
        let named = self.entities.iter().any(|entity| entity.value == *value);
        named || value.as_str().is_some_and(|text| self.holds(text))
    }

    fn holds(&self, text: &str) -> bool {
        // Two letters stand in every sentence: they count only as a word of their own.
        let text = text.to_lowercase();
        let mut whole = false;
        each_word(&self.request, |word| whole |= word == text);
        whole || (text.chars().count() > 2 && self.request.contains(&text)) || self.makes(&text)
    }

    /// Whether a name is put together of words of the request: `average_salary`.
    fn makes(&self, text: &str) -> bool {
        let mut said = Vec::new();
        each_word(&self.request, |word| said.push(stem(word)));
        let (mut words, mut known) = (0, 0);
        // Short words stand everywhere.
        each_word(text, |word| {
            words += 1;
            known += usize::from(word.len() > 2 && said.contains(&stem(word)));
        });
        words > 1 && known > 0
    }

    /// Whether the plan names something by this word in another place: a column that one
    /// call makes and the next one draws, say.
    fn names(&self, parameter: &str, text: &str) -> bool {
        let mut uses = self.uses.iter();
        uses.any(|(name, own)| own == text && name != parameter)
    }
}

/// Every text in the arguments of the calls, with the name that it stands under.
pub(super) fn uses(name: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((name.to_owned(), text.clone())),
        Value::Array(items) => items.iter().for_each(|item| uses(name, item, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                uses(name, value, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether this argument of a tool is a setting that may be remembered.
pub(super) fn may_be_kept(tool: &ToolSpec, name: &str, value: &Value, said: &Said<'_>) -> bool {
    let Some(shape) = Shape::of(&tool.input_schema).field(name) else {
        return false;
    };
    let chosen = shape.choices().contains(&value);
    tool.effect != Effect::Destructive
        && !is_sensitive(name, shape)
        && !said.says(value)
        && match value {
            // What a call that writes is allowed to do is decided each time.
            Value::Bool(_) => tool.effect != Effect::Write,
            Value::Number(number) => number.as_f64().is_some_and(|it| it.abs() <= LARGEST),
            Value::String(text) => {
                (chosen || is_setting(text) && !said.names(name, text))
                    && text.chars().count() <= LETTERS
                    && !(said.is_secret)(text)
            }
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
}

/// Whether a parameter holds what is nobody else's business.
fn is_sensitive(name: &str, shape: Shape<'_>) -> bool {
    let marked = |shape: Shape<'_>| {
        let mut marks = List::Marks.words().filter_map(|mark| shape.word(mark));
        marks.any(|mark| mark != &Value::Bool(false)) || List::Formats.has(shape.text("format"))
    };
    let mut telling = false;
    each_word(name, |word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        telling |= List::Telling.has(word) || List::Telling.has(one);
    });
    telling || speaks_of_secret(name) || marked(shape) || shape.forms().into_iter().any(marked)
}

/// A word such as `en-US`, `metric` or `last_30_days`; nothing with a place or a key in it.
fn is_setting(text: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(fits)
        && digits <= DIGITS
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const REQUEST: &str = "Find 12 shops in Graz for ann@example.com, in German, see https://a.example/x and “blue tents”";

    #[track_caller]
    fn check(name: &str, schema: Value, value: Value, expected: bool) {
        let tool = ToolSpec::named("x/find").with_effect(Effect::Read);
        let tool = tool.with_input(json!({"type": "object", "properties": {name: schema}}));
        let is_secret = |text: &str| text == "hunter";
        let said = Said::of(REQUEST, &is_secret);
        let kept = may_be_kept(&tool, name, &value, &said);
        assert_eq!(kept, expected, "{name}: {value}");
    }

    #[test]
    fn settings_are_kept() {
        let text = || json!({"type": "string"});
        check("limit", json!({"type": "integer"}), json!(25), true);
        check("language", text(), json!("en-US"), true);
        check(
            "units",
            json!({"enum": ["metric", "us"]}),
            json!("metric"),
            true,
        );
        check("sort", json!({"enum": ["a/b c"]}), json!("a/b c"), true);
        check("deep", json!({"type": "boolean"}), json!(true), true);
        check("ratio", json!({"type": "number"}), json!(0.5), true);
    }

    #[test]
    fn what_the_request_says_is_not() {
        let text = || json!({"type": "string"});
        check("limit", json!({"type": "integer"}), json!(12), false);
        check("region", text(), json!("Graz"), false);
        check("language", text(), json!("german"), false);
        check("style", text(), json!("tents"), false);
        check("kind", text(), json!("ann"), false);
        check("column", text(), json!("shop_count"), false);
        check("link", text(), json!("https://a.example/x"), false);
    }

    #[test]
    fn nor_what_tells_who_where_or_with_which_key() {
        let text = || json!({"type": "string"});
        check("mode", text(), json!("hunter"), false);
        check("mode", text(), json!("ghp_16C7e42F292c6912E7"), false);
        check("mode", text(), json!("out/report.pdf"), false);
        check("mode", text(), json!("bob@b.example"), false);
        check("mode", text(), json!("x".repeat(25)), false);
        check("mode", text(), json!("{{ a.b }}"), false);
        check(
            "mode",
            json!({"type": "string", "writeOnly": true}),
            json!("a"),
            false,
        );
        check(
            "mode",
            json!({"type": "string", "x-sensitive": "yes"}),
            json!("a"),
            false,
        );
        check(
            "mode",
            json!({"anyOf": [{"type": "string", "format": "password"}]}),
            json!("a"),
            false,
        );
        for name in [
            "api_key",
            "accessToken",
            "user_names",
            "pin",
            "path",
            "query",
        ] {
            check(name, json!({}), json!("a"), false);
            check(name, json!({}), json!(7), false);
        }
        check(
            "limit",
            json!({"type": "integer"}),
            json!(4_369_912_345_u64),
            false,
        );
        check("tags", json!({"type": "array"}), json!(["a"]), false);
        // What the schema does not know is no setting.
        let tool = ToolSpec::named("x/find");
        let said = Said::of("", &|_| false);
        assert!(!may_be_kept(&tool, "limit", &json!(1), &said));
    }

    #[test]
    fn nor_what_names_a_thing_of_this_plan() {
        let input = json!({"type": "object", "properties": {"y": {"type": "string"}}});
        let tool = ToolSpec::named("x/draw").with_input(input);
        let mut found = Vec::new();
        uses("", &json!({"figures": [{"as": "total"}]}), &mut found);
        uses("", &json!({"y": "total"}), &mut found);
        let said = Said::of("draw it", &|_| false).with_uses(found);
        assert!(!may_be_kept(&tool, "y", &json!("total"), &said));
        assert!(may_be_kept(&tool, "y", &json!("dark"), &said));
    }

    #[test]
    fn what_a_call_may_change_is_decided_each_time() {
        let kept = |effect: Effect, value: Value| {
            let input = json!({"type": "object", "properties": {"how": {}}});
            let tool = ToolSpec::named("x/do")
                .with_effect(effect)
                .with_input(input);
            may_be_kept(&tool, "how", &value, &Said::of("", &|_| false))
        };
        assert!(kept(Effect::Write, json!("draft")));
        assert!(!kept(Effect::Write, json!(true)));
        assert!(!kept(Effect::Destructive, json!("draft")));
    }
}
