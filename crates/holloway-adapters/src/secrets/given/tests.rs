//! Does a call get its secrets, and does nobody else?

use holloway_engine::entry::RunId;
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
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
    let all = secrets.all();
    assert_eq!(hidden(&all, "a password!"), format!("a {mark}!"));
    assert_eq!(hidden(&all, "cGFzc3dvcmQ="), "‹secret password›");
    let mut back = json!({ "password": format!("x{mark}") });
    reveal(&all, &mut back);
    assert_eq!(back, json!({"password": "xpassword"}));
    assert_eq!(hidden(&BTreeMap::new(), "plain"), "plain");
}
