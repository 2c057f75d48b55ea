//! Which package is meant? `NAME[@VERSION]` of a registry and nothing else: no
//! folders, addresses, aliases or options can be slipped in.

use crate::{SourceError, SourceErrorKind};

const LONGEST: usize = 214;

/// What a person asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) name: String,
    /// An exact version, a tag or a range; empty for the newest.
    pub(super) version: String,
}

impl Wanted {
    pub(super) fn parse(text: &str) -> Result<Self, SourceError> {
        let scope = usize::from(text.starts_with('@'));
        let tail = text.get(scope..).unwrap_or_default();
        let (name, version) = match tail.find('@') {
            Some(at) => text.split_at(scope + at),
            None => (text, ""),
        };
        let version = version.strip_prefix('@').map(str::trim);
        if !is_name(name) || version.is_some_and(|version| !is_version_or_tag(version)) {
            return Err(refused(text));
        }
        Ok(Self {
            name: name.to_owned(),
            version: version.unwrap_or_default().to_owned(),
        })
    }

    /// As npm is told.
    pub(super) fn spec(&self) -> String {
        let version = match self.version.as_str() {
            "" => "latest",
            version => version,
        };
        format!("{}@{version}", self.name)
    }

    pub(super) fn is_exact(&self) -> bool {
        is_exact_version(&self.version)
    }
}

fn refused(text: &str) -> SourceError {
    SourceError::new(
        SourceErrorKind::Package,
        format!("`{text}` is not the name of a package in a registry"),
        "write `name`, `@scope/name` or `@scope/name@1.2.3`",
    )
}

/// The folder of a package at a version, below the folder of all packages.
pub(super) fn folder_name(name: &str, version: &str) -> String {
    format!("{}@{version}", name.replace('/', "+"))
}

pub(super) fn is_name(name: &str) -> bool {
    let part_is_sound = |part: &str| {
        let first = part.chars().next();
        first.is_some_and(|c| c.is_ascii_alphanumeric())
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
    };
    let sound = match name.strip_prefix('@') {
        Some(scoped) => scoped
            .split_once('/')
            .is_some_and(|(scope, name)| part_is_sound(scope) && part_is_sound(name)),
        None => part_is_sound(name),
    };
    sound && name.len() <= LONGEST
}

fn is_version_or_tag(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_ascii_alphanumeric() || "^~".contains(c))
        && text.len() <= 100
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || ".+-^~".contains(c))
}

/// Three numbers, perhaps with something after them.
pub(super) fn is_exact_version(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<_> = core.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    numbers.len() == 3
        && numbers.iter().all(is_number)
        && is_version_or_tag(text)
        && !text.contains(['^', '~'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str, bool)>) {
        let wanted = Wanted::parse(text).ok();
        let found = wanted.as_ref().map(|wanted| {
            let exact = wanted.is_exact();
            (wanted.name.as_str(), wanted.version.as_str(), exact)
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_with_and_without_versions_are_read() {
        check("left-pad", Some(("left-pad", "", false)));
        check("left-pad@1.3.0", Some(("left-pad", "1.3.0", true)));
        check("@scope/name", Some(("@scope/name", "", false)));
        check("@scope/name@next", Some(("@scope/name", "next", false)));
        check("@scope/name@^2.1.0", Some(("@scope/name", "^2.1.0", false)));
        check(
            "@scope/name@6.0.0-beta.124",
            Some(("@scope/name", "6.0.0-beta.124", true)),
        );
    }

    #[test]
    fn anything_but_a_package_of_a_registry_is_refused() {
        for text in [
            "",
            "@",
            "@scope",
            "@/name",
            "../evil",
            "/etc",
            "./here",
            "name/../../x",
            "--global",
            "name@--global",
            "name@file:../x",
            "name@npm:other@1.0.0",
            "git+ssh://host/x",
            "name@https://host/x.tgz",
            "user/repository",
            "name@",
            "na me",
            "name@1.0.0 --ignore-scripts=false",
            "n\u{0430}me",
            ".hidden",
        ] {
            check(text, None);
        }
    }
}
