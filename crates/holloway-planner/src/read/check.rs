//! Does a frame hold together? Typed checks behind every reader: columns, values, files and
//! operators must be there and fit. What is open becomes a question with its choices; what
//! contradicts is a trouble that is told.

use serde::Serialize;
use serde_json::{Value, json};

use crate::frame::acts::{Act, Acts};
use crate::frame::scene::{Column, Holds, Scene};
use crate::frame::{Frame, Goal, OTHER, Part};

mod axes;
mod figures;
mod files;
mod filters;
mod keys;
mod mentions;
mod whole;

use keys::keys;

/// Why a frame is not planned as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "trouble")]
pub enum Trouble {
    /// Words that nothing accounts for.
    Leftover { words: Vec<String> },
    /// One thing is open: which of these?
    Open {
        goal: usize,
        slot: String,
        about: String,
        choices: Vec<String>,
    },
    /// It does not hold together, or cannot be done to what is there.
    Unfit { about: String },
}

/// The tables that a goal works on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground<'a> {
    pub(crate) columns: Vec<&'a Column>,
    /// Columns that goals before made.
    made: Vec<String>,
    /// Figures that the goal before made: of which columns, called what, and by what.
    figures: Vec<(String, String)>,
    grouped: Vec<String>,
    /// The column by which the rows were cut before.
    cut_by: Option<String>,
}

impl<'a> Ground<'a> {
    fn column(&self, name: &str) -> Option<&'a Column> {
        self.columns
            .iter()
            .find(|column| column.name == name)
            .copied()
    }

    fn has(&self, name: &str) -> bool {
        self.column(name).is_some() || self.made.iter().any(|made| made == name)
    }

    fn numbers(&self) -> impl Iterator<Item = &'a Column> + '_ {
        let columns = self.columns.iter().copied();
        columns.filter(|column| column.holds == Holds::Numbers)
    }
}

/// Checks a frame and fills in what follows from the scene.
pub fn check(frame: &mut Frame, scene: &Scene) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    if !frame.leftover.is_empty() {
        let words = frame.leftover.iter().map(|said| said.text.clone());
        troubles.push(Trouble::Leftover {
            words: words.collect(),
        });
    }
    let mut ground = Ground::default();
    let mut before = scene.before.is_some();
    if let Some(earlier) = &scene.before {
        ground.columns = earlier.columns.iter().collect();
    }
    troubles.extend(too_late(frame));
    let mut read: Vec<String> = Vec::new();
    for (number, goal) in frame.goals.iter_mut().enumerate() {
        files::in_folder(goal);
        if !before {
            files::unmarked(goal, scene, &frame.language);
        }
        let sources = goal.all("sources").filter_map(|part| part.text("path"));
        read.extend(sources.map(str::to_owned));
        troubles.extend(files::same(goal, &read));
        if goal.has("sources") {
            ground = ground_of(goal, scene);
        }
        let computed = goal.all("compute").filter_map(|part| part.text("name"));
        ground.made.extend(computed.map(str::to_owned));
        let mut found = of_goal(goal, &ground, before, number);
        files::named(goal, scene, &mut found);
        troubles.append(&mut found);
        troubles.extend(keys(goal, scene, number));
        troubles.extend(files::check(goal, scene, number));
        let figures = axes::figures(goal);
        if !figures.is_empty() {
            let names = figures.iter().map(|(_, name)| name.clone());
            ground.made.extend(names);
            ground.figures = figures;
            ground.grouped = axes::grouped(goal);
        }
        let order = goal.first("order").filter(|_| goal.has("limit"));
        ground.cut_by = order
            .and_then(|part| part.text("column"))
            .map(str::to_owned);
        before = true;
    }
    if frame.goals.is_empty() && frame.leftover.is_empty() && frame.no_plan.is_none() {
        troubles.push(Trouble::Unfit {
            about: "nothing is asked for".to_owned(),
        });
    }
    troubles
}

fn ground_of<'a>(goal: &Goal, scene: &'a Scene) -> Ground<'a> {
    let files = goal
        .all("sources")
        .filter_map(|part| scene.file(part.text("path")?));
    Ground {
        columns: files.flat_map(|file| &file.columns).collect(),
        ..Ground::default()
    }
}

/// What is drawn or reported must be known before: a goal that goes on with a chart or a report
/// and asks for rows or figures was meant to come first.
fn too_late(frame: &Frame) -> Option<Trouble> {
    let acts = Acts::table();
    let shows = acts.phase("chart");
    let pairs = frame.goals.iter().zip(frame.goals.iter().skip(1));
    let late = pairs.filter(|(one, other)| {
        let drawn = acts
            .act(&one.act)
            .is_some_and(|act| act.core && act.phase >= shows);
        let selects = acts.act(&other.act).is_some_and(|act| !act.core);
        drawn
            && selects
            && !other.has("sources")
            && other
                .parts
                .iter()
                .any(|part| acts.phase(&part.slot) < shows)
    });
    let late = late.map(|(_, other)| {
        unfit(format!(
            "“{}” comes after what it is needed for",
            other.text
        ))
    });
    late.take(1).next()
}

