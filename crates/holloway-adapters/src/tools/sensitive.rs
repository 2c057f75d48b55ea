//! Which places hold keys, or are run or trusted by other programs? The list is data
//! (`data/sensitive.toml`); a path is compared part by part, in any case of letters.
//! Invariant: without a readable list every place is sensitive.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;

use super::protected::{plain, resolved};

const LIST: &str = include_str!("../../data/sensitive.toml");

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let list = toml::from_str(LIST).unwrap_or_else(|_| List::everything());
    Known::new(list)
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    places: Vec<Listed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    what: String,
    paths: Vec<String>,
}

impl List {
    fn everything() -> Self {
        Self {
            places: vec![Listed {
                what: "the list of sensitive places is damaged".to_owned(),
                paths: vec!["*".to_owned()],
            }],
        }
    }
}

/// A sensitive place that a path leads to or into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sensitive {
    /// The place itself.
    pub(crate) place: PathBuf,
    /// What is there, such as "SSH keys and settings".
    pub(crate) what: &'static str,
}

/// Every sensitive place that this path leads into. The path is whole and has no `..`.
pub(crate) fn places_of(path: &Path) -> Vec<Sensitive> {
    let names: Vec<&str> = path.components().filter_map(name).collect();
    let parts: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut found: Vec<Sensitive> = Vec::new();
    for (start, part) in parts.iter().enumerate() {
        let rest = parts.get(start..).unwrap_or_default();
        for pattern in KNOWN.beginning(part) {
            if (start > 0 && pattern.is_anchored) || !pattern.fits(rest) {
                continue;
            }
            let place = path
                .components()
                .take(1 + start + pattern.parts.len())
                .collect();
            let what = pattern.what.as_str();
            found.push(Sensitive { place, what });
        }
    }
    found
}

/// Where the sensitive places of a home folder lead that are links, or below one.
pub(crate) fn linked_from(home: &Path) -> Vec<Sensitive> {
    let plain = KNOWN.by_first.values().flatten();
    let plain = plain.filter(|pattern| !pattern.is_anchored && !pattern.path.contains('*'));
    let leads = plain.filter_map(|pattern| {
        let named = home.join(&pattern.path);
        let place = named.canonicalize().ok()?;
        // Whoever links one to the home folder itself does not make all of it sensitive.
        let is_elsewhere = place != named && !home.starts_with(&place);
        is_elsewhere.then_some(Sensitive {
            place,
            what: &pattern.what,
        })
    });
    leads.collect()
}

/// Whether a path leads to or into a sensitive place, as it is written or as it is resolved.
pub fn is_sensitive(path: &Path) -> bool {
    !places_of(&plain(path)).is_empty() || !places_of(&resolved(path)).is_empty()
}

/// A name that is no text still stands for one part.
fn name(component: Component<'_>) -> Option<&str> {
    match component {
        Component::Normal(name) => Some(name.to_str().unwrap_or("\u{fffd}")),
        _ => None,
    }
}

/// The list, ready to be looked up by the first part of a path.
struct Known {
    by_first: HashMap<String, Vec<Pattern>>,
    with_wildcard: Vec<Pattern>,
}

struct Pattern {
    is_anchored: bool,
    /// As it is listed.
    path: String,
    parts: Vec<String>,
    what: String,
}

impl Known {
    fn new(list: List) -> Self {
        let mut known = Self {
            by_first: HashMap::new(),
            with_wildcard: Vec::new(),
        };
        for Listed { what, paths } in list.places {
            for path in paths {
                known.add(Pattern::new(&path, &what));
            }
        }
        known
    }

    fn add(&mut self, pattern: Pattern) {
        match pattern.parts.first() {
            Some(first) if !first.contains('*') => {
                self.by_first
                    .entry(first.clone())
                    .or_default()
                    .push(pattern);
            }
            _ => self.with_wildcard.push(pattern),
        }
    }

    fn beginning(&self, part: &str) -> impl Iterator<Item = &Pattern> {
        let exact = self.by_first.get(part).into_iter().flatten();
        exact.chain(&self.with_wildcard)
    }
}

impl Pattern {
    fn new(path: &str, what: &str) -> Self {
        let parts = path.split('/').filter(|part| !part.is_empty());
        Self {
            is_anchored: path.starts_with('/'),
            path: path.to_owned(),
            parts: parts.map(str::to_lowercase).collect(),
            what: what.to_owned(),
        }
    }

    fn fits(&self, parts: &[String]) -> bool {
        let enough = parts.len() >= self.parts.len();
        let mut pairs = self.parts.iter().zip(parts);
        enough && pairs.all(|(pattern, part)| matches(pattern, part))
    }
}

/// Whether a part fits a pattern in which `*` stands for any letters.
fn matches(pattern: &str, part: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == part;
    };
    let Some(after) = part.strip_prefix(start) else {
        return false;
    };
    let cuts = after.char_indices().map(|(at, _)| at).chain([after.len()]);
    let mut tails = cuts.filter_map(|at| after.get(at..));
    tails.any(|tail| matches(rest, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &[(&str, &str)]) {
        let found = places_of(Path::new(path));
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|found| (found.place.to_str().unwrap(), found.what))
            .collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn the_list_can_be_read_and_says_what_each_place_is() {
        let list: List = toml::from_str(LIST).unwrap();
        assert!(list.places.len() >= 12);
        for Listed { what, paths } in list.places {
            assert!(!what.is_empty() && !paths.is_empty(), "{what}");
            for path in paths {
                let is_plain = !path.ends_with('/') && !path.contains("..") && path != "*";
                assert!(is_plain && !path.contains("//"), "{path}");
                // Whatever is listed is found, with something below it as well.
                let example = format!("/u/{path}").replace('*', "x");
                let example = example.replace("/u//", "/");
                assert!(!places_of(Path::new(&example)).is_empty(), "{path}");
                let below = Path::new(&example).join("below");
                assert!(!places_of(&below).is_empty(), "{path}");
            }
        }
    }

    #[test]
    fn a_place_is_found_at_any_depth_and_in_any_case() {
        let ssh = "SSH keys and settings";
        let git = "settings and hooks of Git";
        check("/u/.ssh/id", &[("/u/.ssh", ssh)]);
        check("/u/.SSH", &[("/u/.SSH", ssh)]);
        check("/a/b/.git/hooks/x", &[("/a/b/.git/hooks", git)]);
        check("/a/.git/config", &[("/a/.git/config", git)]);
        let processes = "memory and surroundings of processes";
        check("/proc/12/environ", &[("/proc/12/environ", processes)]);
        let both = [(
            "/a/.claude",
            "settings of agents and editors that run programs",
        )];
        check("/a/.claude/notes.md", &both);
    }

    #[test]
    fn ordinary_files_are_not_sensitive() {
        for path in [
            "/",
            "/u",
            "/u/report.csv",
            "/u/ssh/notes.txt",
            "/u/.git/HEAD",
            "/u/.gitignore",
            "/u/.env.example",
            "/u/proc/1/environ",
            "/u/etc/shadow",
            "/etc/hostname",
            "/proc/meminfo",
        ] {
            check(path, &[]);
        }
    }
}
