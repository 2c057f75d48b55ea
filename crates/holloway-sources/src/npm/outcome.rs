//! Did the call succeed? Tools tell of failures in several ways; some of these look
//! like results.

use holloway_engine::failure::ToolFailure;
use serde_json::Value;

use super::lines::Problem;
use super::worker::Trouble;

/// Errors that say that a repeat may help: the network was to blame.
const PASSING: [&str; 3] = ["AbortError", "TimeoutError", "FetchError"];

/// The result, or the failure it stands for. `harmless`: nothing outside can have changed.
pub(super) fn judge(outcome: Result<Value, Trouble>, harmless: bool) -> Result<Value, ToolFailure> {
    match outcome {
        Ok(value) => match reported(&value) {
            Some(message) => Err(ToolFailure::permanent(message)),
            None => Ok(value),
        },
        Err(Trouble::Tool(problem)) => Err(thrown(&problem, harmless)),
        Err(Trouble::Lost(reason)) => {
            let message = format!("the worker of the package was lost: {reason}");
            Err(doubtful(ToolFailure::transient(message), harmless))
        }
        Err(Trouble::Unsent) => Err(ToolFailure::transient(
            "the worker of the package ended before it got the call",
        )),
    }
}

fn thrown(problem: &Problem, harmless: bool) -> ToolFailure {
    let Problem { name, message } = problem;
    match name.as_str() {
        "UnknownTool" => ToolFailure::unknown_tool(message),
        "TooLarge" => ToolFailure::limit(message).happened(),
        "Error" => classified(message.clone(), problem, harmless),
        _ => classified(format!("{name}: {message}"), problem, harmless),
    }
}

fn classified(message: String, problem: &Problem, harmless: bool) -> ToolFailure {
    let passing = PASSING.contains(&problem.name.as_str()) || problem.message == "fetch failed";
    if passing && !harmless {
        return doubtful(ToolFailure::transient(message), harmless);
    }
    ToolFailure::permanent(message)
}

fn doubtful(failure: ToolFailure, harmless: bool) -> ToolFailure {
    if harmless {
        failure
    } else {
        failure.uncertain()
    }
}

/// `{error: true, …}` and `{success: false, error: …}` are failures in the form of results.
fn reported(value: &Value) -> Option<String> {
    let field = |name: &str| value.get(name);
    let error = field("error");
    let failed = error == Some(&Value::Bool(true))
        || (field("success") == Some(&Value::Bool(false)) && error.is_some_and(|e| !e.is_null()));
    if !failed {
        return None;
    }
    let texts = [
        error.and_then(Value::as_str),
        error.and_then(|error| error.get("message")?.as_str()),
        field("message").and_then(Value::as_str),
    ];
    let said = texts.into_iter().flatten().find(|text| !text.is_empty());
    Some(said.map_or_else(|| "the tool reported an error".to_owned(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(value: Value, expected: Option<&str>) {
        assert_eq!(reported(&value).as_deref(), expected, "{value}");
    }

    #[test]
    fn failures_in_the_form_of_results_are_seen() {
        check(json!({"error": true, "message": "no key"}), Some("no key"));
        check(json!({"error": true}), Some("the tool reported an error"));
        check(json!({"success": false, "error": "bad"}), Some("bad"));
        check(
            json!({"success": false, "error": {"message": "worse"}}),
            Some("worse"),
        );
    }

    #[test]
    fn results_about_errors_are_results() {
        for value in [
            json!({"error": false}),
            json!({"error": null, "success": false}),
            json!({"success": false}),
            json!({"error": "1 typo found", "success": true}),
            json!([{"error": true}]),
            json!("error"),
        ] {
            check(value, None);
        }
    }

    #[test]
    fn doubt_is_left_only_where_something_can_have_happened() {
        let lost = || Err(Trouble::Lost("killed".to_owned()));
        assert!(!judge(lost(), true).unwrap_err().uncertain);
        assert!(judge(lost(), false).unwrap_err().uncertain);
        assert!(!judge(Err(Trouble::Unsent), false).unwrap_err().uncertain);
    }
}
