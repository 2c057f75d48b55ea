//! Where does a clause say what to do? The verb it leads with, if it leads with one.

/// What people tell tools to do, and what questions begin with.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "add", "adjust", "aggregate", "alert", "analyse", "analyze", "answer", "append", "apply",
    "approve", "archive", "arrange", "ask", "assess", "assign", "attach", "audit", "automate",
    "back", "backup", "begin", "book", "break", "bring", "browse", "build", "buy", "calculate",
    "call", "cancel", "change", "chart", "check", "choose", "classify", "clean", "clear", "clone",
    "close", "collect", "colour", "combine", "commit", "compare", "compile", "complete",
    "compress", "compute", "condense", "conduct", "configure", "connect", "convert", "copy",
    "correct", "count", "crawl", "create", "cross", "cut", "debug", "decide", "decode", "define",
    "delete", "deliver", "deploy", "describe", "design", "detect", "determine", "diagnose",
    "download", "draft", "draw", "edit", "email", "encode", "encrypt", "enter", "erase",
    "establish", "estimate", "evaluate", "examine", "execute", "explain", "explore", "export",
    "extract", "fetch", "figure", "file", "fill", "filter", "find", "fix", "forecast", "forget",
    "format", "forward", "gather", "generate", "get", "give", "go", "graph", "group", "guess",
    "identify", "import", "improve", "include", "index", "inform", "insert", "inspect", "install",
    "investigate", "invite", "join", "keep", "label", "launch", "leave", "list", "load", "locate",
    "lock", "log", "look", "lookup", "mail", "make", "manage", "map", "mark", "measure", "merge",
    "message", "monitor", "move", "name", "note", "notify", "open", "optimise", "optimize",
    "order", "organise", "organize", "outline", "paint", "parse", "pay", "perform", "pick", "pin",
    "place", "plan", "play", "plot", "post", "predict", "prepare", "present", "print",
    "prioritise", "prioritize", "process", "produce", "propose", "protect", "provide", "publish",
    "pull", "push", "put", "query", "rank", "rate", "read", "receive", "recommend", "record",
    "redact", "refactor", "register", "remember", "release", "remind", "remove", "rename", "render", "rent",
    "repair", "replace", "reply", "report", "request", "research", "reserve", "resize", "restart",
    "retrieve", "return", "review", "rewrite", "roll", "run", "save", "say", "scan", "schedule", "score",
    "scrape", "search", "see", "select", "send", "set", "share", "show", "sign", "simulate",
    "solve", "sort", "split", "squeeze", "stamp", "start", "stop", "store", "strike", "submit",
    "subscribe", "suggest", "summarise", "summarize", "sum", "switch", "take", "tell", "test",
    "throw", "tick", "tidy", "track", "train", "transcribe", "transfer", "transform", "translate",
    "try", "turn", "tweet", "understand", "undo", "update", "upload", "use", "validate",
    "verify", "view", "visit", "visualise", "visualize", "wait", "watch", "work", "write", "zip",
    "rotate", "crop", "extend", "escape", "annotate", "bookmark", "disable", "enable", "follow", "fork", "highlight",
    "pause", "ping", "rebase", "refresh", "reset", "resolve", "restore", "resume", "revert", "stage", "stash",
    "synchronise", "synchronize", "sync", "tag", "toggle", "trim", "unsubscribe", "unzip",
    "checkout", "duplicate", "freeze", "hide", "reorder", "sanitize", "sanitise", "shuffle", "star", "strip", "think", "unhide", "unmerge", "wrap",
    "comment", "decrypt", "discard", "drop", "glue", "grab", "pop", "squash", "stitch", "swap", "unlock", "unprotect", "wipe",
    "boost", "decrease", "divide", "double", "halve", "increase", "lower", "multiply", "raise", "reduce", "round", "subtract",
    "anonymise", "anonymize", "beautify", "benchmark", "blur", "bundle", "chmod", "chown", "cluster", "compile", "concat", "concatenate",
    "curl", "dedupe", "deduplicate", "defragment", "deobfuscate", "digest", "discover", "display", "dump", "embed", "expand", "flatten",
    "flip", "grep", "hash", "impute", "interpolate", "invert", "kill", "lint", "mask", "migrate", "minify", "mirror", "mount", "mute",
    "normalise", "normalize", "obfuscate", "parallelise", "parallelize", "pivot", "poll", "prettify", "pretty-print", "probe",
    "pseudonymise", "pseudonymize", "quantise", "quantize", "reboot", "reverse", "rewind", "seed", "sharpen", "shorten", "shred", "sleep",
    "standardise", "standardize", "subtitle", "tokenise", "tokenize", "transcode", "transliterate", "transpile", "transpose", "truncate",
    "umount", "uninstall", "unmount", "unpivot", "upscale", "vectorise", "vectorize", "watermark", "wget",
];
/// Those that are an order all by themselves: "…, commit and push".
const ALONE: &[&str] = &[
    "commit",
    "deploy",
    "merge",
    "publish",
    "pull",
    "push",
    "rebase",
    "save",
    "submit",
    "summarise",
    "summarize",
];
const QUESTIONS: &[&str] = &[
    "what", "what's", "whats", "which", "who", "whose", "whom", "how", "when", "where", "why",
    "is", "are", "was", "were", "does", "do", "did", "has", "have", "will", "should", "may",
    "where's", "who's",
];
/// What stands before the verb and says nothing.
const FILLERS: &[&str] = &[
    "please",
    "can",
    "could",
    "would",
    "you",
    "i",
    "i'd",
    "i'll",
    "i'm",
    "we",
    "we'd",
    "want",
    "need",
    "like",
    "love",
    "to",
    "also",
    "then",
    "finally",
    "and",
    "help",
    "me",
    "us",
    "let",
    "let's",
    "lets",
    "just",
    "next",
    "first",
    "firstly",
    "secondly",
    "now",
    "so",
    "afterwards",
    "lastly",
    "kindly",
    "hey",
    "hi",
    "hello",
    "but",
    "try",
    "trying",
    "wish",
    "hope",
    "looking",
    "interested",
    "going",
    "am",
    "after",
];
/// Verbs that leave what is done to the noun after them.
const LIGHT: &[&str] = &[
    "perform", "do", "conduct", "make", "run", "carry", "give", "provide",
];

