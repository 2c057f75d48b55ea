//! May this call be made? Stands between the engine and a source: compares
//! definitions with what was accepted, and consent with what the tool does now.
//! `cleaning` takes secrets out of what comes back, `learning` notes how it went.
//!
//! Invariant: no call reaches a source whose definitions were not compared since
//! they could last have changed: for a source that may change them in silence, since
//! the call was asked for.

mod cleaning;
mod comparing;
mod learning;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest, Clock};
use holloway_flow::catalog::admit::{Admission, Gate, admit};
use holloway_flow::catalog::breaker::{Breaker, Verdict};
use holloway_flow::catalog::effect::EffectOverrides;
use holloway_flow::catalog::offer::{Offer, Package};
use holloway_flow::catalog::{Catalog, CatalogTool, SourceId, SourceNote};
use holloway_flow::run_store::StoreFailure;
use holloway_plan::tool::{Effect, ToolId};

use self::comparing::{Compared, Known};
use self::learning::Abandoned;
use super::{SourceError, SourceErrorKind, ToolSource};
use holloway_tools::secrets::Secrets;

/// How often definitions are compared for one call before it is given up.
const COMPARISONS: usize = 5;

const REPORT: &str = "this is a mistake in Holloway; please report it";

/// A source with everything that watches over it.
pub struct GuardedSource {
    id: SourceId,
    source: Arc<dyn ToolSource>,
    /// What it runs, as it was when it was added.
    package: Option<Package>,
    catalog: Arc<dyn Catalog>,
    overrides: Arc<EffectOverrides>,
    secrets: Secrets,
    clock: Arc<dyn Clock>,
    breaker: Mutex<Breaker>,
    /// One comparison at a time; later callers find its outcome.
    compared: tokio::sync::Mutex<Option<Compared>>,
    /// Counts arrivals of calls and beginnings of lists, to tell which came first.
    moments: AtomicU64,
    noted: Mutex<BTreeMap<ToolId, u64>>,
}

/// What asking a source anew has led to.
#[derive(Clone, Debug)]
pub struct Refreshed {
    /// All its tools as they stand now.
    pub tools: Vec<CatalogTool>,
    pub admission: Admission,
}

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
            package: source.package(),
            source,
            catalog,
            overrides,
            secrets,
            clock,
            breaker: Mutex::default(),
            compared: tokio::sync::Mutex::new(None),
            moments: AtomicU64::new(0),
            noted: Mutex::default(),
        }
    }

    /// The package as it was installed, where the source itself does not know it.
    pub fn of_package(mut self, package: Option<Package>) -> Self {
        self.package = package.or(self.package);
        self
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
        let result = self.cleaned(result).await;
        self.learn(&request.tool, &result, started).await;
        result
    }

    async fn attempt(
        &self,
        definition: &str,
        request: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let request = self.with_clean_line(request);
        for _ in 0..COMPARISONS {
            let (generation, accepted) = self.accepted().await?;
            match accepted.get(&request.tool) {
                Some(Known::Ready {
                    definition: now, ..
                }) if now != definition => return Err(accepted_anew(&request.tool)),
                Some(Known::Ready { effect, .. }) if *effect > request.effect => {
                    return Err(graver(&request.tool, *effect));
                }
                Some(Known::Ready { .. }) => {}
                Some(Known::Held { why, difference }) => {
                    return Err(held_back(&request.tool, why, difference));
                }
                None => return Err(held_back(&request.tool, "it was never offered", "")),
            }
            if let Some(result) = self.source.call_at(generation, &request).await {
                return result;
            }
        }
        let message = format!(
            "the definitions of {} change faster than they can be compared",
            self.id
        );
        Err(ToolFailure::transient(message))
    }

    /// Asks the source for its tools and brings the catalogue up to date.
    /// `first_time` when a person is adding the source and sees what it offers.
    pub async fn refresh(&self, first_time: bool) -> Result<Refreshed, SourceError> {
        let (_, offers) = self.source.listed().await?;
        self.admit(offers, first_time).await
    }

    /// Compares what is offered with the catalogue and brings that up to date.
    async fn admit(
        &self,
        mut offers: Vec<Offer>,
        first_time: bool,
    ) -> Result<Refreshed, SourceError> {
        for offer in &mut offers {
            self.clean_offer(offer);
        }
        let catalog = Arc::clone(&self.catalog);
        let id = self.id.clone();
        let (package, now) = (self.package.clone(), self.clock.now_ms());
        let compare = move || {
            let (known, others) = own_and_others(catalog.tools()?, &id);
            let gate = Gate {
                package: package.as_ref(),
                // The user's word is laid over when tools are used: another project may differ.
                overrides: &EffectOverrides::new(),
                others: &others,
                first_time,
            };
            let admission = admit(&known, &offers, &gate);
            catalog.put_tools(&admission.changed)?;
            note_refresh(&*catalog, &id, now)?;
            Ok(Refreshed {
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

/// Consent was given to something milder.
fn graver(tool: &ToolId, effect: Effect) -> ToolFailure {
    let message = format!("{tool} counts as `{effect}` now, which is more than was planned for");
    ToolFailure::denied(message).with_hint("start the plan anew, so that it is asked about")
}

/// A run is bound to the definitions it began with.
fn accepted_anew(tool: &ToolId) -> ToolFailure {
    let message = format!("{tool} was accepted with another definition since this run began");
    ToolFailure::denied(message).with_hint("start the plan anew, with the tool as it is now")
}

fn held_back(tool: &ToolId, why: &str, difference: &str) -> ToolFailure {
    let mut message = format!("{tool} is held back: {why}");
    if !difference.is_empty() {
        message = format!("{message}\n{difference}");
    }
    ToolFailure::denied(message).with_hint(format!(
        "`holloway tools pin {tool}` shows what changed; `--accept` takes it"
    ))
}

#[cfg(test)]
mod tests;
