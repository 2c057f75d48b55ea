//! `holloway runs approve` and `deny`: a person's word about a question of a
//! run, from any terminal. It is checked here and acted on by whoever carries
//! out the run, now or later.

use clap::Args;
use holloway_engine::entry::{About, Answer, Decision, Question, RunId};
use holloway_engine::machine::Machine;
use holloway_plan::problem::did_you_mean;
use holloway_store::{Message, Owner};
use serde_json::{Value, json};

use super::control::refuse_ended;
use super::{history, show};
use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::session::Session;
use crate::{input, print, run_name, secret_answers};

/// Answer open questions of a run with yes
#[derive(Debug, Args)]
pub(super) struct Approve {
    run: String,
    /// Which question, such as `a1`; may be left out when only one is open
    approval: Option<String>,
    /// Every question that is open now, but for calls that may have happened and sensitive places:
    /// each of these needs an answer of its own
    #[arg(long, conflicts_with_all = ["approval", "edit", "edit_file", "done"])]
    all: bool,
    /// Make the call with these arguments instead; if a tool asks: answer it with these fields.
    /// A secret is named, not written: `${NAME}` for one that is kept
    #[arg(long, value_name = "JSON", conflicts_with_all = ["edit_file", "done"])]
    edit: Option<String>,
    /// The same, from a file or `-`
    #[arg(long, value_name = "FILE", conflicts_with = "done")]
    edit_file: Option<String>,
    /// Make no call; take this as its result
    #[arg(long, value_name = "JSON")]
    done: Option<String>,
    /// Words for the record
    #[arg(long)]
    note: Option<String>,
}

/// Answer an open question of a run with no
#[derive(Debug, Args)]
pub(super) struct Deny {
    run: String,
    /// Which question, such as `a1`; may be left out when only one is open
    approval: Option<String>,
    /// Say neither yes nor no; only to a question that a tool asks
    #[arg(long)]
    dismiss: bool,
    /// Words for the record
    #[arg(long)]
    note: Option<String>,
}

pub(super) fn approve(arguments: &Approve, session: &Session) -> Result<Exit, CliError> {
    let decision = decision(arguments, session)?;
    let wanted = if arguments.all {
        Wanted::All
    } else {
        Wanted::One(arguments.approval.as_deref())
    };
    let word = if matches!(decision, Decision::Done(_)) {
        "done"
    } else {
        "approved"
    };
    answer(
        &arguments.run,
        &wanted,
        &decision,
        arguments.note.as_ref(),
        word,
        session,
    )
}

pub(super) fn deny(arguments: &Deny, session: &Session) -> Result<Exit, CliError> {
    let wanted = Wanted::One(arguments.approval.as_deref());
    let (decision, word) = if arguments.dismiss {
        (Decision::Dismiss, "dismissed")
    } else {
        (Decision::Deny, "denied")
    };
    answer(
        &arguments.run,
        &wanted,
        &decision,
        arguments.note.as_ref(),
        word,
        session,
    )
}

enum Wanted<'a> {
    All,
    One(Option<&'a str>),
}

fn decision(arguments: &Approve, session: &Session) -> Result<Decision, CliError> {
    let read = |text: &str, what: &str| -> Result<Value, CliError> {
        serde_json::from_str(text).map_err(|error| {
            CliError::usage("input-invalid", format!("{what} is no JSON: {error}"))
                .hint("write it as JSON, in single quotes: '{\"path\": \"a.txt\"}'")
        })
    };
    if let Some(text) = &arguments.done {
        return Ok(Decision::Done(read(text, "--done")?));
    }
    if let Some(text) = &arguments.edit {
        return Ok(Decision::Edit(read(text, "--edit")?));
    }
    if let Some(file) = &arguments.edit_file {
        let text = input::text_of(file, &session.folder)?;
        return Ok(Decision::Edit(read(&text, file)?));
    }
    Ok(Decision::Approve)
}

