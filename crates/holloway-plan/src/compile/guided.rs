//! How is a guided section compiled? One node for each tool that may be called and, where a model
//! can be asked, one for its turns. Nothing waits for anything: what is next is decided in the run.

use std::sync::Arc;

use serde_json::Value;

use super::Compiler;
use super::bind::Binder;
use crate::dag::{Body, Bound, Flow, Guided, Node, Policy, ToolIndex, Work};
use crate::expression::ExpressionError;
use crate::scope::Scope;
use crate::step::{ApprovalRule, MODEL_TOOL, OnError, Step};
use crate::template::Template;

/// What the end condition of a phase can name: the last result of each tool, and how many calls
/// were made.
pub const PHASE_NAMES: [&str; 2] = ["results", "calls"];

/// How many calls a phase makes unless it says otherwise.
const DEFAULT_CALLS: u32 = 20;

/// The name of the turns in a run.
const TURN: &str = "turn";

impl Compiler<'_> {
    pub(super) fn phase(&mut self, step: &Step, scope: &Scope<'_>) -> Result<Work, String> {
        let unreadable = |error: ExpressionError| error.to_string();
        let body = self.reserve();
        let inside = scope.inside(&[], &PHASE_NAMES);
        let until = step
            .until
            .as_deref()
            .map(|until| Binder { scope: &inside }.condition(until));
        let goal = step.goal.clone().map(Value::String);
        let goal = Binder { scope }
            .template(goal.as_ref())
            .map_err(unreadable)?;
        let input = Binder { scope }
            .template(step.input.as_ref())
            .map_err(unreadable)?;
        let mut nodes = Vec::with_capacity(step.tools.len() + 1);
        for name in &step.tools {
            let tool = self.tool(name)?;
            let step_name = self.name_of(tool);
            nodes.push(node(&step_name, tool, step));
        }
        let tools = nodes.len();
        // Without a model, the engine itself says what is next.
        if self.plan.tool(MODEL_TOOL).is_some() {
            let tool = self.tool(MODEL_TOOL)?;
            nodes.push(node(TURN, tool, &Step::default()));
        }
        if let Some(reserved) = self.bodies.get_mut(body.0 as usize) {
            *reserved = Body {
                flow: Flow::Guided,
                nodes,
            };
        }
        Ok(Work::Phase(Box::new(Guided {
            goal,
            input,
            tools,
            until: until.transpose().map_err(unreadable)?,
            max_calls: step.max_calls.unwrap_or(DEFAULT_CALLS),
            body,
        })))
    }

    /// What a tool of a phase is called in the run: its own name.
    fn name_of(&self, tool: ToolIndex) -> String {
        let tool = self.tools.get(tool.0 as usize);
        tool.map(|tool| tool.id.name().to_owned())
            .unwrap_or_default()
    }
}

fn node(name: &str, tool: ToolIndex, step: &Step) -> Node {
    let nothing = Bound {
        form: Template::Literal(Arc::new(Value::Null)),
        slots: Vec::new(),
    };
    Node {
        step: Arc::from(name),
        output: Arc::from(name),
        purpose: None,
        parents: Vec::new(),
        children: Vec::new(),
        when: None,
        work: Work::Call {
            tools: vec![tool],
            input: nothing,
        },
        policy: Arc::new(Policy {
            retry: step.retry.as_deref().copied().unwrap_or_default(),
            timeout_ms: step.timeout_ms,
            // A call that fails is told to whoever decides what is next.
            on_error: OnError::Continue,
            // What a phase may not be asked about, no plan can say beforehand.
            approval: match step.approval {
                Some(ApprovalRule::Always) => ApprovalRule::Always,
                _ => ApprovalRule::Policy,
            },
            cache: None,
            expect: Vec::new(),
        }),
        edges: Vec::new(),
        max_visits: u32::MAX,
    }
}
