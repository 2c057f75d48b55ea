//! How are the figures worked out? Plain arithmetic over lists of numbers, as SciPy
//! and pandas define it; a figure that the data does not support is `None`.

pub mod correlation;
pub mod kendall;
pub mod mann_whitney;
pub mod moments;
pub mod moving;
pub mod quantile;
pub mod rank;
pub mod regression;
pub mod student;
pub mod theil_sen;
pub mod welch;
