//! What a run with a journal keeps: large results by reference, everything up
//! to a full disk, results remembered between runs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use holloway_engine::driver::{Driver, DriverError, Equipment, Nobody, Report, Rest};
use holloway_engine::entry::{EndStatus, Entry, EntryKind, ExecutionStart, RunId, Stored};
use holloway_engine::event::Event;
use holloway_engine::executor::{Functions, PlanExecutor};
use holloway_engine::machine::Machine;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{Blob, BlobStore, JournalError, Memory, WriteBlob};
use holloway_engine::replay::{replay, replay_kept};
use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::limits::Limits;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_testkit::clock::ManualClock;
use holloway_testkit::journal::MemoryJournal;
use serde_json::{Value, json};

/// Blobs and memory in maps.
#[derive(Default)]
struct Shelf {
    blobs: Mutex<BTreeMap<String, Vec<u8>>>,
    memory: Mutex<BTreeMap<String, (u64, Value)>>,
    /// Nothing that was put can be read.
    forgetful: AtomicBool,
}

impl BlobStore for Shelf {
    fn put(&self, write: &mut WriteBlob<'_>) -> Result<Blob, JournalError> {
        let mut content = Vec::new();
        write(&mut content).unwrap();
        let blob = holloway_plan::digest::of_json(&content);
        let bytes = content.len() as u64;
        self.blobs.lock().unwrap().insert(blob.clone(), content);
        Ok(Blob { blob, bytes })
    }

    fn open(&self, digest: &str) -> Result<Box<dyn Read + '_>, JournalError> {
        let blobs = self.blobs.lock().unwrap();
        let missing = || JournalError::Corrupt("no such blob".to_owned());
        let kept = blobs
            .get(digest)
            .filter(|_| !self.forgetful.load(Ordering::SeqCst));
        let content = kept.cloned().ok_or_else(missing)?;
        Ok(Box::new(Cursor::new(content)))
    }
}

impl Memory for Shelf {
    fn recall(&self, key: &str, now_ms: u64, ttl_ms: u64) -> Option<Value> {
        let memory = self.memory.lock().unwrap();
        let (at, value) = memory.get(key)?;
        (now_ms - at <= ttl_ms).then(|| value.clone())
    }

    fn remember(&self, key: &str, now_ms: u64, value: &Value) {
        self.memory
            .lock()
            .unwrap()
            .insert(key.to_owned(), (now_ms, value.clone()));
    }
}

/// A plan with all it takes to run it durably.
struct Durable {
    functions: Functions,
    journal: Arc<MemoryJournal>,
    shelf: Arc<Shelf>,
    clock: Arc<ManualClock>,
    plan: Value,
}

impl Durable {
    fn new(functions: Functions, steps: Value, journal: MemoryJournal) -> Self {
        let plan = json!({ "version": "1.0", "steps": steps });
        let clock = Arc::new(ManualClock::at(1_000));
        Self {
            functions,
            journal: Arc::new(journal),
            shelf: Arc::default(),
            clock,
            plan,
        }
    }

    fn dag(&self) -> Arc<Dag> {
        let executor = PlanExecutor::new(self.functions.clone(), Arc::clone(&self.clock) as _);
        let plan = executor.check(&self.plan, &[]).unwrap();
        Arc::new(compile(&plan, &[], &Limits::default()).unwrap())
    }

    async fn drive(&self, machine: Machine, first: Event) -> Result<Report, DriverError> {
        let equipment = Equipment {
            tools: Arc::new(self.functions.clone()),
            clock: Arc::clone(&self.clock) as _,
            journal: Some(Arc::clone(&self.journal) as _),
            blobs: Some(Arc::clone(&self.shelf) as _),
            memory: Some(Arc::clone(&self.shelf) as _),
        };
        Driver::new(machine, equipment)
            .run(first, &mut Nobody)
            .await
    }

    async fn run(&self) -> Result<Report, DriverError> {
        self.run_with(RunOptions::default()).await
    }

    async fn run_with(&self, options: RunOptions) -> Result<Report, DriverError> {
        let start = ExecutionStart {
            run: RunId::new("durable"),
            plan_id: "p".to_owned(),
            plan_version: "v".to_owned(),
            context: Arc::new(json!({})),
            options,
            reuse: BTreeMap::new(),
            marks: holloway_engine::mark::Issued::new(),
        };
        self.drive(
            Machine::new(self.dag()).unwrap(),
            Event::Start(Box::new(start)),
        )
        .await
    }
}

