//! Which skills do these tools need? Backwards: from the tools of one plan, or of all
//! plans, to the skills they are at home in, and from a step's tool to the sections it
//! gets. The rules are told in `skills/README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::tool::{ToolId, ToolSpec};
use serde::Serialize;

use super::{Section, Skill, Skills, category};

/// A skill and the tools of a plan that are at home in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Needed {
    pub skill: String,
    pub tools: Vec<ToolId>,
}

/// The tools of many plans by domain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Domains {
    pub domains: Vec<Domain>,
    /// Tools that no skill knows anything about.
    pub homeless: Vec<ToolId>,
}

/// A skill with what asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Domain {
    pub skill: String,
    /// The categories that its tools have.
    pub categories: BTreeSet<String>,
    pub tools: BTreeSet<ToolId>,
    /// How many of the plans use it.
    pub plans: usize,
}

/// A section that a step gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loaded<'a> {
    pub skill: &'a str,
    pub section: &'a Section,
}

/// The tools of a plan and of the plans inside it.
pub fn tools_of(plan: &Plan) -> Vec<Arc<ToolSpec>> {
    let mut found = BTreeMap::new();
    collect(plan, &mut found);
    found.into_values().collect()
}

fn collect(plan: &Plan, found: &mut BTreeMap<ToolId, Arc<ToolSpec>>) {
    for tool in plan.tools().values() {
        found.insert(tool.id.clone(), Arc::clone(tool));
    }
    for inner in plan.inner_plans().values() {
        collect(inner, found);
    }
}

impl Section {
    /// Whether it names the tool: built-in ones by name, others by their whole id.
    pub fn names(&self, tool: &ToolId) -> bool {
        let is_meant = |name: &String| {
            name == tool.as_str() || (tool.source() == "builtin" && name == tool.name())
        };
        self.tools.iter().any(is_meant)
    }
}

impl Skill {
    fn times_named(&self, tool: &ToolId) -> usize {
        let naming = self.sections.iter().filter(|section| section.names(tool));
        naming.count()
    }

    fn has_category(&self, tool: &ToolSpec) -> bool {
        let wanted = category(&tool.category);
        self.categories().any(|category| category == wanted)
    }
}

impl Skills {
    /// The skill that names the tool most often; between equals, one of its category;
    /// between these, the first by name.
    pub fn home(&self, tool: &ToolSpec) -> Option<&Skill> {
        let mut best: Option<((usize, bool), &Skill)> = None;
        for skill in self.iter() {
            let claim = (skill.times_named(&tool.id), skill.has_category(tool));
            let is_better = best.is_none_or(|(other, _)| claim > other);
            if claim != (0, false) && is_better {
                best = Some((claim, skill));
            }
        }
        best.map(|(_, skill)| skill)
    }

    /// The homes of all tools of a plan; those with most tools first.
    pub fn skills_of_plan<'a>(&self, tools: impl IntoIterator<Item = &'a ToolSpec>) -> Vec<Needed> {
        let mut found: BTreeMap<&str, Vec<ToolId>> = BTreeMap::new();
        for tool in tools {
            let Some(home) = self.home(tool) else {
                continue;
            };
            let at_home = found.entry(&home.name).or_default();
            if !at_home.contains(&tool.id) {
                at_home.push(tool.id.clone());
            }
        }
        let needed = found.into_iter().map(|(skill, tools)| Needed {
            skill: skill.to_owned(),
            tools,
        });
        let mut needed: Vec<Needed> = needed.collect();
        needed.sort_by_key(|needed| std::cmp::Reverse(needed.tools.len()));
        needed
    }

    /// The tools of all plans by domain, those that most plans use first: what has to be
    /// at hand whichever plan is chosen.
    pub fn skills_of_plans<'a, P>(&self, plans: impl IntoIterator<Item = P>) -> Domains
    where
        P: IntoIterator<Item = &'a ToolSpec>,
    {
        let mut found: BTreeMap<&str, Domain> = BTreeMap::new();
        let mut homeless = BTreeSet::new();
        for plan in plans {
            let mut used = BTreeSet::new();
            for tool in plan {
                let Some(home) = self.home(tool) else {
                    homeless.insert(tool.id.clone());
                    continue;
                };
                let domain = found.entry(&home.name).or_insert_with(|| Domain {
                    skill: home.name.clone(),
                    categories: BTreeSet::new(),
                    tools: BTreeSet::new(),
                    plans: 0,
                });
                domain.categories.insert(category(&tool.category));
                domain.tools.insert(tool.id.clone());
                if used.insert(&home.name) {
                    domain.plans += 1;
                }
            }
        }
        let mut domains: Vec<Domain> = found.into_values().collect();
        domains.sort_by_key(|domain| std::cmp::Reverse((domain.plans, domain.tools.len())));
        Domains {
            domains,
            homeless: homeless.into_iter().collect(),
        }
    }

    /// What a step with this tool gets, in the order it is to be read: the sections that
    /// name the tool, those of its home first, then those of the other skills of the plan.
    /// A tool that none of them names gets its home from the top. A section that does not
    /// fit into what is left of `budget` (in tokens) is passed over.
    pub fn sections_for<'a>(
        &'a self,
        tool: &ToolSpec,
        skills_of_plan: &[Needed],
        budget: usize,
    ) -> Vec<Loaded<'a>> {
        let Some(home) = self.home(tool) else {
            return Vec::new();
        };
        let others = skills_of_plan
            .iter()
            .filter(|needed| needed.skill != home.name);
        let others = others.filter_map(|needed| self.get(&needed.skill));
        let all = std::iter::once(home).chain(others);
        let naming: Vec<Loaded<'_>> = all
            .flat_map(sections_of)
            .filter(|loaded| loaded.section.names(&tool.id))
            .collect();
        let wanted = if naming.is_empty() {
            sections_of(home).collect()
        } else {
            naming
        };
        let mut left = budget;
        let fits = |loaded: &Loaded<'_>| match left.checked_sub(loaded.section.tokens()) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        wanted.into_iter().filter(fits).collect()
    }
}

fn sections_of(skill: &Skill) -> impl Iterator<Item = Loaded<'_>> {
    skill.sections.iter().map(|section| Loaded {
        skill: &skill.name,
        section,
    })
}
