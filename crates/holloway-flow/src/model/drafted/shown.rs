//! Which step shows a part of a request? Where a tool declares which argument serves it, that argument
//! must say the same; elsewhere names and values must be written, with a sign of what is done to them.

use holloway_plan::tool::does::{Does, Serves};
use holloway_planner::frame::acts::Acts;
use holloway_planner::frame::{Goal, Part};
use serde_json::Value;

use super::calls::Call;
use super::conditions::{Atom, atoms, plain};
use super::declared::slots;
use super::signs::{Signs, is_sign};
use super::texts::{TEXTS, Ways, texts};

/// What the declared arguments of a plan say of one part.
enum Declares<'a> {
    Same(&'a Call),
    /// They speak of the same thing and say something else.
    Otherwise,
    Nothing,
}

/// All calls of a plan, and what it names as its answer.
pub(super) struct Shown<'a> {
    pub(super) calls: &'a [Call],
    pub(super) answer: &'a str,
}

impl<'a> Shown<'a> {
    /// The call that shows a part, if one does.
    pub(super) fn call_of(&self, part: &Part, goal: &Goal) -> Option<&'a Call> {
        match self.declared(part) {
            Declares::Same(call) => self.reads(call, part, goal).then_some(call),
            Declares::Otherwise => None,
            Declares::Nothing => self.written(part, goal),
        }
    }

    /// Where one tool gives several figures, whether the one that is wanted is read.
    fn reads(&self, call: &Call, part: &Part, goal: &Goal) -> bool {
        let Some(wanted) = word(&part.value) else {
            return true;
        };
        let lines = call.tool.does.iter().filter(|does| does.act == goal.act);
        let (of_it, others): (Vec<&Does>, Vec<&Does>) = lines.partition(|does| {
            let always = |serves: &Serves| matches!(serves, Serves::Always { slot, value } if *slot == part.slot && *value == wanted);
            does.slots.iter().any(always)
        });
        let read = |does: &&Does| {
            let field = does.gives.as_ref().map_or("", |gives| gives.field.as_str());
            let path = format!("{}.{field}", call.step).to_lowercase();
            let mut texts = self
                .calls
                .iter()
                .map(|call| call.written.as_str())
                .chain([self.answer]);
            !field.is_empty() && texts.any(|text| is_sign(&path, text))
        };
        of_it.is_empty() || of_it.iter().any(read) || !others.iter().any(read)
    }

    fn declared(&self, part: &Part) -> Declares<'a> {
        let value = &part.value;
        let has = |field: &str| value.get(field).is_some();
        if part.slot == "filters" && has("op") {
            return self.condition(part);
        }
        if has("function") {
            return self.by(
                part,
                |said| same_figure(value, said),
                |said| speaks_of(value, said),
            );
        }
        if part.slot == "order" {
            return self.by(part, |said| is_down(said) == is_down(value), |_| true);
        }
        if value == &Value::Bool(true) {
            return self.flag(part);
        }
        if let Some(wanted) = numbers(value) {
            let same = |said: &Value| numbers(said).is_some_and(|said| holds(&said, &wanted));
            return self.by(part, same, |said| numbers(said).is_some());
        }
        match word(value) {
            Some(wanted) => self.by(
                part,
                |said| is_word(said, &wanted),
                |said| word(said).is_some() && !is_text(&part.slot),
            ),
            None => Declares::Nothing,
        }
    }

    /// What is declared for the slot of a part: the same, or something else about the same.
    fn by(
        &self,
        part: &Part,
        same: impl Fn(&Value) -> bool,
        about: impl Fn(&Value) -> bool,
    ) -> Declares<'a> {
        let said = |call: &'a Call| call.declared.iter().filter(|one| one.slot == part.slot);
        let mut calls = self.calls.iter();
        if let Some(call) = calls.find(|call| said(call).any(|one| same(&one.value))) {
            return Declares::Same(call);
        }
        let mut all = self.calls.iter().flat_map(said);
        let open = self.calls.iter().any(|call| call.open.contains(&part.slot));
        if !open && all.any(|one| about(&one.value)) {
            return Declares::Otherwise;
        }
        Declares::Nothing
    }

    /// What is to be done at all: an argument, or the choice of the tool.
    fn flag(&self, part: &Part) -> Declares<'a> {
        let said = |value: &Value| value == &Value::Bool(true) || value.as_str() == Some("true");
        let mut tools = self.calls.iter().map(|call| &call.tool);
        let is_rows = Acts::table().slot(&part.slot).is_some_and(|slot| slot.rows);
        match self.by(part, said, |_| false) {
            // Rows can be chosen in an expression as well.
            Declares::Nothing
                if !is_rows && tools.any(|tool| slots(tool).any(|slot| slot == part.slot)) =>
            {
                Declares::Otherwise
            }
            declares => declares,
        }
    }

    /// Conditions of several steps may say together what one part says.
    fn condition(&self, part: &Part) -> Declares<'a> {
        let wanted = atoms(&part.value);
        let of = |call: &'a Call| call.says("filters").flat_map(|one| atoms(&one.value));
        let says = |call: &'a Call, atom: &Atom| of(call).any(|said| atom.is_said_by(&said));
        let all = wanted
            .iter()
            .all(|atom| self.calls.iter().any(|call| says(call, atom)));
        if !wanted.is_empty() && all {
            let mut calls = self.calls.iter();
            let first = calls.find(|call| wanted.iter().any(|atom| says(call, atom)));
            return first.map_or(Declares::Nothing, Declares::Same);
        }
        let near = |said: &Atom| wanted.iter().any(|atom| atom.column == said.column);
        let open = self
            .calls
            .iter()
            .any(|call| call.open.iter().any(|slot| slot == "filters"));
        if !open && self.calls.iter().flat_map(of).any(|said| near(&said)) {
            return Declares::Otherwise;
        }
        Declares::Nothing
    }

    /// By what is written: names and values in one step, or spread over several, and a sign.
    fn written(&self, part: &Part, goal: &Goal) -> Option<&'a Call> {
        let texts = texts(part);
        // What a call declares of conditions and figures was compared already.
        let judged = ["op", "function"]
            .iter()
            .any(|field| part.value.get(field).is_some());
        let free = || {
            let open = move |call: &&'a Call| !judged || call.says(&part.slot).next().is_none();
            self.calls.iter().filter(open)
        };
        let has = |call: &Call, ways: &Ways| ways.iter().any(|text| call.has(text));
        let signed = |call: &&'a Call| self.signed(part, goal, call);
        if texts.is_empty() {
            let does = |call: &&'a Call| call.acts.contains(&goal.act);
            let doing = self.calls.iter().filter(does).find(signed);
            return doing.or_else(|| self.calls.iter().rfind(signed));
        }
        let whole = |call: &&'a Call| texts.iter().all(|ways| has(call, ways));
        if let Some(call) = free().filter(whole).find(signed) {
            return Some(call);
        }
        let together = texts.iter().all(|ways| free().any(|call| has(call, ways)));
        let mut some = free().filter(|call| texts.iter().any(|ways| has(call, ways)));
        some.find(signed).filter(|_| together)
    }

    /// Whether a call, or what the plan names as its answer, has a sign of what is done.
    fn signed(&self, part: &Part, goal: &Goal, call: &Call) -> bool {
        let value = &part.value;
        let text = |field: &str| value.get(field).and_then(Value::as_str);
        let signs = Signs::table();
        let undeclared = call.says(&part.slot).next().is_none();
        let seen =
            |sign: &dyn Fn(&str) -> bool| undeclared && sign(&call.written) || sign(self.answer);
        match part.slot.as_str() {
            "filters" => match text("op") {
                Some("eq" | "in") | None => !signs.denies(&around(call, &texts(part))),
                Some(op) => signs.operator(op, &call.written),
            },
            "measures" => {
                text("function").is_none_or(|name| seen(&|text| signs.figure(name, text)))
            }
            "order" => {
                is_own(goal, call, "order") || seen(&|text| signs.order(is_down(value), text))
            }
            "distinct" => is_own(goal, call, "distinct") || seen(&|text| signs.distinct(text)),
            "compute" => is_reckoned(value, call),
            "form" => value.as_str().is_none_or(|form| makes(call, form)),
            _ => match numbers(value) {
                Some(wanted) => wanted
                    .iter()
                    .all(|number| seen(&|text| signs.number(*number, text))),
                None => true,
            },
        }
    }
}

