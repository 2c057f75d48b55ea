//! Which words are columns of the tables that are named, and which are values in them? Asked
//! only where the tables were looked at; a word that is neither is then not understood.

use super::super::surroundings::{Column, Holds, Surroundings, plain, singular};
use super::super::verbs::is_verb;
use super::compare::opposite;
use super::leftovers::says_nothing;
use super::phrases::{ARTICLES, Reader, same};
use super::tokens::{Kind, Token};
use super::{Comparison, Condition, Keep, Said};

/// Words that a name or a value is made of at most.
const WORDS: usize = 5;

/// The columns of the tables that are named.
#[derive(Default)]
pub(super) struct Known<'t> {
    columns: Vec<&'t Column>,
    pub(super) folders: Vec<&'t str>,
    /// The columns that more than one table has.
    pub(super) shared: Vec<&'t str>,
    pub(super) tables: usize,
    /// The files with the columns of each.
    files: Vec<(&'t str, Vec<&'t Column>)>,
}

impl<'t> Known<'t> {
    pub(super) fn of(surroundings: &'t Surroundings) -> Self {
        let mut known = Self {
            folders: surroundings.folders.iter().map(String::as_str).collect(),
            tables: surroundings.tables.len(),
            files: surroundings
                .tables
                .iter()
                .map(|table| (table.file.as_str(), table.columns.iter().collect()))
                .collect(),
            ..Self::default()
        };
        for column in surroundings.tables.iter().flat_map(|table| &table.columns) {
            let is_same = |own: &&&Column| plain(&own.name) == plain(&column.name);
            match known.columns.iter().find(is_same) {
                Some(own) => known.shared.push(&own.name),
                None => known.columns.push(column),
            }
        }
        known
    }

    pub(super) fn is_known(&self) -> bool {
        !self.columns.is_empty()
    }

    /// All columns of one table with some of another, which the one must not have.
    pub(super) fn with_columns(
        &self,
        gaining: &str,
        giving: &str,
        columns: &[String],
    ) -> Option<Vec<String>> {
        let of = |file: &str| {
            let found = self.files.iter().find(|(own, _)| *own == file);
            found.map(|(_, columns)| columns)
        };
        let has = |all: &[&Column], name: &String| {
            all.iter().any(|column| plain(&column.name) == plain(name))
        };
        let (own, others) = (of(gaining)?, of(giving)?);
        let fits = |name: &String| has(others, name) && !has(own, name);
        let own = own.iter().map(|column| column.name.clone());
        columns
            .iter()
            .all(fits)
            .then(|| own.chain(columns.iter().cloned()).collect())
    }

    pub(super) fn has_table(&self, file: &str) -> bool {
        self.files.iter().any(|(own, _)| *own == file)
    }

    pub(super) fn is_folder(&self, word: &str) -> bool {
        let bare = word.trim_end_matches('/');
        self.folders
            .iter()
            .any(|own| own.trim_end_matches('/') == bare)
    }

    /// The only column of its sort.
    pub(super) fn only(&self, is_one: impl Fn(&Column) -> bool) -> Option<&'t Column> {
        let mut fitting = self.columns.iter().copied().filter(|column| is_one(column));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    pub(super) fn measure(&self) -> Option<String> {
        self.only(Column::is_measure)
            .map(|column| column.name.clone())
    }

    /// The column that is meant where money or the size of a row is spoken of: the only one
    /// that can be added up, or the only one of these that is called like money.
    pub(super) fn worth(&self) -> Option<String> {
        let money = || self.only(|column| column.is_measure() && column.is_money());
        self.measure()
            .or_else(|| money().map(|column| column.name.clone()))
    }

