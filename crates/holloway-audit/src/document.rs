//! What is in this page? Its HTML parsed once, with everything checks look up: elements
//! by name and id, CSS paths for places, visible text, addresses against the base.
//! A document may move to another thread but not be read by two at a time;
//! [`crate::documents::Documents`] shares it.

mod bounds;
mod counting;
mod links;
mod path;
mod tags;
mod text;

use std::cell::OnceCell;
use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use scraper::{ElementRef, Html, Node};
use url::Url;

pub use bounds::{MAX_BYTES, MAX_DEPTH, Parsed, parse as parse_html};
pub use ego_tree::NodeId;
pub use links::Link;

use crate::finding::Place;
use crate::page::Page;
use crate::rule::shorten;

/// A page with its HTML parsed.
pub struct Document {
    page: Page,
    url: Option<Url>,
    base: Option<Url>,
    html: Html,
    /// Elements in document order, without those inside `template`.
    elements: Vec<Entry>,
    positions: FxHashMap<NodeId, usize>,
    by_name: FxHashMap<String, Vec<NodeId>>,
    by_id: FxHashMap<String, Vec<NodeId>>,
    complete: bool,
    visible_text: OnceCell<String>,
    links: OnceCell<Vec<Link>>,
}

/// An element and its place among siblings of the same name.
struct Entry {
    node: NodeId,
    nth: usize,
    alone: bool,
    /// The HTML says that it is not shown: of this element itself, and of one around it too.
    unseen: bool,
    hidden: bool,
}

impl Document {
    /// Never fails: what a browser would show of broken HTML is what is checked. Pages
    /// beyond the bounds are cut there, which `complete` tells.
    pub fn parse(page: &Page) -> Self {
        let Parsed { html, complete, .. } = parse_html(&page.html);
        let mut document = Self {
            page: page.clone(),
            url: Url::parse(&page.url).ok(),
            base: None,
            html,
            elements: Vec::new(),
            positions: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_id: FxHashMap::default(),
            complete,
            visible_text: OnceCell::new(),
            links: OnceCell::new(),
        };
        document.index();
        document.base = document.find_base();
        document
    }

    fn index(&mut self) {
        // How many siblings of a name there were so far, and where the first one stands.
        let mut siblings: FxHashMap<_, (usize, usize)> = FxHashMap::default();
        for element in live_elements(&self.html) {
            let position = self.elements.len();
            let value = element.value();
            let parent = element.parent().map(|parent| parent.id());
            let key = (parent, value.name.local.clone());
            let (count, first) = siblings.entry(key).or_insert((0, position));
            *count += 1;
            let (nth, first) = (*count, *first);
            if nth == 2
                && let Some(first) = self.elements.get_mut(first)
            {
                first.alone = false;
            }
            let around = parent.and_then(|parent| self.entry(parent));
            let unseen = text::is_unseen(element);
            let hidden = unseen || around.is_some_and(|around| around.hidden);
            self.elements.push(Entry {
                node: element.id(),
                nth,
                alone: nth == 1,
                unseen,
                hidden,
            });
            self.positions.insert(element.id(), position);
            add(&mut self.by_name, value.name(), element.id());
            if let Some(id) = attribute(element, "id").filter(|id| !id.is_empty()) {
                add(&mut self.by_id, id, element.id());
            }
        }
    }

    fn entry(&self, node: NodeId) -> Option<&Entry> {
        let position = self.positions.get(&node)?;
        self.elements.get(*position)
    }

    /// Whether the HTML hides an element, by itself or by what is around it. What is in a
    /// `template` is hidden as well.
    pub fn is_hidden(&self, element: ElementRef) -> bool {
        self.entry(element.id()).is_none_or(|entry| entry.hidden)
    }

    /// The page as it was fetched.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The tree, for selectors and walks that this type does not offer.
    pub fn html(&self) -> &Html {
        &self.html
    }

    /// Where the page is; none if its address is not absolute.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// Whether all of the HTML was read, and not only what the bounds allow.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// All elements in document order, without what is inside `template`.
    pub fn elements(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.elements
            .iter()
            .filter_map(|entry| self.element(entry.node))
    }

