//! Which plans does this request want? A request and the tools at hand in, several
//! checked plans with reasons and estimates out. Nothing here calls a tool or a model:
//! the same request, tools and memory give the same plans anywhere.
//!
//! Read in the order of the journey: [`frame`] (what is asked, in types), [`lexicon`] and [`read`]
//! (how words become a frame), [`catalogue`] and [`infer`] (with what, and what it does), [`templates`] and [`assemble`] (how a
//! frame becomes steps), [`recall`], [`bind`] and [`other`] (the same over tools of other people),
//! [`drafts`], [`sure`], [`estimate`] and [`card`] (what a person chooses from). [`advanced`] is the same for
//! tasks that are already taken apart.

// Tests compare numbers that are exact by construction.
#![cfg_attr(test, allow(clippy::float_cmp))]

pub mod frame;
pub mod lexicon;
pub mod read;

pub mod assemble;
pub mod drafts;
pub mod templates;

pub mod catalogue;
pub mod infer;

pub mod secret_words;

pub mod recall;

pub mod measure;

pub mod bind;
pub mod other;
pub mod settings;

pub mod sure;

pub mod card;
pub mod estimate;

pub mod advanced;
