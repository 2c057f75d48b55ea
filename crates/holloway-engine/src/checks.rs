//! Do inputs, results and expectations hold? Schemas compiled once per run, and
//! the hypotheses a plan makes about its results.

use std::sync::Arc;

use holloway_plan::dag::{Bound, Check, Dag, ToolIndex, Work};
use holloway_plan::expression::{Expression, Names};
use holloway_plan::path::{Path, brief};
use holloway_plan::schema_validator::{Validator, Verdict, foreign, own};
use holloway_plan::tool::full_schema;
use jsonschema::error::{ValidationError, ValidationErrorKind};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::entry::Unmet;
use crate::mark::{Issued, Unfilled, extremes, holds_issued};

/// So many values of an expression that does not hold are told.
const TOLD_VALUES: usize = 3;

/// All schemas of a compiled plan, ready for use.
#[derive(Debug)]
pub struct Checks {
    tools: Vec<ToolChecks>,
    expectations: FxHashMap<(u32, u32, usize), Validator>,
    input: Option<Validator>,
    inner_plans: FxHashMap<(u32, u32), Validator>,
}

#[derive(Debug)]
struct ToolChecks {
    input: Option<Validator>,
    output: Option<Validator>,
}

/// A schema that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema of {what} is not a JSON Schema: {reason}")]
pub struct BadSchema {
    pub what: String,
    pub reason: String,
}

impl Checks {
    pub fn of(dag: &Dag) -> Result<Self, BadSchema> {
        let mut tools = Vec::with_capacity(dag.tools().len());
        for tool in dag.tools() {
            tools.push(ToolChecks {
                input: foreign(&tool.input_schema).validator,
                output: foreign(&tool.output_schema).validator,
            });
        }
        let input = dag.input_schema().map(|schema| full_schema(schema.clone()));
        let input = input.map_or(Ok(None), |schema| {
            optional(&schema, || "the plan's input".to_owned())
        })?;
        Ok(Self {
            tools,
            expectations: expectations(dag)?,
            input,
            inner_plans: inner_plans(dag)?,
        })
    }

    /// What is wrong with a call's arguments.
    pub fn input(&self, tool: ToolIndex, arguments: &Value, issued: &Issued) -> Option<String> {
        let validator = self.tools.get(tool.0 as usize)?.input.as_ref()?;
        complaint(validator, arguments, issued)
    }

    /// What is wrong with a call's result.
    pub fn output(&self, tool: ToolIndex, result: &Value, issued: &Issued) -> Option<String> {
        let validator = self.tools.get(tool.0 as usize)?.output.as_ref()?;
        complaint(validator, result, issued)
    }

    /// What is wrong with the plan's input.
    pub fn plan_input(&self, input: &Value, issued: &Issued) -> Option<String> {
        complaint(self.input.as_ref()?, input, issued)
    }

    /// What is wrong with the input of another plan that a node runs.
    pub fn inner_plan_input(
        &self,
        place: (u32, u32),
        input: &Value,
        issued: &Issued,
    ) -> Option<String> {
        complaint(self.inner_plans.get(&place)?, input, issued)
    }

    /// What the result of a node does not fulfil.
    pub fn unmet(&self, place: (u32, u32), checks: &[Check], result: &Seen<'_>) -> Vec<Unmet> {
        let complaints = checks.iter().enumerate().filter_map(|(index, check)| {
            let validator = self.expectations.get(&(place.0, place.1, index));
            result.lacks(check, validator)
        });
        complaints.collect()
    }
}

/// A result, and what it is judged against.
pub struct Seen<'a> {
    pub output: &'a Value,
    pub arguments: Option<&'a Value>,
    pub names: &'a dyn Names,
    pub issued: &'a Issued,
    /// It came from a call, and whoever filled in the secrets has judged it with them.
    pub is_judged: bool,
    /// There is no secret in it, so that what is told may repeat values.
    pub may_be_told: bool,
}

