//! Which known libraries are in use, and are these versions known to be unsafe? Read from
//! file names and from the comments that libraries begin with.

use std::sync::LazyLock;

use regex::Regex;

/// A version as numbers, so that 1.10 is after 1.9.
pub(super) type Version = [u32; 3];

/// A range of versions with a published weakness.
struct Weakness {
    library: &'static str,
    /// From this version, up to but without the one that mends it.
    from: Version,
    below: Version,
    advisory: &'static str,
}

const fn weak(
    library: &'static str,
    from: Version,
    below: Version,
    advisory: &'static str,
) -> Weakness {
    Weakness {
        library,
        from,
        below,
        advisory,
    }
}

/// Published weaknesses that a page can suffer from in a browser, the newest mend first.
const WEAKNESSES: &[Weakness] = &[
    weak(
        "jQuery",
        [1, 2, 0],
        [3, 5, 0],
        "CVE-2020-11022, CVE-2020-11023: scripts in HTML passed to DOM methods",
    ),
    weak(
        "jQuery",
        [0, 0, 0],
        [3, 4, 0],
        "CVE-2019-11358: prototype pollution",
    ),
    weak(
        "jQuery",
        [0, 0, 0],
        [3, 0, 0],
        "CVE-2015-9251: scripts run from cross-domain answers",
    ),
    weak(
        "jQuery UI",
        [0, 0, 0],
        [1, 13, 2],
        "CVE-2022-31160: scripts through checkboxradio labels",
    ),
    weak(
        "jQuery UI",
        [0, 0, 0],
        [1, 13, 0],
        "CVE-2021-41182, CVE-2021-41183, CVE-2021-41184: scripts through widget options",
    ),
    weak(
        "Bootstrap",
        [4, 0, 0],
        [4, 3, 1],
        "CVE-2019-8331: scripts through tooltips and popovers",
    ),
    weak(
        "Bootstrap",
        [0, 0, 0],
        [3, 4, 1],
        "CVE-2019-8331: scripts through tooltips and popovers",
    ),
    weak(
        "AngularJS",
        [1, 0, 0],
        [1, 8, 0],
        "CVE-2020-7676: scripts through option elements",
    ),
    weak(
        "AngularJS",
        [1, 3, 0],
        [2, 0, 0],
        "CVE-2024-21490: slow regular expression; no longer maintained",
    ),
    weak(
        "Vue",
        [2, 0, 0],
        [3, 0, 0],
        "CVE-2024-9506: slow regular expression; no longer maintained",
    ),
    weak(
        "Lodash",
        [0, 0, 0],
        [4, 17, 21],
        "CVE-2021-23337: code in templates",
    ),
    weak(
        "Lodash",
        [0, 0, 0],
        [4, 17, 12],
        "CVE-2019-10744: prototype pollution",
    ),
    weak(
        "Underscore",
        [1, 3, 2],
        [1, 12, 1],
        "CVE-2021-23358: code in templates",
    ),
    weak(
        "Handlebars",
        [0, 0, 0],
        [4, 7, 7],
        "CVE-2021-23369, CVE-2021-23383: code in templates",
    ),
    weak(
        "Moment",
        [2, 18, 0],
        [2, 29, 4],
        "CVE-2022-31129: slow regular expression",
    ),
    weak(
        "DOMPurify",
        [3, 0, 0],
        [3, 1, 3],
        "CVE-2024-45801: scripts through deep nesting",
    ),
    weak(
        "DOMPurify",
        [0, 0, 0],
        [2, 5, 4],
        "CVE-2024-45801: scripts through deep nesting",
    ),
    weak(
        "Axios",
        [0, 8, 1],
        [0, 28, 0],
        "CVE-2023-45857: token against forgery sent to other hosts",
    ),
    weak(
        "Axios",
        [1, 0, 0],
        [1, 6, 0],
        "CVE-2023-45857: token against forgery sent to other hosts",
    ),
    weak(
        "Marked",
        [0, 0, 0],
        [4, 0, 10],
        "CVE-2022-21680, CVE-2022-21681: slow regular expression",
    ),
    weak(
        "Knockout",
        [0, 0, 0],
        [3, 5, 0],
        "CVE-2019-14862: scripts through bindings",
    ),
    weak(
        "Swiper",
        [0, 0, 0],
        [6, 5, 1],
        "CVE-2021-23370: prototype pollution",
    ),
];

