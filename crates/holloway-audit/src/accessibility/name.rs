//! What does a screen reader call an element? The accessible name: references, labels,
//! what HTML offers, content, title, in the order of the accname specification.

use rustc_hash::FxHashSet;

use super::view::View;

/// A name is made from at most this many nodes: nobody listens longer.
const MOST_NODES: usize = 1_000;
/// Content inside content is followed this far.
const DEEPEST: usize = 200;
/// Nor is more text than this gathered, in bytes.
const LONGEST: usize = 4_000;

/// How a part of a name is reached.
#[derive(Clone, Copy, Default)]
struct Path {
    /// Inside a reference or a label: no further references.
    referred: bool,
    /// The reference leads to something hidden, which is read nevertheless.
    hidden: bool,
    /// Below the element that is named by its content.
    below: bool,
    depth: usize,
}

struct Walk<'v, 'a> {
    view: &'v View<'a>,
    start: usize,
    seen: FxHashSet<usize>,
    left: usize,
}

/// Runs of white space become one space.
pub(crate) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(word);
    }
    clean
}

/// As much of a text as a name can hold.
fn front(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let text = text.trim_start();
    let end = text.floor_char_boundary(LONGEST);
    text.get(..end).unwrap_or(text)
}

impl<'a> View<'a> {
    /// The accessible name; empty where there is none.
    pub(crate) fn name(&self, index: usize) -> String {
        clean(&self.walk(index).name(index, Path::default()))
    }

    /// What the content alone would give.
    pub(crate) fn content_name(&self, index: usize) -> String {
        clean(&self.walk(index).content(index, Path::default()))
    }

    /// What the elements say that `aria-labelledby` refers to.
    pub(crate) fn referred_name(&self, index: usize) -> String {
        clean(&self.walk(index).referred(index, Path::default()))
    }

    /// Named by an attribute: `aria-label`, `aria-labelledby` or `title`.
    pub(crate) fn is_named_by_attribute(&self, index: usize) -> bool {
        self.tree.filled(index, "aria-label")
            || self.tree.filled(index, "title")
            || !self.referred_name(index).is_empty()
    }

    /// What one `label` says about the field `start`.
    pub(crate) fn label_says(&self, label: usize, start: usize) -> String {
        let path = Path {
            referred: true,
            ..Path::default()
        };
        clean(&self.walk(start).name(label, path))
    }

    /// The text that is to be seen or, with `heard`, that a screen reader tells.
    pub(crate) fn visible_text(&self, index: usize, heard: bool) -> String {
        let mut text = String::new();
        for next in self.tree.inside(index).take(MOST_NODES) {
            if self.tree.tag(next) == "br" {
                text.push(' ');
            }
            let there = if heard {
                self.is_exposed(next)
            } else {
                self.is_on_screen(next)
            };
            if there {
                text.push_str(front(self.tree.text(next)));
            }
            if text.len() > LONGEST {
                break;
            }
        }
        clean(&text)
    }

    fn walk(&self, start: usize) -> Walk<'_, 'a> {
        Walk {
            view: self,
            start,
            seen: FxHashSet::default(),
            left: MOST_NODES,
        }
    }
}

impl Walk<'_, '_> {
    fn name(&mut self, index: usize, path: Path) -> String {
        let tree = &self.view.tree;
        if self.left == 0 || path.depth > DEEPEST {
            return String::new();
        }
        self.left -= 1;
        if !tree.is_element(index) {
            return front(tree.text(index)).to_owned();
        }
        let natively_hidden = matches!(tree.tag(index), "style" | "script" | "template");
        if natively_hidden || (!self.view.is_exposed(index) && !path.hidden) {
            return String::new();
        }
        if !path.referred {
            let referred = self.referred(index, path);
            if !referred.trim().is_empty() {
                return referred;
            }
        }
        if let Some(label) = tree.attr(index, "aria-label")
            && !label.trim().is_empty()
        {
            return front(label).to_owned();
        }
        self.native_or_content(index, path)
    }

    fn native_or_content(&mut self, index: usize, path: Path) -> String {
        let presentation = self
            .view
            .role(index)
            .is_some_and(super::aria::roles::Role::is_presentation);
        if !presentation {
            let native = self.native(index, path);
            if !native.trim().is_empty() {
                return native;
            }
        }
        if index != self.start {
            let value = self.value(index);
            if !value.is_empty() {
                return value;
            }
        }
        let content = self.content(index, path);
        if !content.trim().is_empty() || presentation {
            return content;
        }
        let title = self.view.tree.attr(index, "title");
        title.unwrap_or_default().to_owned()
    }

    fn referred(&mut self, index: usize, path: Path) -> String {
        let targets = self.view.tree.references(index, "aria-labelledby");
        let mut text = String::new();
        for target in targets {
            let path = Path {
                referred: true,
                hidden: !self.view.is_exposed(target),
                below: false,
                depth: path.depth + 1,
            };
            text.push_str(&self.name(target, path));
            text.push(' ');
        }
        text
    }

