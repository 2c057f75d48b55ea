//! `links-extract`: where does a page lead? Its links, sorted into those that stay
//! on the site, those that leave it, and those that stay on the page.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use reqwest::Url;
use scraper::Html;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::document::{all, base, parse, visible_text};
use super::source::{Source, properties};

/// More links of one page are left out.
const MAX_LINKS: usize = 20_000;
/// A text that stands for a link is not longer.
const MAX_TEXT: usize = 300;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Link {
    pub(crate) url: String,
    pub(crate) kind: LinkKind,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) rel: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LinkKind {
    Internal,
    External,
    /// To a place on the same page.
    Anchor,
    /// `mailto:`, `tel:` and the like, or an address that is none.
    Other,
}

/// The links of a document, in their order.
pub(crate) fn links(document: &Html, url: Option<&Url>) -> Vec<Link> {
    let base = url.map(|url| base(document, url));
    let elements = all(document, "a[href], area[href]").into_iter();
    let links = elements.take(MAX_LINKS).map(|element| {
        let href = element.attr("href").unwrap_or_default().trim();
        let (address, kind) = target(href, url, base.as_ref());
        let text = visible_text(element);
        let shown = if text.is_empty() {
            // A link around a picture is named by it.
            let image = element.select_first("img[alt]");
            image.unwrap_or_else(|| element.attr("aria-label").unwrap_or_default().to_owned())
        } else {
            text
        };
        let rel = element.attr("rel").unwrap_or_default();
        Link {
            url: address,
            kind,
            text: shown.chars().take(MAX_TEXT).collect(),
            rel: rel.split_whitespace().map(str::to_lowercase).collect(),
        }
    });
    links.collect()
}

trait SelectFirst {
    fn select_first(&self, selector: &str) -> Option<String>;
}

impl SelectFirst for scraper::ElementRef<'_> {
    fn select_first(&self, selector: &str) -> Option<String> {
        let selector = super::document::known(selector)?;
        let image = self.select(&selector).next()?;
        image.attr("alt").map(str::to_owned)
    }
}

fn target(href: &str, page: Option<&Url>, base: Option<&Url>) -> (String, LinkKind) {
    if href.starts_with('#') && base == page {
        return (href.to_owned(), LinkKind::Anchor);
    }
    let parsed = match base {
        Some(base) => base.join(href),
        None => Url::parse(href),
    };
    let Ok(target) = parsed else {
        // Without an address of the page, what is relative is on the same site.
        let kind = match (base, Url::parse(href)) {
            (None, Err(url::ParseError::RelativeUrlWithoutBase)) if !href.starts_with("//") => {
                LinkKind::Internal
            }
            _ => LinkKind::Other,
        };
        return (href.to_owned(), kind);
    };
    let kind = match page {
        _ if !matches!(target.scheme(), "http" | "https") => LinkKind::Other,
        Some(page) if is_on(&target, page) => {
            let here = without_fragment(&target) == without_fragment(page);
            if here && target.fragment().is_some() {
                LinkKind::Anchor
            } else {
                LinkKind::Internal
            }
        }
        _ => LinkKind::External,
    };
    (target.to_string(), kind)
}

/// Are both on one site? The same host; http and https are one.
pub(crate) fn is_on(url: &Url, site: &Url) -> bool {
    url.host_str() == site.host_str() && url.port() == site.port()
}

