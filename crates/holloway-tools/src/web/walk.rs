//! May this address be asked for, and where does it lead? Every address on the way
//! is held against the robots.txt of its own host and, in a crawl, against the site.

use std::sync::Arc;
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use reqwest::Url;

use super::super::http::raw::{Ask, Raw};
use super::super::http::way::{Step, Way};
use super::super::http::{MAX_REDIRECTS, too_many_redirects};
use super::Web;
use super::links::is_on;
use super::many::Manner;
use super::polite::{Host, MAX_CRAWL_DELAY, distance_to};

/// Where a way ended.
pub(crate) enum Walked {
    Arrived(Box<Raw>),
    /// An address on it may not be asked for, and why.
    Refused(String),
}

/// How an address may be asked for.
pub(crate) enum Leave {
    Given { host: Arc<Host>, distance: Duration },
    Refused(String),
}

impl Web {
    /// Asks and follows redirects as far as they may be followed.
    pub(crate) async fn walk(&self, ask: Ask, manner: &Manner) -> Result<Walked, ToolFailure> {
        let mut way = Way::new(ask, MAX_REDIRECTS);
        loop {
            let (host, distance) = match self.leave(way.url(), manner).await? {
                Leave::Given { host, distance } => (host, distance),
                Leave::Refused(why) if way.is_redirected() => {
                    let why = format!("redirects to {}: {why}", way.url());
                    return Ok(Walked::Refused(why));
                }
                Leave::Refused(why) => return Ok(Walked::Refused(why)),
            };
            let raw = self.fetch_patiently(way.ask(), &host, distance).await?;
            match way.step(raw)? {
                Step::On => {}
                Step::End(raw) => return Ok(Walked::Arrived(raw)),
                Step::TooMany => return Err(too_many_redirects()),
            }
        }
    }

    /// What the site of a crawl and the robots.txt of the host say about an address.
    pub(crate) async fn leave(&self, url: &Url, manner: &Manner) -> Result<Leave, ToolFailure> {
        if manner.site.as_ref().is_some_and(|site| !is_on(url, site)) {
            return Ok(Leave::Refused("it is on another host".to_owned()));
        }
        let host = self.hosts.of(url);
        let mut distance = distance_to(url, manner.distance);
        if manner.obey_robots {
            let robots = host.robots(&self.http, url).await?;
            if let Some(why) = robots.refusal(url) {
                return Ok(Leave::Refused(why));
            }
            // Without politeness of our own there is still what the site asks for.
            if let Some(asked) = robots.crawl_delay() {
                let most = MAX_CRAWL_DELAY.as_secs_f64();
                let asked = Duration::try_from_secs_f64(asked.min(most));
                distance = distance.max(asked.unwrap_or_default());
            }
        }
        Ok(Leave::Given { host, distance })
    }

    /// What is to be told about a host whose crawl delay is too long to be kept.
    pub(crate) fn shortened_delay(&self, url: &Url, manner: &Manner) -> Option<String> {
        let host = self.hosts.of(url);
        let asked = host.known_robots()?.crawl_delay()?;
        let most = MAX_CRAWL_DELAY.as_secs_f64();
        let kept = distance_to(url, manner.distance).as_secs_f64().max(most);
        (manner.obey_robots && asked > kept).then(|| {
            let host = url.origin().ascii_serialization();
            format!("{host} asks for {asked} s between requests; {kept} s were kept")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Grants;
    use super::super::super::http::Http;
    use super::super::pages::Manners;
    use super::super::server::{Answer, Server};
    use super::super::{cache, polite};
    use super::*;

    /// How long a server on loopback with this robots.txt is left alone between requests.
    async fn distance(robots: &'static str) -> Duration {
        let server = Server::start(move |_| Answer::text(robots)).await;
        let grants = Grants {
            private_hosts: vec![server.address.clone()],
            ..Grants::default()
        };
        let web = Web {
            http: Arc::new(Http::new(&Arc::new(grants))),
            hosts: polite::Hosts::default(),
            cache: cache::Cache::default(),
        };
        let url = Url::parse(&server.url("/a")).unwrap();
        match web.leave(&url, &Manners::default().manner()).await {
            Ok(Leave::Given { distance, .. }) => distance,
            Ok(Leave::Refused(why)) => panic!("{why}"),
            Err(failure) => panic!("{failure}"),
        }
    }

    #[tokio::test]
    async fn this_machine_is_not_made_to_wait_unless_its_robots_file_says_so() {
        let plain = "User-agent: *\nDisallow: /private\n";
        assert_eq!(distance(plain).await, Duration::ZERO);
        let slow = "User-agent: *\nCrawl-delay: 3\n";
        let asked = distance(slow).await;
        assert_eq!(asked, Duration::from_secs(3));
    }
}
