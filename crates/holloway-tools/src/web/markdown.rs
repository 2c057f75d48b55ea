//! `html-to-markdown`: how does a page read as Markdown? Headings, lists, links and
//! tables kept, everything else gone.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use htmd::HtmlToMarkdown;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::document::{parse_whole, require_depth, title};
use super::source::{Source, properties};
use super::text::main_part;

/// The converter calls itself for every level.
const MAX_DEPTH: usize = 400;

#[derive(Deserialize)]
struct Arguments {
    #[serde(flatten)]
    source: Source,
    #[serde(default)]
    main_only: bool,
}

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "html-to-markdown",
        title: "HTML to Markdown",
        category: "web",
        description: "Converts a page to Markdown, keeping headings, emphasis, lists, links, images, code and tables. Use it to hand \
            a page to a model or to put it into a report. Returns `markdown` and the page's `title`. Scripts, style sheets and \
            forms are left out; `main_only` leaves out what stands around the main part.",
        effect: Effect::Read,
        latency_ms: 10,
        input: input(
            &[],
            properties(json!({
                "main_only": {"type": "boolean", "default": false, "description": "Only the main part, without navigation, header and footer"}
            })),
        ),
        output: output(
            &["markdown", "title"],
            json!({"markdown": {"type": "string"}, "title": {"type": "string"}}),
        ),
        example: json!({"html": "<h1>Tents</h1><p>Light <b>and</b> dry.</p>"}),
        does: &["read page:page -> text.markdown:markdown"],
    };
    Pure::pooled(spec.builtin(), run)
}

fn run(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let (html, _) = arguments.source.read()?;
    let document = parse_whole(&html)?;
    require_depth(&document, MAX_DEPTH)?;
    let part = main_part(&document, arguments.main_only).html();
    let mut skipped = vec![
        "head", "script", "style", "noscript", "template", "svg", "iframe", "form",
    ];
    if arguments.main_only {
        skipped.extend(["nav", "header", "footer", "aside"]);
    }
    let converter = HtmlToMarkdown::builder().skip_tags(skipped).build();
    let markdown = converter.convert(&part).map_err(|error| {
        ToolFailure::permanent(format!("the page cannot be converted: {error}"))
    })?;
    Ok(json!({"markdown": markdown.trim(), "title": title(&document)}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, main_only: bool, expected: &str) {
        let told = run(&json!({"html": html, "main_only": main_only})).unwrap();
        assert_eq!(told["markdown"], expected, "{html}");
    }

    #[test]
    fn structure_is_kept() {
        check(
            "<title>T</title><h1>Tents</h1><p>Light <b>and</b> <a href='/dry'>dry</a>.</p><ul><li>one</li><li>two</li></ul>",
            false,
            "# Tents\n\nLight **and** [dry](/dry).\n\n*   one\n*   two",
        );
        check("<nav>menu</nav><main><h2>Body</h2></main>", true, "## Body");
        check("<script>x()</script><p>a</p>", false, "a");
    }

    #[test]
    fn endless_nesting_is_refused() {
        let html = "<div>".repeat(450);
        let failure = run(&json!({"html": html})).unwrap_err();
        assert_eq!(
            failure.message,
            "the document is nested more than 400 levels deep"
        );
    }
}
