//! What is asked of a text or of the calendar? How many words it has, which headings, how far
//! it is to a day: one tool for it, known by what its schema takes and gives.

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::{Builder, Feed, Stage};
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::Place;
use crate::catalogue::ports::{Role, terms};
use crate::generate::assembly::Part;
use crate::request::conditions::{Condition, Counted, Picked, Told, Unit};

impl Builder<'_> {
    /// How many words or lines a text has.
    pub(super) fn count_text(&mut self) -> Option<()> {
        let (said, counted) =
            self.conditions
                .iter()
                .enumerate()
                .find_map(|(at, said)| match said.condition {
                    Condition::Count(counted) => Some((at, counted)),
                    _ => None,
                })?;
        let word = match counted {
            Counted::Words => "words",
            Counted::Lines => "lines",
            Counted::Characters => "characters",
            Counted::Sentences => "sentences",
            Counted::Paragraphs => "paragraphs",
            Counted::Rows
            | Counted::Columns
            | Counted::Files
            | Counted::Matches
            | Counted::Times => return None,
        };
        let text = self.only_text(true)?;
        let counter = |is_counter: &dyn Fn(&str) -> bool| {
            self.find_tool(|tool, ports| {
                let mut needed = ports.needed();
                let text = needed.next().filter(|port| port.role == Role::Text)?;
                let alone = needed.next().is_none();
                let mut counts = ports.outputs.iter();
                let counts = counts.any(|port| port.kind == Kind::Integer && port.name == word);
                let fits = alone && counts && is_counter(tool.id.name());
                fits.then(|| text.name.clone())
            })
        };
        // Others count in passing, and in their own way.
        let is_called = |name: &str| {
            let name = terms(name);
            ["stats", "count"]
                .iter()
                .any(|word| name.contains(&stem(word)))
        };
        let (place, port) = counter(&is_called).or_else(|| counter(&|_| true))?;
        let mut stage = Stage::new(place, Part::Core);
        stage.said.push((port.clone(), said));
        stage.feeds.push((port, Feed::One(text)));
        let counts = self.push(stage);
        self.tell(counts, format!(".{word}"))
    }

    /// Lines of a text, by their place.
    pub(super) fn lines(&mut self, said: usize, from: Option<i64>, to: Option<i64>) -> Option<()> {
        let text = self.only_text(false)?;
        let place = |at: Option<i64>| at.map(|at| at.to_string()).unwrap_or_default();
        let slice = format!("[{}:{}]", place(from), place(to));
        let told = self.give(Feed::Lines(text, slice))?;
        let stage = self.stages.get_mut(told)?;
        let parameter = stage.feeds.first().map(|(name, _)| name.clone())?;
        stage.part = Part::Core;
        stage.said.push((parameter, said));
        Some(())
    }

    /// The text of the one file or page that is named; of a page what is read on it, or as it
    /// is written.
    fn only_text(&mut self, as_read: bool) -> Option<usize> {
        let files = self.files();
        let [(at, _)] = files.as_slice() else {
            return None;
        };
        let text = self.text_of(*at)?;
        let is_page = self.stages.get(text).is_some_and(|stage| stage.is_page);
        if is_page && as_read {
            return self.read_page(text);
        }
        Some(text)
    }

    /// What a person reads on a page.
    fn read_page(&mut self, page: usize) -> Option<usize> {
        let found = self.find_tool(|tool, ports| {
            let html = ports.inputs.iter().find(|port| port.name == "html")?;
            let free = ports.needed().all(|port| port.at == html.at);
            let text = ports
                .outputs
                .iter()
                .find(|port| port.role == Role::Text && port.name == "text")?;
            let reads = super::stages::speaks_of(&tool.description, &["text"]);
            (free && reads).then(|| (html.name.clone(), text.name.clone()))
        });
        let (place, (html, gives)) = found?;
        let mut stage = Stage::new(place, Part::Gap);
        stage.feeds.push((html, Feed::One(page)));
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// Headings or addresses in a text.
    pub(super) fn pick(&mut self, said: usize, picked: Picked) -> Option<()> {
        let (list, kind) = match picked {
            Picked::Headings => ("headings", None),
            Picked::Emails => ("entities", Some("email")),
            Picked::Phones => ("entities", Some("phone")),
        };
        let text = self.only_text(kind.is_some())?;
        let found = self.find_tool(|tool, ports| {
            let mut needed = ports.needed();
            let text = needed.next().filter(|port| port.role == Role::Text)?;
            let alone = needed.next().is_none();
            let gives = ports
                .outputs
                .iter()
                .find(|port| port.kind == Kind::List && port.name == list)?;
            let mut fields = Shape::of(&tool.input_schema).fields();
            let kinds = fields.find_map(|(name, field)| {
                let items = field.list_items().flatten()?;
                let takes = items.choices().contains(&&json!(kind?));
                takes.then(|| name.to_owned())
            });
            let told = kind.is_none() || kinds.is_some();
            (alone && told).then(|| (text.name.clone(), kinds, gives.name.clone()))
        });
        let (place, (port, kinds, gives)) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.said.push((port.clone(), said));
        stage.feeds.push((port, Feed::One(text)));
        if let (Some(parameter), Some(kind)) = (kinds, kind) {
            stage.arguments.insert(parameter.clone(), json!([kind]));
            stage.said.push((parameter, said));
        }
        stage.gives = gives;
        self.push(stage);
        Some(())
    }

    /// What is asked of the calendar.
    pub(super) fn calendar(&mut self, said: usize) -> Option<()> {
        let (inputs, output): (Vec<(&str, Option<Value>)>, &str) = match self.condition(said)? {
            Condition::Between { from, to, unit } => {
                let day = |day: &Option<String>| day.as_ref().map(|day| json!(day));
                (vec![("from", day(from)), ("to", day(to))], name(*unit))
            }
            Condition::Day { date, what } => {
                let date = date.as_ref().map(|day| json!(day));
                (vec![("date", date)], told(*what))
            }
            Condition::Shift { date, by, what } => {
                let date = date.as_ref().map(|day| json!(day));
                let by = by.iter().map(|(unit, by)| (name(*unit), Some(json!(by))));
                let inputs = std::iter::once(("date", date)).chain(by);
                (inputs.collect(), told(*what))
            }
            _ => return None,
        };
        let (place, ()) = self.dated(&inputs, output)?;
        let mut stage = Stage::new(place, Part::Core);
        for (parameter, value) in inputs {
            if let Some(value) = value {
                stage.arguments.insert(parameter.to_owned(), value);
                stage.said.push((parameter.to_owned(), said));
            }
        }
        let answers = self.push(stage);
        self.tell(answers, format!(".{output}"))
    }

    /// What an address answers with, by asking for nothing else.
    pub(super) fn reached(&mut self, said: usize, url: &str) -> Option<()> {
        let found = self.find_tool(|tool, ports| {
            let mut needed = ports.needed();
            let address = needed.next().filter(|port| port.role == Role::Address)?;
            let alone = needed.next().is_none();
            let status = ports.output("status")?;
            let tells = status.required && status.kind == Kind::Integer;
            let method = Shape::of(&tool.input_schema).field("method")?;
            let asks = method.choices().contains(&&json!("HEAD"));
            (alone && tells && asks).then(|| address.name.clone())
        });
        let (place, address) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.said.push((address.clone(), said));
        stage.arguments.insert(address, json!(url));
        stage.arguments.insert("method".to_owned(), json!("HEAD"));
        stage.said.push(("method".to_owned(), said));
        let answers = self.push(stage);
        self.tell(answers, ".status".to_owned())
    }

    /// How often a word or a text stands in a file: the matches of a pattern are counted.
    pub(super) fn times(&mut self) -> Option<()> {
        let (said, wanted) =
            self.conditions
                .iter()
                .enumerate()
                .find_map(|(at, said)| match &said.condition {
                    Condition::Find { text, .. } => Some((at, text)),
                    _ => None,
                })?;
        let (file, _) = *self.files().first()?;
        let mut words = self.ground.analysis.request.split_whitespace();
        let word = words.any(|word| word.eq_ignore_ascii_case("word"));
        let text = self.text_of(file)?;
        let found = self.find_tool(|_, ports| {
            let text = ports.needed().find(|port| port.role == Role::Text)?;
            let pattern = ports.needed().find(|port| port.name == "pattern")?;
            let count = ports.output("count").filter(|port| port.required)?;
            let folds = ports
                .inputs
                .iter()
                .find(|port| port.name == "ignore_case")?;
            let alone = ports.needed().count() == 2;
            alone.then(|| {
                let names = [text, pattern, folds, count];
                names.map(|port| port.name.clone())
            })
        });
        let (place, [port, pattern, folds, count]) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.arguments = self.widest(place);
        stage.feeds.push((port, Feed::One(text)));
        stage
            .arguments
            .insert(pattern.clone(), json!(pattern_of(wanted, word)));
        stage.said.push((pattern, said));
        // Who writes no capitals does not care for them.
        if !wanted.contains(char::is_uppercase) {
            stage.arguments.insert(folds, json!(true));
        }
        let matches = self.push(stage);
        self.tell(matches, format!(".{count}"))
    }

    /// The tool that takes these and gives that.
    fn dated(&self, inputs: &[(&str, Option<Value>)], output: &str) -> Option<(Place, ())> {
        self.find_tool(|tool, ports| {
            let takes = |name: &str| ports.inputs.iter().any(|port| port.name == name);
            let gives = ports.outputs.iter().any(|port| port.name == output);
            let free = ports.needed().all(|port| {
                inputs
                    .iter()
                    .any(|(name, value)| *name == port.name && value.is_some())
            });
            let about = super::stages::speaks_of(&tool.description, &["date", "day"]);
            let fits = inputs.iter().all(|(name, _)| takes(name)) && gives && free && about;
            // One that does more than look at a day is for who says so.
            let moves = ports.inputs.iter().any(|port| port.name == "days");
            let fits = fits && (!moves || inputs.len() > 1);
            fits.then_some(())
        })
    }
}

fn told(what: Told) -> &'static str {
    match what {
        Told::Date => "date",
        Told::Weekday => "weekday",
        Told::LeapYear => "leap_year",
    }
}

fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Days => "days",
        Unit::Weeks => "weeks",
        Unit::Months => "months",
        Unit::Years => "years",
    }
}

/// A pattern for a text, which as a word is no part of a longer one.
fn pattern_of(text: &str, word: bool) -> String {
    let mut pattern = String::new();
    let is_word = |letter: Option<char>| word && letter.is_some_and(char::is_alphanumeric);
    if is_word(text.chars().next()) {
        pattern.push_str(r"\b");
    }
    for letter in text.chars() {
        if letter.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    if is_word(text.chars().next_back()) {
        pattern.push_str(r"\b");
    }
    pattern
}
