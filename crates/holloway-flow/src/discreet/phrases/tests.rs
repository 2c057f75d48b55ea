//! Is everything taken out that `told.txt` marks, and does everything else stay?

use super::super::{REDACTED, discreet};

const TABLE: &str = include_str!("told.txt");

/// The request of a row, and what is left of it.
fn row(line: &str) -> (String, String) {
    let (mut request, mut expected) = (String::new(), String::new());
    for (place, part) in line.split("⟦").enumerate() {
        let (secret, rest) = match place {
            0 => ("", part),
            _ => part.split_once('⟧').unwrap(),
        };
        let hidden: Vec<&str> = secret.split_whitespace().map(|_| REDACTED).collect();
        request.extend([secret, rest]);
        expected.extend([hidden.join(" ").as_str(), rest]);
    }
    (request, expected)
}

#[test]
fn what_is_told_goes_and_what_is_spoken_about_stays() {
    let rows = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "));
    let (mut told, mut quiet, mut wrong) = (0, 0, Vec::new());
    for line in rows {
        let (request, expected) = row(line);
        told += usize::from(request != expected);
        quiet += usize::from(request == expected);
        let found = discreet(&request);
        let again = discreet(&found.text);
        if found.text != expected || again.text != expected {
            wrong.push(format!(
                "{request}\n  gave   {}\n  twice  {}\n  wanted {expected}",
                found.text, again.text
            ));
        }
        assert_eq!(found.taken_out > 0, found.text != request, "{request}");
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(told >= 80 && quiet >= 30, "{told} {quiet}");
}
