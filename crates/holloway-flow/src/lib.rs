//! How does a query become a finished run that taught us something? The stages
//! in the order of the journey; so far the last part of it: a checked plan
//! becomes a durable run.

pub mod catalog;
pub mod discover;

pub mod choose;

pub mod run_store;
pub mod stored_plan;

pub mod prepare;
pub mod reuse;
pub mod runner;
