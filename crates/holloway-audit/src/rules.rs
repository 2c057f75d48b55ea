//! Which rules are there? All domains together, found by name.

use crate::rule::Rule;
use crate::{accessibility, performance, security, seo};

/// Every rule that a check of this crate can find broken.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let accessibility = accessibility::RULES.iter().map(|(rule, _)| *rule);
    seo::rules()
        .chain(performance::rules())
        .chain(accessibility)
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
    fn every_rule_is_declared_once_and_fully() {
        let mut names = BTreeSet::new();
        for rule in all() {
            let name = rule.name;
            assert!(names.insert(name), "{name} is declared twice");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(plain), "{name}");
            assert!(
                !rule.title.ends_with('.') && rule.title.len() < 80,
                "{name}: {}",
                rule.title
            );
            assert!(rule.mend.ends_with('.'), "{name}: {}", rule.mend);
        }
    }

    #[test]
    fn the_rules_of_each_domain_are_as_listed() {
        let lines: Vec<_> = seo::rules()
            .chain(performance::rules())
            .chain(security::rules())
            .map(|rule| {
                format!(
                    "{:?} {} {:?} {:?}",
                    rule.domain, rule.name, rule.severity, rule.effort
                )
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n").to_lowercase());
    }
}
