//! How are the findings told? By rule, under names that people use, with why they matter and a link
//! to what the rule rests on.

use holloway_audit::finding::{Finding, Severity};
use holloway_audit::texts;
use holloway_report::chart::{Chart, Kind, Series};
use holloway_report::model::{self, Block, Findings, Place};

use super::Audit;
use super::body::heading;
use super::words::name;

pub(super) fn blocks(audit: &Audit) -> Vec<Block> {
    let mut blocks = vec![heading("All findings", 1)];
    if audit.scores.len() > 1 && audit.findings.len() > 3 {
        blocks.push(Block::Chart(chart(audit)));
    }
    blocks.push(Block::Findings(Findings {
        items: audit.findings.iter().map(finding).collect(),
        ..Findings::default()
    }));
    blocks
}

fn finding(found: &Finding) -> model::Finding {
    let text = texts::of(&found.rule);
    model::Finding {
        rule: found.rule.clone(),
        title: text.problem.clone(),
        domain: found.domain.name().to_owned(),
        severity: severity(found.severity),
        place: Place {
            page: found.place.page.clone(),
            element: found.place.element.clone(),
        },
        evidence: found.evidence.clone(),
        mend: found.mend.clone(),
        reference: found.reference.clone(),
        link: text.link.clone(),
        why: text.why.clone(),
    }
}

fn severity(severity: Severity) -> model::Severity {
    match severity {
        Severity::Critical => model::Severity::Critical,
        Severity::Serious => model::Severity::Serious,
        Severity::Moderate => model::Severity::Moderate,
        Severity::Minor => model::Severity::Minor,
    }
}

/// How many findings of each severity there are in each domain.
fn chart(audit: &Audit) -> Chart {
    let domains = || audit.scores.iter().map(|(domain, _)| *domain);
    let severities = [
        Severity::Critical,
        Severity::Serious,
        Severity::Moderate,
        Severity::Minor,
    ];
    let series = severities.into_iter().filter_map(|wanted| {
        let counts = domains().map(|domain| {
            let findings = audit.findings.iter();
            let own = findings.filter(|one| one.domain == domain && one.severity == wanted);
            own.count() as f64
        });
        let values: Vec<Option<f64>> = counts.map(Some).collect();
        let any = values.iter().flatten().any(|count| *count > 0.0);
        any.then(|| Series {
            name: severity(wanted).name().to_owned(),
            severity: Some(severity(wanted)),
            values,
            ..Series::default()
        })
    });
    Chart {
        kind: Kind::HorizontalBar,
        title: "Findings by area and severity".to_owned(),
        stacked: true,
        labels: domains().map(|domain| name(domain).to_owned()).collect(),
        series: series.collect(),
        ..Chart::default()
    }
}
