//! Which tool does each goal? The tools that do it, best first; of those that fit about equally the
//! one that makes what the next needs, or that needs least; and what past runs did.

use holloway_search::reason::reason;

use super::asked::{Asked, PUTS, has_sum};
use super::complements::{Added, made};
use super::declared::declared;
use super::hits::{APART, Hit, hits, score_of, together};
use super::score::{Kin, Whole};
use super::words::without_values;
use crate::bind::{PastArguments, Situation, Source, bind};
use crate::catalogue::ports::stems;
use crate::catalogue::{Catalogue, Place};
use crate::frame::{Entity, Frame, Goal};
use crate::recall::Sequence;

/// Tools of about this rank are held to fit equally.
const ABOUT_EQUAL: f32 = 0.8;
/// What is asked where there is something to be worked out.
const SUM: &str = "calculate the expression";

/// The tools that do each goal, best first.
pub(super) struct Choices {
    pub(super) hits: Vec<Vec<Hit>>,
    /// Tools that add what belongs to the thing of a goal.
    beside: Vec<Vec<Added>>,
    /// Goals that only name something for the next.
    idle: Vec<bool>,
}

/// A tool for a plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tool {
    pub(super) place: Place,
    pub(super) goal: Option<usize>,
    pub(super) reason: String,
    /// Asked for, not put in.
    pub(super) asked: bool,
    pub(super) does: f32,
    /// How far the next tool for the goal lies behind.
    pub(super) margin: f32,
    /// A file that it is told: a parameter and the number of the entity.
    pub(super) file: Option<(String, usize)>,
    /// What a parameter is told.
    pub(super) said: Option<(String, String)>,
    /// Tools that fit the same goal about as well.
    pub(super) others: Vec<Place>,
}

/// The tools of a plan, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chosen {
    pub(super) tools: Vec<Tool>,
    pub(super) undone: Vec<usize>,
}

/// What a goal asks for, without what it names.
pub(super) fn asked(frame: &Frame, goal: &Goal) -> String {
    let text = without_values(&frame.entities, &goal.text);
    if has_sum(frame, goal) {
        return format!("{text} {SUM}");
    }
    text
}

impl Choices {
    /// The tools for each goal, in turn: what is asked goes on with what was asked before it.
    pub(super) fn of(frame: &Frame, catalogue: &Catalogue) -> Self {
        let whole = Whole::of(catalogue, frame);
        let mut kin = Kin::default();
        let (mut all, mut beside, mut idle) = (Vec::new(), Vec::new(), Vec::new());
        for goal in &frame.goals {
            let asked = Asked::of(frame, goal, &goal.clause.before);
            idle.push(says_nothing(frame, goal));
            if says_nothing(frame, goal) {
                all.push(Vec::new());
                beside.push(Vec::new());
                continue;
            }
            let declared = declared(catalogue, goal);
            let made = if declared.is_empty() {
                made(catalogue, frame, goal, &whole)
            } else {
                Some((declared, Vec::new()))
            };
            let (found, added) = made.unwrap_or_else(|| {
                let found = hits(catalogue, (frame, goal), &asked, (&whole, &kin));
                (found, Vec::new())
            });
            beside.push(added);
            let meant = |hit: &Hit| (hit.place, APART * hit.rank.max(1e-6).ln());
            if !found.is_empty() {
                kin = Kin::of(catalogue, found.iter().map(meant));
            }
            all.push(found);
        }
        Self {
            hits: together(catalogue, frame, &all),
            beside,
            idle,
        }
    }

    /// The goals that no tool does; one that goes on with such a goal is not done either.
    pub(super) fn undone(&self) -> Vec<usize> {
        let hits = self.hits.iter().enumerate();
        hits.filter(|(at, hits)| hits.is_empty() && !self.is_idle(*at))
            .map(|(at, _)| at)
            .collect()
    }

    fn is_idle(&self, goal: usize) -> bool {
        self.idle.get(goal).copied().unwrap_or_default()
    }

    pub(super) fn choose(
        &self,
        frame: &Frame,
        catalogue: &Catalogue,
        sequences: &[Sequence],
        past: &PastArguments,
    ) -> Chosen {
        let trusted = sequences.iter().find(|one| self.is_trusted(catalogue, one));
        match trusted {
            Some(sequence) => self.of_sequence(frame, catalogue, sequence),
            None => self.of_hits(frame, catalogue, past),
        }
    }

