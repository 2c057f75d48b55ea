//! What is there where the request is made? Files with their columns and values, folders, and
//! the date. Whoever may read files looks beforehand; without it a request is read by its words.

use serde::{Deserialize, Serialize};

/// What is known beforehand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    pub files: Vec<File>,
    /// Names of folders, as a request would write them.
    pub folders: Vec<String>,
    /// Today as `2026-01-31`, where it is known.
    pub today: Option<String>,
    /// The time zone, as `Europe/Oslo`, where it is known.
    pub zone: Option<String>,
    /// The result of an earlier run that the request goes on with.
    pub before: Option<Before>,
}

/// What an earlier run gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Before {
    /// `table`, `text`, `number`.
    pub kind: String,
    /// Where in the results of its plan it is: `group.rows`.
    pub reference: String,
    /// Empty for what is no table.
    pub columns: Vec<Column>,
    /// The steps of its plan, whose names are taken.
    pub steps: Vec<String>,
}

/// A file that is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct File {
    /// As the request writes it.
    pub name: String,
    /// Empty for what is no table.
    pub columns: Vec<Column>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Column {
    pub name: String,
    pub holds: Holds,
    /// The different values of texts and dates, as far as they were looked at.
    pub values: Vec<String>,
    /// A value stands in more than one row.
    pub repeats: bool,
    /// A value is missing in some row.
    pub gaps: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holds {
    Numbers,
    /// Written 2026-01-31.
    Dates,
    #[default]
    Texts,
}

impl Scene {
    /// All columns that words may name.
    pub fn columns(&self) -> impl Iterator<Item = &Column> {
        let before = self.before.iter().flat_map(|before| &before.columns);
        let files = self.files.iter().flat_map(|file| &file.columns);
        files.chain(before)
    }

    pub fn file(&self, name: &str) -> Option<&File> {
        self.files.iter().find(|file| file.name == name)
    }

    pub fn is_folder(&self, name: &str) -> bool {
        let name = name.trim_end_matches('/');
        self.folders
            .iter()
            .any(|folder| folder.trim_end_matches('/') == name)
    }
}

/// A name without case, blanks and marks.
pub fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a path leads out of the folder where the request is made.
pub fn is_outside(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..")
}

/// Whether an address names one page of a site: `/tools.html`, not `/` or `/index.html`.
pub fn is_page(url: &str) -> bool {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let name = path.split_once('/').map_or("", |(_, path)| path);
    let name = name.rsplit('/').next().unwrap_or_default();
    ending(name).is_some() && stem(name) != "index"
}

/// The ending of a file's name, in lower case.
pub fn ending(name: &str) -> Option<String> {
    let (stem, ending) = name.rsplit_once('.')?;
    let fits = !stem.is_empty()
        && !ending.is_empty()
        && ending.len() <= 6
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    fits.then(|| ending.to_lowercase())
}

/// The name of a file without folders and ending.
pub fn stem(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.rsplit_once('.').map_or(last, |(stem, _)| stem)
}
