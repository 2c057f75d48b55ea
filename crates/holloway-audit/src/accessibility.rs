//! Can everybody use this page? WCAG 2.2 checks that the HTML and its style sheets allow.