/// A tool that does the very act of the goal and has no argument for this does it by itself.
fn is_own(goal: &Goal, call: &Call, slot: &str) -> bool {
    let core = Acts::table().act(&goal.act).is_some_and(|act| act.core);
    core && call.acts.contains(&goal.act) && !slots(&call.tool).any(|known| known == slot)
}

/// Free texts and dates are written in many ways.
fn is_text(slot: &str) -> bool {
    TEXTS.contains(&slot)
        || matches!(
            slot,
            "sources" | "target" | "form" | "day" | "since" | "until"
        )
}

/// A single word of a part: a choice, a column, a period.
fn word(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text,
        Value::Object(fields) => {
            let field = ["period", "column"]
                .iter()
                .find_map(|name| fields.get(*name));
            field?.as_str()?
        }
        _ => return None,
    };
    Some(text.to_lowercase())
}

/// Whether a declared word is this one, or one of its kinds: `security.tls-check`.
fn is_word(said: &Value, wanted: &str) -> bool {
    let Some(said) = word(said) else {
        return false;
    };
    let kind = |said: &str| {
        said.strip_prefix(wanted)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    said == wanted || kind(&said) || plain(&said) == plain(wanted) && !plain(wanted).is_empty()
}

/// Numbers of a part that says nothing else: `{rows: 3}`, `12`.
fn numbers(value: &Value) -> Option<Vec<i64>> {
    match value {
        Value::Number(number) => Some(vec![number.as_i64()?]),
        Value::Object(fields) => {
            let numbers: Vec<i64> = fields.values().filter_map(Value::as_i64).collect();
            (!numbers.is_empty() && !fields.values().any(Value::is_string)).then_some(numbers)
        }
        _ => None,
    }
}

fn holds(said: &[i64], wanted: &[i64]) -> bool {
    wanted.iter().all(|number| said.contains(number))
}

fn is_down(value: &Value) -> bool {
    value.get("descending").and_then(Value::as_bool) == Some(true)
}

fn figure(value: &Value) -> (String, String) {
    let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
    (text("function").to_lowercase(), plain(text("column")))
}

/// Rows are counted by any column.
fn same_figure(wanted: &Value, said: &Value) -> bool {
    let ((function, column), (other, of)) = (figure(wanted), figure(said));
    function == other && (column == of || column.is_empty())
}

fn speaks_of(wanted: &Value, said: &Value) -> bool {
    let ((_, column), (_, of)) = (figure(wanted), figure(said));
    column == of
}

/// The arguments that have the texts of a part.
fn around(call: &Call, texts: &[Ways]) -> String {
    let mut strings = Vec::new();
    strings_of(&call.input, &mut strings);
    strings.retain(|one| {
        texts
            .iter()
            .flatten()
            .any(|text| one.contains(text.as_str()))
    });
    strings.join(" ")
}

/// Texts of arguments, in lower case.
fn strings_of(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.to_lowercase()),
        Value::Array(items) => items.iter().for_each(|item| strings_of(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| strings_of(field, found)),
        _ => {}
    }
}

/// Whether an expression reckons a new column: both sides and the sign between them.
fn is_reckoned(value: &Value, call: &Call) -> bool {
    let side = |field: &str| match value.get(field)? {
        Value::String(text) => Some(text.to_lowercase()),
        other => Some(other.to_string()),
    };
    let parts = [side("left"), side("op"), side("right")];
    let mut strings = Vec::new();
    strings_of(&call.input, &mut strings);
    let has = |text: &String| {
        parts
            .iter()
            .flatten()
            .all(|part| text.contains(part.as_str()))
    };
    parts.iter().flatten().next().is_none() || strings.iter().any(has)
}

/// Whether a call makes a file of a form, by its name or by what the tool gives.
fn makes(call: &Call, form: &str) -> bool {
    let kind = Acts::table().kind_of_file(Some(form));
    let bare = kind.trim_start_matches("file.");
    let mut gives = call.tool.does.iter().filter_map(|does| does.gives.as_ref());
    gives.any(|gives| matches!(gives.kinds.as_slice(), [only] if *only == kind || only == bare))
        || call.written.contains(&format!(".{form}\""))
}
