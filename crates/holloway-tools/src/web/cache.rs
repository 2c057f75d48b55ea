//! Has this page changed? Pages that were fetched are kept for a while, so that a
//! server only has to say that nothing changed. Bounded in bytes, oldest out first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use holloway_audit::page::Page;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH};

/// Bytes of pages that are kept.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// What one entry takes beside its text.
const OVERHEAD: usize = 2 * 1024;

#[derive(Default)]
pub(crate) struct Cache {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    entries: HashMap<String, Entry>,
    /// Addresses in the order of their coming, with what each was counted as.
    order: VecDeque<(String, usize)>,
    bytes: usize,
}

#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) page: Arc<Page>,
    stored: Instant,
}

impl Entry {
    pub(crate) fn is_younger_than(&self, age: Duration) -> bool {
        self.stored.elapsed() < age
    }

    /// The headers by which a server can tell whether the page changed.
    pub(crate) fn conditions(&self) -> HeaderMap {
        let mut conditions = HeaderMap::new();
        let pairs: [(&str, HeaderName); 2] = [
            ("etag", IF_NONE_MATCH),
            ("last-modified", IF_MODIFIED_SINCE),
        ];
        for (validator, condition) in pairs {
            let value = self.page.headers.get(validator);
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
                conditions.insert(condition, value);
            }
        }
        conditions
    }
}

impl Cache {
    pub(crate) fn get(&self, address: &str) -> Option<Entry> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.get(address).cloned()
    }

    /// Keeps a whole answer that came without redirects and may be kept.
    pub(crate) fn put(&self, address: &str, page: &Arc<Page>) {
        let control = page.headers.get("cache-control");
        let may_keep = control.is_none_or(|control| !control.contains("no-store"));
        let bytes = page.html.len() + address.len() + OVERHEAD;
        if page.status != 200 || !page.redirects.is_empty() || !may_keep || bytes > MAX_BYTES / 4 {
            return;
        }
        let entry = Entry {
            page: Arc::clone(page),
            stored: Instant::now(),
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.insert(address.to_owned(), entry);
        kept.order.push_back((address.to_owned(), bytes));
        kept.bytes += bytes;
        kept.shrink();
    }
}

impl Kept {
    fn shrink(&mut self) {
        while self.bytes > MAX_BYTES {
            let Some((address, bytes)) = self.order.pop_front() else {
                break;
            };
            self.bytes -= bytes;
            // A later version of the same address stays.
            if !self.order.iter().any(|(other, _)| *other == address) {
                self.entries.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(bytes: usize, headers: &[(&str, &str)]) -> Arc<Page> {
        let pairs = headers.iter();
        Arc::new(Page {
            status: 200,
            html: "x".repeat(bytes),
            headers: pairs
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            ..Page::default()
        })
    }

    #[test]
    fn the_oldest_go_when_there_is_no_room() {
        let cache = Cache::default();
        let megabyte = page(1024 * 1024, &[]);
        for number in 0..40 {
            cache.put(&format!("http://a.example/{number}"), &megabyte);
        }
        assert!(cache.get("http://a.example/0").is_none());
        assert!(cache.get("http://a.example/39").is_some());
        assert!(cache.kept.lock().unwrap().bytes <= MAX_BYTES);
    }

    #[test]
    fn only_what_may_be_kept_is_kept() {
        let cache = Cache::default();
        cache.put(
            "no-store",
            &page(1, &[("cache-control", "private, no-store")]),
        );
        cache.put("large", &page(MAX_BYTES, &[]));
        let missing = Page {
            status: 404,
            ..Page::default()
        };
        cache.put("missing", &Arc::new(missing));
        for address in ["no-store", "large", "missing"] {
            assert!(cache.get(address).is_none(), "{address}");
        }
    }

    #[test]
    fn conditions_repeat_what_the_server_said() {
        let cache = Cache::default();
        let said = [
            ("etag", "\"v1\""),
            ("last-modified", "Mon, 02 Feb 2026 10:00:00 GMT"),
        ];
        cache.put("a", &page(1, &said));
        let conditions = cache.get("a").unwrap().conditions();
        assert_eq!(conditions[IF_NONE_MATCH], "\"v1\"");
        assert_eq!(
            conditions[IF_MODIFIED_SINCE],
            "Mon, 02 Feb 2026 10:00:00 GMT"
        );
    }
}
