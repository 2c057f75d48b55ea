//! Does a run have one owner at a time, and does everybody know which?

use holloway_engine::entry::RunId;

use super::super::{Store, StoreError};
use super::{fresh, with_run};

#[test]
fn a_second_claim_is_refused_until_the_first_is_dropped() {
    let (folder, first, run) = with_run();
    let second = Store::open(folder.path()).unwrap();
    assert_eq!(second.owner(&run).unwrap(), None);
    let claim = first.claim(&run, "holloway run prices").unwrap();
    assert_eq!(claim.run(), &run);
    for store in [&first, &second] {
        let Err(StoreError::Owned { pid, command, .. }) = store.claim(&run, "again") else {
            panic!("claimed twice");
        };
        assert_eq!(
            (pid, command.as_str()),
            (std::process::id(), "holloway run prices")
        );
        let owner = store.owner(&run).unwrap().unwrap();
        assert_eq!((owner.pid, owner.command), (pid, command));
        assert!(!owner.host.is_empty() && owner.since > 0);
    }
    drop(claim);
    assert_eq!(first.owner(&run).unwrap(), None);
    drop(second.claim(&run, "again").unwrap());
    let locks = folder.path().join("locks");
    assert_eq!(std::fs::read_dir(locks).unwrap().count(), 0);
}

#[test]
fn a_claim_is_for_one_run() {
    let (_folder, store) = fresh();
    let _one = store.claim(&RunId::new("r1"), "test").unwrap();
    let _two = store.claim(&RunId::new("r2"), "test").unwrap();
}

#[test]
fn words_left_by_a_killed_owner_do_not_matter() {
    let (folder, store, run) = with_run();
    let lock = folder.path().join("locks/r1.lock");
    std::fs::write(&lock, "{\"pid\": half a wor").unwrap();
    assert_eq!(store.owner(&run).unwrap(), None);
    let claim = store.claim(&run, "test").unwrap();
    assert_eq!(store.owner(&run).unwrap().unwrap().command, "test");
    // Even if somebody scribbles over it, the lock counts.
    std::fs::write(&lock, "garbage").unwrap();
    assert!(store.claim(&run, "again").is_err());
    drop(claim);
}

/// Many threads fight for one run; at no time do two have it.
#[test]
fn claims_never_overlap() {
    let (_folder, store, run) = with_run();
    let owners = std::sync::atomic::AtomicU32::new(0);
    let order = std::sync::atomic::Ordering::SeqCst;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut won = 0;
                while won < 25 {
                    let _ = store.owner(&run).unwrap();
                    let Ok(claim) = store.claim(&run, "test") else {
                        continue;
                    };
                    assert_eq!(owners.fetch_add(1, order), 0);
                    won += 1;
                    owners.fetch_sub(1, order);
                    drop(claim);
                }
            });
        }
    });
}

#[test]
fn the_refusal_names_the_owner() {
    let error = StoreError::Owned {
        run: RunId::new("r1"),
        pid: 42,
        host: "den".to_owned(),
        since: 1_700_000_000_000,
        command: "holloway serve".to_owned(),
    };
    insta::assert_snapshot!(error, @"run `r1` is being carried out by process 42 on den since 2023-11-14T22:13:20Z: holloway serve");
}
