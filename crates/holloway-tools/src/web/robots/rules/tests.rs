//! Do the rules mean what the specification says? The cases that RFC 9309 and the
//! reference parser are known by, as one table: file, agent, path, verdict. Each is
//! also put to the reference matcher, except where it departs from the RFC.

use super::*;

fn check(file: &str, agent: &str, path: &str, allowed: bool) {
    check_ours(file, agent, path, allowed);
    let url = format!("http://foo.bar{path}");
    let theirs =
        robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(file, agent, &url);
    assert_eq!(theirs, allowed, "the reference, {agent} {path} in\n{file}");
}

fn check_ours(file: &str, agent: &str, path: &str, allowed: bool) {
    let url = Url::parse(&format!("http://foo.bar{path}")).unwrap();
    let verdict = Rules::read(file.as_bytes(), agent).verdict(&url);
    assert_eq!(verdict.allowed, allowed, "{agent} {path} in\n{file}");
}

#[test]
fn lines_are_read_with_their_usual_slips() {
    let right = "user-agent: FooBot\ndisallow: /\n";
    let wrong = "foo: FooBot\nbar: /\n";
    let no_colon = "user-agent FooBot\ndisallow /\n";
    let typo = "useragent: FooBot\ndisalow: /\n";
    for (file, allowed) in [
        ("", true),
        (right, false),
        (wrong, true),
        (no_colon, false),
        (typo, false),
    ] {
        check(file, "FooBot", "/x/y", allowed);
    }
    check(
        "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n",
        "FooBot",
        "/x/y",
        true,
    );
    check(
        "UsEr-AgEnT: FooBot\nAlLoW: /x/\nDiSaLlOw: /\n",
        "FooBot",
        "/a/b",
        false,
    );
    check("\u{feff}", "FooBot", "/x", true);
    check_ours(
        "\u{feff}User-Agent: foo\nAllow: /AnyValue\nDisallow: /\n",
        "foo",
        "/b",
        false,
    );
    for end in ["\r", "\n", "\r\n"] {
        let file = [
            "user-agent: foo",
            "disallow: /a # why",
            "",
            "allow: /a/b",
            "",
        ]
        .join(end);
        check(&file, "foo", "/a", false);
        check(&file, "foo", "/a/b", true);
    }
}

#[test]
fn groups_are_told_apart() {
    let file = "allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\n\
        user-agent: BarBot\ndisallow: /\nallow: /y/\n\n\nallow: /w/\n\
        user-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n";
    for (agent, path, allowed) in [
        ("FooBot", "/x/b", true),
        ("FooBot", "/z/d", true),
        ("FooBot", "/y/c", false),
        ("BarBot", "/y/c", true),
        ("BarBot", "/w/a", true),
        ("BarBot", "/z/d", false),
        ("BazBot", "/z/d", true),
        // A rule before any agent belongs to nobody.
        ("FooBot", "/foo/bar/", false),
        ("BarBot", "/foo/bar/", false),
        ("BazBot", "/foo/bar/", false),
    ] {
        check(file, agent, path, allowed);
    }
}

#[test]
fn other_lines_do_not_close_a_list_of_agents_unless_they_are_rules() {
    for (line, foo, bar) in [
        ("foo: x", true, false),
        ("Sitemap: http://a.b/s.xml", true, false),
    ] {
        let file = format!("User-agent: BarBot\n{line}\nUser-agent: *\nDisallow: /\n");
        // The reference ends the list only once the group is one it looks at.
        check_ours(&file, "BarBot", "/x", foo);
        check_ours(&file, "FooBot", "/x", bar);
    }
}

#[test]
fn agents_are_known_by_their_name_whatever_its_case() {
    let upper = "User-Agent: FOO BAR\nAllow: /x/\nDisallow: /\n";
    let lower = "user-agent: foo bar\nallow: /x/\ndisallow: /\n";
    let mixed = "UsEr-aGeNt: FoO bAr\nAlLoW: /x/\nDiSaLlOw: /\n";
    for file in [upper, lower, mixed] {
        for agent in ["Foo", "foo"] {
            check(file, agent, "/x/y", true);
            check(file, agent, "/a/b", false);
        }
    }
    check_ours(lower, "Foo/2.1 (+http://foo.bar)", "/a/b", false);
    check(
        "User-agent: FooBot-News\nDisallow: /\n",
        "FooBot",
        "/x",
        true,
    );
}

