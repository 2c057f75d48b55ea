//! Do arguments fit a tool? Asked before a person's word about them is passed on.

use holloway_engine::checks::misfit;
use holloway_engine::mark::Issued;
use holloway_plan::schema_validator::{Verdict, foreign};
use serde_json::Value;

/// What is wrong with `value`, in a sentence. Values are repeated, unless marks stand in them.
pub(crate) fn complaint(schema: &Value, value: &Value, issued: &Issued) -> Option<String> {
    let masked = misfit(Some(schema), value, issued)?;
    if !issued.is_empty() {
        return Some(masked);
    }
    let validator = foreign(schema).validator?;
    let Verdict::Misfits { errors, .. } = validator.check(value) else {
        return Some(masked);
    };
    let complaints: Vec<String> = errors
        .into_iter()
        .take(5)
        .map(|error| match error.instance_path().to_string() {
            path if path.is_empty() => error.to_string(),
            path => format!("{path}: {error}"),
        })
        .collect();
    Some(complaints.join("; "))
}
