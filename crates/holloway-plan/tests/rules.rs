//! Does every rule say what is wrong, where, and how to mend it? Plans in, the text a person sees out.

mod rules {
    mod check;
    mod seeds;
}
