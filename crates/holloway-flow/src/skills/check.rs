//! What is wrong with a skill, said so that its author can mend it: line, sentence, hint.
//! What is wrong keeps a skill from being used; advice does not.

use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::{Lookup, ToolTable};
use serde::Serialize;

use super::{Section, Skill};
use crate::catalog::inspect::visible::{code_point, is_invisible, shortened};

/// A section is loaded as a whole, so a long one crowds out others.
pub const LONGEST_SECTION: usize = 400;
/// Every token is paid for in every step that loads it.
pub const LONGEST_SKILL: usize = 2_400;
/// More remarks about one file than this help nobody.
const MOST: usize = 50;
const WITH_GUESS: usize = 5;
const HOW_TO_NAME: &str =
    "name built-in tools without `builtin/`, others by their whole id; `holloway tools` lists them";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The skill is not used.
    Wrong,
    /// It is used; it could be better.
    Advice,
}

/// One thing about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    pub weight: Weight,
    /// From 1.
    pub line: usize,
    pub message: String,
    pub hint: String,
}

/// What has been remarked so far.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    list: Vec<Remark>,
    wrong: bool,
}

impl Remarks {
    pub(super) fn wrong(&mut self, line: usize, message: impl AsRef<str>, hint: impl Into<String>) {
        self.wrong = true;
        self.push(Weight::Wrong, line, message.as_ref(), hint.into());
    }

    pub(super) fn advice(
        &mut self,
        line: usize,
        message: impl AsRef<str>,
        hint: impl Into<String>,
    ) {
        self.push(Weight::Advice, line, message.as_ref(), hint.into());
    }

    fn push(&mut self, weight: Weight, line: usize, message: &str, hint: String) {
        if self.list.len() < MOST {
            self.list.push(Remark {
                weight,
                line,
                message: shortened(message, 300),
                hint,
            });
        }
    }

    pub(super) fn has_wrong(&self) -> bool {
        self.wrong
    }

    pub(super) fn into_list(mut self) -> Vec<Remark> {
        self.list.sort_by_key(|remark| remark.line);
        self.list
    }
}

/// Text that a person does not see but a model would read.
pub(super) fn hidden(text: &str, remarks: &mut Remarks) {
    for (number, line) in text.lines().enumerate() {
        let mut before = ' ';
        for c in line.chars() {
            // The presentation of an emoji follows it.
            let is_emoji_style = matches!(c, '\u{FE0E}' | '\u{FE0F}') && !before.is_whitespace();
            if is_invisible(c) && !is_emoji_style {
                let message = format!("the invisible character {} stands here", code_point(c));
                remarks.wrong(
                    number + 1,
                    message,
                    "remove it: who reads the file does not see it",
                );
                return;
            }
            before = c;
        }
    }
}

pub(super) fn lengths(skill: &Skill, remarks: &mut Remarks) {
    for section in &skill.sections {
        let tokens = section.tokens();
        if tokens > LONGEST_SECTION {
            let message = format!("the section `{}` has about {tokens} tokens", section.title);
            let hint = format!(
                "cut it in two: a step loads whole sections, {LONGEST_SECTION} tokens are plenty"
            );
            remarks.advice(section.line, message, hint);
        }
    }
    let tokens = skill.tokens();
    if tokens > LONGEST_SKILL {
        let message = format!("the skill has about {tokens} tokens in all");
        let hint = format!(
            "stay within {LONGEST_SKILL}: leave out what any capable reader knows, or make two of it"
        );
        remarks.advice(1, message, hint);
    }
}

/// Tools that sections name and that are not there.
pub fn unknown_tools(skill: &Skill, tools: &ToolTable) -> Vec<Remark> {
    let mut remarks = Remarks::default();
    for section in &skill.sections {
        let unknown = section.tools.iter().filter(|name| !is_known(name, tools));
        for name in unknown.take(MOST) {
            // Looking for similar names takes time; later remarks go without.
            let guess = (remarks.list.len() < WITH_GUESS).then(|| similar(name, tools));
            let hint = guess.flatten().unwrap_or_else(|| HOW_TO_NAME.to_owned());
            let message = format!("there is no tool `{name}`");
            remarks.advice(tools_line(section), message, hint);
        }
    }
    remarks.into_list()
}

fn similar(name: &str, tools: &ToolTable) -> Option<String> {
    let known = tools.iter().map(|tool| match tool.id.source() {
        "builtin" => tool.id.name(),
        _ => tool.id.as_str(),
    });
    did_you_mean(name, known)
}

/// The comment stands under the heading.
fn tools_line(section: &Section) -> usize {
    section.line + 1
}

fn is_known(name: &str, tools: &ToolTable) -> bool {
    let id = if name.contains('/') {
        name.to_owned()
    } else {
        format!("builtin/{name}")
    };
    matches!(tools.find(&id), Lookup::Found(_))
}
