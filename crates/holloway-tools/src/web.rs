//! What is on this site? Robots rules, sitemaps, pages, links, assets, certificates.
//! Invariant: every request goes through the one guarded client, and no host is
//! asked faster than politeness allows, whichever tool asks.

use std::sync::Arc;

use holloway_audit::documents::Documents;

use super::Tool;
use super::http::Http;

mod assets;
mod cache;
mod charset;
mod crawl;
pub(crate) mod document;
mod extract;
mod link_check;
mod links;
mod many;
mod markdown;
mod page;
mod pages;
mod polite;
mod prices;
mod robots;
mod room;
mod sitemap;
mod source;
mod tables;
mod text;
mod tls;
mod walk;

#[cfg(test)]
pub(crate) mod server;

pub(crate) fn tools(http: &Arc<Http>, documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    let web = Arc::new(Web {
        http: Arc::clone(http),
        hosts: polite::Hosts::default(),
        cache: cache::Cache::default(),
    });
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(robots::RobotsCheck(Arc::clone(&web))),
        Arc::new(sitemap::SitemapDiscover(Arc::clone(&web))),
        Arc::new(pages::PageFetch(Arc::clone(&web))),
        Arc::new(pages::PagesFetch(Arc::clone(&web))),
        Arc::new(crawl::SiteCrawl(Arc::clone(&web))),
        Arc::new(assets::AssetsFetch {
            web: Arc::clone(&web),
            documents: Arc::clone(documents),
        }),
        Arc::new(link_check::LinksCheck {
            web: Arc::clone(&web),
            documents: Arc::clone(documents),
        }),
        Arc::new(tls::TlsCheck(Arc::clone(http))),
    ];
    tools.extend([
        links::tool(),
        extract::tool(),
        markdown::tool(),
        text::tool(),
        tables::tool(),
        prices::tool(),
    ]);
    tools
}

/// What all calls of a toolbox share.
pub(crate) struct Web {
    http: Arc<Http>,
    hosts: polite::Hosts,
    cache: cache::Cache,
}
