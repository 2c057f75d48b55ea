//! Where is a value that a run holds? In memory, or put away in the blob folder and fetched when it
//! is read. Only where it is changes, never what it is, so that the machine stays pure.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use holloway_plan::size::size;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::ports::{Blob, BlobStore, JournalError};
use crate::stored::Stored;

/// A value that a run holds. Copies share the value and the place where it is.
#[derive(Clone)]
pub struct Retained(Arc<Cell>);

/// A value that may have been let go.
#[derive(Clone, Debug)]
pub struct WeakRetained(Weak<Cell>);

#[derive(Debug)]
struct Cell {
    size: OnceLock<usize>,
    place: Mutex<Place>,
}

#[derive(Debug, Default)]
struct Place {
    value: Option<Arc<Value>>,
    /// The file of its own that it has in the blob folder.
    kept: Option<Box<Stored>>,
    away: Option<Box<Away>>,
}

/// Where a value lies that is not in memory.
#[derive(Clone, Debug)]
struct Away {
    shelf: Arc<Shelf>,
    blob: Blob,
    /// Its position, where many small values share a file.
    item: Option<usize>,
}

/// The blob folder as a run uses it. Remembers that a value could not be fetched.
pub struct Shelf {
    blobs: Arc<dyn BlobStore>,
    broken: Mutex<Option<JournalError>>,
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shelf")
    }
}

impl Shelf {
    pub fn new(blobs: Arc<dyn BlobStore>) -> Arc<Self> {
        Arc::new(Self {
            blobs,
            broken: Mutex::default(),
        })
    }

    pub fn blobs(&self) -> &dyn BlobStore {
        &*self.blobs
    }

    /// Why a value could not be fetched; nothing concluded since then may be used.
    pub fn broken(&self) -> Option<JournalError> {
        let broken = self.broken.lock();
        broken.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn fetch(&self, blob: &Blob, item: Option<usize>) -> Option<Arc<Value>> {
        let fetched = self.read(blob, item);
        fetched
            .map_err(|error| {
                let broken = self.broken.lock();
                broken
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(error);
            })
            .ok()
    }

    fn read(&self, blob: &Blob, item: Option<usize>) -> Result<Arc<Value>, JournalError> {
        let value = self.blobs.fetch(&blob.blob, blob.bytes)?;
        match item {
            None => Ok(Arc::new(value)),
            Some(item) => {
                let mut items = value;
                let one = items.get_mut(item).map(Value::take);
                let lost =
                    || JournalError::Corrupt(format!("blob {} has no item {item}", blob.blob));
                one.map(Arc::new).ok_or_else(lost)
            }
        }
    }

    /// Puts small values away in one file.
    pub fn pack(self: &Arc<Self>, all: &[Retained]) -> Result<(), JournalError> {
        let values: Vec<Arc<Value>> = all.iter().map(Retained::get).collect();
        let stored = self.blobs.keep(&values)?;
        for (item, retained) in all.iter().enumerate() {
            retained.move_to(Away {
                shelf: Arc::clone(self),
                blob: stored.clone(),
                item: Some(item),
            });
        }
        Ok(())
    }
}

impl Retained {
    pub fn new(value: Arc<Value>) -> Self {
        let place = Place {
            value: Some(value),
            ..Place::default()
        };
        Self(Arc::new(Cell {
            size: OnceLock::new(),
            place: Mutex::new(place),
        }))
    }

    /// A value as it stands in an entry; nothing if it is kept elsewhere and there is no shelf.
    pub fn of_stored(stored: &Stored, shelf: Option<&Arc<Shelf>>) -> Option<Self> {
        let Stored::Blob { blob, bytes, .. } = stored else {
            return stored.value().cloned().map(Self::new);
        };
        let away = Away {
            shelf: Arc::clone(shelf?),
            blob: Blob {
                blob: blob.clone(),
                bytes: *bytes,
            },
            item: None,
        };
        let place = Place {
            value: None,
            kept: Some(Box::new(stored.clone())),
            away: Some(Box::new(away)),
        };
        Some(Self(Arc::new(Cell {
            size: OnceLock::new(),
            place: Mutex::new(place),
        })))
    }

    /// The value, wherever it is. One that cannot be fetched is null, and its shelf says so.
    pub fn get(&self) -> Arc<Value> {
        let place = self.place();
        if let Some(value) = &place.value {
            return Arc::clone(value);
        }
        let away = place.away.clone();
        drop(place);
        away.and_then(|away| away.shelf.fetch(&away.blob, away.item))
            .unwrap_or_default()
    }

    /// The value, if it is in memory.
    pub fn in_memory(&self) -> Option<Arc<Value>> {
        self.place().value.clone()
    }

    /// The value itself, copied only if others hold it too.
    pub fn into_value(self) -> Value {
        Arc::unwrap_or_clone(match Arc::try_unwrap(self.0) {
            Ok(cell) => {
                let place = cell.place.into_inner();
                let place = place.unwrap_or_else(PoisonError::into_inner);
                match (place.value, place.away) {
                    (Some(value), _) => value,
                    (None, Some(away)) => {
                        away.shelf.fetch(&away.blob, away.item).unwrap_or_default()
                    }
                    (None, None) => Arc::default(),
                }
            }
            Err(shared) => Self(shared).get(),
        })
    }

    /// How large it is, in bytes.
    pub fn size(&self) -> usize {
        *self.0.size.get_or_init(|| size(&self.get()))
    }

    /// How it stands in an entry.
    pub fn stored(&self) -> Stored {
        let kept = self.place().kept.clone();
        kept.map_or_else(|| Stored::Value(self.get()), |kept| *kept)
    }

    /// It has a file of its own now, as an entry says.
    pub fn keep(&self, stored: &Stored) {
        if let Stored::Blob { .. } = stored {
            self.place().kept = Some(Box::new(stored.clone()));
        }
    }

    /// Lets go of the value if it has a file of its own.
    pub fn put_away(&self, shelf: &Arc<Shelf>) -> bool {
        let blob = match self.place().kept.as_deref() {
            Some(Stored::Blob { blob, bytes, .. }) => Blob {
                blob: blob.clone(),
                bytes: *bytes,
            },
            _ => return false,
        };
        self.move_to(Away {
            shelf: Arc::clone(shelf),
            blob,
            item: None,
        });
        true
    }

    pub fn weak(&self) -> WeakRetained {
        WeakRetained(Arc::downgrade(&self.0))
    }

    fn move_to(&self, away: Away) {
        // Asked for once more, when it is not there, it would have to be fetched.
        self.size();
        let mut place = self.place();
        place.away = Some(Box::new(away));
        place.value = None;
    }

    fn place(&self) -> std::sync::MutexGuard<'_, Place> {
        let place = self.0.place.lock();
        place.unwrap_or_else(PoisonError::into_inner)
    }
}

impl WeakRetained {
    pub fn upgrade(&self) -> Option<Retained> {
        self.0.upgrade().map(Retained)
    }
}

impl Default for Retained {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl fmt::Debug for Retained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place().value {
            Some(value) => value.fmt(f),
            None => f.write_str("put away"),
        }
    }
}

impl PartialEq for Retained {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Serialize for Retained {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Retained {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Arc::deserialize(deserializer).map(Self::new)
    }
}
