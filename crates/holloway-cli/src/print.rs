//! Where do words leave the program? Results on stdout, everything else on
//! stderr, nowhere but here. A reader that has gone away is no error.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one place that prints

pub(crate) mod cards;
pub(crate) mod paint;
pub(crate) mod snippet;
pub(crate) mod table;
pub(crate) mod units;

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{CliError, Exit, Told, Unsound};
use paint::Paint;

/// Prints a result. Whatever reads a pipe gets it as it is; a terminal is not to be steered by it.
pub(crate) fn result(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() {
        Cow::from(only_colours(text))
    } else {
        Cow::from(text)
    };
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    written.map_err(|error| unwritten(&error))
}

fn unwritten(error: &io::Error) -> CliError {
    match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::Closed,
        _ => CliError::failed(
            "output-failed",
            format!("stdout cannot be written: {error}"),
        )
        .hint("check where the output is sent"),
    }
}

/// Prints a result as data, readable for people.
pub(crate) fn object(data: &impl Serialize) -> Result<(), CliError> {
    result(&pretty(data))
}

/// The same for data that is too large to be held as text. Only into a pipe or a file: a person at
/// a terminal cannot read that much.
pub(crate) fn stream(data: &impl Serialize) -> Result<(), CliError> {
    let out = io::stdout().lock();
    if out.is_terminal() {
        drop(out);
        return object(data);
    }
    let mut out = io::BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, data).map_err(|error| {
        if error.is_io() {
            return unwritten(&error.into());
        }
        CliError::failed("store-damaged", error.to_string())
            .hint("restore the data folder from a copy")
    })?;
    let written = writeln!(out).and_then(|()| out.flush());
    written.map_err(|error| unwritten(&error))
}

/// Prints a result as one line of data.
pub(crate) fn line(data: &impl Serialize) -> Result<(), CliError> {
    result(&serde_json::to_string(data).unwrap_or_default())
}

pub(crate) fn pretty(data: &impl Serialize) -> String {
    serde_json::to_string_pretty(data).unwrap_or_default()
}

/// Says something beside the result. If stderr is gone, there is nobody to tell. Whatever it is
/// made of, nothing but colours reaches the terminal.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", only_colours(text));
}

/// The text without codes that do more than colour it.
fn only_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut shown = visible(parts.next().unwrap_or_default());
    for part in parts {
        let code = part.strip_prefix('[').and_then(|rest| rest.split_once('m'));
        let is_colour = code.is_some_and(|(code, _)| {
            code.len() <= 8 && code.chars().all(|c| c.is_ascii_digit() || c == ';')
        });
        shown.push(if is_colour { '\u{1b}' } else { '\u{fffd}' });
        shown.push_str(&visible(part));
    }
    shown
}

/// Reports an error and says how the program ends.
pub(crate) fn error(error: &CliError, json: bool) -> Exit {
    match error {
        CliError::Closed => Exit::Done,
        CliError::Interrupted => Exit::Interrupted,
        CliError::Told(told) if json => {
            let _ = line(&json!({"error": as_data(told)}));
            told.exit
        }
        CliError::Told(told) => {
            note(&told_text(told, Paint::stderr()));
            told.exit
        }
        CliError::Plan(unsound) if json => {
            let _ = object(&problems_data(unsound));
            Exit::Usage
        }
        CliError::Plan(unsound) => {
            note(&snippet::all(unsound, Paint::stderr()));
            Exit::Usage
        }
    }
}

/// An error as part of a result.
pub(crate) fn error_data(error: &CliError) -> Value {
    match error {
        CliError::Told(told) => as_data(told),
        CliError::Plan(unsound) => problems_data(unsound),
        CliError::Closed | CliError::Interrupted => Value::Null,
    }
}

fn as_data(told: &Told) -> Value {
    json!({"code": told.code, "message": told.message, "hint": told.hint})
}

fn told_text(told: &Told, paint: Paint) -> String {
    let head = paint.red(&format!("error[{}]", told.code));
    let hint = told
        .hint
        .as_ref()
        .map(|hint| format!("\n{} {}", paint.cyan("hint:"), visible(hint)))
        .unwrap_or_default();
    format!("{head}: {}{hint}", visible(&told.message))
}

/// What `check --json` says about a plan that is not sound.
pub(crate) fn problems_data(unsound: &Unsound) -> Value {
    json!({"ok": false, "plan": unsound.name, "problems": unsound.problems})
}

/// Text from plans and tools without the characters that could steer a terminal.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() || is_steering(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Characters that reorder the text around them.
fn is_steering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The same on one line, cut to a length.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let text = visible(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if text.chars().count() <= most {
        return text;
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Where keys stand, only names of secrets are shown.
pub(crate) fn hide_keys(value: &mut Value) {
    let Some(fields) = value.as_object_mut() else {
        return;
    };
    for (name, field) in fields {
        match field {
            Value::Object(texts) if ["env", "headers", "auth"].contains(&name.as_str()) => {
                for text in texts.values_mut() {
                    if !text.as_str().is_some_and(|text| text.contains("${")) {
                        *text = Value::from("‹hidden›");
                    }
                }
            }
            other => hide_keys(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_printed_can_steer_the_terminal() {
        assert_eq!(
            visible("a\u{1b}[2Jb\u{9b}c\r\u{202e}d\n"),
            "a\u{fffd}[2Jb\u{fffd}c\u{fffd}\u{fffd}d\n"
        );
        assert_eq!(one_line("a \n b\u{7}", 9), "a b\u{fffd}");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn a_note_keeps_its_colours_and_nothing_else() {
        let red = "\u{1b}[1;31mred\u{1b}[0m";
        assert_eq!(only_colours(red), red);
        assert_eq!(
            only_colours("a\u{1b}[2Jb\u{1b}]0;t\u{7}"),
            "a\u{fffd}[2Jb\u{fffd}]0;t\u{fffd}"
        );
        assert_eq!(
            only_colours("\u{1b}cm \u{1b}[9;9Hm"),
            "\u{fffd}cm \u{fffd}[9;9Hm"
        );
    }

    #[test]
    fn hints_cannot_steer_it_either() {
        let CliError::Told(told) = CliError::usage("usage", "a").hint("b\u{1b}") else {
            panic!("it is told");
        };
        let text = told_text(&told, Paint::off());
        assert_eq!(text, "error[usage]: a\nhint: b\u{fffd}");
    }

    #[test]
    fn typed_keys_are_hidden_and_names_are_shown() {
        let mut value = json!({
            "mcp.a": {"env": {"KEY": "abc", "NAMED": "${KEY}"}, "args": ["x"]},
            "value": {"headers": {"A": "b"}},
        });
        hide_keys(&mut value);
        let expected = json!({
            "mcp.a": {"env": {"KEY": "‹hidden›", "NAMED": "${KEY}"}, "args": ["x"]},
            "value": {"headers": {"A": "‹hidden›"}},
        });
        assert_eq!(value, expected);
    }
}
