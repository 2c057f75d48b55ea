//! Which steps give a text? Files are read, and what is asked for is made of them: of one, of
//! several that are named, or of each of a folder in a loop.

use serde_json::{Value as Json, json};

use super::{Call, Layer};
use crate::generate::assembly::{Each, Part};
use crate::request::texts::{Making, Source, Unit, Value};

/// Where in the plan a text is.
#[derive(Clone, Debug)]
pub(super) enum Text {
    /// An expression.
    One { expression: String, is_part: bool },
    /// Several, each with the name of its file.
    Several(Vec<(String, Text)>),
    /// One for each of some rows: the list of results, and the field that has it.
    Each {
        rows: String,
        list: String,
        field: String,
        is_part: bool,
    },
}

impl Text {
    fn one(expression: String) -> Self {
        Self::One {
            expression,
            is_part: false,
        }
    }

    /// Only a part of what a step gives.
    pub(super) fn part(expression: String) -> Self {
        Self::One {
            expression,
            is_part: true,
        }
    }

    /// The text as a template.
    pub(super) fn whole(&self) -> String {
        match self {
            Self::One { expression, .. } => format!("{{{{ {expression} }}}}"),
            Self::Several(texts) => {
                let lines = texts
                    .iter()
                    .map(|(name, text)| format!("{name}: {}", text.whole()));
                lines.collect::<Vec<_>>().join("\n")
            }
            Self::Each {
                rows, list, field, ..
            } => format!(
                "{{% for one in {list} %}}{{{{ {rows}[loop.index0].path }}}}: {{{{ one.{field} }}}}\n{{% endfor %}}"
            ),
        }
    }

    /// Whether it is only a part of what a step gives, or of several steps, so that showing it
    /// takes one of its own.
    pub(super) fn is_told_apart(&self) -> bool {
        match self {
            Self::One { is_part, .. } | Self::Each { is_part, .. } => *is_part,
            Self::Several(_) => true,
        }
    }

    /// All texts as a list, as an argument.
    fn list(&self) -> Json {
        match self {
            Self::One { expression, .. } => json!([format!("{{{{ {expression} }}}}")]),
            Self::Several(texts) => texts.iter().map(|(_, text)| json!(text.whole())).collect(),
            Self::Each { list, field, .. } => {
                json!(format!(
                    "{{{{ {list} | map(attribute='{field}') | list }}}}"
                ))
            }
        }
    }
}

impl Layer<'_, '_> {
    /// A text, with the steps that it takes.
    pub(super) fn text(&mut self, value: &Value) -> Option<Text> {
        let known = self.known.iter().find(|(own, _)| own == value);
        if let Some((_, text)) = known {
            return Some(text.clone());
        }
        let text = match value {
            Value::Quoted(at) => self.quoted(*at),
            Value::Of(Source::Files(files)) => self.files(files),
            Value::Of(Source::Each(folder)) => {
                let rows = self.folder(folder)?;
                self.read_each(rows)
            }
            Value::Made(Making::Joined, of) => self.joined(of),
            Value::Made(making, of) => {
                let of = self.text(of)?;
                self.made(*making, &of)
            }
            Value::Changes(one, other) => self.changes(*one, *other),
            Value::Likeness(one, other) => self.likeness(*one, *other),
            Value::Page(at, form) => self.page(*at, *form),
        }?;
        self.known.push((value.clone(), text.clone()));
        Some(text)
    }

    /// Quoted words become an input of the plan.
    fn quoted(&mut self, at: usize) -> Option<Text> {
        let words = self.plan.ground.analysis.entities.get(at)?.value.clone();
        let words = words.as_str()?;
        let name = self.plan.inputs.ask(crate::generate::inputs::Wish {
            name: "content",
            shape: None,
            default: Some(json!(words)),
            step: "file",
        });
        self.plan.reserved.insert(at);
        Some(Text::one(format!("input.{name}")))
    }

    fn files(&mut self, files: &[usize]) -> Option<Text> {
        if let [only] = files {
            return self.read(*only);
        }
        let mut texts = Vec::new();
        for file in files {
            let name = self.plan.ground.analysis.entities.get(*file)?.text.clone();
            let text = self.text(&Value::Of(Source::Files(vec![*file])))?;
            texts.push((name, text));
        }
        Some(Text::Several(texts))
    }

    fn read(&mut self, file: usize) -> Option<Text> {
        let (place, port, gives) = self.reader()?;
        let mut call = Call::new("reads what the request names");
        self.file(&mut call, place, &port, file)?;
        let id = self.look(place, call, Part::Core);
        Some(Text::one(format!("{id}.{gives}")))
    }

