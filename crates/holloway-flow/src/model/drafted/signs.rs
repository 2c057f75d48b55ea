//! How does a plan say what no tool declares? By words and marks of arguments and expressions: `>`,
//! `reverse`, `average_price`. The lists are in `data/signs.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

static SIGNS: LazyLock<Signs> = LazyLock::new(|| {
    // A test reads it; were it broken, nothing would be shown by signs.
    toml::from_str(include_str!("../../../data/signs.toml")).unwrap_or_default()
});

/// What is said, and the words for it.
type List = BTreeMap<String, Vec<String>>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signs {
    operators: List,
    figures: List,
    order: List,
    limit: List,
    rows: List,
}

impl Signs {
    pub(super) fn table() -> &'static Self {
        &SIGNS
    }

    /// Whether a text says how something compares; what is in no list is said by its value.
    pub(super) fn operator(&self, op: &str, text: &str) -> bool {
        self.operators.get(op).is_none_or(|signs| any(signs, text))
    }

    /// Whether a text says the opposite of a plain comparison.
    pub(super) fn denies(&self, text: &str) -> bool {
        self.operators
            .get("ne")
            .is_some_and(|signs| any(signs, text))
    }

    pub(super) fn figure(&self, function: &str, text: &str) -> bool {
        match self.figures.get(function) {
            Some(signs) => any(signs, text),
            None => is_sign(function, text),
        }
    }

    pub(super) fn order(&self, descending: bool, text: &str) -> bool {
        let has = |name: &str| self.order.get(name).is_some_and(|signs| any(signs, text));
        if descending {
            has("down")
        } else {
            has("up") || has("down")
        }
    }

    /// Whether a text says so many: by the number itself, or by a word for one.
    pub(super) fn number(&self, number: i64, text: &str) -> bool {
        let one = self.limit.get("one").filter(|_| number == 1);
        is_sign(&number.to_string(), text) || one.is_some_and(|signs| any(signs, text))
    }

    pub(super) fn distinct(&self, text: &str) -> bool {
        let signs = self.rows.get("distinct");
        signs.is_some_and(|signs| any(signs, text))
    }
}

fn any(signs: &[String], text: &str) -> bool {
    signs.iter().any(|sign| is_sign(sign, text))
}

/// Whether a word, a number or a mark stands in a text by itself.
pub(super) fn is_sign(sign: &str, text: &str) -> bool {
    let sort = |letter: char| match letter {
        letter if letter.is_numeric() => 0_u8,
        letter if letter.is_alphabetic() => 1,
        '<' | '>' | '=' | '!' => 2,
        _ => 3,
    };
    let first = sign.chars().next().map(sort);
    let last = sign.chars().next_back().map(sort);
    text.match_indices(sign).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + sign.len()..);
        let after = after.and_then(|text| text.chars().next());
        let joins = |end: Option<u8>, beside: Option<char>| {
            end.is_some_and(|end| end < 3) && beside.map(sort) == end
        };
        !joins(first, before) && !joins(last, after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_marks_stand_by_themselves() {
        let read: Signs = toml::from_str(include_str!("../../../data/signs.toml")).unwrap();
        assert!(read.operators.len() > 5 && read.figures.len() > 5);
        let signs = Signs::table();
        assert!(signs.operator("gt", "{{rows | selectattr('a', '>', 3)}}"));
        assert!(!signs.operator("gt", "a >= 3"));
        assert!(signs.operator("gt", "{\"min_price\":3}"));
        assert!(!signs.operator("gt", "mint < 3"));
        assert!(signs.operator("eq", "anything"));
        assert!(signs.figure("mean", "rows | average_of('x')"));
        assert!(!signs.figure("mean", "sum_of_x"));
        assert!(signs.order(true, "sort(reverse=true)") && !signs.order(true, "sort('a')"));
        assert!(signs.number(3, "rows[:3]") && !signs.number(3, "rows[:30]"));
        assert!(signs.number(1, "rows | first") && !signs.number(2, "rows | first"));
    }
}
