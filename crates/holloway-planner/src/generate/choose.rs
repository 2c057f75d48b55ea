//! Which tools does a strategy take? For domains as many as it wants to look at; for other
//! requests the tools that recall proposes, or the best by text for each thing asked for.

use holloway_search::rank::Hit;
use serde_json::json;

use super::assembly::{Assembly, Ground, Part, Wanted};
use super::complements::{Added, made};
use super::conditions::Pipeline;
use super::domains::{Domain, does_also, domains, gathers, spans};
use super::fitting::{asked, cheapest, hits_in_turn, leading_on, together, wanted, why};
use super::sequences::sequence_for;
use super::words::{is_about_form, is_about_telling, stems, with_kinds_of_files};
use super::{Breadth, Lack, Missing, Taste};
use crate::catalogue::Place;
use crate::recall::Sequence;
use crate::request::{Analysis, Capability, Format};

/// A domain gets no more steps than this, however many tools there are.
const SINGLES_AT_MOST: usize = 8;

/// What all strategies choose from.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) domains: Vec<Domain>,
    /// For each capability the tools that fit, best first.
    pub(super) hits: Vec<Vec<Hit>>,
    pub(super) missing: Vec<Missing>,
    /// For each capability the tools that add what belongs to the thing that is made.
    pub(super) beside: Vec<Vec<Added>>,
    /// A report is wanted although nobody said in which form.
    pub(super) wants_document: bool,
}

/// What a strategy has chosen.
pub(super) struct Chosen {
    pub(super) tools: Vec<Wanted>,
    /// The order is part of the choice.
    pub(super) ordered: bool,
    pub(super) fit: f32,
}

/// How sure a plan is that does what was said about rows, word for word.
pub(super) const SAID_PLAINLY: f32 = 0.9;
/// How sure a plan is that only brings what is there into the form that was asked for.
const FORM_ALONE: f32 = 0.7;

impl Choices {
    pub(super) fn of(ground: Ground<'_>) -> Self {
        let capabilities = &ground.analysis.capabilities;
        let hits = hits_in_turn(ground.catalogue, ground.analysis);
        let mut hits = together(ground, &hits);
        let mut beside: Vec<Vec<Added>> = vec![Vec::new(); hits.len()];
        for ((own, beside), capability) in hits.iter_mut().zip(&mut beside).zip(capabilities) {
            if let Some(made) = made(ground, capability) {
                (*own, *beside) = (made.hits, made.beside);
            }
        }
        let domains = domains(ground);
        let asks_form = !ground.analysis.formats.is_empty();
        let is_missing = |at: &usize| {
            let served = domains.iter().any(|domain| domain.capability == Some(*at));
            let capability = capabilities.get(*at);
            let about_form = asks_form
                && capability.is_some_and(|one| {
                    is_about_form(&with_kinds_of_files(ground.analysis, &one.text))
                });
            let found = hits.get(*at).is_some_and(|hits| !hits.is_empty());
            let told = *at > 0 && capability.is_some_and(|one| is_about_telling(&one.text));
            let says_something =
                !told && capability.is_some_and(|one| !says_nothing(ground.analysis, one));
            !served && !about_form && !found && says_something
        };
        let missing = (0..capabilities.len()).filter(is_missing);
        let missing = missing
            .filter_map(|at| capabilities.get(at))
            .map(|capability| Missing::new(&capability.text, Lack::Tool));
        let mut choices = Self {
            missing: missing.collect(),
            domains,
            hits,
            beside,
            wants_document: ground.analysis.formats.contains(&Format::Report),
        };
        let gathers = |at: usize| {
            let first = choices.hits.get(at).and_then(|hits| hits.first());
            first.is_some_and(|hit| gathers(ground.catalogue, hit.place))
        };
        let asks_to_gather = !choices.domains.is_empty() && choices.others(ground).any(gathers);
        choices.wants_document |= asks_to_gather && ground.analysis.formats.is_empty();
        choices
    }

