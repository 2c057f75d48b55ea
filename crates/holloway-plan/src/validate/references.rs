//! Can every expression be read, and does every name in it stand for something?

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Surroundings, problem_at};
use crate::compile::{CONTEXT_NAMES, PHASE_NAMES};
use crate::draft::Draft;
use crate::expression::{Expression, ExpressionError};
use crate::path::Segment;
use crate::problem::{Code, Problem, Problems, did_you_mean};
use crate::reference::{Form, Reference, references_of};
use crate::scope::{Scope, Slot, variables_of};
use crate::step::{Step, StepType};
use crate::template::{Piece, Template};
use crate::tool::Lookup;

/// Which step of a list reads the result of which other, itself or in a step inside it.
#[derive(Default)]
pub(super) struct Readings(FxHashMap<*const Step, FxHashSet<(usize, usize)>>);

impl Readings {
    /// The pairs of one list: who reads, and whose result.
    pub(super) fn of(&self, list: &[Step]) -> impl Iterator<Item = (usize, usize)> {
        self.0.get(&list.as_ptr()).into_iter().flatten().copied()
    }
}

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) -> Readings {
    let context: Vec<&str> = CONTEXT_NAMES
        .iter()
        .chain(around.context)
        .copied()
        .collect();
    let scope = Scope::top(&draft.steps, &context);
    let inside_loops = inside_loops(draft);
    let mut walk = Walk {
        around,
        inside_loops,
        lists: vec![&draft.steps],
        at: vec![0],
        readings: Readings::default(),
        problems,
    };
    walk.list(&draft.steps, &scope);
    walk.readings
}

/// Steps inside loops, with the loop whose result holds theirs.
fn inside_loops(draft: &Draft) -> FxHashMap<&str, &Step> {
    let mut found = FxHashMap::default();
    draft.walk(&mut |around| {
        if !matches!(around.kind, StepType::Loop | StepType::Reduce) {
            return;
        }
        for step in around.inner().into_iter().flat_map(|(_, steps)| steps) {
            for name in [Some(step.id.as_str()), step.output.as_deref()]
                .into_iter()
                .flatten()
            {
                found.entry(name).or_insert(around);
            }
        }
    });
    found
}

struct Walk<'a, 'b> {
    around: &'a Surroundings<'a>,
    inside_loops: FxHashMap<&'a str, &'a Step>,
    /// The lists of steps around the current step, outermost first.
    lists: Vec<&'a [Step]>,
    /// The steps around the current step, and itself, by their places in these lists.
    at: Vec<usize>,
    readings: Readings,
    problems: &'b mut Problems,
}

