//! How do other tools see a run? As an OpenTelemetry trace: one span for the
//! run, one for each node, in the JSON form of OTLP that every collector takes.

use serde_json::{Value, json};

use crate::entry::RunId;
use crate::trace::{ExecTrace, ExecTraceEntry, NodeStatus};

/// The whole trace as an OTLP/JSON `ExportTraceServiceRequest`.
pub fn to_otlp(run: &RunId, trace: &ExecTrace) -> Value {
    let trace_id = digits(run.as_str(), 32);
    let root_id = digits(&format!("{run}/"), 16);
    let mut spans = vec![root_span(run, trace, &trace_id, &root_id)];
    for entry in &trace.entries {
        let parent = match parent_of(&entry.node_id) {
            Some(parent) => digits(&format!("{run}/{parent}"), 16),
            None => root_id.clone(),
        };
        spans.push(node_span(run, entry, &trace_id, &parent));
    }
    json!({
        "resourceSpans": [{
            "resource": { "attributes": [text("service.name", "holloway")] },
            "scopeSpans": [{
                "scope": { "name": "holloway", "version": env!("CARGO_PKG_VERSION") },
                "spans": spans,
            }],
        }],
    })
}

fn root_span(run: &RunId, trace: &ExecTrace, trace_id: &str, span_id: &str) -> Value {
    let failed = trace.statistics.failed_steps > 0;
    json!({
        "traceId": trace_id,
        "spanId": span_id,
        "name": format!("plan {}", trace.plan_id),
        "kind": 1,
        "startTimeUnixNano": nanoseconds(Some(&trace.started_at)),
        "endTimeUnixNano": nanoseconds(Some(&trace.finished_at)),
        "attributes": [
            text("holloway.run", run.as_str()),
            text("holloway.plan", &trace.plan_id),
            text("holloway.execution", &trace.execution_mode),
        ],
        "status": { "code": if failed { 2 } else { 1 } },
    })
}

fn node_span(run: &RunId, entry: &ExecTraceEntry, trace_id: &str, parent: &str) -> Value {
    let started = entry.start_time.as_ref().or(entry.end_time.as_ref());
    let mut attributes = vec![
        text("holloway.node", &entry.node_id),
        text("holloway.step", &entry.step_id),
        text("holloway.status", entry.status.as_str()),
        json!({ "key": "holloway.retries", "value": { "intValue": entry.retry_count.to_string() } }),
    ];
    attributes.extend(
        entry
            .tool_name
            .as_ref()
            .map(|tool| text("holloway.tool", tool)),
    );
    let status = match entry.status {
        NodeStatus::Failed => json!({ "code": 2, "message": entry.error }),
        NodeStatus::Success => json!({ "code": 1 }),
        _ => json!({ "code": 0 }),
    };
    json!({
        "traceId": trace_id,
        "spanId": digits(&format!("{run}/{}", entry.node_id), 16),
        "parentSpanId": parent,
        "name": entry.node_id,
        "kind": if entry.tool_name.is_some() { 3 } else { 1 },
        "startTimeUnixNano": nanoseconds(started),
        "endTimeUnixNano": nanoseconds(entry.end_time.as_ref().or(started)),
        "attributes": attributes,
        "status": status,
    })
}

/// `pages[3].fetch` stands inside `pages`.
fn parent_of(node: &str) -> Option<&str> {
    let (owner, _) = node.rsplit_once('.')?;
    Some(owner.rsplit_once('[').map_or(owner, |(list, _)| list))
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

/// An id that is the same whenever the same run is exported.
fn digits(name: &str, count: usize) -> String {
    blake3::hash(name.as_bytes())
        .to_hex()
        .chars()
        .take(count)
        .collect()
}

fn nanoseconds(time: Option<&String>) -> String {
    let timestamp = time.and_then(|time| time.parse::<jiff::Timestamp>().ok());
    timestamp.map_or_else(
        || "0".to_owned(),
        |timestamp| timestamp.as_nanosecond().to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_nodes_hang_below_their_owner() {
        assert_eq!(parent_of("pages[3].fetch"), Some("pages"));
        assert_eq!(parent_of("a[0].b[1].c"), Some("a[0].b"));
        assert_eq!(parent_of("choice.good"), Some("choice"));
        assert_eq!(parent_of("fetch"), None);
    }
}
