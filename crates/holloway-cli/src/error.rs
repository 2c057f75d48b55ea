//! How does a command end? With an exit code, or with an error that has a code to
//! look up, one sentence and a hint. Exit codes follow from the kind alone.

use std::borrow::Cow;
use std::process::ExitCode;

use holloway_engine::driver::DriverError;
use holloway_flow::prepare::PrepareError;
use holloway_flow::reuse::ReuseError;
use holloway_flow::run_store::StoreFailure;
use holloway_flow::stored_plan::StoredPlanError;
use holloway_plan::problem::Problems;
use holloway_store::StoreError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    Failed,
    Usage,
    Interrupted,
}

impl Exit {
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
        })
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum CliError {
    Told(Box<Told>),
    /// The plan is not sound.
    Plan(Box<Unsound>),
    /// Nobody reads what is printed any more.
    Closed,
    /// A person or the system wants it to end.
    Interrupted,
}

/// An error in words.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) exit: Exit,
    /// Names a page in `docs/errors/`.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<Cow<'static, str>>,
}

/// What is wrong with a plan, and the text it is wrong in.
#[derive(Debug)]
pub(crate) struct Unsound {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) problems: Problems,
}

impl CliError {
    fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self::Told(Box::new(Told {
            exit,
            code,
            message: message.into(),
            hint: None,
        }))
    }

    /// Something was asked for that does not make sense.
    pub(crate) fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, code, message)
    }

    /// It made sense but did not work.
    pub(crate) fn failed(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Exit::Failed, code, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        if let Self::Told(told) = &mut self {
            told.hint = Some(hint.into());
        }
        self
    }

    /// The hint to give when there is no better one.
    pub(crate) fn or_hint(mut self, hint: &'static str) -> Self {
        if let Self::Told(told) = &mut self {
            told.hint.get_or_insert(hint.into());
        }
        self
    }

    pub(crate) fn some_hint(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}

impl CliError {
    /// What went wrong, where the command goes on all the same.
    pub(crate) fn sentence(&self) -> &str {
        match self {
            Self::Told(told) => &told.message,
            Self::Plan(_) => "a plan is not sound",
            Self::Closed => "nobody reads what is printed",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What a person asked for does not exist or is taken; the rest is the machine's fault.
fn exit_of(code: &str) -> Exit {
    match code {
        "run-unknown" | "run-name" | "run-exists" | "run-owned" => Exit::Usage,
        _ => Exit::Failed,
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let code = error.code();
        Self::new(exit_of(code), code, error.to_string()).hint(error.hint())
    }
}

impl From<StoreFailure> for CliError {
    fn from(failure: StoreFailure) -> Self {
        Self::new(exit_of(failure.code), failure.code, failure.message).hint(failure.hint)
    }
}

impl From<PrepareError> for CliError {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::Store(failure) => failure.into(),
            PrepareError::Plan(error) => error.into(),
            PrepareError::Replay(error) => Self::failed("run-replay", error.to_string()).hint(
                "this journal was written by another version; use that one to resume the run",
            ),
            PrepareError::MissingInput(names) => {
                let example = names.first().map(|name| format!("--input {name}=…"));
                Self::usage(
                    "missing-input",
                    PrepareError::MissingInput(names).to_string(),
                )
                .hint(format!("give it with {}", example.unwrap_or_default()))
            }
            changed @ PrepareError::PlanChanged => {
                Self::usage("run-tools-changed", changed.to_string())
                    .hint("start the plan anew, or fork the run to keep its results")
            }
            PrepareError::Compile(error) => Self::failed("internal", error.to_string())
                .hint("this is a mistake in Holloway; please report it with the plan"),
            PrepareError::Schema(error) => Self::usage("invalid-schema", error.to_string())
                .hint("mend the JSON Schema that the message names"),
        }
    }
}

impl From<StoredPlanError> for CliError {
    fn from(error: StoredPlanError) -> Self {
        let message = error.to_string();
        match error {
            StoredPlanError::ToolsChanged(_) => Self::usage("run-tools-changed", message).hint(
                "`holloway runs fork RUN` goes on with the tools as they are now, and asks anew",
            ),
            StoredPlanError::Unreadable(_) | StoredPlanError::NotSound(_) => {
                Self::failed("run-replay", message)
                    .hint("this run was written by another version; use that one to resume it")
            }
        }
    }
}

impl From<ReuseError> for CliError {
    fn from(error: ReuseError) -> Self {
        let message = error.to_string();
        Self::usage("fork-refused", message).hint(match error {
            ReuseError::Changed { .. } => {
                "start from the first step that changed, or run the whole plan without --from"
            }
            _ => "`holloway runs show RUN` lists the steps of a run",
        })
    }
}

impl From<DriverError> for CliError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Journal(_) => Self::failed("journal-failed", error.to_string())
                .hint("nothing acknowledged is lost; resume the run when the disk is well again"),
            DriverError::Task(_) => Self::failed("internal", error.to_string())
                .hint("this is a mistake in Holloway; resuming the run is safe"),
        }
    }
}
