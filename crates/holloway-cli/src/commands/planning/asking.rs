//! How do `plan` and `ask` ask the configured model? With a note before the first question, what
//! it took afterwards, and on request with every question printed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use holloway_engine::model::{Ask, Model, ModelFailure, OnPiece, Reply};
use holloway_flow::flow::asking::ModelUse;
use holloway_flow::flow::{Planned, Planner};
use holloway_flow::model::propose::Terms;
use holloway_flow::model::spend::{Allowance, Spent};
use holloway_plan::plan::Plan;

use super::tell_notes;
use crate::arguments::AskModel;
use crate::error::{CliError, Exit};
use crate::model::configured;
use crate::print::{self, units, visible};
use crate::runtime;
use crate::session::Session;

/// The plans for a request: with a model, if one is configured, or else our own. `on_early` is
/// given what may begin at once, `afterwards` waits for it.
pub(in crate::commands) fn planned(
    (planner, request): (&Planner, &str),
    when: AskModel,
    on_early: &(dyn Fn(Plan) + Sync),
    afterwards: impl Future<Output = ()>,
    session: &Session,
) -> Result<Planned, CliError> {
    let when = match when {
        AskModel::Always => Some(ModelUse::Always),
        AskModel::Auto => Some(ModelUse::Auto),
        AskModel::Never => None,
    };
    let model = match when {
        Some(when) => configured(session)?.map(|model| (model, when)),
        None => None,
    };
    let Some((model, when)) = model else {
        let planned = planner.plan(request);
        tell_notes(&planned, session);
        return Ok(planned);
    };
    let terms = model.terms(Allowance::default());
    let asked = Announced {
        model: &*model.model,
        said: AtomicBool::new(session.json),
    };
    let planned = runtime::run(async {
        let asked = (&asked as &dyn Model, when);
        let planned = planner.plan_with(request, asked, &terms, on_early).await;
        afterwards.await;
        planned
    })?;
    tell_notes(&planned, session);
    tell_spent(&planned.spent, session);
    Ok(planned)
}

/// What asking took, for people.
fn tell_spent(spent: &Spent, session: &Session) {
    if session.json || spent.calls == 0 {
        return;
    }
    let money = match spent.money {
        money if money > 0.0 => format!(", {}", units::money(money)),
        _ => String::new(),
    };
    let cached = match spent
        .cached_tokens
        .saturating_mul(100)
        .checked_div(spent.tokens_in)
    {
        None | Some(0) => String::new(),
        Some(share) => format!(" ({share} % cached)"),
    };
    let times = units::count(spent.calls as usize, "time");
    let (read, written) = (spent.tokens_in, spent.tokens_out);
    print::note(&format!(
        "asked the model {times}: {read} tokens in{cached}, {written} out{money}"
    ));
}

/// Says which model is asked before the first question.
struct Announced<'a> {
    model: &'a dyn Model,
    said: AtomicBool,
}

impl Announced<'_> {
    fn announce(&self) {
        if !self.said.swap(true, Ordering::Relaxed) {
            print::note(&format!("asking {} …", visible(self.model.name())));
        }
    }
}

#[async_trait]
impl Model for Announced<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        self.announce();
        self.model.complete(ask).await
    }

    async fn stream(&self, ask: Ask, on_piece: &mut OnPiece<'_>) -> Result<Reply, ModelFailure> {
        self.announce();
        self.model.stream(ask, on_piece).await
    }
}

/// Prints every question that a model is asked about a request, as it is sent; without a model,
/// those that one would be asked with the reading of the embedded reader.
pub(in crate::commands) fn show_prompts(
    planner: &Planner,
    request: &str,
    when: AskModel,
    session: &Session,
) -> Result<Exit, CliError> {
    let model = match when {
        AskModel::Never => None,
        AskModel::Always | AskModel::Auto => configured(session)?,
    };
    let terms = match &model {
        Some(model) => model.terms(Allowance::default()),
        None => Terms {
            attempts: 1,
            ..Terms::default()
        },
    };
    let showing = Showing {
        model: model.as_ref().map(|model| &*model.model),
        shown: Mutex::default(),
    };
    let planned = runtime::run(async {
        let asked = (&showing as &dyn Model, ModelUse::Always);
        planner.plan_with(request, asked, &terms, &|_| {}).await
    })?;
    tell_spent(&planned.spent, session);
    let shown = showing.shown.into_inner().unwrap_or_default();
    print::result(&visible(&shown.join("\n\n")))?;
    Ok(Exit::Done)
}

/// Keeps what is asked, and asks where there is a model.
struct Showing<'a> {
    model: Option<&'a dyn Model>,
    shown: Mutex<Vec<String>>,
}

#[async_trait]
impl Model for Showing<'_> {
    fn name(&self) -> &str {
        self.model.map_or("no model", |model| model.name())
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        let text = ask.to_string();
        if let Ok(mut shown) = self.shown.lock() {
            shown.push(text);
        }
        match self.model {
            Some(model) => model.complete(ask).await,
            None => Err(ModelFailure::Declined("nobody was asked".to_owned())),
        }
    }
}