    /// The capabilities that no domain serves and that are not only about the form.
    fn others<'a>(&'a self, ground: Ground<'a>) -> impl Iterator<Item = usize> + 'a {
        let capabilities = &ground.analysis.capabilities;
        let clauses: Vec<usize> = self
            .domains
            .iter()
            .filter_map(|domain| Some(capabilities.get(domain.capability?)?.clause))
            .collect();
        let asks_form = !ground.analysis.formats.is_empty();
        (0..capabilities.len()).filter(move |at| {
            let served = self
                .domains
                .iter()
                .any(|domain| domain.capability == Some(*at));
            let Some(capability) = capabilities.get(*at) else {
                return false;
            };
            if says_nothing(ground.analysis, capability) {
                return false;
            }
            let part_of_domain =
                capability.category.is_some() && clauses.contains(&capability.clause);
            let about_form =
                asks_form && is_about_form(&with_kinds_of_files(ground.analysis, &capability.text));
            !served && !part_of_domain && !about_form && !self.is_told(*at, &capability.text)
        })
    }

    /// Whether the answer is all that is wanted, and no tool is plainly called after it.
    fn is_told(&self, at: usize, text: &str) -> bool {
        const PLAINLY: f32 = 0.85;
        let first = self.hits.get(at).and_then(|hits| hits.first());
        at > 0 && is_about_telling(text) && first.is_none_or(|hit| hit.text < PLAINLY)
    }

    pub(super) fn choose(
        &self,
        ground: Ground<'_>,
        taste: Taste,
        sequences: &[Sequence],
    ) -> Chosen {
        let trusted = sequences
            .first()
            .is_some_and(|first| self.is_trusted(ground, first));
        let sequence = sequence_for(taste, sequences).filter(|_| trusted);
        match (self.domains.is_empty(), sequence) {
            (false, _) => self.of_domains(ground, taste),
            (true, Some(sequence)) => self.of_sequence(ground, taste, sequence),
            (true, None) => self.of_hits(ground, taste),
        }
    }

    /// What is said about rows is done by their tools, whatever else fits its words.
    pub(super) fn leave_to(&mut self, ground: Ground<'_>, rows: &Pipeline) {
        let capabilities = ground.analysis.capabilities.iter().enumerate();
        let served: Vec<&str> = capabilities
            .filter(|(at, _)| rows.covers(*at))
            .map(|(_, capability)| capability.text.as_str())
            .collect();
        self.missing
            .retain(|missing| !served.contains(&missing.capability.as_str()));
        self.domains.clear();
    }

    /// What is left to be done beside what is said about rows.
    pub(super) fn rest(&self, ground: Ground<'_>, taste: Taste, rows: &Pipeline) -> Chosen {
        let mut tools: Vec<Wanted> = Vec::new();
        for at in self.others(ground).filter(|at| !rows.covers(*at)) {
            let hits = self.hits.get(at).map_or(&[][..], Vec::as_slice);
            if let Some(hit) = hits.first()
                && tools.len() < taste.steps
                && !tools.iter().any(|tool| tool.place == hit.place)
            {
                tools.push(wanted(ground, hit.place, at));
            }
        }
        Chosen {
            tools,
            ordered: true,
            fit: SAID_PLAINLY,
        }
    }

    fn of_domains(&self, ground: Ground<'_>, taste: Taste) -> Chosen {
        let catalogue = ground.catalogue;
        let mut tools: Vec<Wanted> = Vec::new();
        let everything = (taste.breadth == Breadth::One)
            .then(|| self.spanning(ground, false))
            .flatten();
        if let Some(place) = everything {
            let names = self.domains.iter().map(|domain| domain.name.as_str());
            let names: Vec<&str> = names.collect();
            let reason = format!("covers {} in one step", listed(&names));
            tools.push(Wanted::new(place, Part::Core, reason));
        } else {
            for domain in &self.domains {
                tools.extend(looks(ground, domain, taste, self.domains.len()));
            }
            tools.extend(self.gatherers(ground, taste));
        }
        for at in self.others(ground) {
            let Some(hit) = self.hits.get(at).and_then(|hits| hits.first()) else {
                continue;
            };
            let taken = tools.iter().any(|tool| tool.place == hit.place);
            let done = everything.is_some_and(|whole| does_also(catalogue, whole, hit.place));
            if !taken && !done {
                let mut wanted = wanted(ground, hit.place, at);
                if gathers(catalogue, hit.place) {
                    wanted.part = Part::Gathers;
                }
                tools.push(wanted);
            }
        }
        Chosen {
            tools,
            ordered: false,
            fit: 0.9,
        }
    }