fn reading(id: &str) -> ToolSpec {
    ToolSpec::named(id).with_effect(Effect::Read)
}

/// A tool that counts its calls and answers with the count before.
fn counting(id: &str, calls: &Arc<AtomicUsize>) -> Functions {
    let calls = Arc::clone(calls);
    Functions::new().with(reading(id), move |_| {
        let made = calls.fetch_add(1, Ordering::SeqCst);
        async move { Ok(json!(made)) }
    })
}

#[tokio::test]
async fn a_large_result_is_kept_by_reference_and_found_again() {
    let functions = Functions::new()
        .with(reading("t/big"), |_| async {
            Ok(json!("x".repeat(40_000)))
        })
        .with(reading("t/length"), |request| async move {
            Ok(json!(request.arguments["text"].as_str().unwrap().len()))
        });
    let steps = json!([
        { "id": "big", "tool": "t/big" },
        { "id": "length", "tool": "t/length", "input": { "text": "{{big}}" } },
    ]);
    let durable = Durable::new(functions, steps, MemoryJournal::default());
    let report = durable.run().await.unwrap();
    assert_eq!(*report.outputs["length"].get(), json!(40_000));
    let entries = durable.journal.entries();
    let is_blob = |entry: &&Entry| {
        matches!(
            &entry.kind,
            EntryKind::StepComplete {
                output: Stored::Blob { .. },
                ..
            }
        )
    };
    assert_eq!(entries.iter().filter(is_blob).count(), 1);
    assert!(serde_json::to_string(&entries).unwrap().len() < 10_000);
    let machine = replay_kept(durable.dag(), None, &entries, durable.shelf.clone()).unwrap();
    let big = machine.outputs()["big"].get();
    assert_eq!(big.as_str().unwrap().len(), 40_000);
}

/// Gives back its `text`.
fn saying() -> Functions {
    Functions::new().with(reading("t/say"), |request| async move {
        Ok(request.arguments["text"].clone())
    })
}

/// Forty steps with results of four and of forty kilobytes, and one that reads them all.
fn forty_steps() -> Value {
    let mut steps = Vec::new();
    for step in 0..40 {
        let size = if step % 2 == 0 { 4_000 } else { 40_000 };
        let text = format!("{step} {}", "x".repeat(size));
        steps.push(json!({ "id": format!("s{step}"), "tool": "t/say", "input": { "text": text } }));
    }
    let all: Vec<String> = (0..40).map(|step| format!("{{{{ s{step} }}}};")).collect();
    let all = all.concat();
    steps.push(json!({ "id": "all", "tool": "t/say", "input": { "text": all } }));
    json!(steps)
}

#[tokio::test]
async fn results_beyond_the_room_are_put_away_and_read_back() {
    let durable = Durable::new(saying(), forty_steps(), MemoryJournal::default());
    let small = RunOptions {
        max_retained_bytes: 60_000,
        ..RunOptions::default()
    };
    let report = durable.run_with(small).await.unwrap();
    let whole = Durable::new(saying(), forty_steps(), MemoryJournal::default());
    let expected = whole.run().await.unwrap();
    assert_eq!(report.outputs, expected.outputs);
    let away = |report: &Report| {
        let outputs = report.outputs.values();
        outputs
            .filter(|output| output.in_memory().is_none())
            .count()
    };
    assert_eq!(away(&expected), 0);
    assert!(away(&report) > 25, "{}", away(&report));
    // The same when the journal is replayed.
    let entries = durable.journal.entries();
    let replayed = replay_kept(durable.dag(), None, &entries, durable.shelf.clone()).unwrap();
    assert_eq!(replayed.outputs(), expected.outputs);
    let outputs = replayed.outputs();
    let away = outputs
        .values()
        .filter(|output| output.in_memory().is_none());
    assert!(away.count() > 25);
}

