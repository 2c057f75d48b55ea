//! The sound plans in `examples/`, for the tests that look at all of them.
#![allow(dead_code)] // each test crate uses its own part

use std::path::{Path, PathBuf};

/// Folders with plans that are not sound, and with files that are no plans.
const OTHERS: [&str; 2] = ["examples/mistakes", "examples/tools"];

/// Every example as (name without ending, text), in the order of names.
pub(crate) fn all() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let name = |file: &PathBuf| {
        file.strip_prefix(&folder)
            .unwrap()
            .with_extension("")
            .display()
            .to_string()
    };
    files
        .iter()
        .map(|file| (name(file), std::fs::read_to_string(file).unwrap()))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|ending| ending.to_str()) {
            _ if OTHERS.iter().any(|other| path.ends_with(other)) => {}
            _ if path.is_dir() => collect(&path, files),
            Some("yaml" | "json") => files.push(path),
            _ => {}
        }
    }
}
