//! How is a phrase written? Words, `(one|other way)`, `[may be left out]`, `{hole}` or
//! `{hole:name}`; a word with `~` stands for all its forms, `@name`
//! for a list of words, `\(` for the mark itself.

use std::collections::BTreeMap;

/// A phrase with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhrasePattern {
    pub pieces: Vec<Piece>,
    /// How many words it has at least, beside holes: the more, the surer.
    pub words: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Word { text: String, any_form: bool },
    Any(Vec<Vec<Piece>>),
    Maybe(Vec<Piece>),
    Hole { kind: String, name: String },
}

/// Lists may name lists this deep.
const DEEPEST: usize = 4;

/// Puts lists of words in where they are named.
pub fn expand(text: &str, ways: &BTreeMap<String, String>) -> Result<String, String> {
    let mut text = text.to_owned();
    for _ in 0..DEEPEST {
        let Some(at) = text.find('@') else {
            return Ok(text);
        };
        let mut made = String::with_capacity(text.len());
        made.push_str(text.get(..at).unwrap_or_default());
        for piece in text.get(at + 1..).unwrap_or_default().split('@') {
            let end = piece
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(piece.len());
            let (name, rest) = piece.split_at(end);
            let list = ways
                .get(name)
                .ok_or_else(|| format!("there is no list `{name}`"))?;
            for text in ["(", list, ")", rest] {
                made.push_str(text);
            }
        }
        text = made;
    }
    if text.contains('@') {
        Err("its lists name each other".to_owned())
    } else {
        Ok(text)
    }
}

/// Reads a pattern; says what is wrong with it otherwise.
pub fn read(text: &str) -> Result<PhrasePattern, String> {
    let mut rest = text.trim();
    let pieces = sequence(&mut rest, &[])?;
    if !rest.is_empty() {
        return Err(format!("`{rest}` is left over"));
    }
    if pieces.is_empty() {
        return Err("it is empty".to_owned());
    }
    Ok(PhrasePattern {
        words: words(&pieces),
        pieces,
    })
}

fn words(pieces: &[Piece]) -> usize {
    let count = |piece: &Piece| match piece {
        Piece::Word { .. } => 1,
        Piece::Any(ways) => ways.iter().map(|way| words(way)).min().unwrap_or_default(),
        Piece::Maybe(_) | Piece::Hole { .. } => 0,
    };
    pieces.iter().map(count).sum()
}

fn sequence(rest: &mut &str, ends: &[char]) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    loop {
        *rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(pieces);
        };
        if ends.contains(&first) {
            return Ok(pieces);
        }
        let read = piece(rest, first)?;
        match read {
            // As the tokeniser takes it apart.
            Piece::Word {
                text,
                any_form: false,
            } if text.len() > 2 && text.ends_with("'s") => {
                let stem = text.trim_end_matches("'s").to_owned();
                for text in [stem, "'s".to_owned()] {
                    pieces.push(Piece::Word {
                        text,
                        any_form: false,
                    });
                }
            }
            other => pieces.push(other),
        }
    }
}

fn piece(rest: &mut &str, first: char) -> Result<Piece, String> {
    match first {
        '(' => Ok(Piece::Any(ways(rest, ')')?)),
        '[' => {
            let mut ways = ways(rest, ']')?;
            Ok(Piece::Maybe(match ways.len() {
                1 => ways.remove(0),
                _ => vec![Piece::Any(ways)],
            }))
        }
        '{' => {
            let (inside, after) = rest
                .get(1..)
                .and_then(|rest| rest.split_once('}'))
                .ok_or("`}` is missing")?;
            *rest = after;
            let (kind, name) = inside.split_once(':').unwrap_or((inside, inside));
            Ok(Piece::Hole {
                kind: kind.to_owned(),
                name: name.to_owned(),
            })
        }
        ']' | ')' | '}' | '|' => Err(format!("`{first}` has no beginning")),
        '\\' => {
            let mark = rest.chars().nth(1).ok_or("`\\` stands before nothing")?;
            skip(rest);
            *rest = rest.get(mark.len_utf8()..).unwrap_or_default();
            Ok(Piece::Word {
                text: mark.to_string(),
                any_form: false,
            })
        }
        _ => {
            let end = rest
                .find(|c: char| c.is_whitespace() || "()[]{}|".contains(c))
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            *rest = after;
            let (text, any_form) = match word.strip_suffix('~') {
                Some(text) => (text, true),
                None => (word, false),
            };
            Ok(Piece::Word {
                text: text.to_lowercase(),
                any_form,
            })
        }
    }
}

/// What stands between brackets, divided by `|`.
fn ways(rest: &mut &str, end: char) -> Result<Vec<Vec<Piece>>, String> {
    let mut ways = Vec::new();
    loop {
        skip(rest);
        ways.push(sequence(rest, &['|', end])?);
        match rest.chars().next() {
            Some('|') => {}
            Some(found) if found == end => {
                skip(rest);
                return Ok(ways);
            }
            _ => return Err(format!("`{end}` is missing")),
        }
    }
}

fn skip(rest: &mut &str) {
    *rest = rest.get(1..).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read() {
        let pattern = read("(more|greater) than {number:least} [of] {column}").unwrap();
        assert_eq!(pattern.words, 2);
        assert_eq!(pattern.pieces.len(), 5);
        assert!(
            matches!(&pattern.pieces[2], Piece::Hole { kind, name } if kind == "number" && name == "least")
        );
        let marks = read("\\( {column} \\)").unwrap();
        assert_eq!(marks.pieces.len(), 3);
        let forms = read("sort~ by").unwrap();
        assert!(matches!(
            &forms.pieces[0],
            Piece::Word { any_form: true, .. }
        ));
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for (text, reason) in [
            ("", "it is empty"),
            ("(a|b", "`)` is missing"),
            ("[a", "`]` is missing"),
            ("{a", "`}` is missing"),
            ("a)", "`)` has no beginning"),
        ] {
            assert_eq!(read(text).unwrap_err(), reason, "{text}");
        }
    }
}
