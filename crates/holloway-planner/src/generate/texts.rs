//! How does what is done to texts and files become steps? One after the other, as it was said:
//! what changes something waits for all before it, and what comes after waits for it.

use serde_json::{Map, Value as Json, json};

use super::assembly::{Assembly, Each, Ground, Node, Part};
use super::inputs::Wish;
use super::{Taste, conditions};
use crate::bind::{Binding, Source as From};
use crate::catalogue::Place;
use crate::request::conditions::{Condition, Said};
use crate::request::texts::{
    Deed, Folder, Form, Making, Source, Value, deeds, is_document, is_prose_of,
};
use crate::request::{Analysis, EntityKind};

mod made;
mod pages;
mod tools;

use made::Text;

/// How sure what was said so plainly is.
const SURE: f32 = 0.9;

/// What is done to texts and files, one after the other.
pub(super) struct Course(Vec<Deed>);

/// The course of a request that is about nothing else, if there are tools for all of it.
pub(super) fn course(ground: Ground<'_>, taste: Taste) -> Option<Course> {
    let analysis = ground.analysis;
    let deeds = deeds(&analysis.request, &analysis.entities)?;
    if is_left_to_others(analysis, &deeds) {
        return None;
    }
    let course = Course(deeds);
    course.lay(&mut Assembly::new(ground, taste))?;
    Some(course)
}

/// Whether the words of the request and what is said about rows lead to the same or better.
fn is_left_to_others(analysis: &Analysis, deeds: &[Deed]) -> bool {
    use Condition::{Changes, Join, Stack};
    let is_table = |said: &Said| matches!(said.condition, Changes | Join { .. } | Stack);
    if analysis.conditions.iter().any(is_table) {
        return true;
    }
    match deeds {
        [Deed::Show(Value::Of(Source::Files(files)))] => files.len() < 2,
        [Deed::Show(Value::Made(making, of))] => {
            let is_one = match &**of {
                Value::Of(Source::Files(files)) => files.len() == 1,
                Value::Page(..) => true,
                _ => false,
            };
            let others = matches!(
                making,
                Making::Summary(_) | Making::Keywords | Making::Count(_)
            );
            is_one && others
        }
        [Deed::Remove(Source::Files(files))] => files.len() < 2,
        [Deed::Show(Value::Page(_, form))] => *form != Form::Title,
        [Deed::List(_) | Deed::Wait(_)] | [] => true,
        [Deed::Write { value, .. } | Deed::Add { value, .. } | Deed::Mail { value, .. }] => {
            conditions::is_understood(analysis) && !matches!(value, Value::Made(..))
        }
        _ => false,
    }
}

impl Course {
    /// Adds the steps to a plan, or nothing where a tool is missing.
    pub(super) fn lay(&self, plan: &mut Assembly<'_>) -> Option<()> {
        let mut layer = Layer {
            plan,
            known: Vec::new(),
            folders: Vec::new(),
            before: Vec::new(),
            barrier: None,
        };
        for (at, deed) in self.0.iter().enumerate() {
            let later = self.0.get(at + 1..).unwrap_or_default();
            layer.deed(deed, later)?;
        }
        Some(())
    }
}

/// Lays one deed after the other.
struct Layer<'p, 'a> {
    plan: &'p mut Assembly<'a>,
    /// Texts that are there already.
    known: Vec<(Value, Text)>,
    /// Folders that were looked into already.
    folders: Vec<(Folder, String)>,
    /// The steps since the last one that all wait for.
    before: Vec<String>,
    /// The last step that changes something, or waits.
    barrier: Option<String>,
}

/// A call in the making.
#[derive(Default)]
struct Call {
    arguments: Map<String, Json>,
    bindings: Vec<Binding>,
    each: Option<Each>,
    reason: &'static str,
}

impl Layer<'_, '_> {
    fn deed(&mut self, deed: &Deed, later: &[Deed]) -> Option<()> {
        match deed {
            Deed::Show(value) => self.show(value, later),
            Deed::List(folder) => self.folder(folder).map(|_| ()),
            Deed::Write { value, to } => {
                let (place, file, content) = self.writer_for(value, *to)?;
                let text = self.written(value)?;
                self.write((place, &file, &content), *to, text)
            }
            Deed::Add { value, to } => {
                let (place, file, content) = self.writer(true)?;
                let text = self.text(value)?.whole();
                // What is added stands on lines of its own.
                self.write((place, &file, &content), *to, format!("{text}\n"))
            }
            Deed::Empty(file) => {
                let (place, path, content) = self.writer(false)?;
                self.write((place, &path, &content), *file, String::new())
            }
            Deed::Remove(source) => self.remove(source),
            Deed::Wait(milliseconds) => {
                let (place, port) = self.waiter()?;
                let mut call = Call::new("the request says to wait");
                self.input(&mut call, place, &port, json!(milliseconds));
                self.change(place, call);
                // Who waits wants to see what is there then.
                self.known.clear();
                Some(())
            }
            Deed::Mail { value, to } => self.mail(value, *to),
        }
    }

