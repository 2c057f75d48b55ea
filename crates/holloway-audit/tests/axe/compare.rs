//! How far do our findings agree with those of axe-core on the same pages? Compared by
//! page, rule and element; agreement is what both found over what either found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use holloway_audit::accessibility::Checker;
use holloway_audit::document::Document;
use holloway_audit::page::{Asset, AssetKind, Page};
use scraper::{Html, Selector};
use serde::Deserialize;

/// Our rules that are not compared: axe has none of them, or sees what only a browser can
/// (sizes, media that loads), or never decides them (the purpose of links).
const OURS_ALONE: [&str; 7] = [
    "click-without-keyboard",
    "keyboard-trap",
    "focus-outline-removed",
    "small-text",
    "target-size",
    "no-autoplay-audio",
    "identical-links-same-purpose",
];

/// Rules of axe that are not compared: they need layout (scrolling regions, spacing) or
/// the content of frames, or are about Braille displays.
const AXE_ALONE: [&str; 7] = [
    "scrollable-region-focusable",
    "avoid-inline-spacing",
    "frame-tested",
    "frame-focusable-content",
    "aria-braille-equivalent",
    "no-autoplay-audio",
    "identical-links-same-purpose",
];

#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) axe: String,
    pub(crate) pages: BTreeMap<String, ExpectedPage>,
}

#[derive(Deserialize)]
pub(crate) struct ExpectedPage {
    pub(crate) elements: usize,
    pub(crate) found: BTreeMap<String, Vec<usize>>,
    /// Texts whose contrast axe could not tell.
    #[serde(default)]
    pub(crate) unsure: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) both: usize,
    pub(crate) ours: usize,
    pub(crate) axe: usize,
}

impl Count {
    pub(crate) fn agreement(self) -> f64 {
        let either = self.both + self.ours + self.axe;
        if either == 0 { 1.0 } else { self.both as f64 / either as f64 }
    }

    fn add(&mut self, other: Self) {
        self.both += other.both;
        self.ours += other.ours;
        self.axe += other.axe;
    }
}

#[derive(Default)]
pub(crate) struct Comparison {
    pub(crate) rules: BTreeMap<String, Count>,
    pub(crate) differences: Vec<String>,
    pub(crate) pages: usize,
    pub(crate) clean: usize,
    /// Pages whose tree is not the browser's, so that places cannot be compared.
    pub(crate) skipped: Vec<String>,
    pub(crate) undecided: usize,
    pub(crate) unsure: usize,
}

impl Comparison {
    pub(crate) fn total(&self) -> Count {
        let mut total = Count::default();
        for count in self.rules.values() {
            total.add(*count);
        }
        total
    }
}

pub(crate) fn compare(folder: &Path, expected: &Expected) -> Comparison {
    let mut comparison = Comparison::default();
    let mut checker = Checker::default();
    for (name, axe) in &expected.pages {
        let path = folder.join(name);
        let html = std::fs::read_to_string(&path)
            .unwrap_or_else(|_| String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned());
        let page = Page {
            url: format!("http://pages.test/{name}"),
            html,
            ..Page::default()
        };
        let document = Document::parse(&page);
        let order = order(document.html());
        if order.len() != axe.elements {
            comparison.skipped.push(format!("{name}: {} elements here, {} there", order.len(), axe.elements));
            continue;
        }
        let assets = assets(folder, name, &document);
        let checked = checker.check(&document, &assets);
        comparison.pages += 1;
        comparison.undecided += checked.undecided;
        comparison.unsure += axe.unsure.len();
        let mut ours: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for finding in &checked.findings {
            if OURS_ALONE.contains(&finding.rule.as_str()) {
                continue;
            }
            let place = place(document.html(), &order, &finding.place.element);
            ours.entry(finding.rule.as_str()).or_default().insert(place);
        }
        let theirs: BTreeMap<&str, BTreeSet<usize>> = axe
            .found
            .iter()
            .filter(|(rule, _)| !AXE_ALONE.contains(&rule.as_str()))
            .map(|(rule, places)| (rule.as_str(), places.iter().copied().collect()))
            .collect();
        if theirs.is_empty() && ours.is_empty() {
            comparison.clean += 1;
        }
        let none = BTreeSet::new();
        let rules: BTreeSet<&str> = ours.keys().chain(theirs.keys()).copied().collect();
        for rule in rules {
            let (own, other) = (ours.get(rule).unwrap_or(&none), theirs.get(rule).unwrap_or(&none));
            comparison.rules.entry(rule.to_owned()).or_default().add(Count {
                both: own.intersection(other).count(),
                ours: own.difference(other).count(),
                axe: other.difference(own).count(),
            });
            for place in own.difference(other) {
                let unsure = if rule == "color-contrast" && axe.unsure.contains(place) { " (axe unsure)" } else { "" };
                comparison.differences.push(format!("{rule} ours{unsure} {name} {}", tag(&document, &order, *place)));
            }
            for place in other.difference(own) {
                comparison.differences.push(format!("{rule} axe {name} {}", tag(&document, &order, *place)));
            }
        }
    }
    comparison.differences.sort();
    comparison
}

type Node = ego_tree::NodeId;

/// Elements in document order, as a browser counts them.
fn order(html: &Html) -> Vec<Node> {
    let mut order = Vec::new();
    let mut waiting = vec![html.tree.root()];
    while let Some(node) = waiting.pop() {
        if let Some(element) = node.value().as_element() {
            order.push(node.id());
            if matches!(element.name(), "template" | "noscript") {
                continue;
            }
        }
        let mut children: Vec<_> = node.children().collect();
        children.reverse();
        waiting.extend(children);
    }
    order
}

fn place(html: &Html, order: &[Node], path: &str) -> usize {
    let selector = Selector::parse(path).unwrap_or_else(|_| panic!("{path} is no selector"));
    let element = html.select(&selector).find(|found| order.contains(&found.id()));
    let id = element.unwrap_or_else(|| panic!("{path} leads nowhere")).id();
    order.iter().position(|node| *node == id).unwrap()
}

fn tag(document: &Document, order: &[Node], place: usize) -> String {
    let element = order.get(place).and_then(|node| document.element(*node));
    element.map_or_else(|| format!("place {place}"), |element| {
        let text: String = element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
        format!("#{place} {} {:.40}", document.tag(element), text.chars().take(40).collect::<String>())
    })
}

fn assets(folder: &Path, name: &str, document: &Document) -> Vec<Asset> {
    let base: PathBuf = folder.join(name).parent().unwrap().to_owned();
    let links = document.relations("stylesheet");
    let found = links.filter_map(|link| {
        let href = link.attr("href")?;
        let url = document.resolve(href)?;
        let local = href.split(['?', '#']).next()?;
        // The root of a packaged site is some folder above its pages.
        let path = match local.strip_prefix('/') {
            Some(rooted) => base.ancestors().map(|up| up.join(rooted)).find(|path| path.is_file())?,
            None => base.join(local),
        };
        let text = std::fs::read_to_string(path).ok()?;
        Some(Asset {
            url: url.to_string(),
            kind: AssetKind::Style,
            text,
            ..Asset::default()
        })
    });
    found.collect()
}
