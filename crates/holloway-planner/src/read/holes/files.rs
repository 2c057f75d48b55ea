//! Which files, folders and addresses do words name?

use serde_json::{Value, json};

use super::{Filling, Holes, plainly};
use crate::frame::scene::{File, ending, is_outside};
use crate::read::tokens::{Token, TokenKind};

impl<'a> Holes<'a> {
    pub(super) fn is_table(&self, value: &Value) -> bool {
        let path = value.get("path").and_then(Value::as_str);
        let file = path.and_then(|path| self.scene.file(path));
        file.is_some_and(|file| !file.columns.is_empty())
    }

    /// Files that are there. Names may have blanks.
    pub(super) fn sources(&self, at: usize) -> Vec<Filling> {
        let Some(first) = self.token(at) else {
            return Vec::new();
        };
        for (end, _) in self.grams(at) {
            let last = self
                .token(end - 1)
                .map_or(first.at.end, |token| token.at.end);
            let written = self.written(first.at.start..last);
            if let Some(file) = self.file(written) {
                return vec![plainly(end, json!({"path": file.name}))];
            }
        }
        Vec::new()
    }

    /// Names of files that are not there.
    pub(super) fn new_files(&self, at: usize) -> Vec<Filling> {
        let Some(first) = self.token(at) else {
            return Vec::new();
        };
        let is_name = match first.kind {
            TokenKind::File => {
                !first.text.ends_with('/')
                    && !first.text.contains('*')
                    && ending(&first.text).is_some()
            }
            TokenKind::Quoted => ending(&first.text).is_some(),
            _ => false,
        };
        if !is_name || self.is_host(first) || self.file(&first.text).is_some() {
            return Vec::new();
        }
        vec![plainly(at + 1, json!({"path": first.text}))]
    }

    /// Names of files that something is written to, whether they are there or not.
    pub(super) fn outputs(&self, at: usize) -> Vec<Filling> {
        let mut found = self.new_files(at);
        found.extend(self.sources(at));
        found
    }

    /// Paths that lead out of the folder, where nothing is known beforehand.
    pub(super) fn places(&self, at: usize) -> Vec<Filling> {
        let token = self.token(at).filter(|token| token.kind == TokenKind::File);
        let leads_out = token.filter(|token| is_outside(&token.text));
        leads_out
            .map(|token| plainly(at + 1, json!({"path": token.text})))
            .into_iter()
            .collect()
    }

    fn file(&self, name: &str) -> Option<&'a File> {
        let name = name.trim_matches(['"', '“', '”', '\'', '`']);
        self.scene.file(name).or_else(|| {
            let mut files = self.scene.files.iter();
            files.find(|file| file.name.eq_ignore_ascii_case(name))
        })
    }

    pub(super) fn folders(&self, at: usize) -> Vec<Filling> {
        let Some(token) = self.token(at) else {
            return Vec::new();
        };
        let fits = matches!(
            token.kind,
            TokenKind::Word | TokenKind::File | TokenKind::Quoted
        );
        let there = fits && self.scene.is_folder(&token.text);
        there
            .then(|| plainly(at + 1, json!({"folder": token.text.trim_end_matches('/')})))
            .into_iter()
            .collect()
    }

    /// Addresses with or without what they begin with: `example.org`.
    pub(super) fn urls(&self, at: usize) -> Vec<Filling> {
        let address = match self.token(at) {
            Some(token) if token.kind == TokenKind::Url => token.text.clone(),
            Some(token) if self.is_host(token) => format!("https://{}", token.text),
            _ => return Vec::new(),
        };
        vec![plainly(at + 1, json!({"url": address}))]
    }

    fn is_host(&self, token: &Token) -> bool {
        let host = token.text.split('/').next().unwrap_or_default();
        let known = ending(host).is_some_and(|ending| self.lexicon.words.hosts.contains(&ending));
        token.kind == TokenKind::File && known && self.scene.file(&token.text).is_none()
    }
}
