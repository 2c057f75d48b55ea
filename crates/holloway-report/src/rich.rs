//! What does Markdown say? Paragraphs, lists, quotes, code and tables, each a list of
//! spans. Raw HTML counts as text.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::clean;

pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Text of one look.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) code: bool,
    /// Figures of one width.
    pub(crate) tabular: bool,
    pub(crate) link: Option<String>,
}

impl Span {
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            text: clean::clean(text),
            ..Self::default()
        }
    }

    pub(crate) fn bold(text: &str) -> Self {
        Self {
            bold: true,
            ..Self::plain(text)
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Paragraph(Vec<Span>),
    Heading(u8, Vec<Span>),
    /// How deep, what stands before it, what it says.
    Item(usize, String, Vec<Span>),
    Quote(Vec<Span>),
    Code(String),
    Table(Vec<Vec<Vec<Span>>>),
    Rule,
}

#[derive(Default)]
struct Reader {
    parts: Vec<Part>,
    spans: Vec<Span>,
    look: Span,
    /// The next number of each open list; none for bullets.
    lists: Vec<Option<u64>>,
    marker: Option<String>,
    quotes: usize,
    code: Option<String>,
    table: Vec<Vec<Vec<Span>>>,
}

pub(crate) fn parts(markdown: &str) -> Vec<Part> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(&clean::clean(markdown), options()) {
        reader.read(event);
    }
    reader.flush();
    reader.parts
}

impl Reader {
    fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => {
                let code = self.look.code;
                self.look.code = true;
                self.text(&text);
                self.look.code = code;
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.text("\n"),
            Event::Rule => {
                self.flush();
                self.parts.push(Part::Rule);
            }
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.push_str(text);
            return;
        }
        let span = Span {
            text: text.to_owned(),
            ..self.look.clone()
        };
        self.spans.push(span);
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.look.bold = true,
            Tag::Emphasis => self.look.italic = true,
            Tag::Link { dest_url, .. } => self.look.link = clean::outside_link(&dest_url),
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::List(start) => {
                self.flush();
                self.lists.push(start);
            }
            Tag::Item => {
                self.flush();
                self.marker = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number = number.saturating_add(1);
                        format!("{}.", number.saturating_sub(1))
                    }
                    _ => "•".to_owned(),
                });
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.flush();
                self.code = Some(String::new());
            }
            Tag::Table(_) => {
                self.flush();
                self.table.clear();
            }
            Tag::TableHead | Tag::TableRow => self.table.push(Vec::new()),
            Tag::Heading { .. } | Tag::HtmlBlock => self.flush(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.look.bold = false,
            TagEnd::Emphasis => self.look.italic = false,
            TagEnd::Link => self.look.link = None,
            TagEnd::Paragraph | TagEnd::Item | TagEnd::HtmlBlock => self.flush(),
            TagEnd::Heading(level) => {
                let spans = std::mem::take(&mut self.spans);
                self.parts.push(Part::Heading(rank(level), spans));
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.marker = None;
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    self.parts.push(Part::Code(code.trim_end().to_owned()));
                }
            }
            TagEnd::TableCell => {
                let spans = std::mem::take(&mut self.spans);
                if let Some(row) = self.table.last_mut() {
                    row.push(spans);
                }
            }
            TagEnd::Table => self
                .parts
                .push(Part::Table(std::mem::take(&mut self.table))),
            _ => {}
        }
    }

    fn flush(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().all(|span| span.text.trim().is_empty()) {
            return;
        }
        let depth = self.lists.len();
        self.parts.push(if depth > 0 {
            // A second paragraph of an item has no marker of its own.
            Part::Item(depth, self.marker.take().unwrap_or_default(), spans)
        } else if self.quotes > 0 {
            Part::Quote(spans)
        } else {
            Part::Paragraph(spans)
        });
    }
}

fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_parts() {
        let markdown = "# Top\n\nA **bold** [link](https://a.example) and `code`<b>x</b>.\n\n- one\n  1. two\n\n> said\n\n```\nlet x;\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n---\n[bad](javascript:alert(1))";
        let shown: Vec<String> = parts(markdown)
            .iter()
            .map(|part| {
                format!("{part:?}")
                    .replace("bold: false, italic: false, code: false, link: None", "")
            })
            .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }
}
