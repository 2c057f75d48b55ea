//! Is a request in English? The words of others are not understood, and a file that they name is
//! no reason to do something with it.

use super::Entity;

/// Small words of other languages that are no English words.
#[rustfmt::skip]
const FOREIGN: [&str; 74] = [
    "alle", "aller", "als", "aus", "auf", "bitte", "dans", "das", "dei", "del", "della", "delle", "dem", "den", "der", "des", "dieser",
    "dos", "een", "ein", "eine", "einen", "einer", "el", "est", "et", "fichier", "für", "gli", "het", "ihr", "ist", "las", "le", "les", "los", "mein",
    "meine", "meiner", "mes", "mir", "mit", "mon", "nach", "naar", "nel", "nella", "nicht", "oder", "para", "por", "pour", "que", "quel", "quelle", "sie",
    "sind", "sont", "sur", "todas", "todos", "toutes", "tous", "un", "una", "und", "une", "uma", "vom", "von", "voor", "wie", "wieviele", "zu",
];
/// Small words of English; one of them is enough.
#[rustfmt::skip]
const ENGLISH: [&str; 44] = [
    "a", "all", "an", "and", "are", "as", "at", "by", "each", "every", "for", "from", "how", "i", "into", "is", "it", "its", "many", "me", "my", "of",
    "on", "or", "please", "than", "that", "the", "their", "them", "then", "these", "this", "to", "what", "where", "which", "who", "whose", "with",
    "with", "without", "you", "your",
];

/// Whether the words that are not named things are English, as far as one can tell.
pub(crate) fn is_english(request: &str, entities: &[Entity]) -> bool {
    let is_named = |at: usize| {
        let mut entities = entities.iter();
        entities.any(|entity| entity.place.contains(&at))
    };
    let (mut english, mut foreign, mut plain, mut other) = (0, 0, 0, 0);
    let mut at = 0;
    for token in request.split_inclusive(char::is_whitespace) {
        let start = at;
        at += token.len();
        if is_named(start) {
            continue;
        }
        let word = token.to_lowercase();
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        english += usize::from(ENGLISH.contains(&word));
        foreign += usize::from(FOREIGN.contains(&word));
        let letters = word.chars().filter(|letter| letter.is_alphabetic());
        let ascii = letters.clone().filter(char::is_ascii).count();
        plain += ascii;
        other += letters.count() - ascii;
    }
    other <= plain && (english > 0 || foreign == 0)
}

#[cfg(test)]
mod tests {
    use super::super::named;
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: bool) {
        assert_eq!(is_english(request, &named(request)), expected, "{request}");
    }

    #[test]
    fn other_languages_are_told_by_their_small_words_and_letters() {
        check("Bitte lösche staff.csv", false);
        check("Bitte sortiere staff.csv nach Gehalt", false);
        check("Calcule la moyenne des salaires dans staff.csv", false);
        check("Borra todos los archivos", false);
        check("读取 staff.csv 并计算平均工资", false);
        check("احذف staff.csv", false);
        check("сделай отчёт о ценах из prices.csv", false);
    }

    #[test]
    fn names_do_not_make_a_request_foreign() {
        check("read a.csv", true);
        check("count rows", true);
        check("sort the albums of Los Lobos by year", true);
        check("translate “读取 平均工资 计算” into French", true);
        check("what does \"bitte\" mean", true);
        check("", true);
        check("42", true);
        check("...", true);
    }
}
