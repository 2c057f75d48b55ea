//! How does Holloway reach the world? Stores, tools, files, network.

pub mod store;
