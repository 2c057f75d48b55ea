//! Do the tools over text say what a reader would?

use serde_json::{Value, json};

use super::super::testing::builtin;
use super::readability::{Language, syllables};

#[tokio::test]
async fn a_summary_is_made_of_central_sentences() {
    let text = "Solar power is growing. Solar power from panels is cheap power. My cat is called Tom. \
        Cheap panels make solar power grow. It rained.";
    let result = builtin("text-summarise", json!({"text": text, "sentences": 2}))
        .await
        .unwrap();
    assert_eq!(
        result["summary"],
        "Solar power from panels is cheap power. Cheap panels make solar power grow."
    );
    assert_eq!(
        (&result["count"], &result["unread"]),
        (&json!(5), &json!(0))
    );
    let again = builtin("text-summarise", json!({"text": text, "sentences": 2}))
        .await
        .unwrap();
    assert_eq!(result, again);
    let nothing = builtin("text-summarise", json!({"text": ""}))
        .await
        .unwrap();
    assert_eq!(
        nothing,
        json!({"summary": "", "sentences": [], "count": 0, "unread": 0})
    );
    let long = "One two. ".repeat(2000);
    assert_eq!(
        builtin("text-summarise", json!({"text": long}))
            .await
            .unwrap()["unread"],
        500
    );
}

#[tokio::test]
async fn titles_end_no_sentence_of_a_summary() {
    let text = "Dr. Jones sells solar power. Mr. Smith buys solar power, e.g. Panels.";
    let result = builtin("text-summarise", json!({"text": text}))
        .await
        .unwrap();
    assert_eq!(result["count"], 2);
}

#[tokio::test]
async fn brackets_and_dates_are_no_trap() {
    let brackets = format!("http://a{}", ")".repeat(200_000));
    let result = builtin("text-entities", json!({"text": brackets}))
        .await
        .unwrap();
    assert_eq!(result["entities"][0]["text"], "http://a");
    let dated = json!({"text": "2024-02-30 1.2.3.4", "kinds": ["phone"]});
    assert_eq!(builtin("text-entities", dated).await.unwrap()["count"], 0);
    let called = json!({"text": "Tel: 030-1234567", "kinds": ["phone"]});
    assert_eq!(builtin("text-entities", called).await.unwrap()["count"], 1);
}

#[tokio::test]
async fn months_may_be_spelled_out() {
    let text = "On 3 March 2026, vom 12. März 2026 bis 14 April, or May 5th, 2026";
    let arguments = json!({"text": text, "kinds": ["date"]});
    let result = builtin("text-entities", arguments).await.unwrap();
    let values = result["entities"].as_array().unwrap().iter();
    let values: Vec<_> = values.map(|entity| entity["value"].clone()).collect();
    assert_eq!(
        values,
        ["2026-03-03", "2026-03-12", "14 April", "2026-05-05"]
    );
}

#[tokio::test]
async fn key_phrases_are_found_with_their_places() {
    let text = "The electric car needs a battery. An electric car without a good battery is a bad electric car.";
    let result = builtin("text-keywords", json!({"text": text, "limit": 2}))
        .await
        .unwrap();
    assert_eq!(result["language"], "eng");
    let shown: Vec<String> = result["keywords"]
        .as_array()
        .unwrap()
        .iter()
        .map(|k| {
            format!(
                "{} {} {}",
                k["phrase"].as_str().unwrap(),
                k["count"],
                k["places"]
            )
        })
        .collect();
    assert_eq!(
        shown,
        ["electric car needs 1 [4]", "bad electric car 1 [78]"]
    );
}

#[tokio::test]
async fn languages_are_told() {
    for (text, expected) in [
        (
            "The quick brown fox jumps over the lazy dog and runs away from the hunters.",
            json!("eng"),
        ),
        (
            "Das ist ein schöner Tag, und wir gehen heute gemeinsam in den großen Wald.",
            json!("deu"),
        ),
        (
            "Это очень длинное предложение на русском языке о погоде.",
            json!("rus"),
        ),
        ("", Value::Null),
    ] {
        let result = builtin("text-language", json!({"text": text}))
            .await
            .unwrap();
        assert_eq!(result["language"], expected, "{text}");
    }
}

#[tokio::test]
async fn differences_are_shown_and_counted() {
    let result = builtin(
        "text-diff",
        json!({"before": "a\nb\nc\n", "after": "a\nx\nc\nd\n"}),
    )
    .await
    .unwrap();
    assert_eq!(
        (&result["added"], &result["removed"], &result["unchanged"]),
        (&json!(2), &json!(1), &json!(2))
    );
    assert_eq!(
        result["diff"],
        "--- before\n+++ after\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n c\n+d\n"
    );
    let spaces = json!({"before": "a \n\nb\n", "after": "a\nb", "ignore_space": true});
    assert_eq!(builtin("text-diff", spaces).await.unwrap()["same"], true);
}

