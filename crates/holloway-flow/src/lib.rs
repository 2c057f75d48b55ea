//! How does a query become a finished run that taught us something? The stages
//! in the order of the journey. [`flow`] is the file to read first.

pub use holloway_planner::secret_words;

pub mod discreet;
pub mod flow;

pub mod catalog;
pub mod discover;

pub mod model;

pub mod skills;
pub mod template;

pub mod choose;

pub mod run_store;
pub mod standing;
pub mod stored_plan;

pub mod confidential;
pub mod contexts;
pub mod knowledge;
pub mod prepare;
pub mod reuse;
pub mod runner;

pub mod outcome;

pub mod remember;
