//! Which parts of the template language may plans use? Those whose work and
//! results stay within bounds, however the data they are given looks.

use std::fmt::{self, Write as _};
use std::io;
use std::sync::LazyLock;

use minijinja::value::{Rest, Value as Jinja, ValueKind, ValueOrKwargs};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior, filters};

use super::meter::{METER_FILTER, charge, metered, room, shallow, too_large};
use super::product::NUMBER_FILTER;

/// How much work one expression may do.
const FUEL: u64 = 200_000;
/// How much work a tool may do for a text: a second or two.
const LONG_FUEL: u64 = 5_000_000;

/// What a piece of a text takes, besides its letters, when it becomes a value of its own.
const PIECE: usize = 32;

/// Filters that can make much out of little, and that plans do not need.
const REMOVED_FILTERS: [&str; 9] = [
    "indent", "format", "batch", "slice", "zip", "chain", "pprint", "safe", "escape",
];
/// Functions that plans do not need; `range` could fill the memory long before the fuel is used up.
const REMOVED_FUNCTIONS: [&str; 4] = ["range", "debug", "namespace", "dict"];

/// The expression language, set up once.
pub(crate) static LANGUAGE: LazyLock<Environment<'static>> = LazyLock::new(|| language(FUEL));

/// The same for texts that a tool renders outside of the machine.
pub(crate) static LONG_TEXTS: LazyLock<Environment<'static>> =
    LazyLock::new(|| language(LONG_FUEL));

fn language(fuel: u64) -> Environment<'static> {
    let mut language = Environment::new();
    language.set_undefined_behavior(UndefinedBehavior::Strict);
    language.set_fuel(Some(fuel));
    language.set_recursion_limit(64);
    language.set_auto_escape_callback(|_| AutoEscape::None);
    for name in REMOVED_FUNCTIONS {
        language.remove_global(name);
    }
    for name in REMOVED_FILTERS {
        language.remove_filter(name);
    }
    language.add_filter(NUMBER_FILTER, number);
    language.add_filter(METER_FILTER, metered);
    language.add_filter("replace", replace);
    language.add_filter("join", join);
    language.add_filter("tojson", to_json);
    language.add_filter("string", string);
    for (name, plain) in making_filters() {
        language.add_filter(name, charged(name, plain));
    }
    language
}

/// Both sides of `*` go through this.
fn number(value: &Jinja) -> Result<Jinja, Error> {
    match value.kind() {
        ValueKind::Number | ValueKind::Bool => Ok(value.clone()),
        ValueKind::Undefined => Err(Error::from(ErrorKind::UndefinedError)),
        other => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("`*` takes numbers, found a {other}"),
        )),
    }
}

/// The filters of the language that make a text or a list out of their input.
fn making_filters() -> [(&'static str, Jinja); 18] {
    [
        ("capitalize", Jinja::from_function(filters::capitalize)),
        ("dictsort", Jinja::from_function(filters::dictsort)),
        ("groupby", Jinja::from_function(filters::groupby)),
        ("lines", Jinja::from_function(filters::lines)),
        ("list", Jinja::from_function(filters::list)),
        ("lower", Jinja::from_function(filters::lower)),
        ("map", Jinja::from_function(filters::map)),
        ("reject", Jinja::from_function(filters::reject)),
        ("rejectattr", Jinja::from_function(filters::rejectattr)),
        ("reverse", Jinja::from_function(filters::reverse)),
        ("select", Jinja::from_function(filters::select)),
        ("selectattr", Jinja::from_function(filters::selectattr)),
        ("sort", Jinja::from_function(filters::sort)),
        ("split", Jinja::from_function(filters::split)),
        ("title", Jinja::from_function(filters::title)),
        ("trim", Jinja::from_function(filters::trim)),
        ("unique", Jinja::from_function(filters::unique)),
        ("upper", Jinja::from_function(filters::upper)),
    ]
}

/// A filter of the language that first charges for what it makes.
fn charged(
    name: &'static str,
    plain: Jinja,
) -> impl Fn(&mut State, Rest<ValueOrKwargs>) -> Result<Jinja, Error> + Send + Sync + 'static {
    move |state: &mut State, arguments: Rest<ValueOrKwargs>| {
        let arguments = arguments.into_values();
        charge(state, cost(name, &arguments))?;
        plain.call(state, &arguments)
    }
}