impl Seen<'_> {
    /// What an expectation does not find.
    pub(crate) fn lacks(&self, check: &Check, validator: Option<&Validator>) -> Option<Unmet> {
        match check {
            Check::Schema(_) => self
                .misfit(validator?)
                .map(|reason| Unmet::new("a result of the described form", reason)),
            Check::That(_) if self.is_judged && holds_issued(self.output, self.issued) => None,
            Check::That(bound) => {
                let wanted = || format!("`{}`", bound.form.text());
                match bound.form.holds(self.names) {
                    Ok(true) => None,
                    Ok(false) => Some(Unmet::new(wanted(), self.values_in(bound))),
                    Err(error) => Some(Unmet::new(wanted(), error.to_string())),
                }
            }
            Check::Exists(path) => match path.walk(self.output) {
                Ok(Value::Null) => Some(Unmet::new(
                    format!("a value in `{path}`"),
                    "it is empty".to_owned(),
                )),
                Ok(_) => None,
                Err(broken) => Some(Unmet::new(format!("a value in `{path}`"), broken)),
            },
            Check::Unchanged(path) => changed(path, self),
        }
    }

    /// What the names in an expression stand for.
    fn values_in(&self, bound: &Bound<Expression>) -> String {
        if !self.may_be_told {
            return "something else".to_owned();
        }
        let text = bound.form.text();
        let names = bound.form.names().into_iter();
        let paths = names.flat_map(|name| Path::all_from(name, text));
        let told = paths.take(TOLD_VALUES).filter_map(|path| {
            let root = self.names.value(&path.root)?;
            Some(match path.walk(&root) {
                Ok(value) => format!("`{path}` is {}", brief(value)),
                Err(broken) => broken,
            })
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() {
            return "something else".to_owned();
        }
        told.join(", ")
    }

    /// Where nobody has judged a result with its secrets, it must fit whatever they are.
    fn misfit(&self, validator: &Validator) -> Option<String> {
        if self.is_judged || !holds_issued(self.output, self.issued) {
            return complaint(validator, self.output, self.issued);
        }
        let mut any = extremes(self.output, self.issued).into_iter();
        let reason = any.find_map(|value| complaint(validator, &value, &Issued::new()))?;
        Some(format!(
            "{reason}; there is a secret in it, which only the step that calls the tool can check"
        ))
    }
}

fn changed(path: &Path, result: &Seen<'_>) -> Option<Unmet> {
    let before = result
        .arguments
        .and_then(|arguments| path.walk(arguments).ok());
    let after = path.walk(result.output).ok();
    (before != after).then(|| {
        Unmet::new(
            format!("`{path}` as it was in the input"),
            "another value".to_owned(),
        )
    })
}

fn expectations(dag: &Dag) -> Result<FxHashMap<(u32, u32, usize), Validator>, BadSchema> {
    let mut found = FxHashMap::default();
    for (body_index, body) in dag.bodies().iter().enumerate() {
        for (node_index, node) in body.nodes.iter().enumerate() {
            for (index, check) in node.policy.expect.iter().enumerate() {
                let Check::Schema(schema) = check else {
                    continue;
                };
                let what = || format!("what step `{}` expects", node.step);
                if let Some(validator) = optional(schema, what)? {
                    found.insert((body_index as u32, node_index as u32, index), validator);
                }
            }
        }
    }
    Ok(found)
}

fn inner_plans(dag: &Dag) -> Result<FxHashMap<(u32, u32), Validator>, BadSchema> {
    let mut found = FxHashMap::default();
    for (body_index, body) in dag.bodies().iter().enumerate() {
        for (node_index, node) in body.nodes.iter().enumerate() {
            let Work::Plan {
                schema: Some(schema),
                ..
            } = &node.work
            else {
                continue;
            };
            let what = || format!("the input of the plan that step `{}` runs", node.step);
            if let Some(validator) = optional(&full_schema(Value::clone(schema)), what)? {
                found.insert((body_index as u32, node_index as u32), validator);
            }
        }
    }
    Ok(found)
}

fn optional(schema: &Value, what: impl Fn() -> String) -> Result<Option<Validator>, BadSchema> {
    if schema.is_null() {
        return Ok(None);
    }
    own(schema).map(Some).map_err(|reason| BadSchema {
        what: what(),
        reason,
    })
}

/// What is wrong with a value. What only a secret decides is left open here: it is checked once the
/// secret has taken the place of its mark, before the call.
fn complaint(validator: &Validator, value: &Value, issued: &Issued) -> Option<String> {
    let unfilled = Unfilled::of(value, issued);
    let shown = unfilled.as_ref().map_or(value, |unfilled| &unfilled.value);
    let (errors, is_all) = match validator.check(shown) {
        Verdict::Fits => return None,
        Verdict::Refused(reason) => return Some(reason),
        Verdict::Misfits { errors, is_all } => (errors, is_all),
    };
    let is_open = |error: &ValidationError<'_>| {
        let place = error.instance_path().as_str();
        let marked = unfilled.as_ref().map(|unfilled| &unfilled.places);
        marked.is_some_and(|places| places.contains(place)) && hangs_on_contents(error.kind())
    };
    let told = told(errors.into_iter().filter(|error| !is_open(error)));
    told.or_else(|| (!is_all).then(|| "it does not fit its schema".to_owned()))
}