fn of_goal(goal: &mut Goal, ground: &Ground<'_>, goes_on: bool, number: usize) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    let acts = Acts::table();
    let Some(act) = acts.act(&goal.act) else {
        if goal.act != OTHER {
            troubles.push(unfit(format!("there is no act `{}`", goal.act)));
        }
        return troubles;
    };
    troubles.extend(sources(goal, act, goes_on, number));
    troubles.extend(slots(goal, act, number));
    let unsaid = goal.said.text.is_empty() && goal.parts.iter().all(|part| part.slot == "sources");
    if unsaid || goal.parts.is_empty() && !goes_on && !act.core {
        troubles.push(unfit("nothing is asked for".to_owned()));
    }
    mentions::settle(goal, ground, &mut troubles);
    filters::check(goal, ground, number, &mut troubles);
    whole::check(goal, &mut troubles);
    figures::check(goal, ground, number, &mut troubles);
    axes::check(goal, ground, &mut troubles);
    whole::ties(goal);
    files::targets(goal, &mut troubles);
    once(goal);
    troubles
}

/// As many sources as the act takes, and of its kind.
fn sources(goal: &Goal, act: &Act, goes_on: bool, number: usize) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    let sources = goal.all("sources").count();
    if sources == 0 && !goes_on && !act.alone && !goal.has("text") {
        troubles.push(Trouble::Open {
            goal: number,
            slot: "sources".to_owned(),
            about: "which file, folder or address is meant: none is named that is there".to_owned(),
            choices: Vec::new(),
        });
    } else if sources < act.sources && !(goes_on && sources + 1 == act.sources) {
        troubles.push(unfit(format!(
            "“{}” needs {} files, and {sources} are named",
            act.about, act.sources
        )));
    }
    if act.sources < 2 && sources > 1 && act.on.iter().any(|kind| kind == "table") {
        troubles.push(unfit(format!(
            "{sources} files are named, and nothing says how they go together"
        )));
    }
    let of_folder = goal
        .all("sources")
        .any(|part| part.text("folder").is_some());
    if of_folder && act.sources < 2 && act.on.iter().any(|kind| kind == "table") {
        troubles.push(unfit("a folder is no table".to_owned()));
    }
    troubles
}

/// The slots that the act needs, each as often as it can be meant, and no others.
fn slots(goal: &Goal, act: &Act, number: usize) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    let acts = Acts::table();
    for slot in act.needs.iter().filter(|slot| !goal.has(slot)) {
        troubles.push(Trouble::Open {
            goal: number,
            slot: slot.clone(),
            about: format!("“{}” needs: {slot}", act.about),
            choices: Vec::new(),
        });
    }
    if let Some(first) = act
        .any
        .first()
        .filter(|_| !act.any.iter().any(|slot| goal.has(slot)))
    {
        troubles.push(Trouble::Open {
            goal: number,
            slot: first.clone(),
            about: format!("“{}” needs: {}", act.about, act.any.join(" or ")),
            choices: Vec::new(),
        });
    }
    let twice = acts
        .slots
        .iter()
        .filter(|(name, slot)| slot.single && goal.all(name).count() > 1);
    troubles.extend(twice.map(|(name, _)| unfit(format!("`{name}` is said more than once"))));
    let misplaced = acts.slots.iter().filter(|(name, slot)| {
        !slot.only.is_empty() && goal.has(name) && !slot.only.contains(&goal.act)
    });
    troubles.extend(
        misplaced.map(|(name, _)| unfit(format!("`{name}` does not apply to “{}”", act.about))),
    );
    troubles
}

/// What turned out to be the same is said once.
fn once(goal: &mut Goal) {
    let mut known: Vec<(String, Value)> = Vec::new();
    goal.parts.retain(|part| {
        let said = (part.slot.clone(), part.value.clone());
        let new = !known.contains(&said);
        if new {
            known.push(said);
        }
        new
    });
}

pub(crate) fn unfit(about: String) -> Trouble {
    Trouble::Unfit { about }
}

/// The columns whose names have one of these words.
pub(crate) fn called_like<'a>(
    columns: impl Iterator<Item = &'a Column>,
    words: &Value,
) -> Vec<&'a Column> {
    let words: Vec<&str> = words
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    // The first word that any column has decides.
    let columns: Vec<&Column> = columns.collect();
    for word in words {
        let found: Vec<&Column> = columns
            .iter()
            .filter(|column| {
                super::holes::name_words(&column.name)
                    .iter()
                    .any(|part| part == word)
            })
            .copied()
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Puts the one column in, or says what is open.
pub(crate) fn settle(
    part: &mut Part,
    field: &str,
    found: &[&Column],
    number: usize,
    about: &str,
) -> Option<Trouble> {
    if let [only] = found {
        if let Some(fields) = part.value.as_object_mut() {
            fields.insert(field.to_owned(), json!(only.name));
        }
        return None;
    }
    Some(Trouble::Open {
        goal: number,
        slot: part.slot.clone(),
        about: format!("{about} “{}”", part.said.text),
        choices: found.iter().map(|column| column.name.clone()).collect(),
    })
}
