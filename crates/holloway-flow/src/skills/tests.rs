//! Files in, remarks and sections out; tools in, skills out.

use holloway_plan::tool::{ToolSpec, ToolTable};
use proptest::prelude::*;

use super::*;

const FRONT: &str = "---\nname: tents\ndescription: About tents.\n---\n";

fn document(text: &[u8]) -> Document {
    Document {
        folder: "tents".to_owned(),
        origin: Origin::Project,
        place: "tents/SKILL.md".to_owned(),
        content: Ok(text.to_vec()),
    }
}

/// `line weight: message | hint`, and whether the skill can be used.
fn remarks_of(text: &[u8]) -> String {
    let reading = read(&document(text));
    let mut lines: Vec<String> = reading
        .remarks
        .iter()
        .map(|remark| format!("{} {:?}: {}", remark.line, remark.weight, remark.message))
        .collect();
    if reading.skill.is_some() {
        lines.push("usable".to_owned());
    }
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(remarks_of(text.as_bytes()), expected, "{text}");
}

#[test]
fn front_matter_follows_the_format() {
    check(
        "---\nname: tents\ndescription: d\nlicense: MIT\ncompatibility: none\nallowed-tools: a b\nmetadata:\n  categories: \"Web, data\"\n---\n## A\nx\n",
        "usable",
    );
    check(
        "# Tents\n",
        "1 Wrong: the file has no front matter between two `---` lines",
    );
    check(
        "---\nname: tents\n",
        "1 Wrong: the file has no front matter between two `---` lines",
    );
    check(
        "---\nname: [\n---\n## A\nx\n",
        "3 Wrong: while parsing a node, did not find expected node content",
    );
    check(
        "---\n- a\n---\n## A\nx\n",
        "2 Wrong: the front matter is no list of fields",
    );
    check(
        "---\ndescription: d\ndescripton: e\n---\n## A\nx\n",
        "2 Wrong: the skill has no `name`\n3 Advice: the format has no field `descripton`",
    );
    check(
        "---\nname: Tents_1\ndescription: ''\n---\n## A\nx\n",
        "2 Wrong: the name `Tents_1` holds `T`\n3 Wrong: the skill has no `description`",
    );
    check(
        "---\nname: other\ndescription: d\n---\n## A\nx\n",
        "2 Wrong: the skill is called `other`, its folder `tents`",
    );
    check(
        "---\nname: tents\ndescription: d\nlicense: 1\nmetadata:\n  version: 1.0\n---\n## A\nx\n",
        "4 Wrong: `license` is no text\n6 Advice: `metadata.version` is no text",
    );
    let long = "x".repeat(1025);
    check(
        &format!("---\nname: tents\ndescription: {long}\n---\n## A\nx\n"),
        "3 Wrong: the description has 1025 characters, 1024 are the most",
    );
}

#[test]
fn text_is_bounded_and_seen() {
    let with = |body: &str| format!("{FRONT}{body}");
    check(&with("# Tents\n"), "5 Wrong: the skill says nothing");
    check(
        &with("Only text.\n"),
        "5 Advice: the skill has no sections; it is loaded as a whole\nusable",
    );
    check(
        &with("## A\n\n## B\nx\n"),
        "5 Advice: the section `A` is empty\nusable",
    );
    check(
        &with("## A\nx\u{200b}y\n"),
        "6 Wrong: the invisible character ⟨U+200B⟩ stands here",
    );
    check(
        &with(&format!("## A\n{}\n", "y".repeat(1_601))),
        "5 Advice: the section `A` has about 402 tokens\nusable",
    );
    let many = "## A\nx\n".repeat(102);
    check(
        &with(&many),
        "5 Advice: the skill has more than 100 headings; the rest is not read\nusable",
    );
    let large = with(&"x".repeat(read::MOST_BYTES));
    assert!(remarks_of(large.as_bytes()).contains("at most 131072 are read"));
    assert_eq!(
        remarks_of(b"---\nname: \xff\n---\n"),
        "2 Wrong: the file is not UTF-8 text"
    );
    let gone = Document {
        content: Err("the file leads out of its folder".to_owned()),
        ..document(b"")
    };
    assert_eq!(
        read(&gone).remarks[0].message,
        "the file leads out of its folder"
    );
}

