//! What holds for a node besides its work? Retries, limits, expectations, what
//! is remembered, and where its edges lead.

use std::sync::Arc;

use serde_json::Value;

use super::bind::Binder;
use crate::dag::{BoundEdge, Check, Policy, Remembering};
use crate::expression::ExpressionError;
use crate::path::Path;
use crate::step::{Cache, Expectation, Step};

/// Whether a step leaves everything besides its work to what holds anyway.
pub(super) fn says_nothing(step: &Step) -> bool {
    let says_how = step.retry.is_some() || step.timeout_ms.is_some() || step.on_error.is_some();
    let says_what = step.approval.is_some() || step.cache.is_some() || !step.expect.is_empty();
    !says_how && !says_what
}

pub(super) fn policy(step: &Step, binder: &Binder<'_>) -> Result<Policy, ExpressionError> {
    let expect = step
        .expect
        .iter()
        .map(|expectation| check(expectation, binder));
    Ok(Policy {
        retry: step.retry.as_deref().copied().unwrap_or_default(),
        timeout_ms: step.timeout_ms,
        on_error: step.on_error.unwrap_or_default(),
        approval: step.approval.unwrap_or_default(),
        cache: step
            .cache
            .as_ref()
            .map(|cache| remembering(cache, binder))
            .transpose()?,
        expect: expect.collect::<Result<_, _>>()?,
    })
}

fn remembering(cache: &Cache, binder: &Binder<'_>) -> Result<Remembering, ExpressionError> {
    let key = cache.key.clone().map(Value::String);
    Ok(Remembering {
        ttl_ms: cache.ttl.saturating_mul(1_000),
        key: key.map(|key| binder.template(Some(&key))).transpose()?,
    })
}

fn check(expectation: &Expectation, binder: &Binder<'_>) -> Result<Check, ExpressionError> {
    let path = |text: &str| {
        // The path starts at the result itself, which has no name.
        Path::parse(&format!("output.{}", text.trim())).ok_or_else(|| ExpressionError::Unreadable {
            text: text.to_owned(),
            reason: "not a path".to_owned(),
        })
    };
    Ok(match expectation {
        Expectation::Schema(schema) => {
            Check::Schema(Arc::new(crate::tool::full_schema(schema.clone())))
        }
        Expectation::That(text) => Check::That(binder.condition(text)?),
        Expectation::Exists(text) => Check::Exists(path(text)?),
        Expectation::Unchanged(text) => Check::Unchanged(path(text)?),
    })
}

pub(super) fn edges(
    step: &Step,
    beside: &[Step],
    binder: &Binder<'_>,
) -> Result<Vec<BoundEdge>, ExpressionError> {
    let target = |to: &str| beside.iter().position(|other| other.id == to);
    let mut edges = Vec::new();
    for edge in &step.next {
        let Some(to) = target(&edge.to) else { continue };
        let when = edge
            .when
            .as_deref()
            .map(|text| binder.condition(text))
            .transpose()?;
        edges.push(BoundEdge {
            to: to as u32,
            when,
        });
    }
    Ok(edges)
}
