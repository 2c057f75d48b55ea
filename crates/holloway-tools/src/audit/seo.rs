//! Can search engines find and understand these pages? One tool per family of rules.

use std::sync::Arc;

use holloway_audit::documents::Documents;
use holloway_audit::seo::{headings, internal_links, keyword_density, meta_tags, structured_data};
use serde_json::json;

use super::super::Tool;
use super::check::{Check, Words};

pub(super) fn tools(documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    vec![
        Check::tool(meta_tags_words().spec(), documents, |site| {
            meta_tags::check(site).into()
        }),
        Check::tool(headings_words().spec(), documents, |site| {
            headings::check(site).into()
        }),
        Check::tool(internal_links_words().spec(), documents, |site| {
            internal_links::check(site).into()
        }),
        Check::tool(keyword_density_words().spec(), documents, |site| {
            keyword_density::check(site).into()
        }),
        Check::tool(structured_data_words().spec(), documents, |site| {
            structured_data::check(site).into()
        }),
    ]
}

fn meta_tags_words() -> Words {
    Words {
        name: "meta-tags-check",
        title: "Check meta tags",
        category: "seo",
        description: "Checks what pages tell search engines and social networks in their head: title (missing, length, \
            shared by several pages), meta description, canonical address, robots noindex, viewport, language, character set, \
            Open Graph and Twitter cards, hreflang. Use it on fetched pages in a search engine audit. Returns findings with \
            place, evidence and how to mend each, a summary by severity, and one row per page with title, description, \
            canonical and language.",
        row: json!({
            "page": {"type": "string"}, "title": {"type": "string"}, "title_length": {"type": "integer"},
            "description": {"type": "string"}, "description_length": {"type": "integer"}, "canonical": {"type": "string"},
            "indexed": {"type": "boolean"}, "language": {"type": "string"}, "open_graph": {"type": "boolean"}
        }),
        example: "<html lang=en><title>Boots</title><p>Walking boots",
    }
}

fn headings_words() -> Words {
    Words {
        name: "headings-check",
        title: "Check headings",
        category: "seo",
        description: "Checks the outline that headings h1 to h6 make: exactly one h1, no level left out, none empty or as long \
            as a paragraph; hidden headings are passed over. Use it on fetched pages to judge the structure of content. \
            Returns findings with place and how to mend each, a summary by severity, and one row per heading with page, \
            level and text.",
        row: json!({"page": {"type": "string"}, "level": {"type": "integer"}, "text": {"type": "string"}}),
        example: "<h1>Shoes</h1><h3>Boots</h3>",
    }
}

fn internal_links_words() -> Words {
    Words {
        name: "internal-links-check",
        title: "Check internal links",
        category: "seo",
        description: "Checks how the pages of a site link to each other: links to pages that answer with an error or a \
            redirect, orphaned pages, pages more than three clicks from the first page, empty or vague link texts, links without a \
            target. Give it all fetched pages, the start page first; targets that are not among them are counted, not fetched. \
            Returns findings, a summary by severity, and one row per page with incoming and outgoing links and depth.",
        row: json!({
            "page": {"type": "string"}, "incoming": {"type": "integer"}, "outgoing": {"type": "integer"},
            "external": {"type": "integer"}, "unknown": {"type": "integer"}, "depth": {"type": ["integer", "null"]}
        }),
        example: "<a href=/shop>click here</a>",
    }
}

fn keyword_density_words() -> Words {
    Words {
        name: "keyword-density",
        title: "Measure keyword density",
        category: "seo",
        description: "Counts the terms of each page without stop words (English, German, French, Spanish) and compares them \
            with title and main heading; notices keyword stuffing, thin content and titles that have nothing to do with the text. \
            Use it to see what pages are about for a search engine. Returns findings, a summary by severity, and up to ten \
            rows per page with term, count, density in percent of all words, and whether title and h1 use it.",
        row: json!({
            "page": {"type": "string"}, "term": {"type": "string"}, "count": {"type": "integer"},
            "density": {"type": "number"}, "in_title": {"type": "boolean"}, "in_heading": {"type": "boolean"}
        }),
        example: "<title>Boots</title><h1>Boots</h1><p>Boots and more boots",
    }
}

fn structured_data_words() -> Words {
    Words {
        name: "structured-data-check",
        title: "Check structured data",
        category: "seo",
        description: "Checks schema.org markup for rich results: JSON-LD that does not parse, has no @context or @type, or lacks \
            properties that its type needs (Product, Offer, Article, BreadcrumbList, Organization, LocalBusiness, FAQPage, Event, \
            Recipe and others); microdata is noticed. Use it on fetched pages in a search engine audit. Returns findings, a \
            summary by severity, and one row per described thing with page, format, type and missing properties.",
        row: json!({
            "page": {"type": "string"}, "format": {"enum": ["json-ld", "microdata"]}, "type": {"type": "string"},
            "missing": {"type": "array", "items": {"type": "string"}}
        }),
        example: "<script type=\"application/ld+json\">{\"@context\": \"https://schema.org\", \"@type\": \"Product\"}</script>",
    }
}
