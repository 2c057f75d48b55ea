//! Which model is asked, for plans and within runs? The one of `[model]`, if there is one, and those
//! that stand in for it; their keys are secrets of this machine, looked up by name when they are sent.

use std::sync::Arc;

use holloway_engine::model::{Fallbacks, Model};
use holloway_engine::tokens::Counter;
use holloway_flow::model::propose::Terms;
use holloway_flow::model::spend::Allowance;
use holloway_models::{Client, Keys, O200k, Settings};
use holloway_tools::ModelAtHand;
use holloway_tools::secrets::Secrets;

use crate::error::CliError;
use crate::secret_file::SecretFile;
use crate::session::Session;

/// The model that is configured.
#[derive(Clone)]
pub(crate) struct Configured {
    first: Arc<Client>,
    /// The first one with those that stand in for it.
    pub(crate) model: Arc<dyn Model>,
}

/// How many tokens a usual question of a step has, and its answer; prices are told for these.
const USUAL: (f64, f64) = (1_500.0, 300.0);
/// How long it usually takes, where nothing is known.
const USUAL_MS: u64 = 4_000;
/// An answer is mended once.
const ANSWERS: u64 = 2;

pub(crate) fn configured(session: &Session) -> Result<Option<Configured>, CliError> {
    let Some(settings) = session.config()?.settings.model.clone() else {
        return Ok(None);
    };
    let keys = Arc::new(Kept(SecretFile::open()?.secrets()));
    let client = |settings: Settings| {
        let client = Client::new(settings, Arc::clone(&keys) as _).map_err(|error| {
            let hint = error.hint;
            CliError::usage("config-invalid", error.to_string()).hint(hint)
        });
        client.map(Arc::new)
    };
    let others = settings.fallback.iter().cloned();
    let others = others
        .map(|settings| Ok(client(settings)? as Arc<dyn Model>))
        .collect::<Result<Vec<_>, CliError>>()?;
    let first = client(settings)?;
    let model: Arc<dyn Model> = if others.is_empty() {
        Arc::clone(&first) as _
    } else {
        Arc::new(Fallbacks::new(Arc::clone(&first) as _, others))
    };
    Ok(Some(Configured { first, model }))
}

impl Configured {
    /// The terms of the settings, within what may be spent.
    pub(crate) fn terms(&self, allowance: Allowance) -> Terms {
        self.first.terms(allowance)
    }

    /// For the tools that ask it.
    pub(crate) fn at_hand(&self) -> ModelAtHand {
        let settings = self.first.settings();
        let (read, written) = USUAL;
        let price = (read * settings.price_in + written * settings.price_out) / 1e6;
        ModelAtHand {
            model: Arc::clone(&self.model),
            price: (price > 0.0).then_some(price),
            latency_ms: USUAL_MS,
            temperature: settings.temperature,
            max_tokens: settings.max_tokens,
            timeout_ms: settings.timeout_ms,
        }
    }
}

/// How long one call of a tool that asks may take: for the answer of each model, and once more.
pub(crate) fn call_timeout_ms(settings: &Settings) -> u64 {
    let others = settings.fallback.iter().map(|other| other.timeout_ms);
    let all = others.fold(settings.timeout_ms, u64::saturating_add);
    all.saturating_mul(ANSWERS)
}

/// Counts tokens as the models in use do.
pub(crate) fn counter() -> Counter {
    Counter::new(Arc::new(O200k))
}

/// The secrets of this machine as keys.
struct Kept(Secrets);

impl Keys for Kept {
    fn key(&self, name: &str) -> Option<String> {
        let secret = self.0.resolve(&format!("${{{name}}}")).ok()?;
        Some(secret.reveal().to_owned())
    }

    fn clean(&self, text: &str) -> String {
        self.0.clean(text)
    }
}
