//! Which tools fit this request? Text and vectors in, ranked tools with reasons out.
//!
//! Nothing here reads files or asks a model: the same catalogue and the same words
//! give the same ranking anywhere.

// Tests compare numbers that are exact by construction.
#![cfg_attr(test, allow(clippy::float_cmp))]

pub mod words;

pub mod pieces;
pub mod table;

pub mod entry;
pub mod lines;

pub mod clauses;
pub mod literals;

pub mod lexical;
pub mod vectors;

pub mod alignment;
pub mod families;
pub mod fusion;
pub mod index;

pub mod memory;

pub mod category;
pub mod rank;
pub mod reason;

pub mod baseline;
pub mod measure;
