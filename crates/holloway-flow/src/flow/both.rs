//! What if one request needs our own tools and tools of other people? It comes apart between two
//! goals; one side is planned by its frame, the other over tools that do not say what they do, and
//! the second side goes on with the result of the first.

use std::sync::Arc;

use holloway_plan::step::Step;
use holloway_plan::tool::{Lookup, ToolSpec};
use holloway_planner::assemble::Account;
use holloway_planner::bind::Source;
use holloway_planner::catalogue::ports::{Ports, Role};
use holloway_planner::drafts::Drafted;
use holloway_planner::frame::Frame;
use holloway_planner::frame::scene::{Before, Column, Holds};
use holloway_planner::read::choose::Understood;
use holloway_planner::read::request::RequestText;
use serde_json::{Value, json};

use super::own::finish;
use super::{Heard, Planner};

/// A request in two, and where the second half begins.
struct Halves {
    first: RequestText,
    second: RequestText,
    at: usize,
}

/// What a plan of ours hands on to a tool of other people.
struct Carried {
    /// `group.rows[0].count`, or `report_write.path`.
    path: String,
    kind: Carry,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Carry {
    Text,
    Number,
    /// The only cell of a table.
    Figure,
    Rows,
}

impl Planner {
    /// Plans in which both kinds of tools take part; nothing where one kind does everything, or no
    /// side accounts for its part.
    pub(super) fn over_both(
        &self,
        whole: &Heard,
        request: &RequestText,
    ) -> Option<(Heard, Vec<Drafted>)> {
        self.others.as_ref()?;
        let mut halves = request.halves().into_iter();
        let (mut heard, mut drafts) = halves.find_map(|(first, second, at)| {
            let halves = Halves { first, second, at };
            self.own_first(&halves).or_else(|| self.own_last(&halves))
        })?;
        heard.understood.frame.constraints = whole.understood.frame.constraints;
        finish(&mut drafts, &heard, request);
        Some((heard, drafts))
    }

    /// "How many orders are open in orders.csv? Post the number to the team."
    fn own_first(&self, halves: &Halves) -> Option<(Heard, Vec<Drafted>)> {
        let own = sound(halves.first.understand(&self.scene, &[]))?;
        let others = halves.second.others();
        let begun = self.by_frame(&own, &self.scene);
        let goes_on = complete(self.over_others(&others));
        let drafts = pairs(complete(begun), goes_on);
        let drafts: Option<Vec<Drafted>> = drafts
            .into_iter()
            .map(|(begun, goes_on)| self.handed_on(begun, goes_on, &own.frame))
            .collect();
        let mut frame = own.frame.clone();
        frame.append(others, halves.at);
        heard(frame, &own, drafts?)
    }

    /// "Fetch the open tickets of the shop and save them as tickets.csv."
    fn own_last(&self, halves: &Halves) -> Option<(Heard, Vec<Drafted>)> {
        let others = halves.first.others();
        let begun = complete(self.over_others(&others));
        let model = begun.first()?;
        let mut scene = self.scene.clone();
        scene.before = Some(self.before(model)?);
        let own = sound(halves.second.understand(&scene, &[]))?;
        let goes_on_with_it = own.frame.goals.first()?;
        if goes_on_with_it.has("sources") {
            return None;
        }
        let drafts = pairs(begun, complete(self.by_frame(&own, &scene)));
        let goals = others.goals.len();
        let drafts = drafts.into_iter();
        let drafts = drafts.map(|(begun, goes_on)| joined(begun, goes_on, goals));
        let drafts: Option<Vec<Drafted>> = drafts.collect();
        let mut frame = others;
        frame.append(own.frame.clone(), halves.at);
        heard(frame, &own, drafts?)
    }

