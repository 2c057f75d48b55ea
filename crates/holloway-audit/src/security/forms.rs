//! Where do the things visitors type go? Passwords need https, a body and the own site;
//! links into new windows should not hand over their opener.

use scraper::ElementRef;
use serde::Serialize;
use url::Url;

use super::is_local;
use crate::collect::Collector;
use crate::document::{Document, has_word};
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const PASSWORD_PLAIN: Rule = Rule::security("password-over-http");
const PASSWORD_GET: Rule = Rule::security("password-in-address");
const ACTION_PLAIN: Rule = Rule::security("form-action-insecure");
const FOREIGN: Rule = Rule::security("form-action-foreign");
const OPENER: Rule = Rule::security("link-opener-exposed");

pub(super) const RULES: &[Rule] = &[PASSWORD_PLAIN, PASSWORD_GET, ACTION_PLAIN, FOREIGN, OPENER];

/// One form of a page.
#[derive(Clone, Debug, Serialize)]
pub struct FormRow {
    pub page: String,
    pub action: String,
    pub method: String,
    pub password: bool,
}

const LISTED: usize = 200;

pub fn check(site: &Site) -> Checked<FormRow> {
    Checked::page_by_page(site, check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, Vec<FormRow>) {
    let mut found = Collector::new(document);
    let mut rows = Vec::new();
    let passwords = owners_of_passwords(document);
    for form in document.named("form") {
        let row = check_form(&mut found, form, passwords.contains(&form.id()));
        if rows.len() < LISTED {
            rows.push(row);
        }
    }
    check_openers(&mut found);
    (found.finish(), rows)
}

/// The forms around password fields; found from the fields, so that it takes one walk up.
fn owners_of_passwords(document: &Document) -> rustc_hash::FxHashSet<crate::document::NodeId> {
    let fields = document.named("input").filter(|field| {
        let kind = field.attr("type").unwrap_or_default();
        kind.trim().eq_ignore_ascii_case("password")
    });
    let owners = fields.filter_map(|field| {
        let around = field.ancestors().filter_map(ElementRef::wrap);
        let mut forms = around.filter(|element| element.value().name() == "form");
        let by_id = field
            .attr("form")
            .and_then(|id| document.with_id(id).next());
        by_id.or_else(|| forms.next()).map(|form| form.id())
    });
    owners.collect()
}

fn check_form(found: &mut Collector, form: ElementRef, password: bool) -> FormRow {
    let document = found.document();
    let given = form.attr("action").unwrap_or_default().trim();
    let action = if given.is_empty() {
        document.url().cloned()
    } else {
        document.resolve(given)
    };
    let method = form
        .attr("method")
        .unwrap_or("get")
        .trim()
        .to_ascii_lowercase();
    let plain = |url: &Url| url.scheme() == "http" && !is_local(url);
    let page_plain = document.url().is_some_and(plain);
    let action_plain = action.as_ref().is_some_and(plain);
    if password && (page_plain || action_plain) {
        found.tag(&PASSWORD_PLAIN, form);
    } else if action_plain && !page_plain {
        found.tag(&ACTION_PLAIN, form);
    }
    if password && method == "get" && !is_scripted(form) {
        found.tag(&PASSWORD_GET, form);
    }
    let foreign = action
        .as_ref()
        .is_some_and(|action| is_foreign(document, action));
    if password && foreign {
        found.tag(&FOREIGN, form);
    }
    FormRow {
        page: document.page().url.clone(),
        action: action.map(String::from).unwrap_or_default(),
        method,
        password,
    }
}

/// A form without method and action is sent by a script, if at all.
fn is_scripted(form: ElementRef) -> bool {
    form.attr("method").is_none() && form.attr("action").is_none()
}

fn is_foreign(document: &Document, action: &Url) -> bool {
    let site = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        let mut parts = host.rsplit('.');
        let (end, name) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        format!("{name}.{end}")
    };
    let web = action.scheme().starts_with("http");
    web && document.url().is_some_and(|url| site(url) != site(action))
}

fn check_openers(found: &mut Collector) {
    let document = found.document();
    let own = document.url().and_then(Url::host_str);
    for link in document
        .links()
        .iter()
        .filter(|link| link.target.host_str() != own)
    {
        let Some(element) = document.element(link.node) else {
            continue;
        };
        let blank = element
            .attr("target")
            .is_some_and(|target| target.eq_ignore_ascii_case("_blank"));
        let relation = element.attr("rel");
        let kept = has_word(relation, "noopener") || has_word(relation, "noreferrer");
        if blank && !kept {
            found.tag(&OPENER, element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_changes, names, page_at, with_site};

    const GOOD: &str = r#"<form action="/login" method="post"><input type="password"></form>
<form action="/search"><input type="search"></form><form id="f"></form><input form="f" type="password">
<a href="https://else.example/" target="_blank" rel="noopener">Else</a><a href="/x" target="_blank">Own</a>"#;

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_changes(
            GOOD,
            RULES,
            &[],
            |site| check(site).findings,
            &[
                ("\"/login\"", "\"https://id.example.com/\"", &[]),
                (
                    "\"/login\"",
                    "\"http://example.com/login\"",
                    &["password-over-http"],
                ),
                ("\"post\"", "\"GET\"", &["password-in-address"]),
                (
                    "\"/search\"",
                    "\"http://example.com/s\"",
                    &["form-action-insecure"],
                ),
                (
                    "\"/login\"",
                    "\"https://else.example/\"",
                    &["form-action-foreign"],
                ),
                (
                    "id=\"f\"",
                    "id=\"f\" action=\"https://else.example/\" method=post",
                    &["form-action-foreign"],
                ),
                (" rel=\"noopener\"", "", &["link-opener-exposed"]),
            ],
        );
    }

    #[test]
    fn a_password_on_a_plain_page_is_critical() {
        let found = with_site(&[page_at("http://example.com/", GOOD)], &[], check).findings;
        assert_eq!(names(&found), ["password-over-http"].into());
        assert_eq!(
            with_site(&[page_at("http://127.0.0.1/", GOOD)], &[], check).findings,
            []
        );
    }
}
