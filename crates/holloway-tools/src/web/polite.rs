//! When may a host be asked again? Requests to one host keep a distance and a number
//! at a time, over all calls that share the toolbox; its robots.txt is asked once.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use reqwest::Url;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::super::http::Http;
use super::robots::{self, Robots};

/// Requests that one host gets at a time.
const AT_ONCE: usize = 8;
/// Hosts that are remembered.
const MAX_HOSTS: usize = 2_000;
/// What a robots.txt said holds for this long.
const ROBOTS_AGE: Duration = Duration::from_mins(15);
/// Between two requests to a host of other people, where nobody said how long.
const USUAL_DISTANCE: Duration = Duration::from_millis(200);
/// A longer crawl delay is not waited for.
pub(crate) const MAX_CRAWL_DELAY: Duration = Duration::from_secs(10);

/// Between two requests to the host of an address. Politeness is for the servers of other people:
/// one on this machine, which only a person can let tools reach, is not made to wait.
pub(crate) fn distance_to(url: &Url, said: Option<Duration>) -> Duration {
    let usual = if is_this_machine(url) {
        Duration::ZERO
    } else {
        USUAL_DISTANCE
    };
    said.unwrap_or(usual)
}

/// By what the address says; a name that merely leads here is treated like any other.
fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// What is known about hosts, by origin.
#[derive(Default)]
pub(crate) struct Hosts {
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

pub(crate) struct Host {
    turns: Arc<Semaphore>,
    /// No request before this.
    free_at: Mutex<Option<Instant>>,
    robots: OnceCell<Arc<Robots>>,
    since: Instant,
}

impl Hosts {
    pub(crate) fn of(&self, url: &Url) -> Arc<Host> {
        let origin = url.origin().ascii_serialization();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(&origin).filter(|host| host.is_fresh()) {
            return Arc::clone(host);
        }
        if hosts.len() >= MAX_HOSTS {
            hosts.clear();
        }
        let fresh = Host::new(hosts.get(&origin).map(Arc::as_ref));
        let host = Arc::new(fresh);
        hosts.insert(origin, Arc::clone(&host));
        host
    }
}

impl Host {
    /// Forgets the robots.txt of `before`, not its turns.
    fn new(before: Option<&Self>) -> Self {
        Self {
            turns: before.map_or_else(
                || Arc::new(Semaphore::new(AT_ONCE)),
                |host| Arc::clone(&host.turns),
            ),
            free_at: Mutex::new(before.and_then(Self::free_at)),
            robots: OnceCell::new(),
            since: Instant::now(),
        }
    }

    fn is_fresh(&self) -> bool {
        self.since.elapsed() < ROBOTS_AGE
    }

    fn free_at(&self) -> Option<Instant> {
        *self.free_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn; the permit is given back when the answer is there.
    pub(crate) async fn turn(&self, distance: Duration) -> Option<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.turns).acquire_owned().await.ok();
        let at = self.reserve(Instant::now(), distance);
        tokio::time::sleep_until(at).await;
        permit
    }

    /// The next free moment, which is then taken.
    fn reserve(&self, now: Instant, distance: Duration) -> Instant {
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free_at.map_or(now, |free| free.max(now));
        *free_at = Some(at + distance);
        at
    }

    /// Nobody asks for this long.
    pub(crate) fn rest(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut free_at = self.free_at.lock().unwrap_or_else(PoisonError::into_inner);
        *free_at = Some(free_at.map_or(until, |free| free.max(until)));
    }

    /// The rules that were fetched, if they were.
    pub(crate) fn known_robots(&self) -> Option<&Robots> {
        self.robots.get().map(Arc::as_ref)
    }

    /// The rules for our own agent.
    pub(crate) async fn robots(&self, http: &Http, url: &Url) -> Result<Arc<Robots>, ToolFailure> {
        let robots = self
            .robots
            .get_or_try_init(|| async {
                let robots = robots::fetch(http, url, robots::AGENT).await?;
                Ok::<_, ToolFailure>(Arc::new(robots))
            })
            .await?;
        Ok(Arc::clone(robots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_on_this_machine_is_asked_without_a_pause() {
        let check = |address: &str, said: Option<u64>, expected: u64| {
            let url = Url::parse(address).unwrap();
            let distance = distance_to(&url, said.map(Duration::from_millis));
            assert_eq!(distance, Duration::from_millis(expected), "{address}");
        };
        check("http://127.0.0.1:8080/", None, 0);
        check("http://127.9.9.9/", None, 0);
        check("http://[::1]:8080/", None, 0);
        check("http://[::ffff:127.0.0.1]/", None, 0);
        check("http://localhost/", None, 0);
        check("http://shop.localhost/", None, 0);
        check("https://example.com/", None, 200);
        check("https://localhost.example.com/", None, 200);
        check("https://notlocalhost/", None, 200);
        check("http://192.168.1.5/", None, 200);
        check("http://10.0.0.1/", None, 200);
        check("http://127.0.0.1/", Some(50), 50);
        check("https://example.com/", Some(0), 0);
    }

    #[tokio::test]
    async fn turns_keep_their_distance_over_all_who_ask() {
        let hosts = Hosts::default();
        let url = |text: &str| Url::parse(text).unwrap();
        let now = Instant::now();
        let distance = Duration::from_millis(200);
        let first = hosts.of(&url("http://a.example/one"));
        let again = hosts.of(&url("http://a.example/two"));
        let other = hosts.of(&url("http://a.example:81/"));
        assert_eq!(first.reserve(now, distance), now);
        assert_eq!(again.reserve(now, distance), now + distance);
        assert_eq!(again.reserve(now, Duration::ZERO), now + 2 * distance);
        assert_eq!(other.reserve(now, distance), now);
    }

    #[tokio::test]
    async fn a_host_that_asks_for_rest_gets_it() {
        let host = Host::new(None);
        let now = Instant::now();
        host.rest(Duration::from_secs(5));
        assert!(host.reserve(now, Duration::ZERO) >= now + Duration::from_secs(5));
        let heir = Host::new(Some(&host));
        assert_eq!(heir.free_at(), host.free_at());
    }

    #[tokio::test]
    async fn memory_of_hosts_is_bounded() {
        let hosts = Hosts::default();
        for number in 0..MAX_HOSTS + 5 {
            hosts.of(&Url::parse(&format!("http://h{number}.example/")).unwrap());
        }
        assert!(hosts.hosts.lock().unwrap().len() <= MAX_HOSTS);
    }
}
