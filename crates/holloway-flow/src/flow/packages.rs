//! Which packages would do what no tool at hand does? A search always finds something: a package
//! is named only if its words cover the thing that is asked for and what is done to it.

use holloway_planner::frame::EntityKind;
use holloway_planner::read::named;
use holloway_planner::read::services::{services, speaks_of};
use holloway_planner::read::verbs::{Lead, is_light, lead};
use holloway_search::literals::without_literals;
use holloway_search::rank::Wish;
use holloway_search::table::Table;
use holloway_search::words::{each_word, is_empty_word, spaced, stem};

use crate::catalog::known::Known;
use crate::discover::Discovery;

/// How many packages are named for what no tool does.
const PACKAGES: usize = 3;
/// The share of the words for the thing that a package must speak of.
const COVERED: f32 = 0.66;
/// Words at least this alike are about the same thing; of verbs more is asked: to book is no
/// workbook.
const ALIKE: f32 = 0.7;
const VERBS_ALIKE: f32 = 0.75;
/// Things that can be anything, and so tell no package from another.
const ANYTHING: [&str; 18] = [
    "content",
    "contents",
    "data",
    "detail",
    "details",
    "entry",
    "entries",
    "file",
    "files",
    "info",
    "information",
    "item",
    "items",
    "list",
    "result",
    "results",
    "thing",
    "things",
];

/// Packages that do what no tool at hand does, best first. Where a service is named, only those
/// that know it: others would not help.
pub(super) fn installable(known: &[Known], capability: &str) -> Vec<String> {
    // No package helps where words were not understood.
    if capability.contains("(not understood") {
        return Vec::new();
    }
    let services = services(capability);
    let of_service = |package: &&Known| {
        let text = format!("{} {} {}", package.add, package.title, package.description);
        services.iter().all(|service| speaks_of(&text, service))
    };
    let packages: Vec<Known> = known.iter().filter(of_service).cloned().collect();
    let is_sum = named(capability)
        .iter()
        .any(|entity| entity.label.as_deref() == Some("expression"));
    let text = match services.as_slice() {
        _ if is_sum => "calculate an expression".to_owned(),
        [] => capability.to_owned(),
        services => services.join(" "),
    };
    let discovery = Discovery::of_known(&packages);
    let asked = Asked::of(&text);
    let found = discovery.find(&text, &Wish::default());
    let table = discovery.index().table();
    let fitting = found.iter().filter_map(|found| packages.get(found.place));
    let fitting = fitting.filter(|package| asked.is_covered_by(&Words::of(package), table));
    fitting
        .take(PACKAGES)
        .map(|package| package.add.clone())
        .collect()
}

/// What is asked for, in words that say something.
struct Asked {
    /// None where it says nothing about what is done.
    verb: Option<String>,
    things: Vec<String>,
    /// They count only for packages that speak of them.
    names: Vec<String>,
}

impl Asked {
    fn of(text: &str) -> Self {
        let (mut plain, mut names) = (text.to_owned(), Vec::new());
        // Values say nothing about the kind of thing; a name may be that of a product.
        for entity in named(text).iter().filter(|entity| !entity.text.is_empty()) {
            plain = plain.replace(&entity.text, " ");
            if entity.kind == EntityKind::Name {
                each_word(&entity.text, |word| names.push(word.to_lowercase()));
            }
        }
        let plain = without_literals(&plain);
        let (verb, rest) = match lead(&plain) {
            Lead::Verb { verb, rest } => (Some(verb.to_lowercase()), rest),
            Lead::Question | Lead::Wish | Lead::Other => (None, plain.as_str()),
        };
        let mut things: Vec<String> = Vec::new();
        each_word(rest, |word| {
            let word = word.to_lowercase();
            let says = !is_empty_word(&word) && !ANYTHING.contains(&word.as_str());
            if says && !things.contains(&word) {
                things.push(word);
            }
        });
        Self {
            verb: verb.filter(|verb| !is_light(verb)),
            things,
            names,
        }
    }

    fn is_covered_by(&self, words: &Words, table: &Table) -> bool {
        let names = self
            .names
            .iter()
            .filter(|name| words.stems.contains(&stem(name)));
        let names = names.count();
        let covered = |thing: &&String| words.has(thing, table, ALIKE);
        let covered = self.things.iter().filter(covered).count() + names;
        let share = covered as f32 / (self.things.len() + names).max(1) as f32;
        let does = |verb: &String| words.has(verb, table, VERBS_ALIKE);
        share >= COVERED && self.verb.as_ref().is_none_or(does)
    }
}

/// What a package says of itself.
struct Words {
    all: Vec<String>,
    stems: Vec<String>,
}

impl Words {
    fn of(package: &Known) -> Self {
        let tools: Vec<String> = package.tools.iter().map(|name| spaced(name)).collect();
        let name = package.add.rsplit(':').next().unwrap_or_default();
        let (title, description) = (&package.title, &package.description);
        let text = format!("{} {title} {description} {}", spaced(name), tools.join(" "));
        let mut all: Vec<String> = Vec::new();
        each_word(&text, |word| {
            if !is_empty_word(word) {
                all.push(word.to_lowercase());
            }
        });
        Self {
            stems: all.iter().map(|word| stem(word)).collect(),
            all,
        }
    }

    /// Whether it speaks of a word, or of one that means nearly the same.
    fn has(&self, word: &str, table: &Table, alike: f32) -> bool {
        if self.stems.contains(&stem(word)) {
            return true;
        }
        let asked = table.meaning(word);
        let likeness = |own: &String| {
            let own = table.meaning(own);
            let products = asked.iter().zip(own.iter()).map(|(one, other)| one * other);
            products.sum::<f32>()
        };
        self.all.iter().any(|own| likeness(own) >= alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::known::shipped;

    #[track_caller]
    fn check(capability: &str, expected: Option<&str>) {
        let found = installable(&shipped(), capability);
        let first = found.first().map(String::as_str);
        let fits = match expected {
            Some(expected) => first.is_some_and(|first| first.ends_with(expected)),
            None => first.is_none(),
        };
        assert!(fits, "{capability}: {found:?}, not {expected:?}");
    }

    #[test]
    fn a_package_that_does_it_is_named() {
        check("draw a mermaid diagram of the steps", Some("mcp-mermaid"));
        check("roll two dice", Some("dice-roller-mcp"));
        check("take a screenshot of the page", Some("server-puppeteer"));
        check("post the summary on Slack", Some("server-slack"));
        check("work out 3*(4+5)", Some("mcp-server-calculator"));
        check(
            "create a powerpoint presentation",
            Some("office-powerpoint-mcp-server"),
        );
        check("what time is it in Tokyo", Some("time"));
        check(
            "draft a non-disclosure agreement",
            Some("official-nda-template-draft"),
        );
        check(
            "break the revenue down by region",
            Some("official-revenue-breakdown"),
        );
    }

    #[test]
    fn what_only_shares_a_word_is_not() {
        check("convert settings.json to yaml", None);
        check("convert the config to yaml", None);
        check("colour a map of the region", None);
        check("group the rows by region", None);
        check("compress the video clip.mp4", None);
        check("translate the letter to French", None);
        check("knit a pullover", None);
        check("book a table for two at eight", None);
        check("order a pizza", None);
        check("send an SMS to Ann", None);
        check("append the file", None);
        check("play a song on Spotify", None);
        check("", None);
    }
}
