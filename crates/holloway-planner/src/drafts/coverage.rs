//! How far does a draft cover what was asked? Goal by goal, or domain by domain where several
//! tools cover one together.

use serde::Serialize;

/// How far one domain or one part of the request is covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The category or capability.
    pub domain: String,
    /// How many steps see to it.
    pub steps: usize,
    /// How many of the tools that serve it do their part, in a step of their own or in one
    /// that does the work of several. A capability is covered, 1, or not, 0.
    pub covered: usize,
    /// How many tools at hand serve it; 1 for a capability.
    pub available: usize,
}

impl Coverage {
    /// For a card: "seo 2/5", "accessibility 7/7 in one step", "✓ switch to it".
    pub fn told(&self) -> String {
        let Self {
            domain,
            steps,
            covered,
            available,
        } = self;
        match (available, covered, steps) {
            (1, 0, _) => format!("– {domain}"),
            (1, _, 0 | 1) => format!("✓ {domain}"),
            (1, _, steps) => format!("✓ {domain} in {steps} steps"),
            (_, 2.., 1) => format!("{domain} {covered}/{available} in one step"),
            _ => format!("{domain} {covered}/{available}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_covered_is_told_for_people() {
        let told = |steps, covered, available| {
            let domain = "seo".to_owned();
            let one = Coverage {
                domain,
                steps,
                covered,
                available,
            };
            one.told()
        };
        assert_eq!(told(2, 2, 5), "seo 2/5");
        assert_eq!(told(1, 1, 5), "seo 1/5");
        assert_eq!(told(1, 5, 5), "seo 5/5 in one step");
        assert_eq!(told(0, 1, 1), "✓ seo");
        assert_eq!(told(3, 1, 1), "✓ seo in 3 steps");
        assert_eq!(told(0, 0, 1), "– seo");
    }
}
