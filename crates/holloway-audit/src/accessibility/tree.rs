//! What stands where in the page? Elements and text in document order in one list, so
//! that walks need neither recursion nor allocation. What is inside `template` and
//! `noscript` is not there for a visitor, and not here either.

use ego_tree::iter::Edge;
use rustc_hash::FxHashMap;
use scraper::{ElementRef, Html, Node as Raw};

pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";

/// An attribute refers to at most this many elements.
const MOST_REFERENCES: usize = 20;

pub(crate) struct Node<'a> {
    /// None for text.
    pub(crate) element: Option<ElementRef<'a>>,
    /// The name of the element; empty for text.
    tag: &'a str,
    pub(crate) text: &'a str,
    /// One bit for the name of each attribute: most questions are about ones that are not there.
    names: u64,
    pub(crate) parent: Option<usize>,
    /// The first place after everything inside.
    pub(crate) end: usize,
    pub(crate) depth: u32,
    /// How many siblings come before.
    pub(crate) siblings: u32,
}

pub(crate) struct Tree<'a> {
    pub(crate) nodes: Vec<Node<'a>>,
    elements: Vec<usize>,
    tags: FxHashMap<&'a str, Vec<usize>>,
    ids: FxHashMap<&'a str, Vec<usize>>,
    labels: FxHashMap<&'a str, Vec<usize>>,
    /// Elements that say they own or control another, by its id.
    owners: FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(html: &'a Html) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            elements: Vec::new(),
            tags: FxHashMap::default(),
            ids: FxHashMap::default(),
            labels: FxHashMap::default(),
            owners: FxHashMap::default(),
        };
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut skipped = None;
        for edge in html.tree.root().traverse() {
            match edge {
                Edge::Open(node) if skipped.is_none() => match node.value() {
                    Raw::Element(element) => {
                        let index = tree.push(ElementRef::wrap(node), "", &mut open);
                        open.push((index, 0));
                        if matches!(element.name(), "template" | "noscript") {
                            skipped = Some(node.id());
                        }
                    }
                    Raw::Text(text) => {
                        tree.push(None, text, &mut open);
                    }
                    _ => {}
                },
                Edge::Close(node) => {
                    if skipped == Some(node.id()) {
                        skipped = None;
                    }
                    if skipped.is_none() && node.value().is_element() {
                        tree.close(&mut open);
                    }
                }
                Edge::Open(_) => {}
            }
        }
        tree
    }

    fn push(
        &mut self,
        element: Option<ElementRef<'a>>,
        text: &'a str,
        open: &mut [(usize, u32)],
    ) -> usize {
        let index = self.nodes.len();
        let depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
        let (parent, siblings) = match open.last_mut() {
            Some((parent, count)) => {
                *count += u32::from(element.is_some());
                (Some(*parent), *count)
            }
            None => (None, 0),
        };
        let value = element.map(|element| element.value());
        let tag = value.map_or("", scraper::node::Element::name);
        let attributes = value.into_iter().flat_map(scraper::node::Element::attrs);
        self.nodes.push(Node {
            element,
            tag,
            text,
            names: attributes.fold(0, |names, (name, _)| names | bit(name)),
            parent,
            end: index + 1,
            depth,
            siblings,
        });
        if element.is_some() {
            self.elements.push(index);
            self.tags.entry(tag).or_default().push(index);
            self.note_references(index, tag);
        }
        index
    }

    fn note_references(&mut self, index: usize, tag: &str) {
        if let Some(id) = self.attr(index, "id").filter(|id| !id.is_empty()) {
            self.ids.entry(id).or_default().push(index);
        }
        if tag == "label"
            && let Some(target) = self.attr(index, "for")
        {
            self.labels.entry(target).or_default().push(index);
        }
        for name in ["aria-owns", "aria-controls"] {
            let ids = self.attr(index, name).unwrap_or_default();
            for id in ids.split_ascii_whitespace().take(MOST_REFERENCES) {
                self.owners.entry(id).or_default().push(index);
            }
        }
    }

    fn close(&mut self, open: &mut Vec<(usize, u32)>) {
        let end = self.nodes.len();
        if let Some((index, _)) = open.pop()
            && let Some(node) = self.nodes.get_mut(index)
        {
            node.end = end;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn element(&self, index: usize) -> Option<ElementRef<'a>> {
        self.nodes.get(index)?.element
    }

    pub(crate) fn is_element(&self, index: usize) -> bool {
        self.nodes
            .get(index)
            .is_some_and(|node| node.element.is_some())
    }

    /// The name of the element; empty for text.
    pub(crate) fn tag(&self, index: usize) -> &'a str {
        self.nodes.get(index).map_or("", |node| node.tag)
    }

    /// The text of a text node.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        self.nodes.get(index).map_or("", |node| node.text)
    }

    // The look-up of the library interns every name that is asked for; elements have few
    // attributes, so comparing is quicker.
    #[inline]
    pub(crate) fn attr(&self, index: usize, name: &str) -> Option<&'a str> {
        if self.nodes.get(index)?.names & bit(name) == 0 {
            return None;
        }
        self.given(index, name)
    }

    fn given(&self, index: usize, name: &str) -> Option<&'a str> {
        let mut attributes = self.attrs(index);
        attributes
            .find(|(given, _)| *given == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn attrs(&self, index: usize) -> impl Iterator<Item = (&'a str, &'a str)> {
        let element = self.element(index);
        element
            .into_iter()
            .flat_map(|element| element.value().attrs())
    }

    pub(crate) fn has(&self, index: usize, name: &str) -> bool {
        self.attr(index, name).is_some()
    }

    /// Whether an attribute says exactly this, in any case.
    pub(crate) fn says(&self, index: usize, name: &str, value: &str) -> bool {
        self.attr(index, name)
            .is_some_and(|given| given.trim().eq_ignore_ascii_case(value))
    }

    /// An attribute with something in it.
    pub(crate) fn filled(&self, index: usize, name: &str) -> bool {
        self.attr(index, name)
            .is_some_and(|value| !value.trim().is_empty())
    }

    pub(crate) fn parent(&self, index: usize) -> Option<usize> {
        self.nodes.get(index)?.parent
    }

    /// How many elements are around.
    pub(crate) fn depth(&self, index: usize) -> usize {
        self.nodes.get(index).map_or(0, |node| node.depth as usize)
    }

    pub(crate) fn end(&self, index: usize) -> usize {
        self.nodes.get(index).map_or(index, |node| node.end)
    }

    pub(crate) fn children(&self, index: usize) -> impl Iterator<Item = usize> {
        let end = self.end(index);
        let first = Some(index + 1).filter(|first| *first < end);
        std::iter::successors(first, move |child| {
            let next = self.end(*child);
            (next < end).then_some(next)
        })
    }

    /// Everything inside, in document order.
    pub(crate) fn inside(&self, index: usize) -> std::ops::Range<usize> {
        index + 1..self.end(index)
    }

    /// The parent, its parent and so on.
    pub(crate) fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parent(index), |next| self.parent(*next))
    }

    /// The element itself or the nearest one around it for which this holds.
    pub(crate) fn closest(&self, index: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
        std::iter::once(index)
            .chain(self.ancestors(index))
            .find(|next| holds(*next))
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = usize> {
        self.elements.iter().copied()
    }

    /// The elements of these names, in document order.
    pub(crate) fn tagged(&self, tags: &[&str]) -> impl Iterator<Item = usize> + use<> {
        let lists = tags.iter().filter_map(|tag| self.tags.get(tag));
        let mut found: Vec<usize> = lists.flatten().copied().collect();
        if tags.len() > 1 {
            found.sort_unstable();
        }
        found.into_iter()
    }

    /// The first element with an id.
    pub(crate) fn by_id(&self, id: &str) -> Option<usize> {
        self.with_id(id).first().copied()
    }

    pub(crate) fn with_id(&self, id: &str) -> &[usize] {
        self.ids.get(id).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = (&'a str, &[usize])> {
        self.ids.iter().map(|(id, nodes)| (*id, nodes.as_slice()))
    }

    /// The labels that name an element by its id.
    pub(crate) fn labels_for(&self, index: usize) -> &[usize] {
        let id = self.attr(index, "id").filter(|id| !id.is_empty());
        let labels = id.and_then(|id| self.labels.get(id));
        labels.map_or(&[], Vec::as_slice)
    }

    /// The elements that own or control this one, by `aria-owns` or `aria-controls`.
    pub(crate) fn owners_of(&self, index: usize) -> &[usize] {
        let id = self.attr(index, "id").filter(|id| !id.is_empty());
        let owners = id.and_then(|id| self.owners.get(id));
        owners.map_or(&[], Vec::as_slice)
    }

    /// The elements that a list of ids refers to.
    pub(crate) fn references(&self, index: usize, name: &str) -> Vec<usize> {
        let ids = self.attr(index, name).unwrap_or_default();
        let ids = ids.split_ascii_whitespace().take(MOST_REFERENCES);
        ids.filter_map(|id| self.by_id(id)).collect()
    }

    pub(crate) fn is_svg(&self, index: usize) -> bool {
        self.element(index)
            .is_some_and(|element| &*element.value().name.ns == SVG)
    }
}

/// One bit that stands for the name of an attribute.
#[inline]
fn bit(name: &str) -> u64 {
    let letters = name.as_bytes();
    let letter = |place: usize| letters.get(place).map_or(0, |letter| usize::from(*letter));
    let last = letter(letters.len().wrapping_sub(1));
    let place = letters.len() * 11 + last * 7 + letter(letters.len() / 2) * 3;
    1 << (place & 63)
}
