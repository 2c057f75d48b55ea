//! `holloway ask` as a person at a terminal meets it: cards, keys, the editor, and the question
//! at the end.

use rustix::process::Signal;

use crate::place::{GATE, Place, endings, wait_for};

const SAVE: &str = "ask 'read notes.txt and append it to log.txt'";
const COUNT: &str = "how many rows has prices.csv";
/// An editor that stays open until the gate is.
const SLOW: &str = "touch started; until test -e open || ! test -e home; do sleep 0.02; done; true";

fn place() -> Place {
    let place = Place::new();
    place.file("notes.txt", "The fox is quick. The meeting is on Monday.\n");
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    place
}

/// Files that an editor was given.
fn left_behind(place: &Place) -> usize {
    std::fs::read_dir(place.path("home/edit")).map_or(0, Iterator::count)
}

#[test]
fn one_plan_is_asked_about_in_plain_words() {
    let place = place();
    let terminal = place.at_terminal(SAVE, 100, &[]);
    terminal.wait_for("n do not");
    terminal.press("n");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130));
    for words in ["came out the same", "Run this plan?", "nothing was run"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    assert!(!place.path("log.txt").exists());
}

#[test]
fn keys_that_stop_and_signals_cancel() {
    let place = place();
    for stop in ["\u{3}", "\u{1b}", "\u{4}", "q"] {
        let terminal = place.at_terminal(SAVE, 100, &[]);
        terminal.wait_for("n do not");
        terminal.press(stop);
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(130), "{stop:?}: {screen}");
        assert!(screen.contains("nothing was run"), "{screen}");
    }
    for signal in endings().into_iter().chain([Signal::INT]) {
        let terminal = place.at_terminal(SAVE, 100, &[]);
        terminal.wait_for("n do not");
        terminal.send(signal);
        assert_eq!(terminal.finish().1, Some(130), "{signal:?}");
    }
}

#[test]
fn what_is_not_granted_is_on_the_card_and_is_not_run() {
    let place = place();
    let terminal = place.at_terminal(
        "ask 'send an e-mail to ada@example.com with the contents of notes.txt'",
        100,
        &[],
    );
    terminal.wait_for("n do not");
    let card = terminal.screen();
    assert!(card.contains("no mail server is granted"), "{card}");
    assert!(card.contains("[grants.mail]"), "{card}");
    terminal.press("y");
    terminal.wait_for("error[not-granted]");
    terminal.wait_for_times("Run this plan?", 2);
    terminal.press("n");
    assert_eq!(terminal.finish().1, Some(130));
    let runs = place.json("runs");
    assert_eq!(runs["runs"].as_array().map_or(0, Vec::len), 0, "{runs}");
}

#[test]
fn the_rest_of_a_request_is_run_only_when_the_person_agrees() {
    let place = place();
    let request = "ask 'read notes.txt, then translate it into French' --no-question";
    for (key, code) in [("n", 130), ("y", 0)] {
        let terminal = place.at_terminal(request, 100, &[]);
        terminal.wait_for("n do not");
        terminal.press("y");
        terminal.wait_for("will be left out. Run the rest? y/n");
        terminal.press(key);
        if key == "n" {
            terminal.wait_for_times("Run this plan?", 2);
            terminal.press("n");
        }
        let (screen, found) = terminal.finish();
        assert_eq!(found, Some(code), "{screen}");
    }
}

#[test]
fn an_editor_that_changes_nothing_leads_back_to_the_choice() {
    let place = place();
    for (editor, words) in [
        ("false", "ended with exit code 1"),
        ("no-such-editor", "was not found"),
        ("truncate -s 0", "was saved empty"),
        ("true", "nothing was changed"),
    ] {
        let terminal = place.at_terminal(SAVE, 100, &[("EDITOR", editor)]);
        terminal.wait_for("n do not");
        terminal.press("c");
        terminal.wait_for(words);
        terminal.wait_for_times("Run this plan?", 2);
        terminal.press("n");
        assert_eq!(terminal.finish().1, Some(130), "{editor}");
        assert_eq!(left_behind(&place), 0, "{editor}");
    }
}

#[test]
fn a_plan_that_is_broken_in_the_editor_is_not_run() {
    let place = place();
    let editor = ("EDITOR", "sed -i s/file-read/file-raed/");
    let terminal = place.at_terminal(SAVE, 100, &[editor]);
    terminal.wait_for("n do not");
    terminal.press("c");
    terminal.wait_for("did you mean `file-read`?");
    terminal.wait_for("b back to the cards");
    terminal.press("b");
    terminal.wait_for_times("Run this plan?", 2);
    terminal.press("n");
    assert_eq!(terminal.finish().1, Some(130));
}

#[test]
fn the_editors_file_does_not_outlive_a_signal() {
    for signal in endings() {
        let place = place();
        let terminal = place.at_terminal(SAVE, 100, &[("EDITOR", SLOW)]);
        terminal.wait_for("n do not");
        terminal.press("c");
        wait_for("the editor", || {
            place.path("started").exists().then_some(())
        });
        assert_eq!(left_behind(&place), 1);
        terminal.send(signal);
        assert_eq!(terminal.finish().1, Some(130));
        assert_eq!(left_behind(&place), 0);
        place.open_gate();
    }
}

