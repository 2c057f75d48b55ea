//! What is a language model asked when a request is planned, and what becomes of its answer?
//! It is asked through the port of the engine. What it says is a proposal: prompts and answers
//! are handled by pure functions here, and nothing of it counts before it was checked.
//!
//! Read in the order of the journey: [`prompt`] (what is asked), [`parse`] (what was
//! answered), [`repair`] (small mistakes of a draft), [`propose`] (attempts, feedback, falling back), [`told`] (what people hear of
//! it), [`stream_steps`] and [`early`] (what may begin while the plan is still being written).

pub mod spend;

pub mod prompt;

pub mod parse;

pub mod repair;

pub mod drafted;
pub mod propose;
pub mod told;

pub mod early;
pub mod stream_steps;
