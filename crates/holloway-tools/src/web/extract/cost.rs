//! How long would a selector take? Some look at all siblings of every element; over
//! long lists they are refused before they keep a core busy.

use holloway_engine::failure::ToolFailure;
use scraper::Html;

/// Pairs of siblings that may be looked at: those of a list of 5,000.
const MAX_PAIRS: usize = 5_000 * 5_000;

/// Refuses selectors that would take too long for this document.
pub(crate) fn check<'a>(
    document: &Html,
    rows: Option<&'a str>,
    mut fields: impl Iterator<Item = &'a str>,
) -> Result<(), ToolFailure> {
    let costly = rows
        .filter(|text| looks_at_siblings(text))
        .or_else(|| fields.find(|text| looks_at_siblings(text) || counts_above(text)));
    match costly {
        Some(text) if pairs(document) > MAX_PAIRS => {
            let message = format!(
                "`{text}` looks at all siblings of every element, and the page has lists too long for that"
            );
            let hint = "leave out `~`, `:has` and `:nth-…`, or cut lists to 5,000 elements";
            Err(ToolFailure::limit(message).with_hint(hint))
        }
        _ => Ok(()),
    }
}

/// Of elements with the same parent, summed over all parents.
fn pairs(document: &Html) -> usize {
    let squares = document.tree.nodes().map(|node| {
        let children = node.children().filter(|child| child.value().is_element());
        let count = children.count();
        count.saturating_mul(count)
    });
    squares.fold(0, usize::saturating_add)
}

fn looks_at_siblings(selector: &str) -> bool {
    let bare = bare(selector);
    bare.contains('~') || bare.contains(":has(")
}

/// Counts the places of elements above the one that is picked: anew for every row.
fn counts_above(selector: &str) -> bool {
    let bare = bare(selector);
    [":nth-", "-of-type"].iter().any(|name| {
        let after = bare.split_once(name).map(|(_, after)| after.trim_end());
        after.is_some_and(|after| after.contains([' ', '>', '+', '\t', '\n']))
    })
}

/// In lower case, without what stands in brackets and quotes.
fn bare(selector: &str) -> String {
    let mut bare = String::new();
    let mut quote = None;
    let mut inside = false;
    for c in selector.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => inside = true,
            (None, ']') => inside = false,
            _ if inside => {}
            _ => bare.push(c.to_ascii_lowercase()),
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(items: usize, rows: Option<&str>, field: &str) -> bool {
        let html = format!("<ul><b></b>{}</ul>", "<li>x".repeat(items));
        let document = Html::parse_document(&html);
        check(&document, rows, [field].into_iter()).is_err()
    }

    #[test]
    fn only_long_lists_and_costly_selectors_are_refused() {
        for costly in ["b ~ li", "b~li", "li:HAS(b)", "li:has(> b) a"] {
            assert!(is_refused(6_000, Some(costly), ""), "{costly}");
            assert!(is_refused(6_000, Some("li"), costly), "{costly}");
            assert!(!is_refused(4_000, Some(costly), costly), "{costly}");
        }
        assert!(is_refused(6_000, Some("li"), "li:nth-child(2) > a"));
        for cheap in [
            "li",
            "b + li",
            "li[class~=x]",
            "a[title='~']",
            "td:nth-child(2)",
            "i:last-of-type",
        ] {
            assert!(!is_refused(6_000, Some(cheap), cheap), "{cheap}");
        }
    }
}
