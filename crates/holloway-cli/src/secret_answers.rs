//! How does an answer give a secret? By the name that it is kept under, `${NAME}`. A mark for that
//! name is written down, and whoever carries out the run looks it up; what is written out
//! in full is refused, because an answer is kept with the run.

use std::collections::BTreeMap;

use holloway_engine::entry::{About, Decision, Entry, EntryKind, Question};
use holloway_engine::mark::{Issued, MarkKind, mark};
use holloway_flow::confidential::{TakenOut, visit_secrets_of};
use holloway_plan::tool::ToolTable;
use holloway_tools::secrets::given::GivenSecrets;
use serde_json::Value;

use crate::error::CliError;
use crate::run_name;
use crate::secret_file::SecretFile;
use crate::secret_inputs::{Source, referred, typed, whole_mark};

/// What an answer to a question must look like.
pub(crate) fn schema_of(question: &Question, tools: &ToolTable) -> Option<Value> {
    if let Some(schema) = &question.schema {
        return Some(Value::clone(schema));
    }
    let tool = tools.get(question.tool.as_ref()?)?;
    Some(tool.input_schema.clone())
}

/// A decision as it may be written down: marks in place of the secrets that it names, and what
/// kinds of values these are.
pub(crate) fn marked(
    decision: &Decision,
    question: &Question,
    tools: &ToolTable,
) -> Result<(Decision, Issued), CliError> {
    let mut decision = decision.clone();
    let mut issued = Issued::new();
    let value = match &mut decision {
        Decision::Edit(value) => value,
        Decision::Done(value) if question.about == About::Tool => value,
        _ => return Ok((decision, issued)),
    };
    let known = shown(question, tools);
    let schema = schema_of(question, tools);
    visit_secrets_of(schema.as_ref(), value, &mut |taken| {
        if !taken.secret || is_harmless(&taken.value, &known) {
            return Ok::<_, CliError>(taken.value);
        }
        let (mark, kind) = named(&taken, question)?;
        issued.insert(mark.clone(), kind);
        Ok(Value::String(mark))
    })?;
    Ok((decision, issued))
}

/// The same for what a person has written in an editor before this process, which can keep it.
pub(crate) fn taken_in(
    mut value: Value,
    question: &Question,
    tools: &ToolTable,
    secrets: &GivenSecrets,
) -> Result<Value, CliError> {
    let known = shown(question, tools);
    let schema = schema_of(question, tools);
    visit_secrets_of(schema.as_ref(), &mut value, &mut |taken| {
        if !taken.secret || is_harmless(&taken.value, &known) {
            return Ok(taken.value);
        }
        let number = run_name::random()?;
        Ok::<_, CliError>(Value::String(secrets.take(
            &taken.name,
            number,
            taken.value,
        )))
    })?;
    Ok(value)
}

/// What stands at secret places of the arguments already, and so is written down.
fn shown(question: &Question, tools: &ToolTable) -> Vec<Value> {
    let mut arguments = Value::clone(&question.arguments);
    let tool = question.tool.as_ref().and_then(|tool| tools.get(tool));
    let schema = tool.map(|tool| &tool.input_schema);
    let mut shown = Vec::new();
    let Ok(()) = visit_secrets_of(schema, &mut arguments, &mut |taken| {
        shown.push(taken.value);
        Ok::<_, std::convert::Infallible>(Value::Null)
    });
    shown
}

fn is_harmless(value: &Value, known: &[Value]) -> bool {
    let text = value.as_str();
    text.is_some_and(|text| text.is_empty() || whole_mark(text).is_some()) || known.contains(value)
}

/// A mark for a secret that is kept under the name that is given.
fn named(taken: &TakenOut, question: &Question) -> Result<(String, MarkKind), CliError> {
    let Some(name) = taken.value.as_str().and_then(referred) else {
        return Err(written_out(&taken.name, question));
    };
    // The environment of this process is not that of the one that carries out the run.
    let file = SecretFile::open()?;
    if !file.names().any(|kept| kept == name) {
        let message = format!("no secret is kept under the name `{name}`");
        return Err(CliError::usage("secret-missing", message)
            .hint(format!("keep it with `holloway secrets set {name}`")));
    }
    let value = Source::of(file).found(name).unwrap_or_default();
    let value = typed(name, value, taken.schema.as_ref())?;
    Ok((mark(name, run_name::random()?), MarkKind::of(&value)))
}

fn written_out(place: &str, question: &Question) -> CliError {
    let name = place.rsplit('.').next().unwrap_or(place);
    let message = format!(
        "`{place}` is a secret, and the answer would be kept with the run as it is written"
    );
    let elsewhere = match question.about {
        About::Tool => "; or answer at the terminal of the run",
        _ => "",
    };
    CliError::usage("answer-refused", message).hint(format!(
        "keep it with `holloway secrets set NAME` and name it in the answer: '{{\"{name}\": \"${{NAME}}\"}}'{elsewhere}"
    ))
}

/// The secrets that the answers of a run name, from its entries.
pub(crate) struct SecretAnswers {
    tools: ToolTable,
    secrets: GivenSecrets,
    schemas: BTreeMap<String, Value>,
}

impl SecretAnswers {
    pub(crate) fn new(tools: ToolTable, secrets: GivenSecrets) -> Self {
        Self {
            tools,
            secrets,
            schemas: BTreeMap::new(),
        }
    }

    /// Visits the secret places of an answer, with the marks that it brings.
    pub(crate) fn read<E>(
        &mut self,
        entry: &Entry,
        mut visit: impl FnMut(TakenOut, &Issued) -> Result<Value, E>,
    ) -> Result<(), E> {
        match &entry.kind {
            EntryKind::ApprovalRequested { request, .. } => {
                if let Some(schema) = schema_of(request, &self.tools) {
                    self.schemas.insert(request.approval.clone(), schema);
                }
            }
            EntryKind::ApprovalResolved { answer, .. } => {
                let schema = self.schemas.remove(&answer.approval);
                if let Decision::Edit(value) | Decision::Done(value) = &answer.decision {
                    visit_secrets_of(schema.as_ref(), &mut value.clone(), &mut |taken| {
                        visit(taken, &answer.marks)
                    })?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks up what a new answer names, before the call that gets it.
    pub(crate) fn take_up(&mut self, entry: &Entry) {
        let secrets = self.secrets.clone();
        let Ok(()) = self.read(entry, |taken, issued| {
            let mark = taken.value.as_str().unwrap_or_default();
            let is_new = issued.contains_key(mark) && !secrets.knows(mark);
            let name = whole_mark(mark).filter(|_| is_new);
            // It was there and fitted when the answer was given; gone, the tool says so.
            let found = name.and_then(|name| {
                let value = Source::of(SecretFile::open().ok()?).found(name)?;
                typed(name, value, taken.schema.as_ref()).ok()
            });
            if let Some(value) = found {
                secrets.put(mark.to_owned(), value);
            }
            Ok::<_, std::convert::Infallible>(taken.value)
        });
    }
}
