//! `html-text`: what can be read on this page? Its text without tags, in lines as a
//! reader sees them.

use std::sync::Arc;

use ego_tree::iter::Edge;
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use scraper::{ElementRef, Html, Node};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::document::{first, is_silent, parse_whole, title};
use super::source::{Source, properties};

#[derive(Deserialize)]
struct Arguments {
    #[serde(flatten)]
    source: Source,
    #[serde(default)]
    main_only: bool,
    #[serde(default)]
    contacts: bool,
}

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "html-text",
        title: "Text of a page",
        category: "web",
        description: "Gives the readable text of a page, without tags, scripts, style sheets and hidden parts. Use it to count words, \
            search or summarise; `html-to-markdown` keeps headings and links. Returns `title`, `text` with one line per paragraph, \
            the number of `words`, and the `language` the page says it is in.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &[],
            properties(json!({
                "main_only": {"type": "boolean", "default": false, "description": "Only the main part, without navigation, header and footer"},
                "contacts": {"type": "boolean", "default": false, "description": "Behind a link to a mailbox or a phone, its address where the text does not show it"}
            })),
        ),
        output: output(
            &["title", "text", "words", "language"],
            json!({
                "title": {"type": "string"},
                "text": {"type": "string"},
                "words": {"type": "integer"},
                "language": {"type": "string"}
            }),
        ),
        example: json!({"html": "<title>Tents</title><h1>Tents</h1><p>Light and dry.</p>"}),
        does: &[
            "read page:page -> contacts:text with contacts:=true",
            "read page:page -> text.text:text",
            "title page:page -> text.text:title",
        ],
    };
    Pure::tool(spec.builtin(), run)
}

fn run(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let (html, _) = arguments.source.read()?;
    let document = parse_whole(&html)?;
    let shown = Shown {
        main_only: arguments.main_only,
        contacts: arguments.contacts,
    };
    let text = readable(main_part(&document, arguments.main_only), shown);
    let language = document.root_element().attr("lang").unwrap_or_default();
    Ok(json!({
        "title": title(&document),
        "words": text.split_whitespace().count(),
        "text": text,
        "language": language.trim(),
    }))
}

/// The part of a document that is about its subject.
pub(crate) fn main_part(document: &Html, main_only: bool) -> ElementRef<'_> {
    let parts = ["main", "[role=main]", "article"].into_iter();
    let mut parts = parts.filter(|_| main_only);
    parts
        .find_map(|part| first(document, part))
        .unwrap_or_else(|| document.root_element())
}

/// Which text of a page is wanted.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// Only the main part.
    main_only: bool,
    /// With the addresses of links to mailboxes and phones.
    contacts: bool,
}

/// Text in lines: blocks are apart, spaces are single.
pub(super) fn readable(element: ElementRef<'_>, shown: Shown) -> String {
    let mut lines = Lines::default();
    let mut hidden = 0_usize;
    for edge in element.traverse() {
        match edge {
            Edge::Open(node) => match node.value() {
                Node::Text(text) if hidden == 0 => lines.add(text),
                Node::Element(inner) => {
                    hidden += usize::from(is_hidden(inner, shown.main_only));
                    if is_block(inner.name()) {
                        lines.end();
                    }
                }
                _ => {}
            },
            Edge::Close(node) => {
                if let Node::Element(inner) = node.value() {
                    let contact = contact(inner).filter(|_| shown.contacts && hidden == 0);
                    if let Some(contact) = contact.filter(|it| !lines.current.contains(it)) {
                        lines.add(&format!(" {contact} "));
                    }
                    hidden -= usize::from(is_hidden(inner, shown.main_only));
                    if is_block(inner.name()) {
                        lines.end();
                    }
                }
            }
        }
    }
    lines.end();
    lines.done
}

