//! Which files belong to the repository, and how is a broken rule told?

use std::fs;
use std::path::{Path, PathBuf};

/// What tools make and nobody commits.
const LEFT_OUT: [&str; 7] = [
    ".git",
    "target",
    "node_modules",
    "__pycache__",
    ".holloway",
    "examples/out",
    "bench/results",
];

/// A text file of the repository.
pub(crate) struct Text {
    /// From the root of the repository, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Text {
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Whether the name ends in `.ending`.
    pub(crate) fn is_kind(&self, ending: &str) -> bool {
        self.name()
            .rsplit_once('.')
            .is_some_and(|(_, found)| found == ending)
    }

    /// Code of a crate, tests among it left out.
    pub(crate) fn is_source(&self) -> bool {
        self.is_in_src() && !self.is_test()
    }

    pub(crate) fn is_in_src(&self) -> bool {
        let mut parts = self.path.split('/');
        self.is_kind("rs") && parts.next() == Some("crates") && parts.nth(1) == Some("src")
    }

    /// The code without the tests at its end.
    pub(crate) fn production(&self) -> &str {
        let text = self.text.as_str();
        text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
    }

    fn is_test(&self) -> bool {
        let stem = self.name().trim_end_matches(".rs");
        stem == "tests" || stem.ends_with("_tests") || self.path.contains("/tests/")
    }
}

pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..").canonicalize().unwrap()
}

/// Every text file, in order of its path.
pub(crate) fn texts() -> Vec<Text> {
    let root = root();
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Text>) {
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let inner = path.strip_prefix(root).unwrap().to_str().unwrap();
        let inner = inner.replace('\\', "/");
        let left_out = |name: &&str| inner == *name || inner.ends_with(&format!("/{name}"));
        if LEFT_OUT.iter().any(left_out) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push(Text { path: inner, text });
        }
    }
}

/// Fails with one line for each breach, and what to do about them.
#[track_caller]
pub(crate) fn assert_none(breaches: &[String], what_to_do: &str) {
    assert!(
        breaches.is_empty(),
        "{} found:\n  {}\n{what_to_do}",
        breaches.len(),
        breaches.join("\n  ")
    );
}
