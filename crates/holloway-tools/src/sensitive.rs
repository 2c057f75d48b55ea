//! Which places hold keys, or are run or trusted by other programs? The list is data
//! (`data/sensitive.toml`); a path is compared part by part, in any case of letters.
//! Invariant: without a readable list every place is sensitive.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;

const LIST: &str = include_str!("../data/sensitive.toml");

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let list = toml::from_str(LIST).unwrap_or_else(|_| List::everything());
    Known::new(list)
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    places: Vec<Listed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    what: String,
    paths: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    readable: bool,
}

impl List {
    fn everything() -> Self {
        Self {
            places: vec![Listed {
                what: "the list of sensitive places is damaged".to_owned(),
                paths: vec!["*".to_owned()],
                except: Vec::new(),
                readable: false,
            }],
        }
    }
}

/// A sensitive place that a path leads to or into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sensitive {
    /// The place itself.
    pub(crate) place: PathBuf,
    /// What is there, such as "SSH keys and settings".
    pub(crate) what: &'static str,
    /// It is sensitive to be written, not to be read.
    pub(crate) is_readable: bool,
}

/// Every sensitive place that this path leads into. The path is whole and has no `..`.
pub(crate) fn places_of(path: &Path, home: Option<&Path>) -> Vec<Sensitive> {
    let home = home.filter(|home| path.starts_with(home));
    let home = home.map(|home| home.components().filter_map(name).count());
    let names: Vec<&str> = path.components().filter_map(name).collect();
    let parts: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut found: Vec<Sensitive> = Vec::new();
    for (start, part) in parts.iter().enumerate() {
        let rest = parts.get(start..).unwrap_or_default();
        for pattern in KNOWN.beginning(part) {
            let is_here = match pattern.anchor {
                Anchor::Anywhere => true,
                Anchor::Root => start == 0,
                Anchor::Home => home == Some(start),
            };
            if let Some(length) = pattern.fit(rest).filter(|_| is_here) {
                let place = path.components().take(1 + start + length).collect();
                found.push(pattern.at(place));
            }
        }
    }
    found
}

/// Where the sensitive places of a home folder lead that are links, or below one.
pub(crate) fn linked_from(home: &Path) -> Vec<Sensitive> {
    let plain = KNOWN.by_first.values().flatten();
    let plain = plain.filter(|pattern| pattern.anchor == Anchor::Anywhere);
    let plain = plain.filter(|pattern| !pattern.path.contains('*'));
    let leads = plain.filter_map(|pattern| {
        let named = home.join(&pattern.path);
        let place = named.canonicalize().ok()?;
        // Whoever links one to the home folder itself does not make all of it sensitive.
        let is_elsewhere = place != named && !home.starts_with(&place);
        is_elsewhere.then(|| pattern.at(place))
    });
    leads.collect()
}

/// A name that is no text still stands for one part.
fn name(component: Component<'_>) -> Option<&str> {
    match component {
        Component::Normal(name) => Some(name.to_str().unwrap_or("\u{fffd}")),
        _ => None,
    }
}

/// The list, ready to be looked up by the first part of a path.
struct Known {
    by_first: HashMap<String, Vec<Pattern>>,
    with_wildcard: Vec<Pattern>,
}

/// Where in a path a pattern may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Anywhere,
    Root,
    Home,
}

struct Pattern {
    anchor: Anchor,
    /// As it is listed.
    path: String,
    parts: Vec<String>,
    except: Vec<Vec<String>>,
    what: String,
    is_readable: bool,
}

impl Known {
    fn new(list: List) -> Self {
        let mut known = Self {
            by_first: HashMap::new(),
            with_wildcard: Vec::new(),
        };
        for listed in list.places {
            for path in &listed.paths {
                known.add(Pattern::new(path, &listed));
            }
        }
        known
    }

    fn add(&mut self, pattern: Pattern) {
        match pattern.parts.first() {
            Some(first) if !first.contains('*') => {
                self.by_first
                    .entry(first.clone())
                    .or_default()
                    .push(pattern);
            }
            _ => self.with_wildcard.push(pattern),
        }
    }

    fn beginning(&self, part: &str) -> impl Iterator<Item = &Pattern> {
        let exact = self.by_first.get(part).into_iter().flatten();
        exact.chain(&self.with_wildcard)
    }
}

