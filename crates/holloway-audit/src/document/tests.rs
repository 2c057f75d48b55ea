//! Is a page read as a browser reads it?

use scraper::Selector;

use super::*;

fn document(html: &str) -> Document {
    Document::parse(&Page {
        url: "https://example.com/shop/".to_owned(),
        html: html.to_owned(),
        ..Page::default()
    })
}

const SITE: &str = r##"<!doctype html><html lang="en"><head><title> A
  shop </title><meta name="Description" content=" Things "><base href="/base/"></head>
  <body><nav id="top"><ul><li><a href="one">One</a><li><a href="#x">Two</a></ul></nav>
  <main><p>Hel<b>lo</b> <span hidden>no</span>there</p><p>again<br>and</p>
  <template><p>inert</p><img></template><script>var no;</script>
  <a href="https://other.example/x#y" rel="NoFollow noopener"><img alt="Picture"></a>
  <a href="mailto:a@b.c">mail</a><div id="twice"></div><div id="twice"></div></main></body></html>"##;

#[test]
fn what_the_head_says_is_found() {
    let document = document(SITE);
    assert_eq!(document.title().as_deref(), Some("A shop"));
    assert_eq!(document.language(), Some("en"));
    assert_eq!(document.meta("description"), Some("Things"));
    assert_eq!(
        document.named("img").count(),
        1,
        "not the one in the template"
    );
    assert!(document.complete());
}

#[test]
fn visible_text_has_no_hidden_parts() {
    let document = document(SITE);
    assert_eq!(
        document.visible_text(),
        "One Two Hello there again and mail"
    );
}

#[test]
fn links_are_resolved_against_the_base() {
    let document = document(SITE);
    let links = document.links().iter();
    let links: Vec<_> = links
        .map(|link| (link.target.as_str(), link.text.as_str(), link.nofollow))
        .collect();
    assert_eq!(
        links,
        [
            ("https://example.com/base/one", "One", false),
            ("https://example.com/base/", "Two", false),
            ("https://other.example/x", "Picture", true),
        ]
    );
}

#[test]
fn every_path_leads_to_its_element() {
    let document = document(SITE);
    for element in document.elements() {
        let path = document.path(element);
        let selector = Selector::parse(&path).unwrap();
        let found = document.html().select(&selector);
        // Selectors of browsers do not look into templates.
        let found: Vec<_> = found.filter(|found| !within(*found, "template")).collect();
        assert_eq!(found, [element], "{path}");
    }
    let second = document.named("li").nth(1).unwrap();
    assert_eq!(document.path(second), "ul > li:nth-of-type(2)");
    assert_eq!(document.path(document.first("nav").unwrap()), "#top");
}

#[test]
fn a_page_without_anything_has_no_facts() {
    let document = Document::parse(&Page::default());
    assert_eq!(document.title(), None);
    assert_eq!(document.visible_text(), "");
    assert_eq!(document.links().len(), 0);
    assert_eq!(document.resolve("x"), None);
}

#[test]
fn hostile_pages_are_parsed_within_bounds() {
    let deep = "<div>".repeat(100_000);
    let read = document(&deep);
    assert!(!read.complete());
    assert_eq!(read.named("div").count(), MAX_DEPTH);
    let last = read.named("div").last().unwrap();
    assert!(read.path(last).len() < 500);
    let wide = document(&"<p>x".repeat(200_000));
    assert_eq!(
        wide.path(wide.named("p").last().unwrap()),
        "body > p:nth-of-type(200000)"
    );
}
