//! Can a URL lead a tool to the inside? Spellings of inner addresses, redirects and
//! names, through the built-in HTTP tools and through services whose description
//! names such a server; a real listener counts what arrives.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod ssrf {
    mod listener;
    mod reach;
    mod redirects;
    mod spellings;
}
