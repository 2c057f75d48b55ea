//! In which form is the result wanted? The last steps write it: a report as a page and as a
//! PDF, rows as a table, into the folder that the person who runs the plan names.

use holloway_search::rank::{self, Wish as Search};
use serde_json::{Map, Value, json};

use super::Breadth;
use super::assembly::{Assembly, Node, Part, Wanted};
use super::choose::Choices;
use super::inputs::Wish;
use super::words::{slug, stems};
use crate::bind::shape::Kind;
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role};
use crate::request::Format;

/// A tool that needs more than this is not worth it for a file.
const DEAR: f32 = 4.0;

impl Assembly<'_> {
    /// Adds what brings the result into the wanted forms.
    pub(super) fn finish(&mut self, choices: &Choices, deep: usize) {
        if self.nodes.is_empty() {
            return;
        }
        for form in self.forms(choices) {
            if self.is_written(form) {
                continue;
            }
            let Some(place) = self.writer(form) else {
                continue;
            };
            let mut wanted = Wanted::new(place, Part::Form, format!("writes the result as {}", name(form)));
            let file = self.ports(place).and_then(|ports| ports.needed().find(|port| port.role == Role::File));
            if let Some(port) = file {
                wanted.settled = self.path(port, extension(form));
            }
            self.add(wanted, deep);
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
        forms
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
            self.writes(node.place) && (said || node.arguments.values().any(ends))
        })
    }

    /// The tool that writes such files best.
    fn writer(&self, form: Format) -> Option<Place> {
        let report = match self.ground.analysis.formats.contains(&Format::Report) || is_document(form) {
            true => "report",
            false => "file",
        };
        let text = format!("write a {report} as {}", name(form));
        let catalogue = self.ground.catalogue;
        let index = catalogue.index();
        let query = index.read(&text);
        let scores = index.scores(&query);
        let wish = Search {
            limit: 16,
            ..Search::default()
        };
        let hits = rank::rank(index, &query, &scores, |place| catalogue.repute(place), &wish);
        let words: Vec<String> = [name(form), extension(form)].into_iter().flat_map(|word| stems(word)).collect();
        let says = |place: Place| {
            let tool = self.tool(place);
            let own = tool.map(|tool| stems(&format!("{} {}", tool.id.name(), tool.description)));
            own.is_some_and(|own| words.iter().any(|word| own.contains(word)))
        };
        let mut writers = hits.iter().map(|hit| hit.place).filter(|place| {
            self.is_writer(*place) && says(*place) && self.cost_of_needs(*place, self.ground.settings.deepest) < DEAR
        });
        let used = self.nodes.iter().map(|node| node.place).find(|place| self.is_writer(*place) && says(*place));
        used.or_else(|| writers.next())
    }

    /// Writes something that is given to a file that is named.
    fn is_writer(&self, place: Place) -> bool {
        let Some(ports) = self.ports(place) else {
            return false;
        };
        let named = ports.needed().any(|port| port.role == Role::File && port.kind == Kind::Text);
        let given = |port: &Port| {
            port.role == Role::Text || (port.role == Role::Other && matches!(port.kind, Kind::List | Kind::Object))
        };
        let chosen = ports.one_of.iter().filter_map(|at| ports.inputs.get(*at));
        ports.writes && named && ports.needed().chain(chosen).any(given)
    }

    /// A file that a tool is to write and nobody named.
    pub(super) fn from_folder(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.role != Role::File || !self.is_writer(node.place) {
            return false;
        }
        let name = self.tool(node.place).map(|tool| stems(&super::supply::spoken(tool.id.name())));
        let name = name.unwrap_or_default();
        let all = [Format::Pdf, Format::Html, Format::Csv, Format::Xlsx, Format::Json, Format::Markdown];
        let own = all.into_iter().find(|form| name.contains(extension(*form)));
        let asked = self.ground.analysis.formats.iter().copied().find(|form| *form != Format::Chart);
        let ending = match (own, asked) {
            (Some(form), _) => extension(form),
            (None, Some(Format::Report)) => "html",
            (None, Some(form)) => extension(form),
            (None, None) => "txt",
        };
        let settled = self.path(port, ending);
        node.bindings.push(Binding {
            parameter: port.name.clone(),
            source: Source::Input { name: "folder".to_owned() },
            confidence: 0.8,
            reason: "a file named after the request, in the folder of results".to_owned(),
        });
        node.arguments.extend(settled);
        true
    }

    fn path(&mut self, port: &Port, ending: &str) -> Map<String, Value> {
        let folder = self.inputs.ask(Wish {
            name: "folder",
            shape: None,
            default: Some(json!(self.ground.settings.folder)),
            step: "results",
        });
        let path = format!("{{{{ input.{folder} }}}}/{}.{ending}", slug(self.ground.analysis));
        let mut settled = Map::new();
        settled.insert(port.name.clone(), json!(path));
        settled
    }
}

fn is_document(form: Format) -> bool {
    matches!(form, Format::Html | Format::Pdf | Format::Report)
}

fn name(form: Format) -> &'static str {
    match form {
        Format::Html => "HTML page",
        Format::Pdf => "PDF",
        Format::Markdown => "Markdown",
        Format::Csv => "CSV",
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
        Format::Xlsx => "xlsx",
        Format::Json => "json",
        Format::Text => "txt",
        Format::Chart => "svg",
    }
}
