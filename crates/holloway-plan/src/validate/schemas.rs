//! Is every JSON Schema in a plan a valid one, and cheap to check against?

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::schema_cost::refuse_costly;
use super::{Surroundings, problem_at};
use crate::draft::Draft;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems};
use crate::step::Expectation;
use crate::tool::full_schema;

/// Compiled size of one `pattern`.
const PATTERN_BYTES: usize = 256 << 10;
/// Patterns with look-around may go back so often on a tool's own schema.
const BACKTRACKS: usize = 10_000;

pub(super) fn check(draft: &Draft, _around: &Surroundings<'_>, problems: &mut Problems) {
    if let Some(reason) = draft.input.as_ref().and_then(bad_schema) {
        let problem = Problem::new(Code::PlanShape, Place::default().field("input"), reason);
        problems.push(problem.at_step("", "input").with_hint(HINT));
    }
    draft.walk(&mut |step| {
        for (index, expectation) in step.expect.iter().enumerate() {
            let Expectation::Schema(schema) = expectation else {
                continue;
            };
            if let Some(reason) = bad_schema(schema) {
                let field = format!("expect[{index}].schema");
                problems.push(problem_at(Code::PlanShape, step, &field, reason).with_hint(HINT));
            }
        }
    });
}

const HINT: &str = "write a JSON Schema, such as `{type: object, required: [url], properties: {url: {type: string}}}`";

fn bad_schema(schema: &Value) -> Option<String> {
    compile_untrusted(schema)
        .err()
        .map(|reason| format!("this is no usable JSON Schema: {reason}"))
}

/// Compiles a schema written in a plan; its patterns run in linear time.
fn compile_untrusted(schema: &Value) -> Result<Validator, String> {
    let schema = full_schema(schema.clone());
    refuse_costly(&schema)?;
    let patterns = PatternOptions::regex().size_limit(PATTERN_BYTES);
    jsonschema::options()
        .with_pattern_options(patterns)
        .offline()
        .build(&schema)
        .map_err(reason)
}

/// Compiles a schema that a tool brought along.
pub(super) fn compile_tool_schema(schema: &Value) -> Result<Validator, String> {
    refuse_costly(schema)?;
    let patterns = PatternOptions::fancy_regex()
        .size_limit(PATTERN_BYTES)
        .backtrack_limit(BACKTRACKS);
    jsonschema::options()
        .with_pattern_options(patterns)
        .offline()
        .build(schema)
        .map_err(reason)
}

fn reason(error: jsonschema::ValidationError<'_>) -> String {
    let at = error.instance_path().as_str();
    let text: String = error.to_string().chars().take(200).collect();
    if at.is_empty() {
        text
    } else {
        format!("{text} at `{at}`")
    }
}
