//! May this call be made, and what does it teach? Stands between the engine and a
//! source: compares definitions with what was accepted, leaves a failing source
//! alone for a while, cleans results of secrets, notes how the tool did.
//!
//! Invariant: no call reaches a source whose definitions were not compared since
//! they could last have changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::ports::{CallOutput, CallRequest, Clock};
use holloway_flow::catalog::admit::{Admission, Gate, admit};
use holloway_flow::catalog::breaker::{Breaker, Verdict};
use holloway_flow::catalog::effect::EffectOverrides;
use holloway_flow::catalog::health::{Sign, sign_of};
use holloway_flow::catalog::{Catalog, CatalogTool, SourceId, SourceNote, Standing};
use holloway_flow::run_store::StoreFailure;
use holloway_plan::tool::ToolId;

use super::{SourceError, SourceErrorKind, ToolSource};
use crate::secrets::Secrets;

/// A tool that works is noted this often at most.
const NOTE_EVERY_MS: u64 = 60_000;

/// How often definitions are compared for one call before it is given up.
const COMPARISONS: usize = 5;

const REPORT: &str = "this is a mistake in Holloway; please report it";

/// A source with everything that watches over it.
pub struct GuardedSource {
    id: SourceId,
    source: Arc<dyn ToolSource>,
    catalog: Arc<dyn Catalog>,
    overrides: Arc<EffectOverrides>,
    secrets: Secrets,
    clock: Arc<dyn Clock>,
    breaker: Mutex<Breaker>,
    /// One comparison at a time; later callers find its outcome.
    compared: tokio::sync::Mutex<Option<Compared>>,
    noted: Mutex<BTreeMap<ToolId, u64>>,
}

/// What asking a source anew has led to.
#[derive(Clone, Debug)]
pub struct Refreshed {
    generation: u64,
    /// All its tools as they stand now.
    pub tools: Vec<CatalogTool>,
    pub admission: Admission,
}

/// What a comparison with the catalogue gave.
struct Compared {
    generation: u64,
    accepted: Accepted,
}

/// Accepted definitions by tool; a tool that is not here may not be called.
type Accepted = Arc<BTreeMap<ToolId, String>>;

impl GuardedSource {
    pub fn new(
        id: SourceId,
        source: Arc<dyn ToolSource>,
        catalog: Arc<dyn Catalog>,
        overrides: Arc<EffectOverrides>,
        secrets: Secrets,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            id,
            source,
            catalog,
            overrides,
            secrets,
            clock,
            breaker: Mutex::default(),
            compared: tokio::sync::Mutex::new(None),
            noted: Mutex::default(),
        }
    }

    pub fn id(&self) -> &SourceId {
        &self.id
    }

    /// Starts the source and compares its tools, so that the first call need not wait.
    pub async fn warm_up(&self) {
        // A source that does not start says so when it is called.
        let _ = self.accepted().await;
    }

    pub async fn close(&self) {
        self.source.close().await;
    }

    /// Makes a call of a tool that was accepted with this definition.
    pub async fn call(
        &self,
        definition: &str,
        request: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        self.wait_for_breaker()?;
        let started = Instant::now();
        let watch = Abandoned(Some(self));
        let result = self.attempt(definition, request).await;
        watch.ended();
        let result = self.cleaned(result);
        self.learn(&request.tool, &result, started).await;
        result
    }

    async fn attempt(
        &self,
        definition: &str,
        request: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        for _ in 0..COMPARISONS {
            let (generation, accepted) = self.accepted().await?;
            if accepted.get(&request.tool).map(String::as_str) != Some(definition) {
                return Err(held_back(&request.tool));
            }
            if let Some(result) = self.source.call_at(generation, request).await {
                return result;
            }
        }
        let message = format!(
            "the definitions of {} change faster than they can be compared",
            self.id
        );
        Err(ToolFailure::transient(message))
    }

    /// The definitions that may be used, compared anew when they may have changed.
    async fn accepted(&self) -> Result<(u64, Accepted), ToolFailure> {
        let mut compared = self.compared.lock().await;
        if let Some(known) = &*compared
            && known.generation == self.source.generation()
        {
            return Ok((known.generation, Arc::clone(&known.accepted)));
        }
        let refreshed = self.refresh(false).await?;
        let accepted = Arc::new(accepted(refreshed.tools));
        *compared = Some(Compared {
            generation: refreshed.generation,
            accepted: Arc::clone(&accepted),
        });
        Ok((refreshed.generation, accepted))
    }

    /// Asks the source for its tools and brings the catalogue up to date.
    /// `first_time` when a person is adding the source and sees what it offers.
    pub async fn refresh(&self, first_time: bool) -> Result<Refreshed, SourceError> {
        let offers = self.source.offers().await?;
        // What changes while we compare is compared again before the next call.
        let generation = self.source.generation();
        let catalog = Arc::clone(&self.catalog);
        let (id, overrides) = (self.id.clone(), Arc::clone(&self.overrides));
        let (package, now) = (self.source.package(), self.clock.now_ms());
        let compare = move || {
            let (known, others) = own_and_others(catalog.tools()?, &id);
            let gate = Gate {
                package: package.as_ref(),
                overrides: &overrides,
                others: &others,
                first_time,
            };
            let admission = admit(&known, &offers, &gate);
            catalog.put_tools(&admission.changed)?;
            note_refresh(&*catalog, &id, now)?;
            Ok(Refreshed {
                generation,
                tools: current(known, &admission.changed),
                admission,
            })
        };
        let outcome = tokio::task::spawn_blocking(compare).await;
        outcome.unwrap_or_else(|_| {
            let message = "comparing definitions broke down";
            Err(SourceError::new(SourceErrorKind::Catalog, message, REPORT))
        })
    }

    fn wait_for_breaker(&self) -> Result<(), ToolFailure> {
        let now = self.clock.now_ms();
        match self.breaker().ask(now) {
            Verdict::Go => Ok(()),
            Verdict::Wait { until_ms } => {
                let message = format!(
                    "{} failed several times in a row and is left alone for {} ms",
                    self.id,
                    until_ms.saturating_sub(now)
                );
                let hint = format!("`holloway tools health {}` tells more", self.id);
                Err(ToolFailure::transient(message).with_hint(hint))
            }
        }
    }

    fn breaker(&self) -> std::sync::MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cleaned(&self, result: Result<CallOutput, ToolFailure>) -> Result<CallOutput, ToolFailure> {
        match result {
            Ok(mut output) => {
                self.secrets.clean_value(&mut output.value);
                Ok(output)
            }
            Err(mut failure) => {
                failure.message = self.secrets.clean(&failure.message);
                failure.hint = failure.hint.map(|hint| self.secrets.clean(&hint));
                Err(failure)
            }
        }
    }

    /// Notes how it went, for the breaker and for the tool's health.
    async fn learn(
        &self,
        tool: &ToolId,
        result: &Result<CallOutput, ToolFailure>,
        started: Instant,
    ) {
        let now = self.clock.now_ms();
        let sign = match result {
            Ok(_) => Sign::Worked {
                duration_ms: started.elapsed().as_millis() as u64,
            },
            Err(failure) => sign_of(failure),
        };
        match result {
            Err(failure) if is_fault_of_source(failure) => self.breaker().failed(now),
            _ => self.breaker().answered(),
        }
        if !self.is_worth_noting(tool, &sign, now) {
            return;
        }
        let (catalog, tool) = (Arc::clone(&self.catalog), tool.clone());
        // A note that cannot be kept must not fail the call.
        let _ = tokio::task::spawn_blocking(move || catalog.note(&tool, &sign, now)).await;
    }

    fn is_worth_noting(&self, tool: &ToolId, sign: &Sign, now: u64) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(sign, Sign::Worked { .. }) {
            noted.remove(tool);
            return true;
        }
        let last = noted.get(tool).copied();
        let due = last.is_none_or(|last| now.saturating_sub(last) >= NOTE_EVERY_MS);
        if due {
            noted.insert(tool.clone(), now);
        }
        due
    }
}