#[test]
fn sections_know_their_tools_and_lines() {
    let body = "# Tents\n\nBefore.\n\n## Pitch `it`\n<!-- tools: file-read, mcp.git/git_diff,file-read -->\n\nFlat ground.\n\n```\n## no heading\n```\n\n### Deeper\n\n> ## quoted\n\nPegs\n----\nx\n";
    let skill = read(&document(
        format!("\u{feff}{FRONT}{body}")
            .replace('\n', "\r\n")
            .as_bytes(),
    ));
    let skill = skill.skill.unwrap();
    let shown: Vec<_> = skill
        .sections
        .iter()
        .map(|section| {
            (
                section.line,
                section.title.as_str(),
                section.tools.join("+"),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (5, "Tents", String::new()),
            (9, "Pitch it", "file-read+mcp.git/git_diff".to_owned()),
            (22, "Pegs", String::new()),
        ]
    );
    assert_eq!(
        skill.sections[1].text,
        "Flat ground.\n\n```\n## no heading\n```\n\n### Deeper\n\n> ## quoted"
    );
    assert_eq!(skill.section("pitch IT"), Some(&skill.sections[1]));
}

#[test]
fn what_ships_is_in_order() {
    let skills = Skills::shipped();
    assert_eq!(skills.remarks(), []);
    assert_eq!(skills.iter().count(), 13);
    for skill in skills.iter() {
        assert!((5..=8).contains(&skill.sections.len()), "{}", skill.name);
        for section in &skill.sections {
            assert!(
                !section.tools.is_empty(),
                "{}: {}",
                skill.name,
                section.title
            );
            assert!(
                (80..=400).contains(&section.tokens()),
                "{}: {} {}",
                skill.name,
                section.title,
                section.tokens()
            );
        }
    }
}

#[test]
fn hostile_texts_end_soon() {
    let most = read::MOST_BYTES - FRONT.len();
    for piece in [
        "## \n",
        "## a\nb\n",
        "> ",
        "- ",
        "[",
        "*a _b ",
        "<!-- tools: a\n",
        "<!-- tools: a -->\n\n",
        "```\n",
        "&",
        "|a",
    ] {
        let text = format!("{FRONT}{}", piece.repeat(most / piece.len()));
        let reading = read(&document(text.as_bytes()));
        let sections = reading.skill.map(|skill| skill.sections.len());
        assert!(
            sections.unwrap_or_default() <= 102 && reading.remarks.len() <= 50,
            "{piece}"
        );
    }
}

struct Texts(Vec<(Origin, &'static str)>);

impl SkillLibrary for Texts {
    fn documents(&self) -> Vec<Document> {
        let document = |(origin, text): &(Origin, &str)| Document {
            folder: "seo".to_owned(),
            origin: *origin,
            place: format!("{}/seo", origin.as_str()),
            content: Ok(text.as_bytes().to_vec()),
        };
        self.0.iter().map(document).collect()
    }
}

#[test]
fn a_later_one_replaces_an_earlier_one_if_it_can_be_used() {
    let ours = Texts(vec![
        (
            Origin::User,
            "---\nname: seo\ndescription: mine\n---\n## A\nx\n",
        ),
        (Origin::Project, "---\nname: seo\n---\n## A\nx\n"),
    ]);
    let skills = Skills::gather(&[&shipped::Shipped, &ours]);
    assert_eq!(
        skills.get("seo").map(|skill| skill.description.as_str()),
        Some("mine")
    );
    let replaced: Vec<Origin> = skills
        .replaced_by("seo")
        .map(|skill| skill.origin)
        .collect();
    assert_eq!(replaced, [Origin::Shipped]);
    assert_eq!(skills.remarks().len(), 1);
    assert_eq!(skills.remarks()[0].0, "project/seo");
}

fn tool(id: &str, category: &str) -> ToolSpec {
    ToolSpec {
        category: category.to_owned(),
        ..ToolSpec::named(id)
    }
}

#[test]
fn a_tool_has_one_home() {
    let skills = Skills::shipped();
    let home = |id, category| {
        skills
            .home(&tool(id, category))
            .map_or("", |skill| skill.name.as_str())
    };
    assert_eq!(home("builtin/meta-tags-check", "seo"), "seo");
    assert_eq!(home("builtin/html-extract", "web"), "web-scraping");
    assert_eq!(
        home("builtin/webhook-send", "communication"),
        "communication"
    );
    // No section names it: its category decides, and then the alphabet.
    assert_eq!(home("mcp.shop/prices", "Data Analysis"), "data-analysis");
    assert_eq!(home("mcp.site/anything", "web"), "web-crawling");
    // The name of a built-in tool is not the tool of another source.
    assert_eq!(home("mcp.x/meta-tags-check", ""), "");
    assert_eq!(home("builtin/echo", "control"), "");
}

#[test]
fn plans_need_the_homes_of_their_tools() {
    let skills = Skills::shipped();
    let meta = tool("builtin/meta-tags-check", "seo");
    let headings = tool("builtin/headings-check", "seo");
    let crawl = tool("builtin/site-crawl", "web");
    let echo = tool("builtin/echo", "control");
    let needed = skills.skills_of_plan([&crawl, &meta, &headings, &meta, &echo]);
    let needed: Vec<(&str, usize)> = needed
        .iter()
        .map(|needed| (needed.skill.as_str(), needed.tools.len()))
        .collect();
    assert_eq!(needed, [("seo", 2), ("web-crawling", 1)]);
    let all = skills.skills_of_plans([vec![&crawl, &meta], vec![&crawl, &echo], vec![&crawl]]);
    let domains: Vec<_> = all
        .domains
        .iter()
        .map(|domain| (domain.skill.as_str(), domain.plans))
        .collect();
    assert_eq!(domains, [("web-crawling", 3), ("seo", 1)]);
    assert_eq!(all.homeless, [echo.id]);
}

#[test]
fn a_step_gets_what_its_tool_needs_and_the_budget_allows() {
    let skills = Skills::shipped();
    let crawl = tool("builtin/site-crawl", "web");
    let seo = tool("builtin/meta-tags-check", "seo");
    let plan = skills.skills_of_plan([&crawl, &seo]);
    let titles = |tool: &ToolSpec, budget| -> Vec<&str> {
        let loaded = skills.sections_for(tool, &plan, budget);
        loaded
            .iter()
            .map(|loaded| loaded.section.title.as_str())
            .collect()
    };
    let all = titles(&crawl, usize::MAX);
    assert_eq!(
        all.last(),
        Some(&"Link pages to one another"),
        "of another skill of the plan"
    );
    assert!(
        all.len() > 2 && !all.contains(&"Structure headings"),
        "{all:?}"
    );
    assert_eq!(titles(&crawl, 0), [""; 0]);
    let some = skills.sections_for(&crawl, &plan, 500);
    let tokens: usize = some.iter().map(|loaded| loaded.section.tokens()).sum();
    assert!(
        !some.is_empty() && some.len() < all.len() && tokens <= 500,
        "{tokens}"
    );
    let unnamed = tool("mcp.search/rank", "seo");
    assert_eq!(
        titles(&unnamed, usize::MAX).first(),
        Some(&"Write titles and descriptions")
    );
}

#[test]
fn tools_that_are_not_there_are_told() {
    let text = format!("{FRONT}## A\n<!-- tools: file-raed, file-read, mcp.a/b -->\n\nx\n");
    let skill = read(&document(text.as_bytes())).skill.unwrap();
    let table = ToolTable::new([tool("builtin/file-read", "files")]);
    let remarks = check::unknown_tools(&skill, &table);
    let shown: Vec<_> = remarks
        .iter()
        .map(|remark| (remark.line, remark.message.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            (6, "there is no tool `file-raed`"),
            (6, "there is no tool `mcp.a/b`")
        ]
    );
    assert_eq!(remarks[0].hint, "did you mean `file-read`?");
}

proptest! {
    #[test]
    fn whatever_a_file_holds_reading_ends(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..400),
            "(---\n)?(name: [a-z]{0,4}\n)?(description: \\PC{0,9}\n)?(---\n)?\\PC{0,40}".prop_map(String::into_bytes),
            "(#{0,3} ?|<!-- tools: |-->|```\n|> |- |[a-z]{1,3},?|\n){0,40}".prop_map(|body| format!("{FRONT}{body}").into_bytes()),
        ]
    ) {
        let lines = String::from_utf8_lossy(&bytes).matches('\n').count() + 1;
        let reading = read(&document(&bytes));
        for remark in &reading.remarks {
            prop_assert!((1..=lines + 1).contains(&remark.line), "{remark:?}");
        }
        if let Some(skill) = reading.skill {
            prop_assert!(!skill.sections.is_empty());
            for section in skill.sections {
                prop_assert!(!section.text.is_empty() && section.line <= lines);
            }
        }
    }
}
