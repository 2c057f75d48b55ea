//! Does `autocomplete` say something that browsers know?

use super::catalog::AUTOCOMPLETE_VALID;
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

/// Values that switch it, or stand for nothing; harmless where they are wrong.
const STATES: &str = "on off none false true disabled enabled undefined null xoff xon";
/// Values whose meaning is not settled.
const UNSETTLED: &str = "text pronouns gender message content";
const PLACES: &str = "billing shipping";
const QUALIFIERS: &str = "home work mobile fax pager";
const ALONE: &str = "name honorific-prefix given-name additional-name family-name honorific-suffix \
    nickname username new-password current-password organization-title organization street-address \
    address-line1 address-line2 address-line3 address-level4 address-level3 address-level2 \
    address-level1 country country-name postal-code cc-name cc-given-name cc-additional-name \
    cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type transaction-currency \
    transaction-amount language bday bday-day bday-month bday-year sex url photo one-time-code";
const QUALIFIED: &str = "tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix \
    tel-local-suffix tel-extension email impp";

pub(crate) fn check(report: &mut Report) {
    let fields = ["input", "select", "textarea"];
    report.each(&AUTOCOMPLETE_VALID, &fields, |view, index| {
        applies(view, index) && !is_valid(view.tree.attr(index, "autocomplete").unwrap_or_default())
    });
}

fn applies(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let kind = view.input_type(index);
    let button = tree.tag(index) == "input"
        && matches!(kind.as_str(), "submit" | "reset" | "button" | "hidden");
    let fixed = tree.has(index, "readonly") || tree.says(index, "aria-readonly", "true");
    let off = tree.has(index, "disabled") || tree.says(index, "aria-disabled", "true");
    tree.filled(index, "autocomplete") && !button && !fixed && !off
}

fn lists(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}

fn is_valid(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    if lists(STATES, &value) {
        return true;
    }
    let mut terms: Vec<&str> = value.split_ascii_whitespace().collect();
    terms.pop_if(|last| *last == "webauthn");
    let mut terms = terms.into_iter().peekable();
    terms.next_if(|first| first.len() > 8 && first.starts_with("section-"));
    terms.next_if(|first| lists(PLACES, first));
    let qualified = terms.next_if(|first| lists(QUALIFIERS, first)).is_some();
    let (Some(term), None) = (terms.next(), terms.next()) else {
        return false;
    };
    lists(UNSETTLED, term) || lists(QUALIFIED, term) || (!qualified && lists(ALONE, term))
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn values_that_browsers_know() {
        for (value, expected) in [
            ("email", true),
            ("on", true),
            ("section-a shipping home tel", true),
            ("billing street-address", true),
            ("home street-address", false),
            ("e-mail", false),
            ("email name", false),
            ("webauthn", false),
            ("username webauthn", true),
        ] {
            assert_eq!(is_valid(value), expected, "{value}");
        }
    }
}
