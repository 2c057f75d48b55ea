//! Is the key ever shown? Not by a failure, not for debugging, not by a refused setting.

use std::sync::Arc;

use holloway_engine::model::{Model as _, ModelFailure};
use holloway_models::key::NoKeys;
use holloway_models::{Client, Keys, Provider, Settings};

use super::{ALL, KEY, client, play, play_stream, question, run};

#[track_caller]
fn check(shown: &str) {
    assert!(
        !shown.contains(KEY) && !shown.contains("0123456789"),
        "{shown}"
    );
}

#[test]
fn no_failure_shows_it() {
    for cassette in ["refused", "garbage", "server", "unknown_model"] {
        for answer in play(cassette, &question()) {
            let failure = answer.unwrap_err();
            check(&format!("{failure} {failure:?} {}", failure.hint()));
        }
    }
    for (answer, _) in play_stream("garbage_stream", &question()) {
        check(&format!("{answer:?}"));
    }
}

#[test]
fn the_client_does_not_show_it() {
    for (provider, _) in ALL {
        check(&format!("{:?}", client(provider, "http://127.0.0.1:9")));
    }
}

/// Hands out a key with a line break in it.
struct Odd;

impl Keys for Odd {
    fn key(&self, _name: &str) -> Option<String> {
        Some(format!("{KEY}\nx"))
    }

    fn clean(&self, text: &str) -> String {
        text.to_owned()
    }
}

#[test]
fn a_key_that_is_missing_or_cannot_be_sent_is_told_by_name() {
    let refusal = |keys: Arc<dyn Keys>| {
        let mut settings = Settings::new(Provider::OpenAi, "m");
        settings.base_url = Some("http://127.0.0.1:9".to_owned());
        settings.key = Some("MY_KEY".to_owned());
        let client = Client::new(settings, keys).unwrap();
        match run(client.complete(question())) {
            Err(failure @ ModelFailure::NoKey(_)) => failure.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refusal(Arc::new(NoKeys)),
        "the secret `MY_KEY` is not set; set it with `holloway secrets set MY_KEY`"
    );
    let odd = refusal(Arc::new(Odd));
    assert_eq!(odd, "the secret `MY_KEY` holds characters that no key has");
    check(&odd);
}
