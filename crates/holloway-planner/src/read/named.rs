//! Which files, folders and tables does a request name? What is worth a look before it is read.

use super::tokens::{TokenKind, tokens};
use crate::frame::acts::Acts;
use crate::frame::scene::{Scene, ending};

/// As many of each are looked at.
const PATHS: usize = 12;
const FOLDERS: usize = 3;
const TABLES: usize = 4;

/// What a request writes like a path.
pub fn paths(request: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for token in tokens(request) {
        let is_path = match token.kind {
            TokenKind::File => true,
            TokenKind::Quoted => token.text.contains(['.', '/']),
            _ => false,
        };
        if is_path && !token.text.contains('*') && !paths.contains(&token.text) {
            paths.push(token.text);
        }
    }
    paths.truncate(PATHS);
    paths
}

/// The folders whose names stand in the request.
pub fn folders(request: &str, scene: &Scene) -> Vec<String> {
    let tokens = tokens(request);
    let names = |folder: &&String| {
        let mut words = tokens.iter().map(|token| token.text.trim_end_matches('/'));
        words.any(|word| word == folder.as_str())
    };
    scene
        .folders
        .iter()
        .filter(names)
        .take(FOLDERS)
        .cloned()
        .collect()
}

/// The tables whose names stand in the request.
pub fn tables(request: &str, scene: &Scene) -> Vec<String> {
    let request = request.to_lowercase();
    let is_named = |name: &str| request.contains(&name.to_lowercase());
    let names = scene.files.iter().map(|file| &file.name);
    let mut named: Vec<String> = names
        .filter(|name| is_table(name) && is_named(name))
        .cloned()
        .collect();
    // `sales report.csv` also ends like `report.csv`.
    let longer = named.clone();
    named.retain(|name| {
        let inside = |other: &String| other != name && other.contains(name.as_str());
        let alone = request.matches(&name.to_lowercase()).count();
        let within = longer.iter().filter(|other| inside(other)).count();
        alone > within
    });
    named.truncate(TABLES);
    named
}

fn is_table(name: &str) -> bool {
    let kind = Acts::table().kind_of_file(ending(name).as_deref());
    Acts::table().tables.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::scene::File;

    #[test]
    fn what_a_request_names_is_found_once() {
        let file = |name: &str| File {
            name: name.to_owned(),
            columns: Vec::new(),
        };
        let scene = Scene {
            files: ["report.csv", "sales report.csv", "notes.txt"]
                .map(file)
                .to_vec(),
            folders: vec!["logs".to_owned(), "old".to_owned()],
            ..Scene::default()
        };
        let request = "copy a/b.csv and 'a/b.csv' to logs/, then join Sales Report.csv";
        assert_eq!(paths(request), ["a/b.csv", "logs/", "Report.csv"]);
        assert_eq!(folders(request, &scene), ["logs"]);
        assert_eq!(tables(request, &scene), ["sales report.csv"]);
    }
}
