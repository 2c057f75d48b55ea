//! Which thing is called what? "a branch called fix-login", "the repository octocat/site":
//! "in the downloads folder": names without quotes or capitals, with what they are names of.

use serde_json::json;

use super::EntityKind;
use super::{Found, web};
use crate::lexicon::lists::{List, Patterns};

static CALLED: Patterns = Patterns::named("entity_called.called");
/// Words that are no name although they follow.
static NO_NAMES: List = List::named("entity_called.no_names");

/// "the repository octocat/hello-world", "issue 12 in octocat/hello-world".
static REPOSITORY: Patterns = Patterns::named("entity_called.repository");
/// "the branch old-stuff": a thing and its name, which is no ordinary word.
static THING: Patterns = Patterns::named("entity_called.thing");
/// "in the downloads folder".
static FOLDER: Patterns = Patterns::named("entity_called.folder");
/// Words before "folder" that name none.
static NO_FOLDERS: List = List::named("entity_called.no_folders");

fn folders(found: &mut Found<'_>) {
    let text = found.text;
    for hit in FOLDER.iter().flat_map(|rule| rule.captures_iter(text)) {
        let Some(name) = hit.name("name") else {
            continue;
        };
        if !NO_FOLDERS.contains(&name.as_str().to_lowercase().as_str()) {
            let folder = Some("folder");
            found.add(EntityKind::Path, name.range(), json!(name.as_str()), folder);
        }
    }
}

pub(crate) fn find(found: &mut Found<'_>) {
    folders(found);
    for hit in REPOSITORY
        .iter()
        .flat_map(|rule| rule.captures_iter(found.text))
    {
        if let Some(name) = hit.name("name") {
            let label = Some("repository");
            found.add(EntityKind::Code, name.range(), json!(name.as_str()), label);
        }
    }
    for hit in THING.iter().flat_map(|rule| rule.captures_iter(found.text)) {
        if let (Some(thing), Some(name)) = (hit.name("thing"), hit.name("name")) {
            let label = format!("{} name", thing.as_str().to_lowercase());
            found.add(
                EntityKind::Name,
                name.range(),
                json!(name.as_str()),
                Some(&label),
            );
        }
    }
    let text = found.text;
    for hit in CALLED.iter().flat_map(|rule| rule.captures_iter(text)) {
        let (Some(thing), Some(name)) = (hit.name("thing"), hit.name("name")) else {
            continue;
        };
        let said = name.as_str();
        if NO_NAMES.contains(&said.to_lowercase().as_str()) || web::is_whole(said) {
            continue;
        }
        let what = hit.name("title").map_or("name", |_| "title");
        let label = format!("{} {what}", thing.as_str().to_lowercase());
        found.add(EntityKind::Name, name.range(), json!(said), Some(&label));
    }
}