/// How libraries call themselves in file names, and how people do.
const NAMES: [(&str, &str); 17] = [
    ("jquery-ui", "jQuery UI"),
    ("jqueryui", "jQuery UI"),
    ("jquery.ui", "jQuery UI"),
    ("jquery ui", "jQuery UI"),
    ("jquery", "jQuery"),
    ("bootstrap", "Bootstrap"),
    ("angularjs", "AngularJS"),
    ("angular", "AngularJS"),
    ("vue", "Vue"),
    ("lodash", "Lodash"),
    ("underscore", "Underscore"),
    ("handlebars", "Handlebars"),
    ("moment", "Moment"),
    ("dompurify", "DOMPurify"),
    ("axios", "Axios"),
    ("marked", "Marked"),
    ("swiper", "Swiper"),
];

const LIBRARY: &str = r"(?P<name>jquery-ui|jquery\.ui|jqueryui|jquery|bootstrap|angularjs|angular|vue|lodash|underscore|handlebars|moment|dompurify|axios|marked|knockout|swiper)";
const VERSION: &str = r"(?P<version>\d{1,3}\.\d{1,3}(?:\.\d{1,4})?)";

/// `jquery-3.4.1.min.js`, `jquery@3.4.1`, `/jquery/3.4.1/`, `/angular.js/1.5.0/`, `jquery.min.js?ver=3.4.1`.
static IN_ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let between = r"(?:(?:\.js)?[-@/.]v?|(?:\.slim|\.bundle|\.core|\.global|\.prod|\.full)*(?:\.min)?\.(?:js|css)\?(?:[^#]*&)?(?:v|ver|version)=)";
    Regex::new(&format!(
        r"(?i)(?:^|[/@._-]){LIBRARY}{between}{VERSION}(?:[^0-9]|$)"
    ))
    .ok()
});

/// `/*! jQuery v3.4.1 | …`, `* Bootstrap v4.1.0 (…`, `Vue.js v2.6.10`.
static IN_COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = LIBRARY.replace("jquery-ui|", "jquery ui|jquery-ui|");
    let between = r"(?:\.js)?(?: JavaScript Library| Core)?(?: -)? v?\.?";
    Regex::new(&format!(
        r"(?i)(?:/\*!?|\*|//)[ \t\r\n*!]{{0,20}}{names}{between}{VERSION}"
    ))
    .ok()
});

/// A library with its version, as its address tells.
pub(super) fn in_address(address: &str) -> Option<(&'static str, Version)> {
    // Long addresses hold data, not names.
    if address.len() > 2000 {
        return None;
    }
    let captures = IN_ADDRESS.as_ref()?.captures(address)?;
    read(
        captures.name("name")?.as_str(),
        captures.name("version")?.as_str(),
    )
}

/// A library with its version, as the comment at the front of its code tells.
pub(super) fn in_comment(code: &str) -> Option<(&'static str, Version)> {
    let front = code.get(..code.floor_char_boundary(600))?;
    let captures = IN_COMMENT.as_ref()?.captures(front)?;
    read(
        captures.name("name")?.as_str(),
        captures.name("version")?.as_str(),
    )
}

fn read(name: &str, version: &str) -> Option<(&'static str, Version)> {
    let lower = name.to_ascii_lowercase();
    let known = NAMES.iter().find(|(short, _)| *short == lower);
    let name = known.map_or((lower == "knockout").then_some("Knockout"), |(_, name)| {
        Some(name)
    })?;
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let version = [
        parts.next()??,
        parts.next()??,
        parts.next().flatten().unwrap_or_default(),
    ];
    Some((name, version))
}