/// What a clause leads with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead<'a> {
    Verb {
        verb: &'a str,
        rest: &'a str,
    },
    Question,
    /// "I'd like a table", "it should be red".
    Wish,
    Other,
}

/// What comes first in a clause once polite words are passed over.
pub fn lead(clause: &str) -> Lead<'_> {
    const WISHES: [&str; 12] = [
        "hope",
        "looking",
        "interested",
        "want",
        "need",
        "like",
        "let",
        "help",
        "please",
        "can",
        "could",
        "would",
    ];
    const SUBJECTS: [&str; 5] = ["i", "we", "you", "i'm", "i've"];
    let mut rest = after_lead_in(clause);
    let (mut wishes, mut has_subject) = (has_should(clause), false);
    loop {
        rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let end = rest
            .find(|letter: char| letter.is_whitespace() || letter == ',' || letter == ':')
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let plain = word.to_lowercase().replace('’', "'");
        let plain = plain.trim_matches(|letter: char| !letter.is_alphanumeric());
        let otherwise = if wishes { Lead::Wish } else { Lead::Other };
        if plain.is_empty() {
            return otherwise;
        }
        // "I read that" tells something; "I want to read" asks for it.
        let tells = has_subject && !wishes;
        if is_verb(plain) && !tells && !(plain == "try" && after.trim_start().starts_with("to ")) {
            return Lead::Verb {
                verb: word,
                rest: after,
            };
        }
        let wants_to_know = plain == "know" && wishes;
        if wants_to_know || QUESTIONS.contains(&plain) && !tells {
            return Lead::Question;
        }
        let is_adverb = plain.len() > 4 && plain.ends_with("ly");
        if !FILLERS.contains(&plain) && !is_adverb {
            return otherwise;
        }
        wishes |= WISHES.contains(&plain);
        has_subject |= SUBJECTS.contains(&plain);
        rest = after;
    }
}

