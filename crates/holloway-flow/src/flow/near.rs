//! What comes near to a request that is not planned? Templates and tools that do what was
//! recognised of it, with what stands in the way.

use holloway_plan::draft::Draft;
use holloway_planner::frame::acts::Acts;
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::Understood;
use holloway_search::entry::Entry;
use holloway_search::index::Index;
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
    /// The nearest templates and tools: those that do what was recognised, then those whose
    /// descriptions have words of the goals or of what was left over.
    pub(super) fn near(&self, understood: &Understood) -> Vec<Near> {
        let missing = missing(&understood.troubles);
        let near = |kind, name: &str, about: &str| Near {
            kind,
            name: name.to_owned(),
            about: about.to_owned(),
            missing: missing.clone(),
        };
        let frame = &understood.frame;
        let goals = || frame.goals.iter();
        let is_core = |act: &&str| Acts::table().act(act).is_some_and(|act| act.core);
        let acts: Vec<&str> = goals()
            .map(|goal| goal.act.as_str())
            .filter(is_core)
            .collect();
        let goals: Vec<&str> = goals().map(|goal| goal.text.as_str()).collect();
        let left = frame.leftover.iter().map(|said| said.text.as_str());
        let all: Vec<&str> = goals.iter().copied().chain(left).collect();

        let templates = self.templates_of(&acts).into_iter();
        let templates = templates.chain(self.templates_about(&all.join(" ")));
        let mut offered: Vec<Near> = Vec::new();
        for draft in templates {
            let about = draft.objective.as_deref().unwrap_or_default();
            let Some(name) = draft.id.as_deref() else {
                continue;
            };
            if offered.len() < OFFERED && !offered.iter().any(|one| one.name == name) {
                offered.push(near(NearKind::Template, name, about));
            }
        }
        let tools = || self.catalogue.tools().map(|(_, tool)| tool);
        let mut of_acts = tools()
            .filter(|tool| {
                tool.does
                    .iter()
                    .any(|does| acts.contains(&does.act.as_str()))
            })
            .peekable();
        let found = match of_acts.peek() {
            Some(_) => Vec::new(),
            None => sharing_words(self.catalogue.index(), &goals.join(" ")),
        };
        let searched = found
            .into_iter()
            .filter_map(|place| self.catalogue.tool(place));
        let tools = of_acts.chain(searched).take(OFFERED);
        offered.extend(tools.map(|tool| near(NearKind::Tool, tool.id.as_str(), &tool.title)));
        offered
    }

    fn templates_of(&self, acts: &[&str]) -> Vec<&Draft> {
        let does = |draft: &&Draft| {
            let mut does = draft.does.iter().flat_map(|does| does.act.split(AND));
            does.any(|act| acts.contains(&act))
        };
        self.templates.iter().filter(does).collect()
    }

    /// Those whose objective has words of the text.
    fn templates_about(&self, text: &str) -> Vec<&Draft> {
        let entry = |draft: &Draft| Entry {
            name: draft.id.clone().unwrap_or_default(),
            description: draft.objective.clone().unwrap_or_default(),
            ..Entry::default()
        };
        let index = Index::new(self.templates.iter().map(entry));
        let found = sharing_words(&index, text);
        found
            .into_iter()
            .filter_map(|place| self.templates.get(place))
            .collect()
    }
}

/// The best of a search; what has no word of the text is not near to it.
fn sharing_words(index: &Index, text: &str) -> Vec<usize> {
    let query = index.read(text);
    let mut found = index.search(text, OFFERED);
    found.retain(|place| !reason(index, &query, *place).words.is_empty());
    found
}

fn missing(troubles: &[Trouble]) -> Vec<String> {
    let of = |trouble: &Trouble| match trouble {
        Trouble::Leftover { words } => words.clone(),
        Trouble::Open { about, .. } | Trouble::Unfit { about } => vec![about.clone()],
    };
    troubles.iter().flat_map(of).collect()
}
