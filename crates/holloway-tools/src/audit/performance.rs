//! How fast are these pages? One tool per family of rules.

use std::sync::Arc;

use holloway_audit::documents::Documents;
use holloway_audit::performance::{assets, blocking, caching, page_speed, web_vitals};
use serde_json::json;

use super::super::Tool;
use super::check::{Check, Words};

pub(super) fn tools(documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    vec![
        Check::tool(page_speed_words().spec(), documents, |site| {
            page_speed::check(site).into()
        }),
        Check::tool(assets_words().spec(), documents, |site| {
            assets::check(site).into()
        }),
        Check::tool(caching_words().spec(), documents, |site| {
            caching::check(site).into()
        }),
        Check::tool(blocking_words().spec(), documents, |site| {
            blocking::check(site).into()
        }),
        Check::tool(web_vitals_words().spec(), documents, |site| {
            web_vitals::check(site).into()
        }),
    ]
}

fn page_speed_words() -> Words {
    Words {
        name: "page-speed-check",
        title: "Check page weight and speed",
        category: "performance",
        description: "Checks how heavy pages are and how soon they answer: bytes of HTML and of the assets it names, number of \
            requests and elements, time to first byte (good up to 800 ms), download time, redirect chains. Times and sizes are \
            those in the given pages and assets; nothing is fetched. Returns findings, a summary by severity, and one row \
            per page with sizes, counts and times.",
        row: json!({
            "page": {"type": "string"}, "html_bytes": {"type": "integer"}, "transferred": {"type": "integer"},
            "asset_bytes": {"type": "integer"}, "requests": {"type": "integer"}, "measured": {"type": "integer"},
            "elements": {"type": "integer"}, "first_byte_ms": {"type": "number"}, "total_ms": {"type": "number"},
            "redirects": {"type": "integer"}
        }),
        example: "<img src=a.png><script src=a.js></script>",
    }
}

fn assets_words() -> Words {
    Words {
        name: "assets-check",
        title: "Check images, scripts, styles and fonts",
        category: "performance",
        description: "Checks the files that pages load: broken ones, oversized images, scripts and style sheets, old image and \
            font formats, animated GIFs, style sheets that are not minified, large files inlined as data. Needs `assets` as \
            measured by a crawl; without them only inlined data is found. Returns findings, a summary by severity, and one \
            row per asset with kind, status, bytes and the first page that names it.",
        row: json!({
            "url": {"type": "string"}, "kind": {"type": "string"}, "status": {"type": "integer"},
            "bytes": {"type": "integer"}, "transferred": {"type": "integer"}, "page": {"type": "string"}
        }),
        example: "<img src=a.png>",
    }
}

fn caching_words() -> Words {
    Words {
        name: "caching-check",
        title: "Check caching and compression",
        category: "performance",
        description: "Checks by their headers whether HTML, CSS, JavaScript and SVG are compressed, and whether assets may be \
            cached for long enough and checked for changes (Cache-Control, Expires, ETag, Last-Modified). Pages and assets \
            without headers are passed over. Returns findings, a summary by severity, and one row per page and asset with \
            encoding, Cache-Control, max-age in seconds and whether it has a validator.",
        row: json!({
            "url": {"type": "string"}, "encoding": {"type": "string"}, "cache_control": {"type": "string"},
            "max_age": {"type": ["integer", "null"]}, "validator": {"type": "boolean"}
        }),
        example: "<p>Text",
    }
}

fn blocking_words() -> Words {
    Words {
        name: "blocking-check",
        title: "Check render-blocking resources",
        category: "performance",
        description: "Checks what holds up the first picture of a page: scripts in the head without async or defer, many style \
            sheets, CSS @import, document.write, large inline scripts, fonts without font-display. Style sheets are read if \
            `assets` have their text. Returns findings, a summary by severity, and one row per page with counts of blocking \
            scripts and styles and bytes of inline code.",
        row: json!({
            "page": {"type": "string"}, "blocking_scripts": {"type": "integer"}, "blocking_styles": {"type": "integer"},
            "inline_script_bytes": {"type": "integer"}, "inline_style_bytes": {"type": "integer"}
        }),
        example: "<head><script src=a.js></script></head>",
    }
}

fn web_vitals_words() -> Words {
    Words {
        name: "web-vitals-check",
        title: "Estimate Core Web Vitals risks",
        category: "performance",
        description: "Estimates from the HTML, without a browser, which Core Web Vitals are at risk: LCP (good up to 2.5 s) by a \
            lazily loaded or heavy first image, CLS (good up to 0.1) by images and frames without size, INP (good up to 200 ms) by \
            heavy and third-party scripts. These are static estimates, not measurements. Returns findings, a summary by \
            severity, and one row per page with the probable LCP element and the risk (low, medium, high) of each figure.",
        row: json!({
            "page": {"type": "string"}, "lcp_candidate": {"type": "string"}, "lcp_risk": {"enum": ["low", "medium", "high"]},
            "cls_risk": {"enum": ["low", "medium", "high"]}, "inp_risk": {"enum": ["low", "medium", "high"]},
            "unsized_images": {"type": "integer"}, "script_bytes": {"type": "integer"}, "third_party_hosts": {"type": "integer"}
        }),
        example: "<main><img src=hero.webp loading=lazy></main>",
    }
}
