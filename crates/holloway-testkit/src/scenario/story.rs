//! How is a scenario written? Headings with fenced blocks; the block `world` in types.

use std::collections::{BTreeMap, VecDeque};

use holloway_engine::context::Knowledge;
use holloway_engine::ports::{ToolProgress, ToolQuestion};
use holloway_plan::tool::Effect;
use serde::Deserialize;
use serde_json::Value;

/// What the plan is surrounded by.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorldText {
    pub tools: BTreeMap<String, ToolText>,
    pub plans: BTreeMap<String, Value>,
    pub input: Value,
    pub options: Value,
    /// What steps may be shown besides the plan and its results; contexts are told where it is there.
    pub knowledge: Option<Knowledge>,
    /// Answers to questions, in the order they are asked: `approve`, `deny`, `dismiss`,
    /// `{edit: …}`, `{done: …}`.
    pub people: VecDeque<Value>,
    /// What happens after so many events: `pause`, `resume`, `cancel`, `crash`, `time up`.
    pub happenings: BTreeMap<usize, String>,
    /// Ends of calls come last first.
    pub last_first: bool,
}

/// How a tool behaves.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToolText {
    pub effect: Effect,
    /// The same call gives the same result.
    pub pure: bool,
    pub input: Value,
    pub output: Value,
    pub price: Option<f64>,
    pub latency_ms: Option<u64>,
    /// What the tool is for, in words.
    pub about: String,
    /// What each call reports before anything else.
    pub progress: Vec<ToolProgress>,
    /// What each call asks then, one after the other.
    pub asks: Vec<ToolQuestion>,
    /// One per call; the last one for all further calls. `{fail: text, …}` or the result;
    /// `what it was told` stands for the answers to its questions.
    pub answers: Vec<Value>,
    pub money: f64,
    pub tokens: u64,
}

/// One story of a file.
#[derive(Debug)]
pub struct Story {
    pub title: String,
    pub plan: String,
    pub world: String,
    pub journal: String,
}

/// The stories of a Markdown file.
pub fn stories(markdown: &str) -> Vec<Story> {
    let mut stories = Vec::new();
    let mut block: Option<(&str, String)> = None;
    for line in markdown.lines() {
        if let Some((kind, text)) = &mut block {
            if line.starts_with("```") {
                let story: &mut Story = stories
                    .last_mut()
                    .expect("a block before the first heading");
                match *kind {
                    "plan" => story.plan = std::mem::take(text),
                    "world" => story.world = std::mem::take(text),
                    "journal" => story.journal = std::mem::take(text),
                    other => panic!("unknown block `{other}`"),
                }
                block = None;
            } else {
                text.push_str(line);
                text.push('\n');
            }
        } else if let Some(kind) = line.strip_prefix("```") {
            block = Some((kind, String::new()));
        } else if let Some(title) = line.strip_prefix("## ") {
            let empty = String::new();
            stories.push(Story {
                title: title.to_owned(),
                plan: empty.clone(),
                world: empty.clone(),
                journal: empty,
            });
        }
    }
    stories
}
