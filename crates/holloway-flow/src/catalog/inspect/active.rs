//! Is there text that acts where it is shown? An image that is loaded, a script,
//! a link that runs one: each can carry away what stands beside it.

use super::hidden::find;
use super::texts::Text;
use super::{Findings, Suspicion};

pub(super) fn look(text: &Text, findings: &mut Findings) {
    let chars = &text.chars;
    let spots = [image(chars), tag(chars), script_link(chars)];
    if let Some((start, end)) = spots.into_iter().flatten().next() {
        findings.add_part(Suspicion::Active, text, start, end);
    }
}

/// `![…](http…)`, unless it is plainly an example.
fn image(chars: &[char]) -> Option<(usize, usize)> {
    let start = find(chars, 0, "![")?;
    let link = find(chars, start, "](")? + 2;
    let rest: String = chars.get(link..)?.iter().take(200).collect();
    let address = rest.split([')', ' ']).next().unwrap_or_default();
    let is_remote = address.starts_with("http") || address.starts_with("//");
    let is_example = ["example.com", "example.org", "localhost"]
        .iter()
        .any(|host| address.contains(host));
    (is_remote && !is_example).then_some((start, link + address.len()))
}

/// Markup with an address to load or a script to run.
fn tag(chars: &[char]) -> Option<(usize, usize)> {
    const TAGS: [&str; 7] = [
        "<img", "<script", "<iframe", "<object", "<embed", "<svg", "<link",
    ];
    const DEEDS: [&str; 5] = ["src=", "href=", "onload=", "onerror=", "data="];
    TAGS.iter().find_map(|tag| {
        let start = find(chars, 0, tag)?;
        let end = find(chars, start, ">").unwrap_or(chars.len());
        let inside = chars.get(start..end)?;
        let acts = DEEDS.iter().any(|deed| find(inside, 0, deed).is_some());
        acts.then_some((start, end))
    })
}

/// `javascript:` with something to run right behind it.
fn script_link(chars: &[char]) -> Option<(usize, usize)> {
    ["javascript:", "vbscript:", "data:text/html"]
        .iter()
        .find_map(|scheme| {
            let start = find(chars, 0, scheme)?;
            let end = start + scheme.len();
            let next = chars.get(end)?;
            let runs = next.is_alphanumeric() || matches!(next, '/' | '(' | '%' | ',' | ';');
            runs.then_some((start, end + 40))
        })
}
