//! What must structured data of a type say? The properties that rich results need, as
//! search engines document them; other types of schema.org are not checked.

/// A type and the properties it needs; each entry is met by any of its alternatives.
pub(super) struct Known {
    pub(super) names: &'static [&'static str],
    pub(super) required: &'static [&'static [&'static str]],
}

pub(super) fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.names.contains(&name))
}

const KNOWN: &[Known] = &[
    Known {
        names: &["Product"],
        required: &[&["name"], &["offers", "review", "aggregateRating"]],
    },
    Known {
        names: &["Offer"],
        required: &[&["price", "priceSpecification"]],
    },
    Known {
        names: &["AggregateOffer"],
        required: &[&["lowPrice"], &["priceCurrency"]],
    },
    Known {
        names: &["AggregateRating"],
        required: &[&["ratingValue"], &["ratingCount", "reviewCount"]],
    },
    Known {
        names: &["Review"],
        required: &[&["author"], &["reviewRating"]],
    },
    Known {
        names: &["Article", "NewsArticle", "BlogPosting"],
        required: &[&["headline", "name"]],
    },
    Known {
        names: &["BreadcrumbList"],
        required: &[&["itemListElement"]],
    },
    Known {
        names: &["Organization"],
        required: &[&["name"]],
    },
    Known {
        names: &["LocalBusiness", "Restaurant", "Store"],
        required: &[&["name"], &["address"]],
    },
    Known {
        names: &["Person"],
        required: &[&["name"]],
    },
    Known {
        names: &["WebSite"],
        required: &[&["name"], &["url"]],
    },
    Known {
        names: &["FAQPage"],
        required: &[&["mainEntity"]],
    },
    Known {
        names: &["Question"],
        required: &[&["name"], &["acceptedAnswer", "suggestedAnswer"]],
    },
    Known {
        names: &["Event"],
        required: &[&["name"], &["startDate"], &["location"]],
    },
    Known {
        names: &["Recipe"],
        required: &[&["name"], &["image"]],
    },
    Known {
        names: &["VideoObject"],
        required: &[&["name"], &["thumbnailUrl"], &["uploadDate"]],
    },
    Known {
        names: &["JobPosting"],
        required: &[
            &["title"],
            &["description"],
            &["datePosted"],
            &["hiringOrganization"],
        ],
    },
    Known {
        names: &["HowTo"],
        required: &[&["name"], &["step"]],
    },
    Known {
        names: &["SoftwareApplication", "MobileApplication", "WebApplication"],
        required: &[&["name"], &["offers"]],
    },
    Known {
        names: &["Course"],
        required: &[&["name"], &["description"]],
    },
];
