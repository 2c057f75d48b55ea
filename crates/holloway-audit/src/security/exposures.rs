//! What is on a page that nobody should see? Secrets in comments and scripts, listings of
//! folders, error messages with their traces, versions of generators. Secrets are shown masked.

use std::sync::LazyLock;

use ego_tree::iter::Edge;
use regex::{Regex, RegexSet};
use scraper::{ElementRef, Node};

use crate::collect::Collector;
use crate::document::Document;
use crate::rule::Rule;

const SECRET: Rule = Rule::security("secret-published");
const COMMENT: Rule = Rule::security("comment-secret");
const LISTING: Rule = Rule::security("directory-listing");
const DETAILS: Rule = Rule::security("error-details");
const GENERATOR: Rule = Rule::security("generator-version-shown");

pub(super) const RULES: &[Rule] = &[SECRET, COMMENT, LISTING, DETAILS, GENERATOR];

/// Keys whose form alone tells that they must not be public.
static SECRETS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|-----BEGIN (?:[A-Z]{2,8} )?PRIVATE KEY-----",
        r"|\bsk_live_[0-9a-zA-Z]{20,}|\brk_live_[0-9a-zA-Z]{20,}|\bgh[pousr]_[0-9A-Za-z]{36}",
        r"|\bxox[baprs]-[0-9A-Za-z-]{20,}|\bglpat-[0-9A-Za-z_-]{20}|\bSG\.[\w-]{22}\.[\w-]{43}",
    ))
    .ok()
});

/// A word for a secret, then a value that is not just another word of a sentence.
static IN_COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names =
        r"(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?token|private[_-]?key|credentials?)";
    Regex::new(&format!(
        r#"(?i)\b{names}["']?\s*[:=]\s*["']?([^\s"'<>,;]{{6,}})"#
    ))
    .ok()
});

/// What frameworks and databases say when they break.
static TRACES: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    RegexSet::new([
        r"Traceback \(most recent call last\)",
        r"(?:Fatal|Parse) error: .{1,300} in /\S+ on line \d+",
        r"Uncaught \w*(?:Exception|Error).{0,300}Stack trace:",
        r"at [\w.$]+\([\w]+\.java:\d+\)",
        r"(?:System|Microsoft)\.\w+(?:\.\w+)*Exception: ",
        r"SQLSTATE\[\w+\]",
        r"You have an error in your SQL syntax",
        r"\bORA-\d{5}: ",
        r"Server Error in '/.{0,100}' Application",
        r"at \S.{0,200} \(?/\S+\.js:\d+:\d+\)?",
    ])
    .ok()
});

/// Every pattern of `TRACES` holds one of these; without any of them there is no trace,
/// and nothing to get ready for.
const SIGNS: [&str; 10] = [
    "Traceback (most recent call last)",
    " error: ",
    "Uncaught ",
    ".java:",
    "Exception: ",
    "SQLSTATE[",
    "You have an error in your SQL syntax",
    "ORA-",
    "Server Error in '/",
    ".js:",
];

/// Text looked at per script, comment or page.
const LOOKED_AT: usize = 512 * 1024;

pub(super) fn check(found: &mut Collector) {
    check_scripts(found);
    check_comments(found);
    check_listing(found);
    check_traces(found);
    let generator = found.document().metas("generator").next();
    if let Some(element) = generator {
        let content = element.attr("content").unwrap_or_default();
        let versioned = content.split_whitespace().any(|word| {
            let word = word.trim_start_matches('v');
            word.contains('.') && word.starts_with(|first: char| first.is_ascii_digit())
        });
        if versioned {
            found.tag(&GENERATOR, element);
        }
    }
}

fn front(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LOOKED_AT))
        .unwrap_or(text)
}

fn check_scripts(found: &mut Collector) {
    let document = found.document();
    for script in document.named("script") {
        for text in script.text() {
            if let Some(secret) = SECRETS
                .as_ref()
                .and_then(|pattern| pattern.find(front(text)))
            {
                found.element(&SECRET, script, &mask(secret.as_str()));
            }
        }
    }
}

/// Enough to find it again, too little to use it.
fn mask(secret: &str) -> String {
    let length = secret.chars().count();
    let start: String = secret.chars().take((length / 3).min(6)).collect();
    format!("{start}… ({length} characters)")
}

fn check_comments(found: &mut Collector) {
    let document = found.document();
    for node in document.html().tree.nodes() {
        let Node::Comment(comment) = node.value() else {
            continue;
        };
        let text = front(comment);
        // The first one may be a placeholder, and a later one a secret.
        let value = IN_COMMENT.as_ref().and_then(|pattern| {
            let values = pattern.captures_iter(text).filter_map(|found| found.get(1));
            let mut values = values.map(|value| value.as_str());
            values.find(|value| is_value(value))
        });
        let secret = SECRETS.as_ref().and_then(|pattern| pattern.find(text));
        let parent = node.parent().and_then(ElementRef::wrap);
        if let Some(secret) = secret {
            report(found, &SECRET, parent, &mask(secret.as_str()));
        } else if let Some(value) = value {
            report(
                found,
                &COMMENT,
                parent,
                &format!("a comment with {}", mask(value)),
            );
        }
    }
}