    /// The elements of one name, in document order.
    pub fn named(&self, name: &str) -> impl Iterator<Item = ElementRef<'_>> {
        let nodes = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        nodes.iter().filter_map(|node| self.element(*node))
    }

    /// The elements of any of these names, in document order.
    pub fn named_any(&self, names: &[&str]) -> Vec<ElementRef<'_>> {
        let mut elements: Vec<_> = names.iter().flat_map(|name| self.named(name)).collect();
        elements.sort_by_key(|element| self.position(*element));
        elements
    }

    /// The first element of a name.
    pub fn first(&self, name: &str) -> Option<ElementRef<'_>> {
        self.named(name).next()
    }

    /// The elements with this id; more than one is a mistake of the page.
    pub fn with_id(&self, id: &str) -> impl Iterator<Item = ElementRef<'_>> {
        let nodes = self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        nodes.iter().filter_map(|node| self.element(*node))
    }

    pub fn element(&self, node: NodeId) -> Option<ElementRef<'_>> {
        self.html.tree.get(node).and_then(ElementRef::wrap)
    }

    /// Where an element stands in document order.
    pub fn position(&self, element: ElementRef) -> usize {
        let position = self.positions.get(&element.id());
        position.copied().unwrap_or(usize::MAX)
    }

    /// The content of the first `meta` with this `name` or `property`, any case.
    pub fn meta(&self, name: &str) -> Option<&str> {
        let element = self.metas(name).next()?;
        Some(element.attr("content").unwrap_or_default().trim())
    }

    /// Every `meta` element with this `name` or `property`.
    pub fn metas(&self, name: &str) -> impl Iterator<Item = ElementRef<'_>> {
        self.named("meta").filter(move |element| {
            let names = [element.attr("name"), element.attr("property")];
            let mut names = names.into_iter().flatten();
            names.any(|given| given.trim().eq_ignore_ascii_case(name))
        })
    }

    /// The `link` elements with this relation.
    pub fn relations(&self, relation: &str) -> impl Iterator<Item = ElementRef<'_>> {
        self.named("link")
            .filter(move |element| has_word(element.attr("rel"), relation))
    }

    /// What the page declares as its language, such as `en-GB`.
    pub fn language(&self) -> Option<&str> {
        let language = self.first("html")?.attr("lang")?.trim();
        (!language.is_empty()).then_some(language)
    }

    /// The text of the first `title` in the head.
    pub fn title(&self) -> Option<String> {
        let mut titles = self.named("title");
        // An icon may have a title too.
        let title = titles.find(|title| !within(*title, "svg"))?;
        Some(self.text(title))
    }

    /// The place that is the whole page.
    pub fn whole(&self) -> Place {
        Place {
            page: self.page.url.clone(),
            element: String::new(),
        }
    }

    /// The place of an element in the page.
    pub fn place(&self, element: ElementRef) -> Place {
        Place {
            page: self.page.url.clone(),
            element: self.path(element),
        }
    }

    /// An element's start tag as evidence, without long values.
    pub fn tag(&self, element: ElementRef) -> String {
        let value = element.value();
        let mut tag = format!("<{}", value.name());
        for (name, text) in value.attrs() {
            if tag.len() > 300 {
                tag.push_str(" …");
                break;
            }
            let text = shorten(text, 80);
            // Writing to a string cannot fail.
            let _ = write!(tag, " {}=\"{text}\"", shorten(name, 40));
        }
        tag.push('>');
        tag
    }

    /// Roughly what keeping this document costs in memory.
    pub fn weight(&self) -> usize {
        let text = self.page.html.len() * 2;
        let nodes = self.html.tree.values().len();
        // Beside its value a node has five links to others, an element four entries in maps.
        text + nodes * (size_of::<Node>() + 40) + self.elements.len() * 100 + 1024
    }
}

/// Walks without recursion, and passes over templates: what is in them is not there yet.
fn live_elements(html: &Html) -> impl Iterator<Item = ElementRef<'_>> {
    let mut template = None;
    let edges = html.tree.root().traverse();
    edges.filter_map(move |edge| match edge {
        ego_tree::iter::Edge::Open(node) => {
            let element = ElementRef::wrap(node).filter(|_| template.is_none())?;
            if element.value().name() == "template" {
                template = Some(node.id());
            }
            Some(element)
        }
        ego_tree::iter::Edge::Close(node) => {
            if template == Some(node.id()) {
                template = None;
            }
            None
        }
    })
}

fn add(map: &mut FxHashMap<String, Vec<NodeId>>, key: &str, node: NodeId) {
    if let Some(nodes) = map.get_mut(key) {
        nodes.push(node);
    } else {
        map.insert(key.to_owned(), vec![node]);
    }
}

/// An attribute by its name. The look-up of the library interns every name that is asked
/// for; elements have few attributes, so comparing is quicker.
pub fn attribute<'a>(element: ElementRef<'a>, name: &str) -> Option<&'a str> {
    let attributes = &element.value().attrs;
    let (_, value) = attributes
        .iter()
        .find(|(given, _)| &*given.local == name && given.ns.is_empty())?;
    Some(value)
}

/// Whether a list of words, such as a `rel` or `class`, has this one, in any case.
pub fn has_word(list: Option<&str>, word: &str) -> bool {
    let mut words = list.unwrap_or_default().split_ascii_whitespace();
    words.any(|given| given.eq_ignore_ascii_case(word))
}

/// Whether an element of this name is around `element`.
pub fn within(element: ElementRef, name: &str) -> bool {
    let mut around = element.ancestors().filter_map(ElementRef::wrap);
    around.any(|ancestor| ancestor.value().name() == name)
}

#[cfg(test)]
mod tests;
