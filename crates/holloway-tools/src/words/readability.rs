//! `text-readability`: how hard is this to read?

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::{sentences, tokens, within_limit};

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), readability)
}

fn spec() -> ToolSpec {
    let figure = || json!({"type": ["number", "null"]});
    Declaration {
        name: "text-readability",
        title: "Measure readability",
        category: "text",
        description: "Measures how hard a text is to read: Flesch reading ease (100 easy, 0 hard; Amstad's form for German), for English also Flesch-Kincaid grade and Gunning \
            Fog (years of school). Use it to judge and compare texts of a hundred words and more. Syllables are counted by groups of vowels, which is \
            right for most words, not all. Returns the figures (null without words, and with a note for other scripts) and words, sentences, syllables, complex_words (three syllables and more), words_per_sentence.",
        effect: Effect::Read,
        latency_ms: 3,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "language": {"type": "string", "enum": ["en", "de"], "default": "en", "description": "Whose formula to use"}
            }),
        ),
        output: output(
            &["reading_ease", "grade", "fog", "words", "sentences", "syllables", "complex_words", "words_per_sentence"],
            json!({
                "reading_ease": figure(),
                "grade": figure(),
                "fog": figure(),
                "words": {"type": "integer"},
                "sentences": {"type": "integer"},
                "syllables": {"type": ["integer", "null"]},
                "complex_words": {"type": ["integer", "null"]},
                "words_per_sentence": figure(),
                "note": {"type": ["string", "null"], "description": "Why there are no figures"}
            }),
        ),
        example: json!({"text": "The cat sat on the mat. It was happy."}),
        does: &[
            "readability text:text -> figures",
        ],
    }
    .builtin()
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Language {
    #[default]
    En,
    De,
}

fn readability(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        #[serde(default)]
        language: Language,
    }
    let Arguments { text, language } = arguments::parse(arguments)?;
    within_limit(&text)?;
    let words: Vec<String> = tokens::words(&text)
        .into_iter()
        .filter(|word| word.chars().any(char::is_alphabetic))
        .collect();
    let counts: Vec<usize> = words.iter().map(|word| syllables(word, language)).collect();
    let complex = counts.iter().filter(|count| **count >= 3).count();
    let syllables: usize = counts.iter().sum();
    let sentences = sentences::split(&text).len();
    let is_foreign = !words.is_empty() && !is_mostly_latin(&words);
    let is_measured = !words.is_empty() && sentences > 0 && !is_foreign;
    let measured = is_measured.then(|| {
        let long = words.len() as f64 / sentences as f64;
        let heavy = syllables as f64 / words.len() as f64;
        let hard = complex as f64 / words.len() as f64 * 100.0;
        (long, heavy, hard)
    });
    let english = measured.filter(|_| language == Language::En);
    let ease = measured.map(|(long, heavy, _)| match language {
        Language::En => 206.835 - 1.015 * long - 84.6 * heavy,
        Language::De => 180.0 - long - 58.5 * heavy,
    });
    Ok(json!({
        "reading_ease": ease,
        "grade": english.map(|(long, heavy, _)| 0.39 * long + 11.8 * heavy - 15.59),
        "fog": english.map(|(long, _, hard)| 0.4 * (long + hard)),
        "words": words.len(),
        "sentences": sentences,
        "syllables": (!is_foreign).then_some(syllables),
        "complex_words": (!is_foreign).then_some(complex),
        "words_per_sentence": measured.map(|(long, _, _)| long),
        "note": is_foreign.then_some("most letters are not Latin; the formulas for English and German say nothing about this text"),
    }))
}

/// Whether at least half of the letters are those that English and German are written in.
fn is_mostly_latin(words: &[String]) -> bool {
    let letters = || {
        words
            .iter()
            .flat_map(|word| word.chars())
            .filter(|c| c.is_alphabetic())
    };
    let is_latin = |c: &char| c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(c);
    letters().filter(is_latin).count() * 2 >= letters().count()
}

/// Groups of vowels; in English a final `e` is mute unless it is all there is.
pub(super) fn syllables(word: &str, language: Language) -> usize {
    let is_vowel = |c: &char| "aeiouyäöüáàâéèêëíìîïóòôúùû".contains(*c);
    let letters: Vec<char> = word.chars().collect();
    let starts = |(index, letter): (usize, &char)| {
        let before = index.checked_sub(1).and_then(|index| letters.get(index));
        is_vowel(letter) && !before.is_some_and(is_vowel)
    };
    let groups = letters
        .iter()
        .enumerate()
        .filter(|pair| starts(*pair))
        .count();
    let mute = language == Language::En
        && match letters.as_slice() {
            [.., 'l' | 'e', 'e'] => {
                matches!(letters.as_slice(), [.., before, 'l', 'e'] if is_vowel(before))
            }
            [.., before, 'e'] => !is_vowel(before),
            [.., before, 'e', 'd'] => !is_vowel(before) && !matches!(before, 't' | 'd'),
            [.., before, 'e', 's'] => {
                !is_vowel(before) && !matches!(before, 's' | 'x' | 'z' | 'c' | 'g' | 'h')
            }
            _ => false,
        };
    groups
        .saturating_sub(usize::from(mute && groups > 1))
        .max(1)
}
