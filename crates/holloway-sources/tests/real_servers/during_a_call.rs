//! What passes between a call and its answer? Progress, questions, cancellation,
//! and now and then the death of the server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::ports::{CallLine, CallListener, ToolAnswer, ToolProgress, ToolQuestion};
use holloway_sources::ToolSource as _;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::table::{folder, named};
use crate::server::{Server, surroundings};

/// Hands every note of progress on.
struct Notes(mpsc::UnboundedSender<(f64, Option<f64>)>);

#[async_trait]
impl CallListener for Notes {
    fn progress(&self, step: ToolProgress) {
        self.0.send((step.progress, step.total)).ok();
    }

    async fn ask(&self, _: ToolQuestion) -> ToolAnswer {
        ToolAnswer::Decline
    }
}

/// Always gives the same answer, and keeps the questions.
struct Says {
    answer: ToolAnswer,
    asked: Mutex<Vec<ToolQuestion>>,
}

#[async_trait]
impl CallListener for Says {
    fn progress(&self, _: ToolProgress) {}

    async fn ask(&self, question: ToolQuestion) -> ToolAnswer {
        self.asked.lock().unwrap().push(question);
        self.answer.clone()
    }
}

type Heard = mpsc::UnboundedReceiver<(f64, Option<f64>)>;

fn everything(folder: &tempfile::TempDir) -> (Server, Heard) {
    let (sender, heard) = mpsc::unbounded_channel();
    let config = named("everything").config(folder.path());
    let mut server = Server::with("everything", config, surroundings(folder.path()));
    server.line = CallLine::new(Arc::new(Notes(sender)));
    (server, heard)
}

fn long(seconds: f64, steps: u32) -> Value {
    json!({"duration": seconds, "steps": steps})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_is_heard_in_order() {
    let folder = folder();
    let (server, mut heard) = everything(&folder);
    let tool = "trigger-long-running-operation";
    let answer = server.call(tool, long(0.4, 4)).await.unwrap();
    assert!(answer["text"].as_str().unwrap().contains("completed"));
    let mut notes = Vec::new();
    while let Ok(note) = heard.try_recv() {
        notes.push(note);
    }
    let expected: Vec<_> = (1..=4).map(|step| (f64::from(step), Some(4.0))).collect();
    assert_eq!(notes, expected);
    server.close("progress").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_given_up_leaves_the_server_usable() {
    let folder = folder();
    let (server, mut heard) = everything(&folder);
    let request = server.request("trigger-long-running-operation", long(600.0, 6000));
    {
        let call = server.source.call(&request);
        tokio::pin!(call);
        tokio::select! {
            ended = &mut call => panic!("it ended: {ended:?}"),
            note = heard.recv() => assert!(note.is_some()),
        }
    }
    let echo = server.call("echo", json!({"message": "next"})).await;
    assert_eq!(echo.unwrap(), json!({"text": "Echo: next"}));
    server.close("given up").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_leaves_doubt_and_is_started_again() {
    let folder = folder();
    let (server, mut heard) = everything(&folder);
    let request = server.request("trigger-long-running-operation", long(600.0, 6000));
    let killer = async {
        heard.recv().await.unwrap();
        for (id, _) in server.mark.processes() {
            let id = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
            kill_process(id, Signal::KILL).unwrap();
        }
    };
    let (ended, ()) = tokio::join!(server.source.call(&request), killer);
    let failure = ended.unwrap_err();
    assert!(failure.uncertain, "{failure:?}");
    assert!(
        failure.message.contains("ended during the call"),
        "{failure:?}"
    );
    let generation = server.source.generation();
    let echo = server.call("echo", json!({"message": "again"})).await;
    assert_eq!(echo.unwrap(), json!({"text": "Echo: again"}));
    assert!(server.source.generation() > generation);
    server.close("killed").await;
}

async fn ask(answer: ToolAnswer) -> (String, Vec<ToolQuestion>) {
    let folder = folder();
    let asker = Arc::new(Says {
        answer,
        asked: Mutex::default(),
    });
    let config = named("everything").config(folder.path());
    let mut server = Server::with("everything", config, surroundings(folder.path()));
    server.line = CallLine::new(asker.clone());
    let answer = server.call("trigger-elicitation-request", json!({})).await;
    server.close("asks").await;
    let asked = asker.asked.lock().unwrap().clone();
    (answer.unwrap().to_string(), asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_may_ask_the_user() {
    let given = json!({"name": "Ada", "check": true, "integer": 7});
    let (answer, asked) = ask(ToolAnswer::Accept(given)).await;
    assert!(answer.contains("Name: Ada"), "{answer}");
    assert!(answer.contains("Favorite Integer: 7"), "{answer}");
    let [question] = asked.as_slice() else {
        panic!("asked {} times", asked.len());
    };
    assert_eq!(question.schema["properties"]["name"]["type"], "string");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_user_may_decline_and_a_wrong_answer_does_not_pass() {
    let (declined, _) = ask(ToolAnswer::Decline).await;
    assert!(declined.contains("declined"), "{declined}");
    let nameless = json!({"integer": 7});
    let (wrong, _) = ask(ToolAnswer::Accept(nameless)).await;
    assert!(wrong.contains("cancelled"), "{wrong}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn structured_answers_come_with_a_schema() {
    let folder = folder();
    let (server, _) = everything(&folder);
    let offers = server.source.offers().await.unwrap();
    let offer = offers
        .iter()
        .find(|offer| offer.id.name() == "get-structured-content");
    let schema = &offer.unwrap().output_schema;
    let arguments = json!({"location": "Chicago"});
    let answer = server
        .call("get-structured-content", arguments)
        .await
        .unwrap();
    let validator = jsonschema::validator_for(schema).unwrap();
    assert!(schema["properties"]["temperature"].is_object(), "{schema}");
    assert!(validator.is_valid(&answer), "{answer}");
    server.close("structured").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadline_passes_without_harm() {
    let folder = folder();
    let (server, _) = everything(&folder);
    server.source.offers().await.unwrap();
    let limit = Duration::from_millis(300);
    let tool = "trigger-long-running-operation";
    let failure = server.call_within(limit, tool, long(600.0, 1)).await;
    assert!(failure.unwrap_err().uncertain);
    let echo = server.call("echo", json!({"message": "next"})).await;
    assert_eq!(echo.unwrap(), json!({"text": "Echo: next"}));
    server.close("deadline").await;
}
