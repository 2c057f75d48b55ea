//! How does JSON become a tool's typed arguments? One way for every tool, so that
//! a wrong argument is always the same kind of failure.

use holloway_engine::failure::ToolFailure;
use serde::Deserialize;
use serde_json::Value;

/// The engine checks arguments against the schema first; this is the second lock.
pub(crate) fn parse<'a, T: Deserialize<'a>>(arguments: &'a Value) -> Result<T, ToolFailure> {
    if !arguments.is_object() {
        return Err(ToolFailure::invalid("the arguments must be an object"));
    }
    T::deserialize(arguments)
        .map_err(|error| ToolFailure::invalid(format!("the arguments do not fit: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_missing_argument_is_a_validation_failure() {
        #[derive(Debug, Deserialize)]
        struct Arguments {
            #[allow(dead_code)]
            path: String,
        }
        let failure = parse::<Arguments>(&json!({})).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "Validation failed: the arguments do not fit: missing field `path`"
        );
    }
}
