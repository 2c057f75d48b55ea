//! Which texts in a configuration are secret, and which only name something? Literal
//! secrets are taken out; the ways clients refer to variables become ours.

use holloway_flow::secret_words::{begins_like_a_key, speaks_of_secret};
use serde_json::Value;

use holloway_tools::secrets::SecretText;

const SCHEMES: [&str; 3] = ["Bearer ", "Basic ", "Token "];

fn is_capital(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    !name.is_empty() && name.chars().all(fits)
}

/// Takes secrets out of the texts of one server.
pub(super) struct Taker<'a> {
    server: &'a str,
    /// What VS Code asks its users for: id → description.
    inputs: Option<&'a Value>,
    pub(super) secrets: Vec<(String, SecretText)>,
    pub(super) notes: Vec<String>,
}

impl<'a> Taker<'a> {
    pub(super) fn new(server: &'a str, inputs: Option<&'a Value>) -> Self {
        Self {
            server,
            inputs,
            secrets: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The text as our configuration has it; `name` is that of the variable or header.
    pub(super) fn text(&mut self, name: &str, text: &str) -> String {
        if let Some(ours) = self.references(text) {
            return ours;
        }
        for scheme in SCHEMES {
            if let Some(rest) = text.strip_prefix(scheme) {
                return format!("{scheme}{}", self.take(name, rest));
            }
        }
        if looks_secret(name, text) {
            self.take(name, text)
        } else {
            text.to_owned()
        }
    }

    /// Arguments: what follows a flag such as `--api-key`, or looks like a key by itself.
    pub(super) fn arguments(&mut self, arguments: &[String]) -> Vec<String> {
        let mut flag = String::new();
        let mut taken = Vec::new();
        for argument in arguments {
            let text = match (argument.strip_prefix('-'), argument.split_once('=')) {
                (Some(_), Some((name, value))) => {
                    format!("{name}={}", self.text(name.trim_start_matches('-'), value))
                }
                (Some(_), None) => argument.clone(),
                (None, _) => self.argument(flag.trim_start_matches('-'), argument),
            };
            flag.clear();
            if argument.starts_with('-') {
                flag.clone_from(argument);
            }
            taken.push(text);
        }
        taken
    }

    fn argument(&mut self, flag: &str, argument: &str) -> String {
        if flag.eq_ignore_ascii_case("header")
            && let Some((name, value)) = argument.split_once(':')
        {
            let blank = if value.starts_with(' ') { " " } else { "" };
            return format!("{name}:{blank}{}", self.text(name, value.trim_start()));
        }
        // As `docker run -e NAME=VALUE` hands variables on.
        if let Some((name, value)) = argument.split_once('=')
            && is_capital(name)
        {
            return format!("{name}={}", self.text(name, value));
        }
        let name = if flag.is_empty() { "argument" } else { flag };
        self.text(name, argument)
    }

    /// An address: user and password, and keys in its query.
    pub(super) fn address(&mut self, address: &str) -> String {
        let address = self
            .references(address)
            .unwrap_or_else(|| address.to_owned());
        if has_password(&address) {
            return self.take("url", &address);
        }
        let Some((path, query)) = address.split_once('?') else {
            return address;
        };
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, value)) if !value.contains("${") => {
                format!("{name}={}", self.text(name, value))
            }
            _ => pair.to_owned(),
        });
        let query: Vec<String> = pairs.collect();
        format!("{path}?{}", query.join("&"))
    }

    fn take(&mut self, name: &str, text: &str) -> String {
        if let Some(ours) = self.references(text) {
            return ours;
        }
        let name = format!("{}.{name}", self.server);
        let known = self
            .secrets
            .iter()
            .any(|(other, value)| *other == name && value.reveal() != text);
        let name = if known {
            format!("{name}-{}", self.secrets.len() + 1)
        } else {
            name
        };
        if !self.secrets.iter().any(|(other, _)| *other == name) {
            self.secrets.push((name.clone(), SecretText::new(text)));
        }
        format!("${{{name}}}")
    }

    /// The text with other clients' ways of naming variables made ours, if it has any.
    fn references(&mut self, text: &str) -> Option<String> {
        if let Some(name) = text.strip_prefix('$')
            && is_variable(name)
        {
            return Some(format!("${{{name}}}"));
        }
        let text = text.replace("{env:", "${env:").replace("$${env:", "${env:");
        if !text.contains("${") {
            return None;
        }
        let mut ours = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, tail)) = after.split_once('}') else {
                break;
            };
            ours.push_str(before);
            ours.push_str(&self.reference(inside));
            rest = tail;
        }
        ours.push_str(rest);
        Some(ours)
    }

    fn reference(&mut self, inside: &str) -> String {
        if let Some(variable) = inside.strip_prefix("env:") {
            return format!("${{{variable}}}");
        }
        if let Some(input) = inside.strip_prefix("input:") {
            let name = format!("{}.{input}", self.server);
            let asked = self.described(input);
            self.note(format!("set the secret `{name}`{asked}"));
            return format!("${{{name}}}");
        }
        match inside {
            "userHome" => "${HOME}".to_owned(),
            "pathSeparator" | "/" => "/".to_owned(),
            folder if folder.starts_with("workspace") => {
                self.note(format!(
                    "`${{{folder}}}` means the open folder of an editor; it is the secret or variable `{folder}` here, or put the path in its place"
                ));
                format!("${{{folder}}}")
            }
            other => format!("${{{other}}}"),
        }
    }

    fn described(&self, input: &str) -> String {
        let inputs = self.inputs.and_then(Value::as_array);
        let found = inputs.into_iter().flatten().find(|one| {
            let id = one.get("id").and_then(Value::as_str);
            id == Some(input)
        });
        let description = found.and_then(|one| one.get("description")?.as_str());
        description.map_or_else(String::new, |text| format!(": {text}"))
    }

    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name
            .chars()
            .all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_')
}

