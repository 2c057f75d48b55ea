//! placeholder

use super::Surroundings;
use crate::draft::Draft;
use crate::problem::Problems;

pub(super) fn check(_draft: &Draft, _around: &Surroundings<'_>, _problems: &mut Problems) {}
