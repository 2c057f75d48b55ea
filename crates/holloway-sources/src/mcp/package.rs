//! Which package does a command run? Told from the command alone: the usual runners,
//! and paths into folders where packages are installed.

use holloway_flow::catalog::offer::{Package, Registry};

use super::McpConfig;

/// Runners of npm packages, with the words before the package.
const NPM: [(&str, &[&str]); 7] = [
    ("npx", &[]),
    ("bunx", &[]),
    ("bun", &["x"]),
    ("pnpm", &["dlx"]),
    ("pnpx", &[]),
    ("yarn", &["dlx"]),
    ("npm", &["exec"]),
];
const PYPI: [(&str, &[&str]); 4] = [
    ("uvx", &[]),
    ("uv", &["tool", "run"]),
    ("uv", &["x"]),
    ("pipx", &["run"]),
];
/// Flags that name the package themselves.
const NAMING: [&str; 4] = ["--package", "-p", "--from", "--spec"];
/// Flags of Python runners that are followed by something else.
const VALUED: [&str; 8] = [
    "--python",
    "--with",
    "--index",
    "--index-url",
    "--default-index",
    "--extra-index-url",
    "--pip-args",
    "--directory",
];

/// The package, where the command says.
pub fn package_of(config: &McpConfig) -> Option<Package> {
    if config.command.is_empty() {
        return None;
    }
    let mut words: Vec<&str> = vec![&config.command];
    words.extend(config.args.iter().map(String::as_str));
    of_words(&words)
}

fn of_words(words: &[&str]) -> Option<Package> {
    let (command, arguments) = words.split_first()?;
    let program = program_name(command);
    match (program, arguments) {
        ("cmd", [flag, rest @ ..]) if flag.eq_ignore_ascii_case("/c") => return of_words(rest),
        ("env", rest) => {
            let skip = rest.iter().take_while(|word| word.contains('=')).count();
            return of_words(rest.get(skip..)?);
        }
        _ => {}
    }
    for (runner, before) in NPM {
        if runner == program && arguments.starts_with(before) {
            return npm(&spec(arguments.get(before.len()..)?, false)?);
        }
    }
    for (runner, before) in PYPI {
        if runner == program && arguments.starts_with(before) {
            return pypi(&spec(arguments.get(before.len()..)?, true)?);
        }
    }
    if program.starts_with("python") || program == "py" {
        return of_python(arguments).or_else(|| installed(arguments.first()?));
    }
    if matches!(program, "node" | "bun" | "deno" | "tsx") {
        let script = arguments.iter().find(|word| !word.starts_with('-'))?;
        return installed(script);
    }
    installed(command)
}

/// The last part of a path, without what Windows adds.
fn program_name(command: &str) -> &str {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    name.strip_suffix(".exe")
        .or_else(|| name.strip_suffix(".cmd"))
        .unwrap_or(name)
}

/// The word that says which package.
fn spec(arguments: &[&str], python: bool) -> Option<String> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some((flag, value)) = word.split_once('=')
            && word.starts_with('-')
        {
            if NAMING.contains(&flag) {
                return Some(value.to_owned());
            }
            continue;
        }
        // `-p` is the version of Python there.
        if python && (VALUED.contains(word) || *word == "-p") {
            words.next();
        } else if NAMING.contains(word) {
            return words.next().map(|&value| value.to_owned());
        } else if !word.starts_with('-') {
            return Some((*word).to_owned());
        }
    }
    None
}

/// `name`, `name@1.2.3`, `@scope/name@1.2.3`.
fn npm(spec: &str) -> Option<Package> {
    let (scope, rest) = match spec.strip_prefix('@') {
        Some(scoped) => {
            let (scope, rest) = scoped.split_once('/')?;
            (format!("@{scope}/"), rest)
        }
        None => (String::new(), spec),
    };
    let (name, version) = rest.split_once('@').unwrap_or((rest, ""));
    let full = format!("{scope}{name}");
    // An address or a folder is no package of the registry.
    if name.is_empty()
        || full.contains([':', '\\', '$'])
        || name.contains('/')
        || name.starts_with('.')
    {
        return None;
    }
    Some(package(Registry::Npm, full, exact(version)))
}

/// `name`, `name==1.2`, `name@1.2`, `name[extra]==1.2`.
fn pypi(spec: &str) -> Option<Package> {
    if spec.contains([':', '/', '\\', '$']) || spec.starts_with('.') {
        return None;
    }
    let end = spec.find(['=', '@', '<', '>', '~', '!', '[', ';', ' ']);
    let (name, rest) = spec.split_at(end.unwrap_or(spec.len()));
    let rest = match rest.split_once(']') {
        Some((_, after)) => after,
        None => rest,
    };
    let version = rest.strip_prefix("==").or_else(|| rest.strip_prefix('@'));
    let name = name.to_lowercase().replace(['_', '.'], "-");
    (!name.is_empty()).then(|| package(Registry::Pypi, name, exact(version.unwrap_or_default())))
}

