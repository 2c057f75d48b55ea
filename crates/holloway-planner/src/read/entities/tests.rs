//! Is everything found that a request names, and nothing else?

use super::*;

/// Kind, text, value and label of every entity, one line each.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found: Vec<String> = entities(text)
        .iter()
        .map(|entity| {
            assert_eq!(text.get(entity.place.clone()), Some(entity.text.as_str()));
            let kind = format!("{:?}", entity.kind).to_lowercase();
            let label = entity.label.as_deref().map(|label| format!(" ({label})"));
            format!("{kind} {}{}", entity.value, label.unwrap_or_default())
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn addresses_and_files() {
    check(
        "read https://example.org/a?b=1.",
        &[r#"url "https://example.org/a?b=1""#],
    );
    check(
        "(see http://127.0.0.1:8080/x)",
        &[r#"url "http://127.0.0.1:8080/x""#],
    );
    check("audit example.com, please", &[r#"url "example.com""#]);
    check("mail ada@example.com", &[r#"email "ada@example.com""#]);
    check(
        "origin is git@code.example.org:me/novel.git",
        &[r#"url "git@code.example.org:me/novel.git" (origin)"#],
    );
    check("what's in /etc/hosts", &[r#"path "/etc/hosts""#]);
    check("tidy up ~/Downloads now", &[r#"path "~/Downloads""#]);
    check("copy config/prod.yml", &[r#"path "config/prod.yml""#]);
    check("read notes.txt", &[r#"file "notes.txt""#]);
    check(
        "merge a.pdf, b.pdf and c.pdf",
        &[r#"file "a.pdf""#, r#"file "b.pdf""#, r#"file "c.pdf""#],
    );
    check("cats and/or dogs", &[]);
}

#[test]
fn amounts() {
    check("tax on $1,200.50", &["money 1200.5 (USD)"]);
    check("under 5 €", &["money 5 (EUR)"]);
    check("spend 20 dollars", &["money 20 (USD)"]);
    check("a $2 million loan", &["money 2000000 (USD)"]);
    check("what is 5 km in miles", &["quantity 5 (km)"]);
    check("a rate of 7%", &["quantity 7 (%)"]);
    check("350 Fahrenheit", &["quantity 350 (Fahrenheit)"]);
    check("with a limit of 5", &["number 5 (limit)"]);
    check("get 10 articles", &["number 10 (articles)"]);
    check("line 210", &["number 210 (line)"]);
    check("between -3 and 4.5", &["number -3", "number 4.5"]);
    check("120k visitors", &["number 120000 (visitors)"]);
    check(
        "three people and twenty-five dogs",
        &["number 3 (people)", "number 25 (dogs)"],
    );
    check("the best one of them", &[]);
    check("find it for $2 max", &["money 2 (USD)"]);
    check("pages 2-4", &["number 2 (pages)", "number 4"]);
}

#[test]
fn days_and_times() {
    check("on 2026-03-18", &[r#"date "2026-03-18""#]);
    check("on March 18th", &[r#"date "March 18th""#]);
    check("born 18 March 2023", &[r#"date "2023-03-18" (born)"#]);
    check("by April 1st, 2022", &[r#"date "2022-04-01""#]);
    check("due 12/31/2022", &[r#"date "2022-12-31" (due)"#]);
    check("on 3.5.1999", &[r#"date "1999-05-03""#]);
    check(
        "remind me tomorrow at 8 pm",
        &[r#"date "tomorrow""#, r#"time "20:00""#],
    );
    check(
        "at 15:30 in Berlin",
        &[r#"time "15:30""#, r#"name "Berlin""#],
    );
    check(
        "until 2026-12-24 18:00:00",
        &[r#"date "2026-12-24 18:00:00""#],
    );
    check("on 2026-02-31", &["number 2026", "number 2", "number 31"]);
    check("on 2028-02-29", &[r#"date "2028-02-29""#]);
    let times = entities("at 24:59");
    assert!(times.iter().all(|entity| entity.kind != EntityKind::Time));
    check("on 2026-99-99", &["number 2026", "number 99", "number 99"]);
}

#[test]
fn quoted_words() {
    check("say \"it's fine\"", &[r#"quoted "it's fine""#]);
    check("say 'it's fine'", &[r#"quoted "it's fine""#]);
    check("say “hello there” now", &[r#"quoted "hello there""#]);
    check("say ‘don’t go’ now", &[r#"quoted "don’t go""#]);
    check("the users' data and the admins' data", &[]);
    check(
        "fetch 'https://example.org'",
        &[r#"url "https://example.org""#],
    );
    check("due '2022-01-01'", &[r#"date "2022-01-01" (due)"#]);
    check("an \"open quote", &[]);
    check(
        "sort 'sales report.csv' by amount",
        &[r#"file "sales report.csv""#],
    );
    check(
        "append 'see orders.csv' to \"my notes.md\"",
        &[r#"quoted "see orders.csv""#, r#"file "my notes.md""#],
    );
    check(
        "save the open orders from orders.csv as open orders.csv",
        &[r#"file "orders.csv""#, r#"file "open orders.csv""#],
    );
    check(
        "write it to a new file called hello there.txt",
        &[r#"file "hello there.txt""#],
    );
    check(
        "compare a.csv to last orders.csv",
        &[r#"file "a.csv""#, r#"file "orders.csv""#],
    );
    check(
        "say 'hello there, this is not a name.md'",
        &[r#"quoted "hello there, this is not a name.md""#],
    );
}

#[test]
fn names_and_codes() {
    check("weather in New York", &[r#"name "New York""#]);
    check(
        "Get the singer Ed Sheeran.",
        &[r#"name "Ed Sheeran" (singer)"#],
    );
    check("What is it? Paris is nice", &[]);
    check(
        "I think I'm in the Bank of England",
        &[r#"name "Bank of England""#],
    );
    check("Tell Tom's brother", &[r#"name "Tom""#]);
    check("track TJ12345678", &[r#"code "TJ12345678""#]);
    check("call 123-456-7890", &[r#"code "123-456-7890" (phone)"#]);
    check(
        "call +43 660 1234567",
        &[r#"code "+43 660 1234567" (phone)"#],
    );
    check("release v1.4.0", &[r#"code "v1.4.0""#]);
    check("PLEASE READ ALL OF THIS NOW", &[]);
}
