//! What may be wrong? One file per family of rules, and the catalogue of them all.

pub(crate) mod alt_text;
pub(crate) mod aria;
mod autocomplete;
pub(crate) mod catalog;
pub(crate) mod contrast;
mod focus;
mod headings;
pub(crate) mod keyboard;
pub(crate) mod labels;
pub(crate) mod landmarks;
mod language;
mod lists;
mod owned;
mod region;
pub(crate) mod structure;
mod tables;
