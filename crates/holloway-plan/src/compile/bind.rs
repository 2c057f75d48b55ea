//! Where is the value of each name found? Gives every name of an expression or
//! template its slot.

use std::sync::Arc;

use serde_json::Value;

use crate::dag::Bound;
use crate::expression::{Expression, ExpressionError};
use crate::scope::{Scope, Slot};
use crate::template::Template;

/// Gives names their slots; names that no scope knows stay open.
pub(super) struct Binder<'a> {
    pub(super) scope: &'a Scope<'a>,
}

impl Binder<'_> {
    pub(super) fn condition(&self, text: &str) -> Result<Bound<Expression>, ExpressionError> {
        let form = Expression::parse_condition(text)?;
        let slots = self.slots(&form.names());
        Ok(Bound { form, slots })
    }

    pub(super) fn template(
        &self,
        value: Option<&Value>,
    ) -> Result<Bound<Template>, ExpressionError> {
        Ok(self.bind_template(Template::parse(value.unwrap_or(&Value::Null))?))
    }

    pub(super) fn bind_template(&self, form: Template) -> Bound<Template> {
        let slots = self.slots(&form.names());
        Bound { form, slots }
    }

    fn slots(&self, names: &[&str]) -> Vec<(Arc<str>, Slot)> {
        let mut slots: Vec<(Arc<str>, _)> = Vec::new();
        for name in names {
            if slots.iter().any(|(known, _)| &**known == *name) {
                continue;
            }
            if let Some(slot) = self.scope.find(name) {
                slots.push((Arc::from(*name), slot));
            }
        }
        slots
    }
}
