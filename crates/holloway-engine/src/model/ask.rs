//! What is a model asked, and what comes back? Without any provider's words.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// What holds for the whole exchange.
    pub system: String,
    /// What was said so far, the question last.
    pub messages: Vec<ChatMessage>,
    /// The answer is JSON of this schema. A hint: not every provider keeps to it.
    pub schema: Option<Value>,
    /// The adapter leaves it out for models that know only their own.
    pub temperature: f64,
    /// Of the answer.
    pub max_tokens: u32,
    /// For the whole call, repeats and pauses included.
    pub timeout: Duration,
    /// How sure the model is of its answer is wanted, where its provider tells.
    pub certainty: bool,
}

/// Plans are wanted sound rather than surprising.
pub const TEMPERATURE: f64 = 0.3;
/// Enough for three plans of some length.
pub const MAX_TOKENS: u32 = 8_192;
pub const TIMEOUT: Duration = Duration::from_mins(1);

impl Ask {
    pub fn new(system: impl Into<String>, question: impl Into<String>) -> Self {
        Self {
            system: system.into(),
            messages: vec![ChatMessage::user(question)],
            schema: None,
            temperature: TEMPERATURE,
            max_tokens: MAX_TOKENS,
            timeout: TIMEOUT,
            certainty: false,
        }
    }

    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Continues the exchange: what the model said, and what is asked now.
    pub fn follow_up(mut self, said: impl Into<String>, question: impl Into<String>) -> Self {
        self.messages.push(ChatMessage {
            speaker: Speaker::Model,
            text: said.into(),
        });
        self.messages.push(ChatMessage::user(question));
        self
    }
}

/// As people read it: each turn under a line that says whose it is.
impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "=== system\n{}", self.system)?;
        for message in &self.messages {
            let speaker = match message.speaker {
                Speaker::User => "user",
                Speaker::Model => "model",
            };
            write!(f, "\n\n=== {speaker}\n{}", message.text)?;
        }
        match &self.schema {
            Some(schema) => write!(f, "\n\n=== schema of the answer\n{schema}"),
            None => Ok(()),
        }
    }
}

/// Something said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    pub speaker: Speaker,
    pub text: String,
}

impl ChatMessage {
    pub fn user(text: impl Into<String>) -> Self {
        Self {
            speaker: Speaker::User,
            text: text.into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    User,
    Model,
}

/// An answer and what it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reply {
    pub text: String,
    /// Which model it was; empty where whoever asked knows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// How many of `tokens_in` the provider had seen before.
    pub cached_tokens: u64,
    /// US dollars, by the prices of the configuration.
    pub money: f64,
    /// The logarithm of the probability of the whole answer, where it is told.
    pub certainty: Option<f64>,
}

impl Reply {
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}
