//! Which rules are checked? Names are those of axe-core where it has the same rule; the
//! reference is the success criterion of WCAG 2.2, or that it is good practice.

use crate::finding::{Domain, Severity};
use crate::rule::{Effort, Rule};

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

const GOOD: &str = "good practice";

macro_rules! rules {
    ($($constant:ident $name:literal $family:ident $severity:ident $effort:ident $reference:expr, $title:literal, $mend:literal;)*) => {
        $(pub(crate) const $constant: Rule = Rule {
            name: $name,
            title: $title,
            domain: Domain::Accessibility,
            severity: Severity::$severity,
            effort: Effort::$effort,
            mend: $mend,
            reference: $reference,
        };)*

        /// Every rule with its family.
        pub static RULES: &[(&Rule, Family)] = &[$((&$constant, Family::$family)),*];
    };
}

rules! {
    IMAGE_ALT "image-alt" AltText Critical Medium "WCAG 2.2 1.1.1", "Describe every image", "Add an alt attribute that says what the image shows; alt=\"\" if it only decorates.";
    ROLE_IMG_ALT "role-img-alt" AltText Serious Medium "WCAG 2.2 1.1.1", "Describe what has the role of an image", "Add aria-label or aria-labelledby that says what is shown.";
    SVG_IMG_ALT "svg-img-alt" AltText Serious Medium "WCAG 2.2 1.1.1", "Describe graphics", "Give the svg a title element or aria-label, or hide it with aria-hidden=\"true\" if it only decorates.";
    INPUT_IMAGE_ALT "input-image-alt" AltText Critical Low "WCAG 2.2 1.1.1", "Describe image buttons", "Add an alt attribute that says what the button does.";
    AREA_ALT "area-alt" AltText Critical Low "WCAG 2.2 2.4.4", "Describe areas of image maps", "Add an alt attribute that says where the area leads.";
    OBJECT_ALT "object-alt" AltText Serious Low "WCAG 2.2 1.1.1", "Describe embedded objects", "Add aria-label or title that says what is embedded.";
    IMAGE_REDUNDANT_ALT "image-redundant-alt" AltText Minor Low GOOD, "Do not say twice what an image shows", "Empty the alt attribute where the text beside it says the same.";
    SERVER_SIDE_IMAGE_MAP "server-side-image-map" AltText Minor Medium "WCAG 2.2 2.1.1", "Replace maps that only a mouse can use", "Use links, or a map element with areas, instead of ismap.";

    LABEL "label" Labels Critical Low "WCAG 2.2 4.1.2", "Label every field", "Connect a label element by for and id, or wrap the field in it.";
    SELECT_NAME "select-name" Labels Critical Low "WCAG 2.2 4.1.2", "Label every choice", "Connect a label element by for and id, or wrap the select in it.";
    BUTTON_NAME "button-name" Labels Critical Low "WCAG 2.2 4.1.2", "Name every button", "Write in the button what it does; with only an icon, add aria-label.";
    INPUT_BUTTON_NAME "input-button-name" Labels Critical Low "WCAG 2.2 4.1.2", "Name every button", "Say in the value attribute what the button does.";
    LINK_NAME "link-name" Labels Serious Low "WCAG 2.2 2.4.4", "Name every link", "Write in the link where it leads; with only an image, describe it by alt.";
    SUMMARY_NAME "summary-name" Labels Serious Low "WCAG 2.2 4.1.2", "Name what can be unfolded", "Write in the summary what it shows.";
    LABEL_TITLE_ONLY "label-title-only" Labels Serious Low GOOD, "Show the label of every field", "Add a visible label; title and aria-describedby alone are not seen.";
    FORM_FIELD_MULTIPLE_LABELS "form-field-multiple-labels" Labels Moderate Low "WCAG 2.2 3.3.2", "Give fields one label", "Keep one label element; further help goes into aria-describedby.";
    AUTOCOMPLETE_VALID "autocomplete-valid" Labels Serious Low "WCAG 2.2 1.3.5", "Use known autocomplete values", "Use a value that HTML knows, such as email or street-address.";
    ARIA_COMMAND_NAME "aria-command-name" Labels Serious Low "WCAG 2.2 4.1.2", "Name buttons, links and menu items", "Write the name inside, or add aria-label.";
    ARIA_INPUT_FIELD_NAME "aria-input-field-name" Labels Serious Low "WCAG 2.2 4.1.2", "Name every field", "Add aria-label, or aria-labelledby with the id of the label.";
    ARIA_TOGGLE_FIELD_NAME "aria-toggle-field-name" Labels Serious Low "WCAG 2.2 4.1.2", "Name every switch and option", "Write the name inside, or add aria-label.";
    ARIA_DIALOG_NAME "aria-dialog-name" Labels Serious Low GOOD, "Name dialogs", "Add aria-labelledby with the id of the dialog's heading.";
    ARIA_METER_NAME "aria-meter-name" Labels Serious Low "WCAG 2.2 1.1.1", "Name meters", "Add aria-label that says what is measured.";
    ARIA_PROGRESSBAR_NAME "aria-progressbar-name" Labels Serious Low "WCAG 2.2 1.1.1", "Name progress bars", "Add aria-label that says what makes progress.";
    ARIA_TAB_NAME "aria-tab-name" Labels Serious Low "WCAG 2.2 4.1.2", "Name tabs", "Write in the tab what it shows.";
    ARIA_TOOLTIP_NAME "aria-tooltip-name" Labels Serious Low "WCAG 2.2 4.1.2", "Fill tooltips", "Write the help inside the tooltip.";
    ARIA_TREEITEM_NAME "aria-treeitem-name" Labels Serious Low GOOD, "Name tree items", "Write the name inside the item.";
    LABEL_CONTENT_NAME_MISMATCH "label-content-name-mismatch" Labels Serious Low "WCAG 2.2 2.5.3", "Say in the name what is seen", "Begin aria-label with the visible text, so that speech input finds it.";

    LANDMARK_ONE_MAIN "landmark-one-main" Landmarks Moderate Low GOOD, "Mark the main content", "Put the main content into one main element.";
    LANDMARK_NO_DUPLICATE_MAIN "landmark-no-duplicate-main" Landmarks Moderate Low GOOD, "Have one main content", "Keep one main element.";
    LANDMARK_NO_DUPLICATE_BANNER "landmark-no-duplicate-banner" Landmarks Moderate Low GOOD, "Have one page header", "Keep one header outside of sections.";
    LANDMARK_NO_DUPLICATE_CONTENTINFO "landmark-no-duplicate-contentinfo" Landmarks Moderate Low GOOD, "Have one page footer", "Keep one footer outside of sections.";
    LANDMARK_MAIN_IS_TOP_LEVEL "landmark-main-is-top-level" Landmarks Moderate Low GOOD, "Keep the main content out of other landmarks", "Move main out of the landmark around it.";
    LANDMARK_BANNER_IS_TOP_LEVEL "landmark-banner-is-top-level" Landmarks Moderate Low GOOD, "Keep the page header out of other landmarks", "Move the header out of the landmark around it, or take its role away.";
    LANDMARK_CONTENTINFO_IS_TOP_LEVEL "landmark-contentinfo-is-top-level" Landmarks Moderate Low GOOD, "Keep the page footer out of other landmarks", "Move the footer out of the landmark around it, or take its role away.";
    LANDMARK_UNIQUE "landmark-unique" Landmarks Moderate Low GOOD, "Tell landmarks apart", "Give landmarks of the same kind different names by aria-label.";
    REGION "region" Landmarks Moderate Medium GOOD, "Put all content into landmarks", "Put the content into header, nav, main, aside or footer.";
    BYPASS "bypass" Landmarks Serious Medium "WCAG 2.2 2.4.1", "Let visitors skip what repeats", "Add a main element, headings, or a link to the main content at the top.";
    SKIP_LINK "skip-link" Landmarks Moderate Low GOOD, "Let skip links lead somewhere", "Give the main content the id that the link refers to.";
    HEADING_ORDER "heading-order" Landmarks Moderate Medium GOOD, "Step through heading levels one by one", "Use the next level down instead of leaving one out.";
    PAGE_HAS_HEADING_ONE "page-has-heading-one" Landmarks Moderate Low GOOD, "Start with a heading of level one", "Add an h1 that says what the page is about.";
    EMPTY_HEADING "empty-heading" Landmarks Minor Low GOOD, "Fill headings", "Write text into the heading, or remove it.";

    ARIA_ROLES "aria-roles" Aria Critical Low "WCAG 2.2 4.1.2", "Use known roles", "Use a role that WAI-ARIA knows, or none.";
    ARIA_DEPRECATED_ROLE "aria-deprecated-role" Aria Minor Low "WCAG 2.2 4.1.2", "Replace outdated roles", "Use list instead of directory.";
    ARIA_ALLOWED_ROLE "aria-allowed-role" Aria Minor Low GOOD, "Give elements only roles that suit them", "Use an element that has the role by itself, or a div.";
    ARIA_VALID_ATTR "aria-valid-attr" Aria Critical Low "WCAG 2.2 4.1.2", "Use known ARIA attributes", "Correct the name of the attribute.";
    ARIA_VALID_ATTR_VALUE "aria-valid-attr-value" Aria Critical Low "WCAG 2.2 4.1.2", "Use valid values in ARIA attributes", "Use a value that the attribute allows; ids must exist in the page.";
    ARIA_ALLOWED_ATTR "aria-allowed-attr" Aria Critical Low "WCAG 2.2 4.1.2", "Use ARIA attributes that suit the role", "Remove the attribute, or use a role that has it.";
    ARIA_CONDITIONAL_ATTR "aria-conditional-attr" Aria Serious Low "WCAG 2.2 4.1.2", "Do not contradict the state of a field", "Remove aria-checked from native checkboxes.";
    ARIA_PROHIBITED_ATTR "aria-prohibited-attr" Aria Serious Low "WCAG 2.2 4.1.2", "Name only what can have a name", "Remove the name, or give the element a role.";
    ARIA_REQUIRED_ATTR "aria-required-attr" Aria Critical Low "WCAG 2.2 4.1.2", "Add the attributes that a role needs", "Add the missing attribute, or use the native element.";
    ARIA_REQUIRED_CHILDREN "aria-required-children" Aria Critical Medium "WCAG 2.2 1.3.1", "Fill composite roles with the right parts", "Put elements with the needed role inside, and nothing else.";
    ARIA_REQUIRED_PARENT "aria-required-parent" Aria Critical Medium "WCAG 2.2 1.3.1", "Put parts into the right composite role", "Put the element into one with the needed role.";
    ARIA_HIDDEN_BODY "aria-hidden-body" Aria Critical Low "WCAG 2.2 4.1.2", "Do not hide the whole page", "Remove aria-hidden from body.";
    ARIA_HIDDEN_FOCUS "aria-hidden-focus" Aria Serious Medium "WCAG 2.2 4.1.2", "Do not hide what takes the focus", "Remove aria-hidden, or make what is inside unfocusable by inert or tabindex=\"-1\".";
    ARIA_TEXT "aria-text" Aria Serious Low GOOD, "Do not put controls into text", "Remove role=\"text\", or take the controls out.";
    PRESENTATION_ROLE_CONFLICT "presentation-role-conflict" Aria Minor Low GOOD, "Do not take the role from what takes the focus", "Remove role=\"none\", or tabindex and aria attributes.";
    DUPLICATE_ID_ARIA "duplicate-id-aria" Aria Critical Low "WCAG 2.2 4.1.2", "Use ids once", "Give the elements different ids.";

    TABINDEX "tabindex" Keyboard Serious Low "WCAG 2.2 2.4.3", "Leave the order of the focus alone", "Use tabindex 0 or -1, and order the elements in the HTML.";
    ACCESSKEYS "accesskeys" Keyboard Serious Low GOOD, "Use shortcut keys once", "Give each element a different accesskey, or none.";
    NESTED_INTERACTIVE "nested-interactive" Keyboard Serious Medium "WCAG 2.2 4.1.2", "Do not put controls into controls", "Move the inner control out.";
    CLICK_WITHOUT_KEYBOARD "click-without-keyboard" Keyboard Serious Medium "WCAG 2.2 2.1.1", "Let the keyboard do what the mouse does", "Use a button or link, or add a role, tabindex=\"0\" and a key handler.";
    KEYBOARD_TRAP "keyboard-trap" Keyboard Critical Medium "WCAG 2.2 2.1.2", "Let the Tab key leave", "Do not cancel the Tab key, or offer a documented way out.";
    FOCUS_OUTLINE_REMOVED "focus-outline-removed" Keyboard Serious Low "WCAG 2.2 2.4.7", "Show where the focus is", "Keep the outline, or draw another one on :focus-visible.";
    TARGET_SIZE "target-size" Keyboard Serious Low "WCAG 2.2 2.5.8", "Make targets large enough", "Make the target at least 24 by 24 pixels.";
    META_REFRESH "meta-refresh" Keyboard Critical Low "WCAG 2.2 2.2.1", "Do not reload by yourself", "Remove the refresh, or redirect on the server.";
    META_VIEWPORT "meta-viewport" Keyboard Moderate Low "WCAG 2.2 1.4.4", "Let visitors zoom", "Remove user-scalable=no and maximum-scale below 2.";
    META_VIEWPORT_LARGE "meta-viewport-large" Keyboard Minor Low GOOD, "Let visitors zoom far", "Remove maximum-scale, or allow at least 5.";

    COLOR_CONTRAST "color-contrast" Contrast Serious Medium "WCAG 2.2 1.4.3", "Raise the contrast of text", "Darken or lighten text or background to 4.5 : 1, or 3 : 1 for large text.";
    LINK_IN_TEXT_BLOCK "link-in-text-block" Contrast Serious Low "WCAG 2.2 1.4.1", "Mark links in text by more than colour", "Underline links in running text.";
    SMALL_TEXT "small-text" Contrast Minor Low GOOD, "Use readable text sizes", "Use at least 9 pixels, better 16.";

    DOCUMENT_TITLE "document-title" Structure Serious Low "WCAG 2.2 2.4.2", "Title every page", "Add a title element that names page and site.";
    HTML_HAS_LANG "html-has-lang" Structure Serious Low "WCAG 2.2 3.1.1", "Say the language of every page", "Add lang to the html element, such as lang=\"en\".";
    HTML_LANG_VALID "html-lang-valid" Structure Serious Low "WCAG 2.2 3.1.1", "Use known languages", "Use a language code such as en or de-AT.";
    HTML_XML_LANG_MISMATCH "html-xml-lang-mismatch" Structure Moderate Low "WCAG 2.2 3.1.1", "Say one language", "Make lang and xml:lang the same.";
    VALID_LANG "valid-lang" Structure Serious Low "WCAG 2.2 3.1.2", "Use known languages", "Use a language code such as en or de-AT.";
    FRAME_TITLE "frame-title" Structure Serious Low "WCAG 2.2 4.1.2", "Title every frame", "Add a title that says what the frame shows.";
    FRAME_TITLE_UNIQUE "frame-title-unique" Structure Serious Low "WCAG 2.2 4.1.2", "Tell frames apart", "Give frames different titles.";
    LIST "list" Structure Serious Low "WCAG 2.2 1.3.1", "Put only items into lists", "Wrap everything inside ul and ol in li.";
    LISTITEM "listitem" Structure Serious Low "WCAG 2.2 1.3.1", "Put items into lists", "Wrap li elements in ul or ol.";
    DEFINITION_LIST "definition-list" Structure Serious Low "WCAG 2.2 1.3.1", "Put only terms and descriptions into dl", "Use dt followed by dd, in groups of div if needed.";
    DLITEM "dlitem" Structure Serious Low "WCAG 2.2 1.3.1", "Put terms into a dl", "Wrap dt and dd in dl.";
    TD_HEADERS_ATTR "td-headers-attr" Structure Serious Low "WCAG 2.2 1.3.1", "Refer to header cells of the same table", "Use ids of th elements in this table in the headers attribute.";
    TH_HAS_DATA_CELLS "th-has-data-cells" Structure Serious Low "WCAG 2.2 1.3.1", "Give header cells data", "Use td for cells that head nothing.";
    SCOPE_ATTR_VALID "scope-attr-valid" Structure Moderate Low GOOD, "Use scope rightly", "Use scope only on th, with row, col, rowgroup or colgroup.";
    EMPTY_TABLE_HEADER "empty-table-header" Structure Minor Low GOOD, "Fill header cells", "Write what the row or column holds, or use td.";
    TABLE_DUPLICATE_NAME "table-duplicate-name" Structure Minor Low GOOD, "Do not say the caption twice", "Remove the summary, or say something else in it.";
    BLINK "blink" Structure Serious Low "WCAG 2.2 2.2.2", "Do not blink", "Remove the blink element.";
    MARQUEE "marquee" Structure Serious Low "WCAG 2.2 2.2.2", "Do not move text", "Remove the marquee element.";
    VIDEO_CAPTION "video-caption" Structure Critical High "WCAG 2.2 1.2.2", "Caption videos", "Add a track element with kind=\"captions\".";
    NO_AUTOPLAY_AUDIO "no-autoplay-audio" Structure Moderate Low "WCAG 2.2 1.4.2", "Do not start sound by yourself", "Remove autoplay, or add muted.";
    IDENTICAL_LINKS "identical-links-same-purpose" Structure Minor Medium "WCAG 2.2 2.4.9", "Name links to different places differently", "Say in each link where it leads.";
}

/// The rule and family of a name.
pub fn find(name: &str) -> Option<&'static (&'static Rule, Family)> {
    RULES.iter().find(|(rule, _)| rule.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_mends_are_sentences() {
        let mut names: Vec<_> = RULES.iter().map(|(rule, _)| rule.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for (rule, _) in RULES {
            assert!(rule.mend.ends_with('.'), "{}", rule.name);
        }
    }
}
