//! What does a parameter want? Its kind from the schema, its sort from its name, its
//! format and what is said about it.

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_search::words::each_word;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::ports::terms;
use super::shape::{Kind, Shape};
use crate::lexicon::lists::{List, Pairs};

/// A parameter of the tool that is to be called.
#[derive(Debug)]
pub struct Parameter<'a> {
    pub name: &'a str,
    pub shape: Shape<'a>,
    pub required: bool,
    /// Required, or what a tool that requires nothing is called for.
    pub expected: bool,
    pub kind: Kind,
    pub wants: Wants,
    /// The words of its name, in lower case.
    pub words: Vec<String>,
    pub stems: Vec<String>,
    /// What is said about it, in lower case.
    pub description: String,
    pub choices: Vec<&'a Value>,
    /// How many parameters of the same sort stand before it.
    pub order: usize,
    /// The tool writes what it is given.
    pub written: bool,
    pattern: Option<Regex>,
}

/// Requests are read in this language, and answered in it unless they name another.
const LANGUAGE: &str = "en";

/// The sort of value that a name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    Date,
    Time,
    Email,
    Url,
    Path,
    Phone,
    Id,
    Place,
    Money,
    /// Words in general: something to look for, a title, a text.
    Words,
    Anything,
}

impl Wants {
    /// Only values of their own sort serve.
    pub fn is_strict(self) -> bool {
        use Wants::{Date, Email, Path, Phone, Time, Url};
        matches!(self, Date | Time | Email | Url | Path | Phone)
    }
}

/// Names of parameters and what they ask for; no word stands in two lists.
static NAMES: [(Wants, List); 10] = [
    (Wants::Email, List::named("parameter_names.email")),
    (Wants::Url, List::named("parameter_names.url")),
    (Wants::Path, List::named("parameter_names.path")),
    (Wants::Phone, List::named("parameter_names.phone")),
    (Wants::Date, List::named("parameter_names.date")),
    (Wants::Id, List::named("parameter_names.id")),
    (Wants::Time, List::named("parameter_names.time")),
    (Wants::Place, List::named("parameter_names.place")),
    (Wants::Money, List::named("parameter_names.money")),
    (Wants::Words, List::named("parameter_names.words")),
];

impl<'a> Parameter<'a> {
    pub fn new(name: &'a str, shape: Shape<'a>, required: bool) -> Self {
        const SAID_AT_MOST: usize = 400;
        let mut words = Vec::new();
        each_word(name, |word| words.push(word.to_owned()));
        let description = shape.text("description");
        let description: String = description.chars().take(SAID_AT_MOST).collect();
        let description = description.to_lowercase();
        let kind = shape.kind();
        Self {
            name,
            shape,
            required,
            expected: required,
            kind,
            wants: wants(&words, kind, shape, &description),
            stems: terms(name),
            words,
            description,
            choices: shape.choices(),
            order: 0,
            written: false,
            pattern: pattern(shape),
        }
    }

    /// The parameters of a tool, as declared.
    pub fn of_tool(tool: &'a ToolSpec) -> Vec<Self> {
        static WRITES: List = List::named("bind_parameter.writes");
        let mut parameters = Self::of_schema(Shape::of(&tool.input_schema));
        let is_called = terms(tool.id.name());
        let stems = WRITES.iter().map(|word| holloway_search::words::stem(word));
        let written =
            tool.effect != Effect::Read && stems.into_iter().any(|stem| is_called.contains(&stem));
        for parameter in &mut parameters {
            parameter.written = written;
        }
        parameters
    }

    /// The parameters of a schema, as declared there.
    pub fn of_schema(schema: Shape<'a>) -> Vec<Self> {
        const MANY: usize = 60;
        let mut parameters: Vec<Self> = Vec::new();
        let form = schema.forms().first().copied().unwrap_or(schema);
        for (name, shape) in form.fields().take(MANY) {
            let mut parameter = Self::new(name, shape, form.is_required(name));
            let same =
                |other: &&Self| (other.wants, other.kind) == (parameter.wants, parameter.kind);
            parameter.order = parameters.iter().filter(same).count();
            parameters.push(parameter);
        }
        if form.required().next().is_none()
            && let Some(first) = parameters.first_mut()
        {
            first.expected = first.is_looked_for();
        }
        parameters
    }

    /// Does it say what to look for, and nothing else does so for it?
    fn is_looked_for(&self) -> bool {
        static QUERIES: List = List::named("bind_parameter.queries");
        let says_query = |word: &String| QUERIES.contains(&word.as_str());
        let is_free = matches!(self.kind, Kind::Text | Kind::Any) && !self.is_settled();
        is_free
            && (matches!(self.wants, Wants::Id | Wants::Url) || self.words.iter().any(says_query))
    }

