//! Which private hosts does a person name in a request? Those may be reached, each with
//! its port, because the person asked for it. Link-local addresses never: nobody means
//! the machine's metadata service when they ask for an audit.

use std::net::IpAddr;

use reqwest::Url;

use super::http::address::refusal;
use super::http::platform::is_address as is_platform;

/// What stands round an address in a sentence.
const MARKS: [char; 14] = [
    '(', ')', '[', ']', '<', '>', '"', '\'', ',', ';', '.', '!', '?', '`',
];
/// More addresses than this are not meant one by one.
const AT_MOST: usize = 8;

/// As `private_hosts` of the grants takes them.
pub fn private_hosts(request: &str) -> Vec<String> {
    let mut hosts = Vec::new();
    for word in request.split_whitespace() {
        let host = private_host(word.trim_matches(MARKS));
        if let Some(host) = host
            && !hosts.contains(&host)
            && hosts.len() < AT_MOST
        {
            hosts.push(host);
        }
    }
    hosts
}

fn private_host(word: &str) -> Option<String> {
    let url = Url::parse(word).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_meant = match bare.parse::<IpAddr>() {
        Ok(address) => {
            let is_near = matches!(refusal(address), Some("loopback" | "private"));
            is_near && !is_platform(address)
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    };
    let port = url.port_or_known_default()?;
    is_meant.then(|| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &[&str]) {
        assert_eq!(private_hosts(request), expected, "{request}");
    }

    #[test]
    fn only_hosts_that_are_named_and_private_count() {
        check(
            "audit http://127.0.0.1:8080, then tell me",
            &["127.0.0.1:8080"],
        );
        check("look at (https://192.168.1.5/x).", &["192.168.1.5:443"]);
        check(
            "http://localhost:3000 and http://localhost:3000/a",
            &["localhost:3000"],
        );
        check("http://[::1]:99/", &["[::1]:99"]);
        check("audit https://example.com and 127.0.0.1", &[]);
        check("http://169.254.169.254/latest/meta-data", &[]);
        check("http://[fd00:ec2::254]/latest", &[]);
        check("file:///etc/passwd ftp://127.0.0.1/", &[]);
    }
}
