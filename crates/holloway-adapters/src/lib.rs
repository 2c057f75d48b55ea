//! How do we reach the world? Stores, tools, files, network; no decisions.

pub mod tools;
