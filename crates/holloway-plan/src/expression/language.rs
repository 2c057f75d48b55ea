//! Which parts of the template language may plans use? Those whose work and
//! results stay within bounds, however the data they are given looks.

use std::fmt::{self, Write as _};
use std::io;
use std::sync::LazyLock;

use minijinja::value::{Rest, Value as Jinja, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior};

use super::product::NUMBER_FILTER;

/// How much work one expression may do.
const FUEL: u64 = 200_000;
/// Bytes that a filter or a template may make.
const LARGEST: usize = 16 << 20;

/// Filters that can make much out of little, and that plans do not need.
const REMOVED_FILTERS: [&str; 9] = [
    "indent", "format", "batch", "slice", "zip", "chain", "pprint", "safe", "escape",
];
/// Functions that plans do not need; `range` could fill the memory long before the fuel is used up.
const REMOVED_FUNCTIONS: [&str; 4] = ["range", "debug", "namespace", "dict"];

/// The expression language, set up once.
pub(crate) static LANGUAGE: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut language = Environment::new();
    language.set_undefined_behavior(UndefinedBehavior::Strict);
    language.set_fuel(Some(FUEL));
    language.set_recursion_limit(64);
    language.set_auto_escape_callback(|_| AutoEscape::None);
    for name in REMOVED_FUNCTIONS {
        language.remove_global(name);
    }
    for name in REMOVED_FILTERS {
        language.remove_filter(name);
    }
    language.add_filter(NUMBER_FILTER, number);
    language.add_filter("replace", replace);
    language.add_filter("join", join);
    language.add_filter("tojson", to_json);
    language.add_filter("string", string);
    language
});

fn too_large() -> Error {
    Error::new(
        ErrorKind::InvalidOperation,
        format!("the result has more than {LARGEST} bytes"),
    )
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

fn replace(text: &str, from: &str, to: &str) -> Result<String, Error> {
    let growth = to.len().saturating_sub(from.len());
    let longest = text
        .matches(from)
        .count()
        .saturating_mul(growth)
        .saturating_add(text.len());
    if longest > LARGEST {
        Err(too_large())
    } else {
        Ok(text.replace(from, to))
    }
}

fn join(list: &Jinja, between: Option<&str>) -> Result<String, Error> {
    let mut joined = Capped::default();
    for (index, item) in list.try_iter()?.enumerate() {
        let between = if index > 0 {
            between.unwrap_or_default()
        } else {
            ""
        };
        write!(joined, "{between}{item}").map_err(|_| too_large())?;
    }
    Ok(joined.into_text())
}

/// The rest is for `indent`, as the template language has it.
fn to_json(value: &Jinja, indent: Rest<Jinja>) -> Result<String, Error> {
    let mut json = Capped::default();
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
    Ok(json.into_text())
}

fn string(value: &Jinja) -> Result<String, Error> {
    if value.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    let mut text = Capped::default();
    write!(text, "{value}").map_err(|_| too_large())?;
    Ok(text.into_text())
}

/// Fills a template with blocks; the result may be much larger than template and data.
pub(crate) fn render(text: &str, scope: Jinja) -> Result<String, Error> {
    let mut filled = Capped::default();
    let template = LANGUAGE.template_from_named_str("template", text)?;
    let done = template.render_captured_to(scope, &mut filled).map(drop);
    done.map_err(|error| if filled.full { too_large() } else { error })?;
    Ok(filled.into_text())
}

/// Takes text up to the limit.
#[derive(Default)]
struct Capped {
    bytes: Vec<u8>,
    full: bool,
}

impl Capped {
    fn take(&mut self, bytes: &[u8]) -> bool {
        self.full = self.full || self.bytes.len() + bytes.len() > LARGEST;
        if !self.full {
            self.bytes.extend_from_slice(bytes);
        }
        !self.full
    }

    fn into_text(self) -> String {
        String::from_utf8(self.bytes)
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
