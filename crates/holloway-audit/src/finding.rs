//! What does a check say when something is wrong? One shape for all domains, so that
//! scores, action plans and reports take findings from any check.

use serde::{Deserialize, Serialize};

/// One thing that is wrong in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable name of the rule, such as `image-alt`.
    pub rule: String,
    pub domain: Domain,
    pub severity: Severity,
    #[serde(rename = "where")]
    pub place: Place,
    /// What was found there, shortened to what a person needs to see.
    pub evidence: String,
    /// How to mend it, as an instruction.
    pub mend: String,
    /// What the rule rests on, such as `WCAG 2.2 1.1.1`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// Bytes per visit that mending saves, as far as that can be estimated.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub saves: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
pub(crate) fn is_nothing(bytes: &u64) -> bool {
    *bytes == 0
}

/// Where a finding is: a page, and in it an element or a header.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    pub page: String,
    /// A CSS path that leads to the element.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub element: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    Seo,
    Performance,
    Accessibility,
    Security,
}

impl Domain {
    /// As data files and results name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seo => "seo",
            Self::Performance => "performance",
            Self::Accessibility => "accessibility",
            Self::Security => "security",
        }
    }
}

/// How much it matters, the least first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Minor,
    #[default]
    Moderate,
    Serious,
    Critical,
}

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub critical: usize,
    pub serious: usize,
    pub moderate: usize,
    pub minor: usize,
    pub total: usize,
}

impl Summary {
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut summary = Self::default();
        for finding in findings {
            *summary.count_of(finding.severity) += 1;
            summary.total += 1;
        }
        summary
    }

    fn count_of(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Critical => &mut self.critical,
            Severity::Serious => &mut self.serious,
            Severity::Moderate => &mut self.moderate,
            Severity::Minor => &mut self.minor,
        }
    }
}
