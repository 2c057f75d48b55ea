//! Which plan is meant? `-` for standard input, the name of a saved plan, a file, the id of a
//! plan that was made, or the name of a template; and is it sound? A file that lies in the current
//! folder does not take the place of a plan that somebody has saved.

use std::path::PathBuf;

use holloway_flow::template::shipped;
use holloway_plan::plan::Plan;
use holloway_plan::problem::{Problems, did_you_mean};
use holloway_plan::read::read_text;
use holloway_plan::tool::ToolTable;
use holloway_plan::validate::{PlanLibrary as _, Surroundings, validate};

use crate::error::{CliError, Unsound};
use crate::from_here::from_here;
use crate::input;
use crate::plan_library::Library;
use crate::print;
use crate::session::Session;

/// A plan as text.
pub(crate) struct PlanText {
    /// How messages speak of it.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Where plans it names are looked for.
    /// Nothing for a plan that Holloway keeps itself.
    pub(crate) folder: Option<PathBuf>,
}

impl PlanText {
    pub(crate) fn find(wanted: &str, session: &Session) -> Result<Self, CliError> {
        if wanted == "-" {
            return Ok(Self {
                name: "standard input".to_owned(),
                text: input::text_of("-", &session.folder)?,
                folder: Some(session.folder.clone()),
            });
        }
        let path = from_here(&session.folder, wanted);
        let is_saved = is_word(wanted) && is_known(wanted, session)?;
        if is_saved && path.is_file() {
            print::note(&format!(
                "`{wanted}` is a plan of this name that Holloway keeps; for the file of this name, write ./{wanted}"
            ));
        }
        if path.is_file() && !is_saved {
            return Ok(Self {
                name: wanted.to_owned(),
                text: input::text_of(wanted, &session.folder)?,
                folder: Some(
                    path.parent()
                        .map_or_else(|| session.folder.clone(), PathBuf::from),
                ),
            });
        }
        if path.exists() && !is_known(wanted, session)? {
            let message = format!("`{wanted}` is a folder or a special file, not a plan");
            return Err(CliError::usage("plan-not-found", message)
                .hint("name a .yaml or .json file, or `-` for standard input"));
        }
        Self::saved(wanted, session)
    }

    fn saved(wanted: &str, session: &Session) -> Result<Self, CliError> {
        let store = session.store()?;
        let Some(plan) = store.saved_plan(wanted)? else {
            if let Some(made) = store.made_plan(wanted)? {
                return Ok(Self {
                    name: format!("the {} plan {wanted}", made.strategy),
                    text: print::pretty(&made.card.get("plan")),
                    folder: None,
                });
            }
            if let Some(template) = shipped::find(wanted) {
                return Ok(Self {
                    name: format!("template {wanted}"),
                    text: template.text.to_owned(),
                    folder: None,
                });
            }
            let library = Library::new(session, Some(session.folder.clone()));
            let known = library.names();
            return Err(CliError::usage(
                "plan-not-found",
                format!("there is no file, saved plan or template `{wanted}`"),
            )
            .some_hint(did_you_mean(wanted, known.iter().map(String::as_str)))
            .or_hint("name a .yaml or .json file; `holloway plans` lists saved plans, `holloway templates` templates"));
        };
        Ok(Self {
            name: format!("saved plan {wanted}"),
            text: print::pretty(&plan),
            folder: None,
        })
    }

    /// Checks the plan against the tools there are.
    pub(crate) fn check(self, tools: &ToolTable, session: &Session) -> Result<Plan, CliError> {
        let checked = self.checked(tools, session);
        checked.map_err(|problems| {
            CliError::Plan(Box::new(Unsound {
                name: self.name,
                text: self.text,
                problems,
            }))
        })
    }

    fn checked(&self, tools: &ToolTable, session: &Session) -> Result<Plan, Problems> {
        let document = read_text(&self.text, &session.limits)?;
        let library = Library::new(session, self.folder.clone());
        let around = Surroundings {
            tools,
            plans: &library,
            context: &[],
            limits: &session.limits,
        };
        validate(&document.draft, &around).map_err(|problems| document.locate(problems))
    }
}

/// One word can be a name; whatever has a slash in it is a path.
fn is_word(wanted: &str) -> bool {
    !wanted.contains('/')
}

/// Whether Holloway keeps a plan or has a template of this name.
fn is_known(name: &str, session: &Session) -> Result<bool, CliError> {
    if shipped::find(name).is_some() {
        return Ok(true);
    }
    if !session.has_store()? {
        return Ok(false);
    }
    let store = session.store()?;
    Ok(store.saved_plan(name)?.is_some() || store.made_plan(name)?.is_some())
}
