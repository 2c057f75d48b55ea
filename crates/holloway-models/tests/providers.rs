//! Does the client speak as the providers do? Requests are compared with files under
//! `cassettes`, written after the providers' public formats, and their answers played back.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "providers/player.rs"]
mod player;

#[path = "providers/answers.rs"]
mod answers;
#[path = "providers/failures.rs"]
mod failures;
#[path = "providers/secrecy.rs"]
mod secrecy;

use std::sync::Arc;
use std::time::Duration;

use holloway_engine::model::{Ask, Model as _, ModelFailure, Reply};
use holloway_models::pause::Pauses;
use holloway_models::{Client, Keys, Provider, Settings};
use player::Player;
use serde_json::json;

pub(crate) const KEY: &str = "sk-test-0123456789-never-shown";
pub(crate) const ALL: [(Provider, &str); 3] = [
    (Provider::OpenAi, "openai"),
    (Provider::Anthropic, "anthropic"),
    (Provider::Gemini, "gemini"),
];

struct OneKey;

impl Keys for OneKey {
    fn key(&self, name: &str) -> Option<String> {
        (name == "TEST_KEY").then(|| KEY.to_owned())
    }

    fn clean(&self, text: &str) -> String {
        text.replace(KEY, "‹secret›")
    }
}

/// A client whose pauses take no time.
pub(crate) fn client(provider: Provider, base_url: &str) -> Client {
    let mut settings = Settings::new(provider, "test-model");
    settings.base_url = Some(format!("{base_url}/v1"));
    settings.key = Some("TEST_KEY".to_owned());
    settings.price_in = 2.0;
    settings.price_out = 10.0;
    let pauses = Pauses {
        most: 3,
        first: Duration::ZERO,
        longest: Duration::ZERO,
    };
    Client::new(settings, Arc::new(OneKey))
        .unwrap()
        .with_pauses(pauses)
}

pub(crate) fn question() -> Ask {
    Ask {
        max_tokens: 64,
        ..Ask::new("Answer in one word.", "What is the capital of France?")
    }
}

pub(crate) fn question_with_schema() -> Ask {
    let schema =
        json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}});
    question()
        .follow_up("Lyon", "No. Answer as JSON.")
        .with_schema(schema)
}

pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work)
}

/// Plays a cassette of every provider against one question; all must be asked as recorded.
#[track_caller]
pub(crate) fn play(cassette: &str, ask: &Ask) -> Vec<Result<Reply, ModelFailure>> {
    let played = ALL.map(|(provider, folder)| {
        run(async {
            let player = Player::start(folder, cassette).await;
            let answer = client(provider, player.url()).complete(ask.clone()).await;
            player.assert_played();
            answer
        })
    });
    played.into()
}

/// The same in pieces.
#[track_caller]
pub(crate) fn play_stream(
    cassette: &str,
    ask: &Ask,
) -> Vec<(Result<Reply, ModelFailure>, Vec<String>)> {
    let played = ALL.map(|(provider, folder)| {
        run(async {
            let player = Player::start(folder, cassette).await;
            let mut pieces = Vec::new();
            let mut on_piece = |piece: &str| pieces.push(piece.to_owned());
            let answer = client(provider, player.url())
                .stream(ask.clone(), &mut on_piece)
                .await;
            player.assert_played();
            (answer, pieces)
        })
    });
    played.into()
}
