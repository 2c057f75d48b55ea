//! Is it asked whether an address answers? "check whether https://a.example/x exists", "is
//! https://a.example up?". What it answers with is told then, whatever it is.

use std::sync::LazyLock;

use regex::Regex;

use super::super::{Entity, EntityKind};
use super::{Condition, Said};

static RULES: LazyLock<Option<[Regex; 3]>> = LazyLock::new(|| {
    let lead = r"(?i)^\W*(?:please |can you |could you )*";
    let thing = r"(?:the )?(?:page |site |website |address |url |server |link |file )?(?:at |on )?";
    let state = r"(?:up|down|online|offline|reachable|unreachable|available|alive|there|live|accessible|working|up and running|responding|broken|dead)";
    let does = r"(?:exists?|works?|responds?|answers?|loads?)";
    let tail = r"(?: or not| right now| now| at the moment)?\W*$";
    Some([
        Regex::new(&format!(
            r"{lead}(?:check|see|test|find out|verify|tell me|look)(?: whether| if| that)? {thing}(?<u>\S+?),? (?:{does}|(?:is|still) (?:still |currently )?(?:{state}|{does})){tail}"
        ))
        .ok()?,
        Regex::new(&format!(
            r"{lead}is {thing}(?<u>\S+?),? (?:still |currently )?{state}{tail}"
        ))
        .ok()?,
        Regex::new(&format!(
            r"{lead}(?:does|do) {thing}(?<u>\S+?),? (?:still |currently )?{does}{tail}"
        ))
        .ok()?,
    ])
});

pub(super) fn read(text: &str, entities: &[Entity]) -> Option<Said> {
    let mut urls = entities.iter().filter(|one| one.kind == EntityKind::Url);
    let (only, None) = (urls.next()?, urls.next()) else {
        return None;
    };
    let mut rules = RULES.iter().flatten();
    let named = rules.find_map(|rule| rule.captures(text)?.name("u"))?;
    let is_it = named.start() <= only.place.start && only.place.end <= named.end();
    let condition = Condition::Reached {
        url: only.text.clone(),
    };
    let place = 0..text.len();
    is_it.then_some(Said { condition, place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::named;

    #[test]
    fn whether_an_address_answers_is_asked_in_many_ways() {
        let check = |text: &str, expected: Option<&str>| {
            let url = match read(text, &named(text)).map(|said| said.condition) {
                Some(Condition::Reached { url }) => Some(url),
                _ => None,
            };
            assert_eq!(url.as_deref(), expected, "{text}");
        };
        let page = Some("http://a.example/x.html");
        check("check whether http://a.example/x.html exists", page);
        check("check if the page http://a.example/x.html is online", page);
        check("is http://a.example/x.html up?", page);
        check("Does http://a.example/x.html still work?", page);
        check(
            "tell me whether http://a.example/x.html is reachable or not",
            page,
        );
        check("is http://a.example/x.html allowed by robots.txt?", None);
        check("check http://a.example/x.html for broken links", None);
        check(
            "check every 5 seconds whether http://a.example/x.html is up",
            None,
        );
    }
}
