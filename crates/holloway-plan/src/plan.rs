//! A plan that is known to be sound. Its fields are private: the only way to
//! get one is [`crate::validate::validate`].

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::digest;
use crate::draft::Draft;
use crate::step::Step;
use crate::tool::ToolSpec;

/// A checked plan, together with the definitions of all it calls.
#[derive(Clone, Debug)]
pub struct Plan {
    draft: Draft,
    tools: BTreeMap<String, Arc<ToolSpec>>,
    plans: BTreeMap<String, Arc<Plan>>,
    version: String,
}

impl Plan {
    /// Called by `validate` once no rule objects, and by rewrites that keep the meaning.
    pub(crate) fn sound(
        draft: Draft,
        tools: BTreeMap<String, Arc<ToolSpec>>,
        plans: BTreeMap<String, Arc<Self>>,
    ) -> Self {
        let version = version_of(&draft, &tools, &plans);
        Self {
            draft,
            tools,
            plans,
            version,
        }
    }

    /// The same tools and inner plans with other steps; for rewrites.
    pub(crate) fn with_draft(&self, draft: Draft) -> Self {
        Self::sound(draft, self.tools.clone(), self.plans.clone())
    }

    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    pub fn steps(&self) -> &[Step] {
        &self.draft.steps
    }

    /// What the plan is called: its own id, or the start of its version.
    pub fn id(&self) -> String {
        let unnamed = || format!("plan-{}", self.version.get(..8).unwrap_or(&self.version));
        self.draft.id.clone().unwrap_or_else(unnamed)
    }

    /// Changes with any change of the plan or of the definition of a tool it calls.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The tool a step means by `name`.
    pub fn tool(&self, name: &str) -> Option<&Arc<ToolSpec>> {
        self.tools.get(name)
    }

    /// Every tool the plan may call, by the name the plan uses.
    pub fn tools(&self) -> &BTreeMap<String, Arc<ToolSpec>> {
        &self.tools
    }

    /// The plan a `plan` step means by `name`.
    pub fn inner_plan(&self, name: &str) -> Option<&Arc<Plan>> {
        self.plans.get(name)
    }

    pub fn inner_plans(&self) -> &BTreeMap<String, Arc<Plan>> {
        &self.plans
    }
}

fn version_of(
    draft: &Draft,
    tools: &BTreeMap<String, Arc<ToolSpec>>,
    plans: &BTreeMap<String, Arc<Plan>>,
) -> String {
    #[derive(Serialize)]
    struct Whole<'a> {
        draft: &'a Draft,
        pins: BTreeMap<&'a str, String>,
        plans: BTreeMap<&'a str, &'a str>,
    }
    digest::of_json(&Whole {
        draft,
        pins: tools
            .iter()
            .map(|(name, tool)| (name.as_str(), tool.pin()))
            .collect(),
        plans: plans
            .iter()
            .map(|(name, plan)| (name.as_str(), plan.version()))
            .collect(),
    })
}
