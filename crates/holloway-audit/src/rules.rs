//! Which rules are there? All domains together, found by name.

use crate::rule::Rule;
use crate::{accessibility, lab, links, performance, security, seo, site};

/// Every rule that a check can find broken.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let accessibility = accessibility::RULES.iter().map(|(rule, _)| *rule);
    let seo = seo::rules().chain(links::RULES).chain(site::RULES);
    seo.chain(performance::rules())
        .chain(lab::RULES)
        .chain(accessibility)
        .chain([&accessibility::STYLES_CUT])
        .chain(security::rules())
}

/// The rule of a name; none for rules of checks elsewhere.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_is_declared_once() {
        let mut names = BTreeSet::new();
        for rule in all() {
            let name = rule.name;
            assert!(names.insert(name), "{name} is declared twice");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(plain), "{name}");
        }
    }

    #[test]
    fn the_rules_of_each_domain_are_as_listed() {
        let lines: Vec<_> = seo::rules()
            .chain(links::RULES)
            .chain(performance::rules())
            .chain(lab::RULES)
            .chain(security::rules())
            .map(|rule| {
                let text = rule.text();
                format!(
                    "{:?} {} {:?} {:?}",
                    rule.domain, rule.name, text.severity, text.effort
                )
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n").to_lowercase());
    }
}
