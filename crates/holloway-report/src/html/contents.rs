//! When does a reader need a list of contents, and what stands in it?

use std::fmt::Write as _;

use crate::clean::escape;

const FEWEST: usize = 6;

/// Chapters and the parts below them, once there are enough to get lost in.
pub(crate) fn list(headings: &[(u8, String, String)]) -> String {
    let shown: Vec<_> = headings
        .iter()
        .filter(|(level, _, _)| *level <= 2)
        .collect();
    if shown.len() < FEWEST {
        return String::new();
    }
    let mut html =
        String::from("<nav class=\"contents\" aria-label=\"Contents\">\n<p>Contents</p>\n<ul>\n");
    for (level, id, text) in shown {
        writeln!(
            html,
            "<li class=\"level-{level}\"><a href=\"#{id}\">{}</a></li>",
            escape(text)
        )
        .ok();
    }
    html.push_str("</ul>\n</nav>\n");
    html
}
