//! Which of the results that are there fits a parameter? By kind and fields first, then by
//! names; what is known of the tools decides between equals.

use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use super::assembly::{Assembly, Node, Part};
use super::chain::is_reference;
use super::supply::joined;
use crate::bind::fit::{self, Fit, Wanted};
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role, terms};

/// How well one kind of text stands for another.
const TEXT_FOR_TEXT: f32 = 0.6;
/// Names that agree this far mean the same.
const SAME_NAME: f32 = 0.65;
/// A result that fits a list of results so well belongs into it.
const GATHERED: f32 = 0.2;

/// A result for a parameter.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) node: usize,
    pub(super) fit: Fit,
    pub(super) score: f32,
}

impl Assembly<'_> {
    /// The best of all results.
    pub(super) fn best_result(&self, node: &Node, port: &Port) -> Option<Found> {
        let all = (0..self.nodes.len()).filter_map(|at| self.result_of(at, node, port));
        all.max_by(|one, other| one.score.total_cmp(&other.score))
    }

    /// The best way from one result to a parameter.
    pub(super) fn result_of(&self, at: usize, node: &Node, port: &Port) -> Option<Found> {
        let maker = self.nodes.get(at)?;
        let output = self.result(at)?;
        let known = self.known_of(maker.place, node.place, port);
        let same = maker.domain.is_some() && maker.domain == node.domain;
        let pair = Pair {
            ports: self.ports(maker.place)?,
            maker: self.tool(maker.place)?,
            port,
            // What was asked for may be taken on less evidence than what was only added.
            trusted: known > 0.0 || maker.part != Part::Gap,
            said: known > 0.0,
        };
        let usable = |fit: &Fit| {
            let there = maker.each.is_some()
                || is_there(fit.path(), pair.ports, |name| {
                    maker.arguments.contains_key(name)
                });
            there && may_loop(fit, node, maker)
        };
        let (fit, score) = pair.best(output, self.shape(node.place, port)?, usable)?;
        let later = 0.15 * at as f32 / (1.0 + self.nodes.len() as f32);
        let score = score + known + later + self.goal(at, node) + if same { 0.05 } else { 0.0 };
        Some(Found {
            node: at,
            fit,
            score,
        })
    }

    /// What is written or sent is what was asked for, not what it was made from.
    fn goal(&self, at: usize, node: &Node) -> f32 {
        let Some(maker) = self.nodes.get(at).filter(|maker| maker.part != Part::Gap) else {
            return 0.0;
        };
        if !self.writes(node.place) || self.writes(maker.place) {
            return 0.0;
        }
        let reads = |other: &Node| {
            let mut bindings = other.bindings.iter();
            bindings.any(|binding| matches!(&binding.source, Source::Earlier { step, .. } if *step == maker.id))
        };
        let goes_on = self
            .nodes
            .iter()
            .any(|other| other.part != Part::Gap && reads(other));
        if goes_on { 0.3 } else { 0.6 }
    }

    /// What speaks for this pair of tools beside their schemas.
    pub(super) fn known_of(&self, maker: Place, taker: Place, port: &Port) -> f32 {
        let learned = self.ground.learned.contains(&(maker, taker));
        let said = self.ground.catalogue.says_so(taker, &port.name, maker);
        let part = |yes: bool, worth: f32| if yes { worth } else { 0.0 };
        part(learned, 0.2) + part(said, 0.15)
    }

    /// A list of results takes all that fit; of its own domain where there are any.
    pub(super) fn gather(&mut self, node: &mut Node, port: &Port) -> bool {
        if port.kind != Kind::List || !port.structured {
            return false;
        }
        let Some(shape) = self.shape(node.place, port) else {
            return false;
        };
        let found = self.gathered(shape, &port.name);
        let own: Vec<usize> = found
            .iter()
            .copied()
            .filter(|at| {
                self.nodes
                    .get(*at)
                    .is_some_and(|maker| maker.domain == node.domain)
            })
            .collect();
        let taken = match node.domain {
            Some(_) if !own.is_empty() => own,
            _ => found,
        };
        if taken.is_empty() {
            return false;
        }
        let ids: Vec<String> = taken
            .iter()
            .filter_map(|at| self.nodes.get(*at))
            .map(|maker| maker.id.clone())
            .collect();
        let list: Vec<String> = ids.iter().map(|id| format!("{{{{ {id} }}}}")).collect();
        node.arguments.insert(port.name.clone(), json!(list));
        for id in ids {
            node.bindings.push(Binding {
                entities: Vec::new(),
                parameter: port.name.clone(),
                reason: format!("the result of {id}, with the others of its kind"),
                source: Source::Earlier {
                    step: id,
                    path: String::new(),
                },
                confidence: 0.9,
            });
        }
        node.part = match node.part {
            Part::Core => Part::Gathers,
            part => part,
        };
        true
    }

    /// The nodes whose whole result is an item of a list of this shape.
    fn gathered(&self, shape: Shape<'_>, name: &str) -> Vec<usize> {
        let needs_fields = shape.list_items().flatten().is_some_and(|items| {
            items
                .forms()
                .iter()
                .any(|form| form.required().next().is_some())
        });
        if !needs_fields {
            return Vec::new();
        }
        let fits = |at: &usize| {
            let whole = self.nodes.get(*at).is_some_and(|node| node.each.is_none());
            whole
                && self
                    .result(*at)
                    .is_some_and(|output| is_item(output, shape, name))
        };
        (0..self.nodes.len()).filter(fits).collect()
    }

    /// A number that is called like a list in the plan is how many there are.
    pub(super) fn count_of(&mut self, node: &mut Node, port: &Port) -> bool {
        if !matches!(port.kind, Kind::Integer | Kind::Number) {
            return false;
        }
        let counted = self.nodes.iter_mut().find_map(|maker| {
            let ports = self.ground.catalogue.ports(maker.place)?;
            let list = ports
                .outputs
                .iter()
                .filter(|output| is_name(&output.name))
                .find(|output| output.kind == Kind::List && output.terms == port.terms)?;
            let count = ports.outputs.iter().find(|output| {
                output.required && output.kind == Kind::Integer && is_count(&output.name)
            });
            (maker.each.is_none() && list.required).then_some((maker, list, count))
        });
        let Some((maker, list, count)) = counted else {
            return false;
        };
        let (expression, path) = match count {
            Some(count) => (joined(&maker.id, &count.name), count.name.clone()),
            None => (
                format!("{}.{} | length", maker.id, list.name),
                list.name.clone(),
            ),
        };
        maker.read.insert(path.clone());
        let reason = format!("how many {} {} gave", list.name, maker.id);
        let source = Source::Earlier {
            step: maker.id.clone(),
            path,
        };
        node.arguments
            .insert(port.name.clone(), json!(format!("{{{{ {expression} }}}}")));
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source,
            confidence: 0.9,
            reason,
        });
        true
    }
}

