//! What is a report? A title, a summary and blocks in reading order. The writers know
//! how each block looks; the report only says what is in it.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::chart::{Chart, Kind, Point, Series};

/// A document before it has a format.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subtitle: String,
    /// As it is to be read, such as `16 November 2026`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// What a reader should know first, beside date and author: `34 pages`, `plan: thorough`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Language of the text, such as `en` or `de`.
    #[serde(default = "english")]
    pub language: String,
    /// Markdown that stands before everything else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    #[serde(default)]
    pub blocks: Vec<Block>,
}

fn english() -> String {
    "en".to_owned()
}

/// One thing after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Block {
    Heading(Heading),
    /// Markdown: emphasis, code, links, lists, quotes, small tables.
    Paragraph {
        text: String,
    },
    Table(Table),
    Figures {
        items: Vec<Figure>,
    },
    Chart(Chart),
    Findings(Findings),
    Scores {
        items: Vec<Score>,
    },
    Actions {
        items: Vec<Action>,
        /// The number of the first one, where a list goes on.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        start: usize,
    },
    /// Pictures beside each other.
    Images {
        items: Vec<Image>,
    },
    Callout(Callout),
    PageBreak,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Heading {
    pub text: String,
    /// 1 for a chapter, 2 and 3 below it.
    #[serde(default = "first")]
    pub level: u8,
}

fn first() -> u8 {
    1
}

fn one() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn is_one(number: &usize) -> bool {
    *number == 1
}

/// A picture, such as a screenshot; it is part of the document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Image {
    /// PNG, JPEG or WebP in base64.
    pub data: String,
    /// What it shows, for readers who cannot see it.
    pub alt: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// How wide it stands on the page, from 0 to 1; beside others they share what there is.
    #[serde(default = "whole")]
    pub width: f64,
}

fn whole() -> f64 {
    1.0
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Without columns, the fields of the rows in order of appearance.
    #[serde(default)]
    pub columns: Vec<Column>,
    /// Objects by column key, or lists in the order of the columns.
    #[serde(default)]
    pub rows: Vec<Value>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// The field of a row that stands here.
    pub key: String,
    /// What the header says; made from the key when empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(default)]
    pub align: Align,
    #[serde(default)]
    pub format: Format,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimals: Option<u8>,
    /// Stands behind each number, such as `ms`; before it when it is a currency sign.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Numbers to the right, everything else to the left.
    #[default]
    Auto,
    Left,
    Right,
    Center,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Auto,
    Text,
    Integer,
    Number,
    /// 0.25 reads as 25 %.
    Percent,
    /// 1500000 reads as 1.5 MB.
    Bytes,
    /// ISO 8601 dates.
    Date,
}

/// A key figure: a large value with what it is and how it changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    pub label: String,
    /// A number or a text that is already formatted.
    pub value: Value,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub change: String,
    #[serde(default)]
    pub tone: Tone,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    Good,
    Fair,
    Poor,
    #[default]
    Neutral,
}

impl Tone {
    /// How a score from 0 to 100 is judged: the bounds that page audits commonly use.
    pub fn of_score(score: f64) -> Self {
        match score {
            score if score >= 90.0 => Self::Good,
            score if score >= 50.0 => Self::Fair,
            _ => Self::Poor,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Findings {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub items: Vec<Finding>,
}

/// As the checks give them; only the rule is needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    pub rule: String,
    /// What is wrong in words; the rule stands in its place when empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub domain: String,
    #[serde(default)]
    pub severity: Severity,
    #[serde(default, rename = "where")]
    pub place: Place,
    #[serde(default)]
    pub evidence: String,
    #[serde(default)]
    pub mend: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// Where the rule can be read about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub link: String,
    /// Why it matters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    #[serde(default)]
    pub page: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub element: String,
}

/// The worst first.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Critical,
    Serious,
    #[default]
    Moderate,
    Minor,
}

impl Severity {
    pub const ALL: [Self; 4] = [Self::Critical, Self::Serious, Self::Moderate, Self::Minor];

    pub fn name(self) -> &'static str {
        match self {
            Self::Critical => "Critical",
            Self::Serious => "Serious",
            Self::Moderate => "Moderate",
            Self::Minor => "Minor",
        }
    }
}

/// How well something does, from 0 to 100.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    pub name: String,
    /// Null where nothing was checked.
    pub value: Option<f64>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Something to do; the most important comes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Action {
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Such as `high`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub priority: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub effort: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub impact: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub domain: String,
    /// The rule whose findings stand further below.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// Where it is to be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Spot>,
    /// How many further places there are.
    #[serde(default, skip_serializing_if = "is_none")]
    pub more: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// A place with what was found there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spot {
    #[serde(default)]
    pub page: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub element: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Callout {
    #[serde(default)]
    pub tone: Tone,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub text: String,
}

/// The JSON schema of a report.
pub fn schema() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings
        .into_generator()
        .into_root_schema_for::<Report>()
        .to_value()
}
