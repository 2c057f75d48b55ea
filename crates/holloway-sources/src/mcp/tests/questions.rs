//! What servers ask during a call, and who answers.

use std::sync::Mutex;

use holloway_engine::ports::{CallLine, CallListener, ToolAnswer, ToolProgress, ToolQuestion};

use super::fake::{answer, surroundings};
use super::*;

/// Gives one answer to everything and keeps the questions.
struct Person {
    answer: ToolAnswer,
    questions: Mutex<Vec<ToolQuestion>>,
}

#[async_trait]
impl CallListener for Person {
    fn progress(&self, _: ToolProgress) {}

    async fn ask(&self, question: ToolQuestion) -> ToolAnswer {
        self.questions.lock().unwrap().push(question);
        self.answer.clone()
    }
}

fn person(answer: ToolAnswer) -> Arc<Person> {
    Arc::new(Person {
        answer,
        questions: Mutex::default(),
    })
}

/// Asks `params` when it is called, and gives back what it was answered.
fn curious(method: &'static str, params: Value) -> Fake {
    let call = Mutex::new(Value::Null);
    Fake::new(move |message, out| {
        if message["method"] == "tools/call" {
            *call.lock().unwrap() = message.clone();
            let question =
                json!({"jsonrpc": "2.0", "id": "q1", "method": method, "params": params});
            out.line(&question.to_string());
        } else {
            let said = message.get("result").or_else(|| message.get("error"));
            let result = json!({"structuredContent": said});
            out.line(&answer(&call.lock().unwrap(), result));
        }
    })
}

async fn check(params: Value, person: Option<Arc<Person>>, expected: Value) {
    let mut request = request("book", json!({}));
    request.line = person.map_or_else(CallLine::default, |person| CallLine::new(person));
    let source = curious("elicitation/create", params).source();
    let output = source.call(&request).await.unwrap();
    assert_eq!(output.value, expected);
}

fn form() -> Value {
    let schema = json!({
        "type": "object",
        "properties": {"seats": {"type": "integer", "minimum": 1}},
        "required": ["seats"],
    });
    json!({"message": "How many?", "requestedSchema": schema})
}

#[tokio::test]
async fn a_question_reaches_the_user_and_the_answer_the_server() {
    let accepting = person(ToolAnswer::Accept(json!({"seats": 2})));
    let expected = json!({"action": "accept", "content": {"seats": 2}});
    check(form(), Some(accepting.clone()), expected).await;
    let questions = accepting.questions.lock().unwrap();
    assert_eq!(questions[0].message, "How many?");
    assert_eq!(questions[0].schema["required"], json!(["seats"]));
}

#[tokio::test]
async fn other_answers_are_told_as_they_are() {
    let decline = json!({"action": "decline"});
    let cancel = json!({"action": "cancel"});
    check(form(), None, decline.clone()).await;
    check(form(), Some(person(ToolAnswer::Decline)), decline).await;
    let cancelling = person(ToolAnswer::Cancel);
    check(form(), Some(cancelling), cancel.clone()).await;
    for unfit in [
        json!({"seats": "two"}),
        json!({"seats": 0}),
        json!({}),
        json!(7),
    ] {
        let asker = person(ToolAnswer::Accept(unfit));
        check(form(), Some(asker), cancel.clone()).await;
    }
}

#[tokio::test]
async fn a_schema_no_type_knows_is_asked_all_the_same() {
    let accepting = person(ToolAnswer::Accept(json!({"a": [1]})));
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let schema = json!({"type": "object", "properties": {"a": list}});
    let params = json!({"message": "Odd?", "requestedSchema": schema});
    let expected = json!({"action": "accept", "content": {"a": [1]}});
    check(params, Some(accepting), expected).await;
}

#[tokio::test]
async fn addresses_are_not_opened_and_models_not_run() {
    for (method, params) in [
        (
            "elicitation/create",
            json!({"mode": "url", "message": "Go", "url": "https://example.com", "elicitationId": "1"}),
        ),
        (
            "sampling/createMessage",
            json!({"messages": [], "maxTokens": 5}),
        ),
    ] {
        let asker = person(ToolAnswer::Accept(json!({})));
        let mut request = request("any", json!({}));
        request.line = CallLine::new(asker.clone());
        let source = curious(method, params).source();
        let output = source.call(&request).await.unwrap();
        assert!(output.value["code"].is_i64(), "{}", output.value);
        assert!(asker.questions.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn folders_are_told_only_if_there_are_any() {
    let capabilities = |fake: &Fake| {
        let heard = fake.heard();
        let first = heard.iter().find(|one| one["method"] == "initialize");
        first.unwrap()["params"]["capabilities"].clone()
    };
    let config = McpConfig {
        writable: vec!["/data/my files".to_owned()],
        ..McpConfig::default()
    };
    let fake = curious("roots/list", json!({}));
    let source = fake.source_of(config, surroundings());
    let output = source.call(&request("any", json!({}))).await.unwrap();
    assert_eq!(
        output.value,
        json!({"roots": [{"uri": "file:///data/my%20files", "name": "my files"}]})
    );
    assert_eq!(capabilities(&fake)["roots"], json!({}));
    let fake = Fake::new(|message, out| out.result(message, text("ok")));
    fake.source()
        .call(&request("any", json!({})))
        .await
        .unwrap();
    assert_eq!(capabilities(&fake).get("roots"), None);
}

struct Steps(Mutex<Vec<String>>);

#[async_trait]
impl CallListener for Steps {
    fn progress(&self, step: ToolProgress) {
        let step = format!("{} of {:?}: {:?}", step.progress, step.total, step.message);
        self.0.lock().unwrap().push(step);
    }

    async fn ask(&self, _: ToolQuestion) -> ToolAnswer {
        ToolAnswer::Decline
    }
}

#[tokio::test]
async fn progress_is_handed_on_in_order() {
    let fake = Fake::new(|message, out| {
        for step in 1..=3 {
            let params = json!({
                "progressToken": message["params"]["_meta"]["progressToken"],
                "progress": step, "total": 3, "message": "on",
            });
            let note =
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
            out.line(&note.to_string());
        }
        out.result(message, text("ok"));
    });
    let steps = Arc::new(Steps(Mutex::default()));
    let mut request = request("any", json!({}));
    request.line = CallLine::new(steps.clone());
    fake.source().call(&request).await.unwrap();
    let expected = [1, 2, 3].map(|step| format!("{step} of Some(3.0): Some(\"on\")"));
    assert_eq!(*steps.0.lock().unwrap(), expected);
}
