//! Does a text pose as something other than a description? Tags and headings that
//! models know from their own prompts, and lines of a made-up conversation.

use super::texts::Text;
use super::{Findings, Suspicion};

/// Names of tags that lend a text weight it does not have.
const TAGS: [&str; 16] = [
    "important",
    "system",
    "critical",
    "instruction",
    "instructions",
    "hidden",
    "assistant",
    "mandatory",
    "urgent",
    "override",
    "sys",
    "human",
    "system_prompt",
    "system-prompt",
    "system-reminder",
    "developer",
];
/// Marks of prompt templates.
const MARKS: [&str; 14] = [
    "<|",
    "<<sys",
    "[inst]",
    "[/inst]",
    "[system]",
    "[[system",
    "[assistant]",
    "### system",
    "### assistant",
    "### human",
    "###system",
    "begin system",
    "end of system prompt",
    "</tool>",
];
const ROLES: [&str; 5] = ["system", "assistant", "user", "human", "developer"];

pub(super) fn look(text: &Text, findings: &mut Findings) {
    let written: String = text.chars.iter().collect();
    if !written.contains(['<', '[', '#', ':']) && !written.to_lowercase().contains("system prompt")
    {
        return;
    }
    let lower: String = text.chars.iter().map(char::to_ascii_lowercase).collect();
    let position = tag(&lower)
        .or_else(|| MARKS.iter().find_map(|mark| lower.find(mark)))
        .or_else(|| message(&lower))
        .or_else(|| conversation(&written));
    if let Some(position) = position {
        let start = lower.get(..position).unwrap_or_default().chars().count();
        findings.add_part(Suspicion::Order, text, start, start + 80);
    }
}

fn tag(lower: &str) -> Option<usize> {
    let starts = lower.match_indices('<');
    { starts }.find_map(|(position, _)| {
        let inside = lower.get(position + 1..)?.trim_start_matches('/');
        let name = inside.split(['>', ' ', ':', '\n']).next()?;
        let closes = inside.chars().take(80).any(|c| c == '>');
        (closes && TAGS.contains(&name)).then_some(position)
    })
}

/// A message as programs write it: `{"role": "system", "content": …}`.
fn message(lower: &str) -> Option<usize> {
    let position = lower.find("\"role\"")?;
    let rest = lower.get(position + 6..)?;
    let value = rest.trim_start_matches([':', ' ', '"']);
    let is_role = ROLES.iter().any(|role| value.starts_with(role));
    (is_role && rest.contains("\"content\"")).then_some(position)
}

/// Two roles speaking in turn, or the system in capitals.
fn conversation(written: &str) -> Option<usize> {
    let mut position = 0;
    let mut spoken: Vec<&str> = Vec::new();
    for line in written.split_inclusive('\n') {
        let start = line.trim_start_matches([' ', '\t', '*', '#', '>', '"']);
        let role = ROLES.iter().find(|role| is_spoken_by(start, role));
        if let Some(role) = role {
            spoken.push(role);
            let others = spoken.iter().any(|other| other != role);
            if start.starts_with("SYSTEM") || (others && spoken.contains(&"assistant")) {
                return Some(position);
            }
        }
        position += line.len();
    }
    None
}

/// `Assistant: …`, not `assistant: the name of …` in a list of parameters.
fn is_spoken_by(line: &str, role: &str) -> bool {
    let (head, rest) = match (line.get(..role.len()), line.get(role.len()..)) {
        (Some(head), Some(rest)) => (head, rest.trim_start_matches('*')),
        _ => return false,
    };
    let capital = line.starts_with(char::is_uppercase);
    capital && head.eq_ignore_ascii_case(role) && rest.starts_with(':')
}
