//! What of a request is left undone, and why? What no tool at hand does, what was not understood,
//! what does not fit, and files that no step takes.

use serde::Serialize;

/// A part of a request that a plan does not do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// In the words of the request.
    pub capability: String,
    pub lack: Lack,
    /// What could be added, as `tools add` takes it.
    pub install: Vec<String>,
}

/// Why a part is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// No tool at hand does it.
    Tool,
    /// It was not understood.
    Words,
    /// It was understood and does not fit what is there.
    Unfit,
    /// It names a file or an address that no step takes.
    Place,
    /// It says what the rest depends on, and no step looks first.
    Condition,
}

impl Missing {
    pub fn new(capability: impl Into<String>, lack: Lack) -> Self {
        Self {
            capability: capability.into(),
            lack,
            install: Vec::new(),
        }
    }

    /// For people: "no tool for “knit a pullover”".
    pub fn told(&self) -> String {
        let said = &self.capability;
        match self.lack {
            Lack::Tool => format!("no tool for “{said}”"),
            Lack::Words => format!("not clear: “{said}”"),
            Lack::Unfit => said.clone(),
            Lack::Place => format!("no step takes what is named in “{said}”"),
            Lack::Condition => format!("no step looks first: “{said}”"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_with_its_reason() {
        let told = |lack| Missing::new("knit a pullover", lack).told();
        assert_eq!(told(Lack::Tool), "no tool for “knit a pullover”");
        assert_eq!(told(Lack::Words), "not clear: “knit a pullover”");
    }
}
