//! Why did npm fail? What it said, in one line, and what to do about it.

use std::io;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use serde_json::Value;

use super::package_name::Wanted;
use crate::{SourceError, SourceErrorKind};

const LONGEST: usize = 300;
const UNREACHABLE: [&str; 10] = [
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "ERR_SOCKET_TIMEOUT",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "FETCH_ERROR",
    "ENOTCACHED",
];

pub(super) fn explain(wanted: &Wanted, output: &Output) -> SourceError {
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = |field: &str| {
        answer
            .pointer(&format!("/error/{field}"))
            .and_then(Value::as_str)
    };
    let code = said("code").unwrap_or_default();
    let summary = match said("summary") {
        Some(summary) if !summary.is_empty() => one_line(summary),
        _ => one_line(&String::from_utf8_lossy(&output.stderr)),
    };
    let (what, hint) = match code {
        "E404" => (
            format!("there is no package `{}`, or it is private", wanted.name),
            "check the spelling and the registry that npm is set to",
        ),
        "ETARGET" | "ENOVERSIONS" => (
            format!("`{}` has no version `{}`", wanted.name, wanted.version),
            "leave the version out for the newest, or name one that exists",
        ),
        code if UNREACHABLE.contains(&code) => (
            format!("npm does not reach its registry to fetch `{}`", wanted.name),
            "check the network and the settings of the proxy and of npm, then try again",
        ),
        code if code.starts_with("EALLOW") => (
            format!(
                "`{}` needs a package from outside the registry",
                wanted.name
            ),
            "only packages of the registry are installed: others can run code on the way",
        ),
        _ => (
            format!("npm could not install `{}`", wanted.spec()),
            "try the same with npm itself to see all it says",
        ),
    };
    let summary: String = summary.chars().take(LONGEST).collect();
    error(format!("{what}; npm said: {code} {summary}"), hint)
}

pub(super) fn no_npm(npm: &Path, problem: &io::Error) -> SourceError {
    error(
        format!("npm does not start as `{}`: {problem}", npm.display()),
        "install Node.js 20 or newer, which brings npm",
    )
}

pub(super) fn too_slow(wanted: &Wanted, limit: Duration) -> SourceError {
    SourceError::new(
        SourceErrorKind::Timeout,
        format!(
            "npm did not install `{}` within {} s",
            wanted.spec(),
            limit.as_secs()
        ),
        "check the network, then try again",
    )
}

fn error(message: String, hint: &str) -> SourceError {
    SourceError::new(SourceErrorKind::Package, message, hint)
}

/// Without addresses that may hold a token, control characters and line breaks.
pub(super) fn one_line(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let plain: String = text.chars().map(printable).collect();
    let words = plain.split_whitespace().map(without_credentials);
    words.collect::<Vec<_>>().join(" ")
}

/// `https://user:password@host/…` loses what stands before the host, and every query.
fn without_credentials(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let rest = rest.split('?').next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::ExitStatus;

    fn check(code: &str, summary: &str, expected: &str) {
        let wanted = Wanted::parse("@scope/name@1.0.0").unwrap();
        let answer = serde_json::json!({"error": {"code": code, "summary": summary}});
        let output = Output {
            status: ExitStatus::from_raw(256),
            stdout: answer.to_string().into_bytes(),
            stderr: Vec::new(),
        };
        assert_eq!(explain(&wanted, &output).message, expected);
    }

    #[test]
    fn what_npm_said_is_told_in_one_line() {
        check(
            "E404",
            "Not Found - GET https://me:token@registry.example/@scope%2fname?x=1",
            "there is no package `@scope/name`, or it is private; npm said: E404 Not Found - GET https://registry.example/@scope%2fname",
        );
        check(
            "ETARGET",
            "No matching version\n\u{1b}[31mfound",
            "`@scope/name` has no version `1.0.0`; npm said: ETARGET No matching version [31mfound",
        );
        check(
            "ECONNREFUSED",
            "refused",
            "npm does not reach its registry to fetch `@scope/name`; npm said: ECONNREFUSED refused",
        );
        check(
            "EWHATEVER",
            "odd",
            "npm could not install `@scope/name@1.0.0`; npm said: EWHATEVER odd",
        );
    }
}
