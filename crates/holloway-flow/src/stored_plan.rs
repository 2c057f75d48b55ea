//! What is kept of a plan beside its run? All that is needed to check and
//! compile it again in another process: the plan, the plans inside it, the pins
//! of its tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::context::Knowledge;
use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::problem::Problems;
use holloway_plan::read::read_value;
use holloway_plan::tool::{Lookup, ToolTable};
use holloway_plan::validate::{PlanLibrary, Surroundings, validate};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A plan, self-contained.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredPlan {
    pub plan: Value,
    #[serde(default)]
    pub plans: BTreeMap<String, Value>,
    /// Tool names as the plan uses them, with the pin each had.
    #[serde(default)]
    pub pins: BTreeMap<String, String>,
    /// Names given to the plan besides `input`.
    #[serde(default)]
    pub context: Vec<String>,
    /// What the tools may reach; a resumed run reaches the same.
    #[serde(default)]
    pub terms: Value,
    /// What the run answers; a resumed run answers it too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// What its steps may be shown besides the plan and its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knowledge: Option<Arc<Knowledge>>,
}

/// What a person asked for in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub request: String,
    /// Whether they may be asked if the answer was what they wanted.
    pub question: bool,
    /// Whether the plan sees to all of it: half of it is no example to follow.
    pub is_whole: bool,
}

/// Why a stored plan cannot be used any more.
#[derive(Debug, thiserror::Error)]
pub enum StoredPlanError {
    #[error("the stored plan is not readable: {0}")]
    Unreadable(String),
    #[error("tools have changed since the run began: {}", .0.join(", "))]
    ToolsChanged(Vec<String>),
    #[error("{0}")]
    NotSound(Problems),
}

impl StoredPlan {
    pub fn of(plan: &Plan, context: &[&str], terms: Value) -> Self {
        let mut plans = BTreeMap::new();
        let mut pins = BTreeMap::new();
        collect(plan, &mut plans, &mut pins);
        Self {
            plan: to_value(plan.draft()),
            plans,
            pins,
            context: context.iter().map(|name| (*name).to_owned()).collect(),
            terms,
            asked: None,
            knowledge: None,
        }
    }

    /// What a stored plan was made to answer, if it was.
    pub fn asked_in(stored: &Value) -> Option<Asked> {
        serde_json::from_value(stored.get("asked")?.clone()).ok()
    }

    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Checks the plan again; refuses tools that are not what they were.
    pub fn restore(
        value: Value,
        tools: &ToolTable,
        limits: &Limits,
    ) -> Result<(Plan, Self), StoredPlanError> {
        let stored = Self::read(value)?;
        let changed = stored.changed_tools(tools);
        if !changed.is_empty() {
            return Err(StoredPlanError::ToolsChanged(changed));
        }
        Ok((stored.check(tools, limits)?, stored))
    }

    /// The same for a run of its own, which is bound to the tools as they are now.
    pub fn restore_anew(
        value: Value,
        tools: &ToolTable,
        limits: &Limits,
    ) -> Result<Plan, StoredPlanError> {
        Self::read(value)?.check(tools, limits)
    }

    fn read(value: Value) -> Result<Self, StoredPlanError> {
        serde_json::from_value(value)
            .map_err(|error| StoredPlanError::Unreadable(error.to_string()))
    }

    fn check(&self, tools: &ToolTable, limits: &Limits) -> Result<Plan, StoredPlanError> {
        let draft = read_value(&self.plan, limits).map_err(StoredPlanError::NotSound)?;
        let context: Vec<&str> = self.context.iter().map(String::as_str).collect();
        let around = Surroundings {
            tools,
            plans: &Kept {
                plans: &self.plans,
                limits,
            },
            context: &context,
            limits,
        };
        validate(&draft, &around).map_err(StoredPlanError::NotSound)
    }

    fn changed_tools(&self, tools: &ToolTable) -> Vec<String> {
        let is_same = |name: &str, pin: &str| matches!(tools.find(name), Lookup::Found(tool) if tool.pin() == pin);
        self.pins
            .iter()
            .filter(|(name, pin)| !is_same(name, pin))
            .map(|(name, _)| name.clone())
            .collect()
    }
}

/// The plans inside a plan, and the pins of all their tools.
fn collect(plan: &Plan, plans: &mut BTreeMap<String, Value>, pins: &mut BTreeMap<String, String>) {
    for (name, tool) in plan.tools() {
        pins.insert(name.clone(), tool.pin());
    }
    for (name, inner) in plan.inner_plans() {
        let stored = to_value(inner.draft());
        if plans.insert(name.clone(), stored).is_none() {
            collect(inner, plans, pins);
        }
    }
}

fn to_value(draft: &Draft) -> Value {
    serde_json::to_value(draft).unwrap_or_default()
}

/// The plans that were kept beside this one.
struct Kept<'a> {
    plans: &'a BTreeMap<String, Value>,
    limits: &'a Limits,
}

impl PlanLibrary for Kept<'_> {
    fn find(&self, name: &str) -> Option<Draft> {
        self.plans
            .get(name)
            .and_then(|value| read_value(value, self.limits).ok())
    }

    fn names(&self) -> Vec<String> {
        self.plans.keys().cloned().collect()
    }
}
