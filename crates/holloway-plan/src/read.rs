//! How does a document become a draft? Field by field, so that every mistake in
//! every step is reported at once, each with its place.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::{Map, Value};

use crate::draft::Draft;
use crate::limits::Limits;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems, did_you_mean};
use crate::source::Source;
use crate::step::Step;

/// The fields of a step that hold other steps.
pub(crate) const ONE_INNER: [&str; 2] = ["step", "reducer"];
pub(crate) const MANY_INNER: [&str; 4] = ["steps", "then", "otherwise", "else"];

const ALL_INNER: [&str; 6] = ["step", "reducer", "steps", "then", "otherwise", "else"];

pub(crate) const TOO_MANY_STEPS_HINT: &str =
    "use a `loop` for many similar steps, a `plan` step for a part of its own";

/// A draft together with the text it was read from.
#[derive(Clone, Debug)]
pub struct Document {
    pub draft: Draft,
    pub source: Source,
}

impl Document {
    /// Adds line and column to problems found in this document.
    pub fn locate(&self, mut problems: Problems) -> Problems {
        locate(&self.source, &mut problems);
        problems
    }
}

fn locate(source: &Source, problems: &mut Problems) {
    for problem in &mut problems.0 {
        if problem.position.is_none() {
            problem.position = Some(source.position(&problem.place));
        }
    }
    problems.0.sort_by_key(|problem| problem.position);
}

/// Reads a plan from JSON or YAML text.
pub fn read_text(text: &str, limits: &Limits) -> Result<Document, Problems> {
    let source = Source::parse(text, limits).map_err(|problem| Problems(vec![*problem]))?;
    match read_value(&source.value, limits) {
        Ok(draft) => Ok(Document { draft, source }),
        Err(mut problems) => {
            locate(&source, &mut problems);
            Err(problems)
        }
    }
}

/// Reads a plan from data.
pub fn read_value(value: &Value, limits: &Limits) -> Result<Draft, Problems> {
    let mut reader = Reader {
        problems: Problems::default(),
        limits,
        steps: 0,
    };
    let draft = reader.draft(value);
    reader.problems.or(draft)
}

/// The same for data that nobody needs any more: each step is let go once it is read.
pub fn read_owned(mut value: Value, limits: &Limits) -> Result<Draft, Problems> {
    let steps = value.get_mut("steps").and_then(Value::as_array_mut);
    let steps = steps.map(std::mem::take).unwrap_or_default();
    let mut reader = Reader {
        problems: Problems::default(),
        limits,
        steps: 0,
    };
    let mut draft = reader.draft(&value);
    draft.steps.reserve_exact(steps.len().min(limits.steps));
    let place = Place::default().field("steps");
    for (index, item) in steps.into_iter().enumerate() {
        match reader.step(&item, place.item(index), 1) {
            Some(step) => draft.steps.push(step),
            None => break,
        }
    }
    reader.problems.or(draft)
}

struct Reader<'a> {
    problems: Problems,
    limits: &'a Limits,
    steps: usize,
}

