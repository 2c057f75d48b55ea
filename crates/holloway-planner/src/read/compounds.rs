//! Which words stand in one? "Durchschnittspreis" is an average and a column; such a word comes
//! apart where its first part is in the list of the language and the rest stands in the tables.

use super::holes::name_words;
use super::tokens::{Token, TokenKind};
use crate::frame::scene::{Scene, plain};
use crate::lexicon::Lexicon;

/// Takes compound words apart.
pub(super) fn come_apart(tokens: Vec<Token>, lexicon: &Lexicon, scene: &Scene) -> Vec<Token> {
    if lexicon.words.compounds.is_empty() {
        return tokens;
    }
    let apart = |token: Token| match two(&token, lexicon, scene) {
        Some((one, other)) => vec![one, other],
        None => vec![token],
    };
    tokens.into_iter().flat_map(apart).collect()
}

fn two(token: &Token, lexicon: &Lexicon, scene: &Scene) -> Option<(Token, Token)> {
    let columns = || scene.columns();
    if token.kind != TokenKind::Word || columns().any(|column| plain(&column.name) == token.lower) {
        return None;
    }
    let (first, meant) = lexicon
        .words
        .compounds
        .iter()
        .find(|(first, _)| token.lower.starts_with(first.as_str()))?;
    let rest = token.lower.get(first.len()..)?;
    let other = lexicon.words.column_words.get(rest);
    let named = columns().any(|column| {
        let words = name_words(&column.name);
        words
            .iter()
            .any(|word| word == rest || other.is_some_and(|other| other.contains(word)))
    });
    let cut = token.at.start + first.len();
    let part = |text: &str, lower: &str, at| Token {
        text: text.to_owned(),
        lower: lower.to_owned(),
        at,
        ..token.clone()
    };
    let written = (
        token.text.get(..first.len())?,
        token.text.get(first.len()..)?,
    );
    named.then(|| {
        let one = part(written.0, meant, token.at.start..cut);
        (one, part(written.1, rest, cut..token.at.end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::scene::{Column, File};
    use crate::read::tokens::tokens;

    fn check(word: &str, expected: &[&str]) {
        let columns = ["Preis", "Gesamtnote"].map(|name| Column {
            name: name.to_owned(),
            ..Column::default()
        });
        let file = File {
            name: "a.csv".to_owned(),
            columns: columns.to_vec(),
        };
        let scene = Scene {
            files: vec![file],
            ..Scene::default()
        };
        let mut languages = Lexicon::shipped().iter();
        let lexicon = languages.find(|lexicon| lexicon.language == "de").unwrap();
        let found = come_apart(tokens(word), lexicon, &scene);
        let found: Vec<String> = found.iter().map(|token| token.lower.clone()).collect();
        assert_eq!(found, expected, "{word}");
    }

    #[test]
    fn compounds_come_apart_where_the_tables_have_the_rest() {
        check("Durchschnittspreis", &["durchschnittlicher", "preis"]);
        check("Höchstpreis", &["höchster", "preis"]);
        check("Durchschnittsalter", &["durchschnittsalter"]);
        check("Gesamtnote", &["gesamtnote"]);
    }
}
