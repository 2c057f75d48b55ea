//! What did the model answer? JSON is found wherever it stands in the answer and read
//! strictly; the forms that models like to use are brought into ours, each with a note.

pub mod answer;
pub mod draft;
pub mod find_json;
mod forms;
mod success;

/// Longer answers are refused before they are read.
pub const MOST_BYTES: usize = 1 << 20;
