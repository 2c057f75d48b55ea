//! Can everybody use these pages? One tool per family of accessibility rules, and one for
//! all of them; each gives back findings and one row per page.

use std::sync::Arc;

use holloway_audit::accessibility::{Checker, FAMILIES, Family};
use holloway_audit::documents::Documents;
use holloway_audit::finding::Summary;
use holloway_audit::site::Site;
use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use super::Tool;
use super::audit::check::{Check, Outcome, Words, audits};

pub(crate) fn tools(documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    let tool = |spec, function| Check::tool(spec, documents, function);
    vec![
        tool(wcag_spec(), |site| check(site, &FAMILIES)),
        tool(contrast_spec(), |site| check(site, &[Family::Contrast])),
        tool(alt_text_spec(), |site| check(site, &[Family::AltText])),
        tool(labels_spec(), |site| check(site, &[Family::Labels])),
        tool(landmarks_spec(), |site| check(site, &[Family::Landmarks])),
        tool(aria_spec(), |site| check(site, &[Family::Aria])),
        tool(keyboard_spec(), |site| check(site, &[Family::Keyboard])),
    ]
}

/// One checker for all pages, so that a style sheet they share is read once.
fn check(site: &Site, families: &[Family]) -> Outcome {
    let mut checker = Checker::default();
    let mut findings = Vec::new();
    let mut rows = Vec::new();
    let (mut undecided, mut left_out) = (0_usize, 0_usize);
    let checked = site.each(|document| {
        let checked = checker.check_families(document, site.assets, families);
        (document.page().url.clone(), checked)
    });
    for (page, checked) in checked {
        let summary = Summary::of(&checked.findings);
        rows.push(json!({
            "page": page, "findings": summary.total, "critical": summary.critical,
            "serious": summary.serious, "moderate": summary.moderate, "minor": summary.minor,
            "undecided": checked.undecided, "left_out": checked.left_out
        }));
        undecided += checked.undecided;
        left_out += checked.left_out;
        findings.extend(checked.findings);
    }
    Outcome::new(findings)
        .with("rows", rows)
        .with("undecided", undecided)
        .with("left_out", left_out)
}

fn row() -> Value {
    let count = || json!({"type": "integer", "minimum": 0});
    json!({
        "page": {"type": "string"}, "findings": count(), "critical": count(), "serious": count(),
        "moderate": count(), "minor": count(),
        "undecided": {"type": "integer", "minimum": 0, "description": "Texts whose contrast only a browser can tell"},
        "left_out": {"type": "integer", "minimum": 0, "description": "Findings not told, because one rule had too many"}
    })
}

fn spec(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    example: &'static str,
) -> ToolSpec {
    let mut spec = Words {
        name,
        title,
        category: "accessibility",
        description,
        row: row(),
        example,
    }
    .spec();
    let properties = spec.output_schema.pointer_mut("/properties");
    if let Some(properties) = properties.and_then(Value::as_object_mut) {
        properties.insert(
            "undecided".to_owned(),
            json!({"type": "integer", "minimum": 0, "description": "Texts on all pages whose contrast only a browser can tell"}),
        );
        properties.insert(
            "left_out".to_owned(),
            json!({"type": "integer", "minimum": 0, "description": "Findings on all pages that are not told"}),
        );
    }
    spec
}

/// What `wcag-check` looks at: all of it.
const WHOLE: [&str; 7] = [
    "accessibility",
    "accessibility.contrast-check",
    "accessibility.alt-text-check",
    "accessibility.labels-check",
    "accessibility.landmarks-check",
    "accessibility.aria-check",
    "accessibility.keyboard-check",
];

fn wcag_spec() -> ToolSpec {
    let mut whole = spec(
        "wcag-check",
        "Check WCAG 2.2",
        "Checks pages against WCAG 2.2 and good practice as far as HTML and style sheets allow: texts for images, labels, \
         landmarks and headings, ARIA, keyboard use, contrast, language, tables, lists, frames and media. Rules are named as \
         axe-core names them. Give style sheets as assets, or contrast is only judged by styles inside the page; scripts do \
         not run. Returns findings with the success criterion, a summary by severity, and one row per page with counts and \
         the texts whose contrast could not be decided.",
        "<html><img src=\"logo.png\"><p style=\"color:#999\">Pale text</p>",
    );
    whole.does = audits(&WHOLE).into_iter().collect();
    whole
}

