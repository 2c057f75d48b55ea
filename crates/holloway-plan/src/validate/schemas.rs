//! Is every JSON Schema in a plan a valid one, and cheap to check against?

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::{Surroundings, problem_at};
use crate::draft::Draft;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems};
use crate::schema_cost::{PATTERNS, refuse_costly};
use crate::schema_validator;
use crate::step::Expectation;
use crate::tool::full_schema;

/// Different schemas in one plan; equal ones are compiled once.
const SCHEMAS: usize = 500;

const HINT: &str = "write a JSON Schema, such as \
    `{type: object, required: [url], properties: {url: {type: string}}}`";
const PATTERN_HINT: &str = "patterns of plans are short and neither look around nor refer back";

pub(super) fn check(draft: &Draft, _around: &Surroundings<'_>, problems: &mut Problems) {
    let mut compiled = Compiled::default();
    if let Some((reason, hint)) = draft
        .input
        .as_ref()
        .and_then(|schema| compiled.refusal(schema))
    {
        let problem = Problem::new(Code::PlanShape, Place::default().field("input"), reason);
        problems.push(problem.at_step("", "input").with_hint(hint));
    }
    draft.walk(&mut |step| {
        for (index, expectation) in step.expect.iter().enumerate() {
            let Expectation::Schema(schema) = expectation else {
                continue;
            };
            if let Some((reason, hint)) = compiled.refusal(schema) {
                let field = format!("expect[{index}].schema");
                problems.push(problem_at(Code::PlanShape, step, &field, reason).with_hint(hint));
            }
        }
    });
}

/// The schemas of a plan that were looked at.
#[derive(Default)]
struct Compiled {
    refusals: FxHashMap<String, Option<String>>,
    patterns: usize,
}

impl Compiled {
    /// Why a schema is refused, and a hint.
    fn refusal(&mut self, schema: &Value) -> Option<(String, &'static str)> {
        let key = schema.to_string();
        let known = self.refusals.get(&key).cloned();
        let reason = known.unwrap_or_else(|| {
            let reason = self.compile(schema).err();
            self.refusals.insert(key, reason.clone());
            reason
        })?;
        let hint = if reason.contains("attern") {
            PATTERN_HINT
        } else {
            HINT
        };
        Some((format!("this is no usable JSON Schema: {reason}"), hint))
    }

    /// Compiles a schema written in a plan; its patterns run in linear time.
    fn compile(&mut self, schema: &Value) -> Result<(), String> {
        if self.refusals.len() >= SCHEMAS {
            return Err(format!("the plan has more than {SCHEMAS} different ones"));
        }
        let schema = full_schema(schema.clone());
        self.patterns += refuse_costly(&schema)?;
        if self.patterns > PATTERNS {
            return Err(format!(
                "with it the plan has more than {PATTERNS} patterns"
            ));
        }
        schema_validator::own(&schema).map(drop)
    }
}
