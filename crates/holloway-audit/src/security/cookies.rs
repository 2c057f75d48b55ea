//! Are cookies kept from thieves? Attributes of each `Set-Cookie`; values are never shown.

use serde::Serialize;

use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::{Rule, shorten};
use crate::site::{Checked, Site};

const NOT_SECURE: Rule = Rule::security("cookie-not-secure");
const SCRIPTABLE: Rule = Rule::security("cookie-readable-by-scripts");
const SAME_SITE_MISSING: Rule = Rule::security("cookie-same-site-missing");
const SAME_SITE_NONE: Rule = Rule::security("cookie-same-site-none-insecure");
const PREFIX: Rule = Rule::security("cookie-prefix-broken");

pub(super) const RULES: &[Rule] = &[
    NOT_SECURE,
    SCRIPTABLE,
    SAME_SITE_MISSING,
    SAME_SITE_NONE,
    PREFIX,
];

/// One cookie a page sets.
#[derive(Clone, Debug, Serialize)]
pub struct CookieRow {
    pub page: String,
    pub name: String,
    pub secure: bool,
    pub http_only: bool,
    /// `strict`, `lax`, `none`, or empty.
    pub same_site: String,
    pub domain: String,
    pub path: String,
    /// Whether it is kept after the browser is closed.
    pub lasting: bool,
}

/// Cookies of one page beyond this are not looked at; browsers keep 180 per site.
const COOKIES: usize = 200;

pub fn check(site: &Site) -> Checked<CookieRow> {
    Checked::page_by_page(site, check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, Vec<CookieRow>) {
    let mut found = Collector::new(document);
    let cookies = document.page().cookies.iter().take(COOKIES);
    let rows: Vec<_> = cookies
        .map(|cookie| parse(&document.page().url, cookie))
        .collect();
    for row in &rows {
        check_cookie(&mut found, row);
    }
    (found.finish(), rows)
}

fn parse(page: &str, cookie: &str) -> CookieRow {
    let mut parts = cookie.split(';');
    let pair = parts.next().unwrap_or_default();
    let name = pair.split_once('=').map_or("", |(name, _)| name.trim());
    let mut row = CookieRow {
        page: page.to_owned(),
        name: shorten(name, 80),
        secure: false,
        http_only: false,
        same_site: String::new(),
        domain: String::new(),
        path: String::new(),
        lasting: false,
    };
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "secure" => row.secure = true,
            "httponly" => row.http_only = true,
            "samesite" => row.same_site = value.to_ascii_lowercase(),
            "domain" => value.clone_into(&mut row.domain),
            "path" => value.clone_into(&mut row.path),
            "expires" | "max-age" => row.lasting = true,
            _ => {}
        }
    }
    row
}

fn check_cookie(found: &mut Collector, cookie: &CookieRow) {
    let name = &cookie.name;
    if cookie.same_site == "none" && !cookie.secure {
        found.page(
            &SAME_SITE_NONE,
            &format!("{name}: SameSite=None without Secure"),
        );
    } else if !cookie.secure {
        found.page(&NOT_SECURE, &format!("{name} has no Secure"));
    }
    if !cookie.http_only && is_session(name) {
        found.page(&SCRIPTABLE, &format!("{name} has no HttpOnly"));
    }
    if !["strict", "lax", "none"].contains(&cookie.same_site.as_str()) {
        found.page(&SAME_SITE_MISSING, &format!("{name} has no SameSite"));
    }
    let host_only = cookie.domain.is_empty() && cookie.path == "/";
    let kept = match name {
        name if name.starts_with("__Host-") => cookie.secure && host_only,
        name if name.starts_with("__Secure-") => cookie.secure,
        _ => true,
    };
    if !kept {
        found.page(&PREFIX, &format!("{name} does not keep to its prefix"));
    }
}

/// Tokens against forgery are meant to be read by scripts.
fn is_session(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let against_forgery = name.contains("csrf") || name.contains("xsrf");
    let words = ["sess", "sid", "auth", "token", "jwt", "login", "remember"];
    !against_forgery && words.iter().any(|word| name.contains(word)) && !name.contains("side")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all_broken, names, page, with_site};

    #[test]
    fn every_rule_fires_and_stays_silent() {
        let mut broken = std::collections::BTreeSet::new();
        for (cookie, expected) in [
            ("session=secret; Secure; HttpOnly; SameSite=Lax; Path=/", ""),
            ("theme=dark; Secure; samesite=strict", ""),
            ("XSRF-TOKEN=x; Secure; SameSite=Strict", ""),
            ("sidebar=open; Secure; SameSite=Lax", ""),
            ("__Host-id=x; Secure; HttpOnly; Path=/; SameSite=Lax", ""),
            ("theme=dark; SameSite=Lax", "cookie-not-secure"),
            (
                "PHPSESSID=x; Secure; SameSite=Lax",
                "cookie-readable-by-scripts",
            ),
            ("theme=dark; Secure", "cookie-same-site-missing"),
            (
                "theme=dark; SameSite=None",
                "cookie-same-site-none-insecure",
            ),
            (
                "__Host-a=x; Secure; Path=/; Domain=example.com; SameSite=Lax",
                "cookie-prefix-broken",
            ),
            (
                "__Secure-a=x; SameSite=Lax",
                "cookie-not-secure cookie-prefix-broken",
            ),
        ] {
            let mut page = page("");
            page.cookies = vec![cookie.to_owned()];
            let findings = with_site(&[page], &[], check).findings;
            let found: Vec<_> = names(&findings).into_iter().collect();
            assert_eq!(found.join(" "), expected, "{cookie}");
            assert!(!format!("{findings:?}").contains("secret"));
            broken.extend(expected.split(' ').filter(|name| !name.is_empty()));
        }
        all_broken(RULES, &broken);
    }
}
