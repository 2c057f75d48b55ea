//! Does every rule say what is wrong, where, and how to mend it? Plans in, the text a person sees out.

#![allow(clippy::unwrap_used)] // a test that cannot be set up should fail

mod rules {
    mod check;
    mod cycles;
    mod graph;
    mod identifiers;
    mod inputs;
    mod limits;
    mod plans;
    mod references;
    mod schemas;
    mod seeds;
    mod shape;
    mod texts;
    mod tools;
}
