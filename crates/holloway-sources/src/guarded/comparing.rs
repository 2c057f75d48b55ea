//! Are definitions still those that were accepted? A source that may change them in
//! silence is asked for its list before each call. Calls that wait at the same time
//! share a list, but only one that was asked for after each of them.
//!
//! A list that is the same as the one before is not compared with the catalogue again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use holloway_engine::failure::ToolFailure;
use holloway_flow::catalog::admit::{changes, describe_differences};
use holloway_flow::catalog::effect::{EffectOverrides, said_by_user};
use holloway_flow::catalog::offer::Offer;
use holloway_flow::catalog::{CatalogTool, Standing};
use holloway_plan::digest;
use holloway_plan::tool::{Effect, ToolId};
use serde_json::Value;

use super::GuardedSource;
use crate::SourceError;

/// More of a difference than this is left to `holloway tools pin`.
const LONGEST_DIFFERENCE: usize = 800;

/// What the last comparison gave.
pub(super) struct Compared {
    /// When its list was asked for.
    begun: u64,
    generation: u64,
    /// Of the list as it came.
    list: String,
    accepted: Accepted,
}

/// How each tool stands; one that is not here was never offered.
pub(super) type Accepted = Arc<BTreeMap<ToolId, Known>>;

pub(super) enum Known {
    Ready {
        definition: String,
        effect: Effect,
    },
    /// Why it may not be called, and how it differs from what was accepted.
    Held {
        why: &'static str,
        difference: String,
    },
}

impl GuardedSource {
    /// How tools stand, compared anew when definitions may have changed.
    pub(super) async fn accepted(&self) -> Result<(u64, Accepted), ToolFailure> {
        let arrived = self.moment();
        let mut compared = self.compared.lock().await;
        if let Some(known) = &*compared
            && self.still_holds(known, arrived)
        {
            return Ok((known.generation, Arc::clone(&known.accepted)));
        }
        let now = self.compare(compared.as_ref()).await.map_err(|error| {
            // It did not start or does not list: that is the source's own fault.
            self.breaker().failed(self.clock.now_ms());
            ToolFailure::from(error)
        })?;
        let given = (now.generation, Arc::clone(&now.accepted));
        *compared = Some(now);
        Ok(given)
    }

    fn still_holds(&self, known: &Compared, arrived: u64) -> bool {
        let listed_since = known.begun > arrived || !self.source.changes_silently();
        known.generation == self.source.generation() && listed_since
    }

    async fn compare(&self, former: Option<&Compared>) -> Result<Compared, SourceError> {
        let begun = self.moment();
        let (generation, offers) = self.source.listed().await?;
        let list = digest_of(&offers);
        let same = former.filter(|former| former.list == list);
        let accepted = if let Some(former) = same {
            Arc::clone(&former.accepted)
        } else {
            let refreshed = self.admit(offers, false).await?;
            Arc::new(standing(refreshed.tools, &self.overrides))
        };
        Ok(Compared {
            begun,
            generation,
            list,
            accepted,
        })
    }

    fn moment(&self) -> u64 {
        self.moments.fetch_add(1, Ordering::Relaxed)
    }
}

fn digest_of(offers: &[Offer]) -> String {
    let definitions: Vec<(&ToolId, &Value)> = offers
        .iter()
        .map(|offer| (&offer.id, &offer.definition))
        .collect();
    digest::of_json(&definitions)
}

fn standing(tools: Vec<CatalogTool>, overrides: &EffectOverrides) -> BTreeMap<ToolId, Known> {
    let known = tools.into_iter().map(|tool| {
        let known = match tool.standing {
            Standing::Ready => Known::Ready {
                effect: said_by_user(&tool.spec.id, overrides)
                    .map_or(tool.spec.effect, |said| said.effect),
                definition: tool.spec.definition.clone(),
            },
            Standing::Held { .. } | Standing::Gone => Known::Held {
                why: tool.standing.obstacle().unwrap_or_default(),
                difference: difference(&tool),
            },
        };
        (tool.spec.id, known)
    });
    known.collect()
}

/// Nothing for a tool that was never accepted: all of it is new.
fn difference(tool: &CatalogTool) -> String {
    if !tool.was_accepted() {
        return String::new();
    }
    let text = describe_differences(&changes(tool));
    let text = text.trim_end();
    match text.char_indices().nth(LONGEST_DIFFERENCE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
