//! Which words tell a secret from everything else? One file, `data/secret_words.txt`, for all who ask:
//! what of a request is kept, which inputs are secret, which settings are remembered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use holloway_search::words::{each_word, plain};

static LISTS: LazyLock<BTreeMap<&'static str, BTreeSet<String>>> =
    LazyLock::new(|| read(include_str!("../data/secret_words.txt")));

/// Shorter names are found only as words of their own.
const JOINED: usize = 5;

/// A section of the list; what each is for stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    Names,
    Compounds,
    Places,
    Opening,
    Spoken,
    Marks,
    Formats,
    Doors,
    Begins,
    Telling,
    Parts,
    Said,
    Perhaps,
    Digits,
    Others,
    Phrases,
    Links,
    Fillers,
    About,
    Changing,
    Joining,
    Using,
    Articles,
    People,
    Schemes,
    Clients,
    UserFlags,
    Addresses,
    Ordinary,
    States,
}

impl List {
    fn name(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Compounds => "compounds",
            Self::Places => "places",
            Self::Opening => "opening",
            Self::Spoken => "spoken",
            Self::Marks => "marks",
            Self::Formats => "formats",
            Self::Doors => "doors",
            Self::Begins => "begins",
            Self::Telling => "telling",
            Self::Parts => "parts",
            Self::Said => "said",
            Self::Perhaps => "perhaps",
            Self::Digits => "digits",
            Self::Others => "others",
            Self::Phrases => "phrases",
            Self::Links => "links",
            Self::Fillers => "fillers",
            Self::About => "about",
            Self::Changing => "changing",
            Self::Joining => "joining",
            Self::Using => "using",
            Self::Articles => "articles",
            Self::People => "people",
            Self::Schemes => "schemes",
            Self::Clients => "clients",
            Self::UserFlags => "user_flags",
            Self::Addresses => "addresses",
            Self::Ordinary => "ordinary",
            Self::States => "states",
        }
    }

    /// Whether a word is in the list; accents do not matter.
    pub fn has(self, word: &str) -> bool {
        let list = LISTS.get(self.name());
        list.is_some_and(|list| list.contains(word) || list.contains(plain(word).as_ref()))
    }

    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let words = LISTS.get(self.name()).into_iter().flatten();
        words.map(String::as_str)
    }
}

/// Whether a text begins like the key of a well-known service.
pub fn begins_like_a_key(text: &str) -> bool {
    List::Begins.words().any(|start| text.starts_with(start))
}

/// Whether a parameter, field or flag of this name holds a secret.
pub fn names_secret(name: &str) -> bool {
    let words = words_of(name);
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    let before = before.last().map(String::as_str).unwrap_or_default();
    let one = last.strip_suffix('s').unwrap_or(last);
    let joined = words.concat();
    let is_compound = |word: &str| joined.ends_with(word);
    let ends = |word: &str| word.len() > JOINED && joined.ends_with(word);
    match one {
        "token" => !List::Places.has(before) && (last == one || before == "access"),
        "key" if List::Opening.has(before) => true,
        one => {
            List::Names.has(one)
                || List::Names.has(last)
                || List::Compounds.words().any(is_compound)
                || List::Names.words().any(ends)
                || last.ends_with("token")
        }
    }
}

/// Whether any word in the name of a setting speaks of a secret.
pub fn speaks_of_secret(name: &str) -> bool {
    let says = |word: &String| {
        let one = word.strip_suffix('s').unwrap_or(word);
        [one, word]
            .iter()
            .any(|word| List::Names.has(word) || List::Doors.has(word))
    };
    names_secret(name) || words_of(name).iter().any(says)
}

/// The words of a name or text, in lower case and without accents.
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