    /// The tool that serves all the domains: one that looks, or one that takes together.
    fn spanning(&self, ground: Ground<'_>, gathering: bool) -> Option<Place> {
        let catalogue = ground.catalogue;
        let near = |place: &Place| ground.near.get(place).copied().unwrap_or_default();
        let all = catalogue.tools().map(|(place, _)| place);
        let fitting = all.filter(|place| {
            catalogue
                .ports(*place)
                .is_some_and(|ports| !ports.writes && !ports.inputs.is_empty())
                && spans(catalogue, *place, &self.domains)
                && gathers(catalogue, *place) == gathering
        });
        fitting.max_by(|one, other| near(one).total_cmp(&near(other)))
    }

    /// What takes the findings of the domains together.
    fn gatherers(&self, ground: Ground<'_>, taste: Taste) -> Vec<Wanted> {
        let over_all = self.spanning(ground, true);
        match (taste.breadth, over_all) {
            (Breadth::One, _) => Vec::new(),
            (Breadth::Some, Some(place)) => {
                vec![Wanted::new(
                    place,
                    Part::Gathers,
                    "takes what was found together",
                )]
            }
            (Breadth::Some | Breadth::All, _) => {
                let each = self.domains.iter().filter_map(|domain| {
                    let place = *domain.gather.first()?;
                    let reason = format!("takes what was found about {} together", domain.name);
                    let mut wanted = Wanted::new(place, Part::Gathers, reason);
                    wanted.domain = Some(domain.name.clone());
                    wanted.capability = domain.capability;
                    Some(wanted)
                });
                each.collect()
            }
        }
    }

    fn of_sequence(&self, ground: Ground<'_>, taste: Taste, sequence: &Sequence) -> Chosen {
        let tools = sequence.tools.iter().enumerate().map(|(at, place)| {
            let capability = self.capability_of(*place);
            let mut wanted = match capability {
                Some(at) => wanted(ground, *place, at),
                None => Wanted::new(*place, Part::Core, why(ground, *place)),
            };
            wanted.capability = capability.or(Some(at).filter(|at| *at < self.hits.len()));
            if sequence.seen > 0 {
                let runs = if sequence.seen == 1 { "run" } else { "runs" };
                wanted.reason = format!(
                    "{}; {} similar {runs} used these tools",
                    wanted.reason, sequence.seen
                );
            }
            wanted
        });
        let tools: Vec<Wanted> = tools.collect();
        let tools = match sequence.seen {
            // What served before is kept as it was.
            0 => self.with_companions(ground, taste, tools),
            _ => tools,
        };
        Chosen {
            fit: sequence.probability.max(self.fit_of(sequence)),
            tools,
            ordered: true,
        }
    }

    /// How well the tools of an order that served before do what is asked: having served
    /// does not make them less likely.
    fn fit_of(&self, sequence: &Sequence) -> f32 {
        let text = |place: &Place| {
            let hits = self.hits.iter().flatten();
            let own = hits.filter(|hit| hit.place == *place);
            own.map(|hit| hit.text).fold(0.0, f32::max)
        };
        let texts: f32 = sequence.tools.iter().map(text).sum();
        let mean = texts / sequence.tools.len().max(1) as f32;
        if sequence.seen > 0 { mean } else { 0.0 }
    }

    /// Whether a proposed order is worth more than what schemas and single words say: when
    /// it comes from past runs; or when it is likely, or there are no schemas to go by, and
    /// each of its tools does something that was asked for.
    fn is_trusted(&self, ground: Ground<'_>, sequence: &Sequence) -> bool {
        const LIKELY: f32 = 0.5;
        let tools = &sequence.tools;
        let mut known = tools
            .iter()
            .filter_map(|place| ground.catalogue.tool(*place));
        let bare = known.all(|tool| tool.input_schema.is_null() && tool.output_schema.is_null());
        let serves = |place: &Place| self.capability_of(*place).is_some();
        let likely = sequence.probability >= LIKELY || bare;
        // A request that says one thing wants one tool for it.
        let fits = bare || tools.len() <= self.hits.len();
        // One run that was about something else does not count here.
        let served =
            |hits: &Vec<Hit>| hits.is_empty() || hits.iter().any(|hit| tools.contains(&hit.place));
        let learned = sequence.seen > 0 && self.hits.iter().all(served);
        learned || likely && fits && tools.iter().all(serves)
    }

