//! Which words say nothing on their own? The most common function words of seven
//! languages; a text in another language has none left out. They also tell these
//! languages apart, even in a text of a few sentences.

use super::tokens::tokens;

const LANGUAGES: [&str; 7] = ["eng", "deu", "fra", "spa", "ita", "nld", "por"];

/// The language, as ISO 639-3 code, most of whose function words stand in the text.
pub(super) fn language(text: &str) -> Option<&'static str> {
    // The start of a text tells as much as all of it.
    let words: Vec<String> = tokens(text)
        .iter()
        .take(5_000)
        .map(|token| token.text.to_lowercase())
        .collect();
    let count = |language: &str| {
        words
            .iter()
            .filter(|word| of(language).contains(&word.as_str()))
            .count()
    };
    // Of equal counts the first listed.
    let best = LANGUAGES
        .iter()
        .rev()
        .map(|language| (count(language), *language))
        .max_by_key(|(count, _)| *count);
    best.filter(|(count, _)| *count > 0)
        .map(|(_, language)| language)
}

/// By ISO 639-3 code.
pub(super) fn of(language: &str) -> &'static [&'static str] {
    match language {
        "eng" => ENGLISH,
        "deu" => GERMAN,
        "fra" => FRENCH,
        "spa" => SPANISH,
        "ita" => ITALIAN,
        "nld" => DUTCH,
        "por" => PORTUGUESE,
        _ => &[],
    }
}

const ENGLISH: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as",
    "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
    "can", "could", "did", "do", "does", "doing", "down", "during", "each", "few", "for", "from",
    "further", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how",
    "i", "if", "in", "into", "is", "it", "it's", "its", "itself", "just", "me", "more", "most",
    "much", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other",
    "our", "ours", "out", "over", "own", "same", "she", "should", "so", "some", "such", "than",
    "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this", "those",
    "through", "to", "too", "under", "until", "up", "us", "very", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "whom", "why", "will", "with", "without", "would",
    "you", "your", "yours",
];

const GERMAN: &[&str] = &[
    "aber", "alle", "allem", "allen", "aller", "alles", "als", "also", "am", "an", "auch", "auf",
    "aus", "bei", "beim", "bin", "bis", "da", "damit", "dann", "das", "dass", "dein", "dem", "den",
    "denn", "der", "des", "dich", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses",
    "doch", "dort", "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es",
    "etwas", "euch", "für", "gegen", "hat", "hatte", "hier", "hinter", "ich", "ihm", "ihn", "ihr",
    "ihre", "im", "in", "ins", "ist", "ja", "jede", "jeder", "jetzt", "kann", "kein", "keine",
    "können", "man", "mehr", "mein", "mich", "mir", "mit", "muss", "nach", "nicht", "nichts",
    "noch", "nun", "nur", "ob", "oder", "ohne", "sehr", "sein", "seine", "sich", "sie", "sind",
    "so", "soll", "sondern", "sonst", "über", "um", "und", "uns", "unter", "viel", "vom", "von",
    "vor", "war", "waren", "was", "weil", "wenn", "wer", "werden", "wie", "wieder", "will", "wir",
    "wird", "wo", "zu", "zum", "zur", "zwar", "zwischen",
];

const FRENCH: &[&str] = &[
    "à", "au", "aux", "avec", "ce", "ces", "cette", "comme", "dans", "de", "des", "du", "elle",
    "en", "est", "et", "été", "être", "eux", "il", "ils", "je", "la", "le", "les", "leur", "leurs",
    "lui", "ma", "mais", "me", "même", "mes", "mon", "ne", "nos", "notre", "nous", "on", "ont",
    "ou", "où", "par", "pas", "plus", "pour", "qu", "que", "qui", "sa", "sans", "se", "ses", "si",
    "son", "sont", "sur", "ta", "te", "tes", "ton", "tu", "un", "une", "vos", "votre", "vous", "y",
];

const SPANISH: &[&str] = &[
    "a", "al", "algo", "ante", "antes", "como", "con", "contra", "cual", "cuando", "de", "del",
    "desde", "donde", "e", "el", "ella", "ellas", "ellos", "en", "entre", "era", "es", "esta",
    "este", "esto", "está", "fue", "ha", "han", "hasta", "hay", "la", "las", "le", "les", "lo",
    "los", "más", "me", "mi", "mucho", "muy", "nada", "ni", "no", "nos", "o", "otra", "otro",
    "para", "pero", "poco", "por", "porque", "que", "qué", "se", "sea", "ser", "si", "sin",
    "sobre", "son", "su", "sus", "también", "te", "tiene", "todo", "todos", "tu", "un", "una",
    "uno", "unos", "y", "ya", "yo",
];

const ITALIAN: &[&str] = &[
    "a", "ad", "al", "alla", "alle", "anche", "c", "che", "chi", "ci", "come", "con", "contro",
    "cui", "da", "dal", "dalla", "dei", "del", "della", "delle", "di", "dove", "e", "è", "ed",
    "era", "essere", "gli", "ha", "hanno", "i", "il", "in", "io", "l", "la", "le", "lei", "lo",
    "loro", "lui", "ma", "mi", "nei", "nel", "nella", "noi", "non", "o", "per", "perché", "più",
    "quale", "quando", "quella", "quello", "questa", "questo", "se", "sei", "si", "sia", "sono",
    "su", "sua", "sul", "sulla", "suo", "tra", "tu", "un", "una", "uno", "voi",
];

const DUTCH: &[&str] = &[
    "aan", "al", "alles", "als", "bij", "daar", "dan", "dat", "de", "der", "deze", "die", "dit",
    "door", "dus", "een", "en", "er", "had", "heb", "hebben", "heeft", "hem", "het", "hier", "hij",
    "hoe", "hun", "iets", "ik", "in", "is", "ja", "je", "kan", "maar", "me", "meer", "men", "met",
    "mij", "mijn", "moet", "na", "naar", "niet", "niets", "nog", "nu", "of", "om", "omdat", "ons",
    "ook", "op", "over", "te", "tegen", "toch", "toen", "tot", "u", "uit", "van", "veel", "voor",
    "want", "waren", "was", "wat", "we", "wel", "werd", "wie", "wij", "wil", "worden", "wordt",
    "zal", "ze", "zelf", "zich", "zij", "zijn", "zo", "zonder", "zou",
];

const PORTUGUESE: &[&str] = &[
    "a", "ao", "aos", "as", "até", "com", "como", "da", "das", "de", "dela", "dele", "do", "dos",
    "e", "é", "ela", "ele", "em", "entre", "era", "essa", "esse", "esta", "este", "eu", "foi",
    "há", "isso", "isto", "já", "lhe", "mais", "mas", "me", "mesmo", "meu", "minha", "muito", "na",
    "nas", "não", "nem", "no", "nos", "nós", "num", "o", "os", "ou", "para", "pela", "pelo", "por",
    "quando", "que", "quem", "se", "sem", "ser", "seu", "sua", "são", "só", "também", "te", "tem",
    "um", "uma", "você",
];

#[cfg(test)]
mod tests {
    #[test]
    fn no_word_is_listed_twice() {
        for language in super::LANGUAGES {
            let mut words = super::of(language).to_vec();
            let count = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), count, "{language}");
        }
        assert!(super::of("jpn").is_empty());
    }

    #[test]
    fn function_words_tell_the_language() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(super::language(text), expected, "{text}")
        };
        check("It was here and is not.", Some("eng"));
        check("Das ist nicht hier und auch nicht da.", Some("deu"));
        check("Il est dans la rue avec nous.", Some("fra"));
        check("12345", None);
    }
}
