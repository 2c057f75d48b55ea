//! What do the words around an amount say about it? Whether it is old or new, the start
//! of a range or a saving, and which unit it is for.

use std::sync::LazyLock;

use regex::Regex;

use super::PriceKind;
use super::currency::floor;

fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// Between the word and the amount: a currency, a colon, a short filler.
const GAP: &str =
    r"(?:\s+(?:price|preis|prix|for|für|at|only|nur|just|the|de|von|for\s+only))?\s*[:=]?\s*\(?~?$";

macro_rules! words {
    ($name:ident, $pattern:literal) => {
        static $name: LazyLock<Option<Regex>> =
            LazyLock::new(|| compiled(&format!(r"(?i)(?:^|[^\p{{L}}])(?:{}){GAP}", $pattern)));
    };
}

words!(
    WAS,
    r"was|were|statt|instead\s+of|before|previously|formerly|originally|original|old|list|regular|rrp|msrp|uvp|vorher|bisher|früher|avant|au\s+lieu\s+de|antes|prima|war|reg\."
);
words!(
    NOW,
    r"now|jetzt|nun|sale|today|heute|maintenant|ahora|adesso|aktuell|special|reduced\s+to|deal|nu"
);
words!(
    FROM,
    r"from|ab|starting|starting\s+at|starts\s+at|as\s+low\s+as|à\s+partir\s+de|desde|a\s+partire\s+da|da|vanaf|fra|från|von"
);
words!(
    SAVING,
    r"save|saving|saves|you\s+save|spare|sparen|sie\s+sparen|rabatt|discount|ersparnis|économisez|ahorra|off"
);
words!(
    NAMED,
    r"price|preis|prix|precio|prezzo|prijs|pris|cena|kosten|costs?|kostet|total|summe|betrag|gesamt|subtotal"
);

// `20% off $50`: the percentage is the saving, the amount is not.
words!(
    PERCENT_OFF,
    r"[0-9]\s*(?:%|percent|prozent)\s*(?:off|rabatt|discount|saving)"
);

static OFF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(r"(?i)^\s*(?:off|rabatt|discount|sparen|gespart|günstiger|less)(?:$|[^\p{L}])")
});

static UNIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"(?i)^\s*(?:(?:/|per|pro|je|par|por|al|the|a)\s*((?:\d{1,4}\s*)?(?:kg|g|mg|lb|lbs|oz|l|ml|cl|m²|m2|m|km|stück|stk|st|piece|pc|unit|item|pair|pack|box|bottle|month|mo|monat|mois|mes|year|yr|jahr|an|day|tag|jour|night|nacht|nuit|week|woche|hour|hr|h|std|stunde|minute|min|person|user|seat|page|kwh|mb|gb))(?:$|[^\p{L}\p{N}])|(each|apiece|a\s+piece|monthly|yearly|p\.\s?m\.|p\.\s?a\.))",
    )
});

static MULTIPLIER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r"^(?:[ \u{a0}]?(million|millionen|millions|Mio\.?|billion|billions|bn|Mrd\.?|thousand|Tsd\.?)|(k|K|m|M|B))(?:$|[^\p{L}\p{N}])",
    )
});

fn near_before(text: &str, at: usize) -> &str {
    let start = floor(text, at.saturating_sub(48));
    text.get(start..at).unwrap_or_default()
}

fn near_after(text: &str, at: usize) -> &str {
    let end = floor(text, at.saturating_add(48).min(text.len()));
    text.get(at..end).unwrap_or_default()
}

fn says(words: &LazyLock<Option<Regex>>, near: &str) -> bool {
    words.as_ref().is_some_and(|words| words.is_match(near))
}

/// What the words beside an amount with these ends say.
pub(super) fn kind(text: &str, start: usize, end: usize) -> PriceKind {
    let before = near_before(text, start);
    let after = near_after(text, end);
    let is_saved = says(&SAVING, before) && !says(&PERCENT_OFF, before);
    if is_saved || says(&OFF, after) {
        PriceKind::Saving
    } else if says(&WAS, before) {
        PriceKind::Was
    } else if says(&NOW, before) {
        PriceKind::Now
    } else if says(&FROM, before) {
        PriceKind::From
    } else {
        PriceKind::Price
    }
}

/// Whether a bare number is named a price: `price: 12.99`, `was 20 now 15`.
pub(super) fn is_named(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (near_before(text, start), near_after(text, end));
    let next = after.trim_start();
    let goes_on = next
        .chars()
        .next()
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '%' | '°' | '/' | ':' | '-'));
    let is_pair = |other: &LazyLock<Option<Regex>>| {
        let pattern = next
            .get(..floor(next, next.len().min(12)))
            .unwrap_or_default();
        let word = pattern
            .split(|c: char| !c.is_alphabetic())
            .find(|word| !word.is_empty())
            .unwrap_or_default();
        says(other, &format!(" {word} "))
    };
    if says(&NAMED, before) {
        return !goes_on;
    }
    // `was 20 years ago` is no price; `was 20, now 15` are two.
    let old = says(&WAS, before) && is_pair(&NOW);
    let new = says(&NOW, before)
        && !goes_on
        && before.chars().any(|c| c.is_ascii_digit())
        && has_old(before);
    old || new
}

fn has_old(before: &str) -> bool {
    static OLD: LazyLock<Option<Regex>> =
        LazyLock::new(|| compiled(r"(?i)(?:^|[^\p{L}])(?:was|statt|before|rrp|uvp)\s"));
    says(&OLD, before)
}

/// The unit after a price, as `kg`, `100 g`, `month`, and where it ends.
pub(super) fn unit(text: &str, end: usize) -> Option<(String, usize)> {
    let near = near_after(text, end);
    let found = UNIT.as_ref()?.captures(near)?;
    let unit = found.get(1).or_else(|| found.get(2))?;
    Some((unit.as_str().to_lowercase(), end + unit.end()))
}

/// `$5 million`, `€1.2bn`, `$5k`: the factor and where it ends.
pub(super) fn multiplier(text: &str, end: usize) -> Option<(f64, usize)> {
    let near = near_after(text, end);
    let found = MULTIPLIER.as_ref()?.captures(near)?;
    let word = found.get(1).or_else(|| found.get(2))?;
    let factor = match word.as_str().trim_end_matches('.') {
        "million" | "millionen" | "millions" | "Mio" | "m" | "M" => 1e6,
        "billion" | "billions" | "bn" | "Mrd" | "B" => 1e9,
        _ => 1e3,
    };
    Some((factor, end + word.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [
            &WAS,
            &NOW,
            &FROM,
            &SAVING,
            &NAMED,
            &PERCENT_OFF,
            &OFF,
            &UNIT,
            &MULTIPLIER,
        ] {
            assert!(pattern.is_some());
        }
    }

    #[test]
    fn words_say_what_a_price_is() {
        let check = |before: &str, after: &str, expected: PriceKind| {
            let text = format!("{before}5{after}");
            assert_eq!(
                kind(&text, before.len(), before.len() + 1),
                expected,
                "{text}"
            );
        };
        check("was ", "", PriceKind::Was);
        check("Now only: ", "", PriceKind::Now);
        check("ab ", " €", PriceKind::From);
        check("save ", "", PriceKind::Saving);
        check("", " off", PriceKind::Saving);
        check("20 % off ", "", PriceKind::Price);
        check("was 20% off ", "", PriceKind::Price);
        check("swas ", "", PriceKind::Price);
    }
}
