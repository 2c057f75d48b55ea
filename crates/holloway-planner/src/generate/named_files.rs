//! Which of the files that a step's clause names goes to which of its parameters? By the kind
//! of file that the parameter or its server is for, by whether it is read or made, and by what
//! the step before has made.

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::assembly::{Assembly, Node, Part};
use super::said::Said;
use super::targets::{Mark, marks};
use crate::bind::Source;
use crate::bind::shape::Kind;
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, terms};
use crate::request::parts::{part_at, parts};

/// Words for kinds of files, and how such files end.
const FAMILIES: [(&[&str], &[&str]); 12] = [
    (
        &["excel", "xlsx", "workbook", "spreadsheet"],
        &["xlsx", "xls", "xlsm", "ods"],
    ),
    (&["csv", "tsv"], &["csv", "tsv"]),
    (&["word", "docx"], &["docx", "doc"]),
    (&["powerpoint", "pptx", "presentation"], &["pptx", "ppt"]),
    (&["pdf", "pdfs"], &["pdf"]),
    (
        &["image", "images", "picture", "pictures", "photo", "logo"],
        &["png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "tiff"],
    ),
    (&["json"], &["json", "jsonl"]),
    (&["sqlite"], &["db", "sqlite", "sqlite3"]),
    (&["markdown", "md"], &["md"]),
    (&["html"], &["html", "htm"]),
    (&["notebook", "ipynb"], &["ipynb"]),
    (&["parquet"], &["parquet"]),
];
const MADE: [&str; 9] = [
    "output",
    "out",
    "target",
    "destination",
    "dest",
    "dst",
    "to",
    "new",
    "save",
];
const FOLDERS: [&str; 5] = ["dir", "directory", "folder", "workdir", "cwd"];
/// How tools are called that make the file that they are given.
const MAKES: [&str; 7] = [
    "create", "write", "save", "export", "new", "generate", "make",
];

/// A file of the request, as a step sees it.
#[derive(Clone, Copy)]
struct Seen {
    at: usize,
    mark: Mark,
    own: bool,
}

impl Assembly<'_> {
    /// Takes the file that is meant for a parameter, where the clause and the kinds tell.
    pub(super) fn try_named_file(&mut self, node: &mut Node, port: &Port) -> bool {
        let last = port.terms.last();
        let is_folder = last.is_some_and(|last| FOLDERS.iter().any(|word| stem(word) == *last));
        let takes_place = port.role == Role::File || is_folder;
        let fits = matches!(port.kind, Kind::Text | Kind::List);
        if node.part != Part::Core || !takes_place || !fits {
            return false;
        }
        let said = self.named_file(node, port, is_folder);
        said.is_some_and(|said| self.take_said(node, port, said))
    }

    /// The same for a parameter that the call could do without: only where something is made.
    pub(super) fn try_made_file(&mut self, node: &mut Node, port: &Port) -> bool {
        let is_folder = is_any(&FOLDERS, &port.terms);
        let makes = port.role == Role::File && self.is_made(node.place, port);
        (is_folder || makes) && self.try_named_file(node, port)
    }

    /// Takes the place that a step of the same server was given, where both have a
    /// parameter of the same name: they work on the same thing.
    pub(super) fn try_same_place(&mut self, node: &mut Node, port: &Port) -> bool {
        if node.part != Part::Core || port.role != Role::File {
            return false;
        }
        let source = |place: Place| self.tool(place).map(|tool| tool.id.source());
        let own = source(node.place);
        let entities = &self.ground.analysis.entities;
        let is_folder = |at: usize| {
            let text = entities.get(at).map_or("", |entity| entity.text.as_str());
            !text.rsplit('/').next().unwrap_or_default().contains('.')
        };
        let same = self
            .nodes
            .iter()
            .rev()
            .filter(|other| source(other.place) == own);
        let mut bindings = same.flat_map(|other| &other.bindings);
        let same = bindings.find_map(|binding| match &binding.source {
            Source::Request { entity, value }
                if binding.parameter == port.name && is_folder(*entity) =>
            {
                Some((*entity, value.clone()))
            }
            _ => None,
        });
        let Some((entity, value)) = same else {
            return false;
        };
        let said = Said {
            entities: vec![entity],
            value,
            each: false,
            confidence: 0.8,
            reason: "where the step before works",
        };
        self.take_said(node, port, said)
    }

    /// The one file of this kind that is to be made, as the request names it.
    pub(super) fn target_called(&mut self, ending: &str) -> Option<String> {
        let analysis = self.ground.analysis;
        let ending = format!(".{ending}");
        let marks = marks(analysis).into_iter();
        let mut targets = marks.filter_map(|(at, mark)| {
            let file = analysis.entities.get(at)?;
            let called = file
                .label
                .as_deref()
                .is_some_and(|own| own.ends_with("name"));
            let is_made = mark == Mark::Target || mark == Mark::Plain && (called || self.is_in(at));
            let fits = is_made && file.text.to_lowercase().ends_with(&ending);
            fits.then(|| (at, file.text.clone()))
        });
        let (at, path) = targets.next()?;
        self.reserved.insert(at);
        Some(path)
    }

    /// Whether something is to be in a file: "as a line chart in temps.svg".
    fn is_in(&self, at: usize) -> bool {
        let analysis = self.ground.analysis;
        let file = analysis.entities.get(at);
        file.is_some_and(|file| analysis.before(file).trim_end().ends_with(" in"))
    }

    /// Leaves out what would write over a file that the request only reads from. Gives the
    /// capabilities that are not served then.
    pub(super) fn spare_sources(&mut self) -> Vec<Option<usize>> {
        let marks = marks(self.ground.analysis);
        let entities = &self.ground.analysis.entities;
        let text = |at: usize| entities.get(at).map(|file| file.text.as_str());
        let only_read = |at: usize| {
            let same = marks.iter().filter(|(other, _)| text(*other) == text(at));
            let mut same = same.map(|(_, mark)| *mark).peekable();
            same.peek().is_some() && same.all(|mark| mark == Mark::Source)
        };
        let taken = |node: &Node| -> Vec<usize> {
            let bindings = node.bindings.iter();
            let taken = bindings.filter_map(|own| match own.source {
                Source::Request { entity, .. } => Some(entity),
                _ => None,
            });
            taken.collect()
        };
        let is_read = |at: usize| {
            let mut readers = self.nodes.iter().filter(|node| !self.writes(node.place));
            readers.any(|node| taken(node).iter().any(|other| text(*other) == text(at)))
        };
        // Nor does anybody ask for a file to be written over with what stands in it.
        let is_own = |node: &Node, at: usize| {
            let mut bindings = node.bindings.iter();
            let meant = marks.iter();
            let mut meant = meant.filter(|(other, _)| text(*other) == text(at));
            let is_target = meant.any(|(_, mark)| *mark == Mark::Target);
            !is_target
                && bindings.any(|own| match &own.source {
                    Source::Earlier { step, .. } => self.nodes.iter().any(|maker| {
                        let reads = maker.id == *step && !self.writes(maker.place);
                        reads && taken(maker).iter().any(|other| text(*other) == text(at))
                    }),
                    _ => false,
                })
        };
        let is_wrong = |node: &Node| {
            let mut files = taken(node).into_iter();
            let is_written = |at| only_read(at) && is_read(at) || is_own(node, at);
            self.is_writer(node.place) && files.any(is_written)
        };
        let wrong: Vec<String> = self
            .nodes
            .iter()
            .filter(|node| is_wrong(node))
            .map(|node| node.id.clone())
            .collect();
        let (gone, kept) = std::mem::take(&mut self.nodes)
            .into_iter()
            .partition(|node| wrong.contains(&node.id));
        self.nodes = kept;
        let gone: Vec<Node> = gone;
        gone.into_iter().map(|node| node.capability).collect()
    }

    fn named_file(&self, node: &Node, port: &Port, is_folder: bool) -> Option<Said> {
        let kinds = self.kinds_of_port(node.place, port);
        let is_made = self.is_made(node.place, port);
        let seen = self.seen(node, &kinds, is_folder);
        let is_beside = is_folder && self.has_file_port(node.place, port);
        let chosen = if is_made || is_beside {
            self.made_file(node, &seen, is_folder)
        } else {
            // What could be any file is left to the rules that look at what may be changed.
            let deed = self.deed(node.place, port);
            let is_open = kinds.is_empty() && !is_folder;
            if is_open && deed.is_some() {
                return None;
            }
            self.read_files(node, port, &seen)
        };
        let entities = &self.ground.analysis.entities;
        let texts: Vec<&str> = chosen
            .iter()
            .filter_map(|at| Some(entities.get(*at)?.text.as_str()))
            .collect();
        let value: Value = match (port.kind, texts.as_slice()) {
            (_, []) => return None,
            (Kind::List, texts) => json!(texts),
            (_, [first, ..]) => json!(first),
        };
        self.admits(node.place, port, &value).then_some(Said {
            entities: chosen,
            value,
            each: false,
            confidence: 0.9,
            reason: "the file in the request",
        })
    }

    /// The files that a parameter could take, those to be left alone apart.
    fn seen(&self, node: &Node, kinds: &[&str], is_folder: bool) -> Vec<Seen> {
        let analysis = self.ground.analysis;
        let parts = parts(&analysis.request);
        let clause = self.clause(node);
        // What stands between two things that are asked for belongs to the first.
        let asked = |clause: usize| {
            let clauses = analysis
                .capabilities
                .iter()
                .map(|capability| capability.clause);
            let first = clauses.clone().min().unwrap_or(0);
            clauses.filter(|own| *own <= clause).max().unwrap_or(first)
        };
        let mut seen: Vec<Seen> = Vec::new();
        let mut before: Option<(usize, usize)> = None;
        for (at, mark) in marks(analysis) {
            let Some(entity) = analysis.entities.get(at) else {
                continue;
            };
            let name = entity.text.rsplit('/').next().unwrap_or_default();
            let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
            let ending = ending.map(|(_, ending)| ending.to_lowercase());
            let fits = match &ending {
                None => is_folder,
                Some(_) if is_folder => false,
                Some(ending) => kinds.is_empty() || kinds.contains(&ending.as_str()),
            };
            // "a.pdf, b.pdf and c.pdf" are spoken of together.
            let joined = before.filter(|(end, _)| {
                let between = analysis.request.get(*end..entity.place.start);
                between.is_some_and(|text| {
                    matches!(text.trim(), "," | "and" | ", and" | "or" | "&" | "+")
                })
            });
            let part = joined.map_or_else(
                || asked(part_at(&parts, entity.place.start)),
                |(_, part)| part,
            );
            before = Some((entity.place.end, part));
            if mark != Mark::Kept && fits {
                let own = clause.is_none_or(|clause| part == clause);
                seen.push(Seen { at, mark, own });
            }
        }
        seen
    }

    /// What the step is to make.
    fn made_file(&self, node: &Node, seen: &[Seen], is_folder: bool) -> Vec<usize> {
        let is_free = |file: &&Seen| !takes(node, file.at);
        let targets = || {
            seen.iter()
                .filter(is_free)
                .filter(|file| file.mark == Mark::Target)
        };
        let own_target = targets().rfind(|file| file.own);
        let plain = || {
            let mut plain = seen
                .iter()
                .filter(is_free)
                .filter(|file| file.own && file.mark == Mark::Plain);
            plain.next_back().filter(|_| plain.next_back().is_none())
        };
        let elsewhere = || {
            let mut free = targets().filter(|file| !self.is_taken(file.at));
            free.next().filter(|_| free.next().is_none())
        };
        let folder = || {
            let mut free = seen.iter().filter(is_free).filter(|_| is_folder);
            free.next().filter(|_| free.next().is_none())
        };
        // "under the same name" is the file that was worked on.
        let same = || {
            let request = self.ground.analysis.request.to_lowercase();
            let says_same = ["same name", "same file", "in place"]
                .iter()
                .any(|said| request.contains(said));
            let before = self.file_before(seen).filter(|_| says_same)?;
            seen.iter().find(|file| file.at == before)
        };
        let chosen = own_target
            .or_else(plain)
            .or_else(elsewhere)
            .or_else(folder)
            .or_else(same);
        chosen.map(|file| file.at).into_iter().collect()
    }

    /// What the step works on.
    fn read_files(&self, node: &Node, port: &Port, seen: &[Seen]) -> Vec<usize> {
        let makes_other = self.has_made_port(node.place, port);
        let may_read =
            |file: &&Seen| !(takes(node, file.at) || makes_other && file.mark == Mark::Target);
        let own: Vec<usize> = seen
            .iter()
            .filter(may_read)
            .filter(|file| file.own)
            .map(|file| file.at)
            .collect();
        let refers_back = self.deed_of(node).is_some_and(|deed| deed.refers_back);
        let before = self.file_before(seen);
        if port.kind == Kind::List {
            let goes_on = before.filter(|before| refers_back && !own.contains(before));
            return goes_on.into_iter().chain(own).collect();
        }
        let first = match (own.as_slice(), before) {
            // "lock it (locked.pdf)": the one that is named is to be made.
            ([only], Some(before)) if refers_back && makes_other && *only != before => Some(before),
            // "it" is what was made before, unless the clause names it anew.
            ([], Some(before)) => Some(before),
            ([first, ..], _) => Some(*first),
            ([], None) => {
                let mut others = seen.iter().filter(may_read).map(|file| file.at);
                let texts = |at: &usize| {
                    self.ground
                        .analysis
                        .entities
                        .get(*at)
                        .map(|file| file.text.clone())
                };
                let first = others.next();
                first.filter(|first| others.all(|other| texts(&other) == texts(first)))
            }
        };
        first.into_iter().collect()
    }

    /// The file that a step before has made, or else worked on.
    fn file_before(&self, seen: &[Seen]) -> Option<usize> {
        self.nodes.iter().rev().find_map(|node| {
            let taken = node.bindings.iter().filter_map(|own| match own.source {
                Source::Request { entity, .. } => Some((own.parameter.as_str(), entity)),
                _ => None,
            });
            let taken = taken.filter(|(_, at)| seen.iter().any(|file| file.at == *at));
            let made = |(name, _): &(&str, usize)| is_any(&MADE, &terms(name));
            let taken: Vec<(&str, usize)> = taken.collect();
            let made = taken.iter().find(|one| made(one));
            made.or(taken.first()).map(|(_, at)| *at)
        })
    }

    /// Whether a parameter says where something is to be made.
    fn is_made(&self, place: Place, port: &Port) -> bool {
        if is_any(&MADE, &port.terms) {
            return true;
        }
        let name = self
            .tool(place)
            .map(|tool| terms(tool.id.name()))
            .unwrap_or_default();
        let makes = name
            .first()
            .is_some_and(|first| MAKES.iter().any(|word| stem(word) == *first));
        let ports = self.ports(place).map_or(&[][..], |ports| &ports.inputs);
        let mut files = ports
            .iter()
            .filter(|other| other.role == Role::File && other.required);
        let alone = files.clone().count() == 1;
        // Of several, the one that is called after what is made.
        let called =
            files.any(|other| is_any_term(&other.terms, &name)) && is_any_term(&port.terms, &name);
        let makes_file = alone && name.iter().any(|word| is_document(word));
        makes && (called || makes_file)
    }

    /// Whether a tool takes a file beside a folder.
    fn has_file_port(&self, place: Place, port: &Port) -> bool {
        let ports = self.ports(place).map_or(&[][..], |ports| &ports.inputs);
        let mut others = ports.iter().filter(|other| other.name != port.name);
        others.any(|other| other.role == Role::File)
    }

    fn has_made_port(&self, place: Place, port: &Port) -> bool {
        let ports = self.ports(place).map_or(&[][..], |ports| &ports.inputs);
        let mut others = ports.iter().filter(|other| other.name != port.name);
        others.any(|other| {
            (other.role == Role::File || is_any(&FOLDERS, &other.terms))
                && self.is_made(place, other)
        })
    }

    /// How files end that a parameter takes, as far as names tell.
    fn kinds_of_port(&self, place: Place, port: &Port) -> Vec<&'static str> {
        let Some(tool) = self.tool(place) else {
            return Vec::new();
        };
        let words = |text: &str| -> Vec<String> {
            let spaced = holloway_search::words::spaced(text).to_lowercase();
            let words = spaced.split(|letter: char| !letter.is_alphanumeric());
            words.map(str::to_owned).collect()
        };
        let own = families(&words(&port.name));
        if !own.is_empty() {
            return own;
        }
        let ports = self.ports(place).map_or(&[][..], |ports| &ports.inputs);
        let named_by_others = ports
            .iter()
            .any(|other| other.name != port.name && !families(&words(&other.name)).is_empty());
        let name = words(tool.id.name());
        let into = name.iter().position(|word| word == "to");
        let part = match into {
            Some(into) if self.is_made(place, port) => name.get(into..),
            Some(into) => name.get(..into),
            None if named_by_others => None,
            None => name.get(..),
        };
        let of_name = families(part.unwrap_or_default());
        if !of_name.is_empty() {
            return of_name;
        }
        families(&words(tool.id.source()))
    }
}

fn takes(node: &Node, at: usize) -> bool {
    let mut bindings = node.bindings.iter();
    bindings.any(|own| matches!(own.source, Source::Request { entity, .. } if entity == at))
}

fn families(words: &[String]) -> Vec<&'static str> {
    let fits =
        |(names, _): &&(&[&str], &[&str])| words.iter().any(|word| names.contains(&word.as_str()));
    let found = FAMILIES.iter().filter(fits);
    found
        .flat_map(|(_, endings)| endings.iter().copied())
        .collect()
}

fn is_any(words: &[&str], terms: &[String]) -> bool {
    let mut stems = words.iter().map(|word| stem(word));
    stems.any(|stem| terms.contains(&stem))
}

fn is_any_term(own: &[String], others: &[String]) -> bool {
    own.iter().any(|term| others.contains(term))
}

fn is_document(word: &str) -> bool {
    const DOCUMENTS: [&str; 8] = [
        "document",
        "workbook",
        "presentation",
        "file",
        "csv",
        "pdf",
        "content",
        "spreadsheet",
    ];
    DOCUMENTS.iter().any(|own| stem(own) == *word)
}
