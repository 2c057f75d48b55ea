//! Do real packages work? Each is installed at an exact version, described and called
//! in the sandbox, and something true is expected of its answer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod tpmjs {
    mod packages;
    mod place;
    mod timing;
    mod walls;
    mod zod;
}
