//! What happens when an MCP server misbehaves? A typed error by the deadline, or
//! the answer where only noise was in the way; no process stays behind, and other
//! servers do not notice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

#[path = "stage/mark.rs"]
mod mark;
#[path = "stage/server.rs"]
mod server;

mod misbehaving {
    mod cases;
    mod run_cases;
    mod through_the_engine;
    mod twice;
}
