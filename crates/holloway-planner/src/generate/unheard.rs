//! What does a request ask that none of the chosen tools has heard of? To do it again and
//! again, or which of the things on a page are in some state: a plan that only fetches them
//! would claim more than it does.

use std::sync::LazyLock;

use holloway_plan::draft::Draft;
use regex::Regex;

use super::words::stems;
use super::{Lack, Missing};
use crate::catalogue::Catalogue;
use crate::request::{Analysis, EntityKind};

static REPEATED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let many = r"(?:\d+|two|three|four|five|six|ten|fifteen|twenty|thirty|few|other|couple of)";
    Regex::new(&format!(
        r"(?i)\b(?:every|each) (?:{many} (?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?)|(?:single )?(?:second|minute|hour))\b"
    ))
    .ok()
});
static STATES: LazyLock<Option<[Regex; 3]>> = LazyLock::new(|| {
    let asks =
        r"(?i)^\W*(?:please )?(?:(?:tell|show) me |list |check |find out )?(?:which|what) [^?]*?";
    let state = r"(?<s>(?:[a-z][a-z'-]* ?){1,5}?)";
    Some([
        Regex::new(&format!(r"{asks}https?://\S+(?: \w+){{0,3}}? (?:is|are|was|were) {state}\W*$")).ok()?,
        Regex::new(&format!(r"{asks} (?:is|are|was|were) {state} (?:on|at|in|of) https?://\S+$")).ok()?,
        Regex::new(r"(?i)\b(?<s>broken|dead|unreachable|invalid|non-working) (?:links?|urls?|addresses|pages?)\b").ok()?,
    ])
});
/// Words of tools that do something again and again.
const REPEATS: [&str; 6] = [
    "schedul", "recurr", "interval", "cron", "repeat", "periodic",
];

/// What of the request the draft passes over.
pub(super) fn missing(analysis: &Analysis, catalogue: &Catalogue, draft: &Draft) -> Vec<Missing> {
    let text = &analysis.request;
    let names_page = analysis
        .entities
        .iter()
        .any(|one| one.kind == EntityKind::Url);
    let repeated = REPEATED.as_ref().and_then(|rule| rule.find(text));
    let mut states = STATES.iter().flatten();
    let state = states.find_map(|rule| rule.captures(text)?.name("s"));
    let state = state.filter(|_| names_page);
    if repeated.is_none() && state.is_none() {
        return Vec::new();
    }
    let tools = Chosen::of(catalogue, draft);
    let repeated = repeated.filter(|_| !tools.repeat());
    let state = state.filter(|state| !tools.hear_of(state.as_str()));
    let parts = [repeated.map(|it| it.as_str()), state.map(|it| it.as_str())];
    let parts = parts.into_iter().flatten();
    parts
        .map(|part| Missing::new(part.trim(), Lack::Tool))
        .collect()
}

/// What the tools of a draft say about themselves.
struct Chosen {
    text: String,
    /// One of them looks for what is wrong.
    judges: bool,
}

impl Chosen {
    fn of(catalogue: &Catalogue, draft: &Draft) -> Self {
        let mut names: Vec<&str> = Vec::new();
        draft.walk(&mut |step| names.extend(step.tool.as_deref()));
        let mut chosen = Self {
            text: String::new(),
            judges: false,
        };
        for (place, tool) in catalogue.tools() {
            let name = catalogue.name_in_plans(place);
            if !name.is_some_and(|name| names.contains(&name)) {
                continue;
            }
            let about = format!("{} {} {} ", tool.id, tool.description, tool.input_schema);
            chosen.text.push_str(&about.to_lowercase());
            let ports = catalogue.ports(place);
            chosen.judges |= ports.is_some_and(|ports| ports.output("findings").is_some());
        }
        chosen
    }

    fn repeat(&self) -> bool {
        REPEATS.iter().any(|word| self.text.contains(word))
    }

    fn hear_of(&self, state: &str) -> bool {
        let known = stems(&self.text);
        let asked = stems(state);
        self.judges || asked.is_empty() || asked.iter().any(|word| known.contains(word))
    }
}
