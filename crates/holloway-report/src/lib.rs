//! How do results become a document that a person opens? A report of blocks in,
//! bytes of HTML, PDF, XLSX or Markdown out, with charts drawn as SVG.
