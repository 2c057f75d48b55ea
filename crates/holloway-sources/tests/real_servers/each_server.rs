//! Does every server of the table start, list its tools, answer and go?

use std::collections::{BTreeMap, BTreeSet};

use holloway_sources::ToolSource as _;
use tokio::task::JoinSet;

use super::table::{Listed, folder, servers};

/// Servers at once; there are few cores.
const AT_ONCE: usize = 2;

async fn check(listed: Listed) -> Vec<String> {
    let folder = folder();
    let server = listed.server(folder.path());
    let mut wrong = Vec::new();
    match server.source.offers().await {
        Ok(offers) if offers.len() >= listed.tools => {
            let ids: BTreeSet<&str> = offers.iter().map(|offer| offer.id.as_str()).collect();
            if ids.len() != offers.len() {
                wrong.push("two tools have one id".to_owned());
            }
        }
        Ok(offers) => wrong.push(format!("{} tools, not {}", offers.len(), listed.tools)),
        Err(error) => wrong.push(format!("{error:?}")),
    }
    for call in &listed.calls {
        let answer = server.call(&call.tool, call.arguments(folder.path()));
        wrong.extend(call.judge(answer.await));
    }
    server.close(&listed.name).await;
    let named = |what| format!("{}: {what}", listed.name);
    wrong.into_iter().map(named).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_server_lists_its_tools_and_answers() {
    let servers = servers();
    let count = servers.len();
    let mut waiting = servers.into_iter();
    let mut running: JoinSet<_> = waiting.by_ref().take(AT_ONCE).map(check).collect();
    let mut wrong = Vec::new();
    while let Some(ended) = running.join_next().await {
        wrong.extend(ended.unwrap());
        if let Some(listed) = waiting.next() {
            running.spawn(check(listed));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{count} servers answered");
}

#[test]
fn the_table_names_enough_servers_and_each_once() {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for listed in servers() {
        assert!(!listed.calls.is_empty(), "{} is never called", listed.name);
        *times.entry(listed.name).or_default() += 1;
    }
    let repeated: Vec<_> = times.iter().filter(|(_, count)| **count > 1).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
    assert!(times.len() >= 15, "there are {}", times.len());
}