    /// Shows a text; where it goes into a file later on, that says where it is.
    fn show(&mut self, value: &Value, later: &[Deed]) -> Option<()> {
        let text = self.text(value)?;
        let goes_on = later.iter().any(|deed| match deed {
            Deed::Write { value: own, .. }
            | Deed::Add { value: own, .. }
            | Deed::Mail { value: own, .. }
            | Deed::Show(own) => holds(own, value),
            _ => false,
        });
        if goes_on || !text.is_told_apart() {
            return Some(());
        }
        let (place, port) = self.teller()?;
        let mut call = Call::new("gives what was asked for");
        call.arguments.insert(port, json!(text.whole()));
        self.look(place, call, Part::Form);
        Some(())
    }

    fn write(
        &mut self,
        (place, file, content): (Place, &str, &str),
        to: usize,
        text: String,
    ) -> Option<()> {
        let mut call = Call::new("the request says where it goes");
        call.arguments.insert(content.to_owned(), json!(text));
        self.file(&mut call, place, file, to)?;
        self.change(place, call);
        self.forget(to);
        Some(())
    }

    /// Lays a text out where the file is for that, and writes it as it is elsewhere.
    fn writer_for(&self, value: &Value, to: usize) -> Option<(Place, String, String)> {
        let entities = &self.plan.ground.analysis.entities;
        if !is_document(to, entities) || !is_prose_of(value, entities) {
            return self.writer(false);
        }
        let name = entities.get(to).map_or("", |file| file.text.as_str());
        let is_pdf = name.to_lowercase().ends_with("pdf");
        self.layouter(if is_pdf { "pdf" } else { "html" })
    }

    fn remove(&mut self, source: &Source) -> Option<()> {
        let (place, port) = self.remover()?;
        match source {
            Source::Files(files) => {
                for file in files {
                    let mut call = Call::new("the request says what is to go");
                    self.file(&mut call, place, &port, *file)?;
                    self.change(place, call);
                    self.forget(*file);
                }
            }
            Source::Each(folder) => {
                let rows = self.folder(folder)?;
                let mut call = Call::new("the request says what is to go");
                call.each = Some(Each {
                    over: rows,
                    variable: "one_file".to_owned(),
                });
                call.arguments.insert(port, json!("{{ one_file.path }}"));
                self.change(place, call);
                self.known.clear();
            }
        }
        Some(())
    }

    fn mail(&mut self, value: &Value, to: usize) -> Option<()> {
        let (place, [address, subject, body]) = self.mailer()?;
        let text = self.written(value)?;
        let recipient = self.plan.ground.analysis.entities.get(to)?.text.clone();
        let mut call = Call::new("the request says to whom it goes");
        self.input(&mut call, place, &address, json!(recipient));
        call.bindings.push(Binding {
            entities: Vec::new(),
            parameter: address,
            source: From::Request {
                entity: to,
                value: json!(recipient),
            },
            confidence: SURE,
            reason: "the recipient in the request".to_owned(),
        });
        let about = self.title(value);
        call.arguments.insert(subject, json!(about));
        call.arguments.insert(body, json!(text));
        self.change(place, call);
        Some(())
    }

    /// A text as it stands in a file or message: a figure is one on a line.
    fn written(&mut self, value: &Value) -> Option<String> {
        let text = self.text(value)?.whole();
        let is_figure = matches!(
            value,
            Value::Made(Making::Count(_), _) | Value::Likeness(..)
        );
        Some(if is_figure { format!("{text}\n") } else { text })
    }

    /// What a message about a text is called.
    fn title(&self, value: &Value) -> String {
        let entities = &self.plan.ground.analysis.entities;
        let files = |files: &[usize]| -> String {
            let names = files.iter().filter_map(|at| entities.get(*at));
            let names: Vec<&str> = names.map(|file| file.text.as_str()).collect();
            names.join(" and ")
        };
        match value {
            Value::Quoted(_) => "A message".to_owned(),
            Value::Page(page, _) => files(&[*page]),
            Value::Of(Source::Files(own)) => files(own),
            Value::Of(Source::Each(folder)) => format!("Files of {}", folder.path),
            Value::Made(Making::Summary(_), of) => format!("Summary of {}", self.title(of)),
            Value::Made(_, of) => format!("About {}", self.title(of)),
            Value::Changes(one, other) => format!("Changes between {}", files(&[*one, *other])),
            Value::Likeness(one, other) => format!("Likeness of {}", files(&[*one, *other])),
        }
    }