/// A call that is dropped before it has ended counts as unanswered.
struct Abandoned<'a>(Option<&'a GuardedSource>);

impl Abandoned<'_> {
    fn ended(mut self) {
        self.0 = None;
    }
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        if let Some(source) = self.0 {
            let now = source.clock.now_ms();
            source.breaker().failed(now);
        }
    }
}

/// The tools of one source, and the ids of all others.
fn own_and_others(tools: Vec<CatalogTool>, id: &SourceId) -> (Vec<CatalogTool>, Vec<ToolId>) {
    let (own, others): (Vec<_>, Vec<_>) = tools
        .into_iter()
        .partition(|tool| tool.spec.id.source() == id.as_str());
    let others = others.into_iter().map(|tool| tool.spec.id).collect();
    (own, others)
}

/// The tools as they stand after changes.
fn current(known: Vec<CatalogTool>, changed: &[CatalogTool]) -> Vec<CatalogTool> {
    let mut tools: BTreeMap<ToolId, CatalogTool> = BTreeMap::new();
    for tool in known.into_iter().chain(changed.iter().cloned()) {
        tools.insert(tool.spec.id.clone(), tool);
    }
    tools.into_values().collect()
}

fn accepted(tools: Vec<CatalogTool>) -> BTreeMap<ToolId, String> {
    tools
        .into_iter()
        .filter(|tool| tool.standing == Standing::Ready)
        .map(|tool| (tool.spec.id, tool.spec.definition))
        .collect()
}

fn note_refresh(catalog: &dyn Catalog, id: &SourceId, now: u64) -> Result<(), StoreFailure> {
    let known = catalog.sources()?;
    match known.into_iter().find(|source| &source.id == id) {
        Some(source) => {
            let note = SourceNote::Refreshed { at_ms: now };
            catalog.note_source(id, source.added_ms, &note).map(drop)
        }
        None => Ok(()),
    }
}

/// The source failed rather than the tool: it did not start, broke off, or was silent.
fn is_fault_of_source(failure: &ToolFailure) -> bool {
    failure.name == FailureName::Timeout
        || (failure.name == FailureName::ToolFailed && failure.retryable)
}

fn held_back(tool: &ToolId) -> ToolFailure {
    let message = format!("{tool} is held back: it is not what was accepted");
    ToolFailure::denied(message).with_hint(format!(
        "`holloway tools pin {tool}` shows what changed; `--accept` takes it"
    ))
}

impl From<&SourceError> for Sign {
    fn from(error: &SourceError) -> Self {
        sign_of(&ToolFailure::from(error.clone()))
    }
}
