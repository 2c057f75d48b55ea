//! Which tool does it? Known by what its schema takes and gives and by what it is called after;
//! of several, the one that is nearest to the request.

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_search::words::stem;
use serde_json::json;

use super::made::name;
use super::{Call, Layer};
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role, terms};
use crate::generate::assembly::Part;
use crate::generate::does::{is_adder, writes_files};
use crate::request::texts::{Folder, Making};

impl Layer<'_, '_> {
    pub(super) fn tool<T>(
        &self,
        fits: impl Fn(Place, &ToolSpec, &Ports) -> Option<T>,
    ) -> Option<(Place, T)> {
        let near = |place: &Place| {
            let near = self.plan.ground.near.get(place);
            near.copied().unwrap_or_default()
        };
        let mut best: Option<(Place, T)> = None;
        for (place, tool) in self.plan.ground.catalogue.tools() {
            let Some(ports) = self.plan.ground.catalogue.ports(place) else {
                continue;
            };
            let Some(found) = fits(place, tool, ports) else {
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

    /// Reads a file that is a text.
    pub(super) fn reader(&self) -> Option<(Place, String, String)> {
        let found = self.tool(|_, tool, ports| {
            let file = only(ports).filter(|port| is_file(port))?;
            let called = terms(tool.id.name());
            let text = ports.outputs.iter();
            let text = text
                .filter(|port| port.role == Role::Text && port.required)
                .map(|port| port.name.clone())
                .next()?;
            let plain = called.len() == 2 && is_called(&called, &["read", "load", "open"]);
            (plain && !ports.writes).then(|| (file.name.clone(), text))
        });
        found.map(|(place, (file, text))| (place, file, text))
    }

    /// Writes a text to a file: the whole of it, or at its end.
    pub(super) fn writer(&self, adds: bool) -> Option<(Place, String, String)> {
        let catalogue = self.plan.ground.catalogue;
        let found = self.tool(|place, tool, ports| {
            let fits = writes_files(catalogue, place) && is_adder(tool) == adds;
            let file = ports.needed().find(|port| is_file(port))?;
            let text = ports.needed().find(|port| port.role == Role::Text)?;
            let alone = ports.needed().count() == 2;
            (fits && alone).then(|| (file.name.clone(), text.name.clone()))
        });
        found.map(|(place, (file, text))| (place, file, text))
    }

    /// Lays a text out as a document of this kind.
    pub(super) fn layouter(&self, ending: &str) -> Option<(Place, String, String)> {
        let found = self.tool(|_, tool, ports| {
            let called = terms(tool.id.name());
            let file = ports.needed().find(|port| is_file(port))?;
            let text = ports.needed().find(|port| port.name == "markdown")?;
            let alone = ports.needed().count() == 2;
            let fits = is_called(&called, &[ending]) && is_called(&called, &["write"]);
            (fits && alone && ports.writes).then(|| (file.name.clone(), text.name.clone()))
        });
        found.map(|(place, (file, text))| (place, file, text))
    }

    pub(super) fn remover(&self) -> Option<(Place, String)> {
        self.tool(|_, tool, ports| {
            let file = only(ports).filter(|port| is_file(port))?;
            let called = is_called(&terms(tool.id.name()), &["delete", "remove"]);
            let removes = called && tool.effect != Effect::Read;
            removes.then(|| file.name.clone())
        })
    }

    pub(super) fn waiter(&self) -> Option<(Place, String)> {
        self.tool(|_, tool, ports| {
            let time = only(ports).filter(|port| port.kind == Kind::Integer)?;
            let counts = ["ms", "milliseconds"].contains(&time.name.as_str());
            let called = is_called(&terms(tool.id.name()), &["sleep", "wait", "pause"]);
            (counts && called).then(|| time.name.clone())
        })
    }

    /// Gives nothing but what it is given.
    pub(super) fn teller(&self) -> Option<(Place, String)> {
        self.tool(|_, tool, ports| {
            let value = only(ports).filter(|port| port.kind == Kind::Any)?;
            let alone = ports.inputs.len() == 1 && !ports.writes;
            let unchanged = tool.description.contains("unchanged");
            (alone && unchanged).then(|| value.name.clone())
        })
    }

    pub(super) fn mailer(&self) -> Option<(Place, [String; 3])> {
        self.tool(|_, tool, ports| {
            let called = terms(tool.id.name());
            let mails = is_called(&called, &["email", "mail"]) && is_called(&called, &["send"]);
            let has = |name: &str| ports.input(name).is_some();
            let body = ["text", "body"].into_iter().find(|name| has(name))?;
            let names = ["to", "subject", body];
            let all = names.iter().all(|name| has(name));
            let free = ports
                .needed()
                .all(|port| names.contains(&port.name.as_str()));
            (mails && all && free).then(|| names.map(str::to_owned))
        })
    }

    /// Makes something of one text. The last is where it is in the result.
    pub(super) fn maker(&self, making: Making) -> Option<(Place, String, String)> {
        let found = self.tool(|_, tool, ports| {
            let text = only(ports).filter(|port| port.role == Role::Text)?;
            let gives = |name: &str| ports.outputs.iter().any(|port| port.name == name);
            let called = |word: &str| is_called(&terms(tool.id.name()), &[word]);
            let gives = match making {
                Making::Summary(_) => gives("summary").then(|| ".summary".to_owned()),
                Making::Keywords => gives("keywords").then(|| ".keywords".to_owned()),
                Making::Count(unit) => {
                    let is_count = called("stats") || called("count");
                    let unit = name(unit);
                    (gives(unit) && is_count).then(|| format!(".{unit}"))
                }
                Making::Readability => called("readability").then(String::new),
                Making::SortedLines { .. } | Making::UniqueLines | Making::Joined => None,
            }?;
            (!ports.writes).then(|| (text.name.clone(), gives))
        });
        found.map(|(place, (text, gives))| (place, text, gives))
    }

    pub(super) fn joiner(&self) -> Option<(Place, String, String)> {
        let found = self.tool(|_, tool, ports| {
            let parts = only(ports).filter(|port| port.kind == Kind::List)?;
            let called = terms(tool.id.name());
            let text = ports
                .outputs
                .iter()
                .find(|port| port.role == Role::Text && port.kind == Kind::Text)?;
            let joins = is_called(&called, &["join", "concat"]) && !ports.writes;
            let of_text = is_called(&called, &["text"]);
            (joins && of_text).then(|| (parts.name.clone(), text.name.clone()))
        });
        found.map(|(place, (parts, text))| (place, parts, text))
    }

    /// Tells what is different between two texts.
    pub(super) fn differ(&self) -> Option<(Place, [String; 2], String)> {
        self.of_two_texts(&[("before", "after"), ("old", "new")], &["diff", "compare"])
    }

    /// Tells how alike two texts are.
    pub(super) fn likener(&self) -> Option<(Place, [String; 2], String)> {
        let names = [("left", "right"), ("one", "other"), ("first", "second")];
        self.of_two_texts(&names, &["similarity", "similar"])
    }

    fn of_two_texts(
        &self,
        names: &[(&str, &str)],
        called: &[&str],
    ) -> Option<(Place, [String; 2], String)> {
        let found = self.tool(|_, tool, ports| {
            let is_text = |name: &str| {
                let port = ports.input(name);
                port.is_some_and(|port| port.kind == Kind::Text)
            };
            let fits = |pair: &&(&str, &str)| is_text(pair.0) && is_text(pair.1);
            let (one, other) = names.iter().find(fits)?;
            let free = ports
                .needed()
                .all(|port| [*one, *other].contains(&port.name.as_str()));
            let so_called = is_called(&terms(tool.id.name()), called);
            let first = ports.outputs.iter().find(|port| {
                matches!(port.kind, Kind::Text | Kind::Number) && called_like(port, called)
            });
            let gives = first.or_else(|| ports.outputs.first())?;
            (free && so_called && !ports.writes)
                .then(|| ([(*one).to_owned(), (*other).to_owned()], gives.name.clone()))
        });
        found.map(|(place, (names, gives))| (place, names, gives))
    }

    /// The files of a folder that end so.
    pub(super) fn listed(&mut self, folder: &Folder) -> Option<String> {
        let (place, (path, list)) = self.tool(|_, tool, ports| {
            let path = ports.inputs.iter().find(|port| is_file(port))?;
            let free = ports.needed().all(|port| port.at == path.at);
            let list = rows_with(tool, ports, &["path", "kind"])?;
            (free && !ports.writes).then(|| (path.name.clone(), list))
        })?;
        let mut call = Call::new("finds the files that are meant");
        call.arguments.insert(path, json!(folder.path));
        let id = self.look(place, call, Part::Core);
        let mut conditions = vec![json!({"column": "kind", "op": "eq", "value": "file"})];
        if let Some(ending) = &folder.ending {
            let value = format!(".{ending}");
            conditions.push(json!({"column": "path", "op": "ends_with", "value": value}));
        }
        self.selected(
            format!("{id}.{list}"),
            json!({"where": conditions, "ignore_case": true}),
        )
    }

    /// The files of a folder that hold a text, each once.
    pub(super) fn found(&mut self, folder: &Folder, text: &str) -> Option<String> {
        let (place, (query, path, list)) = self.tool(|_, tool, ports| {
            let path = ports.inputs.iter().find(|port| is_file(port))?;
            let mut needed = ports.needed().filter(|port| port.at != path.at);
            let query = needed.next().filter(|port| port.kind == Kind::Text)?;
            let alone = needed.next().is_none() && !ports.writes;
            let list = rows_with(tool, ports, &["path", "line"])?;
            alone.then(|| (query.name.clone(), path.name.clone(), list))
        })?;
        let mut call = Call::new("finds the files that are meant");
        call.arguments.insert(query, json!(text));
        call.arguments.insert(path, json!(folder.path));
        // Who writes no capitals does not care for them.
        let folds = self
            .plan
            .ports(place)
            .and_then(|ports| ports.input("ignore_case"));
        if folds.is_some() && !text.contains(char::is_uppercase) {
            call.arguments.insert("ignore_case".to_owned(), json!(true));
        }
        let id = self.look(place, call, Part::Core);
        let mut said = json!({"distinct_by": ["path"], "ignore_case": true});
        if let (Some(ending), Some(said)) = (&folder.ending, said.as_object_mut()) {
            let value = format!(".{ending}");
            let condition = json!([{"column": "path", "op": "ends_with", "value": value}]);
            said.insert("where".to_owned(), condition);
        }
        self.selected(format!("{id}.{list}"), said)
    }

    /// Some of the rows of a list.
    fn selected(&mut self, list: String, said: serde_json::Value) -> Option<String> {
        let wanted = said.as_object()?.clone();
        let (place, (rows, gives)) = self.tool(|_, _, ports| {
            let rows = only(ports).filter(|port| port.kind == Kind::List)?;
            let takes = wanted.keys().all(|name| ports.input(name).is_some());
            let gives = ports
                .outputs
                .iter()
                .find(|port| port.kind == Kind::List && port.name == rows.name)?;
            (takes && !ports.writes).then(|| (rows.name.clone(), gives.name.clone()))
        })?;
        let mut call = Call::new("keeps those that are meant");
        call.arguments = wanted;
        call.arguments
            .insert(rows, json!(format!("{{{{ {list} }}}}")));
        let id = self.look(place, call, Part::Core);
        Some(format!("{id}.{gives}"))
    }
}

/// The only parameter that is needed.
pub(super) fn only(ports: &Ports) -> Option<&Port> {
    let mut needed = ports.needed();
    let first = needed.next()?;
    needed.next().is_none().then_some(first)
}

fn is_file(port: &Port) -> bool {
    port.role == Role::File && port.kind == Kind::Text
}

fn is_called(name: &[String], words: &[&str]) -> bool {
    words.iter().any(|word| name.contains(&stem(word)))
}

fn called_like(port: &Port, words: &[&str]) -> bool {
    words.iter().any(|word| port.terms.contains(&stem(word)))
}

/// The list of a result whose items have these fields.
fn rows_with(tool: &ToolSpec, ports: &Ports, fields: &[&str]) -> Option<String> {
    let output = Shape::of(&tool.output_schema);
    let mut lists = ports.outputs.iter().filter(|port| port.kind == Kind::List);
    let found = lists.find(|port| {
        let list = output.field(&port.name);
        let items = list.and_then(|list| list.list_items().flatten());
        let has = |name: &&str| items.is_some_and(|items| items.field(name).is_some());
        fields.iter().all(has)
    });
    found.map(|port| port.name.clone())
}
