//! How does a plan become a graph? Every list of steps becomes a body of nodes,
//! every name a slot, every tool an index. Nothing is decided here.

use std::sync::Arc;

use serde_json::Value;

use crate::dag::{
    Body, BodyId, Bound, Check, Dag, Edge, Flow, Fold, Node, Parent, Policy, Remembering,
    ToolIndex, Work,
};
use crate::dataflow::{inner_execution, parents};
use crate::draft::Execution;
use crate::expression::{Expression, ExpressionError};
use crate::limits::Limits;
use crate::path::Path;
use crate::plan::Plan;
use crate::reference::list_template;
use crate::scope::{Scope, variables_of};
use crate::step::{Cache, Expectation, Step, StepType};
use crate::template::Template;

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
        Ok(Node {
            step: Arc::from(step.id.as_str()),
            output: Arc::from(step.result_name()),
            purpose: step.purpose.as_deref().map(Arc::from),
            parents,
            children: Vec::new(),
            when: step
                .when
                .as_deref()
                .map(|text| binder.condition(text))
                .transpose()
                .map_err(unreadable)?,
            work: self.work(step, scope, execution).map_err(failed)?,
            policy: policy(step, &binder).map_err(unreadable)?,
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
                show: binder.template(step.show.as_ref()).map_err(text)?,
                ask: binder
                    .template(step.ask.clone().map(Value::String).as_ref())
                    .map_err(text)?,
            }),
            StepType::Phase => Ok(Work::Phase),
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
        let input = binder
            .template(Some(&input))
            .map_err(|error| error.to_string())?;
        Ok(Work::Call { tools, input })
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
            &step.over
        } else {
            &step.input
        };
        let over = list_template(list.as_ref().unwrap_or(&Value::Null)).map_err(text)?;
        let inner = match (&step.step, &step.reducer) {
            (Some(one), _) | (None, Some(one)) => std::slice::from_ref(&**one),
            (None, None) => step.steps.as_slice(),
        };
        let fold = match &step.accumulate {
            Some(variable) => Some(Fold {
                initial: binder.template(step.initial.as_ref()).map_err(text)?,
                variable: Arc::from(variable.as_str()),
            }),
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

fn policy(step: &Step, binder: &Binder<'_>) -> Result<Policy, ExpressionError> {
    let expect = step
        .expect
        .iter()
        .map(|expectation| check(expectation, binder));
    Ok(Policy {
        retry: step.retry.unwrap_or_default(),
        timeout_ms: step.timeout_ms,
        on_error: step.on_error.unwrap_or_default(),
        approval: step.approval.unwrap_or_default(),
        cache: step
            .cache
            .as_ref()
            .map(|cache| remembering(cache, binder))
            .transpose()?,
        expect: expect.collect::<Result<_, _>>()?,
    })
}

fn remembering(cache: &Cache, binder: &Binder<'_>) -> Result<Remembering, ExpressionError> {
    let key = cache.key.clone().map(Value::String);
    Ok(Remembering {
        ttl_ms: cache.ttl.saturating_mul(1_000),
        key: key.map(|key| binder.template(Some(&key))).transpose()?,
    })
}

fn check(expectation: &Expectation, binder: &Binder<'_>) -> Result<Check, ExpressionError> {
    let path = |text: &str| {
        // The path starts at the result itself, which has no name.
        Path::parse(&format!("output.{}", text.trim())).ok_or_else(|| ExpressionError::Unreadable {
            text: text.to_owned(),
            reason: "not a path".to_owned(),
        })
    };
    Ok(match expectation {
        Expectation::Schema(schema) => {
            Check::Schema(Arc::new(crate::tool::full_schema(schema.clone())))
        }
        Expectation::That(text) => Check::That(binder.condition(text)?),
        Expectation::Exists(text) => Check::Exists(path(text)?),
        Expectation::Unchanged(text) => Check::Unchanged(path(text)?),
    })
}

fn edges(step: &Step, beside: &[Step], binder: &Binder<'_>) -> Result<Vec<Edge>, ExpressionError> {
    let target = |to: &str| beside.iter().position(|other| other.id == to);
    let mut edges = Vec::new();
    for edge in &step.next {
        let Some(to) = target(&edge.to) else { continue };
        let when = edge
            .when
            .as_deref()
            .map(|text| binder.condition(text))
            .transpose()?;
        edges.push(Edge {
            to: to as u32,
            when,
        });
    }
    Ok(edges)
}

/// Gives names their slots; names that no scope knows stay open.
struct Binder<'a> {
    scope: &'a Scope<'a>,
}

impl Binder<'_> {
    fn condition(&self, text: &str) -> Result<Bound<Expression>, ExpressionError> {
        let form = Expression::parse_condition(text)?;
        let slots = self.slots(&form.names());
        Ok(Bound { form, slots })
    }

    fn template(&self, value: Option<&Value>) -> Result<Bound<Template>, ExpressionError> {
        Ok(self.bind_template(Template::parse(value.unwrap_or(&Value::Null))?))
    }

    fn bind_template(&self, form: Template) -> Bound<Template> {
        let slots = self.slots(&form.names());
        Bound { form, slots }
    }

    fn slots(&self, names: &[&str]) -> Vec<(Arc<str>, crate::scope::Slot)> {
        let mut slots: Vec<(Arc<str>, _)> = Vec::new();
        for name in names {
            if slots.iter().any(|(known, _)| &**known == *name) {
                continue;
            }
            if let Some(slot) = self.scope.find(name) {
                slots.push((Arc::from(*name), slot));
            }
        }
        slots
    }
}
