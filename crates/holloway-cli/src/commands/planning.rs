//! What do `plan` and `ask` share? The planner with the tools, memory and skills of this
//! machine, what is said when there is no plan, and how a plan is named.

mod asking;
mod why;

use holloway_flow::discreet::{Discreet, discreet, remembered};
use holloway_flow::flow::near::Near;
use holloway_flow::flow::{Planned, Planner};
use holloway_plan::write;
use holloway_planner::card::Card;
use holloway_planner::drafts::{Lack, Missing};
use holloway_planner::read::check::Trouble;
use holloway_planner::recall::PastRun;
use holloway_store::RememberedRun;
use serde_json::{Value, json};

pub(super) use self::asking::{planned, show_prompts};
pub(super) use self::why::why_text;
use super::templates;
use super::tools::could_be_added;
use crate::error::{CliError, Exit};
use crate::foresight;
pub(super) use crate::print::cards::Shown;
use crate::print::paint::Paint;
use crate::print::{self, one_line, visible};
use crate::secret_file::SecretFile;
use crate::session::Session;
use crate::skill_library::skills;
use crate::workbench::Workbench;

/// The category of tools that do nothing for a request.
const CONTROL: &str = "control";
const WAITS: &str = "sleep";
/// What a card takes when nobody looks at it.
const USUAL_WIDTH: usize = 120;
/// How many characters of what no tool does are said.
const LACKS_SHOWN: usize = 400;
/// Steps that are told of a plan, and letters of each.
const DEEDS: usize = 6;
const DEED: usize = 60;
/// Said where the words of the request are hardly of a language that is understood.
const LANGUAGES: &str = "without a model, requests are understood in English and German only";

/// Under which name the weights of one's own are kept.
pub(super) const WEIGHTS: &str = "recall weights";

/// The planner over the tools of the workbench, with all that was learned here.
pub(super) fn planner(workbench: &Workbench, session: &Session) -> Result<Planner, CliError> {
    // Failing on purpose is for plans written by hand; waiting is asked for.
    let tools = workbench
        .table
        .iter()
        .filter(|tool| tool.category != CONTROL || tool.id.name() == WAITS)
        .map(|tool| (&**tool, workbench.catalogued(tool)));
    let settings = session.config()?.settings.planning.clone();
    let known = could_be_added(session)?;
    let mut planner = Planner::new(tools, skills(session)?, settings)
        .with_known(known)
        .with_templates(templates::drafts(session)?);
    if session.has_store()? {
        let past = session.store()?.remembered_runs()?;
        let read = |run: RememberedRun| serde_json::from_value::<PastRun>(run.past).ok();
        let past: Vec<PastRun> = past.into_iter().filter_map(read).collect();
        planner.learn(&past);
        let weights = session.store()?.learned(WEIGHTS)?;
        if let Some(weights) = weights.and_then(|weights| serde_json::from_value(weights).ok()) {
            planner.adopt(weights);
        }
    }
    Ok(planner)
}

pub(super) fn tell_notes(planned: &Planned, session: &Session) {
    if session.json {
        return;
    }
    for note in &planned.notes {
        print::note(&format!("note: {}", one_line(note, 300)));
    }
}

/// The request as it may be kept, shown and sent: without keys, marks that steer, and more
/// than anybody would read.
pub(super) fn request_of(words: &[String]) -> Result<String, CliError> {
    let said = SecretFile::open()?.without(&words.join(" "));
    let Discreet { text, taken_out } = discreet(&said);
    if taken_out > 0 || said != words.join(" ") {
        print::note(
            "note: what looks like a key or password was taken out of the request, since requests and plans are kept",
        );
    }
    Ok(text)
}

/// Keeps each plan by its id, so that it can be run, saved or compared later.
pub(super) fn keep(request: &str, cards: &[Card], session: &Session) -> Result<(), CliError> {
    let store = session.store()?;
    let request = remembered(request);
    for card in cards {
        store.keep_made_plan(&card.id, &request, &card.strategy, &card_data(card))?;
    }
    Ok(())
}

