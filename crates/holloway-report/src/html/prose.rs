//! How does Markdown become HTML that cannot do harm? Raw HTML is shown as text, links
//! keep only safe targets, images become their description.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Parser, Tag, TagEnd, html};

use crate::clean;
use crate::rich::options;

/// A fragment for the inside of a report: its headings start below those of the page.
pub(crate) fn convert(markdown: &str) -> String {
    rendered(markdown, 2)
}

/// A fragment as it is.
pub fn markdown_to_html(markdown: &str) -> String {
    rendered(markdown, 0)
}

fn rendered(markdown: &str, lower: usize) -> String {
    let markdown = clean::clean(markdown);
    let events = Parser::new_ext(&markdown, options()).map(|event| harmless(event, lower));
    let mut out = String::with_capacity(markdown.len() * 5 / 4);
    html::push_html(&mut out, events);
    out
}

fn harmless(event: Event<'_>, lower: usize) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => {
            let target = clean::safe_link(&dest_url).unwrap_or_default();
            // An e-mail link would have `mailto:` put before it; a bad one must not become good.
            Event::Start(Tag::Link {
                link_type,
                dest_url: CowStr::from(target),
                title,
                id,
            })
        }
        // An outside image would be loaded; what it shows is said instead.
        Event::Start(Tag::Image { .. }) => Event::Start(Tag::Emphasis),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Emphasis),
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: lowered(level, lower),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lowered(level, lower))),
        other => other,
    }
}

fn lowered(level: HeadingLevel, lower: usize) -> HeadingLevel {
    HeadingLevel::try_from((level as usize + lower).min(6)).unwrap_or(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_cannot_inject() {
        let check = |markdown: &str, expected: &str| {
            assert_eq!(markdown_to_html(markdown).trim(), expected)
        };
        check("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;");
        check(
            "a <b onclick=x>b</b>",
            "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>",
        );
        check("[x](javascript:alert(1))", "<p><a href=\"\">x</a></p>");
        check("![alt](https://a.example/x.png)", "<p><em>alt</em></p>");
        check(
            "[x](https://a.example \"t\\\"x\")",
            "<p><a href=\"https://a.example\" title=\"t&quot;x\">x</a></p>",
        );
    }
}
