//! How is a question asked? Arguments in JSON become a typed question, which answers
//! in JSON. Rows are borrowed from the arguments, not copied.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::error::DataError;
use crate::tables;

/// Stands in a question for data that is read from the arguments where it lies.
pub type Borrowed = IgnoredAny;

/// Something that can be asked about data.
pub trait Question: DeserializeOwned {
    /// `arguments` are those the question was read from.
    fn answer(&self, arguments: &Value) -> Result<Value, DataError>;
}

/// Reads and answers one question.
pub fn ask<Q: Question>(arguments: &Value) -> Result<Value, DataError> {
    let question = Q::deserialize(arguments)
        .map_err(|error| DataError::request(format!("the arguments do not fit: {error}")))?;
    question.answer(arguments)
}

/// Asks by the name of the tool; none for a name that is not known.
pub fn ask_by_name(name: &str, arguments: &Value) -> Option<Result<Value, DataError>> {
    let asked: fn(&Value) -> Result<Value, DataError> = match name {
        "data-load" => ask::<tables::load::Load>,
        "data-join" => ask::<tables::join::Join>,
        "data-stack" => ask::<tables::stack::Stack>,
        "data-changes" => ask::<tables::changes::Changes>,
        "data-group" => ask::<tables::group::Group>,
        "data-describe" => ask::<tables::describe::Describe>,
        "data-correlate" => ask::<tables::correlate::Correlate>,
        "data-trend" => ask::<tables::trend::Trend>,
        "data-outliers" => ask::<tables::outliers::Outliers>,
        "data-histogram" => ask::<tables::histogram::Histogram>,
        "data-resample" => ask::<tables::resample::Resample>,
        "data-compare" => ask::<tables::compare::Compare>,
        "data-forecast" => ask::<tables::forecast::Forecast>,
        _ => return None,
    };
    Some(asked(arguments))
}
