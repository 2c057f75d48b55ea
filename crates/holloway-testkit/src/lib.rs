//! How is Holloway tested without waiting, without luck and without the world?
//! A clock that stands still, tools that do what a test says, a simulation in
//! which the process can die after any event, and plans drawn at random.

// Test support may stop at the first surprise.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod chance;
pub mod clock;
pub mod journal;
pub mod random_plan;

pub mod journal_text;
pub mod scenario;
pub mod simulation;
