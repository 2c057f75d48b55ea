//! How do we speak to a model? Each provider's wire shape is a pure translation in
//! [`wire`]; one client sends, repeats, bounds and counts. Nothing here decides what is
//! asked or what becomes of an answer.
//!
//! Read in this order: [`settings`] (what a person configures), [`key`] (how the key gets
//! there and nowhere else), [`wire`] (three shapes), [`pause`] (when the same is tried
//! again), [`client`] (all of it together, behind the engine's port `Model`); [`o200k`] counts tokens.

// Tests compare numbers that are exact by construction.
#![cfg_attr(test, allow(clippy::float_cmp))]

pub mod key;
pub mod settings;
mod small;

pub mod wire;

pub mod pause;

mod exchange;

pub mod client;

pub mod o200k;

pub use client::Client;
pub use key::Keys;
pub use o200k::O200k;
pub use settings::{Provider, Settings};
