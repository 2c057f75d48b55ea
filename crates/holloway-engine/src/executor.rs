//! How does a program run a plan without the rest of Holloway? Register tools as
//! functions, execute a plan, get its results and trace. Nothing is kept on disk.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use holloway_plan::compile::{CompileError, compile};
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::problem::Problems;
use holloway_plan::read::read_value;
use holloway_plan::tool::{ToolId, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::checks::BadSchema;
use crate::driver::{Control, Driver, DriverError, Equipment, Observer, Report};
use crate::entry::{Entry, EntryKind, ExecutionStart, RunId};
use crate::event::Event;
use crate::failure::ToolFailure;
use crate::machine::Machine;
use crate::options::RunOptions;
use crate::ports::{CallOutput, CallRequest, Clock, ToolCaller};
use crate::trace::{ExecTrace, Tracer};

type Function = Arc<
    dyn Fn(CallRequest) -> Pin<Box<dyn Future<Output = Result<CallOutput, ToolFailure>> + Send>>
        + Send
        + Sync,
>;

/// Tools that are functions of this program.
#[derive(Clone, Default)]
pub struct Functions {
    table: ToolTable,
    functions: FxHashMap<ToolId, Function>,
}

impl Functions {
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a function under the definition that plans and checks see.
    pub fn with<F, R>(mut self, spec: ToolSpec, function: F) -> Self
    where
        F: Fn(CallRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolFailure>> + Send + 'static,
    {
        let function = Arc::new(function);
        let call: Function = Arc::new(move |request| {
            let function = Arc::clone(&function);
            Box::pin(async move { function(request).await.map(CallOutput::from) })
        });
        self.functions.insert(spec.id.clone(), call);
        self.table.insert(spec);
        self
    }

    pub fn table(&self) -> &ToolTable {
        &self.table
    }
}

#[async_trait]
impl ToolCaller for Functions {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        match self.functions.get(&request.tool) {
            Some(function) => function(request).await,
            None => Err(ToolFailure::unknown_tool(format!(
                "`{}` is not registered",
                request.tool
            ))),
        }
    }
}

type OnStart = Box<dyn FnMut(&str) + Send>;
type OnComplete = Box<dyn FnMut(&str, &Value) + Send>;
type OnError = Box<dyn FnMut(&str, &str) + Send>;

/// Called while a plan runs.
#[derive(Default)]
pub struct Callbacks {
    pub on_node_start: Option<OnStart>,
    pub on_node_complete: Option<OnComplete>,
    pub on_node_error: Option<OnError>,
}

/// How a plan is to be executed.
#[derive(Default)]
pub struct ExecuteOptions {
    /// Replaces the plan's own id in the trace.
    pub plan_id: Option<String>,
    pub run: RunOptions,
    /// Leaves the trace empty, for callers that do not need it.
    pub without_trace: bool,
    pub callbacks: Callbacks,
}

/// What executing a plan gave.
#[derive(Debug)]
pub struct Execution {
    /// What the plan was given, and every result under its output name.
    pub context: Map<String, Value>,
    pub trace: ExecTrace,
    pub report: Report,
}

/// Why a plan could not be executed at all; failing steps are in the report.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    #[error("{0}")]
    Plan(#[from] Problems),
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Schema(#[from] BadSchema),
    #[error(transparent)]
    Driver(#[from] DriverError),
}

/// Executes plans with a set of tools.
pub struct PlanExecutor {
    functions: Functions,
    equipment: Equipment,
    limits: Limits,
}

impl PlanExecutor {
    pub fn new(functions: Functions, clock: Arc<dyn Clock>) -> Self {
        let tools: Arc<dyn ToolCaller> = Arc::new(functions.clone());
        let equipment = Equipment {
            tools,
            clock,
            journal: None,
            blobs: None,
            memory: None,
        };
        Self {
            functions,
            equipment,
            limits: Limits::default(),
        }
    }

    /// Reads and checks a plan against the registered tools.
    pub fn check(&self, plan: &Value, context: &[&str]) -> Result<Plan, Problems> {
        let draft = read_value(plan, &self.limits)?;
        let around = Surroundings {
            tools: self.functions.table(),
            plans: &NoPlans,
            context,
            limits: &self.limits,
        };
        validate(&draft, &around)
    }

    /// Runs a plan to its end.
    pub async fn execute(
        &self,
        plan: &Value,
        context: Value,
        options: ExecuteOptions,
    ) -> Result<Execution, ExecuteError> {
        self.start(plan, context, options)?.finish().await
    }

    /// Prepares a run that can be paused or cancelled from elsewhere.
    pub fn start(
        &self,
        plan: &Value,
        context: Value,
        options: ExecuteOptions,
    ) -> Result<Prepared, ExecuteError> {
        let given = context.as_object().cloned().unwrap_or_default();
        let names: Vec<&str> = given
            .keys()
            .map(String::as_str)
            .filter(|name| *name != "input")
            .collect();
        let plan = self.check(plan, &names)?;
        let dag = Arc::new(compile(&plan, &names, &self.limits)?);
        let plan_id = options.plan_id.unwrap_or_else(|| plan.id());
        let start = ExecutionStart {
            run: RunId::new(&plan_id),
            plan_id,
            plan_version: plan.version().to_owned(),
            context: Arc::new(context),
            options: options.run,
            reuse: std::collections::BTreeMap::new(),
            marks: std::collections::BTreeMap::new(),
        };
        let tracer = (!options.without_trace).then(|| Tracer::new(dag.execution().as_str()));
        Ok(Prepared {
            driver: Driver::new(Machine::new(dag)?, self.equipment.clone()),
            start,
            given,
            onlooker: Onlooker {
                tracer,
                callbacks: options.callbacks,
            },
        })
    }
}

/// A run that is ready to go.
pub struct Prepared {
    driver: Driver,
    start: ExecutionStart,
    given: Map<String, Value>,
    onlooker: Onlooker,
}

impl Prepared {
    pub fn control(&self) -> Control {
        self.driver.control()
    }

    pub async fn finish(mut self) -> Result<Execution, ExecuteError> {
        let event = Event::Start(Box::new(self.start));
        let report = self.driver.run(event, &mut self.onlooker).await?;
        let mut context = self.given;
        for (name, value) in &report.outputs {
            context.insert(name.to_string(), Value::clone(&value.get()));
        }
        let trace = self.onlooker.tracer.map(Tracer::finish).unwrap_or_default();
        Ok(Execution {
            context,
            trace,
            report,
        })
    }
}

struct Onlooker {
    tracer: Option<Tracer>,
    callbacks: Callbacks,
}

impl Observer for Onlooker {
    fn entry(&mut self, entry: &Entry, _machine: &Machine) {
        if let Some(tracer) = &mut self.tracer {
            tracer.add(entry);
        }
        let callbacks = &mut self.callbacks;
        match (&entry.kind, callbacks) {
            (
                EntryKind::StepStart { node, .. },
                Callbacks {
                    on_node_start: Some(call),
                    ..
                },
            ) => call(&node.node),
            (
                EntryKind::StepComplete { node, output, .. },
                Callbacks {
                    on_node_complete: Some(call),
                    ..
                },
            ) => {
                call(
                    &node.node,
                    output.value().map_or(&Value::Null, |value| value),
                );
            }
            (
                EntryKind::StepError {
                    node,
                    attempt: None,
                    error,
                    ..
                },
                Callbacks {
                    on_node_error: Some(call),
                    ..
                },
            ) => {
                call(&node.node, &error.to_string());
            }
            _ => {}
        }
    }
}
