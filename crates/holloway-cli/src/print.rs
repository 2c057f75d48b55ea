//! Where do words leave the program? Results on stdout, everything else on
//! stderr, nowhere but here, and all of it through the gate: what comes from plans, tools, files
//! and servers cannot steer a terminal, at once or after a pipe. A reader that has gone away is
//! no error.
#![allow(clippy::print_stdout, clippy::print_stderr)] // the one place that prints

pub(crate) mod cards;
pub(crate) mod gate;
pub(crate) mod paint;
pub(crate) mod snippet;
pub(crate) mod table;
pub(crate) mod units;

use std::io::{self, IsTerminal as _, Write};

use holloway_plan::hidden;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{CliError, Exit, Told, Unsound};
use gate::gate;
use paint::Paint;

/// Text from plans and tools with every hidden character shown.
pub(crate) use holloway_plan::hidden::visible;

/// Prints a result.
pub(crate) fn result(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let text = gate(text, out.is_terminal());
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
    let mut out = Escaping(io::BufWriter::new(out));
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

/// Writes JSON with hidden characters as JSON escapes; each piece that is written is whole text.
struct Escaping<W>(W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_all(hidden::escaped(text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints a result as one line of data.
pub(crate) fn line(data: &impl Serialize) -> Result<(), CliError> {
    result(&compact(data))
}

/// Data on one line, hidden characters as JSON escapes.
pub(crate) fn compact(data: &impl Serialize) -> String {
    hidden::escaped(&serde_json::to_string(data).unwrap_or_default())
}

/// Data in lines, hidden characters as JSON escapes: the data is the same, and no reader of the
/// text can be steered by it.
pub(crate) fn pretty(data: &impl Serialize) -> String {
    hidden::escaped(&serde_json::to_string_pretty(data).unwrap_or_default())
}

/// Says something beside the result. If stderr is gone, there is nobody to tell.
pub(crate) fn note(text: &str) {
    let mut out = io::stderr().lock();
    let text = gate(text, out.is_terminal());
    let _ = writeln!(out, "{text}");
}

/// Asks for something on the line that is typed on.
pub(crate) fn ask(text: &str) {
    let mut out = io::stderr().lock();
    let text = gate(text, out.is_terminal());
    let _ = write!(out, "{text}").and_then(|()| out.flush());
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
        .map(|hint| format!("\n{} {}", paint.cyan("hint:"), indented(hint)))
        .unwrap_or_default();
    format!("{head}: {}{hint}", indented(&told.message))
}

/// Further lines stand in, so that none of them looks like a line of ours.
pub(crate) fn indented(text: &str) -> String {
    visible(text.trim_end()).replace('\n', "\n  ")
}

/// What somebody else asks: further lines stand behind a bar.
pub(crate) fn quoted(text: &str) -> String {
    visible(text.trim_end()).replace('\n', "\n  | ")
}

/// What `check --json` says about a plan that is not sound.
pub(crate) fn problems_data(unsound: &Unsound) -> Value {
    json!({"ok": false, "plan": unsound.name, "problems": unsound.problems})
}

/// Text from plans and tools on one line, cut to a length.
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
    fn one_line_is_one_line() {
        assert_eq!(one_line("a \n b\u{7}", 9), "a b\\x07");
        assert_eq!(one_line("abcdef", 4), "abc…");
        assert_eq!(one_line("a\u{2028}b\rc", 40), "a⟨U+2028⟩b\\x0dc");
    }

    #[test]
    fn an_error_cannot_forge_a_hint() {
        let CliError::Told(told) =
            CliError::usage("usage", "a\nhint: run evil").hint("b\u{1b}\nerror: c")
        else {
            panic!("it is told");
        };
        let text = told_text(&told, Paint::off());
        assert_eq!(
            text,
            "error[usage]: a\n  hint: run evil\nhint: b\\x1b\n  error: c"
        );
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
