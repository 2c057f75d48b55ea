//! How does a tool's name read as a sentence? `create_issue` "creates issue"; the verb
//! may stand first (`send_email`) or last (`email-send`).

use holloway_search::words::each_word;

/// What a call does to the world, by the verb that names it.
const VERBS: [(&str, &str); 47] = [
    ("add", "adds"),
    ("append", "appends to"),
    ("archive", "archives"),
    ("assign", "assigns"),
    ("book", "books"),
    ("cancel", "cancels"),
    ("change", "changes"),
    ("clear", "clears"),
    ("close", "closes"),
    ("commit", "commits"),
    ("convert", "converts"),
    ("copy", "copies"),
    ("create", "creates"),
    ("delete", "deletes"),
    ("deploy", "deploys"),
    ("disable", "disables"),
    ("download", "downloads"),
    ("draw", "draws"),
    ("edit", "edits"),
    ("enable", "enables"),
    ("execute", "executes"),
    ("insert", "inserts"),
    ("install", "installs"),
    ("invite", "invites"),
    ("make", "makes"),
    ("merge", "merges"),
    ("move", "moves"),
    ("order", "orders"),
    ("pay", "pays"),
    ("play", "plays"),
    ("post", "posts"),
    ("publish", "publishes"),
    ("push", "pushes"),
    ("put", "puts"),
    ("remove", "removes"),
    ("rename", "renames"),
    ("replace", "replaces"),
    ("reset", "resets"),
    ("run", "runs"),
    ("save", "saves"),
    ("schedule", "schedules"),
    ("send", "sends"),
    ("set", "sets"),
    ("start", "starts"),
    ("stop", "stops"),
    ("update", "updates"),
    ("write", "writes"),
];

/// A verb in the third person, and what it is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) verb: &'static str,
    /// The other words of the name.
    pub(super) object: String,
}

/// What the name of a tool says it does; nothing when it names no deed.
pub(super) fn deed(name: &str) -> Option<Deed> {
    let mut words = Vec::new();
    each_word(name, |word| words.push(word.to_owned()));
    let third = |word: &String| {
        let known = VERBS.binary_search_by_key(&word.as_str(), |(verb, _)| verb);
        known
            .ok()
            .and_then(|at| VERBS.get(at))
            .map(|(_, third)| *third)
    };
    let last = words.len().saturating_sub(1);
    let at = [0, last]
        .into_iter()
        .find(|at| words.get(*at).is_some_and(|word| third(word).is_some()))?;
    let verb = third(words.get(at)?)?;
    words.remove(at);
    Some(Deed {
        verb,
        object: words.join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_can_be_looked_up() {
        assert!(VERBS.is_sorted_by_key(|(verb, _)| *verb));
    }

    #[test]
    fn the_verb_stands_first_or_last() {
        let check = |name: &str, expected: Option<(&str, &str)>| {
            let found = deed(name);
            let found = found.as_ref().map(|deed| (deed.verb, deed.object.as_str()));
            assert_eq!(found, expected, "{name}");
        };
        check("create_issue", Some(("creates", "issue")));
        check("email-send", Some(("sends", "email")));
        check("updateUserProfile", Some(("updates", "user profile")));
        check("run", Some(("runs", "")));
        check("weather", None);
        check("", None);
    }
}
