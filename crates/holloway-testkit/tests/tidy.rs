//! Is the repository in order? Each rule says which file breaks it and what to do.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod tidy {
    mod dependencies;
    mod documents;
    mod errors;
    mod layers;
    mod requests;
    mod rooms;
    mod sources;
    mod tree;
}