#[test]
fn an_interrupt_while_the_editor_is_open_is_the_editors() {
    let place = place();
    let terminal = place.at_terminal(SAVE, 100, &[("EDITOR", SLOW)]);
    terminal.wait_for("n do not");
    terminal.press("c");
    wait_for("the editor", || {
        place.path("started").exists().then_some(())
    });
    terminal.send(Signal::INT);
    place.open_gate();
    terminal.wait_for("nothing was changed");
    terminal.wait_for_times("Run this plan?", 2);
    terminal.press("n");
    assert_eq!(terminal.finish().1, Some(130));
}

#[test]
fn what_was_not_wanted_is_not_remembered() {
    let place = place();
    let asked = format!("ask '{COUNT}' --plan 1");
    for (key, learned) in [("n", 0), ("\u{3}", 0), ("\r", 1)] {
        let terminal = place.at_terminal(&asked, 100, &[]);
        terminal.wait_for("Was this what you wanted? [Y/n]");
        terminal.press(key);
        assert_eq!(terminal.finish().1, Some(0), "{key:?}");
        assert_eq!(place.remembered(), learned, "{key:?}");
    }
}

#[test]
fn the_question_can_be_switched_off() {
    let place = place();
    for flags in ["--plan 1 --no-question", "--auto", "--plan 1 --quiet"] {
        let terminal = place.at_terminal(&format!("ask '{COUNT}' {flags}"), 100, &[]);
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(0), "{screen}");
        assert!(!screen.contains("wanted?"), "{flags}: {screen}");
    }
    place.file("holloway.toml", "[ask]\nquestion = false\n");
    let terminal = place.at_terminal(&format!("ask '{COUNT}' --plan 1"), 100, &[]);
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains("wanted?"), "{screen}");
}

#[test]
fn what_is_typed_for_inputs_can_be_stopped() {
    let place = place();
    let asked = "ask 'summarise a text' --plan 1";
    let terminal = place.at_terminal(asked, 100, &[]);
    terminal.wait_for("none is named that is there");
    terminal.send(Signal::INT);
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("nothing was run"), "{screen}");
}

#[test]
fn no_colour_and_no_code_where_the_terminal_wants_none() {
    let place = place();
    for around in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        for columns in [12, 40, 160] {
            let terminal = place.at_terminal(SAVE, columns, &[around]);
            terminal.wait_for("n do not");
            terminal.press("n");
            let (screen, code) = terminal.finish();
            assert_eq!(code, Some(130), "{screen}");
            assert!(!screen.contains('\u{1b}'), "{around:?}: {screen}");
        }
    }
}

#[test]
fn a_request_cannot_steer_the_terminal() {
    let place = place();
    let hostile = "\u{1b}[2J\u{1b}]0;mine\u{7}\u{9b}2J";
    let request = format!("append \"one {hostile}\" to notes.txt");
    let terminal = place.at_terminal(&format!("ask '{request}'"), 100, &[("NO_COLOR", "1")]);
    terminal.wait_for("n do not");
    terminal.press("w");
    terminal.wait_for_times("n do not", 2);
    terminal.press("n");
    let (screen, _) = terminal.finish();
    for code in ['\u{1b}', '\u{7}', '\u{9b}'] {
        assert!(!screen.contains(code), "{code:?}: {screen:?}");
    }
}

#[test]
fn results_and_mistakes_cannot_steer_the_terminal_either() {
    let place = place();
    place.file("notes.txt", "A\u{1b}[2J text\u{9b}2J.\n");
    for typed in [
        "tools call file-read --input path=notes.txt",
        "ask 'read notes.txt' --auto",
        "ask 'a' --seed \u{1b}[2J",
        "ask 'a' --no-such\u{1b}]0;x\u{7}",
    ] {
        let (screen, _) = place.at_terminal(typed, 100, &[("TERM", "dumb")]).finish();
        for code in ['\u{1b}', '\u{7}', '\u{9b}'] {
            assert!(!screen.contains(code), "{code:?}: {screen:?}");
        }
    }
}

#[test]
fn an_interrupt_during_the_run_pauses_it() {
    let place = place();
    let plan = format!("version: '1.0'\nid: slow\nsteps:\n  - {GATE}\n");
    place.file("slow.yaml", &plan);
    // The plan is put in place of the one that was made.
    let editor = ("EDITOR", "cp slow.yaml");
    let terminal = place.at_terminal(&format!("{SAVE} --allow-shell --yes"), 100, &[editor]);
    terminal.wait_for("n do not");
    terminal.press("c");
    terminal.wait_for("r run it");
    terminal.press("r");
    place.wait_for_first_step();
    terminal.send(Signal::INT);
    terminal.wait_for("Ctrl-C again to stop now");
    terminal.send(Signal::INT);
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("holloway runs resume"), "{screen}");
}
