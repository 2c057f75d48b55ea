//! Which sort of deed is a verb? Looking is not making, and making is not removing: a tool
//! that does another sort of thing does not do what was asked.

use std::sync::LazyLock;

use holloway_search::words::{each_word, stem};
use rustc_hash::FxHashMap;

/// Sorts of deeds, one bit each; a word may be of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sorts(u16);

impl Sorts {
    pub(crate) const LOOK: Self = Self(1);
    pub(crate) const MAKE: Self = Self(1 << 1);
    const CHANGE: Self = Self(1 << 2);
    pub(crate) const REMOVE: Self = Self(1 << 3);
    pub(crate) const SEND: Self = Self(1 << 4);
    pub(crate) const CONVERT: Self = Self(1 << 5);
    const DRAW: Self = Self(1 << 6);
    const RECKON: Self = Self(1 << 7);
    const RUN: Self = Self(1 << 8);

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Of this sort and no other.
    pub(crate) fn is_only(self, other: Self) -> bool {
        !self.is_empty() && self.0 & !other.0 == 0
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[rustfmt::skip]
const WORDS: &[(Sorts, &[&str])] = &[
    (Sorts::LOOK, &[
        "analyse", "analyze", "audit", "browse", "check", "compare", "count", "crawl", "describe", "detect", "diff",
        "discover", "evaluate", "examine", "explain", "explore", "extract", "fetch", "find", "get", "identify", "info",
        "inspect", "list", "load", "locate", "look", "lookup", "measure", "monitor", "query", "rank", "read", "recommend",
        "research", "retrieve", "review", "scan", "score", "scrape", "search", "see", "show", "status", "suggest",
        "summarise", "summarize", "summary", "tell", "test", "track", "validate", "verify", "view", "watch", "download",
    ]),
    (Sorts::MAKE, &[
        "book", "build", "compose", "create", "design", "draft", "init", "insert", "make", "new", "order", "plan",
        "prepare", "produce", "record", "register", "remember", "reserve", "schedule", "store", "commit", "log",
        "propose", "start", "observe", "note", "memorise", "memorize", "invite", "buy", "clone", "copy", "collect",
    ]),
    (Sorts::MAKE.and(Sorts::CHANGE), &["add", "append", "put", "save", "set", "write", "fill", "attach", "stage", "apply"]),
    (Sorts::MAKE.and(Sorts::DRAW), &["generate", "render"]),
    (Sorts::CHANGE, &[
        "adjust", "arrange", "assign", "change", "clean", "combine", "configure", "correct", "edit", "fix", "format",
        "group", "improve", "join", "mark", "merge", "modify", "move", "organise", "organize", "patch", "rebase",
        "rename", "reorder", "replace", "resize", "rewrite", "rotate", "sort", "split", "switch", "toggle", "update",
        "filter", "select", "cut", "crop", "encrypt", "redact", "compress", "zip", "checkout", "protect", "sign", "duplicate", "freeze", "hide", "unhide", "strip", "sanitize", "wrap", "lock", "unlock",
    ]),
    (Sorts::REMOVE, &["cancel", "clear", "delete", "drop", "erase", "forget", "remove", "reset", "undo", "unset", "wipe"]),
    (Sorts::SEND, &[
        "alert", "deliver", "email", "forward", "mail", "message", "notify", "post", "publish", "push", "reply", "send",
        "share", "submit", "tweet", "upload", "inform", "remind",
    ]),
    (Sorts::CONVERT, &["convert", "decode", "encode", "transform", "translate", "transcribe", "turn", "parse", "import"]),
    (Sorts::CONVERT.and(Sorts::MAKE), &["export"]),
    (Sorts::RUN.and(Sorts::MAKE), &["open"]),
    (Sorts::DRAW.and(Sorts::MAKE), &["chart", "draw", "graph", "paint", "plot", "sketch", "visualise", "visualize", "map", "diagram"]),
    (Sorts::RECKON, &["calculate", "compute", "divide", "estimate", "forecast", "multiply", "predict", "solve", "subtract", "sum", "average", "roll", "simulate"]),
    (Sorts::RUN, &["call", "deploy", "execute", "install", "launch", "perform", "play", "run", "trigger", "close", "stop"]),
];

static SORTS: LazyLock<FxHashMap<String, Sorts>> = LazyLock::new(|| {
    let words = WORDS.iter();
    words
        .flat_map(|(sorts, words)| words.iter().map(|word| (stem(word), *sorts)))
        .collect()
});

pub(crate) fn sorts_of_word(word: &str) -> Sorts {
    SORTS.get(&stem(word)).copied().unwrap_or_default()
}

/// The sorts of the first verb in a name: what comes after it may be a noun.
pub(crate) fn sorts_of_words(text: &str) -> Sorts {
    let mut sorts = Sorts::default();
    each_word(text, |word| {
        if sorts.is_empty() {
            sorts = sorts_of_word(word);
        }
    });
    sorts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_the_sorts_of_its_first_verb() {
        assert!(sorts_of_words("git_create_branch").meets(sorts_of_word("make")));
        assert!(!sorts_of_words("delete_file").meets(sorts_of_word("write")));
        assert!(sorts_of_words("delete_note").is_only(Sorts::REMOVE));
        assert!(sorts_of_words("weather").is_empty());
    }

    #[test]
    fn no_word_stands_in_two_rows() {
        let mut seen = Vec::new();
        for word in WORDS.iter().flat_map(|(_, words)| words.iter()) {
            assert!(!seen.contains(&stem(word)), "{word}");
            seen.push(stem(word));
        }
    }
}
