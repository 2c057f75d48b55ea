//! What do others show when somebody shares this page? Open Graph and Twitter cards, and
//! `hreflang` for the same page in other languages.

use url::Url;

use crate::collect::Collector;
use crate::document::Document;
use crate::rule::Rule;

const OPEN_GRAPH_MISSING: Rule = Rule::seo("open-graph-missing");
const OPEN_GRAPH_INCOMPLETE: Rule = Rule::seo("open-graph-incomplete");
const OPEN_GRAPH_IMAGE: Rule = Rule::seo("open-graph-image-relative");
const TWITTER_CARD: Rule = Rule::seo("twitter-card-invalid");
const HREFLANG_INVALID: Rule = Rule::seo("hreflang-invalid");
const HREFLANG_SELF: Rule = Rule::seo("hreflang-no-self");

pub(super) const RULES: &[Rule] = &[
    OPEN_GRAPH_MISSING,
    OPEN_GRAPH_INCOMPLETE,
    OPEN_GRAPH_IMAGE,
    TWITTER_CARD,
    HREFLANG_INVALID,
    HREFLANG_SELF,
];

const REQUIRED: [&str; 4] = ["og:title", "og:type", "og:image", "og:url"];
const CARDS: [&str; 4] = ["summary", "summary_large_image", "app", "player"];

/// Whether all that Open Graph requires is there.
pub(super) fn is_complete(document: &Document) -> bool {
    missing(document).is_empty()
}

fn missing(document: &Document) -> Vec<&'static str> {
    let required = REQUIRED.into_iter();
    let missing = required.filter(|name| document.meta(name).is_none_or(str::is_empty));
    missing.collect()
}

/// Returns whether all that Open Graph requires is there.
pub(super) fn check(found: &mut Collector, canonical: Option<&str>) -> bool {
    let document = found.document();
    let missing = missing(document);
    if missing.len() == REQUIRED.len() {
        found.page(&OPEN_GRAPH_MISSING, "no Open Graph tags");
    } else if !missing.is_empty() {
        let evidence = format!("missing: {}", missing.join(", "));
        found.page(&OPEN_GRAPH_INCOMPLETE, &evidence);
    }
    if let Some(image) = document.meta("og:image")
        && !image.is_empty()
        && Url::parse(image).is_err()
    {
        found.page(&OPEN_GRAPH_IMAGE, image);
    }
    if let Some(card) = document.meta("twitter:card")
        && !CARDS.contains(&card)
    {
        found.page(&TWITTER_CARD, &format!("twitter:card is “{card}”"));
    }
    check_languages(found, canonical);
    missing.is_empty()
}

fn check_languages(found: &mut Collector, canonical: Option<&str>) {
    let document = found.document();
    let mut named = Vec::new();
    let links = document.relations("alternate");
    for link in links.filter(|link| link.attr("hreflang").is_some()) {
        let code = link.attr("hreflang").unwrap_or_default();
        let address = link
            .attr("href")
            .filter(|address| !address.trim().is_empty());
        let target = address.and_then(|address| document.resolve(address));
        if !is_language(code) || target.is_none() {
            found.tag(&HREFLANG_INVALID, link);
        }
        named.extend(target.map(String::from));
    }
    let own = own_addresses(document, canonical);
    if !named.is_empty() && !named.iter().any(|target| own.contains(target)) {
        found.page(
            &HREFLANG_SELF,
            &format!("{} versions named, not this one", named.len()),
        );
    }
}

fn own_addresses(document: &Document, canonical: Option<&str>) -> Vec<String> {
    let own = document.url().map(|url| url.as_str().to_owned());
    own.into_iter()
        .chain(canonical.map(str::to_owned))
        .collect()
}

/// A language of two or three letters, then perhaps a script and a region.
fn is_language(code: &str) -> bool {
    if code.eq_ignore_ascii_case("x-default") {
        return true;
    }
    let mut parts = code.split('-');
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let language = parts.next().unwrap_or_default();
    let known = (2..=3).contains(&language.len()) && letters(language);
    // `uk` alone is Ukrainian; as a region the code is GB.
    known
        && parts.all(|part| match part.len() {
            2 => letters(part) && !part.eq_ignore_ascii_case("uk"),
            3 => part.bytes().all(|byte| byte.is_ascii_digit()),
            4..=8 => part.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_codes_are_known_by_their_form() {
        for good in ["en", "pt-BR", "zh-Hant-TW", "es-419", "x-default", "uk"] {
            assert!(is_language(good), "{good}");
        }
        for bad in ["", "english", "en_GB", "en-UK", "e", "12", "en-"] {
            assert!(!is_language(bad), "{bad}");
        }
    }
}
