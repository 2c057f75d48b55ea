//! Which kind of tool does a request ask for? Patterns in order, the first that
//! fits decides; each kind has the names that registries and packs give it.

use std::sync::LazyLock;

use regex::Regex;

/// What a request that fits no pattern asks for.
pub const GENERAL: &str = "general";

/// Patterns in their order, the kind they mean, and the categories tools of it may have.
const KINDS: [(&str, &str, &[&str]); 6] = [
    (
        "scrape|crawl|fetch.*web",
        "web-scraping",
        &[
            "web", "html", "http", "browser", "scraping", "crawling", "search",
        ],
    ),
    (
        "analyz|statistic|trend",
        "data-analysis",
        &[
            "data",
            "statistics",
            "research",
            "math",
            "csv",
            "json",
            "charts",
            "analytics",
            "data-processing",
            "text-analysis",
        ],
    ),
    (
        "pdf|excel|csv|export",
        "file-generation",
        &[
            "documentation",
            "documents",
            "report",
            "files",
            "office",
            "csv",
            "pdf",
            "spreadsheet",
        ],
    ),
    (
        "image|photo|picture",
        "image-processing",
        &[
            "image",
            "images",
            "media",
            "design",
            "image-generation",
            "vision",
        ],
    ),
    (
        "email|notify|alert",
        "communication",
        &[
            "messaging",
            "mail",
            "email",
            "notification",
            "productivity",
            "integration",
            "support",
        ],
    ),
    (
        "",
        GENERAL,
        &[
            "utilities",
            "agent",
            "ops",
            "other",
            "workflow",
            "system",
            "control",
            "text",
        ],
    ),
];

static PATTERNS: LazyLock<Vec<Option<Regex>>> = LazyLock::new(|| {
    let pattern = |pattern: &str| Regex::new(&format!("(?i){pattern}")).ok();
    KINDS.iter().map(|(text, _, _)| pattern(text)).collect()
});

/// The kind of tool that a request asks for.
pub fn infer(request: &str) -> &'static str {
    let fits = |pattern: &&Option<Regex>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(request))
    };
    let place = PATTERNS.iter().position(|pattern| fits(&pattern));
    let kind = place.and_then(|place| KINDS.get(place));
    kind.map_or(GENERAL, |(_, kind, _)| kind)
}

/// Whether a tool's own category is of this kind, by its name or another name for it.
pub fn is_of(category: &str, kind: &str) -> bool {
    let bare = |text: &str| text.trim().to_lowercase().replace(['_', ' '], "-");
    let (category, kind) = (bare(category), bare(kind));
    if category.is_empty() {
        return false;
    }
    let aliases = KINDS.iter().find(|(_, name, _)| *name == kind);
    category == kind || aliases.is_some_and(|(_, _, aliases)| aliases.contains(&category.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        assert_eq!(infer(request), expected, "{request}");
    }

    #[test]
    fn the_first_pattern_that_fits_decides() {
        check("Scrape a website", "web-scraping");
        check("fetch all the web pages", "web-scraping");
        check("analyze data", "data-analysis");
        check("crawl the shop and analyze its trends", "web-scraping");
        check("generate PDF", "file-generation");
        check("find pictures of cats", "image-processing");
        check("Notify me", "communication");
        check("what time is it", GENERAL);
        check("", GENERAL);
    }

    #[test]
    fn categories_have_other_names() {
        assert!(is_of("web", "web-scraping"));
        assert!(is_of("Web Scraping", "web-scraping"));
        assert!(is_of("statistics", "data-analysis"));
        assert!(is_of("utilities", GENERAL));
        assert!(is_of("finance", "finance"));
        assert!(!is_of("finance", "web-scraping"));
        assert!(!is_of("", GENERAL));
    }
}