impl<'a> Walk<'a, '_> {
    fn list(&mut self, steps: &'a [Step], scope: &Scope<'_>) {
        for (index, step) in steps.iter().enumerate() {
            if let Some(at) = self.at.last_mut() {
                *at = index;
            }
            for reference in references_of(step) {
                match reference {
                    Ok(reference) => self.reference(step, &reference, scope),
                    Err((field, error)) if !is_blank_condition(&field, &error) => {
                        self.problems.push(unreadable(step, &field, &error));
                    }
                    Err(_) => {}
                }
            }
            for (_, inner) in step.inner() {
                let inside = scope.inside(inner, &variables_of(step));
                self.lists.push(inner);
                self.at.push(0);
                self.list(inner, &inside);
                self.at.pop();
                self.lists.pop();
            }
        }
    }

    fn reference(&mut self, step: &Step, reference: &Reference, scope: &Scope<'_>) {
        let mut seen = FxHashSet::default();
        for name in reference.names() {
            if !seen.insert(name) {
                continue;
            }
            let of_phase = step.kind == StepType::Phase && reference.field == "until";
            if of_phase && PHASE_NAMES.contains(&name) {
                continue;
            }
            match scope.find(name) {
                Some(slot) => {
                    self.remember(&slot, reference.optional);
                    self.problems
                        .extend(self.around_itself(step, &reference.field, &slot));
                }
                None if reference.optional => {}
                None => {
                    let problem = self.unbound(step, &reference.field, name, scope);
                    self.problems.push(problem);
                }
            }
        }
        if reference.optional {
            return;
        }
        let mut expressions = Vec::new();
        match &reference.form {
            Form::Expression(expression) => expressions.push(expression),
            Form::Template(template) => expressions_in(template, &mut expressions),
        }
        for expression in expressions {
            self.problems
                .extend(self.missing_field(step, &reference.field, expression, scope));
        }
    }

    fn unbound(&self, step: &Step, field: &str, name: &str, scope: &Scope<'_>) -> Problem {
        let shown: String = name.chars().take(100).collect();
        let problem = problem_at(
            Code::UnboundReference,
            step,
            field,
            format!("`{shown}` stands for nothing here"),
        );
        if let Some(around) = self.inside_loops.get(name) {
            let hint = format!(
                "`{name}` is made anew for each item inside `{}`; read the list of results, `{}`",
                around.id,
                around.result_name()
            );
            return problem.with_hint(hint);
        }
        let hint = self.problems.wants_hint().then(|| {
            let known = scope.names();
            did_you_mean(name, known.iter().map(String::as_str))
        });
        problem.with_hint(hint.flatten().unwrap_or_else(|| {
            "names are `input`, ids and outputs of steps beside or around this one, and loop variables".to_owned()
        }))
    }

    /// An expectation may name the step's own result; that is no reading.
    fn remember(&mut self, slot: &Slot, optional: bool) {
        let Slot::Result { up, way, .. } = slot else {
            return;
        };
        let Some(level) = self.at.len().checked_sub(up + 1) else {
            return;
        };
        let (Some(list), Some(reader), Some(turn)) =
            (self.lists.get(level), self.at.get(level), way.first())
        else {
            return;
        };
        let itself = *reader == turn.node;
        if !(itself && (optional || *up > 0)) {
            self.readings
                .0
                .entry(list.as_ptr())
                .or_default()
                .insert((*reader, turn.node));
        }
    }

    /// What stands around a step ends after it, so it has no result to read yet.
    fn around_itself(&self, step: &Step, field: &str, slot: &Slot) -> Option<Problem> {
        let Slot::Result { up, way, .. } = slot else {
            return None;
        };
        let list = self.at.len().checked_sub(up + 1)?;
        let node = way.first()?.node;
        if *up == 0 || self.at.get(list) != Some(&node) {
            return None;
        }
        let outer = self.lists.get(list)?.get(node)?;
        let message = format!(
            "the step reads from `{}`, the step it stands in, which ends after it",
            outer.id
        );
        let hint = "read a step before it; inside a loop, read the loop variable";
        Some(problem_at(Code::DeadlockDetected, step, field, message).with_hint(hint))
    }

    /// A field that the result of a tool is known not to have.
    fn missing_field(
        &self,
        step: &Step,
        field: &str,
        expression: &Expression,
        scope: &Scope<'_>,
    ) -> Option<Problem> {
        let path = expression.as_path()?;
        let Some(Segment::Field(wanted)) = path.rest.first() else {
            return None;
        };
        let Slot::Result {
            up,
            way,
            otherwise: None,
        } = scope.find(&path.root)?
        else {
            return None;
        };
        let source = self.step_at(up, &way)?;
        let Lookup::Found(tool) = self.around.tools.find(source.called_tool()?) else {
            return None;
        };
        let schema = tool.output_schema.as_object()?;
        let properties = schema.get("properties")?.as_object()?;
        let closed = schema.get("additionalProperties") == Some(&serde_json::Value::Bool(false))
            && !schema.contains_key("patternProperties");
        if !closed || properties.contains_key(wanted) {
            return None;
        }
        let message = format!("the result of `{}` has no field `{wanted}`", source.id);
        let hint =
            did_you_mean(wanted, properties.keys().map(String::as_str)).unwrap_or_else(|| {
                let names: Vec<&str> = properties.keys().take(12).map(String::as_str).collect();
                format!("`{}` returns {}", tool.id, names.join(", "))
            });
        Some(problem_at(Code::UnboundReference, step, field, message).with_hint(hint))
    }

    fn step_at(&self, up: usize, way: &[crate::scope::Turn]) -> Option<&'a Step> {
        let mut list = *self.lists.get(self.lists.len().checked_sub(up + 1)?)?;
        let mut found: Option<&'a Step> = None;
        for turn in way {
            list = match found {
                None => list,
                Some(step) if step.kind == StepType::Parallel => &step.steps,
                Some(step) if turn.branch == 0 => &step.then,
                Some(step) => &step.otherwise,
            };
            found = Some(list.get(turn.node)?);
        }
        found
    }
}

/// An empty condition is told by its shape already.
fn is_blank_condition(field: &str, error: &ExpressionError) -> bool {
    let empty = matches!(error, ExpressionError::Unreadable { text, .. } if text.is_empty());
    empty && matches!(field, "when" | "condition" | "until")
}

fn unreadable(step: &Step, field: &str, error: &ExpressionError) -> Problem {
    let message: String = error.to_string().chars().take(300).collect();
    problem_at(Code::BadExpression, step, field, message)
        .with_hint("expressions look like `page.title`, `score.value > 0.5` or `items | length`")
}

fn expressions_in<'t>(template: &'t Template, found: &mut Vec<&'t Expression>) {
    match template {
        Template::Whole(expression) => found.push(expression),
        Template::Text(pieces) => found.extend(pieces.iter().filter_map(|piece| match piece {
            Piece::Value(expression) => Some(expression),
            Piece::Text(_) => None,
        })),
        Template::List(parts) => parts.iter().for_each(|part| expressions_in(part, found)),
        Template::Mapping(parts) => parts
            .iter()
            .for_each(|(_, part)| expressions_in(part, found)),
        Template::Literal(_) | Template::Blocks { .. } => {}
    }
}
