//! What is learned from a run that somebody asked for? It is remembered once it has reached its goal
//! and was what they wanted, also when another process has brought it to its end.

use holloway_engine::entry::RunId;
use holloway_flow::remember::{checks_itself, judged, past_run};
use holloway_flow::stored_plan::Asked;
use holloway_plan::plan::Plan;
use holloway_planner::recall::PastRun;

use super::verdict;
use crate::carry::Ended;
use crate::carry::interrupts::Interrupts;
use crate::error::{CliError, Exit};
use crate::secret_file::SecretFile;
use crate::session::Session;

/// What a run would teach.
pub(in crate::commands) struct Lesson {
    run: RunId,
    past: Option<PastRun>,
    is_checked: bool,
    question: bool,
}

impl Lesson {
    /// Taken before the run, which takes the plan.
    pub(in crate::commands) fn of(
        run: &RunId,
        asked: &Asked,
        plan: &Plan,
        dry_run: bool,
    ) -> Result<Self, CliError> {
        let secrets = SecretFile::open()?;
        let past = past_run(&asked.request, plan, &|text| secrets.holds(text));
        Ok(Self {
            run: run.clone(),
            past: past.filter(|_| asked.is_whole && !dry_run),
            is_checked: checks_itself(plan),
            question: asked.question,
        })
    }

    /// A run that brought nothing, or not what was wanted, is no example to follow.
    pub(in crate::commands) fn learn(
        self,
        ended: Ended,
        quiet: bool,
        interrupts: Option<&Interrupts>,
        session: &Session,
    ) -> Result<(), CliError> {
        let is_example = ended.exit == Exit::Done && ended.brought_something;
        let Some(past) = self.past.filter(|_| is_example) else {
            return Ok(());
        };
        let verdict = verdict::ask(self.question && !quiet, interrupts, session)?;
        if let Some(past) = judged(past, verdict, self.is_checked) {
            let past = serde_json::to_value(&past).unwrap_or_default();
            session.store()?.remember_run(self.run.as_str(), &past)?;
        }
        Ok(())
    }
}
