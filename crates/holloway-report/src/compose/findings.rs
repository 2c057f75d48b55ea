//! Which findings are in the results of checks? They are gathered however deep they lie,
//! and counted by area and severity.

use serde_json::Value;

use super::pick;
use crate::Error;
use crate::chart::{Chart, Kind, Series};
use crate::clean::area;
use crate::figure;
use crate::model::{Finding, Place, Severity};

const DEEPEST: usize = 6;

/// Nothing for null. What is not understood is an error: it must not read as all clear.
pub(crate) fn findings(value: &Value) -> Result<Vec<Finding>, Error> {
    let mut found = Vec::new();
    collect(value, "", 0, &mut found)?;
    // What several checks told is one finding.
    let mut seen = std::collections::HashSet::new();
    found.retain(|finding| {
        seen.insert((
            finding.rule.clone(),
            finding.place.page.clone(),
            finding.place.element.clone(),
            finding.evidence.clone(),
        ))
    });
    Ok(found)
}

fn unknown(value: &Value) -> Error {
    pick::unknown(
        "findings",
        value,
        "a list of findings with a `rule` each, or results with `findings`",
    )
}

fn collect(
    value: &Value,
    domain: &str,
    depth: usize,
    found: &mut Vec<Finding>,
) -> Result<(), Error> {
    if depth > DEEPEST {
        return Err(unknown(value));
    }
    match value {
        Value::Null => Ok(()),
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| collect(item, domain, depth + 1, found)),
        Value::Object(fields) => {
            if let Some(inner) = value.get("findings").filter(|inner| !inner.is_null()) {
                let domain = value
                    .get("domain")
                    .and_then(Value::as_str)
                    .unwrap_or(domain);
                return collect(inner, domain, depth + 1, found);
            }
            if value.get("rule").is_some_and(Value::is_string) {
                found.push(finding(value, domain));
                return Ok(());
            }
            // Results by the name of their check.
            let results = fields
                .values()
                .all(|value| value.is_object() || value.is_array() || value.is_null());
            if fields.is_empty() || !results {
                return Err(unknown(value));
            }
            fields
                .values()
                .try_for_each(|value| collect(value, domain, depth + 1, found))
        }
        _ => Err(unknown(value)),
    }
}

fn finding(value: &Value, domain: &str) -> Finding {
    let text = |names: &[&str]| pick::string(value, names).unwrap_or_default();
    let given = text(&["domain", "category"]);
    Finding {
        rule: text(&["rule"]),
        title: text(&["title"]),
        domain: if given.is_empty() {
            domain.to_owned()
        } else {
            given
        },
        severity: severity(&text(&["severity", "level", "impact"])),
        place: place(value),
        evidence: pick::any(value, &["evidence", "message", "detail"])
            .map(figure::text)
            .unwrap_or_default(),
        mend: text(&["mend", "fix", "advice", "recommendation", "help"]),
        reference: text(&["reference"]),
        link: text(&["link"]),
        why: text(&["why"]),
    }
}

fn place(value: &Value) -> Place {
    match value.get("where") {
        Some(Value::Object(_)) => {
            let place = value.get("where").unwrap_or(value);
            Place {
                page: pick::string(place, &["page", "url", "file", "path"]).unwrap_or_default(),
                element: pick::string(place, &["element", "selector", "line"]).unwrap_or_default(),
            }
        }
        Some(Value::String(page)) => Place {
            page: page.clone(),
            element: String::new(),
        },
        _ => Place {
            page: pick::string(value, &["page", "url", "file", "path"]).unwrap_or_default(),
            element: pick::string(value, &["element", "selector"]).unwrap_or_default(),
        },
    }
}

fn severity(name: &str) -> Severity {
    match name.to_lowercase().as_str() {
        "critical" | "blocker" | "fatal" => Severity::Critical,
        "serious" | "high" | "error" | "major" => Severity::Serious,
        "minor" | "low" | "info" | "notice" => Severity::Minor,
        _ => Severity::Moderate,
    }
}

/// Bars by area when there are several, by severity otherwise.
pub(crate) fn charts(findings: &[Finding]) -> Option<Chart> {
    if findings.len() < 3 {
        return None;
    }
    let mut domains: Vec<&str> = Vec::new();
    for finding in findings {
        if !domains.contains(&finding.domain.as_str()) && domains.len() < 40 {
            domains.push(&finding.domain);
        }
    }
    let count = |domain: &str, severity| {
        findings
            .iter()
            .filter(|finding| finding.domain == domain && finding.severity == severity)
            .count() as f64
    };
    let present = Severity::ALL
        .into_iter()
        .filter(|severity| findings.iter().any(|finding| finding.severity == *severity));
    if domains.len() > 1 {
        domains.sort_by_key(|domain| {
            std::cmp::Reverse(
                findings
                    .iter()
                    .filter(|finding| finding.domain == **domain)
                    .count(),
            )
        });
        let series = present.map(|severity| Series {
            name: severity.name().to_owned(),
            severity: Some(severity),
            values: domains
                .iter()
                .map(|domain| Some(count(domain, severity)))
                .collect(),
            ..Series::default()
        });
        return Some(Chart {
            kind: Kind::HorizontalBar,
            title: "Findings by area and severity".to_owned(),
            stacked: true,
            labels: domains
                .iter()
                .map(|domain| match *domain {
                    "" => "Other".to_owned(),
                    domain => area(domain),
                })
                .collect(),
            series: series.collect(),
            ..Chart::default()
        });
    }
    let domain = domains.first().copied().unwrap_or_default();
    let present: Vec<Severity> = present.collect();
    (present.len() > 1).then(|| Chart {
        kind: Kind::HorizontalBar,
        title: "Findings by severity".to_owned(),
        labels: present
            .iter()
            .map(|severity| severity.name().to_owned())
            .collect(),
        series: vec![Series {
            name: "Findings".to_owned(),
            values: present
                .iter()
                .map(|severity| Some(count(domain, *severity)))
                .collect(),
            ..Series::default()
        }],
        ..Chart::default()
    })
}
