//! What is done to what? The verb of a tool and its object, by the name of the tool, or by the
//! opening of its description where the name has no verb.

use holloway_plan::tool::ToolSpec;

use super::definitions::{Definitions, opening, words};

/// Objects of more words than this say too much.
const LONGEST_OBJECT: usize = 3;

/// A verb with its object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Deed {
    pub(super) verb: String,
    /// The words of the object; none where it has none.
    pub(super) object: Vec<String>,
    /// The words of the name beside the verb that say something.
    pub(super) others: Vec<String>,
    /// Another verb stands beside it.
    several: bool,
}

impl Deed {
    pub(super) fn of(known: &Definitions, tool: &ToolSpec) -> Option<Self> {
        let source = words(tool.id.source());
        let name: Vec<String> = words(tool.id.name())
            .into_iter()
            .filter(|word| !source.contains(word) || known.verb(word).is_some())
            .collect();
        let said = described(known, &tool.description);
        let said_verb = said.as_ref().map(|deed| deed.verb.as_str());
        let deed = if let Some(mut deed) = named(known, &name, said_verb) {
            if let Some(said) = &said
                && deed.object.is_empty()
                && said.verb == deed.verb
            {
                deed.object.clone_from(&said.object);
            }
            deed
        } else {
            let says = |word: &&String| !known.passing.has(word);
            Self {
                others: name.iter().filter(says).cloned().collect(),
                ..said?
            }
        };
        (!known.vague.has(&deed.verb) && !deed.several).then_some(deed)
    }

    /// What a result of the act is called, and whether there are many of it.
    pub(super) fn kind(&self, known: &Definitions) -> Option<(String, bool)> {
        let (last, before) = self.object.split_last()?;
        let (last, many) = match one_of(last) {
            Some(one) if !known.uncounted.has(last) => (one, true),
            _ => (last.clone(), false),
        };
        let mut words = before.to_vec();
        words.push(last);
        Some((words.join("_"), many))
    }
}

/// By the words of a name. A verb that is as often a noun counts where the description agrees.
fn named(known: &Definitions, name: &[String], said: Option<&str>) -> Option<Deed> {
    let is_verb = |word: &String| {
        known.verb(word).as_deref() == Some(word)
            && (!known.nouns.has(word) || said.is_none_or(|said| said == word))
    };
    let at = name.iter().position(is_verb)?;
    let before = name.get(..at).unwrap_or_default();
    let after = name.get(at + 1..).unwrap_or_default();
    let says = |word: &&String| !known.passing.has(word);
    let several = after.first().is_some_and(|word| known.joints.has(word));
    let object = until_end(known, after);
    let object = if object.is_empty() && after.is_empty() {
        until_end(known, before)
    } else {
        object
    };
    Some(Deed {
        verb: name.get(at)?.clone(),
        object,
        others: before.iter().chain(after).filter(says).cloned().collect(),
        several,
    })
}

/// By the opening of a description: "Fetches a page of the web" fetches a page.
fn described(known: &Definitions, description: &str) -> Option<Deed> {
    let clause = opening(description);
    let clause = clause.split([',', ':', '/']).next().unwrap_or_default();
    let all = words(clause);
    let (first, rest) = all.split_first()?;
    let mut object = until_end(known, rest);
    if object.len() > LONGEST_OBJECT {
        object.clear();
    }
    Some(Deed {
        verb: known.verb(first)?,
        object,
        others: Vec::new(),
        several: rest.first().is_some_and(|word| known.joints.has(word)),
    })
}

fn until_end(known: &Definitions, words: &[String]) -> Vec<String> {
    let object = words.iter().take_while(|word| !known.ends.has(word));
    let says = |word: &&String| {
        !known.passing.has(word) && !word.starts_with(|letter: char| letter.is_ascii_digit())
    };
    object.filter(says).cloned().collect()
}

/// One of what a word names many of.
fn one_of(word: &str) -> Option<String> {
    if let Some(start) = word.strip_suffix("ies") {
        return Some(format!("{start}y"));
    }
    for ending in ["xes", "ches", "shes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").map(str::to_owned);
        }
    }
    let one = word.strip_suffix('s')?;
    let is_single = one.ends_with(['s', 'u', 'i']) || one.len() < 3;
    (!is_single).then(|| one.to_owned())
}
