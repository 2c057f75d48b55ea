//! What is wrong with these pages? Fetched pages in, findings of one shape out, then
//! scores and an action plan. Nothing here fetches.

pub mod finding;
pub mod page;
pub mod rule;
pub mod texts;

pub mod document;
pub mod documents;

pub mod collect;
pub mod site;

pub mod accessibility;
pub mod performance;
pub mod security;
pub mod seo;

pub mod lab;
pub mod links;

pub mod action_plan;
pub mod audit;
pub mod coverage;
pub mod pages;
pub mod priorities;
pub mod rules;
pub mod score;
pub mod told;

#[cfg(test)]
mod testing;
