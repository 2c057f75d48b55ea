//! What did the model answer? JSON is found wherever it stands in the answer and read
//! strictly; the forms that models like to use are brought into ours, each with a note.

pub mod answer;
pub mod draft;
mod forms;
mod success;
