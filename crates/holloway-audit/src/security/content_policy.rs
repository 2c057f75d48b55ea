//! Does the Content-Security-Policy protect? It must limit where scripts come from, and
//! without the words that take the protection away again.

use crate::collect::Collector;
use crate::document::Document;
use crate::rule::Rule;

const MISSING: Rule = Rule::security("csp-missing");
const UNSAFE_INLINE: Rule = Rule::security("csp-unsafe-inline");
const UNSAFE_EVAL: Rule = Rule::security("csp-unsafe-eval");
const WILDCARD: Rule = Rule::security("csp-wildcard");
const GAPS: Rule = Rule::security("csp-gaps");
const TRUSTED_TYPES: Rule = Rule::security("trusted-types-missing");

pub(super) const RULES: &[Rule] = &[
    MISSING,
    UNSAFE_INLINE,
    UNSAFE_EVAL,
    WILDCARD,
    GAPS,
    TRUSTED_TYPES,
];

/// One policy: its directives with their sources.
pub(super) struct Policy(Vec<(String, Vec<String>)>);

impl Policy {
    fn parse(text: &str) -> Self {
        let directives = text.split(';').filter_map(|directive| {
            let mut words = directive
                .split_ascii_whitespace()
                .map(str::to_ascii_lowercase);
            Some((words.next()?, words.collect()))
        });
        Self(directives.collect())
    }

    /// The sources of a directive; the first one of a name counts.
    fn get(&self, name: &str) -> Option<&[String]> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, sources)| sources.as_slice())
    }

    /// Whether it keeps others from framing the page; none if it says nothing about that.
    pub(super) fn limits_framing(&self) -> Option<bool> {
        let ancestors = self.get("frame-ancestors")?;
        Some(!ancestors.iter().any(|source| is_wide(source)))
    }

    fn or_default(&self, name: &str) -> Option<&[String]> {
        self.get(name).or_else(|| self.get("default-src"))
    }
}

/// Sources that stand for every site.
fn is_wide(source: &str) -> bool {
    ["*", "http:", "https:", "http://*", "https://*"].contains(&source)
}

pub(super) fn check(found: &mut Collector) {
    let policies = policies(found);
    if policies.is_empty() {
        let only = found
            .document()
            .page()
            .headers
            .contains_key("content-security-policy-report-only");
        let evidence = if only {
            "only Content-Security-Policy-Report-Only"
        } else {
            "no Content-Security-Policy"
        };
        found.page(&MISSING, evidence);
        return;
    }
    check_scripts(found, &policies);
    check_gaps(found, &policies);
    check_trusted_types(found, &policies);
}

/// Only scripts turn text into markup; a page without any needs no such rule.
fn check_trusted_types(found: &mut Collector, policies: &[Policy]) {
    let required = policies
        .iter()
        .any(|policy| policy.get("require-trusted-types-for").is_some());
    let mut scripts = found.document().named("script");
    let runs = scripts.any(|script| {
        let kind = script.attr("type").unwrap_or_default().to_ascii_lowercase();
        kind.is_empty() || kind == "module" || kind.contains("javascript")
    });
    if runs && !required {
        found.page(&TRUSTED_TYPES, "no require-trusted-types-for");
    }
}

/// A header may hold several policies, and the HTML may add more; all of them apply.
fn policies(found: &Collector) -> Vec<Policy> {
    let document = found.document();
    let metas = document.named("meta").filter(|meta| {
        let name = meta.attr("http-equiv").unwrap_or_default();
        name.eq_ignore_ascii_case("content-security-policy")
    });
    let in_html = metas.filter_map(|meta| meta.attr("content"));
    let mut policies = in_header(document);
    policies.extend(in_html.map(Policy::parse));
    policies.retain(|policy| !policy.0.is_empty());
    policies
}

/// Some directives count only here, and not in the HTML.
pub(super) fn in_header(document: &Document) -> Vec<Policy> {
    let header = document.page().headers.get("content-security-policy");
    let policies = header.into_iter().flat_map(|value| value.split(','));
    policies.map(Policy::parse).collect()
}

/// What one policy forbids stays forbidden: a weakness counts only if all have it.
fn check_scripts(found: &mut Collector, policies: &[Policy]) {
    let scripts: Vec<_> = policies
        .iter()
        .filter_map(|policy| policy.or_default("script-src"))
        .collect();
    if scripts.is_empty() {
        return;
    }
    let all = |weak: &dyn Fn(&[String]) -> bool| scripts.iter().all(|sources| weak(sources));
    let shown = scripts
        .iter()
        .map(|sources| sources.join(" "))
        .collect::<Vec<_>>()
        .join(", ");
    let evidence = format!("scripts may come from: {shown}");
    // With a nonce or hash, browsers ignore 'unsafe-inline'; it stays for old ones.
    let has = |sources: &[String], word: &str| sources.iter().any(|source| source == word);
    if all(&|sources| has(sources, "'unsafe-inline'") && !is_strict(sources)) {
        found.page(&UNSAFE_INLINE, &evidence);
    }
    if all(&|sources| has(sources, "'unsafe-eval'")) {
        found.page(&UNSAFE_EVAL, &evidence);
    }
    let wide = |source: &String| is_wide(source) || source == "data:";
    if all(&|sources| sources.iter().any(wide) && !has(sources, "'strict-dynamic'")) {
        found.page(&WILDCARD, &evidence);
    }
}

fn is_strict(sources: &[String]) -> bool {
    let strict = [
        "'nonce-",
        "'sha256-",
        "'sha384-",
        "'sha512-",
        "'strict-dynamic'",
    ];
    sources
        .iter()
        .any(|source| strict.iter().any(|start| source.starts_with(start)))
}

fn check_gaps(found: &mut Collector, policies: &[Policy]) {
    let covered = |name: &str| {
        policies
            .iter()
            .any(|policy| policy.or_default(name).is_some())
    };
    let mut gaps = Vec::new();
    if !covered("script-src") {
        gaps.push("script-src");
    }
    if !covered("object-src") {
        gaps.push("object-src");
    }
    // No default stands in for this one.
    if !policies
        .iter()
        .any(|policy| policy.get("base-uri").is_some())
    {
        gaps.push("base-uri");
    }
    if !gaps.is_empty() {
        found.page(&GAPS, &format!("missing: {}", gaps.join(", ")));
    }
}