    /// The capability that a tool fits best.
    pub(super) fn capability_of(&self, place: Place) -> Option<usize> {
        let text = |hits: &Vec<Hit>| {
            hits.iter()
                .find(|hit| hit.place == place)
                .map(|hit| hit.text)
        };
        let scored = self
            .hits
            .iter()
            .enumerate()
            .filter_map(|(at, hits)| Some((at, text(hits)?)));
        scored
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(at, _)| at)
    }

    fn of_hits(&self, ground: Ground<'_>, taste: Taste) -> Chosen {
        let mut tools: Vec<Wanted> = Vec::new();
        // What was chosen before serves what comes after.
        let mut plan = Assembly::new(ground, taste);
        let mut sum = 0.0;
        for at in self.others(ground) {
            let hits = self.hits.get(at).map_or(&[][..], Vec::as_slice);
            // What goes on with something that no tool makes has nothing to go on with.
            let refers_back = ground.deeds.get(at).is_some_and(|deed| deed.refers_back);
            if at > 0 && refers_back && tools.is_empty() && !self.missing.is_empty() {
                continue;
            }
            let mut free = hits
                .iter()
                .filter(|hit| !tools.iter().any(|tool| tool.place == hit.place));
            let next = self.hits.get(at + 1).and_then(|hits| hits.first());
            let leads = leading_on(ground.catalogue, hits, next)
                .filter(|hit| !tools.iter().any(|tool| tool.place == hit.place));
            let Some(hit) = leads.or_else(|| cheapest(&plan, &mut free)) else {
                continue;
            };
            if tools.len() >= taste.steps {
                break;
            }
            sum += hit.text;
            let wanted = wanted(ground, hit.place, at);
            plan.add(wanted.clone(), ground.settings.deepest);
            tools.push(wanted);
            let beside = self.beside.get(at).map_or(&[][..], Vec::as_slice);
            tools.extend(beside.iter().map(|added| {
                let mut wanted = self::wanted(ground, added.place, at);
                let said = added.said.iter().cloned();
                wanted
                    .settled
                    .extend(said.map(|(port, said)| (port, json!(said))));
                wanted
            }));
        }
        Chosen {
            fit: if tools.is_empty() {
                FORM_ALONE
            } else {
                sum / tools.len() as f32
            },
            tools: self.with_companions(ground, taste, tools),
            ordered: false,
        }
    }

    /// Other tools that fit the same capability about as well.
    pub(super) fn alternatives(&self, capability: usize, place: Place) -> Vec<Place> {
        let hits = self.hits.get(capability).map_or(&[][..], Vec::as_slice);
        let Some(own) = hits.iter().find(|hit| hit.place == place) else {
            return Vec::new();
        };
        let near = hits
            .iter()
            .filter(|hit| hit.place != place && hit.text >= 0.7 * own.text);
        near.map(|hit| hit.place).collect()
    }
}

/// A bare address only goes on with what was said before it; what is put somewhere does not.
fn says_nothing(analysis: &Analysis, capability: &Capability) -> bool {
    let text = asked(analysis, capability);
    let puts = text.trim_start().to_lowercase().starts_with("put ");
    stems(&text).is_empty() && !puts
}

/// The tools that look into one domain.
fn looks(ground: Ground<'_>, domain: &Domain, taste: Taste, domains: usize) -> Vec<Wanted> {
    let whole = domain.whole.first().copied();
    let singles: Vec<Place> = match taste.breadth {
        Breadth::All => {
            let mut all = domain.uncovered(ground.catalogue);
            all.truncate(SINGLES_AT_MOST);
            all.extend(&domain.beside);
            all
        }
        Breadth::Some if whole.is_some() => Vec::new(),
        Breadth::Some => {
            let some = if domains > 2 { 2 } else { 3 };
            domain.single.iter().copied().take(some).collect()
        }
        Breadth::One if whole.is_some() => Vec::new(),
        Breadth::One => domain.single.iter().copied().take(1).collect(),
    };
    let wanted = |place: Place, reason: String| {
        let mut wanted = Wanted::new(place, Part::Core, reason);
        wanted.domain = Some(domain.name.clone());
        wanted.capability = domain.capability;
        wanted
    };
    let whole = whole.map(|place| wanted(place, format!("looks at {} as a whole", domain.name)));
    let singles = singles
        .into_iter()
        .map(|place| wanted(place, format!("looks at one side of {}", domain.name)));
    whole.into_iter().chain(singles).collect()
}

pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