    /// Whether a proposed order is worth more than the choice for each goal: when it comes from
    /// past runs and serves each goal; or when it is likely and each of its tools serves one.
    fn is_trusted(&self, catalogue: &Catalogue, sequence: &Sequence) -> bool {
        const LIKELY: f32 = 0.5;
        let tools = &sequence.tools;
        let mut known = tools.iter().filter_map(|place| catalogue.tool(*place));
        let bare = known.all(|tool| tool.input_schema.is_null() && tool.output_schema.is_null());
        let serves = |place: &Place| self.goal_of(*place).is_some();
        let served =
            |hits: &Vec<Hit>| hits.is_empty() || hits.iter().any(|hit| tools.contains(&hit.place));
        let learned = sequence.seen > 0 && self.hits.iter().all(served);
        let likely = sequence.probability >= LIKELY || bare;
        let fits = bare || tools.len() <= self.hits.len();
        !tools.is_empty() && (learned || likely && fits && tools.iter().all(serves))
    }

    fn of_sequence(&self, frame: &Frame, catalogue: &Catalogue, sequence: &Sequence) -> Chosen {
        let last = self.hits.len().saturating_sub(1);
        let tools = sequence.tools.iter().enumerate().map(|(at, place)| {
            let goal = self.goal_of(*place).unwrap_or(at.min(last));
            let mut tool = self.tool(frame, catalogue, *place, goal);
            if sequence.seen > 0 {
                let runs = if sequence.seen == 1 { "run" } else { "runs" };
                let used = format!("; {} similar {runs} used these tools", sequence.seen);
                tool.reason.push_str(&used);
                tool.does = tool.does.max(sequence.probability);
            }
            tool
        });
        let tools: Vec<Tool> = tools.collect();
        let done = |goal: &usize| tools.iter().any(|tool| tool.goal == Some(*goal));
        Chosen {
            undone: self
                .undone()
                .into_iter()
                .filter(|goal| !done(goal))
                .collect(),
            tools,
        }
    }

    /// The goal that a tool fits best.
    fn goal_of(&self, place: Place) -> Option<usize> {
        let own = |hits: &Vec<Hit>| hits.iter().find(|hit| hit.place == place).map(score_of);
        let hits = self.hits.iter().enumerate();
        let scored = hits.filter_map(|(at, hits)| Some((at, own(hits)?)));
        scored
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(at, _)| at)
    }

    fn of_hits(&self, frame: &Frame, catalogue: &Catalogue, past: &PastArguments) -> Chosen {
        let mut chosen = Chosen::default();
        for (at, hits) in self.hits.iter().enumerate() {
            let refers_back = frame
                .goals
                .get(at)
                .is_some_and(|goal| goal.clause.action.refers_back);
            // What goes on with something that no tool makes has nothing to go on with.
            let nothing_there = chosen.tools.is_empty() && !chosen.undone.is_empty();
            let is_free = |hit: &&Hit| !chosen.tools.iter().any(|tool| tool.place == hit.place);
            let free: Vec<&Hit> = hits.iter().filter(is_free).collect();
            let situation = (frame, catalogue, past);
            let best = cheapest(situation, frame.goals.get(at), &free, &chosen.tools);
            match best {
                _ if at > 0 && refers_back && nothing_there => chosen.undone.push(at),
                Some(hit) => {
                    let tool = self.tool(frame, catalogue, hit.place, at);
                    chosen.tools.push(tool);
                    let beside = self.beside.get(at).into_iter().flatten();
                    chosen.tools.extend(beside.map(|added| {
                        let mut tool = self.tool(frame, catalogue, added.place, at);
                        (tool.does, tool.margin) = (1.0, 1.0);
                        tool.said.clone_from(&added.said);
                        tool
                    }));
                }
                None if hits.is_empty() && !self.is_idle(at) => chosen.undone.push(at),
                None => {}
            }
        }
        chosen
    }

    /// Tools that are known, for the goals they fit best; what nothing speaks for serves the goals
    /// in turn.
    pub(super) fn given(&self, frame: &Frame, tools: &[Place]) -> Chosen {
        let last = frame.goals.len().saturating_sub(1);
        let tool = |(at, place): (usize, &Place)| {
            let goal = match self.goal_of(*place) {
                _ if tools.len() == last + 1 => at,
                Some(goal) => goal,
                None => at.min(last),
            };
            Tool::new(*place, Some(goal), String::new())
        };
        Chosen {
            tools: tools.iter().enumerate().map(tool).collect(),
            undone: Vec::new(),
        }
    }

    fn tool(&self, frame: &Frame, catalogue: &Catalogue, place: Place, goal: usize) -> Tool {
        let hits = self.hits.get(goal).map_or(&[][..], Vec::as_slice);
        let own = hits.iter().find(|hit| hit.place == place);
        let score = own.map_or(0.0, score_of);
        let others = hits.iter().filter(|hit| hit.place != place);
        let next = others.clone().map(|hit| hit.rank).fold(0.0, f32::max);
        let near = others.filter(|hit| score_of(hit) >= 0.7 * score);
        let mut tool = Tool::new(
            place,
            Some(goal),
            why(frame.goals.get(goal), catalogue, place),
        );
        tool.does = own.map_or(0.0, |hit| hit.does);
        tool.margin = own.map_or(0.0, |hit| hit.rank) - next;
        tool.others = near.map(|hit| hit.place).collect();
        tool
    }
}

