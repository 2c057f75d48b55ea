//! What does a request say about rows and files? Which rows, in which order, how many, what
//! they come to: a small grammar over its words, read only where a file is spoken of.
//!
//! Where part of such a sentence is not understood, nothing is: half a condition would lead
//! to a plan that is sound and gives a wrong answer.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use super::Entity;
use super::surroundings::Surroundings;

mod chosen;
mod compare;
mod compared;
mod cuts;
mod dated;
mod days;
mod figures;
mod files;
mod find;
mod gathered;
mod keep;
mod keys;
mod known;
mod leftovers;
mod lookup;
mod meant;
mod once;
mod ordered;
mod phrases;
mod reached;
mod rows;
mod shapes;
mod superlatives;
mod tokens;

use phrases::Reader;

/// Something that is said about rows or files, and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Said {
    #[serde(flatten)]
    pub condition: Condition,
    /// In bytes of the request.
    pub place: Range<usize>,
}

/// What is said. Columns are named as in the request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    Keep(Keep),
    Sort {
        column: String,
        descending: bool,
    },
    /// The first so many rows.
    First(u64),
    /// The last so many rows.
    Last(u64),
    /// All but the first so many rows.
    Skip(u64),
    Group(Group),
    /// How many there are.
    Count(Counted),
    /// Each row once; those count as the same that agree in these columns, or in all.
    Unique {
        columns: Vec<String>,
    },
    Rename {
        from: String,
        to: String,
    },
    /// Only these columns.
    Columns(Vec<String>),
    /// All columns but these.
    Without(Vec<String>),
    /// Which columns there are.
    Names,
    /// Tables side by side.
    Join {
        on: Vec<String>,
        how: Side,
    },
    /// Tables one under the other.
    Stack,
    /// The tables of a folder, one under the other.
    Tables {
        folder: String,
        ending: String,
    },
    /// What is different between two files.
    Changes,
    /// The same table in another kind of file.
    Convert,
    /// Values that stand apart.
    Outliers,
    Chart(Chart),
    /// The files of a folder.
    Files {
        folder: String,
        /// Also those in folders below.
        deep: bool,
    },
    /// Lines of files that hold a text; of a folder, or of one file.
    Find {
        text: String,
        folder: String,
    },
    /// Lines of a text, from one place up to another that is not part of it; places below zero
    /// count from the end.
    Lines {
        from: Option<i64>,
        to: Option<i64>,
    },
    /// Parts of a text.
    Pick(Picked),
    /// How far it is from one day to another; today where none is said.
    Between {
        from: Option<String>,
        to: Option<String>,
        unit: Unit,
    },
    /// What there is to say about a day.
    Day {
        date: Option<String>,
        what: Told,
    },
    /// Whether an address answers, and how.
    Reached {
        url: String,
    },
    /// The day so far from another.
    Shift {
        date: Option<String>,
        /// Below zero where it goes back.
        by: Vec<(Unit, i64)>,
        what: Told,
    },
}

/// What is taken out of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Picked {
    Headings,
    Emails,
    Phones,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Days,
    Weeks,
    Months,
    Years,
}

/// What is told about a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    Date,
    Weekday,
    LeapYear,
}

/// Which rows are kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Keep {
    /// Nobody said which column where it is empty.
    pub column: String,
    pub comparison: Comparison,
    pub value: Value,
    /// Joined to the one before by "or".
    pub or: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    Equal,
    Other,
    Less,
    AtMost,
    More,
    AtLeast,
    Between,
    OneOf,
    Contains,
    StartsWith,
    EndsWith,
    Missing,
    Present,
}

/// What rows come to, for each value of the key columns or all together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Group {
    pub by: Vec<String>,
    /// A stretch of time that rows are put together by.
    pub period: Option<Period>,
    pub how: How,
    pub column: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    #[default]
    Count,
    Sum,
    Mean,
    Median,
    /// How far values lie from their mean, of a sample.
    Deviation,
    Lowest,
    Highest,
    Distinct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    Rows,
    Columns,
    Files,
    /// Lines that hold a text.
    Matches,
    /// How often a text stands in a file.
    Times,
    Words,
    Lines,
    Characters,
    Sentences,
    Paragraphs,
}

/// Which rows of a join stay that fit nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Neither,
    Left,
    Right,
    Both,
    /// Those of the first table that fit nothing, and no others.
    Alone,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chart {
    /// As people say it: "bar", "line", "pie".
    pub kind: Option<String>,
    pub x: Option<String>,
    pub y: Option<String>,
    /// Along time, whatever the column is called.
    pub over_time: bool,
}

/// Verbs after which "to" leads to a file that is written.
pub(crate) const STORES: [&str; 11] = [
    "export",
    "save",
    "write",
    "store",
    "convert",
    "turn",
    "copy",
    "put",
    "output",
    "send",
    "transform",
];
/// As much of what was not understood is told.
const PART_AT_MOST: usize = 120;
/// More is not said in one request.
const AT_MOST: usize = 24;

