//! Which verbs mean the same? What people say, and what tools that do it are called after.

/// Verbs that mean the same, or nearly.
const SAME: &[&[&str]] = &[
    &["rename", "move"],
    &["delete", "remove", "erase"],
    &["fetch", "get", "download", "retrieve", "load"],
    &["find", "search", "locate", "lookup"],
    &["create", "make", "add", "new", "open"],
    &["add", "insert", "append"],
    &["save", "write", "store", "export"],
    &["edit", "update", "modify", "change"],
    &["compare", "diff"],
    &["copy", "duplicate"],
    &["mail", "email", "send"],
    &["read", "view", "show", "open"],
    &["calculate", "compute", "evaluate"],
    &["draw", "plot", "chart", "visualise", "visualize", "graph"],
    &["join", "merge", "combine"],
    &["execute", "run"],
];

/// What people say, and what tools that do it are called after.
#[rustfmt::skip]
const SPOKEN: &[(&str, &[&str])] = &[
    ("answer", &["comment", "reply", "response"]), ("approve", &["review"]), ("bring", &["update"]), ("close", &["update"]), ("discard", &["reset", "checkout", "delete"]),
    ("draft", &["create", "generate", "write"]), ("draw", &["generate", "create"]), ("drop", &["delete", "remove"]),
    ("file", &["create"]), ("finish", &["complete", "mark", "done"]), ("forget", &["delete", "remove"]),
    ("glue", &["merge"]), ("grab", &["fetch", "get", "download"]), ("label", &["update"]), ("leave", &["add", "create"]),
    ("lock", &["protect", "encrypt"]), ("look", &["search", "find"]), ("pull", &["extract", "fetch"]),
    ("note", &["add", "create", "store"]), ("put", &["add", "insert", "write"]), ("read", &["get", "extract"]), ("remember", &["add", "create", "store"]), ("reopen", &["update"]), ("reply", &["comment", "answer"]),
    ("revert", &["reset", "restore"]), ("stage", &["add"]), ("start", &["create", "add"]), ("stitch", &["merge"]), ("strip", &["sanitize", "remove"]), ("sum", &["aggregate", "total", "calculate"]),
    ("swap", &["replace", "edit"]), ("switch", &["checkout"]), ("tick", &["mark", "complete", "done"]), ("turn", &["convert", "to"]),
    ("undo", &["reset", "restore"]), ("unlock", &["unprotect", "decrypt"]), ("wipe", &["delete", "clear"]),
];

/// Verbs that mean what this one means.
pub(in crate::generate) fn same(verb: &str) -> impl Iterator<Item = &'static str> {
    let rows = SAME.iter().filter(move |row| row.contains(&verb));
    let others = rows.flat_map(|row| row.iter().copied());
    others
        .filter(move |other| *other != verb)
        .collect::<Vec<_>>()
        .into_iter()
}

/// What tools are called after that do what is spoken of so.
pub(in crate::generate) fn spoken(verb: &str) -> &'static [&'static str] {
    let found = SPOKEN.iter().find(|(spoken, _)| *spoken == verb);
    found.map_or(&[], |(_, called)| called)
}

/// Names are mostly spelled so.
pub(super) fn american(verb: &str) -> String {
    match verb.strip_suffix("ise") {
        Some(start) => format!("{start}ize"),
        None => verb.to_owned(),
    }
}