#[test]
fn everyone_means_those_who_are_not_named() {
    let global = "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n";
    check(global, "FooBot", "/x/y", false);
    check(global, "BarBot", "/x/y", true);
    check(
        "user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /\n",
        "QuxBot",
        "/x/y",
        true,
    );
    // A group that allows all still keeps the rules for everyone away.
    check(
        "user-agent: FooBot\nallow:\n\nuser-agent: *\ndisallow: /\n",
        "FooBot",
        "/x",
        true,
    );
    for star in ["* ", "* baz"] {
        check(
            &format!("User-agent: {star}\nDisallow: /\n"),
            "FooBot",
            "/x",
            false,
        );
    }
    check("User-agent: *baz\nDisallow: /\n", "FooBot", "/x", true);
}

#[test]
fn paths_have_a_case() {
    let file = "user-agent: FooBot\ndisallow: /X/\n";
    check(file, "FooBot", "/x/y", true);
    check(file, "FooBot", "/X/y", false);
}

#[test]
fn the_longest_match_wins_and_allowing_wins_a_tie() {
    let group = |rules: &str| format!("user-agent: FooBot\n{rules}\n");
    for (rules, path, allowed) in [
        ("disallow: /x/page.html\nallow: /x/", "/x/page.html", false),
        ("allow: /x/page.html\ndisallow: /x/", "/x/page.html", true),
        ("allow: /x/page.html\ndisallow: /x/", "/x/", false),
        ("disallow: \nallow: ", "/x/page.html", true),
        ("disallow: /\nallow: /", "/x/page.html", true),
        ("disallow: /x\nallow: /x/", "/x", false),
        ("disallow: /x\nallow: /x/", "/x/", true),
        (
            "disallow: /x/page.html\nallow: /x/page.html",
            "/x/page.html",
            true,
        ),
        ("allow: /page\ndisallow: /*.html", "/page.html", false),
        ("allow: /page\ndisallow: /*.html", "/page", true),
        ("allow: /x/page.\ndisallow: /*.html", "/x/page.html", true),
        ("allow: /x/page.\ndisallow: /*.html", "/x/y.html", false),
    ] {
        check(&group(rules), "FooBot", path, allowed);
    }
    let both = "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n";
    check(both, "FooBot", "/x/page", true);
    check(both, "FooBot", "/y/page", false);
}

#[test]
fn patterns_of_the_documentation() {
    let only = |pattern: &str| format!("user-agent: FooBot\ndisallow: /\nallow: {pattern}\n");
    let table: [(&str, &[&str], &[&str]); 8] = [
        (
            "/fish",
            &[
                "/fish",
                "/fish.html",
                "/fish/salmon.html",
                "/fishheads",
                "/fishheads/yummy.html",
                "/fish.php?id=anything",
            ],
            &["/Fish.asp", "/catfish", "/?id=fish"],
        ),
        (
            "/fish*",
            &[
                "/fish",
                "/fish.html",
                "/fish/salmon.html",
                "/fishheads",
                "/fish.php?id=anything",
            ],
            &["/Fish.bar", "/catfish", "/?id=fish"],
        ),
        (
            "/fish/",
            &[
                "/fish/",
                "/fish/salmon",
                "/fish/?salmon",
                "/fish/salmon.html",
                "/fish/?id=anything",
            ],
            &["/fish", "/fish.html", "/Fish/Salmon.html"],
        ),
        (
            "/*.php",
            &[
                "/filename.php",
                "/folder/filename.php",
                "/folder/filename.php?parameters",
                "//folder/any.php.file.html",
                "/filename.php/",
                "/index?f=filename.php/",
                "/php/filename.php",
            ],
            &["/", "/index?php", "/windows.PHP"],
        ),
        (
            "/*.php$",
            &["/filename.php", "/folder/filename.php"],
            &[
                "/filename.php?parameters",
                "/filename.php/",
                "/filename.php5",
                "/php/",
                "/filename?php",
                "/aaaphp",
                "/windows.PHP",
            ],
        ),
        (
            "/fish*.php",
            &["/fish.php", "/fishheads/catfish.php?parameters"],
            &["/Fish.PHP"],
        ),
        (
            "/foo/bar*qux",
            &["/foo/bar/x/qux", "/foo/barqux"],
            &["/foo/bar", "/foo/ba/qux"],
        ),
        ("/x*y*z$", &["/xyz", "/x1y2z"], &["/xyza", "/xz", "/x/yz/"]),
    ];
    for (pattern, inside, outside) in table {
        for path in inside {
            check(&only(pattern), "FooBot", path, true);
        }
        for path in outside {
            check(&only(pattern), "FooBot", path, false);
        }
    }
}

#[test]
fn a_star_may_have_to_reach_past_the_first_fit() {
    // The reference loses its place in the second of these.
    for (pattern, path) in [
        ("/x*z$", "/xzz"),
        ("/x*y*z$", "/xyzyz"),
        ("/*a*b*a$", "/abaabba"),
    ] {
        let file = format!("user-agent: *\nallow: {pattern}\ndisallow: /\n");
        check_ours(&file, "FooBot", path, true);
    }
}