    fn read_each(&mut self, rows: String) -> Option<Text> {
        let (place, port, gives) = self.reader()?;
        let mut call = Call::new("reads each of the files");
        call.each = Some(Each {
            over: rows.clone(),
            variable: "one_file".to_owned(),
        });
        call.arguments.insert(port, json!("{{ one_file.path }}"));
        let list = self.look(place, call, Part::Core);
        Some(Text::Each {
            rows,
            list,
            field: gives,
            is_part: false,
        })
    }

    fn joined(&mut self, of: &Value) -> Option<Text> {
        let texts = self.text(of)?;
        let (place, port, gives) = self.joiner()?;
        let mut call = Call::new("puts the texts together");
        call.arguments.insert(port, texts.list());
        let id = self.look(place, call, Part::Core);
        Some(Text::part(format!("{id}.{gives}")))
    }

    fn made(&mut self, making: Making, of: &Text) -> Option<Text> {
        match of {
            Text::Several(texts) => {
                let texts = texts.iter().map(|(name, text)| {
                    let made = self.made(making, text)?;
                    Some((name.clone(), made))
                });
                let texts: Option<Vec<_>> = texts.collect();
                texts.map(Text::Several)
            }
            Text::One { expression, .. } => self.made_of_one(making, expression),
            Text::Each {
                rows, list, field, ..
            } => self.made_of_each(making, (rows, list, field)),
        }
    }

    fn made_of_one(&mut self, making: Making, text: &str) -> Option<Text> {
        let rearranged = match making {
            Making::SortedLines { descending: false } => Some("sort"),
            Making::SortedLines { descending: true } => Some("sort(reverse=true)"),
            Making::UniqueLines => Some("unique(case_sensitive=true)"),
            _ => None,
        };
        if let Some(rearranged) = rearranged {
            let expression = format!("({text} | lines) | {rearranged} | join('\\n')");
            return Some(Text::part(expression));
        }
        let (place, port, gives) = self.maker(making)?;
        let mut call = Call::new("the request asks for it");
        call.arguments
            .insert(port, json!(format!("{{{{ {text} }}}}")));
        self.told_sentences(&mut call, place, making);
        let id = self.look(place, call, Part::Core);
        Some(Text::One {
            expression: format!("{id}{gives}"),
            is_part: matches!(making, Making::Count(_)),
        })
    }

    fn made_of_each(
        &mut self,
        making: Making,
        (rows, list, field): (&str, &str, &str),
    ) -> Option<Text> {
        let (place, port, gives) = self.maker(making)?;
        // A field of each result is told; a part of one would not be found there.
        let gives = gives.strip_prefix('.')?;
        if !gives
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
        {
            return None;
        }
        let mut call = Call::new("the request asks for it");
        call.each = Some(Each {
            over: list.to_owned(),
            variable: "one_text".to_owned(),
        });
        call.arguments
            .insert(port, json!(format!("{{{{ one_text.{field} }}}}")));
        self.told_sentences(&mut call, place, making);
        let list = self.look(place, call, Part::Core);
        Some(Text::Each {
            rows: rows.to_owned(),
            list,
            field: gives.to_owned(),
            is_part: true,
        })
    }

    fn told_sentences(&mut self, call: &mut Call, place: usize, making: Making) {
        let takes = self.plan.ports(place);
        let takes = takes.is_some_and(|ports| ports.input("sentences").is_some());
        if let Making::Summary(Some(count)) = making
            && takes
        {
            self.input(call, place, "sentences", json!(count));
        }
    }

    fn changes(&mut self, one: usize, other: usize) -> Option<Text> {
        let (place, [before, after], gives) = self.differ()?;
        self.of_two(place, [(before, one), (after, other)], &gives)
    }

    fn likeness(&mut self, one: usize, other: usize) -> Option<Text> {
        let (place, [left, right], gives) = self.likener()?;
        self.of_two(place, [(left, one), (right, other)], &gives)
    }

    fn of_two(&mut self, place: usize, texts: [(String, usize); 2], gives: &str) -> Option<Text> {
        let mut call = Call::new("holds the two against each other");
        for (port, file) in texts {
            let text = self.text(&Value::Of(Source::Files(vec![file])))?;
            call.arguments.insert(port, json!(text.whole()));
        }
        let id = self.look(place, call, Part::Core);
        Some(Text::one(format!("{id}.{gives}")))
    }
}

/// What a count is called in results.
pub(super) fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Words => "words",
        Unit::Lines => "lines",
        Unit::Characters => "characters",
        Unit::Sentences => "sentences",
        Unit::Paragraphs => "paragraphs",
    }
}
