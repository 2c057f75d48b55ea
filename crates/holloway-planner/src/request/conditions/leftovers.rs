//! Was all of it understood? A part of a sentence of which something was read must have no
//! words left over that could be a condition: "the total amount of paid orders" is not the
//! total amount.

use super::super::verbs::is_verb;
use super::phrases::{ARTICLES, PEOPLE, Reader};
use super::tokens::Kind;

/// Words that say nothing about which rows are meant.
#[rustfmt::skip]
const HARMLESS: [&str; 112] = [
    "of", "in", "from", "for", "to", "into", "as", "on", "at", "with", "about", "inside", "and", "then",
    "also", "both", "this", "that", "these", "it", "them", "me", "us", "i", "you", "we", "please",
    "want", "need", "like", "would", "could", "can", "what", "what's", "which", "who", "how",
    "is", "are", "was", "were", "be", "there", "does", "do", "did", "has", "have", "having", "by",
    "table", "tables", "file", "files", "data", "dataset", "csv", "tsv", "spreadsheet", "sheet", "excel",
    "xlsx", "json", "jsonl", "ndjson", "workbook", "document", "result", "results", "output", "answer", "list", "column",
    "columns", "chart", "report", "value", "values", "name", "called", "named", "new", "so", "now", "just",
    "simply", "quickly", "together", "find", "show", "tell", "give", "get", "let", "know",
    "folder", "out", "up", "one", "each", "format", "form", "content", "contents", "changed",
    "still", "here", "currently", "already", "overall", "altogether",
];
/// Left over, these always say that something was not understood.
#[rustfmt::skip]
const TELLING: [&str; 23] = [
    "where", "whose", "except", "excluding", "without", "not", "than", "between", "per", "group",
    "grouped", "filter", "filtered", "sort", "sorted", "unless", "isn't", "every", "least", "last",
    "descending", "ascending", "or",
];

/// Verbs that only tie a value to its rows: "how many orders did Alice make".
#[rustfmt::skip]
const TIES: [&str; 69] = [
    "saved", "stored", "exported", "written",
    "either", "using", "contain", "hold", "placed", "across",
    "make", "made", "makes", "place", "placed", "live", "lives", "living", "come", "came", "coming", "buy",
    "bought", "sell", "sold", "spend", "spent", "had", "got", "happen", "happened", "occur", "occurred",
    "located", "based", "work", "works", "belong", "belongs", "everything", "rest", "according", "ones",
    "those", "who", "bring", "brought", "earn", "earned", "ordered", "started", "hired", "joined",
    "published", "released", "founded", "born", "issued", "created", "everyone", "everybody", "anyone", "use",
    "shipped", "delivered", "received", "sent", "earns", "spends",
];

/// Whether a word only ties a value to its rows.
pub(super) fn ties(word: &str) -> bool {
    TIES.contains(&word)
}

/// Whether a word says nothing about which rows are meant.
pub(super) fn says_nothing(word: &str) -> bool {
    HARMLESS.contains(&word) || ARTICLES.contains(&word)
}

