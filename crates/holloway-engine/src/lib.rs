//! What happens next in this run? The run machine, and the driver that does what it says.

pub mod entry;
pub mod event;
pub mod failure;
mod line;
pub mod mark;
pub mod model;
pub mod options;
pub mod ports;
pub mod retained;
mod stored;
pub mod tokens;

pub mod checks;
pub mod context;
pub mod depth;
pub mod expected;
pub mod machine;
pub mod progress;
pub mod replay;
pub mod synthetic;

pub mod driver;
mod ledger;
pub mod otel;
pub mod spill;
pub mod trace;

pub mod executor;
