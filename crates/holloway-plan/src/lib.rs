//! What is a plan, is it sound, what graph does it become? The pure bottom of
//! Holloway: no clock, no randomness, no files, no network, no threads.

pub mod digest;
pub mod tool;
