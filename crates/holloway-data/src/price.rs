//! Which prices does a text name?
