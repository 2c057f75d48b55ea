//! Where do the rows come from? From the files that are named, each read by the tool for its
//! kind; from a folder that is listed; typed where figures are worked out from them.

use serde_json::{Map, Value, json};

use super::slots::{has_any, names_rows};
use super::{Builder, Each, Feed, Stage};
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role, stems, terms};
use crate::generate::assembly::Part;
use crate::request::conditions::{Comparison, Condition, Keep};
use crate::request::{Entity, EntityKind};

impl Builder<'_> {
    /// The stage that gives the first table.
    pub(super) fn start(&mut self) -> Option<usize> {
        for said in self.conditions {
            if let Condition::Files { folder, deep } = &said.condition {
                return self.listed(folder, *deep);
            }
        }
        let tables = self.conditions.iter().enumerate();
        for (at, said) in tables {
            if let Condition::Tables { folder, ending } = &said.condition {
                return self.gathered(folder, ending, at);
            }
        }
        let files = self.files();
        let meets = self.conditions.iter().position(|said| {
            use Condition::{Changes, Join, Stack};
            matches!(said.condition, Changes | Stack | Join { .. })
        });
        let Some(meets) = meets else {
            // Of several files nobody can tell whose rows are meant.
            return match files.as_slice() {
                [(at, file)] => self.rows_of(*at, file),
                _ => None,
            };
        };
        let mut tables = Vec::new();
        for (at, file) in files {
            tables.push(self.rows_of(at, file)?);
        }
        self.meet(&tables, meets)
    }

    /// Reads all tables of a folder, one under the other.
    fn gathered(&mut self, folder: &str, ending: &str, said: usize) -> Option<usize> {
        let listed = self.listed(folder, false)?;
        let keep = |column: &str, comparison: Comparison, value: &str| {
            Condition::Keep(Keep {
                column: column.to_owned(),
                comparison,
                value: json!(value),
                or: false,
            })
        };
        let only = [
            (said, keep("kind", Comparison::Equal, "file")),
            (
                said,
                keep("path", Comparison::EndsWith, &format!(".{ending}")),
            ),
        ];
        let files = self.chosen(listed, only.to_vec())?;
        let (place, parameter, gives) = self.reader(ending)?;
        let mut stage = Stage::new(place, Part::Gap);
        stage.arguments = self.widest(place);
        let numbers = self.switch(place, &["number", "type"]);
        if let Some(numbers) = numbers.filter(|_| self.is_copied()) {
            stage.arguments.insert(numbers, json!(false));
        }
        stage.each = Some(Each {
            rows: files,
            parameter,
            field: "path".to_owned(),
        });
        stage.gives = gives;
        let read = self.push(stage);
        self.stack(Feed::Each(read), said)
    }

    /// Reads the rows of a file.
    fn rows_of(&mut self, at: usize, file: &Entity) -> Option<usize> {
        let ending = file.text.rsplit_once('.').map_or("", |(_, ending)| ending);
        let ending = ending.to_lowercase();
        let reader = self
            .reader(&ending)
            .filter(|_| file.kind != EntityKind::Url);
        if let Some((place, port, gives)) = reader {
            let mut stage = Stage::new(place, Part::Gap);
            stage.arguments = self.widest(place);
            let numbers = self.switch(place, &["number", "type"]);
            if let Some(numbers) = numbers.filter(|_| self.is_copied()) {
                stage.arguments.insert(numbers, json!(false));
            }
            stage.file = Some((port, at));
            stage.gives = gives;
            return Some(self.push(stage));
        }
        let text = self.text_of(at)?;
        let (place, port, gives) = self.loader(&ending)?;
        let mut stage = Stage::new(place, Part::Gap);
        stage.feeds.push((port, Feed::One(text)));
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// Reads the text of a file.
    pub(super) fn text_of(&mut self, at: usize) -> Option<usize> {
        let source = self.ground.analysis.entities.get(at)?;
        if source.kind == EntityKind::Url {
            return self.fetched(at, &source.text);
        }
        let found = self.find_tool(|tool, ports| {
            let file = only_file(ports)?;
            let is_special = terms(tool.id.name()).len() != 2;
            let text = ports
                .outputs
                .iter()
                .find(|port| port.role == Role::Text && port.required)?;
            let reads = has_any(&terms(tool.id.name()), &["read", "load", "open"]);
            (reads && !is_special).then(|| (file.name.clone(), text.name.clone()))
        });
        let (place, (port, gives)) = found?;
        let mut stage = Stage::new(place, Part::Gap);
        stage.file = Some((port, at));
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// Gets what stands at an address.
    fn fetched(&mut self, at: usize, address: &str) -> Option<usize> {
        const PLAIN: [&str; 9] = [
            "txt", "md", "csv", "tsv", "json", "jsonl", "ndjson", "log", "xml",
        ];
        let name = address.split(['?', '#']).next().unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_lowercase());
        let is_plain = ending.is_some_and(|ending| PLAIN.contains(&ending.as_str()));
        let wanted: &[&str] = if is_plain {
            &["body", "content", "text"]
        } else {
            &["html"]
        };
        let found = self.find_tool(|_, ports| {
            let mut needed = ports.needed();
            let url = needed
                .next()
                .filter(|port| port.role == Role::Address && port.kind == Kind::Text)?;
            let alone = needed.next().is_none();
            let text = ports
                .outputs
                .iter()
                .find(|port| port.kind == Kind::Text && wanted.contains(&port.name.as_str()))?;
            alone.then(|| (url.name.clone(), text.name.clone()))
        });
        let (place, (port, gives)) = found?;
        let mut stage = Stage::new(place, Part::Gap);
        stage.file = Some((port, at));
        stage.gives = gives;
        stage.is_page = !is_plain;
        Some(self.push(stage))
    }

    /// The tool that is called after a kind of files and gives their rows.
    fn reader(&self, ending: &str) -> Option<(Place, String, String)> {
        let kind = if ending == "xlsb" { "xlsx" } else { ending };
        let kind = if ending == "tsv" { "csv" } else { kind };
        let found = self.find_tool(|tool, ports| {
            let file = only_file(ports)?;
            let is_called = terms(tool.id.name()).iter().any(|word| word == kind);
            let rows = ports.outputs.iter().find(|port| gives_rows(port))?;
            is_called.then(|| (file.name.clone(), rows.name.clone()))
        });
        found.map(|(place, (port, gives))| (place, port, gives))
    }

    /// The tool that makes rows of a text of this kind: one that lists the kind, or else
    /// one that speaks of it.
    fn loader(&self, ending: &str) -> Option<(Place, String, String)> {
        let loads = |is_listed: bool| {
            self.find_tool(|tool, ports| {
                let text = ports.inputs.iter().find(|port| port.role == Role::Text)?;
                let rows = ports.outputs.iter().find(|port| gives_rows(port))?;
                let input = Shape::of(&tool.input_schema);
                let mut choices = input.fields().flat_map(|(_, field)| field.choices());
                let knows = if is_listed {
                    choices.any(|choice| choice == &json!(ending))
                } else {
                    stems(&tool.description).contains(ending)
                };
                let others = ports.needed().any(|port| port.at != text.at);
                (knows && !others).then(|| (text.name.clone(), rows.name.clone()))
            })
        };
        let found = loads(true).or_else(|| loads(false));
        found.map(|(place, (port, gives))| (place, port, gives))
    }

    /// Rows with numbers and dates as such, where a tool makes them.
    pub(super) fn typed(&mut self, now: usize) -> usize {
        let is_loaded = |at: usize| {
            let feeds = self.stages.get(at).map(|stage| &stage.feeds);
            feeds.is_some_and(|feeds| !feeds.is_empty())
        };
        // What comes from a folder or from a loader has its types.
        let is_file = self
            .stages
            .get(now)
            .is_some_and(|stage| stage.file.is_some());
        if !is_file || is_loaded(now) {
            return now;
        }
        let found = self.find_tool(|tool, ports| {
            let text = ports.inputs.iter().any(|port| port.role == Role::Text);
            let rows = ports
                .inputs
                .iter()
                .find(|port| port.kind == Kind::List && names_rows(port))?;
            let gives = ports.outputs.iter().find(|port| gives_rows(port))?;
            let types = has_any(
                &stems(&tool.description).into_iter().collect::<Vec<_>>(),
                &["typed", "type"],
            );
            let free = ports.needed().next().is_none();
            (text && free && types).then(|| (rows.name.clone(), gives.name.clone()))
        });
        let Some((place, (port, gives))) = found else {
            return now;
        };
        let mut stage = Stage::new(place, Part::Gap);
        stage.feeds.push((port, Feed::One(now)));
        stage.gives = gives;
        self.push(stage)
    }

    /// The files of a folder as rows.
    fn listed(&mut self, folder: &str, deep: bool) -> Option<usize> {
        let found = self.find_tool(|tool, ports| {
            let path = ports.inputs.iter().find(|port| port.role == Role::File)?;
            let others = ports.needed().any(|port| port.at != path.at);
            let lists = ports.outputs.iter().filter(|port| port.kind == Kind::List);
            let output = Shape::of(&tool.output_schema);
            let mut lists = lists.filter(|port| {
                let items = output
                    .field(&port.name)
                    .and_then(|list| list.list_items().flatten());
                let has = |name: &str| items.is_some_and(|items| items.field(name).is_some());
                has("path") && has("size") && has("kind")
            });
            let gives = lists.next()?;
            (!others).then(|| (path.name.clone(), gives.name.clone()))
        });
        let (place, (port, gives)) = found?;
        let mut stage = Stage::new(place, Part::Gap);
        stage.arguments = self.widest(place);
        if deep {
            let recursive = self.switch(place, &["recursive"])?;
            stage.arguments.insert(recursive, json!(true));
        }
        if folder != "." {
            stage.arguments.insert(port, json!(folder));
        }
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// The parameter that is on or off and called so.
    fn switch(&self, place: Place, words: &[&str]) -> Option<String> {
        let ports = self.ground.catalogue.ports(place)?;
        let mut switches = ports
            .inputs
            .iter()
            .filter(|port| port.kind == Kind::Boolean);
        let found = switches.find(|port| has_any(&port.terms, words));
        found.map(|port| port.name.clone())
    }

    /// What is counted or compared must be there in full: limits as wide as they may be.
    pub(super) fn widest(&self, place: Place) -> Map<String, Value> {
        let tool = self.ground.catalogue.tool(place);
        let fields = tool
            .into_iter()
            .flat_map(|tool| Shape::of(&tool.input_schema).fields());
        let limits = fields.filter_map(|(name, field)| {
            let own = terms(name);
            let is_limit =
                has_any(&own, &["limit"]) || has_any(&own, &["max"]) && has_any(&own, &["row"]);
            let most = field
                .word("maximum")
                .filter(|_| is_limit && field.allows(Kind::Integer))?;
            Some((name.to_owned(), most.clone()))
        });
        limits.collect()
    }

    /// Lines of files that hold a text.
    pub(super) fn find(&mut self) -> Option<usize> {
        let (at, text, folder) =
            self.conditions
                .iter()
                .enumerate()
                .find_map(|(at, said)| match &said.condition {
                    Condition::Find { text, folder } => Some((at, text, folder)),
                    _ => None,
                })?;
        let found = self.find_tool(|tool, ports| {
            let path = ports.inputs.iter().find(|port| port.role == Role::File)?;
            let mut needed = ports.needed().filter(|port| port.at != path.at);
            let query = needed.next().filter(|port| port.kind == Kind::Text)?;
            let output = Shape::of(&tool.output_schema);
            let mut lists = ports.outputs.iter().filter(|port| port.kind == Kind::List);
            let gives = lists.find(|port| {
                let items = output
                    .field(&port.name)
                    .and_then(|list| list.list_items().flatten());
                items.is_some_and(|items| {
                    items.field("line").is_some() && items.field("path").is_some()
                })
            })?;
            let alone = needed.next().is_none();
            alone.then(|| (query.name.clone(), path.name.clone(), gives.name.clone()))
        });
        let (place, (query, path, gives)) = found?;
        let mut stage = Stage::new(place, Part::Core);
        stage.arguments.insert(query.clone(), json!(text));
        stage.said.push((query, at));
        if folder != "." {
            stage.arguments.insert(path.clone(), json!(folder));
            stage.said.push((path, at));
        }
        // Who writes no capitals does not care for them.
        let folds = self.switch(place, &["case"]);
        if let Some(folds) = folds.filter(|_| !text.contains(char::is_uppercase)) {
            stage.arguments.insert(folds, json!(true));
        }
        stage.gives = gives;
        Some(self.push(stage))
    }

    /// The fitting tool that reads only, and is nearest to the request among those.
    pub(super) fn find_tool<T>(
        &self,
        fits: impl Fn(&holloway_plan::tool::ToolSpec, &Ports) -> Option<T>,
    ) -> Option<(Place, T)> {
        let near = |place: &Place| self.ground.near.get(place).copied().unwrap_or_default();
        let mut best: Option<(Place, T)> = None;
        for (place, tool) in self.ground.catalogue.tools() {
            let Some(ports) = self.ground.catalogue.ports(place) else {
                continue;
            };
            if ports.writes {
                continue;
            }
            let Some(found) = fits(tool, ports) else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|(other, _)| near(&place) > near(other))
            {
                best = Some((place, found));
            }
        }
        best
    }
}

/// The parameter for a file, where nothing else is needed.
fn only_file(ports: &Ports) -> Option<&Port> {
    let mut needed = ports.needed();
    let file = needed
        .next()
        .filter(|port| port.role == Role::File && port.kind == Kind::Text)?;
    needed.next().is_none().then_some(file)
}

fn gives_rows(port: &Port) -> bool {
    port.kind == Kind::List && port.required && names_rows(port)
}
