//! Every story in `scenarios/*.md` comes out as written there. `UPDATE=1` writes
//! what came out into the files instead; read the difference before keeping it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use holloway_testkit::scenario::{stories, tell};

#[test]
fn every_story_comes_out_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let mut text = std::fs::read_to_string(&path).unwrap();
        for story in stories(&text) {
            count += 1;
            let told = tell(&story);
            if told != story.journal {
                let before = format!(
                    "```world\n{}```\n\n```journal\n{}```",
                    story.world, story.journal
                );
                let after = format!("```world\n{}```\n\n```journal\n{told}```", story.world);
                assert!(
                    text.contains(&before),
                    "{}: `{}` needs its blocks in order",
                    path.display(),
                    story.title
                );
                text = text.replacen(&before, &after, 1);
                wrong.push(format!("{}: {}\n{told}", path.display(), story.title));
            }
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, text).unwrap();
        }
    }
    assert!(count >= 20, "only {count} stories");
    let updated = std::env::var_os("UPDATE").is_some();
    assert!(
        updated || wrong.is_empty(),
        "{} stories come out otherwise:\n\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
