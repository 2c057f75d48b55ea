//! Are whole requests understood, also hostile ones?

use std::sync::LazyLock;

use holloway_plan::tool::ToolSpec;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A few tools of the kinds that the built-in ones have.
pub(crate) fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(made);
    &CATALOGUE
}

fn made() -> Catalogue {
    let tool = |name: &str, category: &str, description: &str, parameter: &str| {
        let mut tool = ToolSpec::named(format!("builtin/{name}"));
        tool.category = category.to_owned();
        tool.description = description.to_owned();
        tool.input_schema = json!({"type": "object", "required": [parameter], "properties": {
            parameter: {"type": "string"}}});
        let entry = Entry {
            id: tool.id.to_string(),
            name: name.to_owned(),
            description: description.to_owned(),
            ..Entry::default()
        };
        (tool, entry, Repute::default())
    };
    Catalogue::new([
        tool(
            "meta-tags-check",
            "seo",
            "Checks titles and descriptions of pages.",
            "url",
        ),
        tool(
            "page-speed-check",
            "performance",
            "Checks how fast pages load.",
            "url",
        ),
        tool(
            "wcag-check",
            "accessibility",
            "Checks pages for accessibility.",
            "url",
        ),
        tool(
            "security-scan",
            "security",
            "Looks for weak spots of a site.",
            "url",
        ),
        tool("site-audit", "audit", "Audits a whole website.", "url"),
        tool(
            "site-crawl",
            "web",
            "Crawls a site and returns its pages.",
            "url",
        ),
        tool(
            "file-read",
            "files",
            "Reads a text file. Returns its content.",
            "path",
        ),
        tool("data-trend", "statistics", "Finds trends in rows.", "value"),
        tool(
            "report-build",
            "report",
            "Makes a report of results.",
            "title",
        ),
        tool(
            "unit-convert",
            "math",
            "Converts between units such as km and miles.",
            "quantity",
        ),
        tool("email-send", "communication", "Sends an e-mail.", "to"),
    ])
}

/// An analysis as a person would tell it.
fn told(request: &str) -> String {
    use std::fmt::Write as _;
    let analysis = analyse(request, catalogue());
    let mut told = format!("{:?}: {}\n", analysis.need, analysis.intent);
    for found in &analysis.capabilities {
        let category = found.category.as_deref().unwrap_or("-");
        let _ = writeln!(
            told,
            "do {} ({category}, clause {})",
            found.text, found.clause
        );
    }
    for entity in &analysis.entities {
        let label = entity.label.as_deref().unwrap_or("-");
        let _ = writeln!(told, "{:?} {} ({label})", entity.kind, entity.value);
    }
    if analysis.constraints != Constraints::default() {
        let _ = writeln!(told, "{:?}", analysis.constraints);
    }
    if !analysis.formats.is_empty() {
        let _ = writeln!(told, "as {:?}", analysis.formats);
    }
    told
}

#[test]
fn the_website_audit() {
    insta::assert_snapshot!(told(
        "Perform a complete audit of my website http://127.0.0.1:8080 including SEO, performance, \
         accessibility, and security, then generate a prioritized action plan"
    ));
}

#[test]
fn the_competitor_prices() {
    insta::assert_snapshot!(told(
        "Scrape competitor prices, analyze trends, make report"
    ));
}

#[test]
fn limits_and_forms() {
    insta::assert_snapshot!(told(
        "Quickly check https://example.org/shop for security holes, within 5 minutes and under $2, \
         and mail the results as PDF to ada@example.org by Friday 18:00"
    ));
}

#[track_caller]
fn check_need(request: &str, expected: Need) {
    assert_eq!(analyse(request, catalogue()).need, expected, "{request}");
}

#[test]
fn not_everything_needs_a_plan() {
    check_need("", Need::Nothing);
    check_need(" ... ?!", Need::Nothing);
    check_need("Hello there!", Need::Conversation);
    check_need("thanks, that's great", Need::Conversation);
    check_need("Thank you so much!", Need::Conversation);
    check_need("who are you?", Need::Conversation);
    check_need("hi, what can you do for me?", Need::Conversation);
    check_need("hi, read notes.txt and mail it", Need::Plan);
    check_need("read the text file notes.txt", Need::OneStep);
    check_need("read notes.txt", Need::OneStep);
    check_need("what is 5 km in miles", Need::OneStep);
    check_need("which tabs are there in notes.txt", Need::Plan);
    check_need("read the text file", Need::Plan);
    check_need(
        "Scrape competitor prices, analyze trends, make report",
        Need::Plan,
    );
}

#[test]
fn a_megabyte_of_anything_is_read_in_part() {
    for piece in [
        "a",
        "'x ",
        "\"",
        "1,",
        "A b ",
        "https://a.b/",
        "and then ",
        "é",
        "\n",
        "((((",
        "including a, b, ",
        "$1 ",
    ] {
        let request = piece.repeat((1 << 20) / piece.len());
        let analysis = analyse(&request, catalogue());
        assert!(analysis.entities.len() <= 200);
        assert!(analysis.request.len() <= 64_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn entities_lie_inside_the_text(request in "(\\PC|[ '\"$%.:/@0-9A-Z,]){0,120}") {
        let analysis = analyse(&request, catalogue());
        let mut end = 0;
        for entity in &analysis.entities {
            prop_assert_eq!(analysis.request.get(entity.place.clone()), Some(entity.text.as_str()));
            prop_assert!(entity.place.start >= end);
            end = entity.place.end;
        }
        for found in &analysis.capabilities {
            prop_assert!(!found.text.is_empty());
        }
    }
}
