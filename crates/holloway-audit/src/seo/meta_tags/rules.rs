//! What can be wrong with what a page says about itself?

use crate::finding::Severity::{Critical, Minor, Moderate, Serious};
use crate::rule::Effort::{Low, Medium};
use crate::rule::Rule;

pub(super) const TITLE_MISSING: Rule = Rule::seo(
    "title-missing",
    Critical,
    Low,
    "Give every page a title",
    "Add one <title> to the head that says what this page is about in 50 to 60 characters.",
    "HTML Standard 4.2.2",
);
pub(super) const TITLE_REPEATED: Rule = Rule::seo(
    "title-repeated",
    Moderate,
    Low,
    "Keep one title element per page",
    "Remove all <title> elements from the page but the first.",
    "HTML Standard 4.2.2",
);
pub(super) const TITLE_LENGTH: Rule = Rule::seo(
    "title-length",
    Minor,
    Low,
    "Bring titles to a length that results show whole",
    "Write a title of 50 to 60 characters (10 at least, 65 at most), the most telling words first.",
    "",
);
pub(super) const TITLE_DUPLICATE: Rule = Rule::seo(
    "title-duplicate",
    Moderate,
    Medium,
    "Give every page its own title",
    "Write a title that tells this page from the others that share it now.",
    "",
);
pub(super) const DESCRIPTION_MISSING: Rule = Rule::seo(
    "description-missing",
    Moderate,
    Medium,
    "Describe every page",
    "Add <meta name=\"description\"> with one or two sentences, 150 to 160 characters.",
    "HTML Standard 4.2.5.1",
);
pub(super) const DESCRIPTION_LENGTH: Rule = Rule::seo(
    "description-length",
    Minor,
    Medium,
    "Bring descriptions to a length that results show whole",
    "Write a description of 150 to 160 characters (50 at least, 170 at most).",
    "",
);
pub(super) const DESCRIPTION_DUPLICATE: Rule = Rule::seo(
    "description-duplicate",
    Minor,
    Medium,
    "Give every page its own description",
    "Write a description that tells this page from the others that share it now.",
    "",
);
pub(super) const CANONICAL_MISSING: Rule = Rule::seo(
    "canonical-missing",
    Minor,
    Low,
    "Name the canonical address of every page",
    "Add <link rel=\"canonical\"> with the absolute address under which this page should be found.",
    "RFC 6596",
);
pub(super) const CANONICAL_REPEATED: Rule = Rule::seo(
    "canonical-repeated",
    Serious,
    Low,
    "Keep one canonical address per page",
    "Remove all <link rel=\"canonical\"> but one: search engines ignore contradicting ones.",
    "RFC 6596",
);
pub(super) const CANONICAL_INVALID: Rule = Rule::seo(
    "canonical-invalid",
    Serious,
    Low,
    "Mend canonical addresses that lead nowhere",
    "Give <link rel=\"canonical\"> an absolute http or https address.",
    "RFC 6596",
);
pub(super) const CANONICAL_ELSEWHERE: Rule = Rule::seo(
    "canonical-other-host",
    Moderate,
    Low,
    "Check canonical addresses on other hosts",
    "Point the canonical address at this site, unless this page is meant to be found on the other host only.",
    "RFC 6596",
);
pub(super) const NOINDEX_START: Rule = Rule::seo(
    "noindex-start",
    Critical,
    Low,
    "Let search engines list the start page",
    "Remove `noindex` from <meta name=\"robots\"> and the X-Robots-Tag header of the start page.",
    "Robots meta tag specification",
);
pub(super) const NOINDEX: Rule = Rule::seo(
    "noindex",
    Minor,
    Low,
    "Check which pages are kept out of results",
    "Remove `noindex` from <meta name=\"robots\"> and the X-Robots-Tag header, unless the page is meant to stay out of results.",
    "Robots meta tag specification",
);
pub(super) const VIEWPORT_MISSING: Rule = Rule::seo(
    "viewport-missing",
    Serious,
    Low,
    "Make pages fit small screens",
    "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"> to the head.",
    "CSS Viewport",
);
pub(super) const VIEWPORT_FIXED: Rule = Rule::seo(
    "viewport-fixed-width",
    Moderate,
    Medium,
    "Follow the width of the device",
    "Use width=device-width in <meta name=\"viewport\"> instead of a fixed number of pixels.",
    "CSS Viewport",
);
pub(super) const LANGUAGE_MISSING: Rule = Rule::seo(
    "language-missing",
    Moderate,
    Low,
    "Declare the language of every page",
    "Add the lang attribute to <html>, such as lang=\"en\".",
    "HTML Standard 3.2.6.2, WCAG 2.2 3.1.1",
);
pub(super) const CHARSET_MISSING: Rule = Rule::seo(
    "charset-missing",
    Minor,
    Low,
    "Declare the character encoding",
    "Put <meta charset=\"utf-8\"> first in the head, or say it in the Content-Type header.",
    "HTML Standard 4.2.5.4",
);

pub(in crate::seo) const RULES: &[Rule] = &[
    TITLE_MISSING,
    TITLE_REPEATED,
    TITLE_LENGTH,
    TITLE_DUPLICATE,
    DESCRIPTION_MISSING,
    DESCRIPTION_LENGTH,
    DESCRIPTION_DUPLICATE,
    CANONICAL_MISSING,
    CANONICAL_REPEATED,
    CANONICAL_INVALID,
    CANONICAL_ELSEWHERE,
    NOINDEX_START,
    NOINDEX,
    VIEWPORT_MISSING,
    VIEWPORT_FIXED,
    LANGUAGE_MISSING,
    CHARSET_MISSING,
];