/// Whether another value of the same kind could have passed.
fn hangs_on_contents(kind: &ValidationErrorKind) -> bool {
    use ValidationErrorKind as Kind;
    matches!(
        kind,
        Kind::AnyOf { .. }
            | Kind::Constant { .. }
            | Kind::ContentEncoding { .. }
            | Kind::ContentMediaType { .. }
            | Kind::Enum { .. }
            | Kind::ExclusiveMaximum { .. }
            | Kind::ExclusiveMinimum { .. }
            | Kind::Format { .. }
            | Kind::MaxLength { .. }
            | Kind::Maximum { .. }
            | Kind::MinLength { .. }
            | Kind::Minimum { .. }
            | Kind::MultipleOf { .. }
            | Kind::Not { .. }
            | Kind::OneOfMultipleValid { .. }
            | Kind::OneOfNotValid { .. }
            | Kind::Pattern { .. }
    )
}

/// The first errors, without the values they are about.
fn told<'a>(errors: impl Iterator<Item = ValidationError<'a>>) -> Option<String> {
    let errors = errors.take(3).map(|error| {
        let place = error.instance_path().to_string();
        let masked = error.masked().to_string();
        if place.is_empty() {
            masked
        } else {
            format!(
                "{}: {masked}",
                place.trim_start_matches('/').replace('/', ".")
            )
        }
    });
    let errors: Vec<String> = errors.collect();
    (!errors.is_empty()).then(|| errors.join("; "))
}

/// What is wrong with a value, by a schema of somebody else that came up during the run.
pub fn misfit(schema: Option<&Value>, value: &Value, issued: &Issued) -> Option<String> {
    complaint(&foreign(schema?).validator?, value, issued)
}

/// The plan's input with the defaults of its schema filled in.
pub fn with_defaults(input: &Arc<Value>, schema: Option<&Value>) -> Arc<Value> {
    let Some(schema) = schema.map(|schema| full_schema(schema.clone())) else {
        return Arc::clone(input);
    };
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Arc::clone(input);
    };
    let mut filled = match &**input {
        Value::Object(fields) => fields.clone(),
        Value::Null => serde_json::Map::new(),
        _ => return Arc::clone(input),
    };
    for (name, property) in properties {
        if let (false, Some(default)) = (filled.contains_key(name), property.get("default")) {
            filled.insert(name.clone(), default.clone());
        }
    }
    Arc::new(Value::Object(filled))
}
