//! What can a visitor see, and a screen reader tell? The tree with the look of every
//! element, whether it is there at all, its role, and whether it takes the focus.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use scraper::Html;

use super::aria::attributes;
use super::aria::elements;
use super::aria::roles::{self, Role};
use super::style::cascade::{self, Looks};
use super::style::computed::Style;
use super::style::sheet::Sheet;
use super::style::value::Display;
use super::tree::Tree;

/// Laid out at all.
const RENDERED: u8 = 1;
/// Laid out and not made invisible.
const VISIBLE: u8 = 2;
/// Told to screen readers.
const EXPOSED: u8 = 4;
/// Neither cut away nor moved off the screen.
const ON_SCREEN: u8 = 8;
const INERT: u8 = 16;
/// Switched off by itself, or by what is around it.
const DISABLED: u8 = 32;
/// Inside a `label`, or one itself.
const LABEL: u8 = 64;
/// A painted box lies on or under it, or something around it.
const COVERED: u8 = 128;

pub(crate) struct View<'a> {
    pub(crate) tree: Tree<'a>,
    looks: Looks,
    flags: Vec<u8>,
    roles: Vec<Option<&'static Role>>,
    /// The names of image maps that some image uses.
    maps: FxHashSet<&'a str>,
    pub(crate) sheets: Vec<Arc<Sheet>>,
    nothing: Style,
}

impl<'a> View<'a> {
    pub(crate) fn new(html: &'a Html, sheets: Vec<Arc<Sheet>>) -> Self {
        let tree = Tree::new(html);
        let looks = cascade::compute(&tree, &sheets);
        let images = tree.tagged(&["img"]);
        let maps = images
            .filter_map(|image| tree.attr(image, "usemap")?.strip_prefix('#'))
            .collect();
        let mut view = Self {
            maps,
            flags: Vec::with_capacity(tree.len()),
            roles: Vec::with_capacity(tree.len()),
            tree,
            looks,
            sheets,
            nothing: Style::default(),
        };
        for index in 0..view.tree.len() {
            let flags = view.work_out_flags(index);
            view.flags.push(flags);
        }
        for index in 0..view.tree.len() {
            let role = view.work_out_role(index);
            view.roles.push(role);
        }
        view
    }

    fn work_out_flags(&self, index: usize) -> u8 {
        let parent = self.tree.parent(index);
        let around = parent.and_then(|parent| self.flags.get(parent)).copied();
        let mut flags = around.unwrap_or(RENDERED | VISIBLE | EXPOSED | ON_SCREEN);
        if !self.tree.is_element(index) {
            return flags;
        }
        let style = self.style(index);
        flags = self.marked(index, style, flags);
        // These hold whatever is seen.
        let kept = flags & (INERT | DISABLED | LABEL | COVERED);
        let area = self.tree.tag(index) == "area" && self.is_used_map(index);
        if (style.display == Display::None && !area) || self.is_in_closed_details(index) {
            return kept;
        }
        if flags & RENDERED == 0 {
            return kept;
        }
        // A child may be made visible again.
        flags |= VISIBLE;
        if style.hidden {
            flags &= !VISIBLE;
        }
        if self.tree.says(index, "aria-hidden", "true") {
            flags &= !EXPOSED;
        }
        if self.tree.has(index, "inert") {
            flags = (flags & !EXPOSED) | INERT;
        }
        if style.opacity <= 0.0 || style.is_off_screen() || style.is_flat() {
            flags &= !ON_SCREEN;
        }
        flags
    }

    /// The flags from around with what the element adds, beside what is seen of it.
    fn marked(&self, index: usize, style: &Style, mut flags: u8) -> u8 {
        let tag = self.tree.tag(index);
        if can_be_disabled(tag) && self.tree.has(index, "disabled") {
            flags |= DISABLED;
        } else if let Some(value) = self.tree.attr(index, "aria-disabled") {
            flags &= !DISABLED;
            if value.eq_ignore_ascii_case("true") {
                flags |= DISABLED;
            }
        }
        if tag == "label" {
            flags |= LABEL;
        }
        if style.covered {
            flags |= COVERED;
        }
        flags
    }

