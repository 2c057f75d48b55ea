//! How is a task done whose act is known? As in every frame: checked against what is there, then
//! laid out over the tools that say what they do, from what it names or from the result of a
//! task before it. Where that does not serve all of it, the task is left to the search.

use std::sync::Arc;

use holloway_plan::step::Step;
use holloway_plan::tool::ToolSpec;
use holloway_search::rank::Health;
use serde_json::Value;

use super::{BindError, BoundTask, Place};
use crate::advanced::obstacle::falls_short;
use crate::assemble::Account;
use crate::drafts::{Drafted, drafted};
use crate::frame::acts::{Act, Acts};
use crate::frame::scene::{Before, File, Scene, ending};
use crate::frame::{Frame, OTHER};
use crate::read::check::{Trouble, check};
use crate::settings::{GenerateSettings, Strategy};

/// The kind of what is there where nothing is.
const NOTHING: &str = "nothing";

impl Place<'_> {
    pub(super) fn by_act(&self) -> Result<Option<BoundTask>, BindError> {
        let act = Acts::table().act(&self.goal.act);
        let Some(act) = act.filter(|_| self.goal.act != OTHER) else {
            return Ok(None);
        };
        let names_sources = self.goal.has("sources");
        let results = self.givers().filter_map(result);
        let results = results.filter(|_| !names_sources).map(Some);
        for before in results.chain([None]) {
            let Some(frame) = self.checked(before.as_ref())? else {
                continue;
            };
            let Some(drafted) = self.laid(&frame, before) else {
                continue;
            };
            if let Some(bound) = self.bound(drafted, act) {
                return Ok(Some(bound));
            }
        }
        Ok(None)
    }

    /// The goal as a frame of its own, where nothing is open in it.
    fn checked(&self, before: Option<&Before>) -> Result<Option<Frame>, BindError> {
        let mut scene = self.at_hand.scene.cloned().unwrap_or_default();
        scene.files.extend(self.made_before(&scene));
        scene.before = before.cloned();
        let mut frame = Frame {
            goals: vec![self.goal.clone()],
            ..Frame::default()
        };
        let mut troubles = check(&mut frame, &scene).into_iter();
        match troubles.next() {
            None => Ok(Some(frame)),
            Some(Trouble::Unfit { about }) if self.at_hand.scene.is_some() => {
                Err(BindError::Unfit {
                    task: self.task.task.id.clone(),
                    about,
                })
            }
            Some(_) => Ok(None),
        }
    }

    /// Files that are not there yet, but will be: tasks before name them. Where nobody looked,
    /// all that are named.
    fn made_before(&self, scene: &Scene) -> Vec<File> {
        let named = |path: &&str| {
            let has = |value: &Value| value.as_str() == Some(path);
            let mut before = self.before.iter().flat_map(|task| &task.steps);
            before.any(|step| {
                let input = step.input.as_ref().and_then(Value::as_object);
                input.is_some_and(|input| input.values().any(has))
            })
        };
        let paths = self.goal.all("sources");
        let paths = paths.filter_map(|part| part.text("path"));
        let paths = paths.filter(|path| scene.file(path).is_none());
        let paths = paths.filter(|path| self.at_hand.scene.is_none() || named(path));
        let file = |path: &str| File {
            name: path.to_owned(),
            ..File::default()
        };
        paths.map(file).collect()
    }

    /// Lays the goal out; steps of other tasks keep their names.
    fn laid(&self, frame: &Frame, before: Option<Before>) -> Option<Drafted> {
        let own = self.sequenced.iter().map(|task| task.step.clone());
        let laid = self.before.iter().flat_map(|task| &task.steps);
        let taken = own.chain(laid.map(|step| step.id.clone())).collect();
        let nothing = || Before {
            kind: NOTHING.to_owned(),
            ..Before::default()
        };
        let scene = Scene {
            before: Some(Before {
                steps: taken,
                ..before.unwrap_or_else(nothing)
            }),
            ..self.at_hand.scene.cloned().unwrap_or_default()
        };
        let strategy = Strategy {
            name: String::new(),
            steps: usize::MAX,
            prefers: self.task.priority,
        };
        let here = GenerateSettings {
            folder: String::new(),
            ..GenerateSettings::default()
        };
        let settings = self.at_hand.settings.unwrap_or(&here);
        let drafted = drafted(frame, &scene, &self.tools(), &strategy, settings)?;
        let whole = drafted.missing.is_empty();
        let served = drafted.serves.iter().all(|account| account.step.is_some());
        // A task is bound by what tools declare; the others are searched for.
        let declared = drafted.inferred.is_empty();
        (whole && served && declared).then_some(drafted)
    }

    /// The named tool with those that help, or all that work.
    fn tools(&self) -> Vec<Arc<ToolSpec>> {
        let registry = self.at_hand.registry;
        let named = self.task.task.named(registry);
        let helps = |tool: &ToolSpec| {
            let mut acts = tool.does.iter();
            acts.all(|does| Acts::table().act(&does.act).is_some_and(|act| act.helps))
        };
        let tools = registry.tools().filter(|(place, tool)| {
            let works = registry.repute(*place).health != Health::Broken;
            works && named.is_none_or(|named| named.id == tool.id || helps(tool))
        });
        tools.map(|(_, tool)| Arc::clone(tool)).collect()
    }

    /// The drafted steps as those of the task: the last one has its name.
    fn bound(&self, drafted: Drafted, act: &Act) -> Option<BoundTask> {
        let registry = self.at_hand.registry;
        let mut steps = drafted.draft.steps;
        let last = steps.last().map(|step| step.id.clone())?;
        for step in &mut steps {
            let call = if step.step.is_some() {
                step.step.as_deref_mut()?
            } else {
                &mut *step
            };
            call.tool = Some(self.tool(call.tool.as_deref()?)?.id.to_string());
            step.depends_on.extend(self.task.after.iter().cloned());
        }
        let step = steps.last_mut()?;
        step.id.clone_from(&self.task.step);
        let call = step.step.as_deref().unwrap_or(step).tool.clone()?;
        let tool = self.tool(&call)?;
        let task = &self.task.task;
        let named = task.named(registry);
        let short = task.output.as_ref();
        let short = short.and_then(|wanted| falls_short(&tool.output_schema, wanted));
        if named.is_some_and(|named| named.id != tool.id) || short.is_some() {
            return None;
        }
        let mut serves = self.accounts(&steps);
        serves.extend(drafted.serves.into_iter().map(|account| Account {
            goal: self.number,
            step: account.step.map(|step| match step {
                step if step == last => self.task.step.clone(),
                step => step,
            }),
            ..account
        }));
        let mut notes = drafted.steps;
        let own = notes.pop();
        for note in &mut notes {
            note.tool = self.tool(&note.tool)?.id.to_string();
        }
        Some(BoundTask {
            tool: Arc::clone(tool),
            steps,
            bindings: own.map(|note| note.bindings).unwrap_or_default(),
            helpers: notes,
            serves,
            open: Vec::new(),
            score: drafted.fit,
            reason: match named {
                Some(_) => "named with the task".to_owned(),
                None => format!("it says that it does this: {}", act.about),
            },
            passed_over: self.not_at_hand(),
            undone: self.undone.clone(),
            act: Some(self.goal.act.clone()),
            sequenced: self.task.clone(),
        })
    }

    /// What serves the act, and the things that it is done to.
    fn accounts(&self, steps: &[Step]) -> Vec<Account> {
        let own = Some(self.task.step.as_str());
        let act = self.account("act", &self.goal.said.text, own, None);
        let sources = self.goal.all("sources").map(|part| {
            let fields = part.value.as_object();
            let value = fields.and_then(|fields| fields.values().next());
            let takes = steps.iter().find_map(|step| {
                let call = step.step.as_deref().unwrap_or(step);
                let input = call.input.as_ref()?.as_object()?;
                let (name, _) = input.iter().find(|(_, own)| Some(*own) == value)?;
                Some((step.id.as_str(), name.as_str()))
            });
            let (step, argument) = takes.unzip();
            Account {
                value: Some(part.value.clone()),
                // A list is gone through item by item.
                ..self.account("sources", &part.said.text, step.or(own), argument)
            }
        });
        std::iter::once(act).chain(sources).collect()
    }
}

