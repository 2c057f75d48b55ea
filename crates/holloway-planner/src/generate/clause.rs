//! What does its own clause say for a step? The subject after "about", the name after
//! "called", a repository as `owner/name`, and the zone that a city keeps its time by.

use serde_json::{Value, json};

use super::assembly::{Assembly, Node};
use super::inputs::Wish;
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::ports::{Port, Role};
use crate::request::deed::{Deed, Sorts};
use crate::request::zones::zone_of;
use crate::request::{Entity, EntityKind};

/// What is looked for stands after these.
const SUBJECTS: [&str; 5] = [" about ", " regarding ", " for ", " on ", " concerning "];
/// Names of parameters that say what is looked for.
const SOUGHT: [&str; 8] = [
    "query", "q", "keyword", "search", "topic", "term", "question", "prompt",
];

/// A value, the entity it comes from, and why.
type Given = (Value, Option<usize>, &'static str);

impl Assembly<'_> {
    /// The deed that a step is for.
    pub(super) fn deed_of(&self, node: &Node) -> Option<&Deed> {
        self.ground.deeds.get(node.capability?)
    }

    fn clause_of(&self, node: &Node) -> Option<&str> {
        let capabilities = &self.ground.analysis.capabilities;
        Some(capabilities.get(node.capability?)?.text.as_str())
    }

    /// Takes what the clause of the step says for a parameter that is needed.
    pub(super) fn try_clause(&mut self, node: &mut Node, port: &Port) -> bool {
        let found = self
            .repository(port)
            .or_else(|| self.zone(node, port))
            .or_else(|| self.unit(node, port))
            .or_else(|| self.end(node, port))
            .or_else(|| self.listed(node, port))
            .or_else(|| self.replaced(node, port))
            .or_else(|| self.sorted_by(node, port))
            .or_else(|| self.dated(port))
            .or_else(|| self.sought(node, port));
        let Some((value, entity, reason)) = found else {
            return false;
        };
        let shape = self.shape(node.place, port);
        if shape.is_some_and(|shape| !shape.admits(&value)) {
            return false;
        }
        let step = self.tool(node.place).map_or("", |tool| tool.id.name());
        let name = self.inputs.ask(Wish {
            name: &port.name,
            shape,
            default: Some(value.clone()),
            step,
        });
        node.arguments
            .insert(port.name.clone(), json!(format!("{{{{ input.{name} }}}}")));
        let source = match entity {
            Some(entity) => Source::Request { entity, value },
            None => Source::Words { place: 0..0, value },
        };
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source,
            confidence: 0.85,
            reason: reason.to_owned(),
        });
        true
    }

    /// `owner` and `repo` of "octocat/hello-world".
    fn repository(&self, port: &Port) -> Option<Given> {
        let last = port.terms.last()?.as_str();
        let owner = matches!(last, "owner" | "org" | "organization");
        let name = matches!(last, "repo" | "repository") && port.kind == Kind::Text;
        if !owner && !name {
            return None;
        }
        let mut entities = self.ground.analysis.entities.iter().enumerate();
        let (at, (left, right)) =
            entities.find_map(|(at, entity)| Some((at, owner_and_name(entity)?)))?;
        let value = if owner { left } else { right };
        Some((json!(value), Some(at), "the repository in the request"))
    }

    /// The zones of the cities, the one that the time is given for last.
    fn zone(&self, node: &Node, port: &Port) -> Option<Given> {
        let name = port.name.to_lowercase();
        if port.kind != Kind::Text || !name.replace(['_', '-'], "").ends_with("timezone") {
            return None;
        }
        let entities = &self.ground.analysis.entities;
        let zones: Vec<(usize, &str)> = entities
            .iter()
            .enumerate()
            .filter(|(_, entity)| entity.kind == EntityKind::Name)
            .filter_map(|(at, entity)| Some((at, zone_of(&entity.text)?)))
            .collect();
        let time = entities
            .iter()
            .find(|entity| entity.kind == EntityKind::Time);
        // "when it is 9:00 in Oslo": the city that stands with the time.
        let with_time = time.and_then(|time| {
            let after = |(at, _): &&(usize, &str)| {
                let place = entities.get(*at).map_or(0, |entity| entity.place.start);
                place > time.place.start
            };
            zones.iter().find(after).or(zones.last())
        });
        let says = |word: &str| name.starts_with(word);
        let taken = |at: usize| {
            node.bindings
                .iter()
                .any(|own| matches!(own.source, Source::Request { entity, .. } if entity == at))
        };
        let from = says("source") || says("from") || says("origin");
        let into = says("target") || says("to") || says("destination");
        let chosen = match (from, into) {
            (true, _) => with_time.or(zones.first()),
            (_, true) => {
                let other = |zone: &&(usize, &str)| with_time.is_none_or(|own| own != *zone);
                zones.iter().find(other)
            }
            _ => zones.iter().find(|(at, _)| !taken(*at)),
        };
        let (at, zone) = chosen.copied()?;
        Some((json!(zone), Some(at), "the zone of the city in the request"))
    }

    /// The unit of the quantity, and the one that it is to be turned into.
    fn unit(&self, node: &Node, port: &Port) -> Option<Given> {
        let last = port.terms.last()?.as_str();
        if port.kind != Kind::Text || last != "unit" {
            return None;
        }
        let name = port.name.to_lowercase();
        let into = ["to", "target", "into", "output"]
            .iter()
            .any(|lead| name.starts_with(lead));
        let entities = self.ground.analysis.entities.iter().enumerate();
        let mut with_unit = entities
            .filter(|(_, entity)| matches!(entity.kind, EntityKind::Quantity | EntityKind::Number));
        let (at, said) = if into {
            let deed = self.deed_of(node)?;
            let word = deed.after(&["to", "into", "in"]).last()?.to_owned();
            (None, word)
        } else {
            with_unit.find_map(|(at, entity)| Some((Some(at), entity.label.clone()?)))?
        };
        let shape = self.shape(node.place, port);
        let choices = shape.map(Shape::choices).unwrap_or_default();
        let alike = |choice: &&Value| {
            let text = choice.as_str().unwrap_or_default().to_lowercase();
            !text.is_empty() && (said.starts_with(&text) || text.starts_with(&said))
        };
        let value = if choices.is_empty() {
            json!(said)
        } else {
            choices.into_iter().find(alike)?.clone()
        };
        Some((value, at, "the unit in the request"))
    }

    /// "from fix-login to main": one end and the other.
    fn end(&self, node: &Node, port: &Port) -> Option<Given> {
        const FROM: [&str; 4] = ["head", "source", "from", "origin"];
        const INTO: [&str; 5] = ["base", "target", "destination", "to", "into"];
        if port.kind != Kind::Text || port.role != Role::Other {
            return None;
        }
        let name = port.name.to_lowercase();
        let first = name.split(['_', '-']).next().unwrap_or_default();
        let deed = self.deed_of(node)?;
        let only = |leads: &[&str]| {
            let mut beside = deed.beside.iter();
            let words = beside.find(|beside| leads.contains(&beside.lead.as_str()))?;
            words
                .words
                .first()
                .filter(|_| words.words.len() == 1)
                .cloned()
        };
        let (from, into) = (only(&["from"])?, only(&["to", "into"])?);
        let value = match () {
            () if FROM.contains(&first) => from,
            () if INTO.contains(&first) => into,
            () => return None,
        };
        Some((json!(value), None, "where it goes from and to"))
    }

    /// "replace "foo" with "bar"": what goes and what comes.
    fn replaced(&self, node: &Node, port: &Port) -> Option<Given> {
        const GOES: [&str; 6] = ["find", "search", "old", "from", "original", "pattern"];
        const COMES: [&str; 4] = ["replace", "replacement", "new", "with"];
        let is = |words: &[&str]| {
            let stems = words.iter().map(|word| holloway_search::words::stem(word));
            stems
                .into_iter()
                .any(|stem| port.terms.first() == Some(&stem))
        };
        let place = match () {
            () if self.deed_of(node)?.verb != "replace" || port.kind != Kind::Text => return None,
            () if is(&GOES) => 0,
            () if is(&COMES) => 1,
            () => return None,
        };
        let clause = self.clause_of(node)?;
        let entities = self.ground.analysis.entities.iter().enumerate();
        let mut quoted = entities.filter(|(_, entity)| {
            entity.kind == EntityKind::Quoted && clause.contains(&entity.text)
        });
        let (at, entity) = quoted.nth(place)?;
        Some((entity.value.clone(), Some(at), "what is replaced by what"))
    }

    /// "sort it by price": the column.
    fn sorted_by(&self, node: &Node, port: &Port) -> Option<Given> {
        const ORDER: [&str; 6] = [
            "descending",
            "ascending",
            "desc",
            "asc",
            "order",
            "alphabetically",
        ];
        let deed = self.deed_of(node).filter(|deed| deed.verb == "sort")?;
        let is_column = port.terms.last().is_some_and(|last| last == "column");
        let by = deed.after(&["by"]).filter(|word| !ORDER.contains(word));
        let by: Vec<&str> = by.collect();
        let value = match port.kind {
            _ if !is_column || by.is_empty() => return None,
            Kind::List => json!([by.join(" ")]),
            Kind::Text => json!(by.join(" ")),
            _ => return None,
        };
        Some((value, None, "what it is sorted by"))
    }

    /// Files for a list of things that are each described by where they are.
    fn listed(&self, node: &Node, port: &Port) -> Option<Given> {
        const WHERE: [&str; 5] = ["path", "file_path", "filepath", "filename", "file"];
        if port.kind != Kind::List || !port.required || !port.structured {
            return None;
        }
        let items = self.shape(node.place, port)?.list_items().flatten()?;
        let field = WHERE.iter().find(|name| items.field(name).is_some())?;
        let clause = self.clause_of(node)?;
        let entities = self.ground.analysis.entities.iter().enumerate();
        let files: Vec<(usize, &Entity)> = entities
            .filter(|(_, entity)| super::targets::is_file(entity) && clause.contains(&entity.text))
            .collect();
        let first = files.first()?.0;
        let files = files.iter().map(|(_, file)| json!({ *field: file.text }));
        Some((files.collect(), Some(first), "the files in the request"))
    }

    /// The only day that is named, also where the tool could do without.
    fn dated(&self, port: &Port) -> Option<Given> {
        let is_date = port.terms.last().is_some_and(|last| last == "date") && port.terms.len() == 1;
        let entities = self.ground.analysis.entities.iter().enumerate();
        let mut days = entities.filter(|(_, entity)| entity.kind == EntityKind::Date);
        match (is_date && port.kind == Kind::Text, days.next(), days.next()) {
            (true, Some((at, day)), None) => {
                Some((day.value.clone(), Some(at), "the date in the request"))
            }
            _ => None,
        }
    }

    /// What a clause that looks for something looks for.
    fn sought(&self, node: &Node, port: &Port) -> Option<Given> {
        let last = port.terms.last()?.as_str();
        let is_sought = port.kind == Kind::Text && SOUGHT.contains(&last);
        let deed = self.deed_of(node)?;
        if !is_sought || !deed.sorts.meets(Sorts::LOOK) || self.is_code(node, port) {
            return None;
        }
        let subject = subject(self.clause_of(node)?)?;
        Some((json!(subject), None, "what the request looks for"))
    }

    /// Whether a parameter takes statements of a language, not words.
    fn is_code(&self, node: &Node, port: &Port) -> bool {
        let shape = self.shape(node.place, port);
        let about = shape
            .map_or("", |shape| shape.text("description"))
            .to_lowercase();
        let tool = self.tool(node.place);
        let tool = tool.map_or_else(String::new, |tool| {
            format!("{} {}", tool.id.as_str(), tool.description).to_lowercase()
        });
        let words = ["sql", "select ", "regex", "jql", "graphql", "duckdb"];
        words
            .iter()
            .any(|word| about.contains(word) || tool.contains(word))
    }

    /// What a thing is called that its clause says something about.
    pub(super) fn heading(&self, node: &Node) -> Option<String> {
        let several = self.ground.analysis.capabilities.len() > 1;
        let clause = self.clause_of(node)?;
        let about = [" about ", " regarding ", " titled ", " called "]
            .iter()
            .find_map(|lead| Some(clause.split_once(lead)?.1));
        let about = about.filter(|_| several || clause.len() > 30)?;
        let about = without_article(about.trim());
        let mut letters = about.chars();
        let first: String = letters.next()?.to_uppercase().collect();
        Some(format!("{first}{}", letters.as_str()))
    }
}

