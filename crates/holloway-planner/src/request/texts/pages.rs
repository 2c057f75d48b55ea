//! Which page of the web is meant, and in which form? What is read on it, its title, as Markdown,
//! or as it is written; where nobody says, the file that it goes into does.

use super::super::Entity;
use super::tokens::{Reader, Token};
use super::{Deed, Form, Value, ending};

impl Reader<'_> {
    /// "fetch http://…", "download the page http://… to page.html".
    pub(super) fn fetches(&mut self) -> Option<Deed> {
        const VERBS: [&str; 13] = [
            "fetch", "download", "get", "grab", "load", "open", "read", "retrieve", "take",
            "visit", "show", "give", "what's",
        ];
        let asks = self.phrase(&["what", "is"]) || self.phrase(&["what", "are"]);
        if !asks {
            self.need(&VERBS)?;
        }
        self.eat(&["me"]);
        self.page().map(Deed::Show)
    }

    /// "convert http://… to Markdown", "turn it into plain text".
    pub(super) fn renders(&mut self) -> Option<Deed> {
        self.need(&["turn", "convert", "transform", "render"])?;
        let of = self.first(&[Self::page, Self::pronoun])?;
        let Value::Page(at, Form::Fitting) = of else {
            return None;
        };
        self.need(&["to", "into", "as"])?;
        let form = self.form()?;
        Some(Deed::Show(Value::Page(at, form)))
    }

    /// "the text of the page http://…", "http://… as Markdown".
    pub(super) fn page(&mut self) -> Option<Value> {
        self.eat(&["the"]);
        let before = self.first(&[|reader| {
            let form = reader.form()?;
            reader.need(&["of", "from", "on", "at"])?;
            Some(form)
        }]);
        self.eat(&["the"]);
        self.eat(&["web"]);
        self.eat(&["page", "webpage", "homepage", "site", "website", "url"]);
        self.eat(&["at"]);
        let page = Value::Page(self.address()?, before.unwrap_or(Form::Fitting));
        Some(self.in_form(page))
    }

    /// "as Markdown" after a page that could have any form.
    pub(super) fn in_form(&mut self, value: Value) -> Value {
        let Value::Page(at, Form::Fitting) = value else {
            return value;
        };
        let form = self.first(&[|reader| {
            reader.need(&["as"])?;
            reader.form()
        }]);
        Value::Page(at, form.unwrap_or(Form::Fitting))
    }

    fn form(&mut self) -> Option<Form> {
        self.eat(&["plain", "readable", "raw", "whole", "full"]);
        if self.phrase(&["page", "title"]) {
            return Some(Form::Title);
        }
        let form = match self.word()? {
            "text" => Form::Text,
            "markdown" => Form::Markdown,
            "title" | "titles" => Form::Title,
            "html" | "source" => {
                self.eat(&["source", "code"]);
                Form::Source
            }
            "content" | "contents" => Form::Fitting,
            _ => return None,
        };
        // "as a text file called …" says where it goes.
        (!self.is(&["file"])).then_some(form)
    }

    fn address(&mut self) -> Option<usize> {
        match self.peek() {
            Some(Token::Page(at)) => {
                self.at += 1;
                Some(*at)
            }
            _ => None,
        }
    }
}

/// With a form for every page; nothing where a page does not fit where it goes.
pub(super) fn settled(mut deeds: Vec<Deed>, entities: &[Entity]) -> Option<Vec<Deed>> {
    // What is shown first is shown as it is written down afterwards.
    let mut after: Option<(usize, Form)> = None;
    for deed in deeds.iter_mut().rev() {
        match deed {
            Deed::Write { value, to } | Deed::Add { value, to } => {
                let fitting = match ending(*to, entities).as_str() {
                    "md" | "pdf" => Some(Form::Markdown),
                    "html" | "htm" => Some(Form::Source),
                    "txt" | "text" => Some(Form::Text),
                    _ => None,
                };
                settle(value, fitting)?;
                if let Value::Page(at, form) = value {
                    after = Some((*at, *form));
                }
            }
            Deed::Show(value) => {
                let later =
                    after.filter(|(at, _)| matches!(value, Value::Page(own, _) if own == at));
                settle(value, Some(later.map_or(Form::Text, |(_, form)| form)))?;
            }
            Deed::Mail { value, .. } => settle(value, Some(Form::Text))?,
            Deed::List(_) | Deed::Remove(_) | Deed::Empty(_) | Deed::Wait(_) => {}
        }
    }
    Some(deeds)
}

fn settle(value: &mut Value, fitting: Option<Form>) -> Option<()> {
    match value {
        Value::Page(_, form) if *form == Form::Fitting => *form = fitting?,
        // Something is made of what is read.
        Value::Made(_, of) => settle(of, Some(Form::Text))?,
        _ => {}
    }
    Some(())
}
