//! Which tools declare the act that a goal names? What a tool says of itself in types goes before
//! any search. Acts of the planner's own table are read into frames and are not looked for here.

use holloway_search::words::stem;

use super::hits::Hit;
use super::verbs::{american, same, spoken};
use crate::catalogue::Catalogue;
use crate::frame::Goal;
use crate::frame::acts::Acts;

/// The tools that say they perform the act of a goal, or one that verbs of the data call the same.
pub(super) fn declared(catalogue: &Catalogue, goal: &Goal) -> Vec<Hit> {
    let verb = verb(goal);
    let alike = same(&verb).chain(spoken(&verb).iter().copied());
    let mut acts: Vec<String> = alike.map(stem).collect();
    acts.extend([stem(&verb), stem(&american(&verb))]);
    let is_meant = |act: &str| Acts::table().act(act).is_none() && acts.contains(&stem(act));
    let tools = catalogue.tools();
    let fitting = tools.filter(|(_, tool)| tool.does.iter().any(|does| is_meant(&does.act)));
    let hit = |place| Hit {
        place,
        rank: 1.0,
        does: 1.0,
    };
    fitting.map(|(place, _)| hit(place)).collect()
}

/// The verb of a goal. One that no list of verbs has leads the clause all the same.
fn verb(goal: &Goal) -> String {
    if !goal.clause.action.verb.is_empty() {
        return goal.clause.action.verb.clone();
    }
    let first = goal.text.split_whitespace().next().unwrap_or_default();
    first.to_lowercase()
}
