//! Which words does a request about texts have? Words, files, quoted texts and stops, one after
//! the other, and how they are gone through.

use super::super::{Entity, EntityKind};
use super::{Deed, Source, Value};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    File(usize),
    Quoted(usize),
    Mail(usize),
    Page(usize),
    /// A comma, or the end of a sentence.
    Stop,
}

pub(super) fn tokens(request: &str, entities: &[Entity]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut from = 0;
    for (at, entity) in entities.iter().enumerate() {
        let token = match entity.kind {
            EntityKind::File | EntityKind::Path => Token::File(at),
            EntityKind::Quoted => Token::Quoted(at),
            EntityKind::Email => Token::Mail(at),
            EntityKind::Url if is_page(&entity.text) => Token::Page(at),
            _ => continue,
        };
        if entity.place.start < from {
            continue;
        }
        words(
            request.get(from..entity.place.start).unwrap_or_default(),
            &mut tokens,
        );
        tokens.push(token);
        from = entity.place.end;
    }
    words(request.get(from..).unwrap_or_default(), &mut tokens);
    tokens
}

/// Whether an address is that of a page, as far as it tells: not of a table or a picture.
fn is_page(address: &str) -> bool {
    let path = address
        .split_once("://")
        .filter(|(scheme, _)| scheme.to_lowercase().starts_with("http"))
        .map(|(_, rest)| rest.split(['?', '#']).next().unwrap_or_default());
    path.is_some_and(|path| {
        let name = path.split_once('/').map_or("", |(_, path)| path);
        let name = name.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_none_or(|ending| ["html", "htm", "php", "aspx"].contains(&ending))
    })
}

fn words(text: &str, tokens: &mut Vec<Token>) {
    const STOPS: [char; 6] = [',', ';', '.', ':', '!', '?'];
    const QUOTES: [char; 9] = ['"', '“', '”', '„', '«', '»', '‘', '`', '\''];
    for piece in text.split_whitespace() {
        let piece = piece.trim_matches(QUOTES);
        let word = piece.trim_matches(|letter| STOPS.contains(&letter) || QUOTES.contains(&letter));
        if piece.starts_with(STOPS) {
            tokens.push(Token::Stop);
        }
        if !word.is_empty() {
            tokens.push(Token::Word(word.to_lowercase().replace('’', "'")));
        }
        if !word.is_empty() && piece.ends_with(STOPS) {
            tokens.push(Token::Stop);
        }
    }
}

/// Goes through the words of a request.
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) entities: &'a [Entity],
    pub(super) at: usize,
    /// What "it" is.
    pub(super) it: Option<Value>,
    /// What was read just before, one file after the other.
    pub(super) read: Vec<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(tokens: &'a [Token], entities: &'a [Entity]) -> Self {
        Self {
            tokens,
            entities,
            at: 0,
            it: None,
            read: Vec::new(),
        }
    }

    /// All that is done, if every word is understood.
    pub(super) fn all(&mut self) -> Option<Vec<Deed>> {
        let mut deeds = Vec::new();
        self.ask_kindly();
        loop {
            let deed = self.deed()?;
            self.remember(&deed);
            deeds.push(deed);
            let joined = self.skip_joints();
            if self.is_at_end() {
                return Some(deeds);
            }
            if !joined {
                return None;
            }
        }
    }

    /// What "it" is from now on.
    fn remember(&mut self, deed: &Deed) {
        if let Deed::Show(Value::Of(Source::Files(files))) = deed {
            self.read.extend(files);
        } else {
            self.read.clear();
        }
        self.it = match deed {
            Deed::Show(value) | Deed::Write { value, .. } | Deed::Mail { value, .. } => {
                Some(value.clone())
            }
            Deed::List(folder) => Some(Value::Of(Source::Each(folder.clone()))),
            Deed::Add { to, .. } | Deed::Empty(to) => Some(Value::Of(Source::Files(vec![*to]))),
            Deed::Wait(_) => self.it.take(),
            Deed::Remove(_) => None,
        };
    }

    fn ask_kindly(&mut self) {
        while self.eat(&["please", "kindly", "hi", "hello", "hey"])
            || self.phrase(&["can", "you"])
            || self.phrase(&["could", "you"])
            || self.phrase(&["i", "want", "you", "to"])
        {
            self.at += usize::from(self.peek() == Some(&Token::Stop));
        }
    }

    fn skip_joints(&mut self) -> bool {
        let before = self.at;
        while self.peek() == Some(&Token::Stop)
            || self.is(&["and", "then", "next", "afterwards", "finally", "also"])
        {
            self.at += 1;
        }
        if self.phrase(&["after", "that"]) {
            return self.skip_joints() || self.at > before;
        }
        let joined = self.at > before;
        // "please" asks for nothing more.
        self.eat(&["please"]);
        joined
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Whether what was read so far could be all of it.
    pub(super) fn is_at_joint(&self) -> bool {
        match self.peek() {
            None | Some(Token::Stop) => true,
            Some(Token::Word(word)) => ["and", "then", "afterwards"].contains(&word.as_str()),
            Some(_) => false,
        }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn is(&self, words: &[&str]) -> bool {
        matches!(self.peek(), Some(Token::Word(word)) if words.contains(&word.as_str()))
    }

    /// Goes past one of these words.
    pub(super) fn eat(&mut self, words: &[&str]) -> bool {
        let is = self.is(words);
        self.at += usize::from(is);
        is
    }

    /// Goes past one of these words, or gives up.
    pub(super) fn need(&mut self, words: &[&str]) -> Option<()> {
        self.eat(words).then_some(())
    }

    /// Goes past all of these words, or past none.
    pub(super) fn phrase(&mut self, words: &[&str]) -> bool {
        let before = self.at;
        let all = words.iter().all(|word| self.eat(&[word]));
        if !all {
            self.at = before;
        }
        all
    }

    pub(super) fn word(&mut self) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Some(word)
            }
            _ => None,
        }
    }

    pub(super) fn quoted(&mut self) -> Option<usize> {
        match self.peek() {
            Some(Token::Quoted(at)) => {
                self.at += 1;
                Some(*at)
            }
            _ => None,
        }
    }

    pub(super) fn mail_address(&mut self) -> Option<usize> {
        match self.peek() {
            Some(Token::Mail(at)) => {
                self.at += 1;
                Some(*at)
            }
            _ => None,
        }
    }

    /// The first way that leads on.
    pub(super) fn first<T>(&mut self, ways: &[fn(&mut Self) -> Option<T>]) -> Option<T> {
        let before = self.at;
        for way in ways {
            self.at = before;
            if let Some(found) = way(self) {
                return Some(found);
            }
        }
        self.at = before;
        None
    }
}
