//! What can be asked of rows? One file per question, in the order of an analysis:
//! get the rows, shape them, sum them up, judge them.

pub mod load;

pub mod condition;
pub mod group;
pub mod join;
pub mod resample;
pub mod select;
pub mod stack;

pub mod changes;
pub mod compare;
pub mod correlate;
pub mod describe;
pub mod forecast;
pub mod histogram;
pub mod outliers;
pub mod trend;
pub mod typed;

pub mod aggregate;
pub mod column_type;
