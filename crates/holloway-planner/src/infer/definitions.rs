//! Which words of definitions say what a tool does? `data/en/definitions.toml`, read once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use holloway_plan::tool::ToolSpec;
use holloway_search::words::each_word;
use serde::Deserialize;

use crate::lexicon::lists::List;

/// What people tell tools to do.
static VERBS: List = List::named("read_verbs.verbs");

static SHIPPED: LazyLock<Definitions> = LazyLock::new(|| {
    // A test reads it; were it broken, nothing would be inferred.
    toml::from_str(include_str!("../../data/en/definitions.toml")).unwrap_or_default()
});

/// Words with blanks between them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "String")]
pub(super) struct Words(Vec<String>);

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self(text.split_whitespace().map(str::to_owned).collect())
    }
}

impl Words {
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.iter().any(|known| known == word)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The whole file; it explains its fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Definitions {
    pub(super) passing: Words,
    verbs: Words,
    pub(super) nouns: Words,
    pub(super) vague: Words,
    pub(super) ends: Words,
    pub(super) uncounted: Words,
    pub(super) changing: Words,
    pub(super) giving: Words,
    pub(super) making: Words,
    pub(super) made: Words,
    pub(super) existing: Words,
    pub(super) plain: Words,
    pub(super) joints: Words,
    pub(super) clear: Words,
    pub(super) choosing: Words,
    pub(super) languages: Words,
    pub(super) said: BTreeMap<String, Words>,
    files: BTreeMap<String, Vec<String>>,
    #[serde(rename = "argument")]
    pub(super) arguments: Vec<Pattern>,
    #[serde(rename = "rule")]
    pub(super) rules: Vec<Rule>,
}

/// How an argument is known by its name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Pattern {
    /// The slot that it serves, or the kinds of things that it may take.
    pub(super) slot: Option<String>,
    pub(super) kinds: Words,
    pub(super) types: Words,
    pub(super) any: Words,
    pub(super) last: Words,
}

/// How an act of the table is known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Rule {
    pub(super) act: String,
    pub(super) verbs: Words,
    /// Words that a name may have beside the verb.
    pub(super) things: Words,
    /// One of these must be among them.
    pub(super) needed: Words,
    pub(super) never: Words,
    /// The kind of thing that goes in.
    pub(super) takes: String,
    /// An argument of this kind says where the result goes.
    pub(super) places: String,
    /// What may come out, the best first.
    pub(super) gives: Words,
    /// Slots that arguments may serve, and those that they must.
    pub(super) slots: Words,
    pub(super) needs: Words,
    /// What slots are called in the table of acts, where that is something else.
    pub(super) renamed: BTreeMap<String, String>,
    /// What is served by doing it.
    pub(super) serves: Option<String>,
    /// It changes something.
    pub(super) changes: bool,
}

impl Definitions {
    pub(super) fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// The verb that a word is a form of.
    pub(super) fn verb(&self, word: &str) -> Option<String> {
        let known = |word: &str| VERBS.contains(&word) || self.verbs.has(word);
        let without = |ending: &str| word.strip_suffix(ending).map(str::to_owned);
        let forms = [
            Some(word.to_owned()),
            without("s"),
            without("es"),
            without("ies").map(|start| format!("{start}y")),
        ];
        let mut bare = forms.into_iter().flatten();
        bare.find(|bare| known(bare))
    }

    /// The words that a kind of file is called by.
    pub(super) fn names(&self, kind: &str) -> impl Iterator<Item = &str> {
        let names = self.files.get(kind).into_iter().flatten();
        names.flat_map(|name| name.split(' '))
    }

    /// The kind of file that a definition speaks of, where it is one.
    pub(super) fn file_kind(&'static self, tool: &ToolSpec) -> Option<&'static str> {
        let arguments = tool.input_schema.get("properties");
        let arguments = arguments.and_then(|fields| fields.as_object());
        let mut said = format!(" {} ", words(tool.id.name()).join(" "));
        said.push_str(&words(opening(&tool.description)).join(" "));
        for name in arguments.into_iter().flat_map(|fields| fields.keys()) {
            said.push(' ');
            said.push_str(&words(name).join(" "));
        }
        said.push(' ');
        let speaks = |names: &Vec<String>| {
            let mut names = names.iter();
            names.any(|name| said.contains(&format!(" {name} ")))
        };
        let mut kinds = self.files.iter().filter(|(_, names)| speaks(names));
        match (kinds.next(), kinds.next()) {
            (Some((kind, _)), None) => Some(kind),
            _ => None,
        }
    }
}

pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// The first clause of a description; what stands before a bar only names the service.
pub(super) fn opening(description: &str) -> &str {
    let text = description.trim();
    let line = text.split(['\n', ';', '(']).next().unwrap_or_default();
    let line = line.split(". ").next().unwrap_or_default();
    line.rsplit(" | ").next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::acts::Acts;

    #[test]
    fn the_words_can_be_read_and_every_rule_is_of_an_act() {
        let text = include_str!("../../data/en/definitions.toml");
        let words: Definitions = toml::from_str(text).unwrap();
        let slots: Vec<&str> = words
            .arguments
            .iter()
            .filter_map(|pattern| pattern.slot.as_deref())
            .collect();
        for pattern in &words.arguments {
            assert_eq!(pattern.slot.is_some(), pattern.kinds.is_empty());
            assert!(!pattern.last.is_empty() && !pattern.types.is_empty());
        }
        for rule in &words.rules {
            let act = Acts::table().act(&rule.act).unwrap();
            for slot in rule.slots.iter() {
                assert!(slots.contains(&slot), "{}: {slot}", rule.act);
                let served = rule.renamed.get(slot).map_or(slot, String::as_str);
                let served = served.split('.').next().unwrap();
                assert!(Acts::table().slots.contains_key(served), "{served}");
            }
            for need in &act.needs {
                let serves = rule.serves.iter().any(|serves| serves.starts_with(need));
                let served = rule
                    .needs
                    .iter()
                    .any(|slot| slot.starts_with(need.as_str()));
                assert!(serves || served, "{} needs {need}", rule.act);
            }
        }
    }

    #[test]
    fn a_word_is_a_form_of_a_verb() {
        let words = Definitions::shipped();
        for (word, verb) in [("fetches", "fetch"), ("copies", "copy"), ("adds", "add")] {
            assert_eq!(words.verb(word).as_deref(), Some(verb));
        }
        assert_eq!(words.verb("table"), None);
    }

    #[test]
    fn an_opening_is_the_first_clause() {
        assert_eq!(opening("Notion | List all users\nErrors"), "List all users");
        assert_eq!(opening(" Read a file. Use it."), "Read a file");
    }
}
