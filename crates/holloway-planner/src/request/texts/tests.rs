//! Which texts and files does a request speak of, and what is to be done with them? By examples.

use super::*;
use crate::request::named;

fn source(source: &Source, names: &dyn Fn(&[usize]) -> String) -> String {
    match source {
        Source::Files(files) => names(files),
        Source::Each(folder) => format!(
            "{}/*{}{}",
            folder.path,
            folder
                .ending
                .as_deref()
                .map(|ending| format!(".{ending}"))
                .unwrap_or_default(),
            folder
                .holds
                .as_deref()
                .map(|text| format!("[{text}]"))
                .unwrap_or_default()
        ),
    }
}

fn value(own: &Value, names: &dyn Fn(&[usize]) -> String) -> String {
    match own {
        Value::Quoted(at) => format!("“{}”", names(&[*at]).trim_matches('"')),
        Value::Of(of) => source(of, names),
        Value::Made(making, of) => format!("{making:?}({})", value(of, names)),
        Value::Changes(one, other) => format!("changes({})", names(&[*one, *other])),
        Value::Likeness(one, other) => format!("likeness({})", names(&[*one, *other])),
        Value::Page(at, form) => format!("{form:?}({})", names(&[*at])),
    }
}

/// What is done, with the files by their names.
fn told(request: &str) -> Option<String> {
    let entities = named(request);
    let deeds = deeds(request, &entities)?;
    let name = |at: &usize| entities[*at].text.clone();
    let names = |files: &[usize]| files.iter().map(name).collect::<Vec<_>>().join("+");
    let told = deeds.iter().map(|deed| match deed {
        Deed::Show(own) => format!("show {}", value(own, &names)),
        Deed::List(folder) => format!("list {}", source(&Source::Each(folder.clone()), &names)),
        Deed::Write { value: own, to } => format!("{} = {}", name(to), value(own, &names)),
        Deed::Add { value: own, to } => format!("{} += {}", name(to), value(own, &names)),
        Deed::Remove(own) => format!("remove {}", source(own, &names)),
        Deed::Empty(file) => format!("empty {}", name(file)),
        Deed::Wait(ms) => format!("wait {ms}"),
        Deed::Mail { value: own, to } => format!("mail {} {}", name(to), value(own, &names)),
    });
    Some(told.collect::<Vec<_>>().join("; "))
}

#[track_caller]
fn check(request: &str, expected: &str) {
    assert_eq!(told(request).as_deref(), Some(expected), "{request}");
}

#[test]
fn pages_are_kept_in_the_form_that_fits() {
    check(
        "save the text of http://a.test/ as page.txt",
        "page.txt = Text(http://a.test/)",
    );
    check(
        "download http://a.test/x.html to page.html",
        "page.html = Source(http://a.test/x.html)",
    );
    check(
        "fetch http://a.test/ and save it as page.md",
        "show Markdown(http://a.test/); page.md = Markdown(http://a.test/)",
    );
    check(
        "convert http://a.test/ to markdown and save it as p.txt",
        "show Markdown(http://a.test/); p.txt = Markdown(http://a.test/)",
    );
    check(
        "fetch http://a.test/ and save it as plain text in page.md",
        "show Text(http://a.test/); page.md = Text(http://a.test/)",
    );
    check(
        "save http://a.test/ as plain text in page.md",
        "page.md = Text(http://a.test/)",
    );
    check(
        "what is the title of http://a.test/x/",
        "show Title(http://a.test/x/)",
    );
    check(
        "save the page title of http://a.test/ to t.txt",
        "t.txt = Title(http://a.test/)",
    );
    for other in [
        "download http://a.test/rows.csv to page.txt",
        "save the page http://a.test/ as page.xlsx",
    ] {
        assert_eq!(told(other), None, "{other}");
    }
}

#[test]
fn two_files_are_both_meant() {
    for request in [
        "what changed between a.txt and b.txt?",
        "compare a.txt with b.txt",
        "show me the differences between a.txt and b.txt",
        "diff a.txt and b.txt",
    ] {
        check(request, "show changes(a.txt+b.txt)");
    }
    check(
        "how similar are a.txt and b.txt?",
        "show likeness(a.txt+b.txt)",
    );
    check("is a.txt the same as b.txt?", "show changes(a.txt+b.txt)");
    check(
        "are a.txt and b.txt identical?",
        "show changes(a.txt+b.txt)",
    );
    check("delete a.txt and b.txt", "remove a.txt+b.txt");
    check(
        "read a.txt and b.txt and join them into both.txt",
        "show a.txt+b.txt; both.txt = Joined(a.txt+b.txt)",
    );
    check(
        "read a.txt, read b.txt, then combine them into both.txt",
        "show a.txt; show b.txt; both.txt = Joined(a.txt+b.txt)",
    );
    check(
        "read a.json, wait 6 seconds and then read b.json",
        "show a.json; wait 6000; show b.json",
    );
    check(
        "overwrite b.txt with the contents of a.txt",
        "b.txt = a.txt",
    );
    check(
        "how many words are in a.txt and b.txt together?",
        "show Count(Words)(Joined(a.txt+b.txt))",
    );
}