/// What the result of a filter takes at most.
fn cost(name: &str, arguments: &[Jinja]) -> usize {
    let Some(input) = arguments.first() else {
        return 0;
    };
    let Some(text) = input.as_str() else {
        return shallow(input);
    };
    let between = arguments.get(1).and_then(Jinja::as_str);
    let pieces = match (name, between) {
        ("split", Some("")) | ("list", _) => text.len(),
        ("split", Some(between)) => text.matches(between).count() + 1,
        ("split", None) => text.split_whitespace().count(),
        ("lines", _) => text.lines().count(),
        _ => 0,
    };
    // A letter can take three times as much in capitals.
    let spelling = if text.is_ascii() { 1 } else { 3 };
    let own = text.len().saturating_mul(spelling);
    own.saturating_add(pieces.saturating_mul(PIECE))
}

fn replace(state: &mut State, text: &str, from: &str, to: &str) -> Result<String, Error> {
    let growth = to.len().saturating_sub(from.len());
    let longest = text
        .matches(from)
        .count()
        .saturating_mul(growth)
        .saturating_add(text.len());
    charge(state, longest)?;
    Ok(text.replace(from, to))
}

fn join(state: &mut State, list: &Jinja, between: Option<&str>) -> Result<String, Error> {
    let mut joined = Capped::new(room(state));
    for (index, item) in list.try_iter()?.enumerate() {
        let between = if index > 0 {
            between.unwrap_or_default()
        } else {
            ""
        };
        write!(joined, "{between}{item}").map_err(|_| too_large())?;
    }
    joined.charged_to(state)
}

/// The rest is for `indent`, as the template language has it.
fn to_json(state: &mut State, value: &Jinja, indent: Rest<Jinja>) -> Result<String, Error> {
    let mut json = Capped::new(room(state));
    let pretty = indent.first().is_some_and(Jinja::is_true);
    let written = if pretty {
        serde_json::to_writer_pretty(&mut json, value)
    } else {
        serde_json::to_writer(&mut json, value)
    };
    written.map_err(|_| {
        if json.full {
            too_large()
        } else {
            Error::new(ErrorKind::InvalidOperation, "not JSON")
        }
    })?;
    json.charged_to(state)
}

fn string(state: &mut State, value: &Jinja) -> Result<String, Error> {
    if value.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    let mut text = Capped::new(room(state));
    write!(text, "{value}").map_err(|_| too_large())?;
    text.charged_to(state)
}

/// Fills a template with blocks; the result may be much larger than template and data.
pub(crate) fn render(
    language: &Environment<'static>,
    text: &str,
    scope: Jinja,
    room: usize,
) -> Result<String, Error> {
    let mut filled = Capped::new(room);
    let template = language.template_from_named_str("template", text)?;
    let done = template.render_captured_to(scope, &mut filled).map(drop);
    done.map_err(|error| if filled.full { too_large() } else { error })?;
    Ok(filled.into_text())
}

/// Takes text up to the limit.
pub(crate) struct Capped {
    bytes: Vec<u8>,
    room: usize,
    full: bool,
}

impl Capped {
    pub(crate) fn new(room: usize) -> Self {
        Self {
            bytes: Vec::new(),
            room,
            full: false,
        }
    }

    /// The text, once the expression has paid for it.
    fn charged_to(self, state: &mut State) -> Result<String, Error> {
        charge(state, self.bytes.len())?;
        Ok(self.into_text())
    }

    fn take(&mut self, bytes: &[u8]) -> bool {
        self.full = self.full || self.bytes.len() + bytes.len() > self.room;
        if !self.full {
            // Doubling would take room for twice as much as there may be.
            let more = bytes.len().max(self.bytes.len() / 4).max(64);
            if self.bytes.capacity() - self.bytes.len() < bytes.len() {
                self.bytes.reserve_exact(more);
            }
            self.bytes.extend_from_slice(bytes);
        }
        !self.full
    }

    pub(crate) fn into_text(self) -> String {
        let mut bytes = self.bytes;
        bytes.shrink_to_fit();
        String::from_utf8(bytes)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned())
    }
}

impl fmt::Write for Capped {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.take(text.as_bytes()) {
            Ok(())
        } else {
            Err(fmt::Error)
        }
    }
}

impl io::Write for Capped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.take(bytes) {
            Ok(bytes.len())
        } else {
            Err(io::ErrorKind::FileTooLarge.into())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
