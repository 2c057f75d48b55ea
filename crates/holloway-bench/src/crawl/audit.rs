//! What does one audit of the site take? The same tools that a plan would call, one
//! after the other: find, fetch, measure what is loaded, check everything.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest, ToolCaller};
use holloway_plan::tool::{Effect, ToolId};
use holloway_tools::{Grants, Toolbox};
use serde_json::{Value, json};

use super::{Measured, site};
use crate::row::peak_rss_mb;

pub(crate) fn measure(address: &str) -> Result<Measured> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(audit(address))
}

async fn audit(address: &str) -> Result<Measured> {
    let toolbox = Toolbox::builtin(Grants {
        private_hosts: vec![address.to_owned()],
        ..Grants::default()
    });
    let url = format!("http://{address}/");
    let (found, discover_ms) = timed(
        &toolbox,
        "sitemap-discover",
        json!({"url": url, "delay_ms": 0}),
    )
    .await?;
    let arguments = json!({"urls": field(&found, "urls"), "delay_ms": 0, "concurrency": 8});
    let (mut fetched, fetch_ms) = timed(&toolbox, "pages-fetch", arguments).await?;
    let pages = take(&mut fetched, "pages");
    let count = pages.as_array().map_or(0, Vec::len);
    ensure!(
        count == site::PAGES,
        "{count} pages came instead of {}",
        site::PAGES
    );
    let bytes = pages.as_array().into_iter().flatten();
    let html_bytes = bytes.filter_map(|page| field(page, "bytes").as_u64()).sum();
    let arguments = json!({"pages": pages, "delay_ms": 0, "concurrency": 8});
    let (mut loaded, assets_ms) = timed(&toolbox, "assets-fetch", arguments).await?;
    let assets = take(&mut loaded, "assets");
    let asset_count = assets.as_array().map_or(0, Vec::len);
    let arguments = json!({"pages": pages, "assets": assets});
    let (audited, audit_ms) = timed(&toolbox, "site-audit", arguments).await?;
    let seconds = (discover_ms + fetch_ms + assets_ms + audit_ms) / 1e3;
    Ok(Measured {
        pages: count,
        assets: asset_count,
        html_bytes,
        findings: field(&audited, "findings").as_array().map_or(0, Vec::len),
        discover_ms,
        fetch_ms,
        assets_ms,
        audit_ms,
        pages_per_second: count as f64 / seconds,
        peak_rss_mb: peak_rss_mb()?,
    })
}

fn field(value: &Value, name: &str) -> Value {
    value.get(name).cloned().unwrap_or_default()
}

/// Large results are handed on, not copied.
fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}

async fn timed(toolbox: &Toolbox, tool: &str, arguments: Value) -> Result<(Value, f64)> {
    let request = CallRequest {
        tool: ToolId::new(format!("builtin/{tool}")),
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: tool.into(),
        run: RunId::new("bench"),
        node: tool.into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: CallLine::default(),
    };
    let started = Instant::now();
    let output = toolbox.call(request).await?;
    Ok((output.value, started.elapsed().as_secs_f64() * 1e3))
}