impl Pattern {
    fn new(path: &str, listed: &Listed) -> Self {
        let (anchor, inner) = match (path.strip_prefix('/'), path.strip_prefix("~/")) {
            (Some(inner), _) => (Anchor::Root, inner),
            (_, Some(inner)) => (Anchor::Home, inner),
            _ => (Anchor::Anywhere, path),
        };
        Self {
            anchor,
            path: path.to_owned(),
            parts: parts_of(inner),
            except: listed.except.iter().map(|path| parts_of(path)).collect(),
            what: listed.what.clone(),
            is_readable: listed.readable,
        }
    }

    /// How many of these parts are the place, if they begin with it.
    fn fit(&self, parts: &[String]) -> Option<usize> {
        let is_excepted = self
            .except
            .iter()
            .any(|except| fit(except, parts).is_some());
        fit(&self.parts, parts).filter(|_| !is_excepted)
    }

    fn at(&'static self, place: PathBuf) -> Sensitive {
        Sensitive {
            place,
            what: &self.what,
            is_readable: self.is_readable,
        }
    }
}

fn parts_of(path: &str) -> Vec<String> {
    path.split('/').map(str::to_lowercase).collect()
}

/// How many parts a pattern takes, in which `**` stands for any number of them.
fn fit(pattern: &[String], parts: &[String]) -> Option<usize> {
    let Some((first, rest)) = pattern.split_first() else {
        return Some(0);
    };
    if first == "**" {
        let mut skips = 0..=parts.len();
        return skips.find_map(|skip| Some(skip + fit(rest, parts.get(skip..)?)?));
    }
    let (part, after) = parts.split_first()?;
    matches(first, part)
        .then(|| fit(rest, after))?
        .map(|length| length + 1)
}