pub(crate) fn without_fragment(url: &Url) -> Url {
    let mut plain = url.clone();
    plain.set_fragment(None);
    plain
}

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "links-extract",
        title: "Extract links",
        category: "web",
        description: "Finds the links of a page with their texts and `rel` words. Use it to see where a page leads, to check \
            links or to go on crawling. Returns `links` in their order, each with its whole address and its kind (internal, \
            external, anchor or other), and the distinct internal and external addresses as lists of their own.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(&[], properties(json!({}))),
        output: output(
            &["links", "internal", "external", "anchors", "count"],
            json!({
                "links": {"type": "array", "items": {"type": "object", "properties": {
                    "url": {"type": "string"},
                    "kind": {"type": "string", "enum": ["internal", "external", "anchor", "other"]},
                    "text": {"type": "string"},
                    "rel": {"type": "array", "items": {"type": "string"}}
                }}},
                "internal": {"type": "array", "items": {"type": "string"}},
                "external": {"type": "array", "items": {"type": "string"}},
                "anchors": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"}
            }),
        ),
        example: json!({"html": "<a href='/about'>About us</a>", "url": "https://example.com/"}),
        does: &[
            "links page:page -> table:links",
            "count page:page -> number:count with unit is links",
        ],
    };
    Pure::tool(spec.builtin(), run)
}

fn run(arguments: &Value) -> Result<Value, ToolFailure> {
    let (html, url) = arguments::parse::<Source>(arguments)?.read()?;
    let document = parse(&html);
    let links = links(&document, url.as_ref());
    let distinct = |kind| {
        let mut urls = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for link in links.iter().filter(|link| link.kind == kind) {
            if seen.insert(&link.url) {
                urls.push(&link.url);
            }
        }
        json!(urls)
    };
    Ok(json!({
        "internal": distinct(LinkKind::Internal),
        "external": distinct(LinkKind::External),
        "anchors": distinct(LinkKind::Anchor),
        "count": links.len(),
        "links": links,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, url: Option<&str>, expected: &[&str]) {
        let url = url.map(|url| Url::parse(url).unwrap());
        let found = links(&Html::parse_document(html), url.as_ref());
        let lines: Vec<String> = found
            .iter()
            .map(|link| format!("{:?} {} {} {:?}", link.kind, link.url, link.text, link.rel))
            .collect();
        assert_eq!(lines, expected, "{html}");
    }

    #[test]
    fn links_are_sorted_and_made_whole() {
        let page = Some("https://a.example/shop/tents?x=1");
        check(
            "<a href='boots'> Our\n boots </a><a href='//b.example/' rel='NoFollow ugc'>B</a>\
             <a href='#top'>up</a><a href='/shop/tents?x=1#low'>down</a>\
             <a href='http://a.example/'>plain</a><a href='http://a.example:81/'>port</a>\
             <a href='mailto:a@b.example'>mail</a><a>none</a><a href=' /x '><img alt='Pic'></a>\
             <map><area href='/y' aria-label='Why'></map>",
            page,
            &[
                "Internal https://a.example/shop/boots Our boots []",
                "External https://b.example/ B [\"nofollow\", \"ugc\"]",
                "Anchor #top up []",
                "Anchor https://a.example/shop/tents?x=1#low down []",
                "Internal http://a.example/ plain []",
                "External http://a.example:81/ port []",
                "Other mailto:a@b.example mail []",
                "Internal https://a.example/x Pic []",
                "Internal https://a.example/y Why []",
            ],
        );
    }

    #[test]
    fn a_base_element_moves_relative_links() {
        check(
            "<base href='/other/'><a href='x'>x</a><a href='#top'>up</a>",
            Some("https://a.example/"),
            &[
                "Internal https://a.example/other/x x []",
                "Internal https://a.example/other/#top up []",
            ],
        );
        for nowhere in ["javascript:x", "data:text/plain,x", "mailto:a@b.example"] {
            check(
                &format!("<base href='{nowhere}'><a href='x'>x</a>"),
                Some("https://a.example/shop/"),
                &["Internal https://a.example/shop/x x []"],
            );
        }
    }

    #[test]
    fn without_an_address_links_stay_as_written() {
        check(
            "<a href='x'>x</a><a href='https://b.example/'>b</a><a href='#t'>t</a><a href='https://['>bad</a>",
            None,
            &[
                "Internal x x []",
                "External https://b.example/ b []",
                "Anchor #t t []",
                "Other https://[ bad []",
            ],
        );
    }
}
