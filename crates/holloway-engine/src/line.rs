//! How does a tool speak while it works? Over the line of its call: it can say
//! how far it is, and ask whoever is there. What it says is bounded here, so
//! that no listener has to.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most of a message that is passed on, in characters.
const MESSAGE_CHARS: usize = 2_000;
/// The most that a question's schema may take, as JSON.
const SCHEMA_BYTES: usize = 16 * 1024;
/// Levels of lists and mappings in a question's schema; a form needs few.
const SCHEMA_LEVELS: usize = 16;

/// How far a call is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolProgress {
    pub progress: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// What a tool asks in the middle of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolQuestion {
    pub message: String,
    /// What the answer must fit: an object with a few plain fields.
    pub schema: Value,
}

/// What it is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolAnswer {
    Accept(Value),
    /// A person said no, or nobody can be asked.
    Decline,
    /// The question was put aside without a yes or a no.
    Cancel,
}

/// Hears what a tool says during a call.
#[async_trait]
pub trait CallListener: Send + Sync {
    /// Must not block.
    fn progress(&self, report: ToolProgress);
    /// Dropping the returned future withdraws the question.
    async fn ask(&self, question: ToolQuestion) -> ToolAnswer;
}

/// The line from a call to whoever listens. The default one leads nowhere:
/// reports are dropped and questions declined.
#[derive(Clone, Default)]
pub struct CallLine {
    listener: Option<Arc<dyn CallListener>>,
}

impl CallLine {
    pub fn new(listener: Arc<dyn CallListener>) -> Self {
        Self {
            listener: Some(listener),
        }
    }

    /// Says how far the call is. Returns at once; not every report is passed on.
    pub fn progress(&self, report: ToolProgress) {
        if let (Some(listener), Some(report)) = (&self.listener, report.bounded()) {
            listener.progress(report);
        }
    }

    /// Asks, and waits for the answer. The time it takes does not count as the call's own.
    pub async fn ask(&self, question: ToolQuestion) -> ToolAnswer {
        match (&self.listener, question.bounded()) {
            (Some(listener), Some(question)) => listener.ask(question).await,
            _ => ToolAnswer::Decline,
        }
    }
}

impl fmt::Debug for CallLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.listener {
            Some(_) => "CallLine(open)",
            None => "CallLine(nowhere)",
        })
    }
}

impl ToolProgress {
    /// Numbers that JSON cannot hold would make the journal unreadable.
    fn bounded(self) -> Option<Self> {
        self.progress.is_finite().then(|| Self {
            progress: self.progress,
            total: self.total.filter(|total| total.is_finite()),
            message: self.message.map(cut),
        })
    }
}

impl ToolQuestion {
    /// Nothing that cannot be shown and checked in reasonable time.
    fn bounded(self) -> Option<Self> {
        let short = self.schema.to_string().len() <= SCHEMA_BYTES;
        let fits = self.schema.is_object() && short && is_plain(&self.schema, SCHEMA_LEVELS);
        fits.then(|| Self {
            message: cut(self.message),
            schema: self.schema,
        })
    }
}

/// Without references, which could lead in circles.
fn is_plain(schema: &Value, levels: usize) -> bool {
    match schema {
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_plain(item, levels - 1)),
        Value::Object(fields) => {
            let refers = |name: &str| matches!(name, "$ref" | "$dynamicRef" | "$recursiveRef");
            levels > 0
                && fields
                    .iter()
                    .all(|(name, field)| !refers(name) && is_plain(field, levels - 1))
        }
        _ => true,
    }
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MESSAGE_CHARS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_questions_that_can_be_checked_are_passed_on() {
        let deep = (0..30).fold(json!({}), |inner, _| json!({ "items": inner }));
        let check = |schema: Value, passes: bool| {
            let message = "?".to_owned();
            let question = ToolQuestion { message, schema };
            assert_eq!(question.clone().bounded().is_some(), passes, "{question:?}");
        };
        check(json!({}), true);
        check(json!({"properties": {"name": {"type": "string"}}}), true);
        check(json!({"properties": {"a": {"$ref": "#"}}}), false);
        check(json!({"description": "x".repeat(20_000)}), false);
        check(json!("object"), false);
        check(deep, false);
    }

    #[test]
    fn reports_can_always_be_written_down() {
        let report = |progress, total, message: &str| ToolProgress {
            progress,
            total,
            message: Some(message.to_owned()),
        };
        assert_eq!(report(f64::NAN, None, "").bounded(), None);
        let endless = report(1.0, Some(f64::INFINITY), &"é".repeat(3_000));
        let bounded = endless.bounded().unwrap();
        assert_eq!(bounded.total, None);
        assert_eq!(bounded.message.unwrap().chars().count(), MESSAGE_CHARS + 1);
    }
}
