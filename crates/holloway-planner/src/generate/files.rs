//! Which file is meant for a parameter? One that is read was named first; one that is
//! changed must be meant to be, or be the one that a step before has changed.

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::assembly::{Assembly, Node};
use super::said::Said;
use super::targets::{Deed, REMOVES, changeable, is_file};
use crate::bind::Source;
use crate::bind::shape::Kind;
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, terms};
use crate::request::deed::{Sorts, sorts_of_word};
use crate::request::{Entity, EntityKind};

/// Kinds of files that tools are called after.
const KINDS: [&str; 14] = [
    "csv", "tsv", "xlsx", "xls", "json", "jsonl", "pdf", "html", "md", "docx", "sqlite", "xml",
    "yaml", "svg",
];
impl Assembly<'_> {
    /// The file that the step's own clause names, where the tool could do without one.
    pub(super) fn try_own_file(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.role != Role::File {
            return false;
        }
        let entities = &self.ground.analysis.entities;
        let clause = node
            .capability
            .and_then(|at| self.ground.analysis.capabilities.get(at));
        let said = self.file(node.place, port).filter(|said| {
            let named = said.entities.first().and_then(|at| entities.get(*at));
            let own = clause.zip(named);
            own.is_some_and(|(clause, named)| clause.text.contains(&named.text))
        });
        let is_free = said
            .as_ref()
            .is_some_and(|said| !said.entities.iter().any(|at| self.is_taken(*at)));
        match said {
            Some(said) if is_free => self.take_said(node, port, said),
            _ => false,
        }
    }

    /// What a tool that changes something does to the file that a parameter names.
    pub(super) fn deed(&self, place: Place, port: &Port) -> Option<Deed> {
        const TAKEN: [&str; 5] = ["source", "src", "from", "origin", "original"];
        const MADE: [&str; 5] = ["output", "out", "target", "destination", "to"];
        let name = port.name.to_lowercase();
        // What is sent along or read stays as it is.
        let reads = self.is_called_reader(place);
        if !self.writes(place) || reads || name.contains("attach") || name.starts_with("input") {
            return None;
        }
        let is_any = |words: &[&str], terms: &[String]| {
            let mut stems = words.iter().map(|word| stem(word));
            stems.any(|stem| terms.contains(&stem))
        };
        let name = self.tool(place).map(|tool| terms(tool.id.name()));
        let converts = self.converts(place) && !is_any(&MADE, &port.terms);
        Some(match name.unwrap_or_default() {
            _ if is_any(&TAKEN, &port.terms) || converts => Deed::Takes,
            name if is_any(&REMOVES, &name) => Deed::Removes,
            _ => Deed::Writes,
        })
    }

    /// Whether a tool makes one kind of file of another and leaves that as it is.
    pub(super) fn converts(&self, place: Place) -> bool {
        let words = self.words_of_name(place);
        let first = words.first().map(|word| sorts_of_word(word));
        let is_converter = first.is_some_and(|sorts| sorts.is_only(Sorts::CONVERT));
        is_converter && words.iter().any(|word| word == "to")
    }

    /// Whether the files in a value may be given to a tool that changes what it is given.
    pub(super) fn may_touch(&self, place: Place, port: &Port, value: &Value) -> bool {
        let Some(deed) = self.deed(place, port) else {
            return true;
        };
        let entities = self.ground.analysis.entities.iter().enumerate();
        let is_named = |text: &str| match value {
            Value::String(own) => own == text,
            Value::Array(several) => several.iter().any(|own| own == text),
            _ => false,
        };
        let mut named = entities
            .filter(|(_, entity)| is_file(entity) && is_named(&entity.text))
            .peekable();
        if named.peek().is_none() {
            return true;
        }
        let may = changeable(self.ground.analysis, deed);
        named.all(|(at, _)| may.contains(&at))
    }

    /// What is read was named first; what is changed must be meant to be.
    pub(super) fn file(&self, place: Place, port: &Port) -> Option<Said> {
        let files = self.of_kind(&[EntityKind::Path, EntityKind::File]);
        let fitting: Vec<_> = files
            .iter()
            .filter(|(_, entity)| self.suits(place, entity))
            .collect();
        let free = || fitting.iter().filter(|(at, _)| !self.is_taken(*at));
        let target = |found: &&&(usize, &Entity)| self.is_target(found.1);
        let (at, entity) = if let Some(deed) = self.deed(place, port) {
            let may = changeable(self.ground.analysis, deed);
            // A folder that something is done in is not written over.
            let is_folder = |found: &&&(usize, &Entity)| {
                let name = found.1.text.rsplit('/').next().unwrap_or_default();
                deed == Deed::Writes && !name.contains('.') && found.1.text.contains('/')
            };
            let found = free()
                .rev()
                .find(|found| may.contains(&found.0) || is_folder(found));
            let found = found.map(|found| **found);
            found.or_else(|| self.same_file(&files, &may))
        } else {
            let source = free().find(|found| !target(found));
            let first = source.or(fitting.iter().find(|found| !target(found)));
            // What is yet to be written cannot be read.
            let any = files.first().filter(|found| !self.is_target(found.1));
            first.copied().or(any).copied()
        }?;
        let mut entities = vec![at];
        let value = match port.kind {
            Kind::List if self.deed(place, port).is_none() => {
                let sources = fitting.iter().filter(|found| !target(found));
                entities = sources.clone().map(|found| found.0).collect();
                sources.map(|found| json!(found.1.text)).collect()
            }
            Kind::List => json!([entity.text]),
            _ => json!(entity.text),
        };
        self.admits(place, port, &value).then_some(Said {
            entities,
            value,
            each: false,
            confidence: 0.9,
            reason: "the file in the request",
        })
    }

    /// The file that a step before has changed, for one that goes on with it.
    fn same_file<'e>(
        &self,
        files: &[(usize, &'e Entity)],
        may: &[usize],
    ) -> Option<(usize, &'e Entity)> {
        let last = self.nodes.last().filter(|node| self.writes(node.place))?;
        let goes_on = self
            .ground
            .deeds
            .iter()
            .skip(1)
            .any(|deed| deed.refers_back);
        let mut taken = last.bindings.iter().filter_map(|own| match own.source {
            Source::Request { entity, .. } => Some(entity),
            _ => None,
        });
        let same = taken.find_map(|at| files.iter().find(|file| file.0 == at));
        same.filter(|file| goes_on && may.contains(&file.0))
            .copied()
    }

    /// Whether a tool is for files of this kind, as far as names tell.
    pub(super) fn suits(&self, place: Place, file: &Entity) -> bool {
        let Some((_, extension)) = file.text.rsplit_once('.') else {
            return true;
        };
        let words = self.words_of_name(place);
        // "convert_to_pdf" takes what is no PDF yet.
        let into = words.iter().position(|word| word == "to");
        let taken = words.get(..into.unwrap_or(words.len())).unwrap_or_default();
        let made = self.is_target(file);
        let words = if made { &words } else { taken };
        let mut said = KINDS
            .iter()
            .filter(|kind| words.iter().any(|word| word == *kind));
        let extension = extension.to_lowercase();
        said.clone().next().is_none() || said.any(|kind| *kind == extension)
    }

    fn words_of_name(&self, place: Place) -> Vec<String> {
        let name = self.tool(place).map_or("", |tool| tool.id.name());
        let words = name.split(|letter: char| !letter.is_alphanumeric());
        words.map(str::to_lowercase).collect()
    }

    /// Whether a tool is called after files of this kind.
    pub(super) fn is_for(&self, place: Place, file: &Entity) -> bool {
        let extension = file.text.rsplit_once('.').map(|(_, extension)| extension);
        let words = self.words_of_name(place);
        extension.is_some_and(|extension| words.contains(&extension.to_lowercase()))
    }

    /// Whether a file is to be written: "save it to totals.csv".
    pub(super) fn is_target(&self, file: &Entity) -> bool {
        let before = self.ground.analysis.before(file);
        let last = before.split_whitespace().next_back();
        last.is_some_and(|word| ["to", "into", "as"].contains(&word.to_lowercase().as_str()))
    }

    /// Whether a tool is called so that it only reads, whatever its server says of it.
    pub(super) fn is_called_reader(&self, place: Place) -> bool {
        const READS: [&str; 14] = [
            "load", "read", "get", "list", "describe", "search", "show", "open", "extract", "view",
            "count", "validate", "inspect", "preview",
        ];
        let name = self.tool(place).map(|tool| terms(tool.id.name()));
        let first = name.and_then(|name| name.into_iter().next());
        first.is_some_and(|first| READS.iter().any(|word| stem(word) == first))
    }
}
