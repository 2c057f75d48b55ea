//! Answers: whole, in pieces, as JSON of a schema, after a pause, without what was refused.

use holloway_engine::model::{Ask, Model as _, Reply};

use super::player::Player;
use super::{ALL, Provider, client, play, play_stream, question, question_with_schema, run};

fn counted(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        model: "test-model".to_owned(),
        tokens_in: 24,
        tokens_out: 7,
        cached_tokens: 8,
        // 24 tokens at 2 dollars a million, 7 at 10.
        money: (24.0 * 2.0 + 7.0 * 10.0) / 1e6,
        certainty: None,
    }
}

#[track_caller]
fn check(cassette: &str, ask: &Ask, expected: &str) {
    for answer in play(cassette, ask) {
        assert_eq!(answer, Ok(counted(expected)), "{cassette}");
    }
}

#[track_caller]
fn check_stream(cassette: &str, ask: &Ask, expected: &str, pieces: &[&str]) {
    for (answer, told) in play_stream(cassette, ask) {
        assert_eq!(answer, Ok(counted(expected)), "{cassette}");
        assert_eq!(told, pieces, "{cassette}");
    }
}

#[test]
fn whole_answers_are_read_and_counted() {
    check("answer", &question(), "Paris");
}

#[test]
fn pieces_are_told_as_they_come() {
    check_stream("stream", &question(), "Paris", &["Pa", "ri", "s"]);
}

#[test]
fn an_answer_in_one_piece_counts_as_a_stream() {
    check_stream("stream_as_answer", &question(), "Paris", &["Paris"]);
}

#[test]
fn a_schema_is_asked_for_in_each_providers_way() {
    check("schema", &question_with_schema(), r#"{"city":"Paris"}"#);
    let pieces = [r#"{"city""#, r#": "Paris"}"#];
    check_stream(
        "schema_stream",
        &question_with_schema(),
        r#"{"city": "Paris"}"#,
        &pieces,
    );
}

#[test]
fn what_passes_by_itself_is_tried_again() {
    check("rate_limit", &question(), "Paris");
    check("server_then_answer", &question(), "Paris");
    check_stream(
        "broken_then_stream",
        &question(),
        "Paris",
        &["Pa", "ri", "s"],
    );
}

#[test]
fn what_a_model_refuses_is_left_out_from_then_on() {
    for (provider, folder) in ALL {
        run(async {
            let player = Player::start(folder, "without_temperature").await;
            let client = client(provider, player.url());
            let first = client.complete(question_with_schema()).await;
            let second = client.complete(question()).await;
            player.assert_played();
            assert_eq!(
                (first, second),
                (Ok(counted(r#"{"city":"Paris"}"#)), Ok(counted("Paris")))
            );
        });
    }
    check(
        "without_schema",
        &question_with_schema(),
        r#"{"city":"Paris"}"#,
    );
}

#[test]
fn the_limit_has_two_names() {
    run(async {
        let player = Player::start("openai", "max_completion_tokens").await;
        let answer = client(Provider::OpenAi, player.url())
            .complete(question())
            .await;
        player.assert_played();
        assert_eq!(answer, Ok(counted("Paris")));
    });
}
