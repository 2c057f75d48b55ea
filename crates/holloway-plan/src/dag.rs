//! What does the engine run? A plan with every name resolved: bodies of nodes,
//! each with the nodes it waits for and the work it does. Comes only from
//! [`crate::compile::compile`].

use std::sync::Arc;

use serde_json::Value;

use crate::draft::{Budget, Execution};
use crate::expression::Expression;
use crate::scope::Slot;
use crate::step::{ApprovalRule, OnError, Retry};
use crate::template::Template;
use crate::tool::ToolSpec;

/// A compiled plan. `bodies[0]` holds the plan's own steps.
#[derive(Clone, Debug)]
pub struct Dag {
    pub(crate) plan_id: String,
    pub(crate) plan_version: String,
    pub(crate) execution: Execution,
    pub(crate) budget: Budget,
    pub(crate) input_schema: Option<Value>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) tools: Vec<Arc<ToolSpec>>,
}

impl Dag {
    pub fn plan_id(&self) -> &str {
        &self.plan_id
    }

    pub fn plan_version(&self) -> &str {
        &self.plan_version
    }

    pub fn execution(&self) -> Execution {
        self.execution
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// JSON Schema of the plan's input.
    pub fn input_schema(&self) -> Option<&Value> {
        self.input_schema.as_ref()
    }

    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The definitions that [`ToolIndex`] counts into.
    pub fn tools(&self) -> &[Arc<ToolSpec>] {
        &self.tools
    }

    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.bodies.get(id.0 as usize)
    }
}

/// Counts into [`Dag::bodies`].
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct BodyId(pub u32);

impl BodyId {
    pub const TOP: Self = Self(0);
}

/// Counts into [`Dag::tools`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ToolIndex(pub u32);

/// A list of steps as nodes.
#[derive(Clone, Debug)]
pub struct Body {
    pub flow: Flow,
    pub nodes: Vec<Node>,
}

/// What decides which node of a body is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// A node starts when all it waits for has ended.
    Waiting,
    /// A node starts when an edge leads to it; the first one starts the body.
    Edges,
    /// A node starts whenever it is chosen, as often as it is.
    Guided,
}

/// A step in its place.
#[derive(Clone, Debug)]
pub struct Node {
    pub step: Arc<str>,
    /// The name of its result in the final context.
    pub output: Arc<str>,
    pub purpose: Option<Arc<str>>,
    pub parents: Vec<Parent>,
    pub children: Vec<u32>,
    pub when: Option<Box<Bound<Expression>>>,
    pub work: Work,
    /// Nodes that say nothing share one.
    pub policy: Arc<Policy>,
    pub edges: Vec<BoundEdge>,
    pub max_visits: u32,
}

/// A node that another waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    pub node: u32,
    /// Its result is read, not only its end awaited.
    pub data: bool,
}

/// A conditional edge of graph execution.
#[derive(Clone, Debug)]
pub struct BoundEdge {
    pub to: u32,
    pub when: Option<Bound<Expression>>,
}

/// An expression or template with the slots of its names.
#[derive(Clone, Debug)]
pub struct Bound<T> {
    pub form: T,
    pub slots: Vec<(Arc<str>, Slot)>,
}

impl<T> Bound<T> {
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots
            .iter()
            .find(|(known, _)| &**known == name)
            .map(|(_, slot)| slot)
    }
}

/// What a node does.
#[derive(Clone, Debug)]
pub enum Work {
    /// Calls the first tool; the others stand by.
    Call {
        tools: Vec<ToolIndex>,
        input: Bound<Template>,
    },
    /// Runs a body for each item; `fold` carries a value from item to item.
    Each {
        over: Bound<Template>,
        variable: Arc<str>,
        body: BodyId,
        concurrency: Option<usize>,
        max_items: usize,
        fold: Option<Box<Fold>>,
    },
    /// Runs a body once, so many nodes at a time.
    Group {
        body: BodyId,
        concurrency: Option<usize>,
    },
    /// Runs one of two bodies.
    Branch {
        condition: Bound<Expression>,
        then: BodyId,
        otherwise: BodyId,
    },
    /// Runs another plan's body in a world of its own.
    Plan {
        body: BodyId,
        input: Bound<Template>,
        /// JSON Schema of that plan's input.
        schema: Option<Arc<Value>>,
    },
    /// Waits for a person.
    Approve {
        show: Bound<Template>,
        ask: Bound<Template>,
    },
    /// A guided section.
    Phase(Box<Guided>),
}

/// What is known of a guided section before it runs.
#[derive(Clone, Debug)]
pub struct Guided {
    pub goal: Bound<Template>,
    /// What it is given besides the results that its goal names.
    pub input: Bound<Template>,
    /// The first so many nodes of its body are the tools that may be called; a node after them asks
    /// a model what is next.
    pub tools: usize,
    /// Ends the section once it holds.
    pub until: Option<Bound<Expression>>,
    pub max_calls: u32,
    pub body: BodyId,
}

/// The carried value of a fold.
#[derive(Clone, Debug)]
pub struct Fold {
    pub initial: Bound<Template>,
    pub variable: Arc<str>,
}

/// What holds for a node besides its work.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub retry: Retry,
    pub timeout_ms: Option<u64>,
    pub on_error: OnError,
    pub approval: ApprovalRule,
    pub cache: Option<Remembering>,
    pub expect: Vec<Check>,
}

/// How a read-only result is remembered.
#[derive(Clone, Debug)]
pub struct Remembering {
    pub ttl_ms: u64,
    /// Replaces tool and arguments as the name of what is remembered.
    pub key: Option<Bound<Template>>,
}

/// An expectation, ready to be checked.
#[derive(Clone, Debug)]
pub enum Check {
    Schema(Arc<Value>),
    That(Bound<Expression>),
    Exists(crate::path::Path),
    Unchanged(crate::path::Path),
}
