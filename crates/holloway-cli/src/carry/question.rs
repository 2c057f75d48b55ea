//! How is a question put to a person? With everything the answer is about: the
//! tool, what it does to the world, the exact arguments, the fields to fill in.

use holloway_engine::entry::{About, Question, RunId};

use serde_json::Value;

use super::form;
use crate::print::paint::Paint;
use crate::print::{one_line, pretty, quoted, visible};

/// Items of a list and letters of a text that a question shows.
const ITEMS: usize = 5;
const LETTERS: usize = 1_000;

/// The question as a block of text.
pub(crate) fn describe(question: &Question, paint: Paint) -> String {
    let tool = question
        .tool
        .as_ref()
        .map(|tool| one_line(tool.as_str(), LETTERS))
        .unwrap_or_default();
    let effect = question
        .effect
        .map(|effect| format!(" ({effect})"))
        .unwrap_or_default();
    let head = paint.yellow(&format!("? {}", question.approval));
    let mut lines = vec![format!("{head} {}", paint.bold(&quoted(&question.text)))];
    if question.about == About::Tool {
        lines.push(format!("  asked by   {tool}{effect}"));
        lines.extend(fields(question));
        return lines.join("\n");
    }
    if !tool.is_empty() {
        lines.push(format!("  tool       {tool}{effect}"));
    }
    let word = if question.about == About::Step {
        "shown"
    } else {
        "arguments"
    };
    let all = "`holloway runs show RUN --json` has all of it";
    lines.extend(value_lines(word, &question.arguments, all, paint));
    lines.extend(changes(question));
    lines.join("\n")
}

/// The line about the file that the call would change, where the words do not name it.
fn changes(question: &Question) -> Option<String> {
    let file = question.file.as_deref()?;
    let is_told = question.text.contains(file);
    let place = if question.sensitive {
        ", which is in a sensitive place"
    } else {
        ""
    };
    (!is_told).then(|| format!("  {:<10} {}{place}", "changes", visible(file)))
}

/// The arguments as a person has changed them, before the call is made with them.
pub(super) fn describe_changed(arguments: &Value, paint: Paint) -> String {
    let all = "`e` shows all of it";
    value_lines("changed to", arguments, all, paint).join("\n")
}

/// A value beside the word for what it is; where parts of it are cut, where all of it is.
fn value_lines(word: &str, value: &Value, all: &str, paint: Paint) -> Vec<String> {
    let brief = brief(value);
    let text = visible(&pretty(&brief));
    let mut text = text.lines();
    let first = text.next().unwrap_or_default();
    let mut lines = vec![format!("  {word:<10} {first}")];
    lines.extend(text.map(|line| format!("  {:<10} {line}", "")));
    if brief != *value {
        let cut = format!("long parts are cut; {all}");
        lines.push(format!("  {:<10} {}", "", paint.dim(&cut)));
    }
    lines
}

/// As much of a value as a person reads: of long lists the first items, of long texts the
/// beginning, each with how much more there is.
fn brief(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.char_indices().nth(LETTERS) {
            Some((end, _)) => {
                let more = text.chars().count() - LETTERS;
                let start = text.get(..end).unwrap_or_default();
                Value::from(format!("{start}… and {more} more letters"))
            }
            None => value.clone(),
        },
        Value::Array(items) => {
            let mut shown: Vec<Value> = items.iter().take(ITEMS).map(brief).collect();
            if let Some(more @ 1..) = items.len().checked_sub(ITEMS) {
                shown.push(Value::from(format!("… and {more} more")));
            }
            Value::Array(shown)
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            Value::Object(
                fields
                    .map(|(name, field)| (name.clone(), brief(field)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// What a tool wants to know, a line for each field.
fn fields(question: &Question) -> Vec<String> {
    let fields = question.schema.as_deref().map(form::fields);
    let lines = fields.iter().flatten();
    lines.map(|field| format!("  {}", field.text())).collect()
}

/// The same, with how to answer from another terminal.
pub(super) fn from_elsewhere(question: &Question, run: &RunId, paint: Paint) -> String {
    format!("{}\n{}", describe(question, paint), ways(question, run))
}

/// The commands that answer a question.
pub(crate) fn ways(question: &Question, run: &RunId) -> String {
    let approval = &question.approval;
    let (yes, no) = match question.about {
        About::Call | About::Step => ("answer", "or"),
        About::Failure | About::Doubt => ("call again", "or fail"),
        About::Tool => ("answer", "or decline"),
    };
    let done = match question.about {
        About::Call | About::Step => String::new(),
        About::Tool if fields(question).is_empty() => String::new(),
        About::Tool => " --edit JSON".to_owned(),
        About::Failure | About::Doubt => {
            format!(
                "\n  {:<10} holloway runs approve {run} {approval} --done JSON",
                "or done"
            )
        }
    };
    format!(
        "  {yes:<10} holloway runs approve {run} {approval}{done}\n  {no:<10} holloway runs deny {run} {approval}"
    )
}

/// The keys that answer a question; of a call with other arguments, whether it is made with them.
pub(super) fn keys(question: &Question, is_changed: bool, paint: Paint) -> String {
    let key = |key: &str, rest: &str| format!("{}{rest}", paint.bold(&format!("[{key}]")));
    let keys = match question.about {
        About::Call if is_changed => vec![
            key("y", "es, with the changed arguments"),
            key("n", "o"),
            key("e", "dit again"),
        ],
        About::Call => vec![
            key("y", "es"),
            key("n", "o"),
            key("e", "dit"),
            key("a", "ll yes"),
        ],
        About::Step => vec![key("y", "es"), key("n", "o"), key("a", "ll yes")],
        About::Tool => vec![key("a", "nswer"), key("d", "ecline"), key("c", "ancel")],
        About::Failure | About::Doubt => {
            vec![
                key("a", "gain"),
                key("d", "one: give the result"),
                key("f", "ail"),
            ]
        }
    };
    format!(
        "{} {}",
        paint.yellow(&format!("{}?", question.approval)),
        keys.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_long_is_cut() {
        let short = json!({"rows": [1, 2, 3, 4, 5], "text": "é".repeat(LETTERS)});
        assert_eq!(brief(&short), short);
        let long = json!({"rows": [1, 2, 3, 4, 5, 6, 7], "text": "é".repeat(LETTERS + 2)});
        let text = format!("{}… and 2 more letters", "é".repeat(LETTERS));
        assert_eq!(
            brief(&long),
            json!({"rows": [1, 2, 3, 4, 5, "… and 2 more"], "text": text})
        );
    }
}
