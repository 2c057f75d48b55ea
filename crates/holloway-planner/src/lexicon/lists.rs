//! Which words stand in the lists of the language? Names for lists in `data/en/`, to be used like
//! slices: code names a list, the file has the words.

use std::ops::Deref;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;
use toml::{Table as Toml, Value};

/// The files that lists stand in; no two have a section of the same name.
pub const FILES: [&str; 5] = [
    include_str!("../../data/en/other.toml"),
    include_str!("../../data/en/entities.toml"),
    include_str!("../../data/en/parameters.toml"),
    include_str!("../../data/web.toml"),
    include_str!("../../data/zones.toml"),
];

static WRITTEN: LazyLock<Toml> = LazyLock::new(|| {
    // A test reads them; a file that is broken has no lists.
    let files = FILES.iter().filter_map(|file| file.parse::<Toml>().ok());
    files.flatten().collect()
});

/// What stands under `section.name`, with its section.
fn written(name: &str) -> Option<(&'static Toml, &'static Value)> {
    let (section, list) = name.split_once('.')?;
    let section = WRITTEN.get(section).and_then(Value::as_table);
    let found = section.and_then(|section| Some((section, section.get(list)?)));
    debug_assert!(found.is_some(), "`{name}` stands in no file");
    found
}

/// The words of a text, or the texts of a list.
fn items(value: &'static Value) -> Vec<&'static str> {
    match value {
        Value::String(text) => text.split_whitespace().collect(),
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Declares a name for something in the files, which is read when it is first used.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $item:ty, $read:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name {
            name: &'static str,
            read: OnceLock<Vec<$item>>,
        }

        impl $name {
            pub const fn named(name: &'static str) -> Self {
                Self {
                    name,
                    read: OnceLock::new(),
                }
            }
        }

        impl Deref for $name {
            type Target = [$item];

            fn deref(&self) -> &[$item] {
                let read: fn(&'static Toml, &'static Value) -> Vec<$item> = $read;
                let found = || written(self.name).map(|(section, value)| read(section, value));
                self.read.get_or_init(|| found().unwrap_or_default())
            }
        }
    };
}

named!(
    /// Words, written one after the other, or texts in a list.
    List,
    &'static str,
    |_, value| items(value)
);
named!(
    /// Several lists.
    Rows,
    Vec<&'static str>,
    |_, value| value.as_array().into_iter().flatten().map(items).collect()
);
named!(
    /// A list for each key.
    Table,
    (&'static str, Vec<&'static str>),
    |_, value| {
        let rows = value.as_table().into_iter().flatten();
        rows.map(|(key, own)| (key.as_str(), items(own))).collect()
    }
);
named!(
    /// A text for each key.
    Pairs,
    (&'static str, &'static str),
    |_, value| {
        let rows = value.as_table().into_iter().flatten();
        rows.filter_map(|(key, own)| Some((key.as_str(), own.as_str()?)))
            .collect()
    }
);
named!(
    /// Regular expressions, where a list of words does not do. In them, `{name}` stands for one of
    /// the words in the list of this name in the same section.
    Patterns,
    Regex,
    |section, value| {
        let texts = match value {
            Value::String(text) => vec![text.as_str()],
            other => items(other),
        };
        let rules = texts.iter().map(|text| Regex::new(&filled(section, text)));
        rules.filter_map(Result::ok).collect()
    }
);

fn filled(section: &'static Toml, pattern: &str) -> String {
    let mut filled = pattern.to_owned();
    for (name, list) in section {
        let words = || match list {
            Value::Table(rows) => rows.keys().map(String::as_str).collect(),
            other => items(other),
        };
        let hole = format!("{{{name}}}");
        if filled.contains(&hole) {
            filled = filled.replace(&hole, &words().join("|"));
        }
    }
    filled
}

impl Table {
    /// The list of a key.
    pub fn of(&self, key: &str) -> &[&'static str] {
        let found = self.iter().find(|(own, _)| *own == key);
        found.map_or(&[], |(_, items)| items)
    }
}

impl Pairs {
    /// The text of a key.
    pub fn of(&self, key: &str) -> Option<&'static str> {
        let found = self.iter().find(|(own, _)| *own == key);
        found.map(|(_, text)| *text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_read_and_no_section_stands_twice() {
        let mut sections: Vec<String> = Vec::new();
        for file in FILES {
            let file: Toml = file.parse().expect("a file of lists");
            for section in file.keys() {
                assert!(!sections.contains(section), "{section}");
                sections.push(section.clone());
            }
        }
    }

    #[test]
    fn every_pattern_is_a_regular_expression() {
        let hole = Regex::new(r"\{[a-z_]+\}").unwrap();
        let sections = WRITTEN.values().filter_map(Value::as_table);
        let mut count = 0;
        for (section, value) in sections.flat_map(|it| it.values().map(move |value| (it, value))) {
            let texts = match value {
                Value::String(text) => vec![text.as_str()],
                other => items(other),
            };
            for text in texts.into_iter().filter(|text| text.contains("(?")) {
                let pattern = filled(section, text);
                assert!(Regex::new(&pattern).is_ok(), "{pattern}");
                assert!(!hole.is_match(&pattern), "{pattern}");
                count += 1;
            }
        }
        assert!(count > 10, "{count}");
    }
}
