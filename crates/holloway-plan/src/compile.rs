//! How does a plan become a graph? Every list of steps becomes a body of nodes,
//! every name a slot, every tool an index. Nothing is decided here.

mod bind;
mod guided;
mod policy;
mod set_apart;

use std::sync::Arc;

use serde_json::Value;

use crate::dag::{Body, BodyId, Dag, Flow, Fold, Node, Parent, Policy, ToolIndex, Work};
use crate::dataflow::{inner_execution, parents};
use crate::draft::Execution;
use crate::expression::ExpressionError;
use crate::limits::Limits;
use crate::plan::Plan;
use crate::reference::list_template;
use crate::scope::{Scope, variables_of};
use crate::step::{MODEL_SOURCE, Step, StepType};
use crate::template::Template;

use bind::Binder;
pub use guided::PHASE_NAMES;
use policy::{edges, policy, says_nothing};
pub(crate) use set_apart::is_separable;
use set_apart::set_apart;

/// Names every plan is given.
pub const CONTEXT_NAMES: [&str; 1] = ["input"];

/// How often a graph step may be reached unless it says otherwise.
pub const DEFAULT_VISITS: u32 = 10;

/// A sound plan that does not compile is a defect of Holloway, not of the plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step `{step}` of a checked plan does not compile: {reason}")]
pub struct CompileError {
    pub step: String,
    pub reason: String,
}

/// Compiles a plan; `context` names what it is given besides `input`.
pub fn compile(plan: &Plan, context: &[&str], limits: &Limits) -> Result<Dag, CompileError> {
    let mut compiler = Compiler {
        bodies: Vec::new(),
        tools: Vec::new(),
        plan,
        limits,
        plain: Arc::default(),
        no_input: Arc::new(Value::Object(serde_json::Map::new())),
    };
    let names: Vec<&str> = CONTEXT_NAMES.iter().chain(context).copied().collect();
    let top = compiler.reserve();
    let scope = Scope::top(plan.steps(), &names);
    compiler.body(top, plan.steps(), &scope, plan.draft().execution)?;
    Ok(Dag {
        plan_id: plan.id(),
        plan_version: plan.version().to_owned(),
        execution: plan.draft().execution,
        budget: plan.draft().budget,
        input_schema: plan.draft().input.clone(),
        bodies: compiler.bodies,
        tools: compiler.tools,
    })
}

struct Compiler<'a> {
    bodies: Vec<Body>,
    tools: Vec<Arc<crate::tool::ToolSpec>>,
    plan: &'a Plan,
    limits: &'a Limits,
    /// The policy of steps that say nothing.
    plain: Arc<Policy>,
    /// The input of steps that have none.
    no_input: Arc<Value>,
}

