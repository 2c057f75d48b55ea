//! Failures: each kind is told apart, none is waited for longer than allowed, and nobody
//! hears the beginning of an answer twice.

use std::time::Duration;

use holloway_engine::model::{Ask, Model as _, ModelFailure};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::player::{Player, endless};
use super::{ALL, Provider, client, play, play_stream, question, run};

#[track_caller]
fn check(cassette: &str, ask: &Ask, expected: &str) {
    for answer in play(cassette, ask) {
        assert_eq!(shown(answer.unwrap_err()), expected, "{cassette}");
    }
}

#[track_caller]
fn check_stream(cassette: &str, ask: &Ask, expected: &str, pieces: &[&str]) {
    for (answer, told) in play_stream(cassette, ask) {
        assert_eq!(shown(answer.unwrap_err()), expected, "{cassette}");
        assert_eq!(told, pieces, "{cassette}");
    }
}

/// The sentence, without what each provider says in its own words.
fn shown(failure: ModelFailure) -> String {
    match failure {
        ModelFailure::Declined(_) => "declined".to_owned(),
        ModelFailure::CutOff { reply } => {
            format!("cut off after {}: {}", reply.tokens_out, reply.text)
        }
        other => other.to_string(),
    }
}

fn in_a_moment() -> Ask {
    Ask {
        timeout: Duration::from_millis(200),
        ..question()
    }
}

#[test]
fn a_key_that_is_refused() {
    check(
        "refused",
        &question(),
        "the provider refused the key (status 401): Incorrect API key provided: ‹secret›. Find yours in the console.",
    );
    run(async {
        let player = Player::start("openai", "no_credit").await;
        let failure = client(Provider::OpenAi, player.url())
            .complete(question())
            .await
            .unwrap_err();
        player.assert_played();
        assert!(
            matches!(failure, ModelFailure::Refused { status: 429, .. }),
            "{failure}"
        );
    });
}

#[test]
fn trouble_that_does_not_pass() {
    check(
        "server",
        &question(),
        "the provider has trouble of its own (status 500): Something broke.",
    );
}

#[test]
fn a_pause_longer_than_the_call_is_not_waited_for() {
    check(
        "rate_limit_long",
        &question(),
        "the provider asks to slow down: Too many requests, slow down.",
    );
}

#[test]
fn answers_that_end_at_their_limit() {
    check(
        "cut_off",
        &question(),
        "cut off after 7: The capital of France is",
    );
    check_stream(
        "cut_off_stream",
        &question(),
        "cut off after 7: The capital of",
        &["The capital", " of"],
    );
}

#[test]
fn answers_that_are_none() {
    check("declined", &question(), "declined");
    check(
        "garbage",
        &question(),
        "the provider's response is not in its own format: it begins with `<html>Welcome to the hotel network, key ‹secret›</html>`",
    );
    check_stream(
        "garbage_stream",
        &question(),
        "the provider's response is not in its own format: it begins with `<not json>`",
        &[],
    );
    check_stream(
        "no_stream",
        &question(),
        "the provider's response is not in its own format: it begins with `<html>Welcome</html>`",
        &[],
    );
    run(async {
        let player = Player::start("gemini", "blocked").await;
        let failure = client(Provider::Gemini, player.url())
            .complete(question())
            .await;
        assert_eq!(
            failure,
            Err(ModelFailure::Declined("PROHIBITED_CONTENT".to_owned()))
        );
    });
}

#[test]
fn requests_that_are_not_taken() {
    check(
        "unknown_model",
        &question(),
        "the provider does not take the request (status 404): The model `test-model` does not exist.",
    );
    check(
        "redirect",
        &question(),
        "the provider does not take the request (status 307): it sends us to another address",
    );
}

#[test]
fn a_call_ends_in_time() {
    check(
        "slow",
        &in_a_moment(),
        "the model did not answer within 200 ms",
    );
    check_stream(
        "slow_stream",
        &in_a_moment(),
        "the model did not answer within 200 ms",
        &["Pa"],
    );
}

#[test]
fn an_answer_that_breaks_off_is_not_begun_again() {
    let pieces = ["Pa", "ri"];
    for (answer, told) in play_stream("broken_stream", &question()) {
        let failure = answer.unwrap_err();
        assert!(matches!(failure, ModelFailure::Broken(_)), "{failure}");
        assert_eq!(told, pieces);
    }
    check_stream(
        "short_stream",
        &question(),
        "the answer broke off: the stream ended before the answer did",
        &pieces,
    );
}

#[test]
fn nobody_is_there() {
    run(async {
        // Bound and dropped: nobody listens there now.
        let address = TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap();
        let failure = client(Provider::OpenAi, &format!("http://{address}"))
            .complete(question())
            .await
            .unwrap_err();
        assert!(
            matches!(&failure, ModelFailure::Unreachable(why) if why.contains("refused")),
            "{failure}"
        );
    });
}

#[test]
fn dropping_the_question_closes_the_connection() {
    for (provider, folder) in ALL {
        run(async {
            let player = Player::start(folder, "slow").await;
            let client = client(provider, player.url());
            tokio::select! {
                answer = client.complete(question()) => panic!("{answer:?}"),
                () = player.hanging.notified() => {}
            }
            // The guard only keeps a failing test from waiting for ever.
            timeout(Duration::from_secs(20), player.left.notified())
                .await
                .expect("the connection is closed");
            player.assert_played();
        });
    }
}

#[test]
fn an_answer_without_end_is_not_read_to_the_end() {
    const MOST: usize = 40 << 20;
    run(async {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
        let url = endless(head, "[\"more\",", MOST).await;
        let failure = client(Provider::OpenAi, &url).complete(question()).await;
        let too_long = ModelFailure::Unreadable("it is longer than 16777216 bytes".to_owned());
        assert_eq!(failure, Err(too_long.clone()));

        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        let url = endless(head, ": nothing yet\n", MOST).await;
        let client = client(Provider::OpenAi, &url);
        let failure = client.stream(question(), &mut |_| {}).await;
        assert_eq!(failure, Err(too_long));
    });
}