/// The address of a link to a mailbox or a phone.
fn contact(element: &scraper::node::Element) -> Option<&str> {
    let link = element.attr("href").filter(|_| element.name() == "a")?;
    let address = ["mailto:", "tel:"]
        .iter()
        .find_map(|kind| link.strip_prefix(kind))?;
    address
        .split('?')
        .next()
        .filter(|address| !address.is_empty())
}

#[derive(Default)]
struct Lines {
    done: String,
    current: String,
}

impl Lines {
    fn add(&mut self, text: &str) {
        if text.starts_with(char::is_whitespace) {
            self.space();
        }
        for (number, word) in text.split_whitespace().enumerate() {
            if number > 0 {
                self.space();
            }
            self.current.push_str(word);
        }
        if text.ends_with(char::is_whitespace) {
            self.space();
        }
    }

    fn space(&mut self) {
        if !self.current.is_empty() && !self.current.ends_with(' ') {
            self.current.push(' ');
        }
    }

    fn end(&mut self) {
        let line = self.current.trim_end();
        if !line.is_empty() {
            if !self.done.is_empty() {
                self.done.push('\n');
            }
            self.done.push_str(line);
        }
        self.current.clear();
    }
}

fn is_hidden(element: &scraper::node::Element, main_only: bool) -> bool {
    let around = main_only && matches!(element.name(), "nav" | "header" | "footer" | "aside");
    is_silent(element.name())
        || around
        || element.attr("hidden").is_some()
        || element.attr("aria-hidden") == Some("true")
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "footer"
            | "nav"
            | "aside"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "ul"
            | "ol"
            | "li"
            | "dl"
            | "dt"
            | "dd"
            | "table"
            | "tr"
            | "td"
            | "th"
            | "caption"
            | "form"
            | "fieldset"
            | "legend"
            | "blockquote"
            | "pre"
            | "figure"
            | "figcaption"
            | "hr"
            | "br"
            | "address"
            | "details"
            | "summary"
            | "option"
            | "body"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, main_only: bool, expected: &str) {
        let told = run(&json!({"html": html, "main_only": main_only})).unwrap();
        assert_eq!(told["text"], expected, "{html}");
        assert_eq!(told["words"], expected.split_whitespace().count());
    }

    #[test]
    fn addresses_behind_links_are_shown_where_they_are_wanted() {
        let html = "<p>Write to <a href='mailto:ada@x.example?subject=Hi'>Ada</a>, \
                    <a href='mailto:b@x.example'>b@x.example</a> or <a href='tel:+47123'>call</a>.";
        let told = |contacts: bool| run(&json!({"html": html, "contacts": contacts})).unwrap();
        assert_eq!(told(false)["text"], "Write to Ada, b@x.example or call.");
        let text = told(true)["text"].as_str().unwrap().to_owned();
        assert_eq!(
            text,
            "Write to Ada ada@x.example , b@x.example or call +47123 ."
        );
    }

    #[test]
    fn text_comes_as_a_reader_sees_it() {
        check(
            "<h1>Two\n tents</h1><p>Light <b>and</b> dry.<br>Small, <i>too</i>.",
            false,
            "Two tents\nLight and dry.\nSmall, too.",
        );
        check(
            "<style>p{}</style><script>x()</script><p hidden>no<p aria-hidden=true>no<p>yes",
            false,
            "yes",
        );
        check("a<span>b</span>c", false, "abc");
        check(
            "<nav>menu</nav><main><header>top</header><p>body</main><footer>end",
            true,
            "body",
        );
        check("<nav>menu</nav><p>body", true, "body");
        check("<ul><li>one<li>two</ul>", false, "one\ntwo");
        check("", false, "");
    }

    #[test]
    fn what_would_take_for_ever_is_refused() {
        let deep = format!("{}x", "<div>".repeat(50_000));
        let failure = run(&json!({"html": deep})).unwrap_err();
        assert!(
            failure
                .message
                .starts_with("the HTML cannot be parsed past byte 2560:"),
            "{failure}"
        );
    }
}
