//! Does a call get its secrets, and does nobody else?

use async_trait::async_trait;
use holloway_engine::entry::RunId;
use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::ports::{
    CallLine, CallListener, CallOutput, CallRequest, ToolAnswer, ToolCaller, ToolProgress,
    ToolQuestion,
};
use holloway_plan::tool::{Effect, ToolId, ToolSpec, ToolTable};
use serde_json::json;

use super::*;

/// Gives back what it is given, and tells it on the way.
struct Echo;

#[async_trait]
impl ToolCaller for Echo {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        let text = request.arguments.to_string();
        if request.arguments.get("fail").is_some() {
            return Err(ToolFailure::permanent(text.clone()).with_hint(text));
        }
        request.line.progress(ToolProgress {
            message: Some(text),
            ..ToolProgress::default()
        });
        let question = ToolQuestion {
            message: "password?".to_owned(),
            schema: json!({}),
        };
        let answer = request.line.ask(question).await;
        let seen = request.arguments["seen"].as_str().unwrap_or_default();
        let digest = blake3::hash(seen.as_bytes()).to_hex().to_string();
        Ok(
            json!({"echo": *request.arguments, "digest": digest, "answer": format!("{answer:?}")})
                .into(),
        )
    }
}

/// Keeps what it hears, and answers with a mark.
#[derive(Default)]
struct Ear(std::sync::Mutex<Vec<String>>, String);

#[async_trait]
impl CallListener for Ear {
    fn progress(&self, report: ToolProgress) {
        self.0.lock().unwrap().extend(report.message);
    }

    async fn ask(&self, _: ToolQuestion) -> ToolAnswer {
        ToolAnswer::Accept(json!({ "it": self.1 }))
    }
}

fn request(arguments: Value, line: CallLine) -> CallRequest {
    CallRequest {
        tool: ToolId::new("x/echo"),
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: "key".into(),
        run: RunId::new("run"),
        node: "node".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line,
    }
}

#[tokio::test]
async fn a_call_gets_the_secret_and_nobody_else_does() {
    let secrets = GivenSecrets::default();
    let word = secrets.take("password", 1, json!("hunter2-hunter2"));
    let pin = secrets.take("pin", 2, json!(271_828));
    let ear = Arc::new(Ear(std::sync::Mutex::default(), word.clone()));
    let tools = Revealing {
        tools: Arc::new(Echo),
        secrets,
        table: ToolTable::new([]),
    };
    let given =
        json!({"seen": word, "header": format!("Bearer {word}!"), "pin": pin, "other": "${x#12}"});
    let line = CallLine::new(Arc::clone(&ear) as _);
    let output = tools
        .call(request(given.clone(), line))
        .await
        .unwrap()
        .value;
    assert_eq!(
        output["echo"],
        json!({
        "seen": word, "header": format!("Bearer {word}!"), "pin": pin, "other": "${x#12}"})
    );
    // The tool did have it.
    let digest = blake3::hash(b"hunter2-hunter2").to_hex().to_string();
    assert_eq!(output["digest"], digest);
    assert!(
        output["answer"].as_str().unwrap().contains(&word),
        "{output}"
    );
    let heard = ear.0.lock().unwrap().join(" ");
    assert!(
        heard.contains(&word) && !heard.contains("hunter2") && !heard.contains("271828"),
        "{heard}"
    );
    let mut failing = given;
    failing["fail"] = json!(true);
    let failure = tools
        .call(request(failing, CallLine::default()))
        .await
        .unwrap_err();
    let told = format!("{} {:?}", failure.message, failure.hint);
    assert!(
        !told.contains("hunter2") && !told.contains("271828"),
        "{told}"
    );
}

#[tokio::test]
async fn arguments_are_checked_again_with_the_secrets() {
    let secrets = GivenSecrets::default();
    let word = secrets.take("password", 1, json!("hunter2-hunter2"));
    let pin = secrets.take("pin", 2, json!(271_828));
    let schema = json!({"properties": {
        "seen": {"type": "string", "pattern": "^[a-z]+$"},
        "pin": {"type": "integer", "maximum": 1000},
        "ok": {"type": "string", "minLength": 15}}});
    let table = ToolTable::new([ToolSpec::named("x/echo").with_input(schema)]);
    let tools = Revealing {
        tools: Arc::new(Echo),
        secrets,
        table,
    };
    let call = async |arguments: Value| {
        let result = tools.call(request(arguments, CallLine::default())).await;
        result.map(|output| output.value["echo"].clone())
    };
    for (arguments, expected) in [
        (
            json!({"seen": word}),
            "input of `x/echo`: seen: value does not match \"^[a-z]+$\"",
        ),
        (
            json!({"pin": pin}),
            "input of `x/echo`: pin: value is greater than the maximum of 1000",
        ),
    ] {
        let failure = call(arguments).await.unwrap_err();
        assert_eq!(failure.message, expected);
    }
    let fine = json!({ "ok": word });
    assert_eq!(call(fine.clone()).await.unwrap(), fine);
}

