//! What are the words of a request? Words, numbers, quoted texts, files, comparing marks and
//! punctuation, each with its place.

use std::ops::Range;

use serde_json::{Number, Value, json};

use super::super::{Entity, EntityKind};
use super::Comparison;

/// Files that hold tables.
const TABLES: [&str; 9] = [
    "csv", "tsv", "xlsx", "xlsb", "xls", "ods", "json", "jsonl", "ndjson",
];

/// A word of the request.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// In lower case.
    pub(super) word: String,
    /// As written; of a quoted text, what stands between the marks.
    pub(super) raw: String,
    pub(super) place: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Word,
    Number(Value),
    Quoted,
    File,
    Compares(Comparison),
    Comma,
    /// The end of a sentence or of a part of one.
    Stop,
}

impl Token {
    pub(super) fn is(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&self.word.as_str())
    }

    pub(super) fn is_capital(&self) -> bool {
        self.kind == Kind::Word && self.raw.starts_with(char::is_uppercase)
    }

    /// The ending of a file, in lower case.
    pub(super) fn ending(&self) -> &str {
        match self.kind {
            Kind::File => self.word.rsplit_once('.').map_or("", |(_, ending)| ending),
            _ => "",
        }
    }

    /// Whether it is a file that holds a table.
    pub(super) fn is_table(&self) -> bool {
        TABLES.contains(&self.ending())
    }

    /// Whether it stands on the web.
    pub(super) fn is_page(&self) -> bool {
        self.word.contains("://")
    }

    /// The name of a file without folder and ending.
    pub(super) fn stem(&self) -> &str {
        let name = self.word.rsplit(['/', '\\']).next().unwrap_or_default();
        name.split('.')
            .find(|part| !part.is_empty())
            .unwrap_or_default()
    }
}

pub(super) fn tokens(text: &str, entities: &[Entity]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for entity in entities {
        let kind = match entity.kind {
            EntityKind::File | EntityKind::Path | EntityKind::Url => Kind::File,
            EntityKind::Quoted => Kind::Quoted,
            _ => continue,
        };
        if entity.place.start < at {
            continue;
        }
        plain(text, at..entity.place.start, &mut tokens);
        let raw = match &entity.value {
            Value::String(inner) if kind == Kind::Quoted => inner.clone(),
            _ => entity.text.clone(),
        };
        tokens.push(Token {
            kind,
            word: raw.to_lowercase(),
            raw,
            place: entity.place.clone(),
        });
        at = entity.place.end;
    }
    plain(text, at..text.len(), &mut tokens);
    tokens
}

/// The words of a stretch without files and quotes.
fn plain(text: &str, stretch: Range<usize>, tokens: &mut Vec<Token>) {
    let Some(part) = text.get(stretch.clone()) else {
        return;
    };
    for (offset, piece) in pieces(part) {
        let start = stretch.start + offset;
        let (word, marks) = split(piece);
        let mut at = start;
        for (piece, is_mark) in [(word, false), (marks, true)] {
            let place = at..at + piece.len();
            at = place.end;
            if let Some(kind) = kind(piece, is_mark) {
                tokens.push(Token {
                    kind,
                    word: piece.to_lowercase().replace('’', "'"),
                    raw: piece.to_owned(),
                    place,
                });
            }
        }
    }
}

/// Pieces between blanks and around comparing marks and brackets.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut class = 0;
    for (at, letter) in text.char_indices() {
        let own = match letter {
            _ if is_between(letter) => 0,
            '=' | '<' | '>' | '!' | '≤' | '≥' | '≠' => 1,
            '(' | ')' => 3,
            _ => 2,
        };
        if own != class {
            pieces.extend(text.get(start..at).map(|piece| (start, piece)));
            (start, class) = (at, own);
        }
    }
    pieces.extend(text.get(start..).map(|piece| (start, piece)));
    pieces.retain(|(_, piece)| !piece.chars().all(is_between));
    pieces
}

/// Blanks, and the marks around what is quoted.
fn is_between(letter: char) -> bool {
    letter.is_whitespace() || "\"“”`«»".contains(letter)
}

/// A word and the punctuation after it.
fn split(piece: &str) -> (&str, &str) {
    let end = piece
        .trim_end_matches([',', '.', ';', ':', '?', '\''])
        .len();
    piece.split_at_checked(end).unwrap_or((piece, ""))
}

fn kind(piece: &str, is_mark: bool) -> Option<Kind> {
    if piece.is_empty() {
        return None;
    }
    if is_mark {
        return match piece.chars().next() {
            Some(',') => Some(Kind::Comma),
            Some('.' | ';' | ':' | '?') => Some(Kind::Stop),
            _ => None,
        };
    }
    Some(match piece {
        "=" | "==" => Kind::Compares(Comparison::Equal),
        "!=" | "<>" | "≠" => Kind::Compares(Comparison::Other),
        "<" => Kind::Compares(Comparison::Less),
        "<=" | "≤" | "=<" => Kind::Compares(Comparison::AtMost),
        ">" => Kind::Compares(Comparison::More),
        ">=" | "≥" | "=>" => Kind::Compares(Comparison::AtLeast),
        _ if piece.chars().all(|letter| "!()-–—".contains(letter)) => Kind::Stop,
        _ => number(piece).map_or(Kind::Word, Kind::Number),
    })
}

/// A number as people write it: `1,000`, `$12.50`, `10%`.
fn number(piece: &str) -> Option<Value> {
    const SIGNS: [char; 4] = ['$', '€', '£', '%'];
    let bare = piece.trim_matches(SIGNS);
    let digits = bare.strip_prefix('-').unwrap_or(bare);
    let starts = digits.starts_with(|letter: char| letter.is_ascii_digit());
    let groups: Vec<&str> = digits.split(',').collect();
    let is_grouped = groups.len() > 1
        && groups.iter().skip(1).all(|group| {
            group
                .split('.')
                .next()
                .is_some_and(|whole| whole.len() == 3)
        });
    if !starts || (groups.len() > 1 && !is_grouped) {
        return None;
    }
    let plain = bare.replace(',', "");
    // A code such as 007 is no number.
    let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    match plain.parse::<i64>() {
        Ok(whole) if !is_code => Some(json!(whole)),
        Ok(_) => None,
        Err(_) => {
            let exact = plain.parse::<f64>().ok().filter(|_| !is_code)?;
            Number::from_f64(exact).map(Value::Number)
        }
    }
}

/// Numbers that are written out.
pub(super) fn counted(token: &Token) -> Option<u64> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    match &token.kind {
        Kind::Number(value) => value.as_u64().filter(|count| *count > 0),
        Kind::Word => match token.word.as_str() {
            "fifteen" => Some(15),
            "twenty" => Some(20),
            "fifty" => Some(50),
            "hundred" => Some(100),
            "dozen" => Some(12),
            word => {
                let at = WORDS.iter().position(|own| *own == word);
                at.map(|at| at as u64).filter(|count| *count > 0)
            }
        },
        _ => None,
    }
}