#[test]
fn syllables_are_counted() {
    let check =
        |word: &str, expected: usize| assert_eq!(syllables(word, Language::En), expected, "{word}");
    for (word, expected) in [
        ("cat", 1),
        ("make", 1),
        ("table", 2),
        ("happy", 2),
        ("the", 1),
        ("needed", 2),
        ("asked", 1),
        ("beautiful", 3),
        ("tree", 1),
        ("rhythm", 1),
        ("boxes", 2),
        ("names", 1),
        ("whale", 1),
    ] {
        check(word, expected);
    }
    assert_eq!(syllables("Straße", Language::De), 2);
}

#[tokio::test]
async fn readability_follows_the_formulas() {
    let text = "The cat sat on the mat. It was a beautiful day.";
    let result = builtin("text-readability", json!({"text": text}))
        .await
        .unwrap();
    // 11 words, 2 sentences, 13 syllables, 1 complex word.
    assert_eq!(
        (
            &result["words"],
            &result["sentences"],
            &result["syllables"],
            &result["complex_words"]
        ),
        (&json!(11), &json!(2), &json!(13), &json!(1))
    );
    let ease = result["reading_ease"].as_f64().unwrap();
    assert!((ease - (206.835 - 1.015 * 5.5 - 84.6 * 13.0 / 11.0)).abs() < 1e-9);
    let fog = result["fog"].as_f64().unwrap();
    assert!((fog - 0.4 * (5.5 + 100.0 / 11.0)).abs() < 1e-9);
    let empty = builtin("text-readability", json!({"text": " "}))
        .await
        .unwrap();
    assert_eq!(empty["reading_ease"], Value::Null);
    assert_eq!(empty["note"], Value::Null);
    let russian = json!({"text": "Это очень длинное предложение. Погода хорошая."});
    let result = builtin("text-readability", russian).await.unwrap();
    assert_eq!(
        (&result["reading_ease"], &result["fog"], &result["words"]),
        (&Value::Null, &Value::Null, &json!(6))
    );
    assert!(result["note"].as_str().unwrap().contains("not Latin"));
}

#[tokio::test]
async fn likeness_counts_shared_words() {
    let check = async |left: &str, right: &str, cosine: Value, jaccard: Value| {
        let result = builtin("text-similarity", json!({"left": left, "right": right}))
            .await
            .unwrap();
        assert_eq!(
            (&result["cosine"], &result["jaccard"]),
            (&cosine, &jaccard),
            "{left} / {right}"
        );
    };
    check("A b", "b a!", json!(1.0), json!(1.0)).await;
    check(
        "a a a a b b b",
        "b c",
        json!(3.0 / 50.0_f64.sqrt()),
        json!(1.0 / 3.0),
    )
    .await;
    check("a", "b", json!(0.0), json!(0.0)).await;
    check("", "", Value::Null, Value::Null).await;
}

#[tokio::test]
async fn entities_are_found_by_their_form() {
    let text = "Größe? Mail Ada.L@Example.org (see https://example.org/a_(b)?x=5), by 31.01.2024 or 2024-02-01. \
        Call +49 (30) 123-4567. Price: 1.234,50 €, v1.2.3, 12:30.";
    let result = builtin("text-entities", json!({"text": text}))
        .await
        .unwrap();
    let entities = result["entities"].as_array().unwrap();
    let shown: Vec<String> = entities
        .iter()
        .map(|e| {
            format!(
                "{} {} {}",
                e["kind"].as_str().unwrap(),
                e["text"],
                e["value"]
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            r#"email "Ada.L@Example.org" "ada.l@example.org""#,
            r#"url "https://example.org/a_(b)?x=5" "https://example.org/a_(b)?x=5""#,
            r#"date "31.01.2024" "2024-01-31""#,
            r#"date "2024-02-01" "2024-02-01""#,
            r#"phone "+49 (30) 123-4567" "+49301234567""#,
            r#"money "1.234,50 €" {"amount":1234.5,"currency":"EUR"}"#,
        ]
    );
    for entity in entities {
        let (start, end) = (
            entity["start"].as_u64().unwrap() as usize,
            entity["end"].as_u64().unwrap() as usize,
        );
        let cut: String = text.chars().skip(start).take(end - start).collect();
        assert_eq!(entity["text"], cut);
    }
    let only = builtin("text-entities", json!({"text": text, "kinds": ["url"]}))
        .await
        .unwrap();
    assert_eq!(only["counts"], json!({"url": 1}));
    let american = builtin(
        "text-entities",
        json!({"text": "01/02/2024", "dates": "mdy"}),
    )
    .await
    .unwrap();
    assert_eq!(american["entities"][0]["value"], "2024-01-02");
}
