//! Which rules are checked? Names are those of axe-core where it has the same rule; texts,
//! severities and criteria stand in `data/rules/accessibility.toml`.

use crate::rule::Rule;

/// What a rule is about; every family is a tool of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    AltText,
    Labels,
    Landmarks,
    Aria,
    Keyboard,
    Contrast,
    /// Language, title, tables, lists, media.
    Structure,
}

macro_rules! rules {
    ($($constant:ident $name:literal $family:ident;)*) => {
        $(pub(crate) const $constant: Rule = Rule::accessibility($name);)*

        /// Every rule with its family.
        pub static RULES: &[(&Rule, Family)] = &[$((&$constant, Family::$family)),*];
    };
}

rules! {
    IMAGE_ALT "image-alt" AltText;
    ROLE_IMG_ALT "role-img-alt" AltText;
    SVG_IMG_ALT "svg-img-alt" AltText;
    INPUT_IMAGE_ALT "input-image-alt" AltText;
    AREA_ALT "area-alt" AltText;
    OBJECT_ALT "object-alt" AltText;
    IMAGE_REDUNDANT_ALT "image-redundant-alt" AltText;
    SERVER_SIDE_IMAGE_MAP "server-side-image-map" AltText;

    LABEL "label" Labels;
    SELECT_NAME "select-name" Labels;
    BUTTON_NAME "button-name" Labels;
    INPUT_BUTTON_NAME "input-button-name" Labels;
    LINK_NAME "link-name" Labels;
    SUMMARY_NAME "summary-name" Labels;
    LABEL_TITLE_ONLY "label-title-only" Labels;
    FORM_FIELD_MULTIPLE_LABELS "form-field-multiple-labels" Labels;
    AUTOCOMPLETE_VALID "autocomplete-valid" Labels;
    ARIA_COMMAND_NAME "aria-command-name" Labels;
    ARIA_INPUT_FIELD_NAME "aria-input-field-name" Labels;
    ARIA_TOGGLE_FIELD_NAME "aria-toggle-field-name" Labels;
    ARIA_DIALOG_NAME "aria-dialog-name" Labels;
    ARIA_METER_NAME "aria-meter-name" Labels;
    ARIA_PROGRESSBAR_NAME "aria-progressbar-name" Labels;
    ARIA_TAB_NAME "aria-tab-name" Labels;
    ARIA_TOOLTIP_NAME "aria-tooltip-name" Labels;
    ARIA_TREEITEM_NAME "aria-treeitem-name" Labels;
    LABEL_CONTENT_NAME_MISMATCH "label-content-name-mismatch" Labels;

    LANDMARK_ONE_MAIN "landmark-one-main" Landmarks;
    LANDMARK_NO_DUPLICATE_MAIN "landmark-no-duplicate-main" Landmarks;
    LANDMARK_NO_DUPLICATE_BANNER "landmark-no-duplicate-banner" Landmarks;
    LANDMARK_NO_DUPLICATE_CONTENTINFO "landmark-no-duplicate-contentinfo" Landmarks;
    LANDMARK_MAIN_IS_TOP_LEVEL "landmark-main-is-top-level" Landmarks;
    LANDMARK_BANNER_IS_TOP_LEVEL "landmark-banner-is-top-level" Landmarks;
    LANDMARK_CONTENTINFO_IS_TOP_LEVEL "landmark-contentinfo-is-top-level" Landmarks;
    LANDMARK_UNIQUE "landmark-unique" Landmarks;
    REGION "region" Landmarks;
    BYPASS "bypass" Landmarks;
    SKIP_LINK "skip-link" Landmarks;
    HEADING_ORDER "heading-order" Landmarks;
    PAGE_HAS_HEADING_ONE "page-has-heading-one" Landmarks;
    EMPTY_HEADING "empty-heading" Landmarks;

    ARIA_ROLES "aria-roles" Aria;
    ARIA_DEPRECATED_ROLE "aria-deprecated-role" Aria;
    ARIA_ALLOWED_ROLE "aria-allowed-role" Aria;
    ARIA_VALID_ATTR "aria-valid-attr" Aria;
    ARIA_VALID_ATTR_VALUE "aria-valid-attr-value" Aria;
    ARIA_ALLOWED_ATTR "aria-allowed-attr" Aria;
    ARIA_CONDITIONAL_ATTR "aria-conditional-attr" Aria;
    ARIA_PROHIBITED_ATTR "aria-prohibited-attr" Aria;
    ARIA_REQUIRED_ATTR "aria-required-attr" Aria;
    ARIA_REQUIRED_CHILDREN "aria-required-children" Aria;
    ARIA_REQUIRED_PARENT "aria-required-parent" Aria;
    ARIA_HIDDEN_BODY "aria-hidden-body" Aria;
    ARIA_HIDDEN_FOCUS "aria-hidden-focus" Aria;
    ARIA_TEXT "aria-text" Aria;
    PRESENTATION_ROLE_CONFLICT "presentation-role-conflict" Aria;
    DUPLICATE_ID_ARIA "duplicate-id-aria" Aria;

    TABINDEX "tabindex" Keyboard;
    ACCESSKEYS "accesskeys" Keyboard;
    NESTED_INTERACTIVE "nested-interactive" Keyboard;
    CLICK_WITHOUT_KEYBOARD "click-without-keyboard" Keyboard;
    KEYBOARD_TRAP "keyboard-trap" Keyboard;
    FOCUS_OUTLINE_REMOVED "focus-outline-removed" Keyboard;
    TARGET_SIZE "target-size" Keyboard;
    META_REFRESH "meta-refresh" Keyboard;
    META_VIEWPORT "meta-viewport" Keyboard;
    META_VIEWPORT_LARGE "meta-viewport-large" Keyboard;

    COLOR_CONTRAST "color-contrast" Contrast;
    LINK_IN_TEXT_BLOCK "link-in-text-block" Contrast;
    SMALL_TEXT "small-text" Contrast;

    DOCUMENT_TITLE "document-title" Structure;
    HTML_HAS_LANG "html-has-lang" Structure;
    HTML_LANG_VALID "html-lang-valid" Structure;
    HTML_XML_LANG_MISMATCH "html-xml-lang-mismatch" Structure;
    VALID_LANG "valid-lang" Structure;
    FRAME_TITLE "frame-title" Structure;
    FRAME_TITLE_UNIQUE "frame-title-unique" Structure;
    LIST "list" Structure;
    LISTITEM "listitem" Structure;
    DEFINITION_LIST "definition-list" Structure;
    DLITEM "dlitem" Structure;
    TD_HEADERS_ATTR "td-headers-attr" Structure;
    TH_HAS_DATA_CELLS "th-has-data-cells" Structure;
    SCOPE_ATTR_VALID "scope-attr-valid" Structure;
    EMPTY_TABLE_HEADER "empty-table-header" Structure;
    TABLE_DUPLICATE_NAME "table-duplicate-name" Structure;
    BLINK "blink" Structure;
    MARQUEE "marquee" Structure;
    VIDEO_CAPTION "video-caption" Structure;
    NO_AUTOPLAY_AUDIO "no-autoplay-audio" Structure;
    IDENTICAL_LINKS "identical-links-same-purpose" Structure;
}

/// The rule and family of a name.
pub fn find(name: &str) -> Option<&'static (&'static Rule, Family)> {
    RULES.iter().find(|(rule, _)| rule.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = RULES.iter().map(|(rule, _)| rule.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
