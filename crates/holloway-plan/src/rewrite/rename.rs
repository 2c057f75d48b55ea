//! Makes every reference to one name a reference to another. Gives up rather
//! than guess: after each change the text is read again and must read the new name.

use serde_json::Value;

use crate::expression::Expression;
use crate::path::Path;
use crate::reference::list_template;
use crate::step::{Expectation, Function, Step, StepType};
use crate::template::Template;

/// Replaces the names `from` by `to`.
pub(super) struct Rename<'a> {
    pub(super) from: Vec<&'a str>,
    pub(super) to: &'a str,
}

impl Rename<'_> {
    /// Changes all references of a step itself; nothing if one cannot be changed safely.
    pub(super) fn step(&self, step: &mut Step) -> Option<()> {
        for condition in [&mut step.when, &mut step.condition, &mut step.until]
            .into_iter()
            .flatten()
        {
            *condition = self.condition(condition)?;
        }
        for condition in step.next.iter_mut().filter_map(|edge| edge.when.as_mut()) {
            *condition = self.condition(condition)?;
        }
        self.expectations(step)?;
        let list = step.kind == StepType::Reduce;
        let lists = [
            (step.input.as_mut(), list),
            (step.over.as_deref_mut(), true),
        ];
        for (value, list) in lists {
            if let Some(value) = value {
                *value = if list {
                    self.list(value)?
                } else {
                    self.template(value)?
                };
            }
        }
        for value in [&mut step.initial, &mut step.show].into_iter().flatten() {
            **value = self.template(value)?;
        }
        let key = step.cache.as_mut().and_then(|cache| cache.key.as_mut());
        for text in step.ask.iter_mut().chain(&mut step.goal).chain(key) {
            *text = self.text(text)?;
        }
        if let Some(Function::Prompt { prompt }) = &mut step.function {
            *prompt = self.text(prompt)?;
        }
        Some(())
    }

    /// In an expectation a name may as well be a field of the result, so it is left alone.
    fn expectations(&self, step: &Step) -> Option<()> {
        let names_it = |expectation: &Expectation| match expectation {
            Expectation::That(text) => {
                !Expression::parse_condition(text).is_ok_and(|form| self.misses(&form.names()))
            }
            _ => false,
        };
        (!step.expect.iter().any(names_it)).then_some(())
    }

    fn misses(&self, names: &[&str]) -> bool {
        !names.iter().any(|name| self.from.contains(name))
    }

    fn condition(&self, text: &str) -> Option<String> {
        let before = Expression::parse_condition(text).ok()?;
        if self.misses(&before.names()) {
            return Some(text.to_owned());
        }
        let renamed = self.formula(text);
        let after = Expression::parse_condition(&renamed).ok()?;
        self.agrees(&before.names(), &after.names())
            .then_some(renamed)
    }

    fn list(&self, value: &Value) -> Option<Value> {
        match value {
            Value::String(text)
                if !matches!(list_template(value), Ok(Template::Literal(_)))
                    && !text.contains("{{") =>
            {
                self.condition(text).map(Value::String)
            }
            other => self.template(other),
        }
    }

    fn template(&self, value: &Value) -> Option<Value> {
        match value {
            Value::String(text) => self.text(text).map(Value::String),
            Value::Array(items) => items.iter().map(|item| self.template(item)).collect(),
            Value::Object(fields) => {
                let field =
                    |(name, field): (&String, &Value)| Some((name.clone(), self.template(field)?));
                fields
                    .iter()
                    .map(field)
                    .collect::<Option<_>>()
                    .map(Value::Object)
            }
            other => Some(other.clone()),
        }
    }

    fn text(&self, text: &str) -> Option<String> {
        let whole = Value::String(text.to_owned());
        let before = Template::parse(&whole).ok()?;
        if self.misses(&before.names()) {
            return Some(text.to_owned());
        }
        // Blocks have variables of their own, which only the template language tells apart.
        if matches!(before, Template::Blocks { .. }) {
            return None;
        }
        let mut pieces = text.split("{{");
        let mut renamed = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (inside, after) = piece.split_once("}}")?;
            renamed.push_str("{{");
            renamed.push_str(&self.formula(inside));
            renamed.push_str("}}");
            renamed.push_str(after);
        }
        let after = Template::parse(&Value::String(renamed.clone())).ok()?;
        self.agrees(&before.names(), &after.names())
            .then_some(renamed)
    }

    /// Whether `after` reads what `before` read, under the new name.
    fn agrees(&self, before: &[&str], after: &[&str]) -> bool {
        let mut expected: Vec<&str> = before
            .iter()
            .map(|name| {
                if self.from.contains(name) {
                    self.to
                } else {
                    name
                }
            })
            .collect();
        let mut found = after.to_vec();
        for names in [&mut expected, &mut found] {
            names.sort_unstable();
            names.dedup();
        }
        expected == found
    }

    /// Replaces names that begin a path; fields, texts in quotes, filters and keywords stay.
    fn formula(&self, text: &str) -> String {
        let is_path = Path::parse(text).is_some();
        let in_name = |c: char| c.is_alphanumeric() || c == '_' || (is_path && c == '-');
        let (mut renamed, mut left) = (String::with_capacity(text.len()), text);
        while let Some(first) = left.chars().next() {
            let end = match first {
                '"' | '\'' => left
                    .get(1..)
                    .and_then(|inside| inside.find(first))
                    .map_or(left.len(), |at| at + 2),
                c if in_name(c) => left.find(|c| !in_name(c)).unwrap_or(left.len()),
                c => c.len_utf8(),
            };
            let (token, after) = left.split_at_checked(end).unwrap_or((left, ""));
            let stays = !self.from.contains(&token) || !begins_a_path(&renamed, after);
            renamed.push_str(if stays { token } else { self.to });
            left = after;
        }
        renamed
    }
}

fn begins_a_path(before: &str, after: &str) -> bool {
    let after = after.trim_start();
    let named_argument = after.starts_with('=') && !after.starts_with("==");
    !before.trim_end().ends_with(['.', '|']) && !named_argument && !after.starts_with('(')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(input: Value, expected: Value) {
        let rename = Rename {
            from: vec!["b", "old-name"],
            to: "a",
        };
        let mut step = Step {
            input: Some(input),
            ..Step::default()
        };
        let renamed = rename
            .step(&mut step)
            .map(|()| step.input.unwrap_or_default());
        assert_eq!(renamed.unwrap_or(json!("given up")), expected);
    }

    #[test]
    fn only_names_that_begin_a_path_change() {
        check(
            json!("{{b.b[0]}} b {{ x.b }}"),
            json!("{{a.b[0]}} b {{ x.b }}"),
        );
        check(json!({"b": ["{{b}}", 1]}), json!({"b": ["{{a}}", 1]}));
        check(json!("{{ b['b'] ~ 'b' }}"), json!("{{ a['b'] ~ 'b' }}"));
        check(json!("{{ old-name.x }}"), json!("{{ a.x }}"));
        check(json!("{{ bb + b }}"), json!("{{ bb + a }}"));
        check(
            json!("{{ x | default(value=b) }}"),
            json!("{{ x | default(value=a) }}"),
        );
    }

    #[test]
    fn what_is_not_certain_is_left_alone() {
        check(
            json!("{% for b in b %}{{b}}{% endfor %}"),
            json!("given up"),
        );
        check(json!("{{ '}}' ~ b }}"), json!("given up"));
    }
}