/// A card as data; the plan is whole.
pub(super) fn card_data(card: &Card) -> Value {
    json!({
        "id": card.id,
        "strategy": card.strategy,
        "made_by": card.made_by,
        "steps": card.steps,
        "outlook": card.outlook,
        "coverage": card.coverage,
        "missing": card.missing,
        "serves": card.serves,
        "open_inputs": card.open_inputs,
        "skills": card.skills,
        "plan": card.plan.draft(),
    })
}

/// The same, with what it would be refused for and what it would change.
pub(super) fn shown_data(shown: &Shown<'_>) -> Value {
    let mut data = card_data(shown.card);
    if let Some(fields) = data.as_object_mut() {
        fields.insert("ungranted".to_owned(), json!(shown.lacks));
        fields.insert("replaces".to_owned(), json!(shown.replaces));
        fields.insert("absent".to_owned(), json!(shown.absent));
    }
    data
}

/// Which card a word means: its number, its strategy or its id. Where two strategies came
/// out the same, one card stands for both.
pub(super) fn pick(planned: &Planned, word: &str) -> Result<usize, CliError> {
    let cards = &planned.cards;
    let same = planned.same.iter().find(|same| same.strategy == word);
    let word = same.map_or(word, |same| &same.as_strategy);
    let by_number = word.parse::<usize>().ok().and_then(|number| {
        let place = number.checked_sub(1)?;
        (place < cards.len()).then_some(place)
    });
    let by_name = || {
        cards
            .iter()
            .position(|card| card.strategy == word || card.id == word)
    };
    by_number.or_else(by_name).ok_or_else(|| {
        let names: Vec<String> = cards
            .iter()
            .enumerate()
            .map(|(place, card)| format!("{} ({})", place + 1, card.strategy))
            .collect();
        CliError::usage("plan-not-found", format!("no plan here is called `{word}`"))
            .hint(format!("there are: {}", names.join(", ")))
    })
}

/// The cards, each with the strategies it stands for and what it lacks; `input` is what is
/// given so far, and without a workbench nothing is known about grants.
pub(super) fn shown<'a>(
    planned: &'a Planned,
    input: &Value,
    workbench: Option<&Workbench>,
) -> Vec<Shown<'a>> {
    let shown = |card: &'a Card| {
        let foreseen = workbench.map(|workbench| foresight::foreseen(&card.plan, input, workbench));
        let foreseen = foreseen.unwrap_or_default();
        let same = planned.same.iter();
        Shown {
            card,
            same: same
                .filter(|same| same.as_strategy == card.strategy)
                .map(|same| same.strategy.as_str())
                .collect(),
            lacks: foreseen.lacks,
            replaces: foreseen.replaces,
            absent: foreseen.absent,
        }
    };
    planned.cards.iter().map(shown).collect()
}

