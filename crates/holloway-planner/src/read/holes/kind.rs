//! Which kinds of holes may a phrase have? Data of the lexicon names them.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

/// What can stand in a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Hole {
    Amount,
    Cell,
    Chart,
    Column,
    Columns,
    Coming,
    Count,
    Date,
    Day,
    Document,
    Documents,
    Domain,
    Domains,
    Duration,
    Email,
    Ending,
    Flag,
    Folder,
    Form,
    Formula,
    Function,
    Label,
    Labels,
    Measure,
    Measures,
    Money,
    Name,
    New,
    Number,
    Other,
    Output,
    Pause,
    Percent,
    Period,
    Place,
    Quoted,
    Rows,
    Sample,
    Source,
    Superlative,
    Table,
    Tables,
    Unit,
    Units,
    Url,
    Value,
    Values,
    Word,
}

impl Hole {
    pub(super) fn named(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, Error> = name.into_deserializer();
        Self::deserialize(name).ok()
    }
}

/// Whether phrases may have a hole of this name.
pub fn is_hole(name: &str) -> bool {
    Hole::named(name).is_some()
}
