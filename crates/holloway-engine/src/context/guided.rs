//! What is a model told in the turns of a phase, and what may it answer? The beginning stays the same
//! for all turns; each turn adds what was done since, so that providers find the rest again.

use std::fmt::Write as _;

use holloway_plan::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::shown;
use crate::model::fence::{RULE, line, visible};

const TASK: &str = "You carry out one section of a plan by choosing which tools are called, in which order and with which arguments. \
Only the tools listed here can be called; every call is checked before it is made, and a person may be asked. \
You answer each turn with one JSON object of the schema and nothing else:
- {\"act\": \"call\", \"calls\": [{\"tool\": name, \"arguments\": {…}}]} calls tools; several that only read are called at once
- {\"act\": \"describe\", \"tools\": [name]} shows the parameters of tools
- {\"act\": \"read\", \"handle\": \"r1\", \"from\": 0} shows more of a long result
- {\"act\": \"skip\", \"tools\": [name]} says which tools are not needed
- {\"act\": \"need\", \"capability\": text} says what no listed tool can do
- {\"act\": \"done\", \"result\": value} ends the section with its result";

/// What holds for all turns of a phase.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    pub objective: &'a str,
    pub goal: &'a str,
    pub until: Option<&'a str>,
    pub max_calls: u32,
    pub tools: &'a [&'a ToolSpec],
    /// How many of the tools, from the first, are shown with their parameters.
    pub detailed: usize,
    /// Sections of skills.
    pub sections: &'a [String],
}

impl Opening<'_> {
    /// The system prompt of every turn.
    pub fn text(&self) -> String {
        let mut parts = vec![format!("{TASK}\n{RULE}")];
        if !self.objective.is_empty() {
            parts.push(format!(
                "# Objective of the plan\n{}",
                visible(self.objective)
            ));
        }
        parts.push(format!("# Goal of this section\n{}", visible(self.goal)));
        let mut end = format!("At most {} calls.", self.max_calls);
        if let Some(until) = self.until {
            let _ = write!(end, " It ends once this holds: {}", line(until, 300));
        }
        parts.push(format!("# End\n{end}"));
        let lines: Vec<String> = self
            .tools
            .iter()
            .map(|tool| shown::one_line(tool))
            .collect();
        parts.push(format!("# Tools\n{}", lines.join("\n")));
        let likely = self.tools.iter().take(self.detailed);
        let likely: Vec<String> = likely.map(|tool| shown::signature(tool)).collect();
        if !likely.is_empty() {
            parts.push(format!(
                "# Parameters of the likely tools\n{}",
                likely.join("\n")
            ));
        }
        if !self.sections.is_empty() {
            parts.push(format!("# What is known\n{}", self.sections.join("\n\n")));
        }
        parts.join("\n\n")
    }
}

/// What the section is given, before its first turn.
pub fn given(value: &Value, most: usize) -> String {
    if value.is_null() {
        return "Nothing was called yet. What is next?".to_owned();
    }
    let given = shown::result("the steps before", value, most, None);
    format!("{given}\n\nNothing was called yet. What is next?")
}

/// What a turn says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Turn {
    Call {
        calls: Vec<Wanted>,
    },
    Describe {
        tools: Vec<String>,
    },
    Read {
        handle: String,
        #[serde(default)]
        from: usize,
    },
    Skip {
        tools: Vec<String>,
    },
    Need {
        capability: String,
    },
    Done {
        #[serde(default)]
        result: Value,
    },
}

/// A call that a turn asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// The schema of a turn: one form for each act, because small models keep to that.
pub fn schema(tools: &[&str]) -> Value {
    let act = |name: &str, required: &[&str], mut fields: Value| {
        if let Some(fields) = fields.as_object_mut() {
            fields.insert("act".to_owned(), json!({"const": name}));
        }
        let mut all = vec!["act"];
        all.extend(required);
        json!({"type": "object", "required": all, "additionalProperties": false, "properties": fields})
    };
    let names = json!({"type": "array", "minItems": 1, "maxItems": 8, "items": {"enum": tools}});
    let call = json!({
        "type": "object", "required": ["tool", "arguments"], "additionalProperties": false,
        "properties": {"tool": {"enum": tools}, "arguments": {"type": "object"}}
    });
    json!({"anyOf": [
        act("call", &["calls"], json!({"calls": {"type": "array", "minItems": 1, "maxItems": 8, "items": call}})),
        act("describe", &["tools"], json!({"tools": names})),
        act("read", &["handle"], json!({"handle": {"type": "string"}, "from": {"type": "integer", "minimum": 0}})),
        act("skip", &["tools"], json!({"tools": names})),
        act("need", &["capability"], json!({"capability": {"type": "string"}})),
        act("done", &["result"], json!({"result": {}})),
    ]})
}