    /// A plan of ours, and after it one that takes its answer for the one thing it has to be told.
    fn handed_on(&self, begun: Drafted, mut goes_on: Drafted, own: &Frame) -> Option<Drafted> {
        let [open] = goes_on.open_inputs.as_slice() else {
            return None;
        };
        let open = open.clone();
        let schema = goes_on.draft.input.as_mut()?.get_mut("properties")?;
        let wanted = schema.as_object_mut()?.remove(&open)?;
        let carried = self.carried(&begun, own)?;
        let asked = json!(format!("{{{{ input.{open} }}}}"));
        let (step, parameter) = asking(&goes_on.draft.steps, &asked)?;
        let tool = self.tool_of(step)?;
        let ports = Ports::of(&tool);
        let port = ports.input(&parameter)?;
        let value = carried.value(wanted.get("type").and_then(Value::as_str)?, port.role)?;
        put(&mut goes_on.draft.steps, &asked, &value);
        if schema.as_object()?.is_empty() {
            goes_on.draft.input = None;
        } else {
            let required = goes_on.draft.input.as_mut()?.get_mut("required")?;
            required.as_array_mut()?.retain(|name| *name != open);
        }
        goes_on.open_inputs.clear();
        let (step, path) = carried.path.split_once('.').unwrap_or((&carried.path, ""));
        for note in &mut goes_on.steps {
            for binding in &mut note.bindings {
                if matches!(&binding.source, Source::Input { name } if *name == open) {
                    binding.source = Source::Earlier {
                        step: step.to_owned(),
                        path: path.to_owned(),
                    };
                    "the result so far".clone_into(&mut binding.reason);
                }
            }
        }
        joined(begun, goes_on, own.goals.len())
    }

    /// The one answer of a plan, by what its last tool says that it gives. A file is not handed on.
    fn carried(&self, begun: &Drafted, own: &Frame) -> Option<Carried> {
        let goal = own.goals.last().filter(|goal| !goal.has("target"))?;
        let [path] = begun.draft.answer.as_slice() else {
            return None;
        };
        let schema = self.schema_at(&begun.draft.steps, path)?;
        let splits = goal.has("group") || goal.has("period");
        let is_figure = goal.all("measures").count() == 1 && !splits;
        let kind = match schema.get("type").and_then(Value::as_str)? {
            "string" => Carry::Text,
            "integer" | "number" => Carry::Number,
            "array" if is_figure => Carry::Figure,
            "array" => Carry::Rows,
            _ => return None,
        };
        Some(Carried {
            path: path.clone(),
            kind,
        })
    }

    /// What is said of a place in the result of a step: `group.rows`.
    fn schema_at(&self, steps: &[Step], path: &str) -> Option<Value> {
        let mut names = path.split('.');
        let id = names.next()?;
        let step = steps.iter().find(|step| step.id == id)?;
        let mut schema = self.tool_of(step)?.output_schema.clone();
        for name in names {
            schema = schema.get("properties")?.get(name)?.clone();
        }
        Some(schema)
    }

    fn tool_of(&self, step: &Step) -> Option<Arc<ToolSpec>> {
        match self.catalogue.table().find(step.tool.as_deref()?) {
            Lookup::Found(tool) => Some(tool),
            _ => None,
        }
    }