impl Reader<'_> {
    /// Whether part of what is said was not understood.
    pub(super) fn is_unclear(&self) -> bool {
        if self.unclear || self.found.is_empty() {
            return self.unclear;
        }
        let mut from = 0;
        while from < self.tokens.len() {
            let to = self.part_end(from);
            if (from..to).any(|at| self.is_lost(at, from)) {
                let touched = (from..to).any(|at| self.was_read(at));
                let tells = (from..to).any(|at| !self.was_read(at) && self.is(at, &TELLING));
                if touched || tells {
                    return true;
                }
            }
            from = to;
        }
        false
    }

    /// The words that were not understood, as they stand there.
    pub(super) fn lost(&self) -> Vec<usize> {
        let mut lost = Vec::new();
        let mut from = 0;
        while from < self.tokens.len() {
            let to = self.part_end(from);
            lost.extend((from..to).filter(|at| self.is_lost(*at, from)));
            from = to;
        }
        lost
    }

    /// Whether rows are narrowed down in a way of which nothing was understood: "the paid
    /// rows of orders.csv", "… where nothing is missing".
    pub(super) fn is_narrowed(&self) -> bool {
        const NARROWS: [&str; 9] = [
            "where",
            "whose",
            "except",
            "excluding",
            "than",
            "between",
            "last",
            "not",
            "without",
        ];
        let mut all = 0..self.tokens.len();
        all.any(|at| {
            let is_row = |at: usize| self.token(at).is_some_and(|token| self.is_row(&token.word));
            let before = at
                .checked_sub(1)
                .filter(|before| !self.is_leading_verb(*before));
            let adjective = before.is_some_and(|before| self.is_lost_word(before));
            // "rows 2 to 4", "tax = price * 2"
            let token = self.token(at);
            let compares = token.is_some_and(|token| matches!(token.kind, Kind::Compares(_)));
            let counted = token.is_some_and(|token| matches!(token.kind, Kind::Number(_)))
                && at.checked_sub(1).is_some_and(is_row);
            // "orders over 300"
            let bounds = self.is(
                at,
                &["over", "above", "under", "below", "least", "exceeding"],
            ) && self
                .token(at + 1)
                .is_some_and(|next| matches!(next.kind, Kind::Number(_)));
            let narrows = self.is(at, &NARROWS) || compares || counted || bounds;
            !self.was_read(at) && (narrows || is_row(at) && adjective)
        })
    }

    fn is_leading_verb(&self, at: usize) -> bool {
        let verb = self.token(at).is_some_and(|token| is_verb(&token.word));
        let article = at
            .checked_sub(1)
            .is_some_and(|before| self.is(before, &ARTICLES));
        verb && !article
    }

    /// Whether values of a table are to be changed or worked out anew, which nothing here says
    /// to a tool: "give each employee a 5% raise", "increase the price by 10".
    pub(super) fn is_reckoned(&self) -> bool {
        const CHANGES: [&str; 20] = [
            "increase",
            "raise",
            "decrease",
            "reduce",
            "multiply",
            "divide",
            "double",
            "halve",
            "triple",
            "subtract",
            "deduct",
            "discount",
            "recalculate",
            "adjust",
            "bump",
            "round",
            "lower",
            "update",
            "set",
            "change",
        ];
        let mut from = 0;
        while from < self.tokens.len() {
            let to = self.part_end(from);
            let verb = (from..to).find(|at| {
                let filler = self.is(*at, &["and", "then", "please", "also"]);
                self.token(*at)
                    .is_some_and(|token| token.kind == Kind::Word)
                    && !filler
            });
            let unread = |at: &usize| !self.was_read(*at);
            let said = || (from..to).filter(unread);
            let number = said().any(|at| {
                let token = self.token(at);
                token.is_some_and(|token| matches!(token.kind, Kind::Number(_)))
            });
            let column = said().any(|at| self.column_at(at).is_some());
            let changes = verb.is_some_and(|at| self.is(at, &CHANGES)) && (number || column);
            let gives = verb.is_some_and(|at| {
                let each = self.is(at + 1, &["each", "every", "all", "everyone", "everybody"]);
                self.is(at, &["give", "add"]) && each
            });
            if (changes || gives && number) && verb.is_some_and(|at| !self.was_read(at)) {
                return true;
            }
            from = to;
        }
        false
    }

    /// Whether files of a folder are meant of which nothing was understood.
    pub(super) fn is_folder_lost(&self) -> bool {
        let all = || 0..self.tokens.len();
        let files = all().any(|at| self.is(at, &["files", "file"]));
        let names_file = self
            .tokens
            .iter()
            .any(|token| token.kind == Kind::File && !self.known.is_folder(&token.raw));
        let folder = self
            .tokens
            .iter()
            .any(|token| self.known.is_folder(&token.raw));
        files && folder && !names_file
    }

    /// Where the part of the sentence ends that begins here.
    fn part_end(&self, from: usize) -> usize {
        let ends = |at: &usize| {
            let Some(token) = self.token(*at) else {
                return true;
            };
            let leads_on = token.is(&["and", "then"]) || token.kind == Kind::Comma;
            let next = (at + 1..self.tokens.len())
                .find(|next| !self.is(*next, &["and", "then", "also", "please"]));
            let verb = next
                .and_then(|next| self.token(next))
                .is_some_and(|next| is_verb(&next.word));
            token.kind == Kind::Stop || (leads_on && verb)
        };
        let end = (from + 1..self.tokens.len()).find(ends);
        end.unwrap_or(self.tokens.len())
    }

    fn is_lost(&self, at: usize, from: usize) -> bool {
        let Some(token) = self.token(at).filter(|_| !self.was_read(at)) else {
            return false;
        };
        match token.kind {
            Kind::File | Kind::Comma | Kind::Stop => false,
            Kind::Number(_) | Kind::Quoted | Kind::Compares(_) => true,
            Kind::Word => {
                let leads =
                    (from..at).all(|before| !self.was_read(before) && !self.is_lost_word(before));
                let is_verb = leads && is_verb(&token.word);
                self.is_lost_word(at) && !is_verb && !self.is_only(at) && !self.is_subject(at)
            }
        }
    }

    fn is_lost_word(&self, at: usize) -> bool {
        let ties = self.known.is_known() && (self.is(at, &TIES) || self.is(at, &PEOPLE));
        let harmless = self.is(at, &HARMLESS) || self.is(at, &ARTICLES) || ties;
        // "but only the paid ones"
        let narrows = [
            "only", "just", "sorted", "with", "for", "where", "in", "order",
        ];
        let harmless = harmless || self.is(at, &["but"]) && self.is(at + 1, &narrows);
        let row = self.token(at).is_some_and(|token| self.is_row(&token.word));
        !harmless && !row && self.token(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// "only" with what was understood says nothing more.
    fn is_only(&self, at: usize) -> bool {
        let mut after = (at + 1..self.tokens.len()).filter(|at| !self.is(*at, &ARTICLES));
        let is_row = |at: usize| self.token(at).is_some_and(|token| self.is_row(&token.word));
        let narrowed = self.known.is_known()
            && self.found.iter().any(|said| {
                use super::Condition::{Columns, First, Keep, Without};
                matches!(said.condition, Keep(_) | First(_) | Columns(_) | Without(_))
            });
        self.is(at, &["only"]) && narrowed
            || self.is(at, &["only"])
                && after
                    .next()
                    .is_some_and(|at| self.was_read(at) || is_row(at))
    }

    /// What all rows are called: the customers in "sort the customers in sales.csv by city".
    fn is_subject(&self, at: usize) -> bool {
        const DOES: [&str; 6] = ["sort", "order", "rank", "arrange", "group", "summarise"];
        let mut before = (0..at).rev().filter(|at| !self.is(*at, &ARTICLES));
        let led = before.next().is_some_and(|at| self.is(at, &DOES));
        let leads_on = self.is(at + 1, &["in", "of", "from", "by"]) || self.is_file(at + 1);
        let many = self
            .token(at)
            .is_some_and(|token| token.word.ends_with('s'));
        led && leads_on && many
    }
}