/// Whether a part fits a pattern in which `*` stands for any letters.
fn matches(pattern: &str, part: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == part;
    };
    let Some(after) = part.strip_prefix(start) else {
        return false;
    };
    let cuts = after.char_indices().map(|(at, _)| at).chain([after.len()]);
    let mut tails = cuts.filter_map(|at| after.get(at..));
    tails.any(|tail| matches(rest, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: &str = "/u";

    fn found(path: &str) -> Vec<Sensitive> {
        places_of(Path::new(path), Some(Path::new(HOME)))
    }

    #[test]
    fn the_list_can_be_read_and_says_what_each_place_is() {
        let list: List = toml::from_str(LIST).unwrap();
        assert!(list.places.len() >= 20);
        for listed in list.places {
            let what = &listed.what;
            assert!(!what.is_empty() && !listed.paths.is_empty(), "{what}");
            for path in &listed.paths {
                let is_plain = !path.ends_with('/') && !path.contains("..") && path != "*";
                assert!(is_plain && !path.contains("//"), "{path}");
                // Whatever is listed is found, with something below it as well.
                let example = path.replace("**", "x/y").replace('*', "x");
                let example = match example.strip_prefix("~/") {
                    Some(inner) => Path::new(HOME).join(inner),
                    None => Path::new("/v").join(example),
                };
                for path in [example.clone(), example.join("below")] {
                    let found = places_of(&path, Some(Path::new(HOME)));
                    let mut found = found.iter().map(|found| found.what);
                    assert!(found.any(|found| found == what), "{}", path.display());
                }
            }
        }
    }

    #[test]
    fn a_place_is_found_at_any_depth_and_in_any_case() {
        let git = "settings and hooks of Git";
        let inside = "the inside of a repository";
        for (path, expected) in [
            ("/v/.ssh/id", vec![("/v/.ssh", "SSH keys and settings")]),
            ("/v/.SSH", vec![("/v/.SSH", "SSH keys and settings")]),
            (
                "/a/b/.git/hooks/x",
                vec![("/a/b/.git/hooks", git), ("/a/b/.git", inside)],
            ),
            (
                "/a/.git/modules/b/c/modules/d/config",
                vec![
                    ("/a/.git/modules/b/c/modules/d/config", git),
                    ("/a/.git", inside),
                ],
            ),
        ] {
            let found = found(path);
            let found = found.iter().map(|found| {
                let place = found.place.to_str().unwrap();
                (place, found.what)
            });
            let mut found: Vec<_> = found.collect();
            found.sort_by_key(|(place, _)| std::cmp::Reverse(place.len()));
            assert_eq!(found, expected, "{path}");
        }
        // What begins in the home folder does not count elsewhere.
        assert!(!found("/u/.somerc").is_empty() && found("/v/.somerc").is_empty());
        assert!(found("/u/work/.somerc").is_empty());
    }

    /// Paths of each group, one group a line: what may be read freely but is sensitive to write.
    const WRITTEN: &str = "
        .git .git/HEAD .git/commondir .git/worktrees/a/gitdir .git/objects/info/alternates .git/info/attributes
        .git/modules/a/HEAD a.git/packed-refs .hg/store .gitmodules .jj/repo
        .github/workflows/x.yml .github/CODEOWNERS .gitlab-ci.yml .pre-commit-config.yaml .husky/pre-push Jenkinsfile
        .bash_completion .oh-my-zsh/custom/a.zsh .tmux.conf .config/kitty/kitty.conf .config/sway/config
        .config/i3/config .config/alacritty/alacritty.toml .screenrc .xbindkeysrc
        .vim/plugin/a.vim .exrc .nvimrc .emacs .emacs.d/init.el .dir-locals.el .vscode/tasks.json .vscode/extensions.json
        .idea/workspace.xml .zed/tasks.json .devcontainer/devcontainer.json x.code-workspace
        usercustomize.py lib/sitecustomize.py venv/lib/python3/site-packages/a.pth .venv/bin/activate.fish
        env/bin/activate .ipython/profile_default/startup/a.py .jupyter/jupyter_server_config.py .gdbinit .lldbinit
        .psqlrc .sqliterc .Rprofile node_modules/.bin/tsc
        .mise.toml .tool-versions .bazelrc .yarn/releases/yarn.cjs .pnp.cjs .mvn/extensions.xml .cargo/bin/ls
        CLAUDE.md CLAUDE.local.md AGENTS.md .cursorrules .github/copilot-instructions.md .clinerules/a.md";

    /// The same for what may neither be read nor written.
    const KEPT: &str = "
        .git/config .git/modules/a/config .git/worktrees/a/config.worktree bare.git/hooks/update
        .env .env.prod .env.dev .env.bak .env.local .env.production.local .env-old .envrc prod.env .dev.vars .dev.vars.prod
        .npmrc .yarnrc .yarnrc.yml .pypirc .netrc .curlrc .wgetrc .docker/config.json .docker/contexts/a .kube/config
        .copilot/config .config/github-copilot/hosts.json terraform.tfstate prod.tfvars client.p12 server-key.pem
        .config/VSCodium/User/settings.json .config/Cursor/User/tasks.json .config/Windsurf/User/x .claude/settings.json
        .codex/config.toml .gemini/settings.json .cursor/mcp.json
        .psql_history .config/filezilla/sitemanager.xml .dbt/profiles.yml .config/uv/credentials/a .bitcoin/wallet.dat
        service-account.json client_secret_1.json id_ed25519.bak";

    #[test]
    fn what_programs_run_or_obey_is_sensitive_to_write_and_what_holds_keys_to_read_too() {
        for (paths, is_readable) in [(WRITTEN, true), (KEPT, false)] {
            for path in paths.split_whitespace() {
                let found = found(&format!("/v/work/{path}"));
                assert!(!found.is_empty(), "{path}");
                let all = found.iter().all(|found| found.is_readable);
                assert_eq!(all, is_readable, "{path}: {found:?}");
            }
        }
    }

    #[test]
    fn ordinary_files_are_not_sensitive() {
        for path in [
            "/",
            "/u",
            "/u/report.csv",
            "/u/ssh/notes.txt",
            "/u/work/src/main.rs",
            "/u/work/package.json",
            "/u/work/.gitignore",
            "/u/work/.prettierrc",
            "/u/work/.env.example",
            "/u/work/sample.env",
            "/u/work/model.pth",
            "/u/work/bin/tool",
            "/u/work/config",
            "/u/work/hooks/use.ts",
            "/u/proc/1/environ",
            "/u/etc/shadow",
            "/usr/src/notes.txt",
        ] {
            assert_eq!(found(path), [], "{path}");
        }
        for path in ["/etc/hostname", "/proc/meminfo"] {
            assert!(found(path).iter().all(|found| found.is_readable), "{path}");
        }
    }
}
