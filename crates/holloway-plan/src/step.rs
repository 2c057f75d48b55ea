//! What can a step say? Every field of every step kind, exactly as written; the
//! rules in [`crate::validate`] decide which of them belong together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::place::Place;

/// One step as written in a plan document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// Names the step; unique in the plan.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What kind of step it is; a tool call unless said otherwise.
    #[serde(rename = "type", skip_serializing_if = "StepType::is_tool")]
    pub kind: StepType,
    /// What the step is for, in a person's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Steps that must have ended before. Steps whose output is read need not be listed.
    #[serde(alias = "dependsOn", skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Run the step only if this condition holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Arguments of a tool, `final` or `plan` step; the list of a `reduce` step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The name under which later steps find the result; the step's id works too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Box<Retry>>,
    /// How long one call may take.
    #[serde(alias = "timeoutMs", skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Other tools that take the same input, tried in order when the first fails.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<String>,
    /// What must be true of the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expectation>,
    /// What a failure of this step means for the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_error: Option<OnError>,
    /// Whether a person is asked before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalRule>,
    /// Take the result of an earlier identical read-only call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<Box<Cache>>,

    /// `tool`: which tool to call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,

    /// `loop`: the list to go through; a path to one, or the list itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Box<Value>>,
    /// `loop`, `reduce`: the name of the current item inside the inner steps.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// `loop`, `reduce`, `parallel`: how many at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// `loop`: refuse a longer list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<usize>,
    /// `loop`: the one inner step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Box<Step>>,
    /// `loop`, `parallel`: the inner steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,

    /// `reduce`: the step that is run for each item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reducer: Option<Box<Step>>,
    /// `reduce` as a fold: the value to start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<Box<Value>>,
    /// `reduce` as a fold: the name of the value carried from item to item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accumulate: Option<String>,

    /// `conditional`: which branch to take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// `conditional`: steps when the condition holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Step>,
    /// `conditional`: steps when it does not.
    #[serde(alias = "else", skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Step>,

    /// `final`: a tool, a built-in function such as `create_report`, or `{prompt: …}` for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,

    /// `plan`: the saved plan or template to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,

    /// `approve`: what the person is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show: Option<Box<Value>>,
    /// `approve`: the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,

    /// `phase`: the tools that may be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// `phase`: what is to be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// `phase`: the condition that ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// `phase`: how many calls it may make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_calls: Option<u32>,

    /// Graph execution: where to go from here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Edge>,
    /// Graph execution: how often the step may be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_visits: Option<u32>,

    /// Where the step stands in its document.
    #[serde(skip)]
    pub place: Place,
}

/// The kinds of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepType {
    #[default]
    Tool,
    Loop,
    Parallel,
    Reduce,
    Conditional,
    Final,
    Plan,
    Approve,
    Phase,
}

impl StepType {
    pub const ALL: [Self; 9] = [
        Self::Tool,
        Self::Loop,
        Self::Parallel,
        Self::Reduce,
        Self::Conditional,
        Self::Final,
        Self::Plan,
        Self::Approve,
        Self::Phase,
    ];

    #[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
    pub fn is_tool(&self) -> bool {
        *self == Self::Tool
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Loop => "loop",
            Self::Parallel => "parallel",
            Self::Reduce => "reduce",
            Self::Conditional => "conditional",
            Self::Final => "final",
            Self::Plan => "plan",
            Self::Approve => "approve",
            Self::Phase => "phase",
        }
    }
}

/// How failed calls are repeated: `max` retries, waiting `base_ms`, then `factor` times longer each time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Retry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ms: Option<u64>,
    /// Share of the wait that is drawn at random, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<f64>,
}

/// A hypothesis about the result that can be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Expectation {
    /// The result fits this JSON Schema.
    Schema(Value),
    /// The condition holds; fields of the result can be named directly.
    That(String),
    /// The result has a value at this path.
    Exists(String),
    /// The value at this path is the same in the step's input and its result.
    Unchanged(String),
}

/// What a step's failure means for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The plan fails.
    #[default]
    Fail,
    /// The step and all that reads its result are skipped.
    Skip,
    /// The result is null and the plan goes on.
    Continue,
    /// Go down the whole repair ladder, ending with a person.
    Repair,
    /// Ask a person what to do.
    Ask,
}

/// Whether a person is asked before a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalRule {
    /// As the policy says for the tool's effect class.
    #[default]
    Policy,
    Always,
    Never,
}

/// How long, and under which name, a read-only result is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Cache {
    /// Seconds.
    pub ttl: u64,
    /// Replaces tool and arguments as the name of what is remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// What a `final` step calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Function {
    /// A tool or a built-in function.
    Named(String),
    /// A model is asked.
    Prompt { prompt: String },
}

/// An edge of graph execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    pub to: String,
    /// Taken when this holds; an edge without it is taken when no edge before it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}

/// The tool id that stands for "ask the configured model".
pub const MODEL_TOOL: &str = "model/generate";

/// The source of the tools that ask the configured model.
pub const MODEL_SOURCE: &str = "model";

/// The name by which plans may call [`MODEL_TOOL`].
pub const MODEL_ALIAS: &str = "LLM";

impl Step {
    /// The tool this step calls first, as written.
    pub fn called_tool(&self) -> Option<&str> {
        match (self.kind, &self.tool, &self.function) {
            (StepType::Tool, Some(tool), _) => Some(tool),
            (StepType::Final, _, Some(Function::Named(name))) => Some(name),
            (StepType::Final, _, Some(Function::Prompt { .. })) => Some(MODEL_TOOL),
            _ => None,
        }
    }

    /// The name under which the result is kept.
    pub fn result_name(&self) -> &str {
        self.output.as_deref().unwrap_or(&self.id)
    }

    /// The lists of inner steps, each with the field it stands in.
    pub fn inner(&self) -> Vec<(&'static str, &[Step])> {
        let mut lists: Vec<(&'static str, &[Step])> = Vec::new();
        lists.extend(
            self.step
                .as_deref()
                .map(|s| ("step", std::slice::from_ref(s))),
        );
        lists.extend(
            self.reducer
                .as_deref()
                .map(|s| ("reducer", std::slice::from_ref(s))),
        );
        for (field, steps) in [
            ("steps", &self.steps),
            ("then", &self.then),
            ("otherwise", &self.otherwise),
        ] {
            if !steps.is_empty() {
                lists.push((field, steps));
            }
        }
        lists
    }

    /// Calls `visit` on this step and all steps inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        visit(self);
        for (_, steps) in self.inner() {
            for step in steps {
                step.walk(visit);
            }
        }
    }
}
