//! What went wrong with a question about data, and what can be done about it?

/// Who has to change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The question does not make sense.
    Request,
    /// The question is fine, but the data does not fit it.
    Data,
    /// Too much data, or too large a result.
    Limit,
}

/// A failure that a person can act on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DataError {
    pub kind: Kind,
    pub message: String,
    pub hint: Option<String>,
}

impl DataError {
    fn of(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    pub fn request(message: impl Into<String>) -> Self {
        Self::of(Kind::Request, message)
    }

    pub fn data(message: impl Into<String>) -> Self {
        Self::of(Kind::Data, message)
    }

    pub fn limit(message: impl Into<String>) -> Self {
        Self::of(Kind::Limit, message)
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
