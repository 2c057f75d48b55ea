//! How are goals made ready to be laid? What the goal before them does anyway goes to that one,
//! and files that nobody named get a name.

use serde_json::json;

use super::CHOSEN;
use crate::frame::acts::Acts;
use crate::frame::scene::{Scene, stem};
use crate::frame::{Goal, Part};

/// How much is looked at where several tools could.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breadth {
    /// The fewest tools that do it.
    Narrow,
    #[default]
    Usual,
    /// Every tool that has something to say.
    Wide,
}

impl Breadth {
    /// As plans of this breadth are called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Narrow => "quick",
            Self::Usual => "balanced",
            Self::Wide => "thorough",
        }
    }
}

/// How goals are laid, as the settings have it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner<'a> {
    pub breadth: Breadth,
    /// A folder for files that nobody named; here if it is empty.
    pub folder: &'a str,
    /// How many tools may stand in for one that fails.
    pub fallbacks: usize,
    /// Items at a time, and the longest list of a loop; those of the run where nothing is set.
    pub loop_concurrency: Option<usize>,
    pub loop_items: Option<usize>,
}

/// Goals that the one before them does anyway, such as the report of an audit, give it their
/// parts.
pub(super) fn absorbed(goals: &[Goal]) -> Vec<Goal> {
    let mut kept: Vec<Goal> = Vec::new();
    for goal in goals {
        let takes = |before: &&mut Goal| {
            let act = Acts::table().act(&before.act);
            let sources = || {
                let mut sources = goal.all("sources");
                sources.all(|part| before.all("sources").any(|known| known.value == part.value))
            };
            act.is_some_and(|act| act.absorbs.contains(&goal.act)) && sources()
        };
        match kept.last_mut().filter(takes) {
            Some(before) => {
                let own = goal.parts.iter().filter(|part| part.slot != "sources");
                before.parts.extend(own.cloned());
            }
            None => kept.push(goal.clone()),
        }
    }
    kept
}

/// A form without a name gets one: that of the source. An act that makes a file makes one where
/// nothing is said.
pub(super) fn with_targets(goal: &Goal, scene: &Scene, manner: Manner<'_>) -> Goal {
    let mut goal = goal.clone();
    let usual = Acts::table()
        .act(&goal.act)
        .and_then(|act| act.form.clone());
    if let Some(form) = usual.filter(|_| !goal.has("target") && !goal.has("form")) {
        let said = goal.said.clone();
        goal.parts
            .push(Part::new("form", json!(form), said.clone()));
        if manner.breadth == Breadth::Wide {
            goal.parts.push(Part::new("form", json!("pdf"), said));
        }
    }
    let source = goal
        .first("sources")
        .and_then(|part| part.text("path").or(part.text("folder")));
    let made = Acts::table()
        .act(&goal.act)
        .is_some_and(|act| act.form.is_some());
    let base = source.map_or(goal.act.as_str(), stem).to_owned();
    let base = match manner.folder {
        folder if made && !folder.is_empty() => format!("{folder}/{base}"),
        _ => base,
    };
    for part in goal.parts.iter_mut().filter(|part| part.slot == "form") {
        let Some(form) = part.value.as_str() else {
            continue;
        };
        let names = std::iter::once(format!("{base}.{form}"));
        let mut names = names.chain((2..).map(|number| format!("{base}-{number}.{form}")));
        let free = names.find(|name| scene.file(name).is_none());
        *part = Part::new(
            "target",
            json!({"path": free, CHOSEN: true}),
            part.said.clone(),
        );
    }
    goal
}
