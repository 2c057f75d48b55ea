//! What does a durable step cost? A chain of appends, each after the former's
//! acknowledgement, beside plain data syncs of the same disk; then a fan of
//! appends at once, and opening.
//!
//! `cargo run --release -p holloway-store --example journal_bench [FOLDER]`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use holloway_engine::entry::{Entry, EntryKind, NodeRef, Origin, RunId, Stored};
use holloway_engine::ports::{Journal, Usage};
use holloway_store::{NewRun, Store};
use serde_json::json;

/// Appends of a chain and syncs beside it, taken in turns of this many.
const TURN: usize = 100;
const TURNS: usize = 10;
const FAN: usize = 1000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // A folder of its own inside the one that is named, so that nothing else is removed afterwards.
    let parent = std::env::args()
        .nth(1)
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = parent.join(format!("journal-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut probe = Probe::prepare(&folder.join("probe"))?;
    let store = Store::open(&folder.join("data"))?;
    let (chain, fan) = (RunId::new("chain"), FAN);
    store.create_run(new_run(&chain))?;
    let (mut syncs, mut appends) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        syncs.extend((0..TURN).filter_map(|_| probe.sync().ok()));
        for step in 0..TURN {
            appends.push(append_step(&store, &chain, turn * TURN + step).await?);
        }
    }
    let fan_each = fan_of_appends(&store, fan).await? / fan as f64;
    drop(store);
    let open = opening(&folder.join("data"))?;
    println!(
        "{:<44} {:>9} {:>9} {:>9}",
        "microseconds", "mean", "median", "p99"
    );
    let sync = report("one fdatasync of 4 KiB, preallocated", &mut syncs);
    let append = report("one durable append of two entries, chain", &mut appends);
    println!(
        "{:<44} {:>9.2} {:>9.2}",
        "ratio",
        append.0 / sync.0,
        append.1 / sync.1
    );
    println!(
        "{:<44} {fan_each:>9.1}",
        format!("one of {fan} appends at once")
    );
    println!("{:<44} {open:>9.1}", "opening an existing data folder");
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// A file whose blocks are all written, to sync one after the other.
struct Probe {
    file: File,
    next: u64,
}

impl Probe {
    fn prepare(path: &Path) -> io::Result<Self> {
        let mut file = File::create(path)?;
        file.write_all(&vec![0; 4096 * TURN * TURNS])?;
        file.sync_all()?;
        Ok(Self { file, next: 0 })
    }

    fn sync(&mut self) -> io::Result<f64> {
        let begin = Instant::now();
        self.file.seek(SeekFrom::Start(self.next * 4096))?;
        self.file.write_all(&[7; 4096])?;
        self.file.sync_data()?;
        self.next += 1;
        Ok(micros(begin))
    }
}

async fn append_step(store: &Store, run: &RunId, step: usize) -> Result<f64, Box<dyn Error>> {
    let entries = vec![entry(2 * step + 1), entry(2 * step + 2)];
    let begin = Instant::now();
    store.append(run, entries).await?;
    Ok(micros(begin))
}

/// Microseconds until all of `count` runs have their first two entries.
async fn fan_of_appends(store: &Store, count: usize) -> Result<f64, Box<dyn Error>> {
    let runs: Vec<_> = (0..count).map(|n| RunId::new(format!("fan-{n}"))).collect();
    for run in &runs {
        store.create_run(new_run(run))?;
    }
    let begin = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for run in runs {
        let store = store.clone();
        tasks.spawn(async move { store.append(&run, vec![entry(1), entry(2)]).await });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(micros(begin))
}

fn opening(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let begin = Instant::now();
    let store = Store::open(folder)?;
    store.run(&RunId::new("chain"))?;
    Ok(micros(begin))
}

fn entry(seq: usize) -> Entry {
    let node = NodeRef {
        node: Arc::from(format!("pages[{seq}].fetch")),
        step: Arc::from("fetch"),
        n: seq as u32,
    };
    let output = json!({"status": 200, "title": "A page of a shop", "price": 12.5, "url": "https://shop.example/page"});
    Entry {
        seq: seq as u64,
        at: 1_700_000_000_000,
        kind: EntryKind::StepComplete {
            node,
            attempt: Some(1),
            output: Stored::Value(Arc::new(output)),
            duration_ms: 12,
            usage: Usage::default(),
            origin: Origin::Call,
        },
    }
}

fn new_run(run: &RunId) -> NewRun {
    NewRun {
        run: run.clone(),
        plan_id: "bench".to_owned(),
        plan_version: "1".to_owned(),
        objective: None,
        plan: json!({"steps": []}),
        created_ms: 0,
        forked_from: None,
    }
}

fn report(name: &str, times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let at = |part: usize| {
        times
            .get(times.len() * part / 100)
            .copied()
            .unwrap_or(f64::NAN)
    };
    println!("{name:<44} {mean:>9.1} {:>9.1} {:>9.1}", at(50), at(99));
    (mean, at(50))
}

fn micros(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e6
}
