//! What is wrong with what a browser measured and showed? The bounds stand in `data/lab.toml`;
//! who drives the browser gives the figures.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Place, Severity};
use crate::rule::Rule;

const FCP: Rule = Rule::performance("lab-fcp-slow");
const LCP: Rule = Rule::performance("lab-lcp-slow");
const CLS: Rule = Rule::performance("lab-cls-high");
const TBT: Rule = Rule::performance("lab-tbt-high");
const FAILED: Rule = Rule::performance("lab-request-failed");
const ERROR: Rule = Rule::performance("lab-script-error");
const NEEDS_SCRIPTS: Rule = Rule::seo("content-needs-scripts");
/// The rule of the markup, by what the browser laid out.
const TARGET_SIZE: Rule = Rule::accessibility("target-size");
pub(crate) const RULES: &[Rule] = &[FCP, LCP, CLS, TBT, FAILED, ERROR, NEEDS_SCRIPTS];

/// Requests and errors of one page beyond this are not listed.
const MOST: usize = 10;

/// What a browser measured of one page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measured {
    pub page: String,
    /// Milliseconds since the navigation began; none where the browser did not say.
    pub fcp: Option<f64>,
    pub lcp: Option<f64>,
    pub cls: Option<f64>,
    pub tbt: Option<f64>,
    /// Words that the browser shows, and words of the HTML as it was sent.
    pub words_shown: usize,
    pub words_sent: usize,
    pub requests: usize,
    /// Addresses that failed, with the reason.
    pub failed: Vec<Failed>,
    /// Messages of script errors.
    pub errors: Vec<String>,
    /// Targets that are too small to tap.
    pub small_targets: Vec<Small>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    pub url: String,
    pub reason: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Small {
    /// A CSS path that leads to the element.
    pub element: String,
    pub evidence: String,
}

/// How one metric is judged.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Metric {
    pub name: String,
    pub unit: String,
    pub rule: String,
    pub good: f64,
    pub poor: f64,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Bounds {
    metrics: BTreeMap<String, Metric>,
    content: Content,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Content {
    share: f64,
    least_words: usize,
}

static BOUNDS: LazyLock<Bounds> =
    LazyLock::new(|| toml::from_str(include_str!("../data/lab.toml")).unwrap_or_default());

/// The metric of a short name, such as `lcp`.
pub fn metric(name: &str) -> Option<&'static Metric> {
    BOUNDS.metrics.get(name)
}

/// Everything that is wrong with a measured page.
pub fn check(measured: &Measured) -> Vec<Finding> {
    let mut found = Vec::new();
    let place = |element: &str| Place {
        page: measured.page.clone(),
        element: element.to_owned(),
    };
    for (name, rule, value) in [
        ("fcp", FCP, measured.fcp),
        ("lcp", LCP, measured.lcp),
        ("cls", CLS, measured.cls),
        ("tbt", TBT, measured.tbt),
    ] {
        found.extend(judge(name, rule, value, place("")));
    }
    for failed in measured.failed.iter().take(MOST) {
        let evidence = format!("{}: {}", failed.url, failed.reason);
        found.push(FAILED.at(place(""), &evidence));
    }
    for error in measured.errors.iter().take(MOST) {
        found.push(ERROR.at(place(""), error));
    }
    for target in measured.small_targets.iter().take(crate::collect::PLACES) {
        found.push(TARGET_SIZE.at(place(&target.element), &target.evidence));
    }
    let content = &BOUNDS.content;
    let few = (measured.words_sent as f64) < measured.words_shown as f64 * content.share;
    if few && measured.words_shown >= content.least_words {
        let evidence = format!(
            "{} words in the HTML, {} in the browser",
            measured.words_sent, measured.words_shown
        );
        found.push(NEEDS_SCRIPTS.at(place(""), &evidence));
    }
    found
}

fn judge(name: &str, rule: Rule, value: Option<f64>, place: Place) -> Option<Finding> {
    let metric = metric(name)?;
    let value = value.filter(|value| *value > metric.good)?;
    let shown = shown(value, &metric.unit);
    let good = self::shown(metric.good, &metric.unit);
    let finding = rule.at(
        place,
        &format!("{} {shown}; good is up to {good}", metric.name),
    );
    let severity = if value > metric.poor {
        finding.severity
    } else {
        finding.severity.min(Severity::Moderate)
    };
    Some(Finding {
        severity,
        ..finding
    })
}

/// A measurement as people say it.
pub fn shown(value: f64, unit: &str) -> String {
    match unit {
        "ms" if value >= 1000.0 => format!("{:.1} s", value / 1000.0),
        "ms" => format!("{value:.0} ms"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::names;

    #[test]
    fn bounds_decide() {
        toml::from_str::<Bounds>(include_str!("../data/lab.toml")).unwrap();
        let good = Measured {
            fcp: Some(900.0),
            lcp: Some(2500.0),
            cls: Some(0.1),
            tbt: Some(0.0),
            words_shown: 200,
            words_sent: 190,
            ..Measured::default()
        };
        assert_eq!(check(&good), []);
        let bad = Measured {
            fcp: Some(2000.0),
            lcp: Some(9000.0),
            cls: Some(0.3),
            tbt: Some(700.0),
            words_sent: 3,
            failed: vec![Failed::default()],
            errors: vec!["ReferenceError: x".to_owned()],
            small_targets: vec![Small::default()],
            ..good
        };
        let found = check(&bad);
        let declared = RULES.iter().map(|rule| rule.name).chain(["target-size"]);
        assert_eq!(names(&found), declared.collect());
        assert_eq!(
            (found[0].severity, found[1].severity),
            (Severity::Moderate, Severity::Serious)
        );
        assert_eq!(
            found[1].evidence,
            "Largest Contentful Paint 9.0 s; good is up to 2.5 s"
        );
    }

    #[test]
    fn without_a_measurement_nothing_is_told() {
        assert_eq!(check(&Measured::default()), []);
    }
}
