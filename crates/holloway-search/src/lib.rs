//! Which tools fit this request? Text and vectors in, ranked tools with reasons out.
