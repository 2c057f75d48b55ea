//! Which colour does a word have? None when the output is no terminal, when
//! `NO_COLOR` is set, or when the terminal knows none.
//!
//! Invariant: a colour code carries the seal of this process, a number that nobody else knows.
//! The gate lets sealed codes through and shows every other escape character as text.

use std::hash::{BuildHasher as _, RandomState};
use std::io::IsTerminal;
use std::sync::LazyLock;

/// The colours there are, as terminals know them, and what ends them.
const CODES: [&str; 6] = ["1;31", "32", "33", "36", "1", "2"];
const END: &str = "0";

/// Drawn anew in every process. Groups of four digits, as whoever measures the width of a text
/// expects of a colour.
static SEAL: LazyLock<String> = LazyLock::new(|| {
    let number = RandomState::new().hash_one("seal");
    let digits = (0..4).map(|group| format!("{:04}", (number >> (16 * group)) % 10_000));
    digits.collect::<Vec<_>>().join(";")
});

/// If a text that follows an escape character is one of our colours: its code, and what follows.
pub(super) fn sealed(text: &str) -> Option<(&str, &str)> {
    let (code, rest) = text.strip_prefix('[')?.split_once('m')?;
    let code = code.strip_suffix(SEAL.as_str())?.strip_suffix(';')?;
    (CODES.contains(&code) || code == END).then_some((code, rest))
}

/// Colours words, or leaves them as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    pub(crate) fn stderr() -> Self {
        Self::when(std::io::stderr().is_terminal())
    }

    pub(crate) fn stdout() -> Self {
        Self::when(std::io::stdout().is_terminal())
    }

    #[cfg(test)]
    pub(crate) fn off() -> Self {
        Self { on: false }
    }

    #[cfg(test)]
    pub(crate) fn always() -> Self {
        Self { on: true }
    }

    fn when(terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            on: terminal && !refused && !dumb,
        }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on {
            let seal = SEAL.as_str();
            format!("\u{1b}[{code};{seal}m{text}\u{1b}[{END};{seal}m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_takes_no_room() {
        let red = Paint::always().red("word");
        assert_eq!(console::measure_text_width(&red), 4);
        assert_eq!(console::strip_ansi_codes(&red), "word");
    }
}
