//! How does a request become a frame? By one of three readers: a model, a list of tasks, or the
//! embedded reader, which claims only what it can account for word by word. The typed checks
//! stand behind all of them.

pub mod check;
pub mod choose;
pub mod embedded;
pub mod entities;
pub mod model;
pub mod named;
pub mod other;
pub mod passing;
pub mod request;
pub mod spans;
pub mod stated;
pub mod tasks;
pub mod tokens;

pub mod action;
pub mod belongings;
pub mod clauses;
pub(crate) mod denial;
pub mod services;
pub mod verbs;
pub(crate) mod zones;

mod answers;
mod compounds;
mod context;
mod cover;
mod dates;
mod holes;
mod phrases;
mod spelling;
mod weighing;

pub use holes::is_hole;

use holloway_search::clauses::bounded;

use crate::frame::Entity;

/// What a text names. Of a very long one, only the beginning is read.
pub fn named(text: &str) -> Vec<Entity> {
    entities::entities(&bounded(text))
}

/// Makes ready what every request needs and what is made once: languages, patterns and the table
/// of meanings. Whoever plans may let another thread do it meanwhile.
pub fn warm_up() {
    crate::lexicon::Lexicon::shipped();
    entities::entities("2 km on 3 May");
    holloway_search::category::infer("rows");
    holloway_search::table::Table::shipped();
}
