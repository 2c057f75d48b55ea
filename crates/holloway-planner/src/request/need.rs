//! Is a plan needed at all? Not for small talk, not for nothing, and not where one tool
//! does what was asked and the request says all it has to know.

use std::sync::LazyLock;

use holloway_plan::tool::ToolSpec;
use holloway_search::rank::{Wish, rank};
use holloway_search::words::terms;
use regex::Regex;

use super::{Analysis, Need, capabilities, parts};
use crate::bind::{Situation, Source, bind};
use crate::catalogue::Catalogue;

/// What people say when nothing is to be done.
static TALK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let greeting = "hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|night|day)|how are you(?: doing)?(?: today)?|\
        what'?s up|nice to meet you";
    let thanks = "thanks?(?: you)?(?: (?:so|very) much| a lot| a bunch)?|thx|cheers|great|perfect|awesome|nice|cool|well done|ok(?:ay)?|got it|\
        good job|that(?:'s| is| was) (?:great|fine|all|it|ok|okay|perfect|enough|good|nice|helpful)|never ?mind|bye|goodbye|see you(?: later)?|sorry";
    let holloway = "who are you|what are you|what is holloway|what can you do(?: for me)?|what do you do|are you (?:an? )?(?:ai|bot|robot|human|there)|\
        how (?:do you|does (?:holloway|this)) work|help|what is your name|what's your name|who (?:made|built) you|tell me about yourself";
    let whom = "there|holloway|everyone|all|you|again|friend|buddy|man";
    Regex::new(&format!(
        r"(?i)^\W*(?:(?:{greeting}|{thanks}|{holloway}|{whom}|and|for (?:that|your help|everything|the help)|in advance)\W*)+$"
    ))
    .ok()
});
/// A longer request says more than one thing.
const WORDS_AT_MOST: usize = 18;
const TALK_AT_MOST: usize = 120;
/// How well the words must fit a tool for it to be taken without a second thought.
const FIT_AT_LEAST: f32 = 0.6;

pub(crate) fn need(analysis: &Analysis, catalogue: &Catalogue) -> Need {
    let text = &analysis.request;
    if !text.chars().any(char::is_alphanumeric) {
        return Need::Nothing;
    }
    let is_short = text.len() <= TALK_AT_MOST;
    if is_short && TALK.as_ref().is_some_and(|talk| talk.is_match(text)) {
        return Need::Conversation;
    }
    // All that is said is what is not to be done.
    if analysis.capabilities.is_empty() && capabilities::denies(text, &analysis.entities) {
        return Need::Nothing;
    }
    let is_one = analysis.capabilities.len() == 1
        && analysis.formats.is_empty()
        && parts::parts(text).len() == 1
        && text.split_whitespace().take(WORDS_AT_MOST + 1).count() <= WORDS_AT_MOST;
    if is_one && has_tool(analysis, catalogue) {
        return Need::OneStep;
    }
    Need::Plan
}

/// Does the best tool fit well, and does the request say all that it must know?
fn has_tool(analysis: &Analysis, catalogue: &Catalogue) -> bool {
    let index = catalogue.index();
    let query = index.read(&analysis.request);
    let scores = index.scores(&query);
    let wish = Wish {
        limit: 1,
        fit_at_least: FIT_AT_LEAST,
        ..Wish::default()
    };
    let hits = rank(
        index,
        &query,
        &scores,
        |place| catalogue.repute(place),
        &wish,
    );
    let tool = hits.first().and_then(|hit| catalogue.tool(hit.place));
    tool.is_some_and(|tool| {
        if !speaks_of(tool, analysis) {
            return false;
        }
        let bindings = bind(tool, &Situation::alone(&analysis.wanted()));
        bindings
            .iter()
            .all(|binding| !matches!(binding.source, Source::Input { .. }))
    })
}

/// Are most of the words of the request words of the tool? Names of files alone make many
/// tools look fitting.
fn speaks_of(tool: &ToolSpec, analysis: &Analysis) -> bool {
    const GENERAL: [&str; 8] = [
        "show", "find", "tell", "give", "what's", "look", "want", "please",
    ];
    let mut said = analysis.request.clone();
    for entity in analysis.entities.iter().rev() {
        if said.get(entity.place.clone()).is_some() {
            said.replace_range(entity.place.clone(), " ");
        }
    }
    let mut words = terms(&said);
    words.retain(|word| !GENERAL.contains(&word.as_str()));
    let about = terms(&format!(
        "{} {} {}",
        tool.id.name(),
        tool.title,
        tool.description
    ));
    let shared = words.iter().filter(|word| about.contains(word)).count();
    shared * 3 >= words.len() * 2
}
