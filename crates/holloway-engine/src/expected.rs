//! What does a plan expect of a result, for somebody who knows more of it than the run may? Where
//! secrets stand in a result, the caller of the tool judges it before marks take their place.

use std::sync::Arc;

use holloway_plan::dag::Check;
use holloway_plan::expression::Names;
use holloway_plan::schema_validator::own;
use serde_json::Value;

use crate::checks::Seen;
use crate::entry::Unmet;
use crate::mark::Issued;

/// The expectations of a step, with the values that they speak of.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    pub(crate) checks: Vec<Check>,
    /// What steps before have left; marks stand for the secrets in it.
    pub(crate) names: Vec<(Arc<str>, Arc<Value>)>,
    pub(crate) room: usize,
}

impl Expected {
    /// What a result with its secrets does not fulfil. `fill` puts secrets in place of marks.
    pub fn unmet(
        &self,
        output: &Arc<Value>,
        arguments: &Value,
        fill: &dyn Fn(&mut Value),
    ) -> Vec<Unmet> {
        let names = Filled {
            expected: self,
            output,
            fill,
        };
        let seen = Seen {
            output,
            arguments: Some(arguments),
            names: &names,
            issued: &Issued::new(),
            is_judged: false,
            may_be_told: false,
        };
        let checks = self.checks.iter();
        checks
            .filter_map(|check| {
                let validator = match check {
                    Check::Schema(schema) => own(schema).ok(),
                    _ => None,
                };
                seen.lacks(check, validator.as_ref())
            })
            .collect()
    }
}

/// The names that an expectation speaks of: fields of the result come first.
struct Filled<'a> {
    expected: &'a Expected,
    output: &'a Arc<Value>,
    fill: &'a dyn Fn(&mut Value),
}

impl Names for Filled<'_> {
    fn value(&self, name: &str) -> Option<Arc<Value>> {
        if let Some(field) = self.output.get(name) {
            return Some(Arc::new(field.clone()));
        }
        if name == "output" {
            return Some(Arc::clone(self.output));
        }
        let mut names = self.expected.names.iter();
        let (_, value) = names.find(|(known, _)| &**known == name)?;
        let mut value = Value::clone(value);
        (self.fill)(&mut value);
        Some(Arc::new(value))
    }

    fn room(&self) -> usize {
        self.expected.room
    }
}
