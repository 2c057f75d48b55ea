//! How is a place shown on a page? The page as a link, the element as a path, and what was
//! found there; markup is shown as code.

use std::fmt::Write as _;

use crate::clean::{self, escape};

pub(super) fn html(html: &mut String, page: &str, element: &str, evidence: &str) {
    html.push_str("<li>");
    if !page.is_empty() {
        let shown = escape(page);
        match clean::outside_link(page) {
            Some(target) => write!(html, "<a href=\"{}\">{shown}</a>", escape(&target)).ok(),
            None => write!(html, "<span>{shown}</span>").ok(),
        };
    }
    if !element.is_empty() {
        write!(html, " <code>{}</code>", escape(element)).ok();
    }
    if !evidence.is_empty() {
        let class = if evidence.starts_with('<') {
            "evidence snippet"
        } else {
            "evidence"
        };
        write!(html, "<span class=\"{class}\">{}</span>", escape(evidence)).ok();
    }
    html.push_str("</li>\n");
}