fn of_python(arguments: &[&str]) -> Option<Package> {
    let place = arguments.iter().position(|word| *word == "-m")?;
    let module = arguments.get(place + 1)?;
    pypi(module.split('.').next()?)
}

/// The package whose folder a path leads into.
fn installed(path: &str) -> Option<Package> {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    if let Some(place) = parts.iter().rposition(|part| *part == "node_modules") {
        let after = parts.get(place + 1..)?;
        return match after {
            [".bin", ..] => None,
            [scope, name, _, ..] if scope.starts_with('@') => npm(&format!("{scope}/{name}")),
            [name, _, ..] => npm(name),
            _ => None,
        };
    }
    let [before @ .., "bin" | "Scripts", file] = parts.as_slice() else {
        return None;
    };
    match before {
        // Tools that were installed one by one have a folder each.
        [.., "pipx", "venvs", name] | [.., "uv", "tools", name] => pypi(name),
        [.., folder] if folder.contains("venv") || folder.contains("virtualenv") => {
            pypi(program_name(file))
        }
        _ => None,
    }
}

/// A version, not a range and not a tag.
fn exact(version: &str) -> &str {
    let digits = version.starts_with(|first: char| first.is_ascii_digit());
    let plain = !version.contains(['*', 'x', ' ', '|', ',', '<', '>']);
    if digits && plain && version.contains('.') {
        version
    } else {
        ""
    }
}

fn package(registry: Registry, name: String, version: &str) -> Package {
    Package {
        registry,
        name,
        version: version.to_owned(),
        integrity: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let mut words = line.split(' ').map(str::to_owned);
        let config = McpConfig {
            command: words.next().unwrap_or_default(),
            args: words.collect(),
            ..McpConfig::default()
        };
        let found = package_of(&config).map_or_else(String::new, |package| {
            format!(
                "{:?} {} {}",
                package.registry, package.name, package.version
            )
        });
        assert_eq!(found.trim(), expected, "{line}");
    }

    #[test]
    fn npm_packages_are_recognised() {
        for (line, expected) in [
            ("npx -y @scope/server-git", "Npm @scope/server-git"),
            (
                "npx -y @scope/server-git@1.2.3 /data",
                "Npm @scope/server-git 1.2.3",
            ),
            ("npx tool@latest", "Npm tool"),
            ("npx tool@^1.2", "Npm tool"),
            ("npx --yes --package tool@2.0.1 tool-bin", "Npm tool 2.0.1"),
            ("npx --package=tool@2.0.1 tool-bin", "Npm tool 2.0.1"),
            ("npx -p tool -- tool-bin", "Npm tool"),
            ("/usr/bin/npx -y tool", "Npm tool"),
            ("npx.cmd -y tool", "Npm tool"),
            ("cmd /c npx -y tool", "Npm tool"),
            ("env A=1 npx -y tool", "Npm tool"),
            ("bunx tool", "Npm tool"),
            ("bun x tool", "Npm tool"),
            ("pnpm dlx tool@1.0.0", "Npm tool 1.0.0"),
            ("yarn dlx tool", "Npm tool"),
            ("npm exec -- tool", "Npm tool"),
            ("node /a/node_modules/@s/t/dist/index.js", "Npm @s/t"),
            ("node --flag /a/node_modules/t/bin/t.js", "Npm t"),
            ("/a/node_modules/t/bin/t", "Npm t"),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn python_packages_are_recognised() {
        for (line, expected) in [
            ("uvx mcp-server-time", "Pypi mcp-server-time"),
            ("uvx mcp_server_time==1.2", "Pypi mcp-server-time 1.2"),
            (
                "uvx mcp-server-time@1.2.0 --zone UTC",
                "Pypi mcp-server-time 1.2.0",
            ),
            ("uvx tool@latest", "Pypi tool"),
            ("uvx --from tool[cli]==3.1 run-tool", "Pypi tool 3.1"),
            ("uvx --python 3.12 tool", "Pypi tool"),
            ("uvx -p 3.12 tool>=2.0", "Pypi tool"),
            ("uv tool run tool", "Pypi tool"),
            ("pipx run --spec tool==1.0 thing", "Pypi tool 1.0"),
            (
                "python3 -m mcp_server_git --repository .",
                "Pypi mcp-server-git",
            ),
            ("/x/.venv/bin/python -m tool.server", "Pypi tool"),
            ("/x/.venv/bin/mcp-server-time", "Pypi mcp-server-time"),
            ("/x/.local/share/pipx/venvs/tool/bin/thing", "Pypi tool"),
            ("/x/.local/share/uv/tools/tool/bin/thing", "Pypi tool"),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn other_commands_run_no_package() {
        for line in [
            "docker run -i --rm mcp/git",
            "npx",
            "npx -y",
            "npx -y ./local",
            "npx https://host/x.tgz",
            "npx github:me/tool",
            "uvx --from git+https://host/x tool",
            "uv run server.py",
            "python server.py",
            "node server.js",
            "/a/node_modules/.bin/t",
            "/usr/bin/git-server",
            "go run .",
        ] {
            check(line, "");
        }
        assert_eq!(package_of(&McpConfig::default()), None);
    }
}
