//! What do the questions about data answer? Reads one JSON object per line,
//! `{"tool": "data-describe", "arguments": {…}}`, and writes one answer per line:
//! `{"ok": …}` or `{"error": "…"}`. For comparing with other programs.

use std::io::{self, BufRead, BufWriter, Write};

use holloway_data::question::ask_by_name;
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", answer(&line?))?;
    }
    out.flush()
}

fn answer(line: &str) -> Value {
    let asked: Value = match serde_json::from_str(line) {
        Ok(asked) => asked,
        Err(error) => return json!({ "error": format!("not JSON: {error}") }),
    };
    let tool = asked
        .get("tool")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let nothing = Value::Null;
    let arguments = asked.get("arguments").unwrap_or(&nothing);
    match ask_by_name(tool, arguments) {
        None => json!({ "error": format!("no tool `{tool}`") }),
        Some(Ok(value)) => json!({ "ok": value }),
        Some(Err(error)) => json!({ "error": error.message }),
    }
}
