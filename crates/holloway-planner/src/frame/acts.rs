//! Which acts are there, and what can be said of each? The table in `data/acts.toml`: acts
//! with what they need, slots with their place in the order in which things are done.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

static TABLE: LazyLock<Acts> = LazyLock::new(|| {
    // A test reads it; were it broken, nothing would be an act.
    toml::from_str(include_str!("../../data/acts.toml")).unwrap_or_default()
});

/// The whole table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acts {
    pub slots: BTreeMap<String, Slot>,
    pub operators: BTreeMap<String, Operator>,
    pub figures: Figures,
    pub acts: BTreeMap<String, Act>,
    /// Endings of files by the kind that they hold.
    pub files: BTreeMap<String, Vec<String>>,
    /// Kinds of files that hold tables.
    pub tables: Vec<String>,
    /// Kinds of things that a run does not end with.
    pub unfinished: Vec<String>,
    /// Kinds of which many are put together before a run ends with them.
    pub gathered: Vec<String>,
    /// Endings of files that hold settings.
    pub settings: Vec<String>,
}

/// What can be said about an act.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// What has a lower phase is done before.
    pub phase: u32,
    /// Only one part of it can be meant.
    #[serde(default)]
    pub single: bool,
    /// The acts that can do something with it; all if empty.
    #[serde(default)]
    pub only: Vec<String>,
    /// Decides which rows there are.
    #[serde(default)]
    pub rows: bool,
    /// Said of a whole goal: where several tools cover it, none has to serve this.
    #[serde(default)]
    pub around: bool,
}

/// How a condition compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Operator {
    /// With a cell as it is written.
    pub exact: bool,
    /// Numbers or dates.
    pub ordered: bool,
    /// Anything but numbers.
    pub text: bool,
    /// With no value.
    pub bare: bool,
}

/// What can be reckoned from a column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// For a person to choose from.
    pub offered: Vec<String>,
    /// Those of columns that hold no numbers.
    pub of_anything: Vec<String>,
    /// Last words of the names of columns that only tell rows apart.
    pub keys: Vec<String>,
}

/// Something that can be done.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Act {
    /// For people: "compare two tables".
    pub about: String,
    /// What it gives is no answer where the next goal goes on with it.
    pub leads: bool,
    /// Done when a tool of this act ran. Otherwise it is done when all its parts are served.
    pub core: bool,
    /// When the core is done, among the phases of the slots.
    pub phase: u32,
    /// Tools of this act may be put in to serve parts of other acts, or to get from one kind
    /// of thing to another.
    pub helps: bool,
    /// Slots without which it means nothing.
    pub needs: Vec<String>,
    /// Slots of which one must be there.
    pub any: Vec<String>,
    /// Is done without a source.
    pub alone: bool,
    /// How many sources it takes at least.
    pub sources: usize,
    /// The kinds of things it is done to; any if empty.
    pub on: Vec<String>,
    /// What its result may be shown as; the kinds that satisfy a person.
    pub gives: Vec<String>,
    /// The form of file that it makes where no file is named.
    pub form: Option<String>,
    /// The columns of the rows it gives, where they are the same for every source.
    pub rows: Option<Rows>,
    /// Takes something away for good.
    pub destroys: bool,
    /// A way that is taken only where there is no other.
    pub detour: bool,
    /// The slot whose values are covered by several tools together.
    pub covers: Option<String>,
    /// Acts whose results go into the tools that cover, where they take them.
    pub measures: Vec<String>,
    /// Goals of these acts that follow are done by it.
    pub absorbs: Vec<String>,
    /// Acts that are done with all that was found, one after the other.
    pub follows: Vec<String>,
    /// An act of the tools that follow whose result is the answer.
    pub concludes: Option<String>,
}

/// By which columns rows are put in order: biggest, newest, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    pub size: String,
    pub date: String,
    pub name: String,
}

impl Acts {
    pub fn table() -> &'static Self {
        &TABLE
    }

    pub fn act(&self, name: &str) -> Option<&Act> {
        self.acts.get(name)
    }

    pub fn phase(&self, slot: &str) -> u32 {
        self.slots.get(slot).map_or(u32::MAX, |slot| slot.phase)
    }

    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.get(name)
    }

    /// What is known of an operator; nothing of one that is not in the table.
    pub fn operator(&self, name: &str) -> Operator {
        self.operators.get(name).copied().unwrap_or_default()
    }

    /// The kind of a file by its ending: `file.csv`; `file` where it has none.
    pub fn kind_of_file(&self, ending: Option<&str>) -> String {
        let Some(ending) = ending else {
            return "file".to_owned();
        };
        let known = self
            .files
            .iter()
            .find(|(_, endings)| endings.iter().any(|known| known == ending));
        format!("file.{}", known.map_or(ending, |(kind, _)| kind))
    }
}