    /// What a plan over tools of other people gives, where its last tool says so: rows, or a text.
    fn before(&self, begun: &Drafted) -> Option<Before> {
        let last = begun.draft.steps.last()?;
        let tool = self.tool_of(last)?;
        let fields = tool.output_schema.get("properties")?.as_object()?;
        let of_type = |wanted: &str| {
            let mut fitting = fields
                .iter()
                .filter(|(_, schema)| schema.get("type").and_then(Value::as_str) == Some(wanted));
            let first = fitting.next();
            first.filter(|_| fitting.next().is_none())
        };
        let steps = begun.draft.steps.iter().map(|step| step.id.clone());
        let before = |kind: &str, name: &str| Before {
            kind: kind.to_owned(),
            reference: format!("{}.{name}", last.id),
            steps: steps.clone().collect(),
            ..Before::default()
        };
        let is_rows = |schema: &Value| schema.pointer("/items/type") == Some(&json!("object"));
        if let Some((name, schema)) = of_type("array").filter(|(_, schema)| is_rows(schema)) {
            return Some(Before {
                columns: columns(schema),
                ..before("table", name)
            });
        }
        let (name, _) = of_type("string")?;
        Some(before("text.text", name))
    }
}

impl Carried {
    /// As an argument of this type; nothing where it is no place for it.
    fn value(&self, wanted: &str, role: Role) -> Option<Value> {
        let path = &self.path;
        let through = |filters: &[&str]| [&[path.as_str()], filters].concat().join(" | ");
        let first = ["first", "dictsort", "first", "last"];
        let expression = match (self.kind, wanted) {
            (Carry::Text, "string") if role == Role::Text => path.clone(),
            (Carry::Number, "string") if role == Role::Text => through(&["string"]),
            (Carry::Figure, "string") if role == Role::Text => {
                through(&[&first[..], &["string"]].concat())
            }
            (Carry::Rows, "string") if role == Role::Text => through(&["tojson"]),
            (Carry::Number, "number" | "integer") => path.clone(),
            (Carry::Figure, "number" | "integer") => through(&first),
            (Carry::Rows, "array") => path.clone(),
            _ => return None,
        };
        Some(json!(format!("{{{{ {expression} }}}}")))
    }
}

/// A reading that accounts for every word.
fn sound(understood: Understood) -> Option<Understood> {
    let frame = &understood.frame;
    let whole = understood.troubles.is_empty()
        && frame.doubtful.is_empty()
        && frame.no_plan.is_none()
        && !frame.goals.is_empty();
    whole.then_some(understood)
}

/// Drafts that do all that was asked of them.
fn complete(drafts: Vec<Drafted>) -> Vec<Drafted> {
    let whole = |drafted: &Drafted| drafted.missing.is_empty() && drafted.unused.is_empty();
    drafts.into_iter().filter(whole).collect()
}

/// Drafts of the same strategy.
fn pairs(begun: Vec<Drafted>, goes_on: Vec<Drafted>) -> Vec<(Drafted, Drafted)> {
    let pair = |begun: Drafted| {
        let mut others = goes_on.iter();
        let same = others.find(|other| other.strategy == begun.strategy)?;
        Some((begun, same.clone()))
    };
    begun.into_iter().filter_map(pair).collect()
}

/// The step that waits for an input, and the argument that takes it.
fn asking<'a>(steps: &'a [Step], asked: &Value) -> Option<(&'a Step, String)> {
    steps.iter().find_map(|step| {
        let mut arguments = step.input.as_ref()?.as_object()?.iter();
        let (name, _) = arguments.find(|(_, value)| *value == asked)?;
        Some((step, name.clone()))
    })
}

fn put(steps: &mut [Step], asked: &Value, value: &Value) {
    let inputs = steps.iter_mut().filter_map(|step| step.input.as_mut());
    for input in inputs.filter_map(Value::as_object_mut) {
        for argument in input.values_mut().filter(|argument| *argument == asked) {
            argument.clone_from(value);
        }
    }
}

/// The columns that a schema promises for each row.
fn columns(rows: &Value) -> Vec<Column> {
    let fields = rows.pointer("/items/properties").and_then(Value::as_object);
    let column = |(name, schema): (&String, &Value)| Column {
        name: name.clone(),
        holds: match schema.get("type").and_then(Value::as_str) {
            Some("integer" | "number") => Holds::Numbers,
            _ => Holds::Texts,
        },
        ..Column::default()
    };
    fields.into_iter().flatten().map(column).collect()
}

/// One plan after the other as one; nothing where steps of both have the same name.
fn joined(begun: Drafted, goes_on: Drafted, goals: usize) -> Option<Drafted> {
    let Drafted {
        draft: mut all,
        mut steps,
        mut coverage,
        mut serves,
        mut inferred,
        mut open_inputs,
        fit,
        ..
    } = begun;
    let is_known = |step: &Step| all.steps.iter().any(|known| known.id == step.id);
    if goes_on.draft.steps.iter().any(is_known)
        || all.input.is_some() && goes_on.draft.input.is_some()
    {
        return None;
    }
    all.steps.extend(goes_on.draft.steps);
    all.input = all.input.or(goes_on.draft.input);
    all.answer = goes_on.draft.answer;
    steps.extend(goes_on.steps);
    coverage.extend(goes_on.coverage);
    inferred.extend(goes_on.inferred);
    open_inputs.extend(goes_on.open_inputs);
    serves.extend(goes_on.serves.into_iter().map(|account| Account {
        goal: account.goal + goals,
        ..account
    }));
    Some(Drafted {
        draft: all,
        steps,
        coverage,
        serves,
        inferred,
        open_inputs,
        fit: fit * goes_on.fit,
        ..Drafted::none(&goes_on.strategy)
    })
}

/// Both sides as one reading, where there is a plan.
fn heard(frame: Frame, own: &Understood, drafts: Vec<Drafted>) -> Option<(Heard, Vec<Drafted>)> {
    let heard = Heard {
        understood: Understood {
            frame,
            troubles: Vec::new(),
            ..own.clone()
        },
        others: Frame::default(),
    };
    (!drafts.is_empty()).then_some((heard, drafts))
}
