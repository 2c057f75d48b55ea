//! Do the MCP servers that people use work? Twenty-two of them, from npm and PyPI,
//! over pipes and over HTTP. `scripts/tool-servers` installs them.
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

mod real_servers {
    mod during_a_call;
    mod each_server;
    mod many_at_once;
    mod over_http;
    mod table;
}
