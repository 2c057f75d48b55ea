//! What can an MCP server in the sandbox reach? Each test starts a small server as
//! `tools add --sandbox` would, lets it try, and looks at what became of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod confined_servers {
    mod grants;
    mod place;
    mod share;
}
