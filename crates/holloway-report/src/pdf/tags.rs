//! What is each part for those who listen to a page? A tree of roles; a part joins it
//! when it is first drawn, so that the order of reading is the order of drawing.

use std::num::NonZeroU16;

use krilla::tagging::{
    Identifier, ListNumbering, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};

#[derive(Clone, Debug)]
pub(crate) enum Role {
    Heading(u8, String),
    Paragraph,
    List(bool),
    Entry,
    EntryBody,
    Quote,
    Code,
    Table,
    Row,
    HeaderCell,
    Cell,
    Figure(String),
    Link,
}

enum Child {
    Tag(usize),
    Mark(Identifier),
}

struct Entry {
    role: Role,
    parent: Option<usize>,
    children: Vec<Child>,
    attached: bool,
}

#[derive(Default)]
pub(crate) struct Tags {
    entries: Vec<Entry>,
    roots: Vec<usize>,
}

impl Tags {
    pub(crate) fn add(&mut self, role: Role, parent: Option<usize>) -> usize {
        self.entries.push(Entry {
            role,
            parent,
            children: Vec::new(),
            attached: false,
        });
        self.entries.len() - 1
    }

    pub(crate) fn mark(&mut self, tag: usize, identifier: Identifier) {
        self.attach(tag);
        if let Some(entry) = self.entries.get_mut(tag) {
            entry.children.push(Child::Mark(identifier));
        }
    }

    fn attach(&mut self, tag: usize) {
        let Some(entry) = self.entries.get_mut(tag) else {
            return;
        };
        if std::mem::replace(&mut entry.attached, true) {
            return;
        }
        match entry.parent {
            None => self.roots.push(tag),
            Some(parent) => {
                self.attach(parent);
                if let Some(parent) = self.entries.get_mut(parent) {
                    parent.children.push(Child::Tag(tag));
                }
            }
        }
    }

    pub(crate) fn tree(mut self, language: &str) -> TagTree {
        let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
        for root in std::mem::take(&mut self.roots) {
            tree.push(self.group(root));
        }
        tree
    }

    fn group(&mut self, tag: usize) -> TagGroup {
        let Some(entry) = self.entries.get_mut(tag) else {
            return TagGroup::new(Tag::NonStruct);
        };
        let kind = kind(&entry.role);
        let children = std::mem::take(&mut entry.children);
        let nodes = children.into_iter().map(|child| match child {
            Child::Tag(tag) => Node::Group(self.group(tag)),
            Child::Mark(identifier) => Node::Leaf(identifier),
        });
        let nodes = nodes.collect();
        TagGroup::with_children(kind, nodes)
    }
}

fn kind(role: &Role) -> TagKind {
    match role {
        Role::Heading(level, text) => {
            let level = NonZeroU16::new(u16::from(*level)).unwrap_or(NonZeroU16::MIN);
            Tag::Hn(level, Some(text.clone())).into()
        }
        Role::Paragraph => Tag::P.into(),
        Role::List(true) => Tag::L(ListNumbering::Decimal).into(),
        Role::List(false) => Tag::L(ListNumbering::Disc).into(),
        Role::Entry => Tag::LI.into(),
        Role::EntryBody => Tag::LBody.into(),
        Role::Quote => Tag::BlockQuote.into(),
        Role::Code => Tag::Code.into(),
        Role::Table => Tag::Table.into(),
        Role::Row => Tag::TR.into(),
        Role::HeaderCell => Tag::TH(TableHeaderScope::Column).into(),
        Role::Cell => Tag::TD.into(),
        Role::Figure(text) => Tag::Figure(Some(text.clone())).into(),
        Role::Link => Tag::Link.into(),
    }
}
