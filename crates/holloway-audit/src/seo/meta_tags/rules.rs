//! What can be wrong with what a page says about itself?

use crate::rule::Rule;

pub(super) const TITLE_MISSING: Rule = Rule::seo("title-missing");
pub(super) const TITLE_REPEATED: Rule = Rule::seo("title-repeated");
pub(super) const TITLE_LENGTH: Rule = Rule::seo("title-length");
pub(super) const TITLE_DUPLICATE: Rule = Rule::seo("title-duplicate");
pub(super) const DESCRIPTION_MISSING: Rule = Rule::seo("description-missing");
pub(super) const DESCRIPTION_LENGTH: Rule = Rule::seo("description-length");
pub(super) const DESCRIPTION_DUPLICATE: Rule = Rule::seo("description-duplicate");
pub(super) const CANONICAL_MISSING: Rule = Rule::seo("canonical-missing");
pub(super) const CANONICAL_REPEATED: Rule = Rule::seo("canonical-repeated");
pub(super) const CANONICAL_INVALID: Rule = Rule::seo("canonical-invalid");
pub(super) const CANONICAL_ELSEWHERE: Rule = Rule::seo("canonical-other-host");
pub(super) const NOINDEX_START: Rule = Rule::seo("noindex-start");
pub(super) const NOINDEX_LISTED: Rule = Rule::seo("noindex-listed");
pub(super) const NOINDEX: Rule = Rule::seo("noindex");
pub(super) const VIEWPORT_MISSING: Rule = Rule::seo("viewport-missing");
pub(super) const VIEWPORT_FIXED: Rule = Rule::seo("viewport-fixed-width");
pub(super) const LANGUAGE_MISSING: Rule = Rule::seo("language-missing");
pub(super) const CHARSET_MISSING: Rule = Rule::seo("charset-missing");

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
    NOINDEX_LISTED,
    NOINDEX,
    VIEWPORT_MISSING,
    VIEWPORT_FIXED,
    LANGUAGE_MISSING,
    CHARSET_MISSING,
];