    /// A file or page of the request as an argument: an input of the plan.
    fn file(&mut self, call: &mut Call, place: Place, port: &str, file: usize) -> Option<()> {
        let entity = self.plan.ground.analysis.entities.get(file)?;
        let text = entity.text.clone();
        let reason = match entity.kind {
            EntityKind::Url => "the address in the request",
            _ => "the file in the request",
        };
        self.input(call, place, port, json!(text));
        self.plan.reserved.insert(file);
        call.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.to_owned(),
            source: From::Request {
                entity: file,
                value: json!(text),
            },
            confidence: SURE,
            reason: reason.to_owned(),
        });
        Some(())
    }

    fn input(&mut self, call: &mut Call, place: Place, port: &str, value: Json) {
        let step = self.plan.tool(place).map_or("", |tool| tool.id.name());
        let ports = self.plan.ports(place);
        let shape = ports
            .and_then(|ports| ports.input(port))
            .and_then(|port| self.plan.shape(place, port));
        let name = self.plan.inputs.ask(Wish {
            name: port,
            shape,
            default: Some(value),
            step,
        });
        let value = json!(format!("{{{{ input.{name} }}}}"));
        call.arguments.insert(port.to_owned(), value);
    }

    /// Adds a call that only looks. Gives its name.
    fn look(&mut self, place: Place, call: Call, part: Part) -> String {
        let follows = self.barrier.iter().cloned().collect();
        let id = self.push(place, call, part, follows);
        self.before.push(id.clone());
        id
    }

    /// Adds a call that all after it wait for, and that waits for all before it.
    fn change(&mut self, place: Place, call: Call) {
        let mut follows = std::mem::take(&mut self.before);
        follows.extend(self.barrier.take());
        let id = self.push(place, call, Part::Core, follows);
        self.barrier = Some(id);
        self.folders.clear();
    }

    /// What was read of a file that is changed is another text by now.
    fn forget(&mut self, file: usize) {
        let entities = &self.plan.ground.analysis.entities;
        let text = |at: usize| entities.get(at).map(|entity| entity.text.as_str());
        let is_other = |at: &usize| text(*at) != text(file);
        // What was made of its old text stays what it was.
        self.known.retain(|(value, _)| match value {
            Value::Of(Source::Files(files)) => files.iter().all(is_other),
            Value::Of(Source::Each(_)) => false,
            Value::Quoted(_) | Value::Made(..) | Value::Page(..) => true,
            Value::Changes(one, other) | Value::Likeness(one, other) => {
                is_other(one) && is_other(other)
            }
        });
    }

    fn push(&mut self, place: Place, call: Call, part: Part, follows: Vec<String>) -> String {
        let over = call.each.as_ref().map_or("", |each| each.over.as_str());
        let given = format!("{} {over}", Json::Object(call.arguments.clone()));
        let names = given.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let follows = follows
            .into_iter()
            .filter(|id| !names.clone().any(|name| name == id));
        let follows = follows.collect();
        let tool = self.plan.tool(place);
        let result = call.each.as_ref().and(tool).map(|tool| {
            let schema = &tool.output_schema;
            super::assembly::list_of(schema)
        });
        let node = Node {
            place,
            id: String::new(),
            arguments: call.arguments,
            bindings: call.bindings,
            reason: call.reason.to_owned(),
            each: call.each,
            result,
            part,
            capability: None,
            domain: None,
            read: rustc_hash::FxHashSet::default(),
            optional: true,
            may_fail: false,
            goes_on: false,
            follows,
        };
        let at = self.plan.push(place, node);
        let id = self.plan.nodes.get(at).map(|node| node.id.clone());
        id.unwrap_or_default()
    }

    /// The files of a folder as rows with their paths.
    fn folder(&mut self, folder: &Folder) -> Option<String> {
        let known = self.folders.iter().find(|(own, _)| own == folder);
        if let Some((_, rows)) = known {
            return Some(rows.clone());
        }
        let rows = match &folder.holds {
            Some(text) => self.found(folder, text),
            None => self.listed(folder),
        }?;
        self.folders.push((folder.clone(), rows.clone()));
        Some(rows)
    }
}

impl Call {
    fn new(reason: &'static str) -> Self {
        Self {
            reason,
            ..Self::default()
        }
    }
}

/// Whether one text is made of another.
fn holds(value: &Value, part: &Value) -> bool {
    value == part || matches!(value, Value::Made(_, of) if holds(of, part))
}