#[tokio::test]
async fn a_tool_cannot_write_a_mark_but_gives_a_secret_back_as_one() {
    /// Writes what it was made with.
    struct Writes(Value);

    #[async_trait]
    impl ToolCaller for Writes {
        async fn call(&self, _: CallRequest) -> Result<CallOutput, ToolFailure> {
            Ok(self.0.clone().into())
        }
    }
    let secrets = GivenSecrets::default();
    let mark = secrets.take("password", 1, json!("hunter2-hunter2"));
    let unknown = "${password#00000000000000ff}";
    let written = json!({
        "mark": mark, "inside": format!("a{mark}b"), "given": "x hunter2-hunter2",
        mark.clone(): unknown});
    let tools = Revealing {
        tools: Arc::new(Writes(written)),
        secrets: secrets.clone(),
        table: ToolTable::new([]),
    };
    let output = tools.call(request(json!({}), CallLine::default())).await;
    let output = output.unwrap().value;
    assert_eq!(
        output,
        json!({"mark": DEFUSED, "inside": format!("a{DEFUSED}b"),
            "given": format!("x {mark}"), DEFUSED: unknown})
    );
    // What is passed on reveals nothing but what was given back.
    let mut next = output;
    secrets.reveal(&mut next);
    assert_eq!(
        next,
        json!({"mark": DEFUSED, "inside": format!("a{DEFUSED}b"),
            "given": "x hunter2-hunter2", DEFUSED: unknown})
    );
}

#[test]
fn other_spellings_are_taken_out_and_marks_are_left_whole() {
    let secrets = GivenSecrets::default();
    // The name of the mark holds the secret itself.
    let mark = secrets.take("password", 3, json!("password"));
    let all = secrets.known();
    assert_eq!(all.hidden("a password!"), format!("a {mark}!"));
    assert_eq!(all.hidden("cGFzc3dvcmQ="), "‹secret password›");
    let mut back = json!({ "password": format!("x{mark}") });
    all.reveal(&mut back);
    assert_eq!(back, json!({"password": "xpassword"}));
    assert_eq!(Known::default().hidden("plain"), "plain");
}

#[tokio::test]
async fn results_are_judged_with_the_secrets() {
    let check = async |schema: Value, arguments: Value, expected: Option<&str>| {
        let secrets = GivenSecrets::default();
        let word = secrets.take("password", 1, json!("hunter2-hunter2"));
        let pin = secrets.take("pin", 2, json!(271_828));
        let filled = arguments.to_string();
        let filled = filled.replace("\"PIN\"", &json!(pin).to_string());
        let arguments = serde_json::from_str(&filled.replace("WORD", &word)).unwrap();
        let output = json!({"properties": {"echo": {"properties": {"seen": schema}}}});
        let table = ToolTable::new([ToolSpec::named("x/echo").with_output(output)]);
        let tools = Revealing {
            tools: Arc::new(Echo),
            secrets,
            table,
        };
        let result = tools.call(request(arguments, CallLine::default())).await;
        let told = result.err().map(|failure| {
            assert_eq!(failure.name, FailureName::ValidationFailed);
            assert!(failure.happened, "{failure:?}");
            failure.to_string()
        });
        let told = told.unwrap_or_default();
        assert!(!told.contains("hunter2") && !told.contains("271828"));
        match expected {
            None => assert_eq!(told, ""),
            Some(part) => assert!(told.contains(part), "{told}"),
        }
    };
    let word = || json!({"seen": "WORD"});
    for (schema, expected) in [
        (json!({"pattern": "^[0-9]+$"}), Some("does not match")),
        (json!({"maxLength": 5}), Some("longer than")),
        (json!({"minLength": 40}), Some("shorter than")),
        (json!({"enum": ["a", "b"]}), Some("not one of")),
        (json!({"const": "x"}), Some("seen: ")),
        (json!({"not": {"pattern": "hunter"}}), Some("seen: ")),
        (json!({"format": "email"}), None),
        (
            json!({"pattern": "^hunter2-", "maxLength": 15, "minLength": 15}),
            None,
        ),
    ] {
        check(schema, word(), expected).await;
    }
    check(
        json!({"maximum": 1000}),
        json!({"seen": "PIN"}),
        Some("seen: "),
    )
    .await;
    check(json!({"minimum": 1000}), json!({"seen": "PIN"}), None).await;
    let keys = json!({"type": "object", "propertyNames": {"maxLength": 4}});
    check(keys, json!({"seen": {"WORD": 1}}), Some("echo.seen")).await;
    let inside = json!({"pattern": "^Bearer [a-z]+$"});
    check(
        inside,
        json!({"seen": "Bearer WORD"}),
        Some("does not match"),
    )
    .await;
}

#[test]
fn names_of_the_surroundings_are_hidden_too_when_they_were_given() {
    let secrets = GivenSecrets::default();
    let mark = secrets.take("PWD", 1, json!("hunter2-hunter2"));
    let known = secrets.known();
    assert_eq!(known.hidden("hunter2-hunter2"), mark);
    assert_eq!(known.hidden("2retnuh-2retnuh"), "‹secret PWD›");
}

#[test]
fn fields_that_come_out_the_same_are_all_kept() {
    let secrets = GivenSecrets::default();
    let mark = secrets.take("password", 1, json!("hunter2-hunter2"));
    let mut value = json!({"HUNTER2-hunter2": 1, "hunter2-HUNTER2": 2, "hunter2-hunter2": 3});
    secrets.known().hide(&mut value);
    let expected = json!({"‹secret password›": 1, "‹secret password› 2": 2, mark: 3});
    assert_eq!(value, expected);
}
