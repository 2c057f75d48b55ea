//! Does any spelling of an inner address get through? Not one; and those of loopback
//! do lead to the listener once they are granted, so that the count means something.

use holloway_engine::failure::FailureName;

use super::listener::Listener;
use super::reach::{at_base, every_way};

/// Spellings of 127.0.0.1 and ::1 that a client would connect to.
const LOOPBACK: &[&str] = &[
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0x7f.1",
    "0X7F.0.0.0X1",
    "0x7f000001",
    "0x7F.0x0.0x0.0x1",
    "0177.0.0.1",
    "0177.0x0.0.1",
    "017700000001",
    "00000000177.0.0.1",
    "2130706433",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "127｡0｡0｡1",
    "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::0001]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:0001]",
];

/// Names that every system knows for itself.
const NAMES: &[&str] = &[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost.",
    "ｌｏｃａｌｈｏｓｔ",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "loc%61lhost",
    "a.localhost",
    "a.b.localhost.",
];

/// Everything else that is inside, or nowhere.
const ELSEWHERE: &[&str] = &[
    "0.0.0.0",
    "0",
    "0x0",
    "0.0",
    "[::]",
    "[::ffff:0.0.0.0]",
    "127.0.0.2",
    "127.255.255.254",
    "127.1.1.1",
    "10.0.0.1",
    "012.0.0.1",
    "0xa.1",
    "167772161",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.257",
    "0xc0a80001",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "169.254.43518",
    "①⑥⑨.②⑤④.①⑥⑨.②⑤④",
    "100.100.100.200",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::127.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001:0:7f00:1::]",
    "[2606:4700::5efe:127.0.0.1]",
];

/// Refused by the URL parser or for what stands before the host.
const TRICKS: &[&str] = &[
    "http://example.com@127.0.0.1:PORT/",
    "http://user:secret@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT@127.0.0.1:PORT/",
    "http://example.com%40127.0.0.1:PORT/",
    "http://[::1%25lo]:PORT/",
    "http://[fe80::1%25eth0]:PORT/",
    "http://[::1%lo]:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http:127.0.0.1:PORT/",
    "http:/127.0.0.1:PORT/",
    "http:///127.0.0.1:PORT/",
    "HTTP://127.0.0.1:PORT/",
    "\thttp://127.0.0.1:PORT/",
    "ht\ntp://127.0.0.1:PORT/",
    "http://127.0.0.1:\tPORT/",
    "http://127.0.\u{ad}0.1:PORT/",
    "http://127.0.0.1:PORT#@example.com/",
    "http://127.0.0.1:PORT?@example.com/",
    "http://127.0.0.1:PORT\\@example.com/",
    "file:///etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_GET",
    "ws://127.0.0.1:PORT/",
    "http://256.0.0.1:PORT/",
    "http://0x100000001:PORT/",
    "http://127.0.0.0.1:PORT/",
];

async fn refused(listener: &Listener, url: &str) {
    for (way, outcome) in every_way(url, &[]).await {
        let failure = outcome.expect_err(url);
        let told = matches!(
            failure.name,
            FailureName::Denied | FailureName::ValidationFailed | FailureName::UnknownTool
        );
        assert!(told, "{way} {url}: {failure}");
        assert!(
            !failure.uncertain && !failure.retryable,
            "{way} {url}: {failure}"
        );
    }
    assert_eq!(listener.connections(), 0, "{url}");
}

#[tokio::test]
async fn no_spelling_reaches_the_inside() {
    let listener = Listener::start().await;
    assert!(LOOPBACK.len() + ELSEWHERE.len() + NAMES.len() >= 60);
    for host in LOOPBACK.iter().chain(ELSEWHERE) {
        let url = format!("http://{host}:{}/", listener.port);
        for (way, outcome) in every_way(&url, &[]).await {
            let failure = outcome.expect_err(&url);
            assert_eq!(failure.name, FailureName::Denied, "{way} {url}: {failure}");
            let hint = failure.hint.unwrap_or_default();
            assert!(
                hint.contains("[grants] private_hosts"),
                "{way} {url}: {hint}"
            );
            let named = !way.starts_with("builtin/");
            assert_eq!(hint.contains("--base-url"), named, "{way} {url}: {hint}");
        }
    }
    assert_eq!(listener.connections(), 0);
}

#[tokio::test]
async fn names_of_this_machine_do_not_reach_it() {
    let listener = Listener::start().await;
    for host in NAMES {
        let url = format!("http://{host}:{}/", listener.port);
        refused(&listener, &url).await;
    }
    assert_eq!(listener.connections(), 0);
}

#[tokio::test]
async fn no_trick_with_the_text_reaches_the_inside() {
    let listener = Listener::start().await;
    for trick in TRICKS {
        let url = trick.replace("PORT", &listener.port.to_string());
        refused(&listener, &url).await;
    }
}

#[tokio::test]
async fn what_is_granted_is_reached() {
    let listener = Listener::start().await;
    let granted = ["127.0.0.1", "::1", "::ffff:127.0.0.1"].map(str::to_owned);
    for (number, host) in LOOPBACK.iter().enumerate() {
        let url = format!("http://{host}:{}/", listener.port);
        for (way, outcome) in every_way(&url, &granted).await {
            outcome.unwrap_or_else(|failure| panic!("{way} {url}: {failure}"));
        }
        assert_eq!(listener.connections(), (number + 1) * 4, "{url}");
    }
}

#[tokio::test]
async fn a_named_base_address_is_reached_and_its_neighbours_are_not() {
    let (named, neighbour) = (Listener::start().await, Listener::start().await);
    at_base(&format!("http://{}", named.host()), "get")
        .await
        .unwrap();
    at_base(&format!("http://localhost:{}", named.port), "post")
        .await
        .unwrap();
    assert_eq!(named.connections(), 2);
    let other = format!("http://{}/", neighbour.host());
    for (way, outcome) in every_way(&other, &[named.host()]).await {
        assert_eq!(outcome.expect_err(way).name, FailureName::Denied, "{way}");
    }
    assert_eq!(neighbour.connections(), 0);
}
