//! How does Holloway reach the world? Stores, tools, files, network.

mod catalog_store;
pub mod clock;
mod run_store;
pub mod sandbox;
pub mod secrets;
pub mod skill_folder;
pub mod sources;
pub mod store;
pub mod tools;