/// What is known against this version: the advisories, and the version that mends them all.
pub(super) fn weaknesses(library: &str, version: Version) -> Option<(Vec<&'static str>, Version)> {
    let known = WEAKNESSES.iter().filter(|weak| weak.library == library);
    let hit: Vec<_> = known
        .filter(|weak| (weak.from..weak.below).contains(&version))
        .collect();
    let below = hit.iter().map(|weak| weak.below).max()?;
    Some((hit.iter().map(|weak| weak.advisory).collect(), below))
}

pub(super) fn show(version: Version) -> String {
    version.map(|part| part.to_string()).join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Option<(&str, Version)>, expected: &str, input: &str) {
        let found = found.map(|(name, version)| format!("{name} {}", show(version)));
        assert_eq!(found.unwrap_or_default(), expected, "{input}");
    }

    #[test]
    fn addresses_tell_versions() {
        for (address, expected) in [
            (
                "https://code.jquery.com/jquery-3.4.1.min.js",
                "jQuery 3.4.1",
            ),
            (
                "https://cdn.example/jquery/1.12/jquery.min.js",
                "jQuery 1.12.0",
            ),
            (
                "https://cdn.example/npm/jquery@3.7.1/dist/jquery.js",
                "jQuery 3.7.1",
            ),
            (
                "/wp-includes/js/jquery/jquery.min.js?ver=3.6.0",
                "jQuery 3.6.0",
            ),
            ("/js/jquery-ui-1.12.1.js", "jQuery UI 1.12.1"),
            (
                "/ajax/libs/angular.js/1.5.0/angular.min.js",
                "AngularJS 1.5.0",
            ),
            (
                "/ajax/libs/angularjs/1.8.2/angular.min.js",
                "AngularJS 1.8.2",
            ),
            ("/bootstrap/4.1.0/css/bootstrap.min.css", "Bootstrap 4.1.0"),
            ("/js/jquery-migrate-1.2.1.js", ""),
            ("/js/jquery.validate.min.js?ver=1.19.0", ""),
            ("/js/bootstrap-icons-1.11.0.css", ""),
            ("/js/@angular/core@17.0.0.js", ""),
            ("/app.3f2.js", ""),
        ] {
            check(in_address(address), expected, address);
        }
    }

    #[test]
    fn comments_tell_versions() {
        for (code, expected) in [
            ("/*! jQuery v3.4.1 | (c) JS Foundation */", "jQuery 3.4.1"),
            (
                "/*!\n * jQuery JavaScript Library v1.11.3\n",
                "jQuery 1.11.3",
            ),
            (
                "/*!\n  * Bootstrap v4.1.0 (https://getbootstrap.com/)",
                "Bootstrap 4.1.0",
            ),
            ("/*!\n * Vue.js v2.6.10", "Vue 2.6.10"),
            ("/*! jQuery UI - v1.12.1 - 2016", "jQuery UI 1.12.1"),
            ("var needs = 'jQuery v1.0.0';", ""),
        ] {
            check(in_comment(code), expected, code);
        }
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        for (library, version, below) in [
            ("jQuery", [3, 4, 1], Some([3, 5, 0])),
            ("jQuery", [3, 5, 0], None),
            ("jQuery", [1, 12, 4], Some([3, 5, 0])),
            ("Bootstrap", [3, 4, 1], None),
            ("Bootstrap", [4, 3, 0], Some([4, 3, 1])),
            ("Bootstrap", [5, 3, 0], None),
            ("AngularJS", [1, 8, 3], Some([2, 0, 0])),
            ("Underscore", [1, 9, 1], Some([1, 12, 1])),
        ] {
            let found = weaknesses(library, version).map(|(_, below)| below);
            assert_eq!(found, below, "{library} {version:?}");
        }
    }
}
