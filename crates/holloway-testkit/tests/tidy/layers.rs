//! Do the modules of the planner import in one direction? `layers.toml` has their order.

use serde::Deserialize;

use super::tree::{assert_none, read, texts};

const PLANNER: &str = "crates/holloway-planner/src/";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Layers {
    planner: Vec<String>,
}

fn layers() -> Vec<String> {
    let layers: Layers = toml::from_str(include_str!("layers.toml")).unwrap();
    layers.planner
}

#[test]
fn imports_go_in_one_direction() {
    let layers = layers();
    let mut breaches = Vec::new();
    for file in texts().iter().filter(|file| file.is_source()) {
        let inner = file.path.strip_prefix(PLANNER);
        if let Some(inner) = inner.filter(|inner| *inner != "lib.rs") {
            breaches.extend(upward(inner, file.production(), &layers));
        }
    }
    assert_none(
        &breaches,
        "Move what both need to the lower module, or the code that imports to the higher one. The \
         order of the modules is in tests/tidy/layers.toml.",
    );
}

#[test]
fn modules_are_listed_in_their_order() {
    let library = read(&format!("{PLANNER}lib.rs"));
    let lines = library.lines();
    let modules = lines.filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    assert_eq!(
        modules.collect::<Vec<_>>(),
        layers(),
        "{PLANNER}lib.rs and tests/tidy/layers.toml list other modules, or in another order"
    );
}

/// The imports of a file, by its path in `src`, from modules that come after its own.
fn upward(path: &str, code: &str, layers: &[String]) -> Vec<String> {
    let place = |module: &str| layers.iter().position(|layer| layer == module);
    let modules: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    let (Some(own), depth) = (place(modules[0]), modules.len()) else {
        return vec![format!("{path}: no layer has this module")];
    };
    let is_upward = |module: &String| place(module).is_none_or(|other| other > own);
    let imported = imported(code, depth).into_iter();
    imported
        .filter(is_upward)
        .map(|module| format!("{path}: imports from `{module}`"))
        .collect()
}

/// The modules of the crate that some code names, where its file stands this deep.
fn imported(code: &str, depth: usize) -> Vec<String> {
    let lines = code.lines();
    let code: Vec<&str> = lines
        .map(|line| line.split("//").next().unwrap_or_default().trim())
        .collect();
    let code = code.join(" ");
    let root = "super::".repeat(depth);
    let mut found = Vec::new();
    for start in ["crate::", root.as_str()] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            // "pub(in crate::read)" says who sees it; a longer path of `super` is another one's.
            let is_path = !before.ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c));
            if is_path && !before.ends_with("(in ") {
                found.extend(first_names(&code[at + start.len()..]));
            }
        }
    }
    found.retain(|name| name != "super");
    found
}

/// `a` of `a::b`, `a` and `b` of `{a::{c, d}, b}`.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| {
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        text.split(ends).next().unwrap_or_default().to_owned()
    };
    let Some(group) = rest.strip_prefix('{') else {
        return vec![name(rest)];
    };
    let (mut names, mut deep, mut from) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => deep += 1,
            ',' | '}' if deep == 0 => {
                names.push(name(group[from..at].trim()));
                from = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => deep -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn imports_are_seen() {
    let check = |code: &str, depth: usize, expected: &[&str]| {
        assert_eq!(imported(code, depth), expected, "{code}");
    };
    check("use crate::read::verbs::lead;", 1, &["read"]);
    check("use crate::{\n    a::{c, d},\n    b,\n};", 1, &["a", "b"]);
    check("let x = crate::frame::Frame::default();", 1, &["frame"]);
    check("use super::lexicon::List;", 1, &["lexicon"]);
    check("use super::lexicon::List;", 2, &[]);
    check("use super::super::bind::Source;", 2, &["bind"]);
    check("use super::super::bind::Source;", 1, &[]);
    check(
        "/// See [`crate::card`].\npub(in crate::read) fn f() {}",
        2,
        &[],
    );
    check("use other_crate::card; // crate::card", 1, &[]);
}

#[test]
fn an_import_from_a_higher_module_is_told() {
    let layers = ["low", "high"].map(str::to_owned);
    let check = |path: &str, code: &str, expected: &[&str]| {
        assert_eq!(upward(path, code, &layers), expected, "{path}");
    };
    let both = "use crate::low::A;\nuse crate::high::B;";
    check("high/a.rs", both, &[]);
    check("low.rs", both, &["low.rs: imports from `high`"]);
    check(
        "low/a.rs",
        "use crate::new::A;",
        &["low/a.rs: imports from `new`"],
    );
    check("new.rs", "", &["new.rs: no layer has this module"]);
}
