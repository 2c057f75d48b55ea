//! Which plans does this request want? A request and the tools at hand in, several
//! checked plans with reasons and estimates out. Nothing here calls a tool or a model:
//! the same request, tools and memory give the same plans anywhere.
//!
//! The modules stand in layers, listed here from the lowest; each imports only from those before it
//! (a tidy test keeps this):
//!
//! 1. `regression` (how weights are fitted), [`measure`], `text`, [`secret_words`]: know nothing of plans;
//! 2. [`lexicon`]: what words mean in each language;
//! 3. [`catalogue`]: which tools there are, what they take and give;
//! 4. [`frame`]: what is asked, in types; [`settings`]: with which options;
//! 5. [`infer`]: what a tool does that does not say it;
//! 6. [`read`]: how words become a frame;
//! 7. [`recall`]: which tools are likely;
//! 8. [`bind`]: where each argument comes from;
//! 9. [`assemble`], [`other`] and [`templates`]: how a frame becomes steps, over tools that say what they do,
//!    over tools of other people, and from saved plans; [`sure`]: how likely they are right;
//! 10. [`drafts`]: steps with what serves each part of the request, and what is missing;
//! 11. [`estimate`] and [`card`]: what it will cost, and what a person chooses from;
//! 12. [`advanced`]: the same for tasks that are already taken apart.

// Tests compare numbers that are exact by construction.
#![cfg_attr(test, allow(clippy::float_cmp))]

mod text;

pub mod measure;

mod regression;

pub mod secret_words;

pub mod lexicon;

pub mod catalogue;

pub mod frame;

pub mod settings;

pub mod infer;

pub mod read;

pub mod recall;

pub mod bind;

pub mod assemble;

pub mod sure;

pub mod other;

pub mod templates;

pub mod drafts;

pub mod estimate;

pub mod card;

pub mod advanced;