impl Tool {
    pub(super) fn new(place: Place, goal: Option<usize>, reason: String) -> Self {
        Self {
            place,
            goal,
            reason,
            asked: true,
            does: 1.0,
            margin: 1.0,
            file: None,
            said: None,
            others: Vec::new(),
        }
    }
}

/// A bare file or address only goes on with what is said after it; what is put somewhere does not.
fn says_nothing(frame: &Frame, goal: &Goal) -> bool {
    stems(&asked(frame, goal)).is_empty() && !PUTS.contains(&goal.clause.action.verb.as_str())
}

/// Of tools that fit about equally, the one that takes most of what is said and leaves least to be
/// asked for.
fn cheapest<'h>(
    (frame, catalogue, past): (&Frame, &Catalogue, &PastArguments),
    goal: Option<&Goal>,
    hits: &[&'h Hit],
    before: &[Tool],
) -> Option<&'h Hit> {
    const COST: f32 = 0.15;
    const JOINS: f32 = 0.15;
    const LOOKED_AT: usize = 4;
    let first = hits.first()?;
    let source = |place: Place| catalogue.tool(place).map(|tool| tool.id.source());
    let worth = |hit: &Hit| {
        let Some(tool) = catalogue.tool(hit.place) else {
            return f32::MIN;
        };
        let situation = Situation {
            clause: goal.map(|goal| goal.clause.number),
            past: Some(past),
            ..Situation::alone(frame)
        };
        let bindings = bind(tool, &situation);
        let cost = |source: &Source| match source {
            Source::Input { .. } => 0.8,
            Source::Request { .. } if !takes_alone(frame, source) => 0.0,
            Source::Request { .. } => -1.0,
            _ => 0.0,
        };
        let cost: f32 = bindings.iter().map(|binding| cost(&binding.source)).sum();
        let joins = before
            .iter()
            .any(|tool| source(tool.place) == source(hit.place));
        hit.rank - COST * cost.clamp(-4.0, 6.0) + if joins { JOINS } else { 0.0 }
    };
    let near = hits
        .iter()
        .take_while(|hit| hit.rank >= ABOUT_EQUAL * first.rank);
    let near: Vec<&&Hit> = near.take(LOOKED_AT).collect();
    if near.len() < 2 {
        return Some(first);
    }
    let mut best = (*first, worth(first));
    for hit in near.into_iter().skip(1) {
        let own = worth(hit);
        if own > best.1 + 1e-6 {
            best = (hit, own);
        }
    }
    Some(best.0)
}

/// Whether an argument is a file or an address, which are meant for something.
fn takes_alone(frame: &Frame, source: &Source) -> bool {
    use crate::frame::EntityKind::{File, Path, Url};
    let Source::Request { entity, .. } = source else {
        return false;
    };
    let is_place = |entity: &Entity| matches!(entity.kind, File | Path | Url);
    frame.entities.get(*entity).is_some_and(is_place)
}

/// Why a tool fits, for people.
fn why(goal: Option<&Goal>, catalogue: &Catalogue, place: Place) -> String {
    const LONGEST: usize = 30;
    let clip = |text: &str| text.chars().take(LONGEST).collect::<String>();
    let index = catalogue.index();
    let text = goal.map_or("", |goal| &goal.text);
    let reason = reason(index, &index.read(text), place);
    let said = text.to_lowercase();
    let shared = reason.words.iter();
    let shared = shared.filter(|shared| said.contains(&shared.word.to_lowercase()));
    let words: Vec<String> = shared
        .map(|shared| format!("“{}”", clip(&shared.word)))
        .collect();
    match (words.is_empty(), reason.near) {
        (false, _) => format!("the request says {}", words.join(", ")),
        (true, Some(near)) => {
            format!("“{}” is near to “{}”", clip(&near.has), clip(&near.wanted))
        }
        (true, None) => "nearest in meaning to the request".to_owned(),
    }
}