    /// What goes without saying: the first page, all from the start, an answer in the
    /// language of the request. Not where the tool itself says what it takes.
    pub fn usual(&self) -> Option<Value> {
        static STARTS: Pairs = Pairs::named("bind_parameter.starts");
        static LANGUAGES: List = List::named("bind_parameter.languages");
        // Some count their pages from nothing.
        static FROM_ZERO: List = List::named("bind_parameter.from_zero");
        let name = self.words.join(" ");
        if LANGUAGES.contains(&name.as_str()) && self.is_language_of_answer() {
            return Some(Value::from(LANGUAGE));
        }
        let number: u32 = STARTS.of(&name)?.parse().ok()?;
        let counts_from_zero = self.says(&FROM_ZERO);
        match self.kind {
            _ if self.is_settled() || counts_from_zero => None,
            Kind::Integer | Kind::Number | Kind::Any => Some(Value::from(number)),
            Kind::Text => Some(Value::from(number.to_string())),
            _ => None,
        }
    }

    fn is_language_of_answer(&self) -> bool {
        static ANSWERS: List = List::named("bind_parameter.answers");
        let (_, rest) = self
            .description
            .split_once("language of the ")
            .unwrap_or_default();
        let of_answer = ANSWERS.iter().any(|answer| rest.starts_with(answer));
        of_answer && matches!(self.kind, Kind::Text | Kind::Any) && !self.is_settled()
    }

    /// The tool itself says what it takes when nothing is given, or what it can take at all.
    fn is_settled(&self) -> bool {
        !self.choices.is_empty()
            || self.shape.word("default").is_some()
            || self.description.contains("default")
    }

    /// Does the value satisfy the schema?
    pub fn admits(&self, value: &Value) -> bool {
        let fits = |pattern: &Regex| value.as_str().is_none_or(|text| pattern.is_match(text));
        self.pattern.as_ref().is_none_or(fits) && self.shape.admits(value)
    }

    /// Names of other parameters that must not be given together with this one.
    pub fn excludes(&self) -> impl Iterator<Item = &str> {
        static CUES: List = List::named("bind_parameter.cues");
        let excludes = self.says(&CUES);
        let quoted = self.description.split('`').skip(1).step_by(2);
        quoted.filter(move |_| excludes)
    }

    /// Whether one of these stands in its name.
    pub fn is_called(&self, words: &[&str]) -> bool {
        let mut own = self.words.iter();
        own.any(|word| words.contains(&word.as_str()))
    }

    /// Whether its name ends in one of these.
    pub fn ends_in(&self, words: &[&str]) -> bool {
        let last = self.words.last();
        last.is_some_and(|last| words.contains(&last.as_str()))
    }

    /// Whether what is said about it has one of these.
    pub fn says(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.description.contains(text))
    }

    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Number)
    }
}

fn wants(words: &[String], kind: Kind, shape: Shape<'_>, description: &str) -> Wants {
    match shape.text("format") {
        "date" | "date-time" => return Wants::Date,
        "time" => return Wants::Time,
        "email" => return Wants::Email,
        "uri" | "url" => return Wants::Url,
        _ => {}
    }
    if matches!(kind, Kind::Boolean | Kind::Object) {
        return Wants::Anything;
    }
    let said = by_words(words);
    let is_number = matches!(kind, Kind::Integer | Kind::Number);
    match said {
        Some(Wants::Money) => Wants::Money,
        Some(Wants::Id) if is_number => Wants::Id,
        // "days: how many" is no date.
        Some(_) if is_number => Wants::Anything,
        Some(Wants::Words | Wants::Place) | None if description.contains("yyyy-mm-dd") => {
            Wants::Date
        }
        Some(wants) => wants,
        None if is_number => Wants::Anything,
        None if words.iter().any(|word| word == "number") && description.contains("phone") => {
            Wants::Phone
        }
        None => by_description(description).unwrap_or(Wants::Anything),
    }
}

/// What is said about a parameter whose name says nothing.
fn by_description(description: &str) -> Option<Wants> {
    static SAID: [(Wants, List); 4] = [
        (Wants::Email, List::named("parameter_names.says_email")),
        (Wants::Phone, List::named("parameter_names.says_phone")),
        (Wants::Url, List::named("parameter_names.says_url")),
        (Wants::Path, List::named("parameter_names.says_path")),
    ];
    let speaks = |(_, texts): &&(Wants, List)| texts.iter().any(|text| description.contains(text));
    SAID.iter().find(speaks).map(|(wants, _)| *wants)
}

/// The last word of a name says what it is: `filePath`, `start_date`, `emailSubject`.
pub fn by_words(words: &[String]) -> Option<Wants> {
    let by_word = |word: &String| {
        let fits = |(_, names): &&(Wants, List)| names.contains(&word.as_str());
        NAMES.iter().find(fits).map(|(wants, _)| *wants)
    };
    words.iter().rev().find_map(by_word)
}

/// Read once for all candidates; one that cannot be read, or is long, says nothing.
fn pattern(shape: Shape<'_>) -> Option<Regex> {
    const LONG: usize = 200;
    let [form] = shape.forms()[..] else {
        return None;
    };
    let pattern = form.text("pattern");
    if pattern.is_empty() || pattern.len() > LONG {
        return None;
    }
    RegexBuilder::new(pattern).size_limit(1 << 18).build().ok()
}
