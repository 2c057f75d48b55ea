//! What stands in the report, and in which order? Figures and scores, what to do now, next and
//! later, the pages, the browser's view, every finding, and how it was checked.

use holloway_audit::action_plan::Action;
use holloway_audit::audit::DOMAINS;
use holloway_audit::coverage::Part;
use holloway_audit::finding::{Domain, Severity};
use holloway_audit::pages::{self, PageScore};
use holloway_report::model::{
    Action as Told, Align, Block, Callout, Column, Figure, Format, Heading, Score, Spot, Table,
    Tone,
};
use serde_json::{Map, Value, json};

use super::words::{counted, name, path, problem, size};
use super::{Audit, found, lab};

/// Places shown with an action; the others stand with the findings.
const PLACES: usize = 3;
/// Pages in the table of pages.
const PAGES: usize = 100;
/// When an action is due, and what that means.
const WHEN: [(&str, &str, &str); 3] = [
    (
        "now",
        "Now",
        "These put visitors or the business at risk, or cost little and help on most pages.",
    ),
    ("next", "Next", "These matter, and can be planned."),
    (
        "later",
        "Later",
        "These are worth doing when the pages are worked on anyway.",
    ),
];

pub(super) fn blocks(audit: &Audit) -> Vec<Block> {
    let mut blocks = vec![Block::Figures {
        items: figures(audit),
    }];
    blocks.push(heading("Scores", 1));
    blocks.push(Block::Scores {
        items: scores(audit),
    });
    blocks.extend(unchecked(audit));
    blocks.extend(to_do(audit));
    blocks.extend(page_table(audit));
    blocks.extend(lab::blocks(audit));
    blocks.extend(found::blocks(audit));
    blocks.extend(method(audit));
    blocks
}

pub(super) fn heading(text: &str, level: u8) -> Block {
    Block::Heading(Heading {
        text: text.to_owned(),
        level,
    })
}

fn figures(audit: &Audit) -> Vec<Figure> {
    let count = |severity| {
        let findings = audit.findings.iter();
        findings.filter(|found| found.severity == severity).count()
    };
    let figure = |label: &str, value: Value, tone| Figure {
        label: label.to_owned(),
        value,
        tone,
        ..Figure::default()
    };
    let tone = |count: usize, bad| if count == 0 { Tone::Good } else { bad };
    let (critical, serious) = (count(Severity::Critical), count(Severity::Serious));
    let mut figures = vec![
        figure("Problems found", json!(audit.findings.len()), Tone::Neutral),
        figure("Critical", json!(critical), tone(critical, Tone::Poor)),
        figure("Serious", json!(serious), tone(serious, Tone::Fair)),
    ];
    let saved: u64 = audit.findings.iter().map(|found| found.saves).sum();
    if saved >= 10_000 {
        figures.push(figure(
            "Files could be smaller by",
            json!(size(saved)),
            Tone::Neutral,
        ));
    } else {
        figures.push(figure(
            "Things to do",
            json!(audit.actions.len()),
            Tone::Neutral,
        ));
    }
    figures
}

fn scores(audit: &Audit) -> Vec<Score> {
    let scores = DOMAINS.into_iter().map(|domain| {
        let value = audit.scores.iter().find(|(known, _)| *known == domain);
        let (made, missing) = audit.coverage.of(domain);
        let note = match (value, made.len(), missing.len()) {
            (None, _, _) => "not checked".to_owned(),
            (Some(_), 0, _) => String::new(),
            (Some(_), made, 0) => format!("all {made} checks"),
            (Some(_), made, missing) => format!("{made} of {} checks", made + missing),
        };
        Score {
            name: name(domain).to_owned(),
            value: value.map(|(_, score)| *score),
            note,
        }
    });
    scores.collect()
}

/// What nobody looked at, so that nobody takes it for good.
fn unchecked(audit: &Audit) -> Option<Block> {
    if audit.coverage.is_empty() {
        return None;
    }
    let lines = DOMAINS.into_iter().filter_map(|domain| {
        let (made, missing) = audit.coverage.of(domain);
        if missing.is_empty() {
            return None;
        }
        if made.is_empty() {
            return Some(format!("- **{}:** nothing was checked", name(domain)));
        }
        let missing: Vec<&str> = missing
            .iter()
            .map(|part: &Part| part.about.as_str())
            .collect();
        Some(format!("- **{}:** {}", name(domain), missing.join(", ")))
    });
    let unseen = audit.unseen.iter().map(|text| format!("- {text}"));
    let lines: Vec<String> = lines.chain(unseen).collect();
    (!lines.is_empty()).then(|| {
        Block::Callout(Callout {
            tone: Tone::Neutral,
            title: "Not checked in this audit".to_owned(),
            text: lines.join("\n"),
        })
    })
}

fn to_do(audit: &Audit) -> Vec<Block> {
    if audit.actions.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![heading("What to do", 1)];
    let mut start = 1;
    for (when, title, means) in WHEN {
        let due: Vec<&Action> = audit
            .actions
            .iter()
            .filter(|one| one.when == when)
            .collect();
        if due.is_empty() {
            continue;
        }
        blocks.push(heading(&format!("{title} ({})", due.len()), 2));
        blocks.push(Block::Paragraph {
            text: means.to_owned(),
        });
        if when == "later" {
            blocks.push(Block::Table(brief(&due, start)));
        } else {
            let items = due.iter().map(|action| told(action, audit.pages.len()));
            blocks.push(Block::Actions {
                items: items.collect(),
                start,
            });
        }
        start += due.len();
    }
    blocks
}

