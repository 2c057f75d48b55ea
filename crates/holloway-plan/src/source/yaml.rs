//! How is YAML read? The parser's events go into the builder; what has no place
//! in a plan, such as tags and merge keys, is refused rather than guessed at.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::{Number, Value};

use super::build::Builder;
use super::flow::refuse_hoards;
use super::{Source, hinted, unreadable};
use crate::limits::Limits;
use crate::place::Position;
use crate::problem::Problem;

type Done = Result<(), Box<Problem>>;

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Source, Box<Problem>> {
    refuse_control_characters(text)?;
    refuse_hoards(text)?;
    let mut reader = Reader {
        builder: Builder::new(limits),
        documents: 0,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| scan_problem(&error))?;
        reader.take(event, span)?;
    }
    Ok(reader.builder.document())
}

fn scan_problem(error: &ScanError) -> Box<Problem> {
    let marker = error.marker();
    let at = Position {
        line: marker.line().max(1),
        column: marker.col() + 1,
    };
    hinted(
        unreadable(at, error.info()),
        "check indentation, quotes and colons around this place",
    )
}

/// They could hide from a person what a plan says.
fn refuse_control_characters(text: &str) -> Done {
    let allowed = |c: char| matches!(c, '\n' | '\r' | '\t' | '\u{85}');
    let Some((at, c)) = text
        .char_indices()
        .find(|(_, c)| c.is_control() && !allowed(*c))
    else {
        return Ok(());
    };
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |line| line.chars().count())
        + 1;
    let message = format!("the text holds the control character U+{:04X}", c as u32);
    Err(hinted(
        unreadable(Position { line, column }, message),
        "remove it, or write it as an escape in double quotes",
    ))
}

struct Reader<'a> {
    builder: Builder<'a>,
    documents: usize,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Done {
        let at = Position {
            line: span.start.line().max(1),
            column: span.start.col() + 1,
        };
        match event {
            Event::DocumentStart(_) => self.start_document(at),
            Event::SequenceStart(anchor, tag) => {
                refuse_tag(tag.as_ref(), at)?;
                self.builder.open_list(anchor, at)
            }
            Event::MappingStart(anchor, tag) => {
                refuse_tag(tag.as_ref(), at)?;
                self.builder.open_mapping(anchor, at)
            }
            Event::SequenceEnd | Event::MappingEnd => self.builder.close(),
            Event::Scalar(text, style, anchor, tag) => {
                refuse_tag(tag.as_ref(), at)?;
                let quoted =
                    style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.suffix == "str");
                self.scalar(text, quoted, anchor, at)
            }
            Event::Alias(anchor) => self.builder.alias(anchor, at),
            _ => Ok(()),
        }
    }

    fn start_document(&mut self, at: Position) -> Done {
        self.documents += 1;
        if self.documents > 1 {
            let problem = unreadable(at, "the file holds several documents");
            return Err(hinted(problem, "put one plan into one file"));
        }
        Ok(())
    }

    fn scalar(&mut self, text: Cow<'_, str>, quoted: bool, anchor: usize, at: Position) -> Done {
        if self.builder.expects_key() {
            if text == "<<" && !quoted {
                let problem = unreadable(at, "merge keys are not read");
                return Err(hinted(
                    problem,
                    "write the fields out, or repeat a whole value with an alias",
                ));
            }
            return self.builder.key(text.into_owned(), at);
        }
        let value = if quoted {
            Value::String(text.into_owned())
        } else {
            plain(&text)
        };
        self.builder.scalar(anchor, at, value)
    }
}

/// Tags can make other programs build objects; a plan is plain data.
fn refuse_tag(tag: Option<&Cow<'_, Tag>>, at: Position) -> Done {
    const KNOWN: [&str; 7] = ["str", "int", "float", "bool", "null", "seq", "map"];
    match tag {
        Some(tag) if !KNOWN.contains(&tag.suffix.as_str()) => {
            let shown: String = tag.suffix.chars().take(60).collect();
            let problem = unreadable(at, format!("the tag `{shown}` means nothing here"));
            Err(hinted(
                problem,
                "remove the tag; quote a text that begins with `!`",
            ))
        }
        _ => Ok(()),
    }
}

/// A plain scalar by the rules of YAML's core schema.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        return None;
    }
    if let Some(hex) = digits.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(Number::from);
    }
    if let Some(octal) = digits.strip_prefix("0o") {
        return u64::from_str_radix(octal, 8).ok().map(Number::from);
    }
    let whole = digits.parse::<i64>().ok().map(Number::from);
    let whole = whole.or_else(|| digits.parse::<u64>().ok().map(Number::from));
    whole.or_else(|| digits.parse::<f64>().ok().and_then(Number::from_f64))
}