/// The cards as wide as the terminal.
pub(super) fn cards_text(cards: &[Shown<'_>], terminal: &console::Term, paint: Paint) -> String {
    let width = match terminal.size_checked() {
        Some((_, columns)) if terminal.is_term() => usize::from(columns),
        _ => USUAL_WIDTH,
    };
    print::cards::cards(cards, width, paint)
}

/// Whether nothing was understood, no model said why, and no word is left that could have asked.
fn says_nothing(planned: &Planned) -> bool {
    let understood = &planned.understood;
    let mut troubles = understood.troubles.iter();
    let is_silent = understood.frame.is_empty() && planned.spent.calls == 0;
    is_silent && troubles.all(|trouble| matches!(trouble, Trouble::Unfit { .. }))
}

/// Says why there is no plan, and what would help.
pub(super) fn without_plan(planned: &Planned, session: &Session) -> Result<Exit, CliError> {
    let data = json!({
        "event": "no_plan",
        "missing": planned.missing,
        "frame": planned.understood.frame,
        "troubles": planned.understood.troubles,
        "near": planned.near,
        "notes": planned.notes,
    });
    let frame = &planned.understood.frame;
    match &frame.no_plan {
        Some(_) if session.json => {
            print::line(&data)?;
            Ok(Exit::Done)
        }
        Some(answer) if answer.is_empty() => {
            print::result(
                "That needs no plan. Say what is to be done, for instance: holloway ask \"read prices.csv and make a report\"",
            )?;
            Ok(Exit::Done)
        }
        Some(answer) => {
            if planned.spent.calls > 0 {
                print::note("answered by the model from what it knows; nothing was read or run");
            }
            print::result(&visible(answer))?;
            Ok(Exit::Done)
        }
        None if says_nothing(planned) => Err(CliError::usage(
            "request-empty",
            "the request says nothing that could be done",
        )
        .hint("say it in plain words: holloway ask \"summarise notes.txt\"")),
        None => {
            if session.json {
                print::line(&data)?;
            }
            Err(no_tools(planned))
        }
    }
}

/// Where words were the matter, no tool would help.
pub(super) const SAY_OTHERWISE: &str =
    "say that part in other words, with the names that the file has";
/// What reads free language.
const A_MODEL: &str = "a model would read it (`[model]` in the settings)";
/// Where no package is known that fits, naming one all the same would lead astray.
pub(super) const NONE_KNOWN: &str = "none of the known packages does it; `holloway tools search WORDS` looks for others, \
     `holloway tools add` adds a server or package that you know";

fn no_tools(planned: &Planned) -> CliError {
    let missing = &planned.missing;
    let message = match missing.len() {
        0 => "no tool at hand fits the request".to_owned(),
        _ => told(missing, LACKS_SHOWN),
    };
    let install = missing.iter().flat_map(|missing| &missing.install).next();
    let is_unclear = missing.iter().any(|one| one.lack == Lack::Words);
    CliError::failed("no-plan", message).hint(match install {
        _ if is_unclear && planned.understood.frame.language.is_empty() => LANGUAGES.to_owned(),
        _ if is_unclear => otherwise(&planned.near),
        Some(package) => format!(
            "one that might: holloway tools add {package}{}",
            offered(&planned.near)
        ),
        None if missing.iter().all(|one| one.lack == Lack::Unfit) => otherwise(&planned.near),
        None => format!("{NONE_KNOWN}{}", offered(&planned.near)),
    })
}

/// Other words, a model, or what comes near.
fn otherwise(near: &[Near]) -> String {
    format!("{SAY_OTHERWISE}; {A_MODEL}{}", offered(near))
}

fn offered(near: &[Near]) -> String {
    let commands: Vec<String> = near.iter().map(Near::command).collect();
    if commands.is_empty() {
        return String::new();
    }
    format!("; near to it: {}", commands.join(", "))
}

/// What is not done and why, each in at most so many letters.
pub(super) fn told(missing: &[Missing], letters: usize) -> String {
    let told = missing.iter().map(|one| one_line(&one.told(), letters));
    told.collect::<Vec<String>>().join("; ")
}

/// What no tool does, with what to type to add one that might, and what the rest would do.
pub(super) fn missing_text(planned: &Planned, paint: Paint) -> Option<String> {
    let mut lines = Vec::new();
    for missing in &planned.missing {
        lines.push(paint.yellow(&one_line(&missing.told(), LACKS_SHOWN)));
        lines.extend(match (missing.lack, missing.install.first()) {
            (_, Some(package)) => Some(format!(
                "  to add one that might: holloway tools add {}",
                visible(package)
            )),
            (Lack::Tool, None) => Some(format!("  {NONE_KNOWN}")),
            (Lack::Words, None) => Some(format!("  {SAY_OTHERWISE}")),
            (Lack::Place | Lack::Condition | Lack::Unfit, None) => None,
        });
    }
    if let (false, Some(card)) = (lines.is_empty(), planned.cards.first()) {
        lines.push(format!("  the rest would: {}", rest_of(card)));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What a plan does, by what its steps are for.
pub(super) fn rest_of(card: &Card) -> String {
    let mut deeds: Vec<String> = Vec::new();
    card.plan.draft().walk(&mut |step| {
        let Some(tool) = step.called_tool() else {
            return;
        };
        // A model may leave out what a step is for.
        let deed = step.purpose.clone().unwrap_or(format!("call {tool}"));
        let deed = one_line(&deed, DEED);
        if !deeds.contains(&deed) {
            deeds.push(deed);
        }
    });
    let more = deeds.len().saturating_sub(DEEDS);
    deeds.truncate(DEEDS);
    if more > 0 {
        deeds.push(format!("and {more} more"));
    }
    deeds.join("; ")
}

/// The plan as a document.
pub(super) fn yaml(card: &Card) -> String {
    write::yaml(card.plan.draft())
}
