//! What is a plan, is it sound, what graph does it become? The pure bottom of
//! Holloway: no clock, no randomness, no files, no network, no threads.
//!
//! Text becomes a [`draft::Draft`], a draft that passes [`validate`] a
//! [`plan::Plan`], a plan compiles to a [`dag::Dag`].

pub mod hidden;
pub mod limits;
pub mod place;
pub mod problem;

pub mod draft;
pub mod read;
pub mod source;
pub mod step;
pub mod write;

pub mod expression;
pub mod path;
pub mod reference;
pub mod scope;
pub mod size;
pub mod template;

pub mod digest;
mod schema_cost;
pub mod schema_reference;
pub mod schema_validator;
mod schema_work;
pub mod tool;

pub mod dataflow;
pub mod needs;
pub mod plan;
pub mod validate;

pub mod rewrite;

pub mod compile;
pub mod dag;

pub mod diff;
pub mod estimate;
pub mod explain;
pub mod schema;
