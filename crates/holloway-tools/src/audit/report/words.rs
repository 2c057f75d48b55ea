//! What is said in words? The state of the site, the three things that matter most and why, and
//! the same in a few lines for the terminal.

use std::fmt::Write as _;

use holloway_audit::action_plan::Action;
use holloway_audit::finding::{Domain, Severity};

use super::Audit;

/// So many things a reader keeps in mind.
const FIRST: usize = 3;

/// Pages and plan, beside the date.
pub(super) fn facts(audit: &Audit) -> Vec<String> {
    let mut facts = vec![counted(audit.pages.len(), "page")];
    if audit.errors > 0 {
        facts.push(format!(
            "{} with an error",
            counted(audit.errors, "address")
        ));
    }
    if !audit.plan.is_empty() {
        facts.push(format!("plan: {}", audit.plan));
    }
    facts
}

/// Markdown: what state the site is in, and where to begin.
pub(super) fn summary(audit: &Audit) -> String {
    let mut text = state(audit);
    let first = first(audit);
    if first.is_empty() {
        return text;
    }
    let begin = match first.len() {
        1 => "Begin with this:",
        _ => "Begin with these, in this order:",
    };
    write!(text, "\n\n{begin}\n\n").ok();
    for (index, action) in first.iter().enumerate() {
        writeln!(
            text,
            "{}. **{}** — {}. {} {}",
            index + 1,
            escaped(problem(action)),
            escaped(&reach(action, audit.pages.len())),
            escaped(&action.why),
            effort(action)
        )
        .ok();
    }
    text
}

/// The same without markup.
pub(super) fn told(audit: &Audit) -> String {
    let mut text = state(audit).replace("**", "");
    for (index, action) in first(audit).iter().enumerate() {
        write!(
            text,
            "\n{}. {} ({})",
            index + 1,
            problem(action),
            reach(action, audit.pages.len())
        )
        .ok();
    }
    text
}

fn state(audit: &Audit) -> String {
    let count = |severity| {
        audit
            .findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let (critical, serious) = (count(Severity::Critical), count(Severity::Serious));
    let verdict = match (critical, serious, audit.findings.len()) {
        (_, _, 0) => "Nothing was found.".to_owned(),
        (0, 0, all) => format!(
            "No serious problem was found; {} remain.",
            counted(all, "smaller one")
        ),
        (critical, serious, all) => format!(
            "{} found, {critical} of them critical and {serious} serious.",
            were(all, "distinct problem")
        ),
    };
    let mut text = match audit.scores.as_slice() {
        [] => String::new(),
        [(domain, _)] => format!(
            "{} scores **{} of 100**. ",
            name(*domain),
            audit.overall.round()
        ),
        _ => format!("The site scores **{} of 100**. ", audit.overall.round()),
    };
    text.push_str(&verdict);
    if let Some((weakest, score)) = weakest(audit) {
        write!(
            text,
            " The weakest part is {} with {}.",
            lower(weakest),
            score.round()
        )
        .ok();
    }
    let saved: u64 = audit.findings.iter().map(|finding| finding.saves).sum();
    if saved >= 10_000 {
        write!(text, " Files could be about **{}** smaller.", size(saved)).ok();
    }
    text
}

fn weakest(audit: &Audit) -> Option<(Domain, f64)> {
    let several = audit.scores.len() > 1 && !audit.findings.is_empty();
    let scores = audit.scores.iter().filter(|_| several);
    scores
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .copied()
}

fn first(audit: &Audit) -> &[Action] {
    audit
        .actions
        .get(..audit.actions.len().min(FIRST))
        .unwrap_or_default()
}

/// What is wrong, as a person says it.
pub(super) fn problem(action: &Action) -> &str {
    if action.problem.is_empty() {
        &action.title
    } else {
        &action.problem
    }
}

/// Where it is: the page if it is one, else how many.
fn reach(action: &Action, pages: usize) -> String {
    let first = action.examples.first().map(|example| path(&example.page));
    match (action.pages_affected, first) {
        (0 | 1, Some(path)) => format!("on {path}"),
        (affected, _) if affected >= pages => format!("on all {affected} pages"),
        (affected, Some(path)) => format!("on {affected} of {pages} pages, such as {path}"),
        (affected, None) => format!("on {affected} of {pages} pages"),
    }
}

fn effort(action: &Action) -> &'static str {
    match action.effort {
        holloway_audit::rule::Effort::Low => "Mending it takes little.",
        holloway_audit::rule::Effort::Medium => "Mending it takes a moderate effort.",
        holloway_audit::rule::Effort::High => "Mending it takes a large effort.",
    }
}

/// An address without its host.
pub(super) fn path(page: &str) -> String {
    match reqwest::Url::parse(page) {
        Ok(url) => {
            let query = url.query().map(|query| format!("?{query}"));
            format!("{}{}", url.path(), query.unwrap_or_default())
        }
        Err(_) => page.to_owned(),
    }
}

pub(super) fn name(domain: Domain) -> &'static str {
    match domain {
        Domain::Seo => "SEO",
        Domain::Performance => "Performance",
        Domain::Accessibility => "Accessibility",
        Domain::Security => "Security",
    }
}

fn lower(domain: Domain) -> &'static str {
    match domain {
        Domain::Seo => "SEO",
        other => other.name(),
    }
}

pub(super) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ if noun.ends_with('s') => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}

fn were(count: usize, noun: &str) -> String {
    let verb = if count == 1 { "was" } else { "were" };
    format!("{} {verb}", counted(count, noun))
}

/// Bytes as people say them.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Without what Markdown would read as its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '_' | '`' | '[' | ']' | '<' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
