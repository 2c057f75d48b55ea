//! What is done to a text or file? One rule for each verb that people use; a rule counts only
//! where what it leaves over begins something else.

use super::tokens::{Reader, Token};
use super::values::{made, number};
use super::{Deed, Making, Source, Value};

const LEADS: [&str; 14] = [
    "show",
    "tell",
    "give",
    "list",
    "print",
    "get",
    "find",
    "make",
    "create",
    "write",
    "calculate",
    "compute",
    "display",
    "determine",
];

impl Reader<'_> {
    pub(super) fn deed(&mut self) -> Option<Deed> {
        let ways: [fn(&mut Self) -> Option<Deed>; 22] = [
            Self::waits,
            Self::for_each,
            Self::removes,
            Self::thins,
            Self::empties,
            Self::creates,
            Self::renders,
            Self::converts,
            Self::reports,
            Self::overwrites,
            Self::adds,
            Self::mails,
            Self::writes,
            Self::joins,
            Self::compares,
            Self::sorts,
            Self::summarises,
            Self::counts,
            Self::asks,
            Self::lists,
            Self::reads,
            Self::fetches,
        ];
        let before = self.at;
        for way in ways {
            self.at = before;
            let found = way(self).map(|deed| self.put_into_file(deed));
            if found.is_some() && self.is_at_joint() {
                return found;
            }
        }
        self.at = before;
        None
    }

    /// What is shown may go into a file at once: "summarise notes.txt into summary.txt".
    fn put_into_file(&mut self, deed: Deed) -> Deed {
        match deed {
            Deed::Show(value) => match self.target() {
                Some(to) => Deed::Write { value, to },
                None => Deed::Show(value),
            },
            deed => deed,
        }
    }

    /// "to a new file called b.txt".
    fn target(&mut self) -> Option<usize> {
        self.first(&[|reader| {
            reader.need(&["to", "into", "in", "as"])?;
            reader.eat(&["the", "a", "an", "my", "our"]);
            reader.eat(&["new", "single"]);
            reader.eat(&["text"]);
            reader.eat(&["file"]);
            reader.eat(&["called", "named"]);
            reader.file()
        }])
    }

    fn waits(&mut self) -> Option<Deed> {
        self.need(&["wait", "pause", "sleep"])?;
        self.eat(&["for"]);
        let count = number(self.word()?)?;
        let unit = match self.word()? {
            "millisecond" | "milliseconds" | "ms" => 1,
            "second" | "seconds" | "sec" | "secs" | "s" => 1_000,
            "minute" | "minutes" | "min" | "mins" => 60_000,
            _ => return None,
        };
        count.checked_mul(unit).map(Deed::Wait)
    }

    /// "for every txt file in notes, summarise it".
    fn for_each(&mut self) -> Option<Deed> {
        self.need(&["for"])?;
        if !self.is(&["each", "every", "all"]) {
            return None;
        }
        let folder = self.folder()?;
        self.at += usize::from(self.peek() == Some(&Token::Stop));
        let before = self.it.replace(Value::Of(Source::Each(folder)));
        let deed = self.deed();
        self.it = before;
        // Only what is done to each of them is.
        deed.filter(|deed| match deed {
            Deed::Show(value) => is_of_each(value),
            Deed::Remove(source) => matches!(source, Source::Each(_)),
            _ => false,
        })
    }

    fn removes(&mut self) -> Option<Deed> {
        self.need(&["delete", "remove", "erase", "trash"])?;
        let source = self.source().or_else(|| match self.pronoun()? {
            Value::Of(source) => Some(source),
            _ => None,
        })?;
        self.eat(&["both", "all"]);
        Some(Deed::Remove(source))
    }

    /// "remove duplicate lines from a.txt".
    fn thins(&mut self) -> Option<Deed> {
        self.need(&["remove", "delete", "drop"])?;
        self.eat(&["the", "all"]);
        self.need(&["duplicate", "duplicated", "repeated"])?;
        self.need(&["lines"])?;
        self.need(&["from", "in", "of"])?;
        let of = self.text()?;
        Some(Deed::Show(made(Making::UniqueLines, of)))
    }

    fn empties(&mut self) -> Option<Deed> {
        self.need(&["empty", "clear", "truncate", "blank"])?;
        self.eat(&["out"]);
        let _ = self.phrase(&["the", "contents", "of"]) || self.phrase(&["the", "content", "of"]);
        self.file().map(Deed::Empty)
    }

    /// "create a file called hello.txt containing "Hello"".
    fn creates(&mut self) -> Option<Deed> {
        self.need(&["create", "make", "write", "start", "add"])?;
        self.eat(&["a", "an", "the"]);
        self.eat(&["new"]);
        self.eat(&["text", "txt"]);
        self.need(&["file"])?;
        self.eat(&["called", "named"]);
        let to = self.file()?;
        self.eat(&["that", "which"]);
        self.need(&[
            "containing",
            "contains",
            "with",
            "saying",
            "says",
            "holding",
        ])?;
        let _ = self.phrase(&["in", "it"]);
        let value = self.value()?;
        let _ = self.phrase(&["in", "it"]);
        Some(Deed::Write { value, to })
    }

    /// "turn readme.md into an HTML page named readme.html".
    fn converts(&mut self) -> Option<Deed> {
        self.need(&["turn", "convert", "transform", "change", "make"])?;
        let of = self.first(&[
            |reader| reader.source().map(Value::Of),
            Self::page,
            Self::pronoun,
        ])?;
        self.need(&["into", "to", "as"])?;
        self.document();
        let to = self.file()?;
        Some(Deed::Write { value: of, to })
    }

    /// "make a report as report.pdf from notes.txt".
    fn reports(&mut self) -> Option<Deed> {
        self.need(&["make", "create", "write", "generate", "produce", "build"])?;
        if !self.document() {
            return None;
        }
        self.eat(&["as", "called", "named"]);
        let to = self.file()?;
        self.need(&["from", "of", "with", "out"])?;
        self.eat(&["of"]);
        let value = self.text()?;
        Some(Deed::Write { value, to })
    }

    /// "an HTML page called", "a PDF".
    fn document(&mut self) -> bool {
        let before = self.at;
        self.eat(&["a", "an", "the"]);
        self.eat(&["new", "html", "pdf", "web"]);
        self.eat(&[
            "page", "file", "document", "report", "webpage", "website", "pdf",
        ]);
        let any = self.at > before;
        self.eat(&["called", "named", "as"]);
        any
    }

    fn overwrites(&mut self) -> Option<Deed> {
        self.need(&["overwrite", "replace"])?;
        let _ = self.phrase(&["the", "contents", "of"]) || self.phrase(&["the", "content", "of"]);
        let to = self.file()?;
        self.need(&["with", "by"])?;
        let value = self.first(&[Self::value, |reader| {
            let of = reader.file()?;
            Some(Value::Of(Source::Files(vec![of])))
        }])?;
        Some(Deed::Write { value, to })
    }

    fn adds(&mut self) -> Option<Deed> {
        self.need(&["append", "add"])?;
        let value = self.first(&[Self::value, |reader| reader.source().map(Value::Of)])?;
        self.need(&["to", "onto", "at"])?;
        let _ = self.phrase(&["the", "end", "of"]);
        let to = self.file()?;
        Some(Deed::Add { value, to })
    }

    /// "send an email to ann@example.com with the summary of notes.txt".
    fn mails(&mut self) -> Option<Deed> {
        self.need(&["send", "email", "mail", "e-mail"])?;
        self.eat(&["a", "an"]);
        self.eat(&["email", "mail", "e-mail", "message"]);
        self.eat(&["to"]);
        if let Some(to) = self.mail_address() {
            let led = self.eat(&["with", "containing", "saying"]);
            let value = self.value()?;
            return led.then_some(Deed::Mail { value, to });
        }
        let value = self.value()?;
        let _ = self.phrase(&["by", "email"]) || self.phrase(&["by", "mail"]);
        self.need(&["to"])?;
        let to = self.mail_address()?;
        Some(Deed::Mail { value, to })
    }

    fn writes(&mut self) -> Option<Deed> {
        self.need(&[
            "write", "save", "store", "put", "export", "dump", "output", "copy",
        ])?;
        let value = self.first(&[Self::value, |reader| {
            let of = reader.file()?;
            Some(Value::Of(Source::Files(vec![of])))
        }])?;
        let value = self.in_form(value);
        let to = self.target()?;
        Some(Deed::Write { value, to })
    }

    fn joins(&mut self) -> Option<Deed> {
        self.need(&["join", "merge", "combine", "concatenate", "concat"])?;
        let of = self.text()?;
        self.eat(&["together"]);
        let several = match &of {
            Value::Of(Source::Files(files)) => files.len() > 1,
            Value::Of(Source::Each(_)) => true,
            _ => false,
        };
        several.then(|| Deed::Show(made(Making::Joined, of)))
    }

    fn compares(&mut self) -> Option<Deed> {
        if self.eat(&["compare", "diff"]) {
            let (one, other) = self.two_files()?;
            return Some(Deed::Show(Value::Changes(one, other)));
        }
        if self.eat(&["is", "are"]) {
            return self.asks_whether_same();
        }
        self.eat(&LEADS);
        self.eat(&["me"]);
        let value: fn(usize, usize) -> Value = if self.eat(&["how"]) {
            let alike = self.eat(&["similar", "alike", "close"]);
            if !alike && !self.eat(&["different"]) {
                return None;
            }
            self.need(&["are", "is"])?;
            if alike {
                Value::Likeness
            } else {
                Value::Changes
            }
        } else {
            self.need(&["what", "which"])?;
            self.eat(&["lines", "words"]);
            let differs = self.eat(&["changed", "changes", "differs"])
                || self.phrase(&["has", "changed"])
                || self.phrase(&["is", "different"])
                || self.phrase(&["are", "different"]);
            if !differs {
                return None;
            }
            self.need(&["between", "from", "in"])?;
            Value::Changes
        };
        let (one, other) = self.two_files()?;
        Some(Deed::Show(value(one, other)))
    }

    /// "is a.txt the same as b.txt", "are a.txt and b.txt identical".
    fn asks_whether_same(&mut self) -> Option<Deed> {
        let one = self.file()?;
        let early = !self.eat(&["and"]);
        self.eat(&["the"]);
        if early {
            self.need(&["same", "identical", "equal", "different"])?;
            self.need(&["as", "to", "from"])?;
        }
        let other = self.file()?;
        if !early {
            self.eat(&["the"]);
            self.need(&["same", "identical", "equal", "different"])?;
        }
        Some(Deed::Show(Value::Changes(one, other)))
    }

    fn sorts(&mut self) -> Option<Deed> {
        self.need(&["sort", "order", "alphabetise", "alphabetize"])?;
        let says_lines = self.phrase(&["the", "lines"]) || self.eat(&["lines"]);
        if says_lines {
            self.need(&["of", "in", "from"])?;
        }
        let of = self.text()?;
        let before = self.at;
        let descending = self.order();
        // By what a file is sorted has to be said one way or the other.
        if !says_lines && self.at == before {
            return None;
        }
        Some(Deed::Show(made(Making::SortedLines { descending }, of)))
    }

    fn summarises(&mut self) -> Option<Deed> {
        if !self.phrase(&["sum", "up"]) {
            self.need(&["summarise", "summarize"])?;
        }
        let of = self.together()?;
        let sentences = self.in_sentences();
        Some(Deed::Show(made(Making::Summary(sentences), of)))
    }

    /// "count the words in notes.txt", "how many lines does it have".
    fn counts(&mut self) -> Option<Deed> {
        let asks = self.phrase(&["how", "many"]);
        if !asks {
            self.need(&["count"])?;
            if self.eat(&["its", "their"]) {
                let unit = self.unit()?;
                return Some(Deed::Show(made(Making::Count(unit), self.it.clone()?)));
            }
        }
        let unit = self.unit()?;
        self.eat(&["are", "is", "does", "do"]);
        self.eat(&["there"]);
        self.eat(&["in", "of", "on"]);
        let of = self.together()?;
        self.eat(&["have", "has", "contain"]);
        let joins = self.eat(&["together", "altogether"]) || self.phrase(&["in", "total"]);
        let of = if joins { made(Making::Joined, of) } else { of };
        Some(Deed::Show(made(Making::Count(unit), of)))
    }

    /// "give me a summary of notes.txt", "how readable is it?".
    fn asks(&mut self) -> Option<Deed> {
        let _ = self.eat(&LEADS) || self.phrase(&["what", "is"]) || self.phrase(&["what", "are"]);
        let _ = self.eat(&["what's", "me"]);
        if self.eat(&["how"]) {
            let readable = self.eat(&["readable"])
                || self.phrase(&["easy", "to", "read"])
                || self.phrase(&["hard", "to", "read"])
                || self.phrase(&["difficult", "to", "read"]);
            self.need(&["is", "are"]).filter(|()| readable)?;
            let of = self.text()?;
            return Some(Deed::Show(made(Making::Readability, of)));
        }
        self.product().map(Deed::Show)
    }

    fn lists(&mut self) -> Option<Deed> {
        self.need(&["list", "find", "show", "get", "search", "look"])?;
        self.eat(&["me", "for"]);
        self.folder().map(Deed::List)
    }

    fn reads(&mut self) -> Option<Deed> {
        self.need(&["read", "load", "open", "show", "print", "display", "take"])?;
        self.eat(&["me", "in"]);
        self.source().map(|source| Deed::Show(Value::Of(source)))
    }
}

/// Whether something is made of each of several files.
fn is_of_each(value: &Value) -> bool {
    match value {
        Value::Of(source) => matches!(source, Source::Each(_)),
        Value::Made(_, of) => is_of_each(of),
        Value::Quoted(_) | Value::Changes(..) | Value::Likeness(..) | Value::Page(..) => false,
    }
}