impl Compiler<'_> {
    /// Takes the next body id, so that outer bodies come before inner ones.
    fn reserve(&mut self) -> BodyId {
        self.bodies.push(Body {
            flow: Flow::Waiting,
            nodes: Vec::new(),
        });
        BodyId(self.bodies.len() as u32 - 1)
    }

    fn body(
        &mut self,
        id: BodyId,
        steps: &[Step],
        scope: &Scope<'_>,
        execution: Execution,
    ) -> Result<(), CompileError> {
        let parents = parents(steps, scope, execution);
        let mut nodes = Vec::with_capacity(steps.len());
        for (step, parents) in steps.iter().zip(parents) {
            nodes.push(self.node(step, parents, steps, scope, execution)?);
        }
        link_children(&mut nodes);
        let flow = if execution == Execution::Graph {
            Flow::Edges
        } else {
            Flow::Waiting
        };
        if let Some(body) = self.bodies.get_mut(id.0 as usize) {
            *body = Body { flow, nodes };
        }
        Ok(())
    }

    fn node(
        &mut self,
        step: &Step,
        parents: Vec<Parent>,
        beside: &[Step],
        scope: &Scope<'_>,
        execution: Execution,
    ) -> Result<Node, CompileError> {
        let failed = |reason: String| CompileError {
            step: step.id.clone(),
            reason,
        };
        let binder = Binder { scope };
        let unreadable = |error: ExpressionError| failed(error.to_string());
        let id: Arc<str> = Arc::from(step.id.as_str());
        Ok(Node {
            output: if step.result_name() == step.id {
                Arc::clone(&id)
            } else {
                Arc::from(step.result_name())
            },
            step: id,
            purpose: step.purpose.as_deref().map(Arc::from),
            parents,
            children: Vec::new(),
            when: step
                .when
                .as_deref()
                .map(|text| binder.condition(text).map(Box::new))
                .transpose()
                .map_err(unreadable)?,
            work: self.work(step, scope, execution).map_err(failed)?,
            policy: if says_nothing(step) {
                Arc::clone(&self.plain)
            } else {
                Arc::new(policy(step, &binder).map_err(unreadable)?)
            },
            edges: edges(step, beside, &binder).map_err(unreadable)?,
            max_visits: step.max_visits.unwrap_or(DEFAULT_VISITS),
        })
    }

    fn work(
        &mut self,
        step: &Step,
        scope: &Scope<'_>,
        execution: Execution,
    ) -> Result<Work, String> {
        let binder = Binder { scope };
        let text = |error: ExpressionError| error.to_string();
        match step.kind {
            StepType::Tool | StepType::Final => self.call(step, &binder),
            StepType::Loop | StepType::Reduce => self.each(step, scope, execution),
            StepType::Parallel => Ok(Work::Group {
                body: self.inner(step, &step.steps, scope, execution)?,
                concurrency: step.concurrency,
            }),
            StepType::Conditional => Ok(Work::Branch {
                condition: binder
                    .condition(step.condition.as_deref().unwrap_or_default())
                    .map_err(text)?,
                then: self.inner(step, &step.then, scope, execution)?,
                otherwise: self.inner(step, &step.otherwise, scope, execution)?,
            }),
            StepType::Plan => self.inner_plan(step, &binder),
            StepType::Approve => Ok(Work::Approve {
                show: binder.template(step.show.as_deref()).map_err(text)?,
                ask: binder
                    .template(step.ask.clone().map(Value::String).as_ref())
                    .map_err(text)?,
            }),
            StepType::Phase => self.phase(step, scope),
        }
    }

    fn call(&mut self, step: &Step, binder: &Binder<'_>) -> Result<Work, String> {
        let named = step
            .called_tool()
            .into_iter()
            .chain(step.fallbacks.iter().map(String::as_str));
        let tools = named
            .map(|name| self.tool(name))
            .collect::<Result<Vec<_>, _>>()?;
        if step.input.is_none() && step.function.is_none() {
            let input = binder.bind_template(Template::Literal(Arc::clone(&self.no_input)));
            return Ok(Work::Call { tools, input });
        }
        let mut input = step
            .input
            .clone()
            .unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if let (Some(crate::step::Function::Prompt { prompt }), Value::Object(fields)) =
            (&step.function, &mut input)
        {
            fields
                .entry("prompt")
                .or_insert_with(|| Value::String(prompt.clone()));
        }
        let mut input = Template::parse(&input).map_err(|error| error.to_string())?;
        if tools.first().is_some_and(|tool| self.asks_model(*tool)) {
            input = set_apart(input);
        }
        Ok(Work::Call {
            tools,
            input: binder.bind_template(input),
        })
    }

    fn asks_model(&self, tool: ToolIndex) -> bool {
        let tool = self.tools.get(tool.0 as usize);
        tool.is_some_and(|tool| tool.id.source() == MODEL_SOURCE)
    }

    fn tool(&mut self, name: &str) -> Result<ToolIndex, String> {
        let tool = self
            .plan
            .tool(name)
            .ok_or_else(|| format!("tool `{name}` was not resolved"))?;
        let known = self.tools.iter().rposition(|known| known.id == tool.id);
        let index = known.unwrap_or_else(|| {
            self.tools.push(Arc::clone(tool));
            self.tools.len() - 1
        });
        Ok(ToolIndex(index as u32))
    }

    fn each(
        &mut self,
        step: &Step,
        scope: &Scope<'_>,
        execution: Execution,
    ) -> Result<Work, String> {
        let binder = Binder { scope };
        let text = |error: ExpressionError| error.to_string();
        let list = if step.kind == StepType::Loop {
            step.over.as_deref()
        } else {
            step.input.as_ref()
        };
        let over = list_template(list.unwrap_or(&Value::Null)).map_err(text)?;
        let inner = match (&step.step, &step.reducer) {
            (Some(one), _) | (None, Some(one)) => std::slice::from_ref(&**one),
            (None, None) => step.steps.as_slice(),
        };
        let fold = match &step.accumulate {
            Some(variable) => Some(Box::new(Fold {
                initial: binder.template(step.initial.as_deref()).map_err(text)?,
                variable: Arc::from(variable.as_str()),
            })),
            None => None,
        };
        Ok(Work::Each {
            over: binder.bind_template(over),
            variable: Arc::from(step.variable.as_deref().unwrap_or("item")),
            body: self.inner(step, inner, scope, execution)?,
            concurrency: if fold.is_some() {
                Some(1)
            } else {
                step.concurrency
            },
            max_items: step.max_items.unwrap_or(self.limits.loop_items),
            fold,
        })
    }

    fn inner(
        &mut self,
        step: &Step,
        steps: &[Step],
        scope: &Scope<'_>,
        execution: Execution,
    ) -> Result<BodyId, String> {
        let id = self.reserve();
        let inside = scope.inside(steps, &variables_of(step));
        self.body(id, steps, &inside, inner_execution(step, execution))
            .map_err(|error| error.to_string())?;
        Ok(id)
    }

    /// Another plan's steps see nothing but their own input.
    fn inner_plan(&mut self, step: &Step, binder: &Binder<'_>) -> Result<Work, String> {
        let name = step.plan.as_deref().unwrap_or_default();
        let plan = self
            .plan
            .inner_plan(name)
            .ok_or_else(|| format!("plan `{name}` was not resolved"))?;
        let input = binder
            .template(step.input.as_ref())
            .map_err(|error| error.to_string())?;
        let id = self.reserve();
        let mut compiler = Compiler {
            bodies: std::mem::take(&mut self.bodies),
            tools: std::mem::take(&mut self.tools),
            plan,
            limits: self.limits,
            plain: Arc::clone(&self.plain),
            no_input: Arc::clone(&self.no_input),
        };
        let scope = Scope::top(plan.steps(), &CONTEXT_NAMES);
        let compiled = compiler.body(id, plan.steps(), &scope, plan.draft().execution);
        self.bodies = compiler.bodies;
        self.tools = compiler.tools;
        compiled.map_err(|error| error.to_string())?;
        let schema = plan.draft().input.clone().map(Arc::new);
        Ok(Work::Plan {
            body: id,
            input,
            schema,
        })
    }
}

fn link_children(nodes: &mut [Node]) {
    let edges: Vec<(u32, u32)> = nodes
        .iter()
        .enumerate()
        .flat_map(|(child, node)| {
            node.parents
                .iter()
                .map(move |parent| (parent.node, child as u32))
        })
        .collect();
    for (parent, child) in edges {
        if let Some(node) = nodes.get_mut(parent as usize) {
            node.children.push(child);
        }
    }
}