impl Reader<'_> {
    fn draft(&mut self, value: &Value) -> Draft {
        let top = Place::default();
        let Value::Object(fields) = value else {
            let found = kind_of(value);
            let problem = Problem::new(
                Code::PlanShape,
                top,
                format!("a plan is a mapping, found {found}"),
            )
            .with_hint("start with `version: \"1.0\"` and `steps:`");
            self.problems.push(problem);
            return Draft::default();
        };
        let steps = if let Some(value) = fields.get("steps") {
            self.list(value, &top.field("steps"), "", "steps", 1)
        } else {
            let problem = Problem::new(Code::PlanShape, top.clone(), "the plan has no `steps`")
                .with_hint("add `steps:` with at least one step");
            self.problems.push(problem);
            Vec::new()
        };
        let draft: Option<Draft> = self.fields(fields, &["steps"], &top, "", &PLAN_FIELDS);
        Draft {
            steps,
            ..draft.unwrap_or_default()
        }
    }

    fn list(
        &mut self,
        value: &Value,
        place: &Place,
        owner: &str,
        field: &str,
        depth: usize,
    ) -> Vec<Step> {
        let Value::Array(items) = value else {
            let message = format!("expected a list of steps, found {}", kind_of(value));
            let problem =
                Problem::new(Code::PlanShape, place.clone(), message).at_step(owner, field);
            self.problems
                .push(problem.with_hint("write `- id: …` for each step"));
            return Vec::new();
        };
        let mut steps = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match self.step(item, place.item(index), depth) {
                Some(step) => steps.push(step),
                None => break,
            }
        }
        steps
    }

    /// `None` once the plan is too large to go on reading.
    fn step(&mut self, value: &Value, place: Place, depth: usize) -> Option<Step> {
        self.steps += 1;
        if self.steps > self.limits.steps || depth > self.limits.step_depth {
            self.too_large(place, depth);
            return None;
        }
        let Value::Object(fields) = value else {
            let message = format!("a step is a mapping, found {}", kind_of(value));
            let problem = Problem::new(Code::PlanShape, place.clone(), message);
            self.problems
                .push(problem.with_hint("write `- id: …` and `tool: …`"));
            return Some(Step {
                place,
                ..Step::default()
            });
        };
        let id = fields
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let mut step: Step = self
            .fields(fields, &ALL_INNER, &place, &id, &STEP_FIELDS)
            .unwrap_or_default();
        step.id = id;
        self.inner(fields, &place, &mut step, depth);
        step.place = place;
        Some(step)
    }

    fn inner(&mut self, fields: &Map<String, Value>, place: &Place, step: &mut Step, depth: usize) {
        for name in ONE_INNER {
            let Some(value) = fields.get(name) else {
                continue;
            };
            let inner = self.step(value, place.field(name), depth + 1).map(Box::new);
            match name {
                "step" => step.step = inner,
                _ => step.reducer = inner,
            }
        }
        for name in MANY_INNER {
            let Some(value) = fields.get(name) else {
                continue;
            };
            let inner = self.list(value, &place.field(name), &step.id, name, depth + 1);
            match name {
                "steps" => step.steps = inner,
                "then" => step.then = inner,
                _ => step.otherwise = inner,
            }
        }
    }

    fn too_large(&mut self, place: Place, depth: usize) {
        if self
            .problems
            .iter()
            .any(|problem| problem.code == Code::PlanTooLarge)
        {
            return;
        }
        let message = if depth > self.limits.step_depth {
            format!(
                "steps are nested more than {} levels deep",
                self.limits.step_depth
            )
        } else {
            format!("the plan has more than {} steps", self.limits.steps)
        };
        let problem = Problem::new(Code::PlanTooLarge, place, message);
        self.problems.push(problem.with_hint(TOO_MANY_STEPS_HINT));
    }

    /// Reads a mapping but for its `inner` fields as `T`; when that fails, each field
    /// is tried alone to find all the culprits.
    fn fields<T: DeserializeOwned>(
        &mut self,
        fields: &Map<String, Value>,
        inner: &[&str],
        place: &Place,
        step: &str,
        known: &[String],
    ) -> Option<T> {
        let own = || {
            fields
                .iter()
                .filter(|(name, _)| !inner.contains(&name.as_str()))
        };
        let whole = MapDeserializer::new(own().map(|(name, value)| (name.as_str(), value)));
        if let Ok(read) = T::deserialize(whole) {
            return Some(read);
        }
        for (name, value) in own() {
            if self.problems.is_full() {
                break;
            }
            let alone = MapDeserializer::new([(name.as_str(), value)].into_iter());
            let error: Option<serde_json::Error> = T::deserialize(alone).err();
            if let Some(error) = error {
                let hints = self.problems.wants_hint();
                let problem = field_problem(name, known, &error, place.field(name), hints);
                self.problems.push(problem.at_step(step, name));
            }
        }
        None
    }
}

const FIELD_HINT: &str = "`docs/plan-format.md` lists the fields and what they hold";

fn field_problem(
    name: &str,
    known: &[String],
    error: &serde_json::Error,
    place: Place,
    hints: bool,
) -> Problem {
    if known.iter().any(|field| field == name) {
        return Problem::new(Code::PlanShape, place, error.to_string()).with_hint(FIELD_HINT);
    }
    let hint = hints.then(|| meant(name, known)).flatten();
    Problem::new(
        Code::PlanShape,
        place,
        format!("there is no field `{name}` here"),
    )
    .with_some_hint(hint)
}

/// The field that other formats call so, or the one that looks most like it.
fn meant(name: &str, known: &[String]) -> Option<String> {
    let lowered = name.to_lowercase().replace('-', "_");
    let elsewhere = OTHER_NAMES
        .iter()
        .find(|(field, others)| known.contains(field) && others.contains(&lowered));
    match elsewhere {
        Some((field, _)) => Some(format!("did you mean `{field}`?")),
        None => did_you_mean(name, known.iter().map(String::as_str)),
    }
}

/// What other formats call our fields.
static OTHER_NAMES: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    // A list that cannot be read gives no hints; a test reads it.
    serde_json::from_str(include_str!("../data/other_names.json")).unwrap_or_default()
});

/// The names of the fields of a step, from the types themselves.
pub static STEP_FIELDS: LazyLock<Vec<String>> =
    LazyLock::new(|| property_names(&schemars::schema_for!(Step)));

/// The names of the fields of a plan, from the types themselves.
pub static PLAN_FIELDS: LazyLock<Vec<String>> =
    LazyLock::new(|| property_names(&schemars::schema_for!(Draft)));

fn property_names(schema: &schemars::Schema) -> Vec<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default()
}

/// What a value is, in a person's words.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}
