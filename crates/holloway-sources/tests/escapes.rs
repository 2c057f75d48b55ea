//! Does anything get out of a sandbox? Each test is one attempt, made by an ordinary
//! program in every kind of sandbox; what happened is looked at from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod escapes {
    mod limits;
    mod network;
    mod powers;
    mod progress;
    mod reading;
    mod secrets;
    mod survival;
    mod world;
    mod writing;
}
