//! Are entries kept whole, in order, and only by one owner?

use holloway_engine::entry::{EndStatus, Entry, EntryKind, RunId};
use holloway_engine::ports::{Journal, JournalError};
use serde_json::json;

use super::super::{RunStatus, Store, StoreError};
use super::{
    append, append_steps, complete, entry, fresh, new_run, start, step, step_with, with_run,
};

#[test]
fn entries_come_back_as_they_were_given() {
    let (folder, store, run) = with_run();
    let mut given = vec![entry(1, start(&run)), step(2)];
    append(&store, &run, given.clone()).unwrap();
    append(&store, &run, vec![step(3)]).unwrap();
    given.push(step(3));
    assert_eq!(store.entries(&run, 0).unwrap(), given);
    assert_eq!(store.entries(&run, 2).unwrap(), vec![step(3)]);
    assert_eq!(store.entries(&run, 3).unwrap(), vec![]);
    assert_eq!(
        store.entries(&run, u64::from(u32::MAX) + 7).unwrap(),
        vec![]
    );
    drop(store);
    let again = Store::open(folder.path()).unwrap();
    assert_eq!(again.entries(&run, 0).unwrap(), given);
}

#[track_caller]
fn check_refused(entries: Vec<Entry>, expected: &str) {
    let (_folder, store, run) = with_run();
    append_steps(&store, &run, 1, 2);
    let error = append(&store, &run, entries).unwrap_err();
    assert!(matches!(error, JournalError::Corrupt(_)), "{error:?}");
    assert_eq!(error.to_string(), expected);
    assert_eq!(store.entries(&run, 0).unwrap(), vec![step(1), step(2)]);
    append_steps(&store, &run, 3, 1);
}

#[test]
fn a_gap_is_refused() {
    check_refused(
        vec![step(4)],
        "unreadable journal: entry 4 of run `r1` was to be written, but entry 3 is the next one; \
         another process has gone on with this run; resume it from its journal",
    );
}

#[test]
fn a_repeat_is_refused() {
    check_refused(
        vec![step(2), step(3)],
        "unreadable journal: entry 2 of run `r1` was to be written, but entry 3 is the next one; \
         another process has gone on with this run; resume it from its journal",
    );
}

#[test]
fn a_gap_within_an_append_refuses_all_of_it() {
    check_refused(
        vec![step(3), step(5)],
        "unreadable journal: entry 5 of run `r1` was to be written, but entry 4 is the next one; \
         another process has gone on with this run; resume it from its journal",
    );
}

#[test]
fn what_could_not_be_read_again_is_refused() {
    let nested = |depth: usize| serde_json::from_str(&("[".repeat(depth) + &"]".repeat(depth)));
    let (_folder, store, run) = with_run();
    // The entry itself is the first level.
    append(&store, &run, vec![step_with(1, nested(126).unwrap())]).unwrap();
    assert_eq!(store.entries(&run, 0).unwrap().len(), 1);
    let deeper = json!([nested(126).unwrap()]);
    let error = append(&store, &run, vec![step_with(2, deeper)]).unwrap_err();
    insta::assert_snapshot!(error, @"unreadable journal: entry 2 of run `r1` cannot be kept: it is nested more than 127 deep; have the tool give a flatter or smaller result");
    let brackets_in_text = json!({"\"[[\\": "[".repeat(500)});
    append(&store, &run, vec![step_with(2, brackets_in_text)]).unwrap();
    assert_eq!(store.entries(&run, 1).unwrap().len(), 1);
}

#[test]
fn a_run_must_be_known() {
    let (_folder, store) = fresh();
    let run = RunId::new("r9");
    let error = append(&store, &run, vec![step(1)]).unwrap_err();
    insta::assert_snapshot!(error, @"unreadable journal: there is no run `r9` in this data folder; `holloway runs` lists the runs");
    assert!(matches!(
        store.entries(&run, 0),
        Err(StoreError::UnknownRun { .. })
    ));
}

#[test]
fn nothing_to_append_is_fine() {
    let (_folder, store, run) = with_run();
    append(&store, &run, vec![]).unwrap();
}

#[test]
fn the_status_follows_the_entries() {
    let (_folder, store, run) = with_run();
    let status = |store: &Store| store.run(&run).unwrap().unwrap().status;
    assert_eq!(status(&store), RunStatus::Created);
    let reason = "asked to".to_owned();
    let by = "me".to_owned();
    let journey = [
        (start(&run), RunStatus::Running),
        (EntryKind::Paused { reason }, RunStatus::Paused),
        (
            EntryKind::Resumed {
                by: by.clone(),
                fresh: true,
                approvals: None,
                all_allowed: false,
            },
            RunStatus::Running,
        ),
        (EntryKind::Cancelled { by }, RunStatus::Running),
        (complete(EndStatus::Cancelled), RunStatus::Cancelled),
    ];
    for (seq, (kind, expected)) in (1..).zip(journey) {
        append(&store, &run, vec![entry(seq, kind)]).unwrap();
        assert_eq!(status(&store), expected);
    }
    let summary = store.run(&run).unwrap().unwrap();
    assert_eq!((summary.entries, summary.updated_ms), (5, 1_005));
}

#[test]
fn two_stores_on_one_folder_see_each_other_and_cannot_both_go_on() {
    let (folder, first, run) = with_run();
    let second = Store::open(folder.path()).unwrap();
    append_steps(&first, &run, 1, 1);
    append_steps(&second, &run, 2, 1);
    assert!(append(&first, &run, vec![step(2)]).is_err());
    append_steps(&first, &run, 3, 1);
    assert_eq!(second.entries(&run, 0).unwrap().len(), 3);
}

/// A fan: many appends share commits, and a bad one among them harms none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn appends_at_once_all_arrive() {
    let (_folder, store) = fresh();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..200_u64 {
        let run = RunId::new(format!("r{number}"));
        store.create_run(new_run(run.as_str(), number)).unwrap();
        let store = store.clone();
        tasks.spawn(async move {
            let first = if number % 10 == 0 { 7 } else { 1 };
            let outcome = store.append(&run, vec![step(first), step(first + 1)]).await;
            (number, run, outcome)
        });
    }
    while let Some(done) = tasks.join_next().await {
        let (number, run, outcome) = done.unwrap();
        let kept = store.entries(&run, 0).unwrap().len();
        let expected = if number % 10 == 0 {
            (true, 0)
        } else {
            (false, 2)
        };
        assert_eq!((outcome.is_err(), kept), expected, "{run}");
    }
}

/// Enough entries that the log is emptied and started over several times.
#[test]
fn a_long_run_survives_the_emptying_of_the_log() {
    let (folder, store, run) = with_run();
    for batch in 0..40 {
        let entries = (1..=100).map(|n| step(batch * 100 + n)).collect();
        append(&store, &run, entries).unwrap();
    }
    for seq in 4001..4101 {
        append(
            &store,
            &run,
            vec![step_with(seq, json!("x".repeat(30_000)))],
        )
        .unwrap();
    }
    let log = folder.path().join("holloway.db-wal");
    assert!(std::fs::metadata(log).unwrap().len() < 8 << 20);
    drop(store);
    let again = Store::open(folder.path()).unwrap();
    assert_eq!(again.entries(&run, 0).unwrap().len(), 4100);
}