fn read(text: &'static str) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut lists: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut section = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.strip_prefix('[');
        if let Some(name) = name.and_then(|name| name.strip_suffix(']')) {
            section = name;
            continue;
        }
        let list = lists.entry(section).or_default();
        for word in line.split_whitespace() {
            list.insert(word.to_owned());
            list.insert(plain(word).into_owned());
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [List; 30] = [
        List::Names,
        List::Compounds,
        List::Places,
        List::Opening,
        List::Spoken,
        List::Marks,
        List::Formats,
        List::Doors,
        List::Begins,
        List::Telling,
        List::Parts,
        List::Said,
        List::Perhaps,
        List::Digits,
        List::Others,
        List::Phrases,
        List::Links,
        List::Fillers,
        List::About,
        List::Changing,
        List::Joining,
        List::Using,
        List::Articles,
        List::People,
        List::Schemes,
        List::Clients,
        List::UserFlags,
        List::Addresses,
        List::Ordinary,
        List::States,
    ];

    #[test]
    fn every_section_is_read_and_none_is_left_over() {
        let known: BTreeSet<&str> = ALL.iter().map(|list| list.name()).collect();
        let found: BTreeSet<&str> = LISTS
            .keys()
            .copied()
            .filter(|name| !name.is_empty())
            .collect();
        assert_eq!(found, known);
        for list in ALL {
            assert!(list.words().count() >= 3, "{list:?}");
        }
    }

    #[test]
    fn names_say_what_is_secret() {
        for name in [
            "password",
            "userPassword",
            "db-passwd",
            "dbpassword",
            "PGPASSWORD",
            "MYSQL_PWD",
            "pw",
            "token",
            "access_token",
            "accessTokens",
            "authtoken",
            "X-Auth-Token",
            "csrfToken",
            "api_key",
            "apiKey",
            "APIKEY",
            "x-api-key",
            "private_key",
            "privateKey",
            "ssh_key",
            "signing_key",
            "encryption_key",
            "client_secret",
            "clientsecret",
            "aws_secret_access_key",
            "credentials",
            "creds",
            "pin",
            "otp",
            "totp",
            "mfa_code",
            "githubPat",
            "secrets",
            "auth",
            "basic_auth",
            "authorization",
            "Proxy-Authorization",
            "bearer",
            "cookie",
            "Set-Cookie",
            "cookies",
            "session_id",
            "sessionId",
            "PHPSESSID",
            "JSESSIONID",
            "sid",
            "pass",
            "db_pass",
            "smtpPass",
            "dsn",
            "sentry_dsn",
            "connection_string",
            "connectionString",
            "database_url",
            "webhook_url",
            "slackWebhookUrl",
            "slack_webhook",
            "passphrase",
            "seed_phrase",
            "mnemonic",
            "jwt",
            "cvv",
            "Passwort",
            "contraseña",
            "contrasena",
            "senha",
            "hasło",
            "mot_de_passe",
        ] {
            assert!(names_secret(name), "{name}");
        }
        for name in [
            "key",
            "sort_key",
            "primaryKey",
            "keyword",
            "keys",
            "page_token",
            "nextToken",
            "max_tokens",
            "token_count",
            "passenger",
            "path",
            "secretary",
            "url",
            "password_hint",
            "passengers",
            "compass",
            "author",
            "authors",
            "authority",
            "session",
            "signature",
            "pinned",
            "pins_per_row",
            "spin",
            "cookie_policy",
            "auth_type",
            "auth_url",
            "secret_name",
            "description",
            "side",
            "patch",
            "encoding",
            "bypass_cache",
            "database",
            "connection",
        ] {
            assert!(!names_secret(name), "{name}");
        }
        for name in [
            "PASSWORD_FILE",
            "session",
            "X-Amz-Signature",
            "auth_type",
            "tokenId",
        ] {
            assert!(speaks_of_secret(name), "{name}");
        }
        for name in ["path", "author", "keyboard", "page", "sort"] {
            assert!(!speaks_of_secret(name), "{name}");
        }
    }

    #[test]
    fn the_lists_do_not_contradict_each_other() {
        for word in List::Names.words() {
            assert!(!List::Telling.has(word), "{word} stands in [names] already");
            assert!(!List::Doors.has(word), "{word} stands in [names] already");
        }
        for word in List::Said.words() {
            assert!(List::Names.has(word), "{word} is missing in [names]");
            assert!(!List::Perhaps.has(word), "{word} stands in [said] already");
        }
        for list in ALL {
            let is_plain = |word: &str| word == word.to_lowercase();
            let exact = matches!(
                list,
                List::Marks | List::Begins | List::Clients | List::UserFlags
            );
            assert!(exact || list.words().all(is_plain), "{list:?}");
        }
    }
}
