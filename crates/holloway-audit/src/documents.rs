//! How do many checks over the same pages parse each page once? By a shared shelf of
//! parsed documents, found by a digest of address and HTML, and bounded in memory.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::page::Page;

/// What the shelf may hold unless told otherwise: some hundred pages.
const DEFAULT_LIMIT: usize = 192 * 1024 * 1024;

/// Parsed pages, shared by everything that has this shelf.
pub struct Documents {
    shelf: Mutex<Shelf>,
    limit: usize,
}

impl Default for Documents {
    fn default() -> Self {
        Self::new(DEFAULT_LIMIT)
    }
}

#[derive(Default)]
struct Shelf {
    kept: FxHashMap<Digest, Kept>,
    weight: usize,
    turn: u64,
}

/// What a page is found by; two pages have the same one only if they are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

type Slot = Arc<OnceLock<Mutex<Document>>>;

struct Kept {
    slot: Slot,
    weight: usize,
    last_used: u64,
}

impl Documents {
    /// A shelf for documents of about `limit` bytes altogether.
    pub fn new(limit: usize) -> Self {
        Self {
            shelf: Mutex::default(),
            limit,
        }
    }

    /// Lets `read` look at the parsed page, parsing it only if nobody did before. Others
    /// who want the same page wait; inside `read`, do not ask for it again.
    pub fn read<R>(&self, page: &Page, read: impl FnOnce(&Document) -> R) -> R {
        self.read_as(Digest::of(page), page, read)
    }

    /// The same for a page whose digest is known: making it takes a while.
    pub(crate) fn read_as<R>(
        &self,
        digest: Digest,
        page: &Page,
        read: impl FnOnce(&Document) -> R,
    ) -> R {
        let slot = lock(&self.shelf).slot(digest);
        let mut parsed = None;
        let document = slot.get_or_init(|| {
            let document = Document::parse(page);
            parsed = Some(document.weight());
            Mutex::new(document)
        });
        if let Some(weight) = parsed {
            lock(&self.shelf).weigh(digest, weight, self.limit);
        }
        read(&lock(document))
    }

    /// How many documents are kept now.
    pub fn len(&self) -> usize {
        lock(&self.shelf).kept.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Shelf {
    fn slot(&mut self, digest: Digest) -> Slot {
        self.turn += 1;
        let turn = self.turn;
        let kept = self.kept.entry(digest).or_insert_with(|| Kept {
            slot: Slot::default(),
            weight: 0,
            last_used: turn,
        });
        kept.last_used = turn;
        Arc::clone(&kept.slot)
    }

    /// Books a new document, and lets go of those not used for longest.
    fn weigh(&mut self, digest: Digest, weight: usize, limit: usize) {
        if let Some(kept) = self.kept.get_mut(&digest) {
            kept.weight = weight;
            self.weight += weight;
        }
        // The newest one stays even if it is too heavy alone: its next reader comes soon.
        while self.weight > limit && self.kept.len() > 1 {
            let booked = self.kept.iter().filter(|(_, kept)| kept.weight > 0);
            let oldest = booked.min_by_key(|(_, kept)| kept.last_used);
            let Some(digest) = oldest.map(|(digest, _)| *digest) else {
                return;
            };
            if let Some(gone) = self.kept.remove(&digest) {
                self.weight -= gone.weight;
            }
        }
    }
}

impl Digest {
    /// Everything of a page counts: checks read headers and times from the document too.
    pub(crate) fn of(page: &Page) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add(&page.url);
        add(&page.html);
        for (name, value) in &page.headers {
            add(name);
            add(value);
        }
        page.cookies.iter().for_each(|cookie| add(cookie));
        add("redirects");
        page.redirects.iter().for_each(|redirect| add(redirect));
        let numbers = [page.transferred, page.bytes, u64::from(page.status)];
        let times = [page.first_byte_ms.to_bits(), page.total_ms.to_bits()];
        for number in numbers.into_iter().chain(times) {
            hasher.update(&number.to_le_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }
}

/// A panic elsewhere leaves the shelf as it was: entries are only added and removed whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: usize) -> Page {
        Page {
            url: format!("https://example.com/{number}"),
            html: format!("<title>{number}</title>"),
            ..Page::default()
        }
    }

    fn title(documents: &Documents, page: &Page) -> Option<String> {
        documents.read(page, Document::title)
    }

    #[test]
    fn the_same_page_is_parsed_once() {
        let documents = Documents::default();
        for _ in 0..3 {
            for number in 0..5 {
                assert_eq!(title(&documents, &page(number)), Some(number.to_string()));
            }
        }
        assert_eq!(documents.len(), 5);
        let first = documents.read(&page(0), |document| std::ptr::from_ref(document).addr());
        let again = documents.read(&page(0), |document| std::ptr::from_ref(document).addr());
        assert_eq!(first, again);
    }

    #[test]
    fn the_same_html_elsewhere_is_another_page() {
        let documents = Documents::default();
        let here = page(1);
        let mut there = here.clone();
        there.headers.insert("server".into(), "x".into());
        let url = |page| documents.read(page, |document| document.page().clone());
        assert_eq!(url(&here), here);
        assert_eq!(url(&there), there);
    }

    #[test]
    fn the_oldest_is_let_go_first() {
        let weight = Document::parse(&page(1)).weight();
        let documents = Documents::new(weight * 3);
        for number in [1, 2, 3, 1, 4] {
            title(&documents, &page(number));
        }
        let kept = |number| {
            lock(&documents.shelf)
                .kept
                .contains_key(&Digest::of(&page(number)))
        };
        assert_eq!([1, 2, 3, 4].map(kept), [true, false, true, true]);
    }

    #[test]
    fn of_pages_beyond_the_limit_only_the_last_is_kept() {
        let documents = Documents::new(10);
        assert!(documents.is_empty());
        for number in 1..4 {
            assert_eq!(title(&documents, &page(number)), Some(number.to_string()));
            assert_eq!(documents.len(), 1);
        }
    }

    #[test]
    fn threads_may_share_it() {
        let documents = Documents::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for number in 0..50 {
                        assert_eq!(title(&documents, &page(number)), Some(number.to_string()));
                    }
                });
            }
        });
        assert_eq!(documents.len(), 50);
    }
}
