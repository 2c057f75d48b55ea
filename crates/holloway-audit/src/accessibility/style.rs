//! How does the page look? Style sheets read, matched and inherited as far as checks of
//! visibility, colour and text size need it.

pub(crate) mod cascade;
pub(crate) mod color;
mod defaults;
mod length;
mod media;
mod selector;
pub(crate) mod sheet;

pub(crate) mod computed;
pub(crate) mod value;
mod variables;
pub(crate) use media::holds;
