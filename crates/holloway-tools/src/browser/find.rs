//! Where is a Chromium? Where the settings say, or at the first of the usual places.

use std::path::{Path, PathBuf};

use super::super::Grants;

const PLACES: &str = include_str!("../../data/browser/places.txt");

/// The program, or a sentence that says why there is none.
pub(super) fn chromium(grants: &Grants) -> Result<PathBuf, String> {
    match grants.browser.as_deref() {
        Some(path) if path.as_os_str() == "none" => Err("it is switched off by `browser = \"none\"`.".to_owned()),
        Some(path) if path.is_file() => Ok(path.to_owned()),
        Some(path) => Err(format!("there is no `{}`, which the settings name.", path.display())),
        None => usual().find(|path| path.is_file()).map(Path::to_owned).ok_or_else(|| {
            "no Chromium was found; install one (Debian: `apt-get install chromium`) or name it with `[grants] browser`.".to_owned()
        }),
    }
}

fn usual() -> impl Iterator<Item = &'static Path> {
    let lines = PLACES.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Path::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_first_and_say_what_is_missing() {
        let check = |browser: &str, expected: &str| {
            let grants = Grants {
                browser: Some(browser.into()),
                ..Grants::default()
            };
            let found = chromium(&grants);
            let text = found.map_or_else(|why| why, |path| path.display().to_string());
            assert_eq!(text, expected);
        };
        check("/bin/sh", "/bin/sh");
        check(
            "/no/such",
            "there is no `/no/such`, which the settings name.",
        );
        check("none", "it is switched off by `browser = \"none\"`.");
        assert!(usual().count() > 5);
    }
}