#[test]
fn escapes_are_compared_by_what_they_mean() {
    let only = |pattern: &str| format!("User-agent: FooBot\nDisallow: /\nAllow: {pattern}\n");
    check(
        &only("/foo/bar?qux=taz&baz=http://foo.bar?tar&par"),
        "FooBot",
        "/foo/bar?qux=taz&baz=http://foo.bar?tar&par",
        true,
    );
    check(&only("/foo/bar/ツ"), "FooBot", "/foo/bar/%E3%83%84", true);
    check(
        &only("/foo/bar/%E3%83%84"),
        "FooBot",
        "/foo/bar/%E3%83%84",
        true,
    );
    check_ours(&only("/foo/bar/%e3%83%84"), "FooBot", "/foo/bar/ツ", true);
    check(
        &only("/foo/bar/%62%61%7A"),
        "FooBot",
        "/foo/bar/%62%61%7A",
        true,
    );
    // RFC 9309 2.2.2 has these match; the reference compares them as written.
    check_ours(&only("/foo/bar/%62%61%7A"), "FooBot", "/foo/bar/baz", true);
    // RFC 9309 2.2.3: the special characters themselves.
    check_ours(
        &only("/path/file-with-a-%2A.html"),
        "FooBot",
        "/path/file-with-a-*.html",
        true,
    );
    check_ours(&only("/path/foo-%24"), "FooBot", "/path/foo-$", true);
    check_ours(&only("/path/a$b"), "FooBot", "/path/a$b", true);
}

#[test]
fn who_allows_the_index_page_allows_its_folder() {
    let file = "User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n";
    for (path, allowed) in [
        ("/allowed-slash/", true),
        ("/allowed-slash/index.htm", false),
        ("/allowed-slash/index.html", true),
        ("/anyother-url", false),
    ] {
        check(file, "foobot", path, allowed);
    }
}

#[test]
fn the_example_of_the_rfc_holds() {
    let file = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
        User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
        User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
        User-Agent: quxbot\n\nEOF\n";
    for (agent, path, allowed) in [
        ("otherbot", "/a.gif", false),
        ("otherbot", "/example/", false),
        ("otherbot", "/publications/", true),
        ("otherbot", "/publications/a.gif", true),
        ("foobot", "/example/page.html", true),
        ("foobot", "/example/allowed.gif", true),
        ("foobot", "/publications/", false),
        ("barbot", "/example/page.html", false),
        ("bazbot", "/example/page.html", false),
        ("bazbot", "/example/", true),
        ("quxbot", "/example/page.html", true),
    ] {
        check(file, agent, path, allowed);
    }
    let longest =
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    check(longest, "foobot", "/example/page/", true);
    check(longest, "foobot", "/example/page/disallowed.gif", false);
    check_ours(
        "user-agent: *\ndisallow: /\n",
        "foobot",
        "/robots.txt",
        true,
    );
}

#[test]
fn what_stands_beside_the_rules_is_read_too() {
    let file = "Sitemap: http://a.example/one.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /x\n\
        User-agent: slow\nCrawl-delay: 10\nSITEMAP: http://a.example/two.xml # the second\n\
        User-agent: odd\nCrawl-delay: -1\nCrawl-delay: NaN\n";
    let delay = |agent| Rules::read(file.as_bytes(), agent).crawl_delay;
    assert_eq!(
        (delay("any"), delay("slow"), delay("odd")),
        (Some(2.5), Some(10.0), None)
    );
    let rules = Rules::read(file.as_bytes(), "any");
    assert_eq!(
        rules.sitemaps,
        ["http://a.example/one.xml", "http://a.example/two.xml"]
    );
}

#[test]
fn hostile_files_take_neither_time_nor_the_process() {
    // Characters of several bytes at every place where something is cut.
    for pad in 0..4 {
        let line = format!(
            "user-agent: a\ndisallow: /{}{}\n",
            "x".repeat(pad),
            "ツ".repeat(20_000)
        );
        assert!(Rules::read(line.as_bytes(), "a").allows(&Url::parse("http://a.b/y").unwrap()));
    }
    let stars = format!("user-agent: *\ndisallow: {}\n", "/*a".repeat(2_000)).repeat(80);
    let url = Url::parse(&format!("http://a.b/{}", "/a".repeat(1_000))).unwrap();
    assert!(Rules::read(stars.as_bytes(), "x").allows(&url));
    // Past the limit nothing counts.
    let late = format!("{}\nuser-agent: *\ndisallow: /\n", "#".repeat(MAX_BYTES));
    assert!(Rules::read(late.as_bytes(), "x").allows(&url));
    assert!(Rules::read(&[0xff, 0xfe, b'\n', 0x00], "x").allows(&url));
}
