//! Does it work with a model that really answers? SmolLM2 in a llama.cpp server on this
//! machine: small enough to be slow and wrong, which is what is tested here.
//! `make test-model` starts the server and runs these.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::model::{Ask, Model, ModelFailure, OnPiece, Reply};
use holloway_flow::model::prompt::plans::PlanOrder;
use holloway_flow::model::prompt::schema::schema;
use holloway_flow::model::propose::frame::propose_frame;
use holloway_flow::model::propose::plans::{PlanTask, ask_on, propose_plans};
use holloway_flow::model::propose::{MadeBy, Terms};
use holloway_flow::model::spend::Spent;
use holloway_models::key::NoKeys;
use holloway_models::{Client, Provider, Settings};
use holloway_plan::plan::Plan;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_planner::drafts::Drafted;
use holloway_planner::frame::Frame;
use holloway_planner::frame::constraints::Priority;
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::choose::{Understood, understand};
use holloway_planner::read::request::RequestText;
use holloway_planner::settings::Strategy;
use serde_json::{Value, json};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);

fn client() -> Client {
    let address =
        std::env::var("HOLLOWAY_LOCAL_MODEL").expect("scripts/local-model names the server");
    let name = std::env::var("HOLLOWAY_LOCAL_MODEL_NAME").unwrap_or_default();
    let mut settings = Settings::new(Provider::OpenAi, name);
    settings.base_url = Some(format!("{address}/v1"));
    Client::new(settings, Arc::new(NoKeys)).unwrap()
}

