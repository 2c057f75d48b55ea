//! How do the pages of a site hang together? Who links to whom, and how many clicks it is
//! from the start. Addresses are compared without fragment and final slash.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;

/// What a page gives to the graph.
pub(super) struct Node {
    pub(super) url: Option<Url>,
    pub(super) redirects: Vec<String>,
    pub(super) targets: Vec<Url>,
}

pub(super) struct Graph {
    pages: FxHashMap<String, usize>,
    redirected: FxHashMap<String, usize>,
    hosts: FxHashSet<String>,
    pub(super) incoming: Vec<usize>,
    pub(super) outgoing: Vec<usize>,
    /// Clicks from the first page; none if no path of links leads there.
    pub(super) depth: Vec<Option<usize>>,
}

/// Where a link leads, as far as the given pages tell.
pub(super) enum Target {
    Page(usize),
    /// To an address that redirects to this page.
    Redirect(usize),
    /// On the same site, but not among the pages.
    Unknown,
    External,
}

impl Graph {
    pub(super) fn new(nodes: &[Node]) -> Self {
        let mut graph = Self {
            pages: FxHashMap::default(),
            redirected: FxHashMap::default(),
            hosts: FxHashSet::default(),
            incoming: vec![0; nodes.len()],
            outgoing: vec![0; nodes.len()],
            depth: vec![None; nodes.len()],
        };
        for (index, node) in nodes.iter().enumerate() {
            if let Some(url) = &node.url {
                graph.pages.entry(key(url)).or_insert(index);
                graph.hosts.insert(host(url).to_owned());
            }
            for from in node
                .redirects
                .iter()
                .filter_map(|from| Url::parse(from).ok())
            {
                graph.redirected.entry(key(&from)).or_insert(index);
            }
        }
        let edges: Vec<_> = nodes.iter().map(|node| graph.edges(node)).collect();
        graph.count(&edges);
        graph.measure(&edges);
        graph
    }

    pub(super) fn target(&self, url: &Url) -> Target {
        let key = key(url);
        if let Some(index) = self.pages.get(&key) {
            Target::Page(*index)
        } else if let Some(index) = self.redirected.get(&key) {
            Target::Redirect(*index)
        } else if self.hosts.contains(host(url)) {
            Target::Unknown
        } else {
            Target::External
        }
    }

    /// The pages a page leads to, each once.
    fn edges(&self, node: &Node) -> FxHashSet<usize> {
        let targets = node.targets.iter();
        let known = targets.filter_map(|url| match self.target(url) {
            Target::Page(index) | Target::Redirect(index) => Some(index),
            Target::Unknown | Target::External => None,
        });
        known.collect()
    }

    fn count(&mut self, edges: &[FxHashSet<usize>]) {
        for (from, targets) in edges.iter().enumerate() {
            for to in targets.iter().filter(|to| **to != from) {
                if let Some(count) = self.incoming.get_mut(*to) {
                    *count += 1;
                }
                if let Some(count) = self.outgoing.get_mut(from) {
                    *count += 1;
                }
            }
        }
    }

    /// Breadth first, so that each page gets its shortest way.
    fn measure(&mut self, edges: &[FxHashSet<usize>]) {
        let mut waiting = VecDeque::new();
        if let Some(start) = self.depth.first_mut() {
            *start = Some(0);
            waiting.push_back((0, 0));
        }
        while let Some((from, depth)) = waiting.pop_front() {
            for to in edges.get(from).into_iter().flatten() {
                if let Some(place @ None) = self.depth.get_mut(*to) {
                    *place = Some(depth + 1);
                    waiting.push_back((*to, depth + 1));
                }
            }
        }
    }
}

fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// `http` and `https`, `www` or not, and a final slash make no other page.
fn key(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    let port = url.port().map(|port| format!(":{port}"));
    let query = url.query().map(|query| format!("?{query}"));
    let host = host(url);
    format!(
        "{host}{}{path}{}",
        port.unwrap_or_default(),
        query.unwrap_or_default()
    )
}