/// By the name it has, or by the way it looks.
fn looks_secret(name: &str, text: &str) -> bool {
    let harmless = text.is_empty()
        || text.eq_ignore_ascii_case("true")
        || text.eq_ignore_ascii_case("false")
        || (text.len() < 4 && text.chars().all(|one| one.is_ascii_digit()));
    if harmless {
        return false;
    }
    let is_path = text.starts_with(['/', '.', '~']) && !text.contains(' ');
    (named_secret(name) && !is_path && (!is_address(text) || is_hook(name)))
        || has_password(text)
        || (begins_like_a_key(text) && text.len() >= 16)
}

/// In a configuration any key is one that opens something.
fn named_secret(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split(|one: char| !one.is_ascii_alphanumeric());
    speaks_of_secret(name) || words.any(|word| word == "key")
}

fn is_address(text: &str) -> bool {
    text.contains("://")
}

/// Whoever knows the address of a webhook can use it.
fn is_hook(name: &str) -> bool {
    name.to_lowercase().contains("hook")
}

/// `scheme://user:password@host`.
fn has_password(text: &str) -> bool {
    let Some((_, after)) = text.split_once("://") else {
        return false;
    };
    let host = after.split(['/', '?']).next().unwrap_or_default();
    host.rsplit_once('@')
        .and_then(|(user, _)| user.split_once(':'))
        .is_some_and(|(_, password)| !password.is_empty() && !password.starts_with("${"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(name: &str, text: &str, expected: &str, secret: Option<&str>) {
        let mut taker = Taker::new("git", None);
        assert_eq!(taker.text(name, text), expected, "{name}={text}");
        let found = taker.secrets.first().map(|(_, value)| value.reveal());
        assert_eq!(found, secret, "{name}={text}");
    }

    #[test]
    fn literal_secrets_are_taken_out() {
        for (name, text) in [
            ("API_KEY", "abc123"),
            ("GITHUB_PERSONAL_ACCESS_TOKEN", "whatever"),
            ("openaiApiKey", "abcdef"),
            ("x-api-key", "abc"),
            ("SOMETHING", "ghp_0123456789abcdef"),
            ("DATABASE_URL", "postgres://me:hush@localhost/db"),
            ("SLACK_WEBHOOK_URL", "https://hooks.example/T0/B0/x"),
            ("SENTRY_DSN", "abc@sentry"),
            ("SESSION_ID", "abcdef"),
            ("db_pass", "abcdef"),
        ] {
            check(name, text, &format!("${{git.{name}}}"), Some(text));
        }
        check(
            "Authorization",
            "Bearer abc",
            "Bearer ${git.Authorization}",
            Some("abc"),
        );
    }

    #[test]
    fn other_texts_stay() {
        for (name, text) in [
            ("LOG_LEVEL", "debug"),
            ("KEYBOARD", "qwerty"),
            ("TOKEN_FILE", "/run/token"),
            ("AUTH_URL", "https://example.com/login"),
            ("USE_TOKEN", "true"),
            ("API_KEY", ""),
            ("DATABASE_URL", "postgres://localhost/db"),
            ("PRICE", "$5"),
            ("SHORT", "sk-1"),
        ] {
            check(name, text, text, None);
        }
    }

    #[test]
    fn references_of_all_clients_become_ours() {
        for (text, expected) in [
            ("${API_KEY}", "${API_KEY}"),
            ("${API_KEY:-none}", "${API_KEY:-none}"),
            ("${env:API_KEY}", "${API_KEY}"),
            ("{env:API_KEY}", "${API_KEY}"),
            ("$API_KEY", "${API_KEY}"),
            ("Bearer ${env:TOKEN}", "Bearer ${TOKEN}"),
            ("${input:key}", "${git.key}"),
            ("${userHome}/x", "${HOME}/x"),
            ("a${open", "a${open"),
        ] {
            check("API_KEY", text, expected, None);
        }
    }

    #[test]
    fn inputs_are_noted_with_their_description() {
        let inputs = json!([{"id": "key", "description": "Key of the service"}]);
        let mut taker = Taker::new("git", Some(&inputs));
        taker.text("A", "${input:key}");
        taker.text("B", "${input:key}");
        assert_eq!(
            taker.notes,
            ["set the secret `git.key`: Key of the service"]
        );
    }

    fn check_arguments(arguments: &[&str], expected: &[&str], secrets: usize) {
        let mut taker = Taker::new("git", None);
        let arguments: Vec<String> = arguments.iter().map(|&one| one.to_owned()).collect();
        assert_eq!(taker.arguments(&arguments), expected);
        assert_eq!(taker.secrets.len(), secrets);
    }

    #[test]
    fn secrets_in_arguments_are_found() {
        check_arguments(
            &["-y", "server", "--api-key", "abc", "--port", "80"],
            &[
                "-y",
                "server",
                "--api-key",
                "${git.api-key}",
                "--port",
                "80",
            ],
            1,
        );
        check_arguments(&["--token=abc"], &["--token=${git.token}"], 1);
        check_arguments(
            &[
                "mcp-remote",
                "https://x/mcp",
                "--header",
                "Authorization: Bearer abc",
            ],
            &[
                "mcp-remote",
                "https://x/mcp",
                "--header",
                "Authorization: Bearer ${git.Authorization}",
            ],
            1,
        );
        check_arguments(&["postgres://me:hush@h/db"], &["${git.argument}"], 1);
    }

    #[test]
    fn keys_in_addresses_are_found() {
        let mut taker = Taker::new("web", None);
        assert_eq!(
            taker.address("https://x/mcp?apiKey=abc&page=2"),
            "https://x/mcp?apiKey=${web.apiKey}&page=2"
        );
        assert_eq!(taker.address("https://x/mcp"), "https://x/mcp");
        assert_eq!(taker.address("https://me:pw@x/mcp"), "${web.url}");
    }
}
