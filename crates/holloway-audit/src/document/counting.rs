//! What does building this tree cost? Passes everything on to the tree and counts each
//! step; past the bounds the tree stays as it is.

use std::borrow::Cow;
use std::cell::{Cell, Ref};

use ego_tree::NodeId;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};
use scraper::{Html, HtmlTreeSink};

use super::bounds::{MAX_ATTRIBUTES, MAX_DEPTH, RAW};

/// Around the elements of a page are `html`, `body` and the document.
const OUTER: usize = 3;

/// Attributes beyond this are compared with those of all formatting around.
const FEW_ATTRIBUTES: u64 = 16;

const HTML: &str = "http://www.w3.org/1999/xhtml";

pub(super) struct Counting {
    inner: HtmlTreeSink,
    steps: Cell<u64>,
    most_steps: u64,
    over: Cell<bool>,
    /// What is around the last element, in number.
    depth: Cell<usize>,
    /// The element whose text is read without looking for tags.
    raw: Cell<Option<NodeId>>,
}

impl Counting {
    pub(super) fn new(most_steps: u64) -> Self {
        Self {
            inner: HtmlTreeSink::new(Html::new_document()),
            steps: Cell::new(0),
            most_steps,
            over: Cell::new(false),
            depth: Cell::new(0),
            raw: Cell::new(None),
        }
    }

    /// How much work there was.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Whether something was left out because it went past the bounds.
    pub(super) fn is_over(&self) -> bool {
        self.over.get()
    }

    /// Whether the bound is near enough to look at every tag.
    pub(super) fn is_deep(&self) -> bool {
        self.depth.get() > MAX_DEPTH / 4
    }

    pub(super) fn is_raw(&self) -> bool {
        self.raw.get().is_some()
    }

    fn step(&self, steps: u64) {
        let steps = self.steps.get().saturating_add(steps);
        self.steps.set(steps);
        if steps > self.most_steps {
            self.over.set(true);
        }
    }

    /// Whether a node may be put below `parent`.
    fn admits(&self, parent: NodeId, child: &NodeOrText<NodeId>) -> bool {
        self.step(1);
        if let NodeOrText::AppendNode(child) = child {
            let html = self.inner.0.borrow();
            let parent = html.tree.get(parent);
            let around = parent.map_or(0, |parent| parent.ancestors().count() + 1);
            let depth = around as u64;
            let child = html.tree.get(*child);
            let element = child.and_then(|child| child.value().as_element());
            let attributes = element.map_or(0, |element| element.attrs.len() as u64);
            // Formatting is compared with all formatting around, with its attributes sorted.
            let compared = attributes.saturating_sub(FEW_ATTRIBUTES) * 8 * depth;
            self.step(depth + compared);
            if element.is_some() {
                self.depth.set(around);
                if around >= MAX_DEPTH + OUTER {
                    self.over.set(true);
                }
            }
        }
        !self.over.get()
    }
}

impl TreeSink for Counting {
    type Output = Html;
    type Handle = NodeId;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Html {
        self.inner.finish()
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.inner.parse_error(message);
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.inner.set_quirks_mode(mode);
    }

    fn get_document(&self) -> NodeId {
        self.inner.get_document()
    }

    // The parser looks through what is open by asking for names, one at a time.
    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        self.step(1);
        self.inner.elem_name(target)
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        self.step(1);
        one == other
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        self.step(1);
        let raw = &*name.ns == HTML && RAW.contains(&&*name.local);
        let element = self.inner.create_element(name, attributes, flags);
        if raw {
            self.raw.set(Some(element));
        }
        element
    }

    fn pop(&self, element: &NodeId) {
        if self.raw.get() == Some(*element) {
            self.raw.set(None);
        }
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.step(1);
        self.inner.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        self.inner.create_pi(target, data)
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.inner.append_doctype_to_document(name, public, system);
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        if self.admits(*parent, &child) {
            self.inner.append(parent, child);
        }
    }

    fn append_before_sibling(&self, sibling: &NodeId, node: NodeOrText<NodeId>) {
        if self.admits(*sibling, &node) {
            self.inner.append_before_sibling(sibling, node);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        if self.admits(*previous, &child) {
            self.inner
                .append_based_on_parent_node(element, previous, child);
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.step(1);
        if !self.over.get() {
            self.inner.remove_from_parent(target);
        }
    }

    fn reparent_children(&self, node: &NodeId, parent: &NodeId) {
        let children = {
            let html = self.inner.0.borrow();
            html.tree
                .get(*node)
                .map_or(0, |node| node.children().count())
        };
        self.step(children as u64);
        if !self.over.get() {
            self.inner.reparent_children(node, parent);
        }
    }

    // `html` and `body` written again add their attributes to the first one.
    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        let known = {
            let html = self.inner.0.borrow();
            let node = html.tree.get(*target);
            let element = node.and_then(|node| node.value().as_element());
            element.map_or(0, |element| element.attrs.len())
        };
        self.step((known * attributes.len()) as u64);
        if known + attributes.len() > MAX_ATTRIBUTES {
            self.over.set(true);
        }
        if !self.over.get() {
            self.inner.add_attrs_if_missing(target, attributes);
        }
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        self.inner.get_template_contents(target)
    }
}