    /// The first of these columns that there is: called so, or the only one with the word in
    /// its name.
    pub(super) fn first_of(&self, names: &[&str]) -> Option<&'t Column> {
        let has_word = |column: &Column, wanted: &str| {
            let name = column.name.to_lowercase();
            let mut words = name.split(|letter: char| !letter.is_alphanumeric());
            words.any(|word| word == wanted)
        };
        let mut names = names.iter();
        names.find_map(|name| {
            let own = self.column(name);
            own.or_else(|| self.only(|column| has_word(column, name)))
        })
    }

    /// What the rows of a table are told apart by in a table beside it, where they are called
    /// by this word: the column that both have, and the name.
    pub(super) fn told_apart(&self, word: &str) -> Option<Vec<String>> {
        let [key] = self.shared.as_slice() else {
            return None;
        };
        let is_called = |file: &str| {
            let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
            let stem = name.split('.').next().unwrap_or_default();
            same(stem, word)
        };
        let (_, columns) = self.files.iter().find(|(file, _)| is_called(file))?;
        let mut keys = vec![(*key).to_owned()];
        let mut people = columns.iter().filter(|column| column.is_person());
        let person = people.next().filter(|_| people.next().is_none());
        keys.extend(person.map(|column| column.name.clone()));
        Some(keys)
    }

    pub(super) fn date(&self) -> Option<&'t Column> {
        self.only(|column| column.holds == Holds::Dates)
    }

    /// The column of this name: the very one, or the only one nearly called so.
    pub(super) fn column(&self, name: &str) -> Option<&'t Column> {
        let wanted = plain(name);
        if wanted.is_empty() {
            return None;
        }
        self.only(|column| column.name == name)
            .or_else(|| self.only(|column| plain(&column.name) == wanted))
            .or_else(|| self.only(|column| singular(&plain(&column.name)) == singular(&wanted)))
    }

    /// The columns that hold a value, and how it is written there.
    fn holding(&self, said: &str) -> Vec<(&'t Column, &'t str)> {
        let said = said.to_lowercase();
        let one = singular(&said);
        let holds = |wanted: &str| {
            let texts = self.columns.iter().copied();
            let texts = texts.filter(|column| column.holds == Holds::Texts);
            let found = texts.filter_map(|column| {
                let value = column
                    .values
                    .iter()
                    .find(|own| own.to_lowercase() == wanted);
                value.map(|value| (column, value.as_str()))
            });
            found.collect::<Vec<_>>()
        };
        let exact = holds(&said);
        if exact.is_empty() && one != said {
            return holds(&one);
        }
        exact
    }
}

impl<'t> Reader<'t> {
    /// The column whose name stands at a place, and how many words it takes.
    pub(super) fn column_at(&self, at: usize) -> Option<(&'t Column, usize)> {
        (1..=WORDS).rev().find_map(|count| {
            let name = self.said(at, count)?;
            let column = self.known.column(&name);
            let column = column.or_else(|| self.numbered(at, &name).filter(|_| count == 1));
            column.map(|column| (column, count))
        })
    }

