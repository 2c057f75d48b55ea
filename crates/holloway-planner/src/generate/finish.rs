//! In which form is the result wanted? The last steps write it: a report as a page and as a
//! PDF, rows as a table, into the folder that the person who runs the plan names.

use holloway_search::rank::{self, Wish as Search};
use holloway_search::words::stem;
use serde_json::{Map, Value, json};

use super::assembly::{Assembly, Node, Part, Wanted};
use super::choose::Choices;
use super::does::{is_adder, says_adding, writes_files};
use super::inputs::Wish;
use super::words::{slug, stems};
use super::{Breadth, Lack, Missing};
use crate::bind::shape::Kind;
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role, terms};
use crate::request::{Entity, EntityKind, Format};

/// What it is worth that a tool is called after the form it writes.
const CALLED_SO: f32 = 1.0;
/// A tool that needs more than this is not worth it for a file.
const DEAR: f32 = 4.0;

impl Assembly<'_> {
    /// Adds what brings the result into the wanted forms.
    pub(super) fn finish(&mut self, choices: &Choices, deep: usize) {
        // Without anything to do, only a file that is named can be brought into another form.
        let files = [EntityKind::Path, EntityKind::File, EntityKind::Url];
        let names_file = self
            .ground
            .analysis
            .entities
            .iter()
            .any(|entity| files.contains(&entity.kind));
        if self.nodes.is_empty() && (!names_file || !choices.missing.is_empty()) {
            return;
        }
        let forms = self.forms(choices);
        for form in forms.iter().copied() {
            if self.is_written(form) {
                continue;
            }
            // A table for people is a document too, and so is what was found about a thing.
            let shown = matches!(form, Format::Html | Format::Pdf | Format::Markdown);
            let is_told = self.table.is_some() || !choices.domains.is_empty();
            let is_report = choices.wants_document || shown && is_told;
            let writer = self.writer(form, &forms, is_report);
            if writer.is_none() && self.add_own_writer(form, choices, deep) {
                continue;
            }
            // A tool that takes any text takes the result as it is.
            let plain = writer.is_none() || self.is_data(form, is_report);
            let Some(place) = writer.or_else(|| self.writer_of_texts(form)) else {
                self.unwritten.push(form);
                continue;
            };
            let mut wanted = Wanted::new(
                place,
                Part::Form,
                format!("writes the result as {}", name(form)),
            );
            let file = self
                .ports(place)
                .and_then(|ports| ports.needed().find(|port| port.role == Role::File));
            if let Some(port) = file {
                let called = self.called_target(extension(form));
                let said = || {
                    let mut targets = self.targets(extension(form));
                    let target = targets.find(|file| form == Format::Json && self.is_target(file));
                    target.map(|file| file.text.clone())
                };
                match called.or_else(said) {
                    // What is called so is where the result goes, whatever else has a name.
                    Some(path) => {
                        wanted.settled.insert(port.name.clone(), json!(path));
                    }
                    None if self.names_target(extension(form)) => {}
                    None => wanted.settled = self.path(port, extension(form)),
                }
            }
            wanted.settled.extend(self.table_for(place, form));
            self.add(wanted, if plain { 0 } else { deep });
        }
    }

    fn forms(&self, choices: &Choices) -> Vec<Format> {
        let mut forms: Vec<Format> = self.ground.analysis.formats.clone();
        let unsaid = forms.iter().all(|form| *form == Format::Report);
        forms.retain(|form| !matches!(form, Format::Report | Format::Chart));
        if unsaid && choices.wants_document {
            forms.push(Format::Html);
            if self.taste.breadth != Breadth::One {
                forms.push(Format::Pdf);
            }
        }
        forms.dedup();
        // A file that is read is not what is to be written.
        forms.retain(|form| self.names_target(extension(*form)) || !self.is_read(*form));
        if self.nodes.is_empty() && forms.len() > 1 {
            let files = [EntityKind::Path, EntityKind::File];
            let first = self
                .ground
                .analysis
                .entities
                .iter()
                .find(|entity| files.contains(&entity.kind));
            forms.retain(|form| first.is_none_or(|file| !file.text.ends_with(extension(*form))));
        }
        forms
    }

    /// The files of this kind that the request names and no step has taken.
    fn targets<'b>(&'b self, ending: &str) -> impl Iterator<Item = &'b Entity> {
        let ending = format!(".{ending}");
        let entities = self.ground.analysis.entities.iter().enumerate();
        entities.filter_map(move |(at, entity)| {
            let is_file = matches!(entity.kind, EntityKind::Path | EntityKind::File);
            let free = !self.reserved.contains(&at);
            let ends = entity.text.to_lowercase().ends_with(&ending);
            (is_file && free && ends).then_some(entity)
        })
    }

    fn names_target(&self, ending: &str) -> bool {
        self.targets(ending).next().is_some()
    }

    /// "a workbook called s.xlsx": the name of a file with a word for what it is.
    fn called_target(&self, ending: &str) -> Option<String> {
        let mut targets = self.targets(ending);
        let called = |entity: &&Entity| {
            let label = entity.label.as_deref();
            label.is_some_and(|label| label.ends_with("name"))
        };
        targets.find(called).map(|entity| entity.text.clone())
    }

    fn is_read(&self, form: Format) -> bool {
        let ending = format!(".{}", extension(form));
        let readers = self.nodes.iter().filter(|node| !self.writes(node.place));
        let mut bindings = readers.flat_map(|node| &node.bindings);
        bindings.any(|binding| match &binding.source {
            Source::Request { value, entity } => {
                let entity = self.ground.analysis.entities.get(*entity);
                let is_file = entity.is_some_and(|entity| {
                    matches!(entity.kind, EntityKind::Path | EntityKind::File)
                });
                is_file && value.as_str().is_some_and(|text| text.ends_with(&ending))
            }
            _ => false,
        })
    }

    /// Some step writes such a file already, or gives what was asked for without one.
    fn is_written(&self, form: Format) -> bool {
        let ending = format!(".{}", extension(form));
        self.nodes.iter().any(|node| {
            let ends = |value: &Value| value.as_str().is_some_and(|text| text.ends_with(&ending));
            let said = node.bindings.iter().any(|binding| match &binding.source {
                Source::Request { value, .. } => ends(value),
                _ => false,
            });
            let changes = self.writes(node.place) && !self.is_called_reader(node.place);
            let converted = self.converts(node.place) && self.is_called(node.place, form);
            converted || changes && (said || node.arguments.values().any(ends))
        })
    }

    /// Rows as JSON are a text that any file takes, and so is what a step found.
    fn is_data(&self, form: Format, is_report: bool) -> bool {
        match form {
            Format::Json => self.table.is_some() || !is_report,
            Format::JsonLines => self.table.is_some(),
            _ => false,
        }
    }

    /// The tool that writes such files best: for a report the one that writes most of the
    /// wanted forms, otherwise the one that needs least.
    fn writer(&self, form: Format, forms: &[Format], is_report: bool) -> Option<Place> {
        if self.is_data(form, is_report)
            && let Some(place) = self.writer_of_texts(form)
        {
            return Some(place);
        }
        // So is a text, and what is told in one.
        if form == Format::Text
            && let Some(place) = self.writer_of_texts(form)
        {
            return Some(place);
        }
        // Each line is a document of its own: no other tool for JSON makes that.
        let is_own = |place: Place| form != Format::JsonLines || self.is_called(place, form);
        let what = if is_report { "report" } else { "file" };
        let text = format!("write a {what} as {}", name(form));
        let catalogue = self.ground.catalogue;
        let index = catalogue.index();
        let query = index.read(&text);
        let scores = index.scores(&query);
        let wish = Search {
            limit: 16,
            ..Search::default()
        };
        let hits = rank::rank(
            index,
            &query,
            &scores,
            |place| catalogue.repute(place),
            &wish,
        );
        let writers = hits.iter().enumerate().filter_map(|(rank, hit)| {
            let cost = self.cost_of_needs(hit.place, self.ground.settings.deepest);
            let fits = self.is_writer(hit.place)
                && self.says(hit.place, form)
                && is_own(hit.place)
                && cost < DEAR;
            let said = forms
                .iter()
                .filter(|form| self.says(hit.place, **form))
                .count();
            // A report is more than one text of the plan.
            let document = usize::from(self.makes_document(hit.place));
            let worth = if is_report {
                (said + document) as f32
            } else if self.is_called(hit.place, form) {
                CALLED_SO - cost
            } else {
                -cost
            };
            fits.then_some((hit.place, worth - 0.03 * rank as f32))
        });
        let best = writers.max_by(|one, other| one.1.total_cmp(&other.1));
        best.map(|(place, _)| place)
    }

    /// Adds the tool of a server that is used already which writes what it holds in this form.
    fn add_own_writer(&mut self, form: Format, choices: &Choices, deep: usize) -> bool {
        let source = |place: Place| self.tool(place).map(|tool| tool.id.source());
        let hits = choices.hits.iter().enumerate();
        let mut own = hits.flat_map(|(at, hits)| hits.iter().map(move |hit| (at, hit.place)));
        let found = own.find(|(_, place)| {
            let used = self
                .nodes
                .iter()
                .any(|node| source(node.place) == source(*place));
            used && self.writes(*place) && !self.uses(*place) && self.says(*place, form)
        });
        let Some((at, place)) = found else {
            return false;
        };
        let reason = format!("writes the result as {}", name(form));
        let mut wanted = Wanted::new(place, Part::Core, reason);
        wanted.capability = Some(at);
        self.add(wanted, deep).is_some()
    }

    /// A tool that writes any text to a file, for forms that are texts as they come.
    fn writer_of_texts(&self, form: Format) -> Option<Place> {
        let rows = form == Format::JsonLines && self.table.is_some();
        if !rows && !matches!(form, Format::Markdown | Format::Text | Format::Json) {
            return None;
        }
        let catalogue = self.ground.catalogue;
        let near = |place: Place| self.ground.near.get(&place).copied().unwrap_or_default();
        let adds = says_adding(&stems(&self.ground.analysis.request));
        let writers = catalogue.tools().filter(|(place, tool)| {
            let ports = self.ports(*place);
            let text = |port: &Port| port.role == Role::Text && port.kind == Kind::Text;
            let takes = ports.is_some_and(|ports| ports.needed().any(text));
            // What is written twice is not to stand there twice.
            takes && writes_files(catalogue, *place) && (adds || !is_adder(tool))
        });
        let places = writers.map(|(place, _)| place);
        places.max_by(|one, other| near(*one).total_cmp(&near(*other)).then(other.cmp(one)))
    }

    /// What was asked for and no tool does: things, and forms.
    pub(super) fn missing(&self, choices: &Choices) -> Vec<Missing> {
        let forms = self.unwritten.iter().map(|form| {
            let form = format!("write the result as {}", name(*form));
            Missing::new(form, Lack::Tool)
        });
        choices.missing.iter().cloned().chain(forms).collect()
    }

    /// Whether the tool is called after this form: others may only mention it.
    fn is_called(&self, place: Place, form: Format) -> bool {
        let name = self.tool(place).map(|tool| terms(tool.id.name()));
        name.is_some_and(|name| name.contains(&stem(extension(form))))
    }

    /// Whether the tool says that it writes this form.
    fn says(&self, place: Place, form: Format) -> bool {
        let Some(tool) = self.tool(place) else {
            return false;
        };
        let own = stems(&format!(
            "{} {}",
            super::supply::spoken(tool.id.name()),
            tool.description
        ));
        let words = [name(form), extension(form)].into_iter().flat_map(stems);
        words.into_iter().any(|word| own.contains(&word))
    }

    /// Whether it writes a document that some tool makes from any results.
    fn makes_document(&self, place: Place) -> bool {
        let ports = self.ports(place);
        let mut needed = ports
            .into_iter()
            .flat_map(crate::catalogue::ports::Ports::needed);
        needed.any(|port| port.kind == Kind::Object && port.role == Role::Other)
    }

    /// Writes something that is given to a file that is named.
    pub(super) fn is_writer(&self, place: Place) -> bool {
        let Some(ports) = self.ports(place) else {
            return false;
        };
        // What takes two files makes one of the other.
        let files = ports
            .needed()
            .filter(|port| port.role == Role::File && port.kind == Kind::Text);
        let named = files.count() == 1;
        let given = |port: &Port| {
            port.role == Role::Text
                || (port.role == Role::Other && matches!(port.kind, Kind::List | Kind::Object))
        };
        let chosen = ports.one_of.iter().filter_map(|at| ports.inputs.get(*at));
        ports.writes && named && ports.needed().chain(chosen).any(given)
    }

    /// A file that a tool is to write and nobody named.
    pub(super) fn try_folder(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.role != Role::File || !self.is_writer(node.place) {
            return false;
        }
        let name = self
            .tool(node.place)
            .map(|tool| stems(&super::supply::spoken(tool.id.name())));
        let name = name.unwrap_or_default();
        let all = [
            Format::Pdf,
            Format::Html,
            Format::Csv,
            Format::Xlsx,
            Format::Json,
            Format::Markdown,
        ];
        let own = all.into_iter().find(|form| name.contains(extension(*form)));
        let asked = self
            .ground
            .analysis
            .formats
            .iter()
            .copied()
            .find(|form| *form != Format::Chart);
        let ending = match (own, asked) {
            (Some(form), _) => extension(form),
            (None, Some(Format::Report)) => "html",
            (None, Some(form)) => extension(form),
            (None, None) => "txt",
        };
        let settled = self.path(port, ending);
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source: Source::Input {
                name: "folder".to_owned(),
            },
            confidence: 0.8,
            reason: "a file named after the request, in the folder of results".to_owned(),
        });
        node.arguments.extend(settled);
        true
    }

    fn path(&mut self, port: &Port, ending: &str) -> Map<String, Value> {
        let path = self.result_path(ending);
        let mut settled = Map::new();
        settled.insert(port.name.clone(), json!(path));
        settled
    }

    /// A file in the folder of results, named after the request.
    pub(super) fn result_path(&mut self, ending: &str) -> String {
        let folder = self.inputs.ask(Wish {
            name: "folder",
            shape: None,
            default: Some(json!(self.ground.settings.folder)),
            step: "results",
        });
        format!(
            "{{{{ input.{folder} }}}}/{}.{ending}",
            slug(self.ground.analysis)
        )
    }
}

fn name(form: Format) -> &'static str {
    match form {
        Format::Html => "HTML page",
        Format::Pdf => "PDF",
        Format::Markdown => "Markdown",
        Format::Csv => "CSV",
        Format::Tsv => "TSV",
        Format::JsonLines => "JSON lines",
        Format::Xlsx => "Excel workbook",
        Format::Json => "JSON",
        Format::Text => "text",
        Format::Chart => "chart",
        Format::Report => "report",
    }
}

fn extension(form: Format) -> &'static str {
    match form {
        Format::Html | Format::Report => "html",
        Format::Pdf => "pdf",
        Format::Markdown => "md",
        Format::Csv => "csv",
        Format::Tsv => "tsv",
        Format::JsonLines => "jsonl",
        Format::Xlsx => "xlsx",
        Format::Json => "json",
        Format::Text => "txt",
        Format::Chart => "svg",
    }
}
