//! Which modes are there, and what must come of each? `server.py` says what the
//! modes do.

use holloway_engine::failure::FailureName;
use holloway_sources::SourceErrorKind;

/// What must come of asking for tools and then calling one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The tools cannot be had; the message names this.
    NoTools(SourceErrorKind, &'static str),
    /// The call fails; the message names this.
    Fails(FailureName, Effect, &'static str),
    /// The call answers as if nothing were wrong.
    Answers,
}

/// What a failure says about the effect of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    DidNotHappen,
    Happened,
    Unknown,
}

use Effect::{DidNotHappen, Happened, Unknown};
use FailureName::{LimitExceeded, Timeout, ToolFailed, ValidationFailed};
use Outcome::{Answers, Fails, NoTools};
use SourceErrorKind as Kind;

/// Trouble before the first call.
pub(crate) const AT_THE_START: &[(&str, Outcome)] = &[
    ("never-answers", NoTools(Kind::Timeout, "")),
    ("garbage-for-initialize", NoTools(Kind::Timeout, "")),
    ("text-for-initialize", NoTools(Kind::Protocol, "")),
    ("empty-introduction", NoTools(Kind::Protocol, "")),
    ("refuses-initialize", NoTools(Kind::Protocol, "")),
    ("exits-at-once", NoTools(Kind::Start, "code 3")),
    ("exits-with-message", NoTools(Kind::Start, "DATABASE_PATH")),
    ("exits-after-initialize", NoTools(Kind::Start, "ended")),
    // The tools are there and can be called; which version is claimed does not change that.
    ("unknown-protocol-version", Answers),
    ("half-an-introduction", NoTools(Kind::Timeout, "")),
    (
        "half-an-introduction-then-exit",
        NoTools(Kind::Protocol, ""),
    ),
    ("one-byte-per-second", NoTools(Kind::Timeout, "")),
    ("endless-line-at-start", NoTools(Kind::Start, "line longer")),
    ("closes-output-at-start", NoTools(Kind::Start, "")),
    ("wrong-id-for-initialize", NoTools(Kind::Protocol, "")),
    ("never-lists", NoTools(Kind::Timeout, "list")),
    ("lists-in-circles", NoTools(Kind::Protocol, "")),
    ("lists-without-end", NoTools(Kind::Protocol, "")),
    ("fifty-thousand-tools", NoTools(Kind::Protocol, "")),
    ("refuses-to-list", NoTools(Kind::Protocol, "no list")),
    ("tools-are-no-list", NoTools(Kind::Protocol, "tools")),
];

/// Noise in front of, among and behind the messages.
pub(crate) const NOISE: &[(&str, Outcome)] = &[
    ("healthy", Answers),
    ("ignores-unknown-requests", Answers),
    ("dies-of-unknown-requests", Answers),
    ("duplicate-names", Answers),
    ("invalid-schemas", Answers),
    ("banner", Answers),
    ("noise-among-messages", Answers),
    ("byte-order-mark", Answers),
    ("carriage-returns", Answers),
    ("empty-line-storm", Answers),
    ("null-bytes", Answers),
    ("padded-messages", Answers),
    ("text-ids", Answers),
    ("answers-twice", Answers),
    ("answers-unknown-ids", Answers),
    ("batches", Answers),
    ("no-version-field", Answers),
    ("list-changed-storm", Answers),
    ("notification-flood", Answers),
    ("progress-flood", Answers),
    ("request-flood", Answers),
    ("error-flood", Answers),
    ("ignores-the-end", Answers),
    ("leaves-a-child", Answers),
    ("talks-after-the-end", Answers),
];

/// Trouble in the middle of a call.
pub(crate) const IN_A_CALL: &[(&str, Outcome)] = &[
    (
        "crashes-in-call",
        Fails(ToolFailed, Unknown, "Segmentation fault"),
    ),
    (
        "exits-in-call",
        Fails(ToolFailed, Unknown, "ended during the call"),
    ),
    ("half-an-answer", Fails(Timeout, Unknown, "")),
    ("half-an-answer-then-exit", Fails(ToolFailed, Unknown, "")),
    (
        "garbled-answer",
        Fails(ToolFailed, Unknown, "not valid JSON"),
    ),
    ("wrong-id", Fails(Timeout, Unknown, "")),
    ("one-byte-per-second-in-call", Fails(Timeout, Unknown, "")),
    (
        "hundred-megabyte-line",
        Fails(LimitExceeded, Happened, "longer"),
    ),
    ("endless-line", Fails(ToolFailed, Unknown, "line longer")),
    ("invalid-utf8", Fails(ToolFailed, Unknown, "not valid JSON")),
    ("deep-json", Fails(ToolFailed, Unknown, "not valid JSON")),
    ("not-a-number", Fails(ToolFailed, Unknown, "not valid JSON")),
    // Not an answer as the protocol has it, so the answer is still to come.
    ("malformed-error", Fails(Timeout, Unknown, "")),
    ("error-without-code", Fails(Timeout, Unknown, "")),
    (
        "error-answer",
        Fails(ValidationFailed, DidNotHappen, "longer"),
    ),
    ("no-content", Fails(ToolFailed, Happened, "no result")),
    (
        "content-is-no-list",
        Fails(ToolFailed, Happened, "no result"),
    ),
    ("null-result", Fails(ToolFailed, Happened, "no result")),
    (
        "says-error",
        Fails(ToolFailed, DidNotHappen, "disk is full"),
    ),
    ("closes-output", Fails(ToolFailed, Unknown, "")),
    ("closes-pipes", Fails(ToolFailed, Unknown, "")),
    (
        "child-keeps-the-pipe",
        Fails(ToolFailed, Unknown, "ended during the call"),
    ),
    ("never-reads", Fails(Timeout, Unknown, "")),
];

/// Seen in what comes after; they have tests of their own.
pub(crate) const TWICE: &[&str] = &[
    "hangs-on-second-call",
    "answers-late",
    "exits-after-each-call",
    "changes-after-restart",
    "huge-answer",
    "unknown-content",
];
