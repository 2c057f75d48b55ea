//! Which services does a request name? What is to be done on Slack is not done by a tool
//! that has never heard of Slack.

use crate::lexicon::lists::List;
use holloway_search::words::each_word;

/// Services that people name as the place where something is done. Their names are no
/// common words, or are only counted with a capital.
static SERVICES: List = List::named("read_services.services");

/// The services that a text names, in lower case.
pub fn services(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    // "YouTube" is one word, although it is written as two.
    for token in text.split(|letter: char| !letter.is_alphanumeric()) {
        let word = token.to_lowercase();
        let is_one = SERVICES.binary_search(&word.as_str()).is_ok();
        if is_one && !found.contains(&word) {
            found.push(word);
        }
    }
    let lower = text.to_lowercase();
    if SEARCHED.iter().any(|said| lower.contains(said)) {
        found.push(WEB_SEARCH.to_owned());
    }
    found
}

/// What searches the whole web is a service of its own: fetching a page is something else.
const WEB_SEARCH: &str = "web search";
static SEARCHED: List = List::named("read_services.searched");
static SEARCHES: List = List::named("read_services.searches");

/// Whether a text speaks of a service, however it is written.
pub fn speaks_of(text: &str, service: &str) -> bool {
    let mut joined = String::new();
    each_word(text, |word| joined.push_str(word));
    match service {
        WEB_SEARCH => SEARCHES.iter().any(|search| joined.contains(search)),
        service => joined.contains(service),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_can_be_looked_up() {
        assert!(SERVICES.is_sorted());
    }

    #[test]
    fn services_are_found_however_they_are_written() {
        assert_eq!(
            services("post it on Slack and YouTube"),
            ["slack", "youtube"]
        );
        assert!(services("pick up the slack-jawed fish").contains(&"slack".to_owned()));
        assert!(services("write a note").is_empty());
        assert!(speaks_of("npm:youTube-transcripts", "youtube"));
        assert!(!speaks_of("send_message", "slack"));
        assert_eq!(services("search the web for trails"), ["web search"]);
        assert!(speaks_of("brave_web_search", "web search"));
        assert!(!speaks_of("fetch a page of the web", "web search"));
    }
}
