//! What comes near to a request that is not planned? Templates and tools that do what was
//! recognised of it, with what stands in the way.

use holloway_planner::frame::acts::Acts;
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::Understood;
use holloway_search::reason::reason;
use serde::Serialize;

use super::Planner;

/// How many of each kind are offered.
const OFFERED: usize = 2;
/// Stands between the acts that a template does together.
const AND: char = '+';

/// Something that does a part of what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Near {
    pub kind: NearKind,
    pub name: String,
    /// What it is for.
    pub about: String,
    /// What of the request it does not account for.
    pub missing: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NearKind {
    Template,
    Tool,
}

impl Near {
    /// As it is typed to look at it.
    pub fn command(&self) -> String {
        let kind = match self.kind {
            NearKind::Template => "templates",
            NearKind::Tool => "tools",
        };
        format!("holloway {kind} show {}", self.name)
    }
}

impl Planner {
    /// The nearest templates and tools, by the acts that were recognised; otherwise by search
    /// with what the goals say.
    pub(super) fn near(&self, understood: &Understood) -> Vec<Near> {
        let missing = missing(&understood.troubles);
        let near = |kind, name: &str, about: &str| Near {
            kind,
            name: name.to_owned(),
            about: about.to_owned(),
            missing: missing.clone(),
        };
        let is_core = |act: &&str| Acts::table().act(act).is_some_and(|act| act.core);
        let goals = || understood.frame.goals.iter();
        let acts: Vec<&str> = goals()
            .map(|goal| goal.act.as_str())
            .filter(is_core)
            .collect();
        let templates = self.templates.iter().filter(|draft| {
            let mut does = draft.does.iter().flat_map(|does| does.act.split(AND));
            does.any(|act| acts.contains(&act))
        });
        let templates = templates.filter_map(|draft| {
            let about = draft.objective.as_deref().unwrap_or_default();
            Some(near(NearKind::Template, draft.id.as_deref()?, about))
        });
        let tools = || self.catalogue.tools().map(|(_, tool)| tool);
        let mut of_acts = tools()
            .filter(|tool| {
                tool.does
                    .iter()
                    .any(|does| acts.contains(&does.act.as_str()))
            })
            .peekable();
        let said: Vec<&str> = goals().map(|goal| goal.text.as_str()).collect();
        let found = match of_acts.peek() {
            Some(_) => Vec::new(),
            None => self.catalogue.index().search(&said.join(" "), OFFERED),
        };
        // What has no word of the goals is not near to them.
        let index = self.catalogue.index();
        let query = index.read(&said.join(" "));
        let searched = found
            .into_iter()
            .filter(|place| !reason(index, &query, *place).words.is_empty())
            .filter_map(|place| self.catalogue.tool(place));
        let tools = of_acts.chain(searched).take(OFFERED);
        let tools = tools.map(|tool| near(NearKind::Tool, tool.id.as_str(), &tool.title));
        templates.take(OFFERED).chain(tools).collect()
    }
}

fn missing(troubles: &[Trouble]) -> Vec<String> {
    let of = |trouble: &Trouble| match trouble {
        Trouble::Leftover { words } => words.clone(),
        Trouble::Open { about, .. } | Trouble::Unfit { about } => vec![about.clone()],
    };
    troubles.iter().flat_map(of).collect()
}
