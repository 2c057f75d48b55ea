//! Does a frame hold together? Typed checks behind every reader: columns, values, files and
//! operators must be there and fit; what is open becomes a question, what contradicts is refused.