fn answer(
    word: &str,
    wanted: &Wanted<'_>,
    decision: &Decision,
    note: Option<&String>,
    done: &str,
    session: &Session,
) -> Result<Exit, CliError> {
    let summary = run_name::find(word, session)?;
    refuse_ended(&summary)?;
    let run = &summary.run;
    let store = session.store()?;
    let workbench = history::workbench_for(run, &Reach::default(), session)?;
    let (machine, _) = history::machine(run, &workbench, session)?;
    let pending = show::answered(run, store)?;
    // Asked before the answers are left: they may end the run, and its owner with it.
    let owner = store.owner(run)?;
    let all: Vec<&Question> = open_now(&machine, owner.is_some());
    let questions = chosen(&all, wanted, &pending, run)?;
    let answers = questions.iter().map(|question| {
        let (decision, marks) = secret_answers::marked(decision, question, &workbench.table)?;
        Ok(Answer {
            approval: question.approval.clone(),
            decision,
            digest: question.digest.clone(),
            by: "user".to_owned(),
            note: note.cloned(),
            marks,
        })
    });
    let answers: Vec<Answer> = answers.collect::<Result<_, CliError>>()?;
    for answer in &answers {
        machine.check_answer(answer).map_err(|error| {
            CliError::usage("answer-refused", error.to_string())
                .hint(format!("`holloway runs show {run}` shows what is open"))
        })?;
    }
    for answer in answers {
        store.post(run, &Message::Answer(answer))?;
    }
    let names: Vec<&str> = questions
        .iter()
        .map(|question| question.approval.as_str())
        .collect();
    let left: Vec<&Question> = match wanted {
        Wanted::All => all
            .iter()
            .copied()
            .filter(|question| {
                !names.contains(&question.approval.as_str())
                    && !pending.contains(&question.approval)
            })
            .collect(),
        Wanted::One(_) => Vec::new(),
    };
    tell(run, &names, &left, done, owner.as_ref(), session)
}

/// What a tool asks is open only while a process makes its call.
fn open_now(machine: &Machine, owned: bool) -> Vec<&Question> {
    let is_open = |question: &&Question| owned || question.about != About::Tool;
    machine.questions().filter(is_open).collect()
}

/// The open questions that are meant and have no answer yet.
fn chosen<'a>(
    all: &[&'a Question],
    wanted: &Wanted<'_>,
    pending: &[String],
    run: &RunId,
) -> Result<Vec<&'a Question>, CliError> {
    let open: Vec<&Question> = all
        .iter()
        .copied()
        .filter(|question| !pending.contains(&question.approval))
        .collect();
    let refused = |message: String| CliError::usage("answer-refused", message);
    let names: Vec<&str> = open
        .iter()
        .map(|question| question.approval.as_str())
        .collect();
    match wanted {
        Wanted::One(Some(name)) if pending.iter().any(|known| known == name) => Err(refused(
            format!("`{name}` of run {run} has been answered already"),
        )
        .hint("the answer is acted on as soon as a process carries out the run")),
        Wanted::One(Some(name)) => match open.iter().find(|question| question.approval == *name) {
            Some(question) => Ok(vec![question]),
            None => Err(refused(format!("run {run} has no open question `{name}`"))
                .some_hint(did_you_mean(name, names.iter().copied()))
                .or_hint("`holloway runs show RUN` shows what is open")),
        },
        _ if open.is_empty() => Err(refused(format!("run {run} has no open question"))
            .hint("`holloway runs show RUN` shows how the run stands")),
        Wanted::One(None) if open.len() > 1 => {
            Err(refused(format!("run {run} has several open questions"))
                .hint(format!("say which: {}; or --all", names.join(", "))))
        }
        Wanted::One(None) => Ok(open),
        Wanted::All => match open
            .iter()
            .copied()
            .filter(|question| is_answered_with_others(question))
            .collect()
        {
            none if Vec::is_empty(&none) => Err(refused(format!(
                "what is open of run {run} needs an answer of its own: {}",
                names.join(", ")
            ))
            .hint(format!(
                "name it: `holloway runs approve {run} {}`",
                names.join("|")
            ))),
            some => Ok(some),
        },
    }
}

/// Whether a yes to everything may answer it. A call that may have happened would perhaps be
/// made twice, and a sensitive place is opened by name only.
fn is_answered_with_others(question: &Question) -> bool {
    question.about != About::Doubt && !question.sensitive
}

fn tell(
    run: &RunId,
    names: &[&str],
    left: &[&Question],
    done: &str,
    owner: Option<&Owner>,
    session: &Session,
) -> Result<Exit, CliError> {
    if session.json {
        let open: Vec<&str> = left.iter().map(|question| &*question.approval).collect();
        print::object(
            &json!({"run": run, "answered": names, "still_open": open, "decision": done, "owner": owner}),
        )?;
        return Ok(Exit::Done);
    }
    let next = match owner {
        Some(owner) => format!("process {} goes on with run {run}", owner.pid),
        None => format!("nobody carries out the run now; go on with: holloway runs resume {run}"),
    };
    print::result(&format!("{done} {}; {next}", names.join(", ")))?;
    for question in left {
        let text = print::one_line(&question.text, 200);
        let approval = &question.approval;
        print::note(&format!(
            "{approval} needs an answer of its own: {text} (holloway runs approve {run} {approval})"
        ));
    }
    Ok(Exit::Done)
}
