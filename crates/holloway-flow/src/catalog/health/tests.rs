//! Is a tool called broken when it is, and only then?

use super::*;

#[derive(Debug, PartialEq)]
enum Shows {
    Broke,
    Key,
    TooOften,
    Nothing,
}

fn shows(failure: &ToolFailure) -> Shows {
    match sign_of(failure) {
        Sign::Broke { .. } => Shows::Broke,
        Sign::Unclear { reason } if reason.starts_with("a key is missing") => Shows::Key,
        Sign::Unclear { reason } if reason.starts_with("it was called too") => Shows::TooOften,
        Sign::Unclear { .. } => Shows::Nothing,
        Sign::Worked { .. } => panic!("a failure that worked"),
    }
}

#[track_caller]
fn check(expected: &Shows, messages: &[&str]) {
    for message in messages {
        let failure = ToolFailure::permanent(*message);
        assert_eq!(shows(&failure), *expected, "{message}");
    }
}

#[test]
fn a_missing_or_refused_key_is_told_as_such() {
    check(
        &Shows::Key,
        &[
            "Request failed with status code 401",
            "HTTP 403",
            "403 Forbidden",
            "NOTION_TOKEN is not set; the token is required",
            "Missing API key",
            "invalid_api_key",
            "Unauthorized",
            "Bad credentials",
            "The environment variable GITHUB_PERSONAL_ACCESS_TOKEN is not set",
            "Environment variable X must be set",
            "API token is invalid.",
            "HTTP 500: the API key is wrong",
            "TypeError: cannot read properties of undefined (API key missing)",
        ],
    );
}

#[test]
fn being_too_fast_is_not_being_broken() {
    check(
        &Shows::TooOften,
        &[
            "HTTP 429",
            "Too Many Requests",
            "rate limit exceeded, retry in 3 s",
        ],
    );
}

#[test]
fn a_bad_input_says_nothing() {
    check(
        &Shows::Nothing,
        &[
            "TypeError: Invalid URL",
            "TypeError [ERR_INVALID_ARG_TYPE]: The \"path\" argument must be of type string",
            "MCP error -32602: Invalid arguments",
            "ENOENT: no such file or directory, open 'a.txt'",
            "TypeError: fetch failed",
            "getaddrinfo ENOTFOUND example.test",
            "Access denied - path outside allowed directories",
            "HTTP 404",
            "status 422",
            "the city was not found",
            "there are 503 rows, 500 are allowed",
            "Unexpected token < in JSON at position 0",
            "",
        ],
    );
}

#[test]
fn a_tool_that_breaks_is_broken() {
    check(
        &Shows::Broke,
        &[
            "TypeError: undefined is not a function",
            "ReferenceError: fetchit is not defined",
            "Cannot read properties of undefined (reading 'map')",
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod'",
            "ModuleNotFoundError: No module named 'pandas'",
            "thread 'main' panicked at src/main.rs:3",
            "Traceback (most recent call last): KeyError: 'a'",
            "connect ECONNREFUSED 127.0.0.1:9",
            "HTTP 500",
            "the service answered 503",
            "502 Bad Gateway",
            "the server broke off in the middle of the call",
        ],
    );
}

#[test]
fn the_kind_of_failure_counts_first() {
    for (failure, expected) in [
        (ToolFailure::timeout(10), Shows::Broke),
        (
            ToolFailure::invalid("TypeError: a is not a function"),
            Shows::Nothing,
        ),
        (ToolFailure::denied("HTTP 500"), Shows::Nothing),
        (ToolFailure::missing_value("no `x`"), Shows::Nothing),
        (ToolFailure::unknown_tool("no such tool"), Shows::Nothing),
        (ToolFailure::limit("crashed"), Shows::Nothing),
        (ToolFailure::unmet("status == 200"), Shows::Nothing),
        (ToolFailure::permanent("it went wrong"), Shows::Nothing),
        (
            ToolFailure::permanent("it went wrong").uncertain(),
            Shows::Broke,
        ),
        (ToolFailure::permanent("HTTP 401").uncertain(), Shows::Key),
    ] {
        assert_eq!(shows(&failure), expected, "{failure}");
    }
}

#[test]
fn a_long_message_is_cut_to_a_line() {
    let failure = ToolFailure::permanent(format!("first\nsecond\u{1b}[31m {}", "ä".repeat(900)));
    let Sign::Unclear { reason } = sign_of(&failure) else {
        panic!("not unclear")
    };
    assert!(reason.starts_with("first second[31m ää"), "{reason}");
    assert_eq!(reason.chars().count(), 301);
}

/// Signs newest first: `w12` worked in 12 ms, `b` broke, `u` unclear; one a second, up to 9 s.
fn health(signs: &str) -> Health {
    let parse = |(age, text): (u64, &str)| {
        let sign = match text.split_at(1) {
            ("w", duration) => Sign::Worked {
                duration_ms: duration.parse().unwrap(),
            },
            ("b", rest) => Sign::Broke {
                reason: format!("broke{rest}"),
            },
            (_, rest) => Sign::Unclear {
                reason: format!("unclear{rest}"),
            },
        };
        (9_000 - age * 1_000, sign)
    };
    let signs: Vec<_> = (0..).zip(signs.split_whitespace()).map(parse).collect();
    health_of(&signs)
}

#[track_caller]
fn check_health(
    signs: &str,
    status: Status,
    reason: &str,
    counts: (u32, u32),
    latency: Option<u64>,
) {
    let expected = Health {
        status,
        reason: reason.to_owned(),
        worked: counts.0,
        broke: counts.1,
        latency_ms: latency,
        checked_ms: (!signs.is_empty()).then_some(9_000),
    };
    assert_eq!(health(signs), expected, "{signs}");
}

#[test]
fn the_newest_clear_sign_decides() {
    use Status::{Broken, Healthy, Unknown};
    check_health("", Unknown, "", (0, 0), None);
    check_health("u1 u2", Unknown, "unclear1", (0, 0), None);
    check_health("w5", Healthy, "", (1, 0), Some(5));
    check_health("u w5 b", Healthy, "unclear", (1, 1), Some(5));
    check_health("w5 b b", Healthy, "", (1, 2), Some(5));
    check_health("b", Broken, "broke", (0, 1), None);
    check_health("b1 b2 w5", Broken, "broke1", (1, 2), Some(5));
    check_health("b w5", Broken, "broke", (1, 1), Some(5));
    check_health("u b1 u b2", Broken, "broke1", (0, 2), None);
}

#[test]
fn latency_is_the_median_of_what_worked() {
    check_health("w900 w1 w5 b u w3 w4", Status::Healthy, "", (5, 1), Some(4));
}
