//! Which text is meant? Files that are named, those of a folder, quoted words, what came before,
//! and what is made of these.

use super::tokens::{Reader, Token};
use super::{Folder, Making, Source, Unit, Value};

const ARTICLES: [&str; 5] = ["the", "a", "an", "my", "our"];
/// Kinds of files as people call them, and how such files end.
const KINDS: [(&str, &str); 12] = [
    ("txt", "txt"),
    ("text", "txt"),
    ("md", "md"),
    ("markdown", "md"),
    ("json", "json"),
    ("csv", "csv"),
    ("log", "log"),
    ("html", "html"),
    ("xml", "xml"),
    ("yaml", "yaml"),
    ("pdf", "pdf"),
    ("tmp", "tmp"),
];
const ONE: [&str; 3] = ["it", "that", "this"];
const SEVERAL: [&str; 4] = ["them", "these", "those", "both"];

impl Reader<'_> {
    /// A text: quoted, made of another, or what came before.
    pub(super) fn value(&mut self) -> Option<Value> {
        self.first(&[
            |reader| reader.words_said().map(Value::Quoted),
            Self::product,
            Self::page,
            Self::pronoun,
        ])
    }

    /// "the line "bye"", "the text “…”".
    pub(super) fn words_said(&mut self) -> Option<usize> {
        self.eat(&ARTICLES);
        self.eat(&["new"]);
        self.eat(&[
            "line", "text", "word", "words", "sentence", "content", "contents", "note",
        ]);
        self.quoted()
    }

    /// "it", "them", "the result", or what came before by its name.
    pub(super) fn pronoun(&mut self) -> Option<Value> {
        let it = self.it.clone();
        if self.eat(&ONE) {
            return it;
        }
        if self.eat(&SEVERAL) {
            self.eat(&["two", "files", "texts", "all"]);
            return self.several();
        }
        self.need(&["the"])?;
        let named = |making: fn(&Making) -> bool| {
            let is_so = matches!(&it, Some(Value::Made(own, _)) if making(own));
            it.clone().filter(|_| is_so)
        };
        match self.word()? {
            "result" | "results" | "output" | "outcome" | "text" | "content" | "contents" => it,
            "file" => it,
            "files" | "texts" | "two" => self.several(),
            "summary" | "summaries" => named(|making| matches!(making, Making::Summary(_))),
            "keywords" => named(|making| *making == Making::Keywords),
            "count" | "number" | "total" => named(|making| matches!(making, Making::Count(_))),
            "lines" => named(|making| matches!(making, Making::SortedLines { .. })),
            "difference" | "differences" | "diff" | "changes" => {
                it.filter(|it| matches!(it, Value::Changes(..)))
            }
            _ => None,
        }
    }

    /// What "them" are: several files that were read one after the other, or what came before.
    fn several(&self) -> Option<Value> {
        match &self.it {
            Some(Value::Of(Source::Files(_))) if self.read.len() > 1 => {
                Some(Value::Of(Source::Files(self.read.clone())))
            }
            it => it.clone(),
        }
    }

    /// "a summary of notes.txt", "the number of words in it".
    pub(super) fn product(&mut self) -> Option<Value> {
        self.eat(&ARTICLES);
        self.first(&[
            Self::contents,
            Self::summary,
            Self::keywords,
            Self::changes,
            Self::likeness,
            Self::number,
            Self::readability,
            Self::sorted,
        ])
    }

    fn contents(&mut self) -> Option<Value> {
        self.eat(&["whole", "full"]);
        self.need(&["content", "contents", "text"])?;
        self.need(&["of", "from", "in"])?;
        self.source().map(Value::Of)
    }

    fn summary(&mut self) -> Option<Value> {
        self.eat(&["short", "brief", "quick"]);
        let before = self.number_of_sentences();
        self.need(&["summary"])?;
        let inside = self.in_sentences();
        self.need(&["of", "from"])?;
        let of = self.text()?;
        let sentences = before.or(inside).or_else(|| self.in_sentences());
        Some(made(Making::Summary(sentences), of))
    }

    /// "two-sentence" before a summary.
    fn number_of_sentences(&mut self) -> Option<u64> {
        let before = self.at;
        let found = self.word().and_then(|word| {
            let (count, _) = word.split_once("-sentence")?;
            number(count)
        });
        if found.is_none() {
            self.at = before;
        }
        found
    }

    /// "in two sentences".
    pub(super) fn in_sentences(&mut self) -> Option<u64> {
        self.first(&[|reader| {
            reader.need(&["in", "to", "into", "with"])?;
            let count = number(reader.word()?)?;
            reader.need(&["sentence", "sentences"])?;
            Some(count)
        }])
    }

    fn keywords(&mut self) -> Option<Value> {
        self.need(&["keywords", "keyphrases"])?;
        self.need(&["of", "in", "from"])?;
        Some(made(Making::Keywords, self.text()?))
    }

    fn changes(&mut self) -> Option<Value> {
        self.need(&["difference", "differences", "changes", "diff"])?;
        self.need(&["between", "from", "of"])?;
        let (one, other) = self.two_files()?;
        Some(Value::Changes(one, other))
    }

    fn likeness(&mut self) -> Option<Value> {
        self.need(&["similarity", "likeness", "resemblance"])?;
        self.need(&["between", "of"])?;
        let (one, other) = self.two_files()?;
        Some(Value::Likeness(one, other))
    }

    fn number(&mut self) -> Option<Value> {
        let unit = if self.phrase(&["number", "of"]) || self.phrase(&["count", "of"]) {
            self.unit()?
        } else {
            let unit = self.unit()?;
            self.need(&["count", "counts"])?;
            unit
        };
        self.need(&["of", "in", "for"])?;
        let of = self.together()?;
        Some(made(Making::Count(unit), of))
    }

    fn readability(&mut self) -> Option<Value> {
        self.need(&["readability"])?;
        self.eat(&["score", "scores"]);
        self.need(&["of"])?;
        Some(made(Making::Readability, self.text()?))
    }

    fn sorted(&mut self) -> Option<Value> {
        let first = self.eat(&["sorted", "ordered"]);
        self.need(&["lines"])?;
        self.need(&["of", "in", "from"])?;
        let of = self.text()?;
        if !first {
            self.need(&["sorted", "ordered", "in"])?;
        }
        let descending = self.order();
        Some(made(Making::SortedLines { descending }, of))
    }

    /// "alphabetically", "in reverse order": whether it goes down.
    pub(super) fn order(&mut self) -> bool {
        let before = self.at;
        self.eat(&["in"]);
        let after = self.at;
        let mut descending = false;
        loop {
            if self.eat(&["descending", "reverse", "reversed", "backwards", "z-a"])
                || self.phrase(&["z", "to", "a"])
            {
                descending = true;
            } else if !(self.eat(&[
                "alphabetical",
                "alphabetically",
                "ascending",
                "order",
                "by",
                "name",
                "a-z",
            ]) || self.phrase(&["from", "a", "to", "z"])
                || self.phrase(&["a", "to", "z"]))
            {
                if self.at == after {
                    self.at = before;
                }
                return descending;
            }
        }
    }

    pub(super) fn unit(&mut self) -> Option<Unit> {
        self.eat(&["the"]);
        Some(match self.word()? {
            "word" | "words" => Unit::Words,
            "line" | "lines" => Unit::Lines,
            "character" | "characters" => Unit::Characters,
            "sentence" | "sentences" => Unit::Sentences,
            "paragraph" | "paragraphs" => Unit::Paragraphs,
            _ => return None,
        })
    }

    /// Files or what came before, as a text.
    pub(super) fn text(&mut self) -> Option<Value> {
        self.first(&[
            |reader| reader.source().map(Value::Of),
            Self::product,
            Self::page,
            Self::pronoun,
        ])
    }

    /// The same; of several that are looked at together, one text.
    pub(super) fn together(&mut self) -> Option<Value> {
        let of = self.text()?;
        let joins = self.eat(&["together", "combined", "altogether"])
            || self.phrase(&["in", "total"])
            || self.phrase(&["in", "all"]);
        Some(if joins { made(Making::Joined, of) } else { of })
    }

    /// Files that are named, or each of a folder.
    pub(super) fn source(&mut self) -> Option<Source> {
        self.first(&[
            |reader| reader.files().map(Source::Files),
            |reader| reader.folder().map(Source::Each),
        ])
    }

    /// "a.txt, b.txt and c.txt".
    fn files(&mut self) -> Option<Vec<usize>> {
        self.eat(&["both"]);
        let mut files = vec![self.file()?];
        loop {
            let before = self.at;
            self.at += usize::from(self.peek() == Some(&Token::Stop));
            self.eat(&["and", "&", "plus"]);
            match self.file().filter(|_| self.at > before + 1) {
                Some(file) if !files.contains(&file) => files.push(file),
                _ => {
                    self.at = before;
                    return Some(files);
                }
            }
        }
    }

    /// "a.txt and b.txt", "a.txt with b.txt".
    pub(super) fn two_files(&mut self) -> Option<(usize, usize)> {
        self.eat(&["the"]);
        self.eat(&["texts", "files", "drafts"]);
        let one = self.file()?;
        self.need(&["and", "with", "to", "against", "from", "versus", "vs"])?;
        let other = self.file()?;
        let text = |at: usize| self.entities.get(at).map(|entity| &entity.text);
        (text(one) != text(other)).then_some((one, other))
    }

    /// A file that is named; a folder is none.
    pub(super) fn file(&mut self) -> Option<usize> {
        let before = self.at;
        self.eat(&["the"]);
        self.eat(&["text"]);
        self.eat(&["file"]);
        match self.peek() {
            Some(Token::File(at)) if self.has_ending(*at) => {
                self.at += 1;
                Some(*at)
            }
            _ => {
                self.at = before;
                None
            }
        }
    }

    fn has_ending(&self, file: usize) -> bool {
        let text = self.entities.get(file).map_or("", |file| &file.text);
        let name = text.rsplit('/').next().unwrap_or_default();
        name.contains('.') && !name.contains(['*', '?'])
    }

    /// "every txt file in notes", "all files in notes that contain the word "pond"".
    pub(super) fn folder(&mut self) -> Option<Folder> {
        let every = self.eat(&["every", "each"]);
        self.eat(&["all", "of"]);
        self.eat(&["the", "my", "of"]);
        let ending = self.kind();
        let says_files = self.eat(&["file", "files"]);
        // "every txt in notes" says what is meant as well.
        if !(says_files || every && ending.is_some()) {
            return None;
        }
        let early = self.holding();
        let path = self.place()?;
        let holds = early.or_else(|| self.holding());
        Some(Folder {
            path,
            ending,
            holds,
        })
    }

    fn kind(&mut self) -> Option<String> {
        let before = self.at;
        let word = self.word()?.trim_start_matches("*.");
        let word = word.trim_start_matches('.');
        let found = KINDS.iter().find(|(said, _)| *said == word);
        if found.is_none() {
            self.at = before;
        }
        found.map(|(_, ending)| (*ending).to_owned())
    }

    /// "containing the word "pond"".
    fn holding(&mut self) -> Option<String> {
        self.first(&[|reader| {
            reader.eat(&["that", "which"]);
            reader.need(&[
                "contain",
                "contains",
                "containing",
                "with",
                "mention",
                "mentions",
                "mentioning",
                "have",
                "having",
                "hold",
                "holding",
            ])?;
            reader.eat(&ARTICLES);
            let names = reader.eat(&["word", "text", "phrase", "string"]);
            match reader.quoted() {
                Some(at) => reader.entities.get(at)?.value.as_str().map(str::to_owned),
                None if names => reader.word().map(str::to_owned),
                None => None,
            }
        }])
    }

    /// "in the notes folder", "under data", "here".
    fn place(&mut self) -> Option<String> {
        if self.eat(&["here"]) {
            return Some(".".to_owned());
        }
        self.need(&["in", "under", "from", "of", "inside", "within"])?;
        self.eat(&["the", "my", "folder", "directory"]);
        self.eat(&["folder", "directory"]);
        let here = self.eat(&["this", "current"]);
        if here {
            self.need(&["folder", "directory"])?;
            return Some(".".to_owned());
        }
        let path = match self.peek()? {
            Token::File(at) if !self.has_ending(*at) => self.entities.get(*at)?.text.clone(),
            Token::Word(word) if is_name_of_folder(word) => word.clone(),
            _ => return None,
        };
        self.at += 1;
        self.eat(&["folder", "directory"]);
        Some(path)
    }
}

/// Words that stand where a folder would and are none.
fn is_name_of_folder(word: &str) -> bool {
    const OTHERS: [&str; 10] = [
        "it", "them", "that", "this", "all", "which", "order", "general", "total", "one",
    ];
    let letters = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    word.chars().all(letters) && !OTHERS.contains(&word)
}

pub(super) fn made(making: Making, of: Value) -> Value {
    Value::Made(making, Box::new(of))
}

/// A small number, in figures or as a word.
pub(super) fn number(word: &str) -> Option<u64> {
    const WORDS: [&str; 10] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let spelled = WORDS.iter().position(|own| *own == word);
    spelled.map_or_else(|| word.parse().ok(), |at| Some(at as u64 + 1))
}
