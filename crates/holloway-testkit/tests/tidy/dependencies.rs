//! Do dependencies point down only? plan ← engine ← flow ← store, sources and models ← the
//! binary; tools (below sources) stand on the engine and on what they compute with;
//! search, audit, data and report stand on nothing of ours, the planner on plan and search.

use toml::{Table, Value};

use super::tree::{assert_none, texts};

/// What each crate may stand on, among the crates of this repository.
fn may_use(package: &str) -> Option<&'static [&'static str]> {
    const ALL: &[&str] = &[
        "holloway-plan",
        "holloway-engine",
        "holloway-search",
        "holloway-planner",
        "holloway-flow",
        "holloway-store",
        "holloway-tools",
        "holloway-sources",
        "holloway-models",
    ];
    match package {
        "holloway-plan" | "holloway-search" | "holloway-audit" | "holloway-data"
        | "holloway-report" => Some(&[]),
        "holloway-engine" => Some(&["holloway-plan"]),
        "holloway-planner" => Some(&["holloway-plan", "holloway-search"]),
        "holloway-testkit" => Some(&["holloway-plan", "holloway-engine"]),
        "holloway-flow" => Some(&[
            "holloway-plan",
            "holloway-engine",
            "holloway-search",
            "holloway-planner",
        ]),
        "holloway-store" => Some(&["holloway-plan", "holloway-engine", "holloway-flow"]),
        // Services are reached as the built-in tools reach the web, with the same grants.
        "holloway-sources" => Some(&[
            "holloway-plan",
            "holloway-engine",
            "holloway-flow",
            "holloway-tools",
        ]),
        "holloway-tools" => Some(&[
            "holloway-plan",
            "holloway-engine",
            "holloway-audit",
            "holloway-data",
            "holloway-report",
        ]),
        // Drafts of a model are checked in its tests.
        "holloway-models" => Some(&[
            "holloway-plan",
            "holloway-engine",
            "holloway-planner",
            "holloway-flow",
        ]),
        "holloway" => Some(ALL),
        // Measures with the same fakes as the tests.
        "holloway-bench" => Some(&[
            "holloway-plan",
            "holloway-engine",
            "holloway-search",
            "holloway-planner",
            "holloway-flow",
            "holloway-store",
            "holloway-tools",
            "holloway-sources",
            "holloway-testkit",
        ]),
        _ => None,
    }
}

/// What the tests of a crate may stand on beside that.
fn may_test_with(package: &str, other: &str) -> bool {
    // Guarded sources are tested over the real catalogue.
    other == "holloway-testkit" || (package, other) == ("holloway-sources", "holloway-store")
}

#[test]
fn dependencies_point_down() {
    let mut breaches = Vec::new();
    for manifest in texts() {
        let is_crate = manifest.path.starts_with("crates/") && manifest.name() == "Cargo.toml";
        if is_crate {
            check(
                &manifest.path,
                &manifest.text.parse().unwrap(),
                &mut breaches,
            );
        }
    }
    assert_none(
        &breaches,
        "Move the code to a crate that may know the other, or turn the dependency round with a trait \
         (ARCHITECTURE.md, \"Boundaries\"). A new crate is entered in tests/tidy/dependencies.rs.",
    );
}

fn check(path: &str, manifest: &Table, breaches: &mut Vec<String>) {
    let package = manifest["package"]["name"].as_str().unwrap();
    let Some(allowed) = may_use(package) else {
        return breaches.push(format!("{path}: `{package}` is not known to this test"));
    };
    for (kind, dependencies) in dependency_tables(manifest) {
        for name in dependencies
            .keys()
            .filter(|name| name.starts_with("holloway"))
        {
            let in_tests = kind == "dev-dependencies" && may_test_with(package, name);
            if !allowed.contains(&name.as_str()) && !in_tests {
                breaches.push(format!("{path}: [{kind}] has `{name}`"));
            }
        }
    }
}

/// Tables of dependencies, those for one platform too.
fn dependency_tables(manifest: &Table) -> Vec<(&'static str, &Table)> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let platforms = manifest.get("target").and_then(Value::as_table);
    let platforms = platforms.into_iter().flatten();
    let mut places = vec![manifest];
    places.extend(platforms.filter_map(|(_, table)| table.as_table()));
    let mut tables = Vec::new();
    for place in places {
        for kind in KINDS {
            tables.extend(
                place
                    .get(kind)
                    .and_then(Value::as_table)
                    .map(|table| (kind, table)),
            );
        }
    }
    tables
}