/// What a task gives, where its tool says so.
fn result(task: &BoundTask) -> Option<Before> {
    let same = |act: &str| task.act.as_ref().is_none_or(|own| own == act);
    let mut gives = task.tool.does.iter().filter(|does| same(&does.act));
    let gives = gives.find_map(|does| does.gives.as_ref())?;
    if gives.many || gives.field.contains("[]") || task.is_loop() {
        return None;
    }
    let kind = gives.kinds.first()?;
    let kind = match kind.strip_suffix(".*") {
        Some(wide) => wide_of(task, wide),
        None => kind.clone(),
    };
    let step = &task.sequenced.step;
    let reference = match gives.field.as_str() {
        "" => step.clone(),
        field => format!("{step}.{field}"),
    };
    Some(Before {
        kind,
        reference,
        ..Before::default()
    })
}

/// A text keeps the form of the file it was read from.
fn wide_of(task: &BoundTask, wide: &str) -> String {
    let arguments = task
        .arguments()
        .into_iter()
        .flat_map(|input| input.values());
    let ending = arguments.filter_map(Value::as_str).find_map(ending);
    let kind = Acts::table().kind_of_file(ending.as_deref());
    match kind.split_once('.') {
        Some((_, narrow)) => format!("{wide}.{narrow}"),
        None => wide.to_owned(),
    }
}
