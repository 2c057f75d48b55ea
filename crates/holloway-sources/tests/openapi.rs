//! Do services with a real description behave as tools? Each against a server on
//! loopback that speaks it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod openapi {
    mod answers;
    mod origins;
    mod petstore;
    mod reading;
    mod server;
    mod service;
    mod workshop;
}
