//! What do a tool's own name and description say it does? Only the verbs count:
//! a tool that deletes usually says so, whatever its source claims.

use std::fmt;

use holloway_plan::tool::Effect;

/// Something is gone afterwards.
const DESTROYING: &[&str] = &[
    "clean",
    "clear",
    "deactivate",
    "decommission",
    "del",
    "delete",
    "deletes",
    "deleting",
    "deletion",
    "deprovision",
    "destroy",
    "discard",
    "drop",
    "empty",
    "erase",
    "evict",
    "expire",
    "expunge",
    "flush",
    "force",
    "kill",
    "nuke",
    "overwrite",
    "prune",
    "purge",
    "remove",
    "removes",
    "removing",
    "reset",
    "revoke",
    "rm",
    "rmdir",
    "rollback",
    "shred",
    "terminate",
    "trash",
    "truncate",
    "uninstall",
    "unlink",
    "unpublish",
    "wipe",
];

/// Something is different afterwards, here or elsewhere.
const WRITING: &[&str] = &[
    "activate",
    "add",
    "alter",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "attach",
    "ban",
    "buy",
    "cancel",
    "chmod",
    "chown",
    "click",
    "clone",
    "configure",
    "create",
    "creates",
    "deploy",
    "detach",
    "disable",
    "dispatch",
    "edit",
    "email",
    "enable",
    "enqueue",
    "eval",
    "evaluate",
    "exec",
    "execute",
    "executes",
    "fork",
    "grant",
    "import",
    "insert",
    "install",
    "invite",
    "invoke",
    "kick",
    "lock",
    "merge",
    "mkdir",
    "modify",
    "move",
    "notify",
    "overrule",
    "patch",
    "pay",
    "promote",
    "provision",
    "publish",
    "purchase",
    "put",
    "rebase",
    "refund",
    "register",
    "reject",
    "rename",
    "reopen",
    "replace",
    "reply",
    "restart",
    "restore",
    "revert",
    "rotate",
    "save",
    "schedule",
    "send",
    "sends",
    "set",
    "shutdown",
    "spawn",
    "start",
    "stop",
    "submit",
    "subscribe",
    "toggle",
    "transfer",
    "trigger",
    "tweet",
    "unlock",
    "unsubscribe",
    "update",
    "updates",
    "upload",
    "upsert",
    "withdraw",
    "write",
    "writes",
];

/// The same, but in names these are as often nouns: `get_workflow_run`, `list_posts`.
const WRITING_OR_NOUN: &[&str] = &[
    "book", "change", "charge", "command", "comment", "commit", "mail", "mark", "order", "post",
    "push", "run", "runs", "share", "shell", "sign", "store", "touch",
];

/// After one of these a noun is more likely than a second verb.
const READING: &[&str] = &[
    "browse",
    "check",
    "compare",
    "count",
    "describe",
    "fetch",
    "find",
    "get",
    "inspect",
    "is",
    "list",
    "lookup",
    "query",
    "read",
    "retrieve",
    "search",
    "show",
    "summarize",
    "view",
];

/// What the name or the description says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) effect: Effect,
    pub(super) word: String,
    pub(super) place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Name,
    Description,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "name",
            Self::Description => "description",
        })
    }
}

/// The gravest verb of the name, or the one the description begins with.
pub(super) fn said_by(name: &str, description: &str) -> Option<Said> {
    let in_name = gravest(&words(name), Place::Name);
    // Further on, verbs are often about something else: "does not delete anything".
    let opening = words(description).into_iter().take(1).collect::<Vec<_>>();
    let in_description = gravest(&opening, Place::Description);
    match (in_name, in_description) {
        (Some(name), Some(description)) if description.effect > name.effect => Some(description),
        (None, description) => description,
        (name, _) => name,
    }
}

fn gravest(words: &[String], place: Place) -> Option<Said> {
    let mut found: Option<Said> = None;
    let mut reads = false;
    for word in words {
        let effect = effect_of(word, reads);
        // `get_or_create` does both.
        let joins = matches!(word.as_str(), "and" | "or" | "then");
        reads = !joins && (reads || READING.contains(&word.as_str()));
        let Some(effect) = effect else { continue };
        if found.as_ref().is_none_or(|found| effect > found.effect) {
            let word = word.clone();
            found = Some(Said {
                effect,
                word,
                place,
            });
        }
    }
    found
}

fn effect_of(word: &str, reads: bool) -> Option<Effect> {
    if DESTROYING.contains(&word) {
        Some(Effect::Destructive)
    } else if WRITING.contains(&word) || (!reads && WRITING_OR_NOUN.contains(&word)) {
        Some(Effect::Write)
    } else {
        None
    }
}

/// `deletePet`, `delete-pet` and `HTTPDelete2` all hold the word `delete`.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let starts = letter.is_uppercase()
            && (before.is_lowercase() || letters.peek().is_some_and(|next| next.is_lowercase()));
        if starts || !letter.is_alphabetic() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, description: &str, expected: Option<(Effect, &str)>) {
        let said = said_by(name, description);
        let said = said.as_ref().map(|said| (said.effect, said.word.as_str()));
        assert_eq!(said, expected, "{name}: {description}");
    }

    #[test]
    fn words_of_a_name_are_found_however_they_are_joined() {
        let destroys = Some((Effect::Destructive, "delete"));
        for name in [
            "delete",
            "delete_pet",
            "pet-delete",
            "pets.delete",
            "pets/delete",
            "deletePet",
            "DeletePet",
            "HTTPDelete",
            "petDELETE",
            "delete2",
            "DELETE_PET",
        ] {
            check(name, "", destroys);
        }
    }

    #[test]
    fn parts_of_words_do_not_count() {
        for name in [
            "undeletable",
            "list_deleted_items",
            "dropdown_values",
            "runner_status",
        ] {
            check(name, "", None);
        }
    }

    #[test]
    fn the_gravest_verb_counts() {
        let write = |word| Some((Effect::Write, word));
        let destructive = |word| Some((Effect::Destructive, word));
        check("create_or_delete", "", destructive("delete"));
        check("get_or_create_user", "", write("create"));
        check("sendMail", "", write("send"));
        check("run_command", "", write("run"));
        check("executeTask", "Deletes a task.", destructive("deletes"));
        check("tidy", "Remove what is old.", destructive("remove"));
    }

    #[test]
    fn a_noun_after_a_reading_verb_is_none() {
        check("get_workflow_run", "", None);
        check("list_commits", "", None);
        check("read_post", "", None);
        check("get_post_or_post", "", Some((Effect::Write, "post")));
        check("fetch_and_run", "", Some((Effect::Write, "run")));
    }

    #[test]
    fn only_the_opening_of_a_description_counts() {
        check("read_file", "Reads a file; does not delete it.", None);
        check("read_file", "", None);
        check("", "", None);
    }
}
