//! Whose fault is a failure, going by its message? Tools fail in prose. What is
//! not recognised stays unknown: a tool is called broken only on evidence.

/// Who or what was at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A key is missing, wrong or not allowed to do this.
    Key,
    /// Calls came faster than the service allows.
    TooMany,
    /// What was asked for, or what the caller lets the tool reach.
    Caller,
    /// The tool or its source.
    Broken,
    Unknown,
}

/// Longer messages say nothing more to a reader of a list.
const LONGEST: usize = 300;

const KEY: &[&str] = &[
    "api key",
    "api-key",
    "api_key",
    "apikey",
    "access key",
    "authenticat",
    "authoriz",
    "credential",
    "environment variable",
    "forbidden",
    "not logged in",
    "unauthorised",
];
/// What a token is when it is a key; "Unexpected token" is about a text that was read.
const KEY_TROUBLE: &[&str] = &[
    "bad", "expired", "invalid", "missing", "not set", "provide", "required", "revoked", "unset",
    "without", "wrong",
];
const TOO_MANY: &[&str] = &[
    "quota",
    "rate limit",
    "rate-limit",
    "ratelimit",
    "too many requests",
];
const CALLER: &[&str] = &[
    "-32602",
    "access denied",
    "bad request",
    "does not exist",
    "eai_again",
    "enoent",
    "err_invalid_arg",
    "err_invalid_url",
    "fetch failed",
    "getaddrinfo",
    "input should be",
    "invalid argument",
    "invalid input",
    "invalid param",
    "invalid url",
    "invalid_type",
    "missing required",
    "must be ",
    "network is unreachable",
    "no such file",
    "not allowed",
    "permission denied",
    "required property",
    "validation error",
    "zoderror",
];
const BROKEN: &[&str] = &[
    "-32601",
    "-32603",
    "attributeerror",
    "bad gateway",
    "broke off",
    "broken pipe",
    "cannot find module",
    "cannot find package",
    "cannot read propert",
    "command not found",
    "connection closed",
    "connection refused",
    "connection reset",
    "core dumped",
    "crashed",
    "did not start",
    "econnrefused",
    "econnreset",
    "err_module_not_found",
    "exited with",
    "gateway timeout",
    "importerror",
    "internal server error",
    "is not a constructor",
    "is not a function",
    "is not defined",
    "method not found",
    "module not found",
    "modulenotfounderror",
    "nameerror",
    "no module named",
    "null pointer",
    "out of memory",
    "panicked at",
    "panic:",
    "protocol error",
    "referenceerror",
    "segmentation fault",
    "service unavailable",
    "traceback (most recent call last)",
    "transport closed",
    "typeerror",
    "undefined is not",
];
/// A number is a status only beside a word that says so.
const BEFORE_STATUS: &[&str] = &[
    "answered", "code", "error", "failed", "http", "response", "returned", "status", "with",
];

/// Whose fault a message says it was. What speaks for the tool is asked first.
pub(super) fn cause_of(message: &str) -> Cause {
    let message = message.to_lowercase();
    let holds = |phrases: &[&str]| phrases.iter().any(|phrase| message.contains(phrase));
    let status = status_in(&message);
    let key = holds(KEY) || (names_a_token(&message) && holds(KEY_TROUBLE));
    match status {
        _ if key => Cause::Key,
        _ if holds(TOO_MANY) => Cause::TooMany,
        Some(401 | 403 | 407) => Cause::Key,
        Some(429) => Cause::TooMany,
        Some(500..) => Cause::Broken,
        Some(_) => Cause::Caller,
        None if holds(CALLER) => Cause::Caller,
        None if holds(BROKEN) => Cause::Broken,
        None => Cause::Unknown,
    }
}

fn names_a_token(message: &str) -> bool {
    message.contains("token") && !message.contains("unexpected token")
}

/// A status of HTTP from 400 on, such as in `HTTP 503` or `status code: 401`.
fn status_in(message: &str) -> Option<u16> {
    let mut words = message
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut before = words.next()?;
    for word in words {
        let status = word.parse().ok().filter(|code| (400..600).contains(code));
        if status.is_some() && BEFORE_STATUS.contains(&before) {
            return status;
        }
        before = word;
    }
    None
}

/// A message on one line, of a length to show in a list.
pub(super) fn shortened(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(LONGEST)
        .collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}
