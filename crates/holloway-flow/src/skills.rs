//! What should be known beside a tool? Skills: documents in the Agent Skills format,
//! cut into sections, so that a step gets only what its tool needs. Skills are inferred
//! backwards, from the tools of plans ([`infer`]); reading them does no I/O.

pub mod check;
mod front_matter;
pub mod infer;
mod outline;
pub mod read;
pub mod shipped;
pub mod tokens;

use std::collections::BTreeMap;

use serde::Serialize;

pub use check::{Remark, Weight};
pub use read::{Reading, read};

/// The file that makes a folder a skill.
pub const FILE: &str = "SKILL.md";

/// Knowledge about one domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skill {
    pub name: String,
    /// What it is for and when to use it.
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// What it needs of its surroundings, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    #[serde(rename = "allowed-tools", skip_serializing_if = "Vec::is_empty")]
    pub allowed_tools: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    pub sections: Vec<Section>,
    pub origin: Origin,
    /// The file it was read from, for people.
    pub place: String,
}

impl Skill {
    /// The categories of tools it belongs to, in lower case.
    pub fn categories(&self) -> impl Iterator<Item = String> {
        let listed = self.metadata.get("categories").map(String::as_str);
        let words = listed.unwrap_or_default().split(',').map(category);
        words.filter(|word| !word.is_empty())
    }

    pub fn section(&self, title: &str) -> Option<&Section> {
        let wanted = title.trim().to_lowercase();
        let mut sections = self.sections.iter();
        sections.find(|section| section.title.to_lowercase() == wanted)
    }

    /// About what it takes to load all of it.
    pub fn tokens(&self) -> usize {
        self.sections.iter().map(Section::tokens).sum()
    }
}

/// How categories are compared: `Data Analysis` and `data-analysis` are the same.
fn category(word: &str) -> String {
    let words = word.trim().to_lowercase();
    words.replace([' ', '_'], "-")
}

/// A part of a skill that can be loaded alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    pub title: String,
    /// The tools it serves: names of built-in ones, whole ids of others.
    pub tools: Vec<String>,
    /// Markdown, without the heading and without the comment that names the tools.
    pub text: String,
    /// Where the heading stands in the file, from 1.
    pub line: usize,
}

impl Section {
    /// As a step gets it.
    pub fn markdown(&self) -> String {
        format!("## {}\n\n{}", self.title, self.text)
    }

    /// About what it takes to load it.
    pub fn tokens(&self) -> usize {
        tokens::count(&self.title) + tokens::count(&self.text)
    }
}

/// Who wrote a skill; a later one replaces an earlier one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    Shipped,
    User,
    Project,
}

impl Origin {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// A file as it was found; nothing in it is believed yet.
#[derive(Clone, Debug)]
pub struct Document {
    /// Name of the folder it stands in.
    pub folder: String,
    pub origin: Origin,
    /// The file, for people.
    pub place: String,
    /// Its bytes, or why they could not be had.
    pub content: Result<Vec<u8>, String>,
}

/// Where skills come from. Folders are read by the store.
pub trait SkillLibrary: Send + Sync {
    /// All documents, the weaker ones first.
    fn documents(&self) -> Vec<Document>;
}

/// The skills in effect, one of each name.
#[derive(Clone, Debug, Default)]
pub struct Skills {
    by_name: BTreeMap<String, Skill>,
    /// Skills that another one of the same name has replaced.
    replaced: Vec<Skill>,
    /// What was remarked about which file, usable or not.
    remarks: Vec<(String, Remark)>,
}

impl Skills {
    /// Reads all libraries, the weaker ones first. A document that cannot be used
    /// replaces nothing.
    pub fn gather(libraries: &[&dyn SkillLibrary]) -> Self {
        let mut skills = Self::default();
        for library in libraries {
            for document in library.documents() {
                let reading = read(&document);
                let remarks = reading.remarks.into_iter();
                let placed = remarks.map(|remark| (document.place.clone(), remark));
                skills.remarks.extend(placed);
                reading
                    .skill
                    .into_iter()
                    .for_each(|skill| skills.put(skill));
            }
        }
        skills
    }

    /// Only what ships with Holloway.
    pub fn shipped() -> Self {
        Self::gather(&[&shipped::Shipped])
    }

    fn put(&mut self, skill: Skill) {
        let before = self.by_name.insert(skill.name.clone(), skill);
        self.replaced.extend(before);
    }

    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.by_name.get(name)
    }

    /// In the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Skill> {
        self.by_name.values()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// The skills of this name that are not in effect.
    pub fn replaced_by(&self, name: &str) -> impl Iterator<Item = &Skill> {
        self.replaced.iter().filter(move |skill| skill.name == name)
    }

    /// What was remarked while reading, with the file it is about.
    pub fn remarks(&self) -> &[(String, Remark)] {
        &self.remarks
    }
}

#[cfg(test)]
mod tests;
