//! Which skills ship with Holloway? The folders of `skills/` at the root of the
//! repository, inside the binary.

use super::{Document, Origin, SkillLibrary};

/// Folder and text of each.
const DOCUMENTS: [(&str, &str); 13] = [
    (
        "accessibility",
        include_str!("../../../../skills/accessibility/SKILL.md"),
    ),
    (
        "communication",
        include_str!("../../../../skills/communication/SKILL.md"),
    ),
    (
        "data-analysis",
        include_str!("../../../../skills/data-analysis/SKILL.md"),
    ),
    (
        "file-generation",
        include_str!("../../../../skills/file-generation/SKILL.md"),
    ),
    (
        "http-fetching",
        include_str!("../../../../skills/http-fetching/SKILL.md"),
    ),
    (
        "performance",
        include_str!("../../../../skills/performance/SKILL.md"),
    ),
    (
        "prioritisation",
        include_str!("../../../../skills/prioritisation/SKILL.md"),
    ),
    (
        "report-writing",
        include_str!("../../../../skills/report-writing/SKILL.md"),
    ),
    (
        "security",
        include_str!("../../../../skills/security/SKILL.md"),
    ),
    ("seo", include_str!("../../../../skills/seo/SKILL.md")),
    (
        "text-analysis",
        include_str!("../../../../skills/text-analysis/SKILL.md"),
    ),
    (
        "web-crawling",
        include_str!("../../../../skills/web-crawling/SKILL.md"),
    ),
    (
        "web-scraping",
        include_str!("../../../../skills/web-scraping/SKILL.md"),
    ),
];

/// The shipped library.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipped;

impl SkillLibrary for Shipped {
    fn documents(&self) -> Vec<Document> {
        let document = |(folder, text): (&str, &str)| Document {
            folder: folder.to_owned(),
            origin: Origin::Shipped,
            place: format!("skills/{folder}/SKILL.md"),
            content: Ok(text.as_bytes().to_vec()),
        };
        DOCUMENTS.into_iter().map(document).collect()
    }
}
