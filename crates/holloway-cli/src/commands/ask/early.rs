//! What may begin while a model is still writing the plan? Safe steps that only read: each
//! is run as a plan of its own, and the real run finds its result in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holloway_engine::driver::Nobody;
use holloway_engine::mark::Issued;
use holloway_engine::options::{Consent, RunOptions};
use holloway_flow::prepare::{Order, new_run};
use holloway_flow::runner::Runner;
use holloway_plan::digest;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_store::Store;
use holloway_tools::clock::SystemClock;
use serde_json::json;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::super::run::command_line;
use crate::error::CliError;
use crate::model::counter;
use crate::run_name;
use crate::session::{Session, now_ms};
use crate::workbench::Workbench;

/// More steps than this do not begin early.
const BEGUN_AT_MOST: usize = 8;
/// How long a step that took too long has to stop.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Begins steps in the background.
pub(super) struct Early {
    /// Nothing begins unless the settings allow it.
    store: Option<Store>,
    workbench: Workbench,
    options: RunOptions,
    limits: Limits,
    began: AtomicBool,
    under_way: Mutex<Vec<JoinHandle<()>>>,
    /// Digests of what was begun: strategies often begin alike.
    begun: Mutex<BTreeSet<String>>,
}

impl Early {
    pub(super) fn new(workbench: &Workbench, session: &Session) -> Result<Self, CliError> {
        let settings = &session.config()?.settings;
        // Nobody could answer a question while the plan is still being written.
        let asks_nobody = settings.approvals.read == Consent::Allow;
        let model = settings.model.as_ref();
        let allowed = asks_nobody && model.is_some_and(|model| model.early_start);
        let store = if allowed {
            Some(session.store()?.clone())
        } else {
            None
        };
        Ok(Self {
            store,
            workbench: workbench.clone(),
            options: RunOptions {
                memoize: true,
                memory_scope: workbench.memory_scope(),
                ..settings.options()
            },
            limits: session.limits.clone(),
            began: AtomicBool::new(false),
            under_way: Mutex::default(),
            begun: Mutex::default(),
        })
    }

    /// Whether something was begun.
    pub(super) fn began(&self) -> bool {
        self.began.load(Ordering::SeqCst)
    }

    /// Waits for all that was begun.
    pub(super) async fn finish(&self) {
        let begun = std::mem::take(&mut *self.under_way());
        for task in begun {
            let _ = task.await;
        }
    }

    fn under_way(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a plan is new, and not one too many.
    fn is_new(&self, plan: &Plan) -> bool {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.len() < BEGUN_AT_MOST && begun.insert(digest::of_json(&plan.draft().steps))
    }

    /// A step that fails here is simply made again by the real run.
    pub(super) fn start(&self, plan: Plan) {
        if self.store.is_none() || !self.is_new(&plan) {
            return;
        }
        let (Some(store), Ok(run)) = (self.store.clone(), run_name::new(now_ms())) else {
            return;
        };
        let Ok(claim) = store.claim(&run, &command_line()) else {
            return;
        };
        let order = Order {
            run: run.clone(),
            context: json!({"input": {}}),
            marks: Issued::new(),
            options: self.options.clone(),
            reuse: BTreeMap::new(),
            forked_from: None,
            terms: self.workbench.terms(false),
            knowledge: None,
            asked: None,
        };
        let Ok(ready) = new_run(plan, order, &store, &self.limits, now_ms()) else {
            return;
        };
        self.began.store(true, Ordering::SeqCst);
        let patience = Duration::from_millis(self.options.default_timeout_ms);
        let runner = Runner {
            tools: Arc::new(self.workbench.toolbox.clone()),
            clock: Arc::new(SystemClock),
            store: Arc::new(store),
            counter: counter(),
        };
        let task = tokio::spawn(async move {
            let _claim = claim;
            let running = runner.start(&run, ready);
            let control = running.control();
            let mut nobody = Nobody;
            let ending = running.finish(&mut nobody);
            tokio::pin!(ending);
            if timeout(patience, &mut ending).await.is_err() {
                control.cancel("holloway");
                let _ = timeout(LAST_WORDS, ending).await;
            }
        });
        self.under_way().push(task);
    }
}
