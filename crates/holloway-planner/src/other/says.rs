//! What does a tool say of itself? Its words, where they stand, and the kinds of files that
//! it is for.

use holloway_plan::tool::ToolSpec;
use holloway_search::index::Index;
use holloway_search::words::{each_word, is_empty_word, stem};

use crate::catalogue::ports::{Ports, Role, stems, terms};
use crate::catalogue::{Catalogue, Place};
use crate::lexicon::lists::List;
use crate::lexicon::sorts::{Sorts, sorts_of_words};

/// Words less alike than this are about different things.
const ALIKE: (f32, f32) = (0.45, 0.85);
/// Of a description only the beginning says what the tool does.
const COMPARED_AT_MOST: usize = 16;
/// What a tool says of itself, as stems.
pub(super) struct Says<'a> {
    pub(super) tool: &'a ToolSpec,
    pub(super) name: Vec<String>,
    pub(super) source: Vec<String>,
    /// The first words of the description.
    pub(super) begins: Vec<String>,
    first: Vec<String>,
    ports: &'a Ports,
    pub(super) sorts: Sorts,
    /// Puts what it is given into a file.
    pub(super) writes_file: bool,
    /// Name, source and description.
    pub(super) whole: String,
}

impl<'a> Says<'a> {
    pub(super) fn of(catalogue: &'a Catalogue, place: Place) -> Option<Self> {
        let tool = catalogue.tool(place)?;
        let name = tool.id.name();
        let sentence = tool.description.split(['.', '\n']).next();
        let sentence = sentence.unwrap_or_default();
        let mut first: Vec<String> = Vec::new();
        for text in [name, sentence] {
            each_word(text, |word| {
                if !is_empty_word(word) && first.len() < COMPARED_AT_MOST {
                    first.push(word.to_owned());
                }
            });
        }
        let by_name = sorts_of_words(name);
        let lead = sentence.split_whitespace().next().unwrap_or_default();
        Some(Self {
            sorts: if by_name.is_empty() {
                sorts_of_words(lead)
            } else {
                by_name
            },
            name: terms(name),
            source: terms(tool.id.source()),
            begins: stems(sentence).into_iter().collect(),
            first,
            ports: catalogue.ports(place)?,
            writes_file: writes_files(catalogue, place),
            whole: format!("{} {name} {}", tool.id.source(), tool.description),
            tool,
        })
    }

    pub(super) fn has(&self, stem: &str) -> bool {
        let owned = stem.to_owned();
        self.name.contains(&owned)
            || self.source.contains(&owned)
            || self.ports.words.contains(stem)
    }

    /// Whether a word is the name of a parameter, or what one can be set to.
    pub(super) fn can_be_told(&self, stem: &str) -> bool {
        self.ports.names.contains(stem) || self.ports.choices.contains(stem)
    }

    /// Whether what is said about a parameter has a word.
    pub(super) fn explains(&self, stem: &str) -> bool {
        self.ports.meanings.contains(stem)
    }

    /// How surely the tool speaks of a word.
    pub(super) fn covers(&self, word: &str, index: &Index) -> f32 {
        let stem = stem(word);
        match () {
            () if self.name.contains(&stem) => 1.0,
            () if self.source.contains(&stem) => 0.9,
            () if self.begins.contains(&stem) => 0.8,
            () if self.ports.names.contains(&stem) => 0.6,
            () => {
                let mentioned = if self.ports.words.contains(&stem) {
                    0.45
                } else if self.ports.meanings.contains(&stem) {
                    0.35
                } else {
                    0.0
                };
                (0.8 * self.near(word, index)).max(mentioned)
            }
        }
    }

    /// How near a word comes to one that the tool begins with.
    fn near(&self, word: &str, index: &Index) -> f32 {
        let table = index.table();
        let asked = table.meaning(word);
        let likeness = |own: &String| {
            let own = table.meaning(own);
            asked
                .iter()
                .zip(own.iter())
                .map(|(one, other)| one * other)
                .sum::<f32>()
        };
        let best = self.first.iter().map(likeness).fold(0.0, f32::max);
        let (least, most) = ALIKE;
        ((best - least) / (most - least)).clamp(0.0, 1.0)
    }
}

/// Kinds of files that servers and tools are called after.
static KINDS: List = List::named("tools_says.kinds");

/// The kinds of files that a tool is for, by its name and that of its server.
pub(super) fn kinds_of_tool(tool: &ToolSpec) -> Vec<String> {
    let named = terms(&format!("{} {}", tool.id.source(), tool.id.name()));
    let kinds = KINDS.iter().map(|kind| stem(kind));
    kinds.filter(|kind| named.contains(kind)).collect()
}

/// Whether a tool puts a text that it is given into a file that is named to it.
pub(super) fn writes_files(catalogue: &Catalogue, place: Place) -> bool {
    static SO_CALLED: List = List::named("tools_says.so_called");
    let (Some(tool), Some(ports)) = (catalogue.tool(place), catalogue.ports(place)) else {
        return false;
    };
    let takes = |role: Role| ports.needed().any(|port| port.role == role);
    let name = terms(tool.id.name());
    let called = SO_CALLED.iter().any(|word| name.contains(&stem(word)));
    ports.writes
        && called
        && takes(Role::File)
        && takes(Role::Text)
        && kinds_of_tool(tool).is_empty()
}
