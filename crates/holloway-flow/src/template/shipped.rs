//! Which templates ship with Holloway? The plans of `templates/` at the root of the
//! repository, inside the binary; each says in its first lines what it is for.

/// A plan that waits for input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    pub name: &'static str,
    /// YAML with comments, as it was written.
    pub text: &'static str,
}

const TEMPLATES: [Template; 13] = [
    Template {
        name: "accessibility-check",
        text: include_str!("../../../../templates/accessibility-check.yaml"),
    },
    Template {
        name: "article-digest",
        text: include_str!("../../../../templates/article-digest.yaml"),
    },
    Template {
        name: "compare-tables",
        text: include_str!("../../../../templates/compare-tables.yaml"),
    },
    Template {
        name: "competitor-prices",
        text: include_str!("../../../../templates/competitor-prices.yaml"),
    },
    Template {
        name: "csv-summary",
        text: include_str!("../../../../templates/csv-summary.yaml"),
    },
    Template {
        name: "link-check",
        text: include_str!("../../../../templates/link-check.yaml"),
    },
    Template {
        name: "price-report",
        text: include_str!("../../../../templates/price-report.yaml"),
    },
    Template {
        name: "security-check",
        text: include_str!("../../../../templates/security-check.yaml"),
    },
    Template {
        name: "seo-check",
        text: include_str!("../../../../templates/seo-check.yaml"),
    },
    Template {
        name: "shop-prices",
        text: include_str!("../../../../templates/shop-prices.yaml"),
    },
    Template {
        name: "sitemap-inventory",
        text: include_str!("../../../../templates/sitemap-inventory.yaml"),
    },
    Template {
        name: "text-digest",
        text: include_str!("../../../../templates/text-digest.yaml"),
    },
    Template {
        name: "website-audit",
        text: include_str!("../../../../templates/website-audit.yaml"),
    },
];

/// All of them, in the order of their names.
pub fn all() -> &'static [Template] {
    &TEMPLATES
}

pub fn find(name: &str) -> Option<Template> {
    TEMPLATES.into_iter().find(|template| template.name == name)
}