    /// What HTML offers: alternative texts, captions, labels.
    fn native(&mut self, index: usize, path: Path) -> String {
        let tree = &self.view.tree;
        let attr = |name: &str| tree.attr(index, name).unwrap_or_default().to_owned();
        match tree.tag(index) {
            "img" | "area" => attr("alt"),
            "svg" => self.first_child(index, "title", path),
            "fieldset" => self.first_child(index, "legend", path),
            "table" => self.first_child(index, "caption", path),
            "figure" => self.first_child(index, "figcaption", path),
            "input" => self.input(index, path),
            "textarea" | "select" => {
                let label = self.labels(index, path);
                if label.trim().is_empty() {
                    attr("placeholder")
                } else {
                    label
                }
            }
            "br" => " ".to_owned(),
            _ => String::new(),
        }
    }

    fn input(&mut self, index: usize, path: Path) -> String {
        let tree = &self.view.tree;
        let attr = |name: &str| tree.attr(index, name).unwrap_or_default().to_owned();
        match self.view.input_type(index).as_str() {
            "submit" if !tree.has(index, "value") => "Submit".to_owned(),
            "reset" if !tree.has(index, "value") => "Reset".to_owned(),
            "button" | "submit" | "reset" => attr("value"),
            "image" if tree.filled(index, "alt") => attr("alt"),
            "image" if tree.filled(index, "value") => attr("value"),
            "image" => self.labels(index, path),
            _ => {
                let label = self.labels(index, path);
                if label.trim().is_empty() {
                    attr("placeholder")
                } else {
                    label
                }
            }
        }
    }

    fn first_child(&mut self, index: usize, tag: &str, path: Path) -> String {
        let tree = &self.view.tree;
        let Some(child) = tree.children(index).find(|child| tree.tag(*child) == tag) else {
            return String::new();
        };
        let path = Path {
            below: true,
            hidden: path.hidden || tag == "title",
            depth: path.depth + 1,
            ..path
        };
        self.content(child, path)
    }

    /// The labels around and for a field.
    fn labels(&mut self, index: usize, path: Path) -> String {
        if path.referred {
            return String::new();
        }
        let tree = &self.view.tree;
        let mut labels = tree.labels_for(index).to_vec();
        labels.extend(tree.closest(index, |next| tree.tag(next) == "label"));
        labels.sort_unstable();
        labels.dedup();
        let mut text = String::new();
        for label in labels.into_iter().take(20) {
            let path = Path {
                referred: true,
                depth: path.depth + 1,
                ..path
            };
            text.push_str(&self.name(label, path));
            text.push(' ');
        }
        text
    }

    /// What a field inside a label says: its value.
    fn value(&self, index: usize) -> String {
        let tree = &self.view.tree;
        match self.view.role_name(index) {
            "textbox" | "searchbox" | "spinbutton" | "slider" if tree.tag(index) == "input" => {
                tree.attr(index, "value").unwrap_or_default().to_owned()
            }
            "slider" | "spinbutton" | "progressbar" | "scrollbar" => tree
                .attr(index, "aria-valuenow")
                .unwrap_or_default()
                .to_owned(),
            "combobox" | "listbox" if tree.tag(index) == "select" => {
                let options = || {
                    tree.inside(index)
                        .filter(|next| tree.tag(*next) == "option")
                };
                let chosen = options().find(|option| tree.has(*option, "selected"));
                let chosen = chosen.or_else(|| options().next());
                chosen.map_or_else(String::new, |option| {
                    tree.children(option)
                        .map(|child| tree.text(child))
                        .collect()
                })
            }
            _ => String::new(),
        }
    }

    fn content(&mut self, index: usize, path: Path) -> String {
        let tree = &self.view.tree;
        if !self.reads_content(index, path) || !self.seen.insert(index) {
            return String::new();
        }
        let below = Path {
            below: true,
            depth: path.depth + 1,
            ..path
        };
        let mut text = String::new();
        let owned = tree.references(index, "aria-owns");
        for child in tree.children(index).chain(owned) {
            let part = self.name(child, below);
            let apart = self.view.style(child).is_block() && tree.is_element(child);
            if apart {
                text.push(' ');
            }
            text.push_str(&part);
            if apart {
                text.push(' ');
            }
            if text.len() > LONGEST {
                break;
            }
        }
        text
    }

    fn reads_content(&self, index: usize, path: Path) -> bool {
        let embedded = matches!(
            self.view.tree.tag(index),
            "audio" | "canvas" | "embed" | "iframe" | "img" | "math" | "object" | "svg" | "video"
        );
        let role = self.view.role(index);
        let field = role.is_some_and(|role| {
            matches!(
                role.name,
                "textbox"
                    | "progressbar"
                    | "scrollbar"
                    | "slider"
                    | "spinbutton"
                    | "combobox"
                    | "listbox"
            )
        });
        if embedded || field {
            return false;
        }
        path.below
            || path.referred
            || role.is_none_or(|role| role.named_by_content() || role.is_presentation())
    }
}
