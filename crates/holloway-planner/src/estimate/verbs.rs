//! How does a tool's name read as a sentence? `create_issue` "creates issue"; the verb
//! may stand first (`send_email`) or last (`email-send`).

use holloway_search::words::each_word;

use super::words::{Manner, Words};

/// A verb in the third person, and what it is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) verb: &'static str,
    pub(super) manner: Manner,
    /// The other words of the name.
    pub(super) object: String,
}

/// What the name of a tool says it does; nothing when it names no deed.
pub(super) fn deed(name: &str) -> Option<Deed> {
    let mut words = Vec::new();
    each_word(name, |word| words.push(word.to_owned()));
    let third = |at: usize| Words::english().verb(words.get(at)?);
    let last = words.len().saturating_sub(1);
    let (at, (verb, manner)) = [0, last]
        .into_iter()
        .find_map(|at| Some((at, third(at)?)))?;
    words.remove(at);
    Some(Deed {
        verb,
        manner,
        object: words.join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