    /// "customer" of a table that has a `customer_id`.
    fn numbered(&self, at: usize, word: &str) -> Option<&'t Column> {
        let next = self.said(at + 1, 1);
        let leads_on = next.is_some_and(|next| self.known.column(&next).is_some());
        let is_id = |column: &Column| plain(&column.name) == format!("{}id", singular(word));
        let found = self.known.only(is_id).filter(|_| word.len() > 2);
        found.filter(|_| !leads_on && !self.is_row(&word.to_lowercase()))
    }

    /// The value that stands at a place, with its column and how many words it takes.
    pub(super) fn value_at(&self, at: usize) -> Option<(&'t Column, &'t str, usize)> {
        let token = self.token(at)?;
        // "new" only means the new ones where it stands before them, and "open" at the
        // beginning of a sentence mostly means to open something.
        let next = self.token(at + 1);
        let before_rows = next.is_some_and(|next| {
            next.kind == Kind::Word && (self.is_row(&next.word) || next.is(&["or"]))
        });
        let leads = self.begins_part(at) && is_verb(&token.word);
        // The department IT is not the word "it".
        let shouts = token.raw.chars().skip(1).any(char::is_uppercase);
        let is_plain = match token.kind {
            Kind::Word => (says_nothing(&token.word) || leads) && !before_rows && !shouts,
            Kind::Number(_) => true,
            _ => false,
        };
        (1..=WORDS).rev().find_map(|count| {
            if count == 1 && is_plain {
                return None;
            }
            let said = self.said(at, count)?;
            let mut holding = self.known.holding(&said);
            if holding.is_empty() {
                let owner = said.strip_suffix("'s").or_else(|| said.strip_suffix("’s"));
                holding = owner
                    .map(|owner| self.known.holding(owner))
                    .unwrap_or_default();
            }
            match holding.as_slice() {
                [(column, value)] => Some((*column, *value, count)),
                _ => None,
            }
        })
    }

    /// Whether a word is the first of what is said, or of what is said next.
    fn begins_part(&self, at: usize) -> bool {
        const JOINS: [&str; 4] = ["and", "then", "please", "also"];
        let before = at.checked_sub(1).and_then(|at| self.token(at));
        before.is_none_or(|before| {
            matches!(before.kind, Kind::Comma | Kind::Stop) || before.is(&JOINS)
        })
    }

    /// Words that stand together, as written.
    fn said(&self, at: usize, count: usize) -> Option<String> {
        let mut words: Vec<&str> = Vec::new();
        for place in at..at + count {
            let token = self.token(place)?;
            let is_part = match token.kind {
                Kind::Word | Kind::Number(_) => true,
                Kind::Quoted => count == 1,
                _ => false,
            };
            if !is_part {
                return None;
            }
            words.push(&token.raw);
        }
        Some(words.join(" "))
    }

    /// A column of the tables that are named; values before it say which rows are meant:
    /// the paid ones in "total paid amount".
    pub(super) fn known_column(&mut self) -> Option<String> {
        let before = self.at;
        self.eat_any(&ARTICLES);
        self.eat(&["column", "columns", "field", "values", "value"]);
        self.eat(&["of", "called", "named"]);
        self.eat_any(&ARTICLES);
        let start = self.at;
        let is_row = |token: &Token| {
            let owner = token.word.strip_suffix("'s");
            self.is_row(owner.unwrap_or(&token.word))
        };
        // "order amount" of orders.csv is its amount.
        let leads = self.column_at(start).is_none() && self.now().is_some_and(is_row);
        let mut at = start + usize::from(leads);
        let mut values: Vec<(usize, usize)> = Vec::new();
        while self.column_at(at).is_none()
            && let Some((_, _, count)) = self.value_at(at)
        {
            values.push((at, count));
            at += count;
        }
        if let Some((column, count)) = self.column_at(at) {
            for (place, _) in values {
                self.at = place;
                self.valued();
            }
            self.at = at + count;
            self.eat(&["column", "columns", "field"]);
            return Some(column.name.clone());
        }
        let quoted = self.token(start).filter(|token| token.kind == Kind::Quoted);
        if let Some(token) = quoted {
            self.at = start + 1;
            return Some(token.raw.clone());
        }
        self.at = before;
        None
    }

    /// "paid", "open or cancelled", "not paid", "North region", "customer Alice": rows are
    /// meant that hold these.
    pub(super) fn valued(&mut self) -> bool {
        let from = self.at;
        let Some((column, first, count)) = self.value_at(from) else {
            return false;
        };
        let mut values = vec![first.to_owned()];
        self.at = from + count;
        loop {
            let end = self.at;
            let is_comma = self.now().is_some_and(|token| token.kind == Kind::Comma);
            self.at += usize::from(is_comma);
            let joined = self.eat(&["or", "and"]) || is_comma;
            self.eat_any(&ARTICLES);
            match self.value_at(self.at).filter(|_| joined) {
                Some((other, value, count)) if other.name == column.name => {
                    values.push(value.to_owned());
                    self.at += count;
                }
                _ => {
                    self.at = end;
                    break;
                }
            }
        }
        // The name of the column says nothing more.
        if let Some((own, count)) = self.column_at(self.at)
            && own.name == column.name
        {
            self.at += count;
        }
        let begin = self.column_before(from, column).unwrap_or(from);
        let denied = self.is_denied(begin);
        for keep in kept(&column.name, values, denied.is_some()) {
            self.say(Condition::Keep(keep), begin);
        }
        if let Some(denied) = denied {
            self.mark(denied, begin);
        }
        true
    }

    /// "region" in "region North".
    fn column_before(&self, from: usize, column: &Column) -> Option<usize> {
        (1..=WORDS).find_map(|count| {
            let at = from.checked_sub(count)?;
            let (own, words) = self.column_at(at)?;
            (own.name == column.name && words == count && !self.was_read(at)).then_some(at)
        })
    }

    /// Turns what was said from a place on into what is left without it.
    pub(super) fn turn_round(&mut self, from: usize) {
        let kept = self.found.get_mut(from..).unwrap_or_default();
        if let [
            Said {
                condition: Condition::Keep(keep),
                ..
            },
        ] = kept
            && let Some(other) = opposite(keep.comparison)
        {
            keep.comparison = other;
        } else {
            self.unclear = true;
        }
    }

    /// Values that stand here, by their places; goes on past them.
    pub(super) fn values_ahead(&mut self) -> Vec<usize> {
        let mut values = Vec::new();
        while self.column_at(self.at).is_none()
            && let Some((_, _, count)) = self.value_at(self.at)
        {
            if values.is_empty() || !self.is(self.at.saturating_sub(1), &["or", "and"]) {
                values.push(self.at);
            }
            self.at += count;
            let more = self.is(self.at, &["or", "and"]) && self.value_at(self.at + 1).is_some();
            self.at += usize::from(more);
        }
        values
    }

    pub(super) fn adds_up(&self, column: &str) -> bool {
        self.known.column(column).is_some_and(Column::adds_up)
    }

    /// Where it is said that those are not meant.
    pub(super) fn is_denied(&self, from: usize) -> Option<usize> {
        const DENIES: [&str; 9] = [
            "not",
            "except",
            "excluding",
            "without",
            "isn't",
            "aren't",
            "exclude",
            "no",
            "omit",
        ];
        const REMOVES: [&str; 6] = ["remove", "drop", "delete", "discard", "omit", "exclude"];
        let mut at = from;
        while let Some(before) = at.checked_sub(1) {
            let passes = self.is(before, &ARTICLES)
                || self.is(
                    before,
                    &["for", "the", "those", "of", "rows", "with", "in", "from"],
                )
                || self
                    .token(before)
                    .is_some_and(|token| token.kind == Kind::File || self.is_row(&token.word));
            if self.is(before, &DENIES) || self.is(before, &REMOVES) {
                return Some(before);
            }
            let all = self.is(
                before.wrapping_sub(1),
                &["all", "everything", "everyone", "anything"],
            );
            if self.is(before, &["but"]) && all {
                return Some(before - 1);
            }
            if self.is(before, &["than"]) && self.is(before.saturating_sub(1), &["other"]) {
                return Some(before - 1);
            }
            if !passes {
                return None;
            }
            at = before;
        }
        None
    }
}

/// Rows that hold one of the values, or none of them.
fn kept(column: &str, mut values: Vec<String>, denied: bool) -> Vec<Keep> {
    let keep = |comparison: Comparison, value: serde_json::Value| Keep {
        column: column.to_owned(),
        comparison,
        value,
        or: false,
    };
    if denied {
        let others = values.into_iter();
        return others
            .map(|value| keep(Comparison::Other, value.into()))
            .collect();
    }
    match values.pop() {
        Some(only) if values.is_empty() => vec![keep(Comparison::Equal, only.into())],
        Some(last) => {
            values.push(last);
            vec![keep(Comparison::OneOf, values.into())]
        }
        None => Vec::new(),
    }
}
