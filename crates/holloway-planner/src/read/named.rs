//! Which files, folders and tables does a request name? What is worth a look before it is read.

use holloway_search::words::each_word;

use super::model::shapes::Shapes;
use super::spelling::is_slip;
use super::tokens::{TokenKind, tokens};
use crate::frame::acts::Acts;
use crate::frame::scene::{Scene, ending, stem};

/// As many of each are looked at.
const PATHS: usize = 12;
const FOLDERS: usize = 3;
const TABLES: usize = 4;
/// Letters of a word that tells one file from others.
const TELLING: usize = 4;

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

/// Which files does a request speak of, whether or not it writes their names?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Their names, or all words of them, stand in the request.
    pub named: Vec<String>,
    /// It says "file" or "folder" in some language, or the ending of a file that is here.
    pub of_some: bool,
}

/// The files and folders that a request speaks of.
pub fn spoken(request: &str, scene: &Scene) -> Spoken {
    let said = words(request);
    let lower = request.to_lowercase();
    let has = |word: &String| said.iter().any(|said| said == word || is_slip(said, word));
    let is_spoken = |name: &&String| {
        let words = words(stem(name.trim_end_matches('/')));
        let telling = words.iter().any(|word| word.chars().count() >= TELLING);
        lower.contains(&name.to_lowercase()) || telling && words.iter().all(has)
    };
    let names = || {
        scene
            .files
            .iter()
            .map(|file| &file.name)
            .chain(&scene.folders)
    };
    let endings = || names().filter_map(|name| ending(name));
    let generic = |word: &String| Shapes::table().files.contains(word);
    // Scripts without blanks have their words inside others.
    let within = |word: &String| !word.is_ascii() && lower.contains(word.as_str());
    let some = said
        .iter()
        .any(|word| generic(word) || endings().any(|ending| ending == *word))
        || Shapes::table().files.iter().any(within);
    Spoken {
        named: names().filter(is_spoken).cloned().collect(),
        of_some: some && names().next().is_some(),
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
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
    fn files_are_spoken_of_in_many_ways() {
        let file = |name: &str| File {
            name: name.to_owned(),
            columns: Vec::new(),
        };
        let scene = Scene {
            files: ["open_orders.csv", "a.txt", "売上.xlsx"].map(file).to_vec(),
            ..Scene::default()
        };
        let check = |request: &str, named: &[&str], of_some: bool| {
            let found = spoken(request, &scene);
            assert_eq!(found.named, named, "{request}");
            assert_eq!(found.of_some, of_some, "{request}");
        };
        check(
            "How many open orders are there?",
            &["open_orders.csv"],
            false,
        );
        check("How many orders are there?", &[], false);
        check("What is in a.txt?", &["a.txt"], true);
        check("¿Qué hay en el archivo?", &[], true);
        check("売上.xlsx の合計", &["売上.xlsx"], true);
        check("このファイルには何が", &[], true);
        check("What is the capital of Norway?", &[], false);
        assert_eq!(spoken("which files?", &Scene::default()), Spoken::default());
    }

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