/// What a request says about rows and files, in its order; nothing where it is about
/// neither, or where part of it is not understood. That part is given then.
pub(crate) fn conditions(
    text: &str,
    entities: &[Entity],
    surroundings: &Surroundings,
) -> (Vec<Said>, Option<String>) {
    let tokens = tokens::tokens(text, entities);
    let surroundings = &read_from(surroundings, &tokens);
    if let Some(said) = reached::read(text, entities) {
        return (vec![said], None);
    }
    let mut reader = Reader::new(&tokens, surroundings);
    let together = gathered::gathered(&mut reader);
    let tables = reader.names_table() || together.is_some();
    if !tables && let Some(said) = days::read(text) {
        return match said {
            Ok(said) => (vec![said], None),
            Err(part) => (Vec::new(), Some(format!("{part} (not understood)"))),
        };
    }
    if tables {
        rows::read(&mut reader);
        rows::name_columns(&mut reader);
        let figures =
            |said: &Said| matches!(said.condition, Condition::Group(_) | Condition::Count(_));
        let only_summed = together == Some(gathered::Asked::Figures);
        reader.unclear |= reader.is_reckoned() || only_summed && !reader.found.iter().any(figures);
    }
    if reader.found.is_empty() {
        files::read(&mut reader);
    }
    join_unsaid(&mut reader);
    let narrowed =
        reader.found.is_empty() && (tables && reader.is_narrowed() || reader.is_folder_lost());
    if !narrowed && !reader.is_unclear() && reader.found.len() <= AT_MOST {
        return (reader.found, None);
    }
    let lost = reader.lost();
    let places = lost.iter().filter_map(|at| tokens.get(*at));
    let start = places.clone().map(|token| token.place.start).min();
    let end = places.map(|token| token.place.end).max();
    let part = start.zip(end).and_then(|(start, end)| text.get(start..end));
    let part = crate::generate::clip(part.unwrap_or(text), PART_AT_MOST);
    let known = told(surroundings);
    (Vec::new(), Some(format!("{part} (not understood{known})")))
}

/// The surroundings without tables that are only written.
fn read_from(surroundings: &Surroundings, tokens: &[tokens::Token]) -> Surroundings {
    let is_read = |file: &str| {
        let mut places = tokens.iter().enumerate();
        places.any(|(at, token)| {
            let before = tokens.get(..at).unwrap_or_default();
            token.raw == file && !is_target(before.iter().rev().map(|token| token.word.as_str()))
        })
    };
    let mut own = surroundings.clone();
    own.tables.retain(|table| is_read(&table.file));
    own
}

/// Whether the words before a file, the last one first, say that it is written: "as", "into a
/// new file called", "save … to". "add … to a.csv and save it" reads a.csv: only a verb before
/// makes it a target.
pub(crate) fn is_target<'w>(mut before: impl Iterator<Item = &'w str>) -> bool {
    /// What a file is called between the word that leads to it and its name.
    const FILES: [&str; 22] = [
        "a",
        "an",
        "the",
        "new",
        "one",
        "single",
        "file",
        "excel",
        "csv",
        "tsv",
        "json",
        "xlsx",
        "html",
        "pdf",
        "markdown",
        "text",
        "workbook",
        "spreadsheet",
        "table",
        "sheet",
        "document",
        "report",
    ];
    let led = before.by_ref().find(|word| !FILES.contains(word));
    match led {
        Some("as" | "into" | "called" | "named") => true,
        Some("to") => before.any(|word| STORES.contains(&word)),
        _ => false,
    }
}

/// What is said about the rows of two tables is said of both together: they are joined by the
/// one column that both have.
fn join_unsaid(reader: &mut Reader<'_>) {
    use Condition::{Changes, Join, Stack};
    let meets = |said: &Said| matches!(said.condition, Changes | Stack | Join { .. });
    let several = reader.known.tables > 1 && !reader.found.is_empty();
    if !several || reader.found.iter().any(meets) {
        return;
    }
    if let [on] = reader.known.shared.as_slice()
        && reader.known.tables == 2
    {
        let on = vec![(*on).to_owned()];
        let how = Side::Neither;
        let place = reader.found.first().map_or(0..0, |said| said.place.clone());
        let condition = Join { on, how };
        reader.found.insert(0, Said { condition, place });
    } else {
        reader.unclear = true;
    }
}

/// What the tables have, for a person whose words were not understood.
fn told(surroundings: &Surroundings) -> String {
    const COLUMNS: usize = 12;
    const VALUES: usize = 6;
    let tables = surroundings.tables.iter().map(|table| {
        let columns = table.columns.iter().take(COLUMNS).map(|column| {
            let few = column.repeats && column.values.len() <= VALUES;
            match column.values.join(", ") {
                values if few && !values.is_empty() => format!("{} ({values})", column.name),
                _ => column.name.clone(),
            }
        });
        let columns: Vec<String> = columns.collect();
        format!("; {} has the columns {}", table.file, columns.join(", "))
    });
    tables.collect()
}

#[cfg(test)]
mod tests;