/// The two halves of `octocat/hello-world`.
pub(super) fn owner_and_name(entity: &Entity) -> Option<(&str, &str)> {
    if !matches!(
        entity.kind,
        EntityKind::Path | EntityKind::File | EntityKind::Code | EntityKind::Url
    ) {
        return None;
    }
    let text = entity.text.as_str();
    let text = text.strip_prefix("https://github.com/").unwrap_or(text);
    let (owner, name) = text.split_once('/')?;
    let plain = |part: &str| {
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        !part.is_empty() && !part.starts_with('.') && part.chars().all(letters)
    };
    (plain(owner) && plain(name)).then_some((owner, name))
}

/// What stands after the first word that leads to it.
fn subject(clause: &str) -> Option<String> {
    let lower = clause.to_lowercase();
    // Lower case may take another number of bytes.
    let clause = if lower.len() == clause.len() {
        clause
    } else {
        &lower
    };
    let found = SUBJECTS
        .iter()
        .filter_map(|lead| Some(lower.find(lead)? + lead.len()))
        .min()?;
    let said = without_article(clause.get(found..)?.trim());
    (!said.is_empty()).then(|| said.to_owned())
}

fn without_article(text: &str) -> &str {
    let articles = ["the ", "a ", "an ", "my ", "our "];
    let found = articles.iter().find_map(|article| {
        let start = text.get(..article.len())?;
        start.eq_ignore_ascii_case(article).then_some(article.len())
    });
    text.get(found.unwrap_or(0)..).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_stands_after_its_lead() {
        let check = |clause: &str, expected: Option<&str>| {
            assert_eq!(subject(clause).as_deref(), expected, "{clause}");
        };
        check("find papers about Retrieval", Some("Retrieval"));
        check(
            "search the web for the best trails on foot",
            Some("best trails on foot"),
        );
        check("find papers", None);
    }

    #[test]
    fn repositories_have_two_halves() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let entity = Entity {
                kind: EntityKind::Path,
                text: text.to_owned(),
                value: json!(text),
                place: 0..text.len(),
                label: None,
            };
            assert_eq!(owner_and_name(&entity), expected, "{text}");
        };
        check("octocat/hello-world", Some(("octocat", "hello-world")));
        check(
            "https://github.com/octocat/hello.js",
            Some(("octocat", "hello.js")),
        );
        check("./notes/a.txt", None);
        check("a/b/c", None);
    }
}