/// What stands after the words that say where: "In a.yaml, swap …", "from b.csv add up …". A
/// clause that begins otherwise, or says nothing after them, is left as it is.
pub fn after_lead_in(clause: &str) -> &str {
    const PREPOSITIONS: [&str; 7] = ["in", "on", "from", "for", "at", "inside", "within"];
    const WORDS_AT_MOST: usize = 7;
    let first = clause.split_whitespace().next().unwrap_or_default();
    let leads = PREPOSITIONS.contains(&first.to_lowercase().as_str());
    let tokens = if leads { WORDS_AT_MOST } else { 1 };
    let mut end = 0;
    for token in clause.split_inclusive(char::is_whitespace).take(tokens) {
        end += token.len();
        let bare = token.trim();
        let is_closed = leads || bare.ends_with(':');
        if is_closed && is_place(bare) {
            let rest = clause.get(end..).unwrap_or_default().trim_start();
            return if rest.is_empty() { clause } else { rest };
        }
    }
    clause
}

/// Looks like a file, a folder or an address.
fn is_place(token: &str) -> bool {
    let bare =
        token.trim_matches(|letter: char| !letter.is_alphanumeric() && !"/~".contains(letter));
    let has_ending = bare
        .rsplit_once('.')
        .is_some_and(|(name, ending)| !name.is_empty() && (1..=5).contains(&ending.len()));
    has_ending || bare.contains('/')
}

/// Within the first words, so that a long text is not searched for it.
fn has_should(clause: &str) -> bool {
    let words = clause.split_whitespace().take(24);
    words
        .into_iter()
        .any(|word| matches!(word, "should" | "must" | "needs"))
}

/// "squash-merge" does what its first half says, "password-protect" what the second does.
pub fn is_verb(word: &str) -> bool {
    let halves = word.split_once('-');
    let is_half = halves
        .is_some_and(|(first, second)| [first, second].iter().any(|half| VERBS.contains(half)));
    VERBS.contains(&word) || is_half
}

/// Whether a single word is an order.
pub fn is_order(word: &str) -> bool {
    let plain = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    ALONE.contains(&plain.to_lowercase().as_str())
}

pub fn is_light(verb: &str) -> bool {
    LIGHT.contains(&verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(clause: &str, expected: &str) {
        let said = match lead(clause) {
            Lead::Verb { verb, .. } => verb,
            Lead::Question => "?",
            Lead::Wish => "!",
            Lead::Other => "",
        };
        assert_eq!(said, expected, "{clause}");
    }

    #[test]
    fn a_clause_leads_with_a_verb_or_a_question_or_neither() {
        check("Could you please find flights", "find");
        check("I'd like to Scrape prices", "Scrape");
        check("Quickly check it", "check");
        check("what is 5 km in miles", "?");
        check("I'd like a table with prices", "!");
        check("the top line should stay visible", "!");
        check("I'm looking for a restaurant", "!");
        check("I hope you can help me set an alarm", "set");
        check("I have a folder full of files", "");
        check("in a/b.yaml, swap the ports", "swap");
        check("On the Monthly sheet of kpi.xlsx make a chart", "make");
        check("sales.xlsx: I need a new sheet", "!");
        check("in 5 minutes", "");
        check("in a.csv", "");
        check("I need to know when it was changed", "?");
        check("returning on April 10th", "");
        check("", "");
        check("...!", "");
    }
}
