//! All of it together, behind flow's port: ask, try again where that may help, stop in
//! time, count what it took. Dropping the future closes the connection.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use holloway_engine::model::{Ask, Model, ModelFailure, OnPiece, Reply};
use holloway_flow::model::prompt::about_tokens;
use holloway_flow::model::propose::Terms;
use holloway_flow::model::spend::Allowance;
use tokio::time::{Instant, sleep, timeout};

use crate::exchange::Exchange;
use crate::key::Keys;
use crate::pause::Pauses;
use crate::settings::{BadSetting, Settings};
use crate::wire::{self, Counts, End, Part, Without};

/// A model at a provider.
pub struct Client {
    exchange: Exchange,
    pauses: Pauses,
    /// What this model was found to do without.
    without: Mutex<Without>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("settings", self.settings())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Nothing is sent yet.
    pub fn new(settings: Settings, keys: Arc<dyn Keys>) -> Result<Self, BadSetting> {
        Ok(Self {
            exchange: Exchange::new(settings, keys)?,
            pauses: Pauses::default(),
            without: Mutex::default(),
        })
    }

    pub fn with_pauses(mut self, pauses: Pauses) -> Self {
        self.pauses = pauses;
        self
    }

    pub fn settings(&self) -> &Settings {
        self.exchange.settings()
    }

    /// The terms of the settings, within what may be spent.
    pub fn terms(&self, allowance: Allowance) -> Terms {
        let settings = self.settings();
        Terms {
            attempts: settings.attempts,
            temperature: settings.temperature,
            max_tokens: settings.max_tokens,
            timeout: settings.timeout(),
            deadline: None,
            allowance,
            early_start: settings.early_start,
            share_tables: settings.share_tables,
            small: settings.is_small(),
        }
    }

    async fn in_time(
        &self,
        ask: Ask,
        on_piece: Option<&mut OnPiece<'_>>,
    ) -> Result<Reply, ModelFailure> {
        let limit = ask.timeout;
        let answer = timeout(limit, self.tries(&ask, on_piece)).await;
        answer.unwrap_or(Err(ModelFailure::TimedOut(limit)))
    }

    async fn tries(
        &self,
        ask: &Ask,
        mut on_piece: Option<&mut OnPiece<'_>>,
    ) -> Result<Reply, ModelFailure> {
        let end = Instant::now() + ask.timeout;
        let mut tried = 0;
        let mut told = false;
        loop {
            let without = self.without();
            tried += 1;
            let failure = match self
                .once(ask, without, on_piece.as_deref_mut(), &mut told)
                .await
            {
                Ok(part) => return self.reply(ask, part),
                Err(failure) => failure,
            };
            if self.gives_way(&failure, without, ask.schema.is_some()) {
                tried -= 1;
                continue;
            }
            let left = end.saturating_duration_since(Instant::now());
            // Who has heard the beginning must not hear it twice.
            let pause = self
                .pauses
                .before_next(&failure, tried, left)
                .filter(|_| !told);
            match pause {
                Some(pause) => sleep(pause).await,
                None => return Err(failure),
            }
        }
    }

    async fn once(
        &self,
        ask: &Ask,
        without: Without,
        on_piece: Option<&mut OnPiece<'_>>,
        told: &mut bool,
    ) -> Result<Part, ModelFailure> {
        let Settings { provider, name, .. } = self.settings();
        let outgoing = wire::request(*provider, name, ask, on_piece.is_some(), without);
        let part = match on_piece {
            Some(on_piece) => self.exchange.pieces(&outgoing, on_piece, told).await?,
            None => self.exchange.whole(&outgoing).await?,
        };
        match &part.end {
            Some(End::Failed { kind, message }) => {
                let why = self.exchange.clean(&format!("{kind} {message}"));
                Err(ModelFailure::Broken(why.trim().to_owned()))
            }
            _ => Ok(part),
        }
    }

    fn without(&self) -> Without {
        *self.without.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the refusal was about something that can be left out from now on. There are
    /// three such things, so this ends.
    fn gives_way(&self, failure: &ModelFailure, without: Without, has_schema: bool) -> bool {
        let ModelFailure::BadRequest {
            status: 400 | 422,
            message,
        } = failure
        else {
            return false;
        };
        let Some(less) = wire::concession(message, without, has_schema) else {
            return false;
        };
        *self.without.lock().unwrap_or_else(PoisonError::into_inner) = less;
        true
    }

    fn reply(&self, ask: &Ask, part: Part) -> Result<Reply, ModelFailure> {
        let Part {
            text,
            end,
            counts,
            certainty,
        } = part;
        let text = self.exchange.clean(&text);
        let reply = Reply {
            certainty,
            ..self.counted(ask, text, counts)
        };
        match end {
            Some(End::AtLimit) => Err(ModelFailure::CutOff {
                reply: Box::new(reply),
            }),
            Some(End::Declined(why)) => Err(ModelFailure::Declined(self.exchange.clean(&why))),
            _ => Ok(reply),
        }
    }

    /// A server that does not count is counted for, roughly: limits hold for it too.
    fn counted(&self, ask: &Ask, text: String, counts: Counts) -> Reply {
        let asked = || {
            let said = ask
                .messages
                .iter()
                .map(|message| about_tokens(&message.text));
            (about_tokens(&ask.system) + said.sum::<usize>()) as u64
        };
        let tokens_in = counts.tokens_in.unwrap_or_else(asked);
        let tokens_out = counts
            .tokens_out
            .unwrap_or_else(|| about_tokens(&text) as u64);
        let Settings {
            price_in,
            price_out,
            ..
        } = self.settings();
        let money = (tokens_in as f64 * price_in + tokens_out as f64 * price_out) / 1e6;
        Reply {
            text,
            model: self.settings().name.clone(),
            tokens_in,
            tokens_out,
            cached_tokens: counts.cached.unwrap_or(0),
            money,
            certainty: None,
        }
    }
}

#[async_trait]
impl Model for Client {
    fn name(&self) -> &str {
        &self.settings().name
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        self.in_time(ask, None).await
    }

    async fn stream(&self, ask: Ask, on_piece: &mut OnPiece<'_>) -> Result<Reply, ModelFailure> {
        self.in_time(ask, Some(on_piece)).await
    }
}