#[tokio::test]
async fn nothing_that_follows_from_a_lost_value_is_written() {
    let durable = Durable::new(saying(), forty_steps(), MemoryJournal::default());
    let options = RunOptions {
        max_retained_bytes: 60_000,
        concurrency: 1,
        ..RunOptions::default()
    };
    // A blob store that forgets.
    durable.shelf.forgetful.store(true, Ordering::SeqCst);
    let error = durable.run_with(options).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "paused: unreadable journal: no such blob"
    );
    let entries = durable.journal.entries();
    let of_last = entries.iter().filter_map(|entry| entry.kind.node());
    assert_eq!(of_last.filter(|node| &*node.step == "all").count(), 0);
}

#[tokio::test]
async fn a_value_that_is_too_large_fails_its_step() {
    let steps = json!([
        { "id": "a", "tool": "t/say", "input": { "text": "x".repeat(600) } },
        { "id": "b", "tool": "t/twice", "input": { "text": "{{a}}" } },
    ]);
    let functions = saying().with(reading("t/twice"), |request| async move {
        Ok(json!([
            request.arguments["text"],
            request.arguments["text"]
        ]))
    });
    let durable = Durable::new(functions, steps, MemoryJournal::default());
    let options = RunOptions {
        max_value_bytes: 1_000,
        ..RunOptions::default()
    };
    let report = durable.run_with(options).await.unwrap();
    let failure = report.failure.unwrap();
    assert!(
        failure.ends_with("the result has more than 1000 bytes"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_full_disk_stops_the_run_and_the_journal_goes_on_from_there() {
    let calls = Arc::new(AtomicUsize::new(0));
    let steps = json!([
        { "id": "a", "tool": "t/step" },
        { "id": "b", "tool": "t/step", "depends_on": ["a"] },
        { "id": "c", "tool": "t/step", "depends_on": ["b"] },
    ]);
    let full = Durable::new(
        counting("t/step", &calls),
        steps,
        MemoryJournal::full_after(2),
    );
    let error = full.run().await.unwrap_err();
    assert_eq!(error.to_string(), "paused: storage: no space left");
    let entries = full.journal.entries();
    let emptied = Durable {
        journal: Arc::default(),
        ..full
    };
    let machine = replay(emptied.dag(), &entries).unwrap();
    let resume = Event::Resume {
        by: "test".to_owned(),
        fresh: true,
        approvals: None,
        all_allowed: false,
    };
    let report = emptied.drive(machine, resume).await.unwrap();
    assert_eq!(report.rest, Rest::Ended(EndStatus::Succeeded));
    // a once; b twice, because its result was never written down; c once.
    assert_eq!(calls.load(Ordering::SeqCst), 4);
    assert_eq!(*report.outputs["a"].get(), json!(0));
}

#[tokio::test]
async fn a_remembered_result_saves_the_call_until_it_is_too_old() {
    let calls = Arc::new(AtomicUsize::new(0));
    let steps = json!([{ "id": "a", "tool": "t/look", "cache": { "ttl": 60 } }]);
    let first = Durable::new(counting("t/look", &calls), steps, MemoryJournal::default());
    first.run().await.unwrap();
    let again = Durable {
        journal: Arc::default(),
        ..first
    };
    let report = again.run().await.unwrap();
    assert_eq!(
        (calls.load(Ordering::SeqCst), &*report.outputs["a"].get()),
        (1, &json!(0))
    );
    again.clock.advance(61_000);
    let later = Durable {
        journal: Arc::default(),
        ..again
    };
    later.run().await.unwrap();
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_journal_of_another_plan_is_refused() {
    let calls = Arc::new(AtomicUsize::new(0));
    let one = Durable::new(
        counting("t/a", &calls),
        json!([{ "id": "a", "tool": "t/a" }]),
        MemoryJournal::default(),
    );
    one.run().await.unwrap();
    let entries = one.journal.entries();
    let other = json!([{ "id": "x", "tool": "t/a", "when": "1 == 2" }]);
    let other = Durable::new(counting("t/a", &calls), other, MemoryJournal::default());
    let refused = replay(other.dag(), &entries).unwrap_err().to_string();
    assert_eq!(
        refused,
        "entry 2 of the journal is `step_start`, but this version of Holloway concludes `step_skipped` there"
    );
    let cut = replay(one.dag(), &entries[..1]).unwrap_err().to_string();
    assert_eq!(
        cut,
        "the journal breaks off after entry 1, before `step_start`"
    );
}
