//! What did a run bring in? The files it made, what it left out, and the sentence that
//! answers the request; noted while the entries go by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use holloway_engine::entry::{Entry, EntryKind, Origin, Stored};
use holloway_engine::retained::Retained;
use holloway_plan::tool::Effect;
use serde::Serialize;
use serde_json::Value;

/// How deep in a result the summing-up sentence is looked for.
const DEPTH: usize = 2;
/// What sums up a result, by the names that tools commonly use.
const FIGURES: [&str; 6] = ["score", "grade", "total", "direction", "value", "answer"];
const COUNTS: [&str; 1] = ["count"];
/// How many figures, counts and steps that were left out are kept of each.
const KEPT: usize = 20;
/// How many of the first actions are told.
const ACTIONS: usize = 3;

/// What a run brought in.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Harvest {
    /// In the words of the last step that sums up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The figures that steps gave, in order: `seo_score: score 58.7, grade F`.
    pub figures: Few<String>,
    /// What is to be done first, where a result lists actions.
    pub actions: Vec<String>,
    /// Files that were written, in order.
    pub files: Vec<String>,
    /// Steps that did not run or whose failure was passed over, and why.
    pub skipped: Few<Skipped>,
    /// How many of what each step had: `prices_collect: count 2700`.
    pub counts: Few<String>,
    /// A call that changes something was made.
    #[serde(skip)]
    pub changed: bool,
    /// A result was made up, as in a dry run; what came after it may rest on it.
    #[serde(skip)]
    pub made_up: bool,
    /// Steps with a result too large to be told with its end.
    #[serde(skip)]
    pub large: BTreeSet<String>,
    /// Calls that change something and are under way, by node.
    #[serde(skip)]
    pub writing: BTreeMap<String, Arc<Value>>,
}

/// The first of many, and how many more there were.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Few<T> {
    pub kept: Vec<T>,
    pub more: usize,
}

impl<T> Few<T> {
    fn push(&mut self, one: T) {
        if self.kept.len() < KEPT {
            self.kept.push(one);
        } else {
            self.more += 1;
        }
    }

    /// “and 7 more”, where not all were kept.
    pub fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("and {} more", self.more))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    pub step: String,
    pub reason: String,
}

impl Harvest {
    pub fn take(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::StepStart {
                node,
                call: Some(call),
            } if matches!(call.effect, Effect::Idempotent | Effect::Write) => {
                let input = call.input.value().cloned().unwrap_or_default();
                self.writing.insert(node.node.to_string(), input);
            }
            EntryKind::StepComplete {
                node,
                output,
                origin,
                ..
            } => self.result(&node.node, output, *origin),
            EntryKind::StepSkipped { node, reason } => self.skipped.push(Skipped {
                step: node.node.to_string(),
                reason: reason.clone(),
            }),
            _ => {}
        }
    }

    /// Passes over what results say by themselves, beside the files.
    pub fn leave_to_answer(&mut self) {
        self.summary = None;
        self.figures = Few::default();
        self.counts = Few::default();
        self.actions.clear();
    }

    /// What a result says by itself.
    fn read(&mut self, node: &str, output: &Value) {
        if let Some(summary) = summary_in(output, DEPTH) {
            self.summary = Some(summary);
        }
        if let Some(figures) = figures_in(node, output, &FIGURES) {
            self.figures.push(figures);
        }
        if let Some(counts) = figures_in(node, output, &COUNTS) {
            self.counts.push(counts);
        }
        if let Some(Value::Array(actions)) = output.get("actions") {
            let titles = actions.iter().filter_map(|action| action.get("title"));
            let titles = titles.filter_map(Value::as_str).take(ACTIONS);
            self.actions = titles.map(str::to_owned).collect();
        }
    }

    /// Large results are kept elsewhere when they are told of; at the end those are read that
    /// are still in memory.
    pub fn read_large(&mut self, outputs: &BTreeMap<Arc<str>, Retained>) {
        for (node, output) in outputs {
            if self.large.contains(&**node)
                && let Some(output) = output.in_memory()
            {
                self.read(node, &output);
            }
        }
    }

    fn result(&mut self, node: &str, output: &Stored, origin: Origin) {
        let input = self.writing.remove(node);
        self.made_up |= origin == Origin::Synthetic;
        if self.made_up {
            return;
        }
        let Some(output) = output.value() else {
            self.large.insert(node.to_owned());
            return;
        };
        self.read(node, output);
        let Some(input) = input else { return };
        self.changed = true;
        let path = [&**output, &*input]
            .into_iter()
            .find_map(|value| value.get("path").and_then(Value::as_str));
        if let Some(path) = path
            && !self.files.iter().any(|known| known == path)
        {
            self.files.push(path.to_owned());
        }
    }
}

/// What a result says in a number or a word: `score`, `grade`.
fn figures_in(node: &str, output: &Value, names: &[&str]) -> Option<String> {
    let figure = |name: &&str| match output.get(*name)? {
        Value::Number(number) => Some(format!("{name} {number}")),
        Value::String(word) if word.len() <= 20 => Some(format!("{name} {word}")),
        _ => None,
    };
    let told: Vec<String> = names.iter().filter_map(figure).collect();
    (!told.is_empty()).then(|| format!("{node}: {}", told.join(", ")))
}

/// A text under `summary`, here or a little deeper.
fn summary_in(value: &Value, depth: usize) -> Option<String> {
    // What was done for each of a list is told for each.
    if let Value::Array(items) = value {
        let each = items.iter().map(|item| summary_in(item, 0));
        let each: Option<Vec<String>> = each.collect();
        return each
            .filter(|each| !each.is_empty())
            .map(|each| each.join("\n\n"));
    }
    let fields = value.as_object()?;
    if let Some(Value::String(text)) = fields.get("summary") {
        return Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    }
    let deeper = depth.checked_sub(1)?;
    fields.values().find_map(|field| summary_in(field, deeper))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_are_kept_and_the_rest_is_counted() {
        let mut few = Few::default();
        for number in 0..23 {
            few.push(number);
        }
        assert_eq!(few.kept.len(), KEPT);
        assert_eq!(few.rest().as_deref(), Some("and 3 more"));
        assert_eq!(Few::<u8>::default().rest(), None);
    }

    #[test]
    fn what_follows_a_made_up_result_is_not_told() {
        let mut harvest = Harvest::default();
        let output = |score: u32| Stored::Value(Arc::new(json!({"score": score})));
        harvest.result("a", &output(1), Origin::Call);
        harvest.result("b", &output(2), Origin::Synthetic);
        harvest.result("c", &output(3), Origin::Call);
        assert!(harvest.made_up);
        assert_eq!(harvest.figures.kept, ["a: score 1"]);
    }

    #[test]
    fn the_sentence_is_found_a_little_deeper_but_only_as_text() {
        let deep = json!({"report": {"title": "t", "summary": " All is well. "}});
        assert_eq!(summary_in(&deep, DEPTH).as_deref(), Some("All is well."));
        assert_eq!(summary_in(&json!({"summary": {"count": 1}}), DEPTH), None);
        let each = json!([{"summary": "One."}, {"summary": "Two."}]);
        assert_eq!(summary_in(&each, DEPTH).as_deref(), Some("One.\n\nTwo."));
        assert_eq!(summary_in(&json!([]), DEPTH), None);
        let deeper = json!({"a": {"b": {"c": {"summary": "no"}}}});
        assert_eq!(summary_in(&deeper, DEPTH), None);
    }
}
