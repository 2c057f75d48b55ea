//! What does Holloway take for the same graph, with and without its journal?

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use async_trait::async_trait;
use holloway_engine::driver::{Driver, Equipment, Nobody, Report, Rest};
use holloway_engine::entry::{EndStatus, ExecutionStart, RunId};
use holloway_engine::event::Event;
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{CallOutput, CallRequest, ToolCaller};
use holloway_flow::prepare::{Order, new_run};
use holloway_flow::runner::Runner;
use holloway_plan::compile::compile;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::read::read_owned;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate_owned};
use holloway_store::Store;
use holloway_tools::clock::SystemClock;
use serde_json::json;

use crate::shape::Shape;

/// A tool that does nothing, at once.
struct Nothing;

#[async_trait]
impl ToolCaller for Nothing {
    async fn call(&self, _request: CallRequest) -> Result<CallOutput, ToolFailure> {
        Ok(CallOutput::default())
    }
}

fn plan(shape: Shape, nodes: usize) -> Result<Plan> {
    let limits = Limits::generous();
    let draft = read_owned(shape.plan(nodes), &limits)?;
    let tools = ToolTable::new([ToolSpec::named("bench/nothing").with_effect(Effect::Read)]);
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    Ok(validate_owned(draft, &around)?)
}

/// All of 1,000 nodes may run at once, like the peers'; larger graphs keep to that number.
fn options(nodes: usize) -> RunOptions {
    RunOptions {
        concurrency: nodes.min(1_000) + 2,
        ..RunOptions::default()
    }
}

/// Seconds for the run and for getting ready, without a journal.
pub(crate) fn memory(shape: Shape, nodes: usize) -> Result<(f64, f64)> {
    let began = Instant::now();
    let plan = plan(shape, nodes)?;
    let dag = Arc::new(compile(&plan, &[], &Limits::generous())?);
    let (id, version) = (plan.id(), plan.version().to_owned());
    // A run needs the graph alone.
    drop(plan);
    let setup = began.elapsed().as_secs_f64();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut times = Vec::new();
    // The same number of repeats for every size, so that growth is not a matter of warmth.
    for _ in 0..7 {
        let start = ExecutionStart {
            run: RunId::new("bench"),
            plan_id: id.clone(),
            plan_version: version.clone(),
            context: Arc::new(json!({})),
            options: options(nodes),
            reuse: BTreeMap::new(),
            marks: holloway_engine::mark::Issued::new(),
        };
        let equipment = Equipment {
            tools: Arc::new(Nothing),
            clock: Arc::new(SystemClock),
            journal: None,
            blobs: None,
            memory: None,
        };
        let driver = Driver::new(Machine::new(Arc::clone(&dag))?, equipment);
        let task = runtime.spawn(async move {
            let began = Instant::now();
            let report = driver.run(Event::Start(Box::new(start)), &mut Nobody).await;
            (began.elapsed().as_secs_f64(), report)
        });
        let (seconds, report) = runtime.block_on(task)?;
        check(&report?)?;
        times.push(seconds);
    }
    Ok((crate::floor::median(times)?, setup))
}

/// What durable runs took, and syncs of the floor beside them.
pub(crate) struct Durable {
    pub(crate) seconds: f64,
    pub(crate) setup: f64,
    /// The same number of bare syncs, taken in turns with the runs.
    pub(crate) floor: f64,
}

/// The same with the journal in `folder`; a step counts when it is on disk.
/// Runs and bare syncs take turns, so that both meet the same moods of the disk.
pub(crate) fn durable(shape: Shape, nodes: usize, folder: &Path) -> Result<Durable> {
    const TURNS: usize = 5;
    let began = Instant::now();
    let plan = plan(shape, nodes)?;
    let home = tempfile::tempdir_in(folder)?;
    let store = Arc::new(Store::open(home.path())?);
    let setup = began.elapsed().as_secs_f64();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (mut times, mut floors) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        floors.push(crate::floor::fdatasync(folder, nodes)?);
        let run = RunId::new(format!("bench-{turn}"));
        times.push(durable_run(&plan, run, nodes, &store, &runtime)?);
    }
    Ok(Durable {
        seconds: crate::floor::median(times)?,
        setup,
        floor: crate::floor::median(floors)?,
    })
}

fn durable_run(
    plan: &Plan,
    run: RunId,
    nodes: usize,
    store: &Arc<Store>,
    runtime: &tokio::runtime::Runtime,
) -> Result<f64> {
    let order = Order {
        run: run.clone(),
        context: json!({}),
        marks: holloway_engine::mark::Issued::new(),
        options: options(nodes),
        reuse: BTreeMap::new(),
        forked_from: None,
        terms: json!({}),
        asked: None,
        knowledge: None,
    };
    let ready = new_run(plan.clone(), order, &**store, &Limits::generous(), 0)?;
    let runner = Runner {
        tools: Arc::new(Nothing),
        clock: Arc::new(SystemClock),
        store: Arc::clone(store) as _,
        counter: holloway_engine::tokens::Counter::default(),
    };
    let running = runner.start(&run, ready);
    let task = runtime.spawn(async move {
        let began = Instant::now();
        let report = running.finish(&mut Nobody).await;
        (began.elapsed().as_secs_f64(), report)
    });
    let (seconds, report) = runtime.block_on(task)?;
    check(&report?)?;
    Ok(seconds)
}

fn check(report: &Report) -> Result<()> {
    ensure!(
        report.rest == Rest::Ended(EndStatus::Succeeded),
        "the run did not succeed: {:?}",
        report.failure
    );
    (report.progress.nodes == report.progress.nodes_ended)
        .then_some(())
        .ok_or_else(|| anyhow!("not all nodes ran"))
}
