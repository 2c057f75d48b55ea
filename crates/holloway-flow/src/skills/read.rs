//! How does a file become a skill? Front matter between `---` lines, then sections;
//! every mistake is remarked with its line, and whatever the file holds, reading ends.

use super::check::{self, Remark, Remarks};
use super::front_matter::{self, Front};
use super::outline::outline;
use super::{Document, Skill};

/// Larger files are not read.
pub const MOST_BYTES: usize = 128 << 10;

/// What came of a document.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Nothing if something is wrong with it that keeps it from being used.
    pub skill: Option<Skill>,
    /// What could be read of one that cannot be used, so that all can be said about it.
    pub unusable: Option<Skill>,
    pub remarks: Vec<Remark>,
}

pub fn read(document: &Document) -> Reading {
    let mut remarks = Remarks::default();
    let skill =
        text_of(document, &mut remarks).and_then(|text| skill_of(&text, document, &mut remarks));
    let (skill, unusable) = if remarks.has_wrong() {
        (None, skill)
    } else {
        (skill, None)
    };
    Reading {
        skill,
        unusable,
        remarks: remarks.into_list(),
    }
}

fn text_of(document: &Document, remarks: &mut Remarks) -> Option<String> {
    let bytes = match &document.content {
        Ok(bytes) => bytes,
        Err(reason) => {
            remarks.wrong(
                1,
                reason,
                "check that the file is there, may be read and is no link",
            );
            return None;
        }
    };
    if bytes.len() > MOST_BYTES {
        let message = format!(
            "the file has {} bytes; at most {MOST_BYTES} are read",
            bytes.len()
        );
        remarks.wrong(1, message, "move what is seldom needed to files beside it");
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(
            text.strip_prefix('\u{feff}')
                .unwrap_or(text)
                .replace("\r\n", "\n"),
        ),
        Err(error) => {
            let before = bytes.iter().take(error.valid_up_to());
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            remarks.wrong(line, "the file is not UTF-8 text", "save it as UTF-8");
            None
        }
    }
}

fn skill_of(text: &str, document: &Document, remarks: &mut Remarks) -> Option<Skill> {
    let Some((front, body)) = parts(text) else {
        let hint =
            "begin with `---`, `name: …`, `description: …` and `---`, each on a line of its own";
        remarks.wrong(
            1,
            "the file has no front matter between two `---` lines",
            hint,
        );
        return None;
    };
    check::hidden(text, remarks);
    let front: Front = front_matter::read(front, &document.folder, remarks)?;
    // The two `---` lines, and counted from 1.
    let first_line = text.lines().count().saturating_sub(body.lines().count()) + 1;
    let sections = outline(body, first_line, &front.name, remarks);
    let skill = Skill {
        name: front.name,
        description: front.description,
        license: front.license,
        compatibility: front.compatibility,
        allowed_tools: front.allowed_tools,
        metadata: front.metadata,
        sections,
        origin: document.origin,
        place: document.place.clone(),
    };
    check::lengths(&skill, remarks);
    Some(skill)
}

/// Front matter and body.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((rest.get(..at)?, rest.get(at + line.len()..)?));
        }
        at += line.len();
    }
    None
}