fn report(found: &mut Collector, rule: &Rule, parent: Option<ElementRef>, evidence: &str) {
    match parent {
        Some(parent) => found.element(rule, parent, evidence),
        None => found.page(rule, evidence),
    }
}

/// Placeholders and calls are no secrets.
fn is_value(value: &str) -> bool {
    let placeholder = [
        "{{",
        "${",
        "<%",
        "xxx",
        "***",
        "...",
        "example",
        "placeholder",
        "your",
    ];
    let lower = value.to_ascii_lowercase();
    let distinct = lower.bytes().any(|byte| byte.is_ascii_digit());
    distinct && !value.contains('(') && !placeholder.iter().any(|text| lower.contains(text))
}

fn check_listing(found: &mut Collector) {
    let document = found.document();
    let title = document.title().unwrap_or_default();
    let heading = document
        .first("h1")
        .map(|first| document.text(first))
        .unwrap_or_default();
    let listed =
        |text: &str| text.starts_with("Index of /") || text.starts_with("Directory listing for /");
    let goes_up = || {
        document.named("a").any(|link| {
            let up = link
                .attr("href")
                .is_some_and(|address| address.starts_with("../") || address.starts_with("?C="));
            up || document.text(link).eq_ignore_ascii_case("parent directory")
        })
    };
    let python = title.starts_with("Directory listing for /");
    if listed(&title) && listed(&heading) && (python || goes_up()) {
        found.page(&LISTING, &title);
    }
}

fn check_traces(found: &mut Collector) {
    let document = found.document();
    // On a page that failed every trace counts; on others examples in articles do not.
    let text = if document.page().status >= 500 {
        document.visible_text().to_owned()
    } else {
        plain_text(document)
    };
    let text = front(&text);
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return;
    }
    let Some(patterns) = TRACES.as_ref() else {
        return;
    };
    if let Some(index) = patterns.matches(text).into_iter().next() {
        let pattern = patterns
            .patterns()
            .get(index)
            .and_then(|pattern| Regex::new(pattern).ok());
        let shown = pattern.and_then(|pattern| Some(pattern.find(text)?.as_str().to_owned()));
        found.page(&DETAILS, &shown.unwrap_or_default());
    }
}

/// Visible text outside of places where code is quoted.
fn plain_text(document: &Document) -> String {
    const QUOTES: [&str; 9] = [
        "pre",
        "code",
        "article",
        "textarea",
        "blockquote",
        "script",
        "style",
        "noscript",
        "template",
    ];
    let Some(body) = document.first("body") else {
        return String::new();
    };
    let mut text = String::new();
    let mut skipped = None;
    for edge in body.traverse() {
        match edge {
            Edge::Open(node) if skipped.is_none() => match node.value() {
                Node::Text(piece) => text.push_str(piece),
                Node::Element(value) if QUOTES.contains(&value.name()) => skipped = Some(node.id()),
                _ => {}
            },
            Edge::Close(node) if skipped == Some(node.id()) => skipped = None,
            _ => {}
        }
        if text.len() > LOOKED_AT {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::testing::{names, page};

    fn check_rules(page: &Page, expected: &str) {
        let document = Document::parse(page);
        let mut found = Collector::new(&document);
        check(&mut found);
        let findings = found.finish();
        let found: Vec<_> = names(&findings).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{}", page.html);
    }

    #[test]
    fn all_patterns_compile() {
        assert!(SECRETS.is_some() && IN_COMMENT.is_some() && TRACES.is_some());
    }

    #[test]
    fn listings_and_errors_are_known_by_their_form() {
        for (html, expected) in [
            (
                "<title>Index of /a</title><h1>Index of /a</h1><a href='../'>..</a>",
                "directory-listing",
            ),
            (
                "<title>Directory listing for /</title><h1>Directory listing for /</h1>",
                "directory-listing",
            ),
            ("<title>Index of /r/ posts</title><h1>Posts</h1>", ""),
            ("<p>Traceback (most recent call last): x", "error-details"),
            (
                "<br><b>Fatal error</b>: Uncaught Error in /var/www/a.php on line 3",
                "error-details",
            ),
            (
                "<article>Traceback (most recent call last): x</article>",
                "",
            ),
            ("<p>SQLSTATE[42S02]: Base table not found", "error-details"),
            (
                "<meta name=generator content='WordPress 6.1.1'>",
                "generator-version-shown",
            ),
            ("<meta name=generator content='Hugo'>", ""),
            (
                "<!-- password: ${DB_PASSWORD} then password: s3cret99 -->",
                "comment-secret",
            ),
        ] {
            check_rules(&page(html), expected);
        }
        let mut failed = page("<pre>Traceback (most recent call last): x</pre>");
        check_rules(&failed, "");
        failed.status = 500;
        check_rules(&failed, "error-details");
    }

    #[test]
    fn secrets_are_masked() {
        let key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        let document = Document::parse(&page(&format!("<script>x='{key}'</script><!-- {key} -->")));
        let mut found = Collector::new(&document);
        check(&mut found);
        let findings = found.finish();
        assert_eq!(findings.len(), 2);
        assert!(
            findings
                .iter()
                .all(|finding| finding.evidence == "ghp_ab… (40 characters)")
        );
    }
}