fn told(action: &Action, pages: usize) -> Told {
    let mut detail = if action.why.is_empty() {
        action.mend.clone()
    } else {
        format!("{}. {} {}", problem(action), action.why, action.mend)
    };
    if action.saves >= 1_000 {
        detail = format!("{detail} Saves about {}.", size(action.saves));
    }
    let impact = match action.pages_affected {
        affected if affected > 1 && affected >= pages => "all pages".to_owned(),
        affected => counted(affected, "page"),
    };
    Told {
        title: action.title.clone(),
        detail,
        priority: String::new(),
        effort: effort(action).to_owned(),
        impact: format!("{}, {impact}", severity(action.severity)),
        domain: name(action.domain).to_owned(),
        rule: action.rule.clone(),
        places: action
            .examples
            .iter()
            .take(PLACES)
            .map(|example| Spot {
                page: example.page.clone(),
                element: example.element.clone(),
                evidence: example.evidence.clone(),
            })
            .collect(),
        more: action
            .findings
            .saturating_sub(action.examples.len().min(PLACES)),
    }
}

fn effort(action: &Action) -> &'static str {
    match action.effort {
        holloway_audit::rule::Effort::Low => "low",
        holloway_audit::rule::Effort::Medium => "medium",
        holloway_audit::rule::Effort::High => "high",
    }
}

pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::Serious => "serious",
        Severity::Moderate => "moderate",
        Severity::Minor => "minor",
    }
}

/// Actions that can wait, one line each.
fn brief(actions: &[&Action], start: usize) -> Table {
    let rows = actions.iter().enumerate().map(|(index, action)| {
        let first = action.examples.first();
        json!({
            "number": start + index,
            "action": action.title,
            "area": name(action.domain),
            "severity": severity(action.severity),
            "effort": effort(action),
            "pages": action.pages_affected,
            "first": first.map(|example| path(&example.page)).unwrap_or_default(),
        })
    });
    let column = |key: &str, title: &str| Column {
        key: key.to_owned(),
        title: title.to_owned(),
        ..Column::default()
    };
    Table {
        columns: vec![
            Column {
                align: Align::Left,
                ..column("number", "No.")
            },
            column("action", "Action"),
            column("area", "Area"),
            column("severity", "Severity"),
            column("effort", "Effort"),
            column("pages", "Pages"),
            column("first", "First on"),
        ],
        rows: rows.collect(),
        ..Table::default()
    }
}

/// Every page with its own score, the worst first.
fn page_table(audit: &Audit) -> Vec<Block> {
    if audit.pages.len() < 2 || audit.scores.is_empty() {
        return Vec::new();
    }
    let domains: Vec<Domain> = audit.scores.iter().map(|(domain, _)| *domain).collect();
    let mut scores = pages::scores(&audit.findings, &audit.pages, &domains);
    scores.sort_by(|one, other| one.score.total_cmp(&other.score));
    let left_out = scores.len().saturating_sub(PAGES);
    let note = match left_out {
        0 => String::new(),
        count => format!(
            "{} with better scores are left out.",
            counted(count, "page")
        ),
    };
    vec![
        heading("Pages", 1),
        Block::Table(Table {
            columns: page_columns(&domains),
            rows: scores.iter().take(PAGES).map(page_row).collect(),
            note,
            ..Table::default()
        }),
    ]
}

fn page_row(page: &PageScore) -> Value {
    let mut row = Map::new();
    row.insert("page".to_owned(), json!(path(&page.page)));
    row.insert("score".to_owned(), json!(page.score.round()));
    row.insert("findings".to_owned(), json!(page.findings));
    row.insert("urgent".to_owned(), json!(page.urgent));
    for (domain, score) in &page.domains {
        row.insert(domain.name().to_owned(), json!(score.round()));
    }
    Value::Object(row)
}

fn page_columns(domains: &[Domain]) -> Vec<Column> {
    let column = |key: &str, title: &str, format| Column {
        key: key.to_owned(),
        title: title.to_owned(),
        format,
        ..Column::default()
    };
    let mut columns = vec![
        column("page", "Page", Format::Text),
        column("score", "Score", Format::Integer),
    ];
    if domains.len() > 1 {
        let own = domains.iter();
        columns.extend(own.map(|domain| column(domain.name(), name(*domain), Format::Integer)));
    }
    columns.push(column("findings", "Problems", Format::Integer));
    columns.push(column("urgent", "Critical or serious", Format::Integer));
    columns
}

fn method(audit: &Audit) -> Vec<Block> {
    let browser = if audit.lab.is_empty() {
        "No browser was used: times are those of the downloads, and what scripts change was not seen."
    } else {
        "A Chromium loaded the pages that are listed above it; all others were read as they were sent."
    };
    let text = format!(
        "Checked by machine, without attacking anything. Each broken rule takes its share off a score: 30, 15, 6 or 2 percent by \
         severity, a quarter of that if only one page of many is concerned. Priorities weigh severity, the share of pages \
         concerned and effort. Savings are estimates. {browser} A machine finds about half of all accessibility problems; \
         the rest needs people."
    );
    vec![
        heading("How this was checked", 1),
        Block::Paragraph { text },
    ]
}