/// One call has one loop.
fn may_loop(fit: &Fit, node: &Node, maker: &Node) -> bool {
    let Fit::EachItem { path, .. } = fit else {
        return true;
    };
    let list = path
        .split_once("[]")
        .map_or(path.as_str(), |(list, _)| list);
    let over = joined(&maker.id, list);
    node.each.as_ref().is_none_or(|each| each.over == over)
}

/// Whether a result is one item of a list of results.
pub(super) fn is_item(output: &Value, list: Shape<'_>, name: &str) -> bool {
    if output.is_null() {
        return false;
    }
    let fits = fit::fits(Shape::of(output), Wanted { name, shape: list });
    let whole = |fit: &Fit| matches!(fit, Fit::Gather { path, score } if path.is_empty() && *score >= GATHERED);
    fits.iter().any(whole)
}

fn is_count(name: &str) -> bool {
    ["count", "total", "length", "number"].contains(&name)
}

/// Expressions can follow the path.
fn is_plain(path: &str) -> bool {
    let parts = path.split('.').map(|part| part.trim_end_matches("[]"));
    path.is_empty()
        || parts.into_iter().all(|part| {
            !part.starts_with(|first: char| first.is_ascii_digit())
                && part
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        })
}

/// A field that expressions can name. What is foreign is called as its server likes.
pub(super) fn is_name(field: &str) -> bool {
    !field.is_empty() && !field.contains(['.', '[', ']']) && is_plain(field)
}

/// A field that is only given back when it was given is not there otherwise.
fn is_there(path: &str, ports: &Ports, is_given: impl Fn(&str) -> bool) -> bool {
    let first = path.split(['.', '[']).next().unwrap_or_default();
    let Some(field) = ports.output(first) else {
        return true;
    };
    field.required || ports.input(first).is_none() || is_given(first)
}

/// A tool that may make what a parameter of another takes.
pub(super) struct Pair<'a> {
    pub(super) ports: &'a Ports,
    pub(super) maker: &'a ToolSpec,
    pub(super) port: &'a Port,
    pub(super) trusted: bool,
    pub(super) said: bool,
}