fn ask(question: &str, max_tokens: u32) -> Ask {
    Ask {
        max_tokens,
        temperature: 0.0,
        timeout: PATIENCE,
        ..Ask::new("You are brief.", question)
    }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work)
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn an_answer_comes_in_pieces() {
    let mut pieces = Vec::new();
    let mut on_piece = |piece: &str| pieces.push(piece.to_owned());
    let answer = run(client().stream(ask("Name three colours.", 60), &mut on_piece));
    let answer = match answer {
        Ok(reply) => reply,
        // It does not know when to stop.
        Err(ModelFailure::CutOff { reply }) => *reply,
        Err(failure) => panic!("{failure}"),
    };
    assert!(pieces.len() > 3, "{pieces:?}");
    assert_eq!(pieces.concat(), answer.text);
    assert!(
        answer.tokens_in > 5 && answer.tokens_out >= pieces.len() as u64 / 2,
        "{answer:?}"
    );
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn a_schema_is_kept() {
    let schema = json!({
        "type": "object",
        "required": ["city", "sizes", "kind"],
        "additionalProperties": false,
        "properties": {
            "city": {"type": "string", "maxLength": 20},
            "sizes": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3},
            "kind": {"enum": ["large", "small"]}
        }
    });
    let question = ask("Tell me something about Paris.", 200).with_schema(schema.clone());
    let answer = run(client().complete(question)).unwrap();
    let value: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(jsonschema::is_valid(&schema, &value), "{value}");
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn an_answer_ends_at_its_limit() {
    let failure = run(client().complete(ask("Count from 1 to 100.", 6))).unwrap_err();
    assert!(
        matches!(&failure, ModelFailure::CutOff { reply } if reply.tokens_out == 6 && !reply.text.is_empty()),
        "{failure:?}"
    );
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn a_call_ends_in_time() {
    let limit = Duration::from_millis(100);
    let question = Ask {
        timeout: limit,
        ..ask("Write a very long story about the sea.", 2_000)
    };
    assert_eq!(
        run(client().complete(question)),
        Err(ModelFailure::TimedOut(limit))
    );
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn a_dropped_question_leaves_the_server_free() {
    run(async {
        let client = client();
        let (told, mut first) = tokio::sync::mpsc::unbounded_channel();
        let mut on_piece = |piece: &str| {
            let _ = told.send(piece.to_owned());
        };
        tokio::select! {
            answer = client.stream(ask("Write a very long story about the sea.", 3_000), &mut on_piece) => panic!("{answer:?}"),
            piece = first.recv() => assert!(piece.is_some()),
        }
        // It has one place: were the long answer still being written, this would wait for it.
        let failure = client.complete(ask("Say yes.", 2)).await;
        assert!(
            matches!(failure, Ok(_) | Err(ModelFailure::CutOff { .. })),
            "{failure:?}"
        );
    });
}

const REQUEST: &str = "Fetch https://shop.example and count its words";

fn read() -> Understood {
    understand(REQUEST, &Scene::default())
}

fn terms(max_tokens: u32) -> Terms {
    Terms {
        attempts: 2,
        temperature: 0.0,
        max_tokens,
        timeout: PATIENCE,
        ..Terms::default()
    }
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn a_frame_speaks_only_of_what_the_request_names() {
    let here = Scene::default();
    let exchange = run(propose_frame(
        &client(),
        &RequestText::new(REQUEST),
        &here,
        &terms(250),
        &read(),
    ));
    let proposal = &exchange.value.proposal;
    let Understood {
        frame, troubles, ..
    } = &proposal.value;
    let goals = frame.goals.iter();
    let urls = goals.flat_map(|goal| goal.all("sources").filter_map(|part| part.text("url")));
    for url in urls {
        assert!(REQUEST.contains(url.trim_end_matches('/')), "{proposal:#?}");
    }
    assert!(!frame.goals.is_empty() || !troubles.is_empty() || frame.no_plan.is_some());
    assert!(exchange.spent.tokens() > 100 && !exchange.attempts.is_empty());
}

fn tools() -> Vec<ToolSpec> {
    let tool = |id: &str, description: &str, argument: &str| {
        let tool = ToolSpec {
            description: description.to_owned(),
            ..ToolSpec::named(id)
        };
        let properties = json!({argument: {"type": "string", "pattern": "^(https://|\\{\\{)"}});
        tool.with_effect(Effect::Read)
            .with_input(json!({"type": "object", "required": [argument], "additionalProperties": false, "properties": properties}))
    };
    vec![
        tool(
            "builtin/page-fetch",
            "Fetches a page. Returns its text.",
            "url",
        ),
        tool(
            "builtin/text-stats",
            "Counts words. Returns the figures.",
            "text",
        ),
    ]
}

/// What plans are asked from: two tools, one strategy, no draft of our own.
struct Stage {
    offered: Vec<Arc<ToolSpec>>,
    table: ToolTable,
    frame: Frame,
    strategies: Vec<Strategy>,
    drafts: Vec<Drafted>,
}

impl Stage {
    fn new() -> Self {
        let quick = Strategy {
            name: "quick".to_owned(),
            steps: 3,
            prefers: Priority::Speed,
        };
        Self {
            offered: tools().into_iter().map(Arc::new).collect(),
            table: ToolTable::new(tools()),
            frame: read().frame,
            strategies: vec![quick],
            drafts: vec![Drafted::none("quick")],
        }
    }

    fn order(&self) -> PlanOrder<'_> {
        PlanOrder {
            frame: &self.frame,
            strategies: &self.strategies,
            tools: &self.offered,
            drafts: &self.drafts,
            context: "",
            tool_tokens: 200,
            share_tables: true,
        }
    }
}

/// Keeps the answers that came to their end.
struct Overheard {
    client: Client,
    heard: Mutex<Vec<Reply>>,
}

#[async_trait]
impl Model for Overheard {
    fn name(&self) -> &str {
        self.client.name()
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        let reply = self.client.complete(ask).await?;
        self.heard.lock().unwrap().push(reply.clone());
        Ok(reply)
    }
}

/// Counts the pieces of its answers as they come.
struct Counted {
    client: Client,
    pieces: AtomicUsize,
}

#[async_trait]
impl Model for Counted {
    fn name(&self) -> &str {
        self.client.name()
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        self.client.complete(ask).await
    }

    async fn stream(&self, ask: Ask, on_piece: &mut OnPiece<'_>) -> Result<Reply, ModelFailure> {
        let mut counted = |piece: &str| {
            self.pieces.fetch_add(1, Ordering::SeqCst);
            on_piece(piece);
        };
        self.client.stream(ask, &mut counted).await
    }
}

/// The smallest model writes no step; `scripts/local-model --model qwen2.5-coder-1.5b` serves one that does.
#[test]
#[ignore = "needs the server of scripts/local-model"]
#[allow(clippy::print_stdout)] // when steps began
fn a_first_step_begins_while_the_plan_is_written() {
    let stage = Stage::new();
    let order = stage.order();
    let task = PlanTask {
        order,
        request: &RequestText::new(REQUEST),
        table: &stage.table,
        same_frame: false,
        search: &|_| Vec::new(),
    };
    let model = Counted {
        client: client(),
        pieces: AtomicUsize::new(0),
    };
    let mut began: Vec<(String, usize)> = Vec::new();
    let mut on_early = |plan: Plan| {
        let seen = model.pieces.load(Ordering::SeqCst);
        began.extend(
            plan.steps()
                .iter()
                .map(|step| (step.tool.clone().unwrap_or_default(), seen)),
        );
    };
    let terms = Terms {
        attempts: 1,
        early_start: true,
        ..terms(600)
    };
    let ask = ask_on(None, REQUEST, &order);
    let exchange = run(propose_plans(
        &model,
        ask,
        &task,
        (&terms, Spent::default()),
        &mut on_early,
    ));
    let pieces = model.pieces.load(Ordering::SeqCst);
    println!("{began:?} of {pieces} pieces; {:?}", exchange.attempts);
    assert!(pieces > 3, "{exchange:#?}");
    assert!(
        began
            .iter()
            .all(|(tool, seen)| tool.contains("page-fetch") && *seen < pieces),
        "{began:?}"
    );
    if model.name().starts_with("qwen") {
        assert!(!began.is_empty(), "{exchange:#?}");
    }
}

#[test]
#[ignore = "needs the server of scripts/local-model"]
fn a_nonsense_plan_leads_to_the_embedded_planner() {
    let stage = Stage::new();
    let order = stage.order();
    let task = PlanTask {
        order,
        request: &RequestText::new(REQUEST),
        table: &stage.table,
        same_frame: false,
        search: &|_| Vec::new(),
    };
    let model = Overheard {
        client: client(),
        heard: Mutex::default(),
    };
    let exchange = run(propose_plans(
        &model,
        ask_on(None, REQUEST, &order),
        &task,
        (&terms(600), Spent::default()),
        &mut |_| {},
    ));
    // What it says is JSON of the schema, and no plan.
    let heard = model.heard.into_inner().unwrap();
    for reply in &heard {
        let value: Value = serde_json::from_str(&reply.text).unwrap();
        assert!(jsonschema::is_valid(&schema(), &value), "{value}");
    }
    assert!(!heard.is_empty(), "{exchange:#?}");
    let proposal = &exchange.value[0];
    assert!(
        matches!(&proposal.made_by, MadeBy::Embedded { reason } if reason.contains(" was of no help: ")),
        "{exchange:#?}"
    );
    assert!(exchange.spent.tokens_out > 0);
}
