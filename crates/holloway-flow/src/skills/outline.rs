//! Which parts does a skill have? One section for each heading of the second level; the
//! comment `<!-- tools: a, b -->` in it names the tools it serves.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use super::Section;
use super::check::Remarks;

const MOST_SECTIONS: usize = 100;
const MOST_TOOLS: usize = 100;

/// A heading that begins a section, or the title.
struct Heading {
    level: HeadingLevel,
    range: Range<usize>,
    title: String,
}

/// A comment that names tools.
struct Naming {
    range: Range<usize>,
    tools: Vec<String>,
}

/// The sections of `body`, whose first line is number `first_line` of the file. Text
/// outside of sections becomes one that is called like the title, or else like the skill.
pub(super) fn outline(
    body: &str,
    first_line: usize,
    skill: &str,
    remarks: &mut Remarks,
) -> Vec<Section> {
    let (mut headings, namings) = marks(body);
    let end = headings
        .get(MOST_SECTIONS + 1)
        .map_or(body.len(), |heading| heading.range.start);
    if end < body.len() {
        let message =
            format!("the skill has more than {MOST_SECTIONS} headings; the rest is not read");
        remarks.advice(first_line, message, "make several skills of it");
        headings.truncate(MOST_SECTIONS + 1);
    }
    let cutter = Cutter {
        body,
        first_line,
        namings,
    };
    let first = headings
        .first()
        .map_or(body.len(), |heading| heading.range.start);
    let mut sections = Vec::new();
    sections.extend(
        cutter
            .section(skill, 0, 0..first)
            .filter(|section| !section.text.is_empty()),
    );
    let ends = headings.iter().skip(1).map(|heading| heading.range.start);
    for (heading, end) in headings.iter().zip(ends.chain([end])) {
        let inside = heading.range.end..end;
        let Some(section) = cutter.section(&heading.title, heading.range.start, inside) else {
            continue;
        };
        if !section.text.is_empty() {
            sections.push(section);
        } else if heading.level == HeadingLevel::H2 {
            let message = format!("the section `{}` is empty", section.title);
            remarks.advice(section.line, message, "write it or leave it out");
        }
    }
    remark(&sections, &headings, first_line, remarks);
    sections
}

fn remark(sections: &[Section], headings: &[Heading], first_line: usize, remarks: &mut Remarks) {
    if sections.is_empty() {
        remarks.wrong(
            first_line,
            "the skill says nothing",
            "add a section: `## What to do` and text below it",
        );
    } else if !headings
        .iter()
        .any(|heading| heading.level == HeadingLevel::H2)
    {
        let hint = "cut it by `## Heading` lines, so that a step can load a part of it";
        remarks.advice(
            first_line,
            "the skill has no sections; it is loaded as a whole",
            hint,
        );
    }
}

struct Cutter<'a> {
    body: &'a str,
    first_line: usize,
    namings: Vec<Naming>,
}

impl Cutter<'_> {
    fn section(&self, title: &str, heading: usize, inside: Range<usize>) -> Option<Section> {
        let mut text = String::new();
        let mut tools: Vec<String> = Vec::new();
        let mut at = inside.start;
        let is_inside =
            |naming: &&Naming| naming.range.start >= inside.start && naming.range.end <= inside.end;
        for naming in self.namings.iter().filter(is_inside) {
            text.push_str(self.body.get(at..naming.range.start)?);
            at = naming.range.end;
            for tool in &naming.tools {
                if !tools.contains(tool) && tools.len() < MOST_TOOLS {
                    tools.push(tool.clone());
                }
            }
        }
        text.push_str(self.body.get(at..inside.end)?);
        let before = self.body.get(..heading)?;
        Some(Section {
            title: title.to_owned(),
            tools,
            text: text.trim().to_owned(),
            line: self.first_line + before.matches('\n').count(),
        })
    }
}

/// Headings of the first two levels that stand in no list or quotation, and comments.
fn marks(body: &str) -> (Vec<Heading>, Vec<Naming>) {
    let (mut headings, mut namings): (Vec<Heading>, Vec<Naming>) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    let mut in_heading = false;
    for (event, range) in Parser::new(body).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 && level <= HeadingLevel::H2 => {
                in_heading = true;
                headings.push(Heading {
                    level,
                    range,
                    title: String::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) if in_heading => in_heading = false,
            Event::Start(Tag::HtmlBlock) if depth == 0 => {
                namings.extend(naming(body, range));
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(text) | Event::Code(text) if in_heading => {
                if let Some(heading) = headings.last_mut() {
                    heading.title.push_str(&text);
                }
            }
            _ => {}
        }
    }
    (headings, namings)
}

/// `<!-- tools: a, b -->`
fn naming(body: &str, range: Range<usize>) -> Option<Naming> {
    let comment = body.get(range.clone())?.trim();
    let inside = comment.strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let tools = inside.strip_prefix("tools:")?.split(',').map(str::trim);
    let tools = tools.filter(|tool| !tool.is_empty()).take(MOST_TOOLS);
    Some(Naming {
        range,
        tools: tools.map(str::to_owned).collect(),
    })
}