impl Pair<'_> {
    /// The best way from a result to the parameter that may be gone.
    fn best(
        &self,
        output: &Value,
        shape: Shape<'_>,
        usable: impl Fn(&Fit) -> bool,
    ) -> Option<(Fit, f32)> {
        if output.is_null() {
            return None;
        }
        let wanted = Wanted {
            name: &self.port.name,
            shape,
        };
        let fits = fit::fits(Shape::of(output), wanted).into_iter();
        let fits = fits.filter(|fit| is_plain(fit.path()) && usable(fit));
        let judged = fits.filter_map(|fit| {
            let score = self.judged(&fit);
            (score > 0.0).then_some((fit, score))
        });
        judged.max_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// The same for a tool that is part of the plan.
    pub(super) fn present(
        &self,
        output: &Value,
        shape: Shape<'_>,
        is_given: impl Fn(&str) -> bool,
    ) -> Option<(Fit, f32)> {
        self.best(output, shape, |fit| {
            is_there(fit.path(), self.ports, &is_given)
        })
    }

    /// The same before the tool is part of the plan.
    pub(super) fn promise(&self, shape: Shape<'_>) -> Option<(Fit, f32)> {
        let usable = |fit: &Fit| is_there(fit.path(), self.ports, |_| false);
        self.best(&self.maker.output_schema, shape, usable)
    }

    /// How well a way from result to parameter serves, 0 when it is not to be gone.
    fn judged(&self, fit: &Fit) -> f32 {
        let port = self.port;
        let path = fit.path();
        let named = fit::names_agree(path, &port.name);
        let same_name = named >= SAME_NAME;
        let last = path
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .trim_end_matches("[]");
        let score = fit.score() + self.standing(path);
        match (port.kind, fit) {
            (Kind::Text, _) if port.role == Role::Text && !same_name => {
                self.text_for_text(fit, last)
            }
            (Kind::Text | Kind::Integer | Kind::Number | Kind::Boolean, _) if !same_name => 0.0,
            // One of many is only meant where it is called so.
            (_, Fit::EachItem { .. } | Fit::Collect { .. })
                if !same_name && (path != "[]" || !self.said) =>
            {
                0.0
            }
            (_, Fit::Gather { .. }) if !port.structured => 0.0,
            (Kind::Object, Fit::Exact { .. }) if !port.structured && !self.said => 0.0,
            (Kind::Text, Fit::EachItem { .. })
                if port.role == Role::Other && !is_reference(port) =>
            {
                0.0
            }
            (Kind::Object, Fit::Part { .. }) if !same_name => 0.0,
            (Kind::List, _) if !port.structured && !same_name && !self.trusted => 0.0,
            _ => score,
        }
    }

    /// The main result comes first in a schema, and is always there.
    fn standing(&self, path: &str) -> f32 {
        let first = path.split(['.', '[']).next().unwrap_or_default();
        let outputs = &self.ports.outputs;
        let Some(at) = outputs.iter().position(|port| port.name == first) else {
            return 0.0;
        };
        let required = outputs.get(at).is_some_and(|port| port.required);
        let early = 0.02 * (1.0 - at as f32 / (1.0 + outputs.len() as f32));
        // `price-extract` is there for the `prices`.
        let name = terms(self.maker.id.name());
        let namesake = outputs
            .get(at)
            .is_some_and(|port| port.terms.iter().all(|word| name.contains(word)));
        early + if required { 0.02 } else { 0.0 } + if namesake { 0.04 } else { 0.0 }
    }

    fn text_for_text(&self, fit: &Fit, last: &str) -> f32 {
        let field = self.ports.output(last);
        let is_text =
            field.is_some_and(|field| field.role == Role::Text && field.kind == Kind::Text);
        // Marked-up text is no text, and text is not marked up.
        let marked_up = last == "html" || self.port.name == "html";
        match (is_text && matches!(fit, Fit::Part { .. }), marked_up) {
            (true, false) => TEXT_FOR_TEXT,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(field: &str, expected: bool) {
        assert_eq!(is_name(field), expected, "{field}");
    }

    #[test]
    fn only_plain_names_reach_expressions() {
        check("total_rows", true);
        check("rows2", true);
        check("total-rows", false);
        check("rows }} {{ input.secret", false);
        check("rows.first", false);
        check("rows[]", false);
        check("2rows", false);
        check("", false);
    }
}
