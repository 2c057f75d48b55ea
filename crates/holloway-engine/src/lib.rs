//! What happens next in this run? The run machine, and the driver that does what it says.

pub mod entry;
pub mod failure;
pub mod options;
pub mod ports;
