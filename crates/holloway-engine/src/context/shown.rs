//! How do results and steps stand in a context? Short, on as few lines as possible, and fenced where
//! others wrote them.

use std::io;

use holloway_plan::size::{exceeds, size};
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use crate::model::fence::{fenced, line, visible};
use crate::model::signature::{Detail, card};

/// A result of at most so many characters; the handle leads to the rest.
pub fn result(name: &str, value: &Value, most: usize, handle: Option<&str>) -> String {
    const LONGEST_CHARACTER: usize = 4;
    if !exceeds(value, 16 * LONGEST_CHARACTER * most) {
        let whole = text_of(value);
        if whole.chars().count() <= most {
            return fenced(&format!("result of {name}"), &whole);
        }
    }
    let (short, bytes) = (brief(value, most), json_bytes(value));
    let label = match handle {
        Some(handle) => format!("result of {name}, handle {handle}, {bytes} bytes"),
        None => format!("result of {name}, the beginning of {bytes} bytes"),
    };
    fenced(&label, &short)
}

/// The size of a value as JSON. Of large ones it is estimated: writing them out would cost more than
/// the number tells.
pub fn json_bytes(value: &Value) -> u64 {
    const LARGE: usize = 1 << 20;
    if exceeds(value, LARGE) {
        return size(value) as u64;
    }
    let mut written = Written(0);
    // Nothing can go wrong where nothing is kept.
    let _ = serde_json::to_writer(&mut written, value);
    written.0
}

/// Counts what is written.
struct Written(u64);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stretch of a result, from a character on.
pub fn stretch(name: &str, value: &Value, from: usize, most: usize) -> String {
    let whole = text_of(value);
    let length = whole.chars().count();
    let from = from.min(length);
    let part: String = whole.chars().skip(from).take(most).collect();
    let to = (from + part.chars().count()).min(length);
    fenced(
        &format!("result of {name}, characters {from} to {to} of {length}"),
        &part,
    )
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text),
        other => visible(&other.to_string()),
    }
}

/// The shape of a large value: every field, long texts and lists cut.
pub fn brief(value: &Value, most: usize) -> String {
    let mut longest = most;
    loop {
        let text = text_of(&cut(value, longest, 0));
        if text.chars().count() <= most || longest < 8 {
            return text.chars().take(most).collect();
        }
        longest /= 2;
    }
}

/// Levels of a value that are shown in brief.
const DEEPEST: usize = 4;

fn cut(value: &Value, longest: usize, depth: usize) -> Value {
    let items = (longest / 40).clamp(1, 8);
    match value {
        Value::String(text) => {
            // Only the beginning is looked at, however long the text is.
            let start: String = text.chars().take(longest + 1).collect();
            Value::String(line(&start, longest))
        }
        Value::Array(all) if depth >= DEEPEST => Value::from(format!("[{} items]", all.len())),
        Value::Array(all) => {
            let shown = all.iter().take(items);
            let mut shown: Vec<Value> = shown
                .map(|item| cut(item, longest / 2, depth + 1))
                .collect();
            if all.len() > items {
                shown.push(Value::from(format!("… {} items in all", all.len())));
            }
            Value::Array(shown)
        }
        Value::Object(fields) if depth >= DEEPEST => {
            Value::from(format!("{{{} fields}}", fields.len()))
        }
        Value::Object(fields) => {
            let shown = fields.iter().take(items * 3);
            shown
                .map(|(name, field)| (name.clone(), cut(field, longest / 2, depth + 1)))
                .collect()
        }
        other => other.clone(),
    }
}

/// A tool with its parameters.
pub fn signature(tool: &ToolSpec) -> String {
    card(tool, Detail::Full)
}

/// A tool on one line.
pub fn one_line(tool: &ToolSpec) -> String {
    let about = tool.description.split(". ").next().unwrap_or_default();
    let about = about.trim_end_matches('.');
    format!(
        "- {} ({}): {}",
        line(tool.id.name(), 80),
        tool.effect,
        line(about, 110)
    )
}
