//! What a run with a journal keeps: large results by reference, everything up
//! to a full disk, results remembered between runs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use holloway_engine::driver::{Driver, DriverError, Equipment, Nobody, Report, Rest};
use holloway_engine::entry::{EndStatus, Entry, EntryKind, ExecutionStart, RunId, Stored};
use holloway_engine::event::Event;
use holloway_engine::executor::{Functions, PlanExecutor};
use holloway_engine::machine::Machine;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{BlobStore, JournalError, Memory};
use holloway_engine::replay::{fetch_blobs, replay};
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
}

impl BlobStore for Shelf {
    fn put(&self, bytes: &[u8]) -> Result<String, JournalError> {
        let name = format!("blob-{}", bytes.len());
        self.blobs
            .lock()
            .unwrap()
            .insert(name.clone(), bytes.to_vec());
        Ok(name)
    }

    fn get(&self, digest: &str) -> Result<Vec<u8>, JournalError> {
        let blobs = self.blobs.lock().unwrap();
        blobs
            .get(digest)
            .cloned()
            .ok_or_else(|| JournalError::Corrupt("no such blob".to_owned()))
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
        let start = ExecutionStart {
            run: RunId::new("durable"),
            plan_id: "p".to_owned(),
            plan_version: "v".to_owned(),
            context: Arc::new(json!({})),
            options: RunOptions::default(),
            reuse: BTreeMap::new(),
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
    assert_eq!(*report.outputs["length"], json!(40_000));
    let mut entries = durable.journal.entries();
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
    fetch_blobs(&mut entries, &*durable.shelf).unwrap();
    let machine = replay(durable.dag(), &entries).unwrap();
    assert_eq!(machine.outputs()["big"].as_str().unwrap().len(), 40_000);
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
    };
    let report = emptied.drive(machine, resume).await.unwrap();
    assert_eq!(report.rest, Rest::Ended(EndStatus::Succeeded));
    // a once; b twice, because its result was never written down; c once.
    assert_eq!(calls.load(Ordering::SeqCst), 4);
    assert_eq!(*report.outputs["a"], json!(0));
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
        (calls.load(Ordering::SeqCst), &*report.outputs["a"]),
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