#[test]
fn what_is_written_is_what_was_asked_for() {
    check(
        "read notes.txt and write a summary of it to summary.txt",
        "show notes.txt; summary.txt = Summary(None)(notes.txt)",
    );
    check(
        "summarise notes.txt, then save the summary as s.txt and count its words",
        "show Summary(None)(notes.txt); s.txt = Summary(None)(notes.txt); show Count(Words)(Summary(None)(notes.txt))",
    );
    check(
        "write the number of lines in notes.txt into n.txt",
        "n.txt = Count(Lines)(notes.txt)",
    );
    check(
        "send an email to ann@example.com with the summary of notes.txt",
        "mail ann@example.com Summary(None)(notes.txt)",
    );
    check(
        "sort the lines of a.txt alphabetically",
        "show SortedLines { descending: false }(a.txt)",
    );
    check(
        "please sort the lines in a.txt in reverse order and save the result as b.txt",
        "show SortedLines { descending: true }(a.txt); b.txt = SortedLines { descending: true }(a.txt)",
    );
    check(
        "remove duplicate lines from a.txt and save the result as b.txt",
        "show UniqueLines(a.txt); b.txt = UniqueLines(a.txt)",
    );
    check(
        "sort a.txt alphabetically into b.txt",
        "b.txt = SortedLines { descending: false }(a.txt)",
    );
    check("copy a.txt to b.txt", "b.txt = a.txt");
    check("how readable is notes.txt?", "show Readability(notes.txt)");
}

#[test]
fn files_are_made_and_added_to() {
    check(
        "create a file called hello.txt containing \"Hello world\"",
        "hello.txt = “Hello world”",
    );
    check(
        "write \"Meeting at 10\" to r.txt",
        "r.txt = “Meeting at 10”",
    );
    check(
        "append \"bye\" to a.txt and then count its lines",
        "a.txt += “bye”; show Count(Lines)(a.txt)",
    );
    check("add the line \"x\" to the end of a.txt", "a.txt += “x”");
    check("empty notes.txt", "empty notes.txt");
    check(
        "turn readme.md into an HTML page named readme.html",
        "readme.html = readme.md",
    );
    check(
        "make a report as report.pdf from notes.txt",
        "report.pdf = notes.txt",
    );
    check(
        "save a summary of notes.txt as summary.pdf",
        "summary.pdf = Summary(None)(notes.txt)",
    );
}

#[test]
fn each_file_of_a_folder() {
    check("delete every txt file in notes", "remove notes/*.txt");
    check(
        "find all files in notes containing the word \"pond\" and delete them",
        "list notes/*[pond]; remove notes/*[pond]",
    );
    check(
        "find the files with \"pond\" in notes and delete them",
        "list notes/*[pond]; remove notes/*[pond]",
    );
    check(
        "list the json files in data and delete them",
        "list data/*.json; remove data/*.json",
    );
    check(
        "for every txt file in notes, summarise it in one sentence",
        "show Summary(Some(1))(notes/*.txt)",
    );
    check(
        "count the words in every txt file in the notes folder",
        "show Count(Words)(notes/*.txt)",
    );
}

#[test]
fn what_is_not_understood_to_the_last_word_is_left_alone() {
    for request in [
        "delete old.txt but keep words.txt",
        "do not delete old.txt",
        "delete all files except words.txt",
        "join orders.csv and customers.csv",
        "compare report.pdf with draft.pdf",
        "read notes.txt and email it to Ann",
        "summarise notes.txt for my boss",
        "delete every txt file in notes older than 3 days",
        "write a poem to poem.txt",
        "open notes.txt in Word",
        "remove the first line of notes.txt",
        "sort the lines of a.txt by length",
        "write the number of rows of orders.csv into count.txt",
    ] {
        assert_eq!(told(request), None, "{request}");
    }
}