    fn is_in_closed_details(&self, index: usize) -> bool {
        let Some(parent) = self.tree.parent(index) else {
            return false;
        };
        if self.tree.tag(parent) != "details" || self.tree.has(parent, "open") {
            return false;
        }
        let mut children = self.tree.children(parent);
        children.find(|child| self.tree.tag(*child) == "summary") != Some(index)
    }

    fn is_used_map(&self, index: usize) -> bool {
        let map = self
            .tree
            .closest(index, |next| self.tree.tag(next) == "map");
        let name = map.and_then(|map| self.tree.attr(map, "name"));
        name.is_some_and(|name| self.maps.contains(name))
    }

    /// The role as a screen reader hears it; none where there is none.
    fn work_out_role(&self, index: usize) -> Option<&'static Role> {
        if !self.tree.is_element(index) {
            return None;
        }
        match self.explicit(index) {
            Some(role) if !role.is_presentation() => Some(role),
            Some(role) if !self.has_conflict(index) => Some(role),
            _ => self.implicit(index),
        }
    }

    fn implicit(&self, index: usize) -> Option<&'static Role> {
        let role = elements::implicit(self, index).and_then(roles::find)?;
        Some(self.inherited_role(index).unwrap_or(role))
    }

    /// Parts of a list or table that is only for looks are so too.
    fn inherited_role(&self, index: usize) -> Option<&'static Role> {
        let mut current = index;
        loop {
            let parents: &[&str] = match self.tree.tag(current) {
                "td" | "th" => &["tr"],
                "tr" => &["thead", "tbody", "tfoot", "table"],
                "thead" | "tbody" | "tfoot" => &["table"],
                "li" => &["ol", "ul"],
                "dt" | "dd" => &["dl", "div"],
                "div" => &["dl"],
                _ => return None,
            };
            let parent = self.tree.parent(current)?;
            if !parents.contains(&self.tree.tag(parent)) {
                return None;
            }
            match self.explicit(parent) {
                Some(role) if role.is_presentation() && !self.has_conflict(parent) => {
                    return Some(role);
                }
                Some(_) => return None,
                None => current = parent,
            }
        }
    }

    /// Elements that are focusable or described keep their own role.
    fn has_conflict(&self, index: usize) -> bool {
        self.has_global_aria(index) || self.is_focusable(index)
    }

    /// The role that the page gives, where it is a real one.
    pub(crate) fn explicit(&self, index: usize) -> Option<&'static Role> {
        let role = self.tree.attr(index, "role")?.trim().to_ascii_lowercase();
        if role.starts_with("doc-") {
            return None;
        }
        roles::find(&role).filter(|role| role.kind != roles::Kind::Abstract)
    }

    /// The first of several roles that is known, as browsers fall back.
    pub(crate) fn explicit_of_list(&self, index: usize) -> Option<&'static Role> {
        let words = self.tree.attr(index, "role")?.to_ascii_lowercase();
        let mut known = words.split_ascii_whitespace().filter_map(roles::find);
        known.find(|role| role.kind != roles::Kind::Abstract)
    }

    pub(crate) fn role(&self, index: usize) -> Option<&'static Role> {
        self.roles.get(index).copied().flatten()
    }

    pub(crate) fn role_name(&self, index: usize) -> &'static str {
        self.role(index).map_or("", |role| role.name)
    }

    pub(crate) fn style(&self, index: usize) -> &Style {
        self.looks.of(index).unwrap_or(&self.nothing)
    }

    /// Whether some rules were not tried, because there was too much to match.
    pub(crate) fn unsure(&self) -> bool {
        self.looks.unsure
    }

    fn flag(&self, index: usize, flags: u8) -> bool {
        self.flags
            .get(index)
            .is_some_and(|own| own & flags == flags)
    }

    pub(crate) fn is_rendered(&self, index: usize) -> bool {
        self.flag(index, RENDERED)
    }

    pub(crate) fn is_visible(&self, index: usize) -> bool {
        self.flag(index, RENDERED | VISIBLE)
    }

    pub(crate) fn is_exposed(&self, index: usize) -> bool {
        self.flag(index, RENDERED | VISIBLE | EXPOSED)
    }

    pub(crate) fn is_on_screen(&self, index: usize) -> bool {
        self.flag(index, RENDERED | VISIBLE | ON_SCREEN)
    }

    pub(crate) fn is_inert(&self, index: usize) -> bool {
        self.flag(index, INERT)
    }

    pub(crate) fn is_within(&self, index: usize, tags: &[&str]) -> bool {
        let mut around = self.tree.ancestors(index);
        around.any(|next| tags.contains(&self.tree.tag(next)))
    }

    pub(crate) fn has_global_aria(&self, index: usize) -> bool {
        self.tree
            .attrs(index)
            .any(|(name, _)| attributes::find(name).is_some_and(attributes::Attribute::is_global))
    }

    /// Named by `aria-label` or `aria-labelledby`.
    pub(crate) fn has_label(&self, index: usize) -> bool {
        let refers = || {
            let targets = self.tree.references(index, "aria-labelledby");
            targets.into_iter().any(|target| {
                self.tree.filled(target, "aria-label")
                    || self
                        .tree
                        .inside(target)
                        .any(|next| !self.tree.text(next).trim().is_empty())
            })
        };
        self.tree.filled(index, "aria-label") || refers()
    }

    /// The kind of an `input`, as browsers understand it.
    pub(crate) fn input_type(&self, index: usize) -> String {
        let kind = self.tree.attr(index, "type").unwrap_or_default();
        kind.trim().to_ascii_lowercase()
    }

    /// Switched off by itself, or by what is around it.
    pub(crate) fn is_disabled(&self, index: usize) -> bool {
        self.flag(index, DISABLED)
    }

    /// Inside a `label`, or one itself.
    pub(crate) fn is_in_label(&self, index: usize) -> bool {
        self.flag(index, LABEL)
    }

    /// A painted box lies on or under the element, or one around it.
    pub(crate) fn is_covered(&self, index: usize) -> bool {
        self.flag(index, COVERED)
    }

    fn cannot_focus(&self, index: usize) -> bool {
        let tag = self.tree.tag(index);
        let off = |up: usize| self.tree.has(up, "disabled");
        let disabled = || {
            let mut around = self.tree.ancestors(index);
            off(index) || around.any(|up| self.tree.tag(up) == "fieldset" && off(up))
        };
        (can_be_disabled(tag) && disabled())
            || self.is_inert(index)
            || (tag != "area" && !self.is_visible(index))
    }

    pub(crate) fn tabindex(&self, index: usize) -> Option<i64> {
        self.tree.attr(index, "tabindex")?.trim().parse().ok()
    }

    /// Takes the focus without being told to.
    pub(crate) fn is_natively_focusable(&self, index: usize) -> bool {
        match self.tree.tag(index) {
            "a" | "area" => self.tree.has(index, "href"),
            "input" => self.input_type(index) != "hidden",
            "button" | "select" | "textarea" => true,
            "summary" => {
                let up = self.tree.parent(index);
                up.is_some_and(|up| self.tree.tag(up) == "details")
            }
            "details" => !self
                .tree
                .inside(index)
                .any(|next| self.tree.tag(next) == "summary"),
            _ => false,
        }
    }

    pub(crate) fn is_focusable(&self, index: usize) -> bool {
        (self.is_natively_focusable(index) || self.tabindex(index).is_some())
            && !self.cannot_focus(index)
    }

    /// Reached by the Tab key.
    pub(crate) fn is_tabbable(&self, index: usize) -> bool {
        self.is_focusable(index) && self.tabindex(index).is_none_or(|number| number >= 0)
    }

    /// Text directly inside, not in an element of its own.
    pub(crate) fn has_own_text(&self, index: usize) -> bool {
        let mut children = self.tree.children(index);
        children.any(|child| !self.tree.text(child).trim().is_empty())
    }
}

fn can_be_disabled(tag: &str) -> bool {
    matches!(
        tag,
        "button" | "fieldset" | "input" | "optgroup" | "option" | "select" | "textarea"
    )
}
