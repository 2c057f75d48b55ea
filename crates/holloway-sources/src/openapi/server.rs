//! Where does a service live? The server a description names, its variables filled
//! with their defaults, and relative ones seen from where the description was found.

use oas3::spec::Server;
use reqwest::Url;

/// The address that paths are put after, or why there is none.
pub(crate) fn address(server: Option<&Server>, origin: Option<&Url>) -> Result<Url, String> {
    let text = server.map_or_else(|| Ok("/".to_owned()), filled)?;
    match (Url::parse(&text), origin) {
        (Ok(url), _) => web(url),
        // No scheme: relative to the description itself.
        (Err(_), Some(origin)) => origin
            .join(&text)
            .map_err(|error| format!("the server `{text}` is no URL: {error}"))
            .and_then(web),
        (Err(_), None) => Err(format!(
            "the server `{text}` says no host, and the description was not read from a URL; name one with `--base-url`"
        )),
    }
}

/// An address typed by a person.
pub(crate) fn typed(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("`{text}` is no URL: {error}"))?;
    web(url)
}

fn web(mut url: Url) -> Result<Url, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("`{url}` is no http or https address"));
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

fn filled(server: &Server) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = server.url.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else {
            break;
        };
        let Some(variable) = server.variables.get(name) else {
            return Err(format!(
                "the server `{}` does not say what `{name}` is",
                server.url
            ));
        };
        text.push_str(before);
        text.push_str(&variable.default);
        rest = tail;
    }
    text.push_str(rest);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(server: serde_json::Value, origin: &str, expected: &str) {
        let server: Option<Server> = serde_json::from_value(server).unwrap();
        let origin = Url::parse(origin).ok();
        let found = match address(server.as_ref(), origin.as_ref()) {
            Ok(url) => url.to_string(),
            Err(message) => message,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn servers_become_addresses() {
        let here = "https://api.example/v3/openapi.json?x=1";
        check(
            json!({"url": "https://pets.example/v1"}),
            here,
            "https://pets.example/v1",
        );
        check(json!({"url": "/v2"}), here, "https://api.example/v2");
        check(json!({"url": "v2"}), here, "https://api.example/v3/v2");
        check(json!(null), here, "https://api.example/");
        check(
            json!({"url": "//other.example/x"}),
            here,
            "https://other.example/x",
        );
        check(
            json!({"url": "https://{region}.example:{port}/", "variables": {"region": {"default": "eu"}, "port": {"default": "8443", "enum": ["8443"]}}}),
            "",
            "https://eu.example:8443/",
        );
    }

    #[test]
    fn servers_that_say_too_little_are_named() {
        check(
            json!({"url": "https://{region}.example"}),
            "",
            "the server `https://{region}.example` does not say what `region` is",
        );
        check(
            json!({"url": "/v1"}),
            "",
            "the server `/v1` says no host, and the description was not read from a URL; name one with `--base-url`",
        );
        check(
            json!({"url": "ftp://a.example/"}),
            "",
            "`ftp://a.example/` is no http or https address",
        );
    }
}