fn contrast_spec() -> ToolSpec {
    spec(
        "contrast-check",
        "Check contrast",
        "Checks the contrast of text with what is behind it (WCAG 2.2 1.4.3: 4.5 : 1, large text 3 : 1), links in text that \
         differ only by colour, and tiny text. Computes styles from the page and from style sheets given as assets, with \
         custom properties, inheritance and opacity; text over images, gradients or floating boxes is counted as undecided. \
         Returns findings with both colours and the ratio, a summary by severity, and one row per page.",
        "<main><h1>Title</h1><p style=\"color:#999\">Pale text</p></main>",
    )
}

fn alt_text_spec() -> ToolSpec {
    spec(
        "alt-text-check",
        "Check texts for images",
        "Finds images, image buttons, areas of image maps, graphics and objects without a text for those who do not see them, \
         and texts that say twice what stands beside the image. Returns findings with the element, a summary by severity, and \
         one row per page.",
        "<main><h1>Title</h1><img src=\"chart.png\"></main>",
    )
}

fn labels_spec() -> ToolSpec {
    spec(
        "labels-check",
        "Check names and labels",
        "Finds fields, buttons, links and widgets that a screen reader cannot name, fields with several labels or only a \
         title, names that leave out the visible text, and wrong autocomplete values. Names are computed by the accname rules. \
         Returns findings with the element, a summary by severity, and one row per page.",
        "<main><h1>Title</h1><input name=\"email\"><button></button></main>",
    )
}

fn landmarks_spec() -> ToolSpec {
    spec(
        "landmarks-check",
        "Check landmarks and headings",
        "Checks whether visitors can find the parts of pages: one main content, page header and footer once and on top, \
         landmarks that can be told apart, content outside of landmarks, ways to skip what repeats, and headings that step \
         level by level. Returns findings with the element, a summary by severity, and one row per page.",
        "<p>Outside</p><main><h1>Title</h1><h3>Too deep</h3></main>",
    )
}

fn aria_spec() -> ToolSpec {
    spec(
        "aria-check",
        "Check ARIA",
        "Checks the use of WAI-ARIA: unknown or unsuitable roles, attributes that are unknown, wrong, missing or not allowed \
         for the role, parts without their whole and the reverse, hidden content that takes the focus, and ids that occur \
         twice. Returns findings with the element, a summary by severity, and one row per page.",
        "<main><h1>Title</h1><div role=\"checkbox\" tabindex=\"0\">Agree</div></main>",
    )
}

fn keyboard_spec() -> ToolSpec {
    spec(
        "keyboard-check",
        "Check keyboard use",
        "Checks whether pages can be used without a mouse: positive tabindex, click handlers on what takes no focus, handlers \
         that swallow the Tab key, controls inside controls, style sheets that take the focus outline away, shortcut keys used \
         twice, small targets, blocked zoom and automatic reloads. Returns findings with the element, a summary by severity, \
         and one row per page.",
        "<main><h1>Title</h1><div onclick=\"open()\">Open</div></main>",
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::builtin;

    async fn rules(tool: &str, html: &str, assets: Value) -> Vec<String> {
        let pages = json!([{"url": "https://pages.test/", "html": html}]);
        let result = builtin(tool, json!({"pages": pages, "assets": assets}))
            .await
            .unwrap();
        let findings = result["findings"].as_array().unwrap();
        assert_eq!(result["rows"][0]["findings"], findings.len());
        let rules = findings
            .iter()
            .map(|finding| finding["rule"].as_str().unwrap().to_owned());
        rules.collect()
    }

    #[tokio::test]
    async fn every_tool_finds_what_it_is_for() {
        let html = "<!doctype html><html lang=en><title>T</title><p>Loose</p><main><h1>H</h1><img src=a>\
            <input><div role=foo>x</div><a href=/ tabindex=3>x</a><p style='color:#ccc'>Pale</p></main>";
        for (tool, expected) in [
            ("contrast-check", vec!["color-contrast"]),
            ("alt-text-check", vec!["image-alt"]),
            ("labels-check", vec!["label"]),
            ("landmarks-check", vec!["region"]),
            ("aria-check", vec!["aria-roles"]),
            ("keyboard-check", vec!["tabindex"]),
        ] {
            assert_eq!(rules(tool, html, json!([])).await, expected, "{tool}");
        }
        assert_eq!(rules("wcag-check", html, json!([])).await.len(), 6);
    }

    #[tokio::test]
    async fn style_sheets_are_assets() {
        let html = "<link rel=stylesheet href=/s.css><main><h1>H</h1><p>Text</p></main>";
        let sheet =
            json!([{"url": "https://pages.test/s.css", "kind": "style", "text": "p{color:#bbb}"}]);
        assert_eq!(
            rules("contrast-check", html, sheet).await,
            ["color-contrast"]
        );
        assert!(rules("contrast-check", html, json!([])).await.is_empty());
    }
}
