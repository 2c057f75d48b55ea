//! Which spellings of inner addresses get past the guard? None of these.

use holloway_engine::failure::FailureName;

use super::*;

/// Hosts as attackers write them: every one is on this machine, in its network,
/// or nowhere.
const REFUSED_HOSTS: &[&str] = &[
    // Loopback, in every spelling that a URL parser turns into 127.0.0.1.
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.1.1.1",
    "127.255.255.254",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0X7F.0.0.0X1",
    "0177.0.0.1",
    "0177.0.0.01",
    "017700000001",
    "2130706433",
    "00000177.0.0.1",
    "127.0.0.1%2e",
    "%31%32%37.0.0.1",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127．0．0．1",
    "127｡0｡0｡1",
    // Unspecified.
    "0.0.0.0",
    "0",
    "0x0",
    "00",
    "0.0",
    "0.1.2.3",
    // Private networks.
    "10.0.0.1",
    "10.255.255.255",
    "012.0.0.1",
    "0xa.1",
    "167772161",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.257",
    "0xc0a80001",
    "3232235521",
    // Link-local, where cloud metadata lives.
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "0xA9.0xFE.0xA9.0xFE",
    "169.254.43518",
    // Carrier-grade NAT, protocol assignments, benchmarking, documentation.
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "192.88.99.1",
    // Addresses and names of platforms outside the ranges above.
    "168.63.129.16",
    "0xa83f8110",
    "2822734096",
    "[::ffff:168.63.129.16]",
    "[64:ff9b::168.63.129.16]",
    "[2002:a83f:8110::1]",
    "[fd20:ce::254]",
    "169.254.170.2",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "metadata",
    "instance-data",
    "instance-data.ec2.internal",
    // Multicast, reserved, broadcast.
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    // IPv6 itself.
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[fe80::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[100::1]",
    "[5f00::1]",
    "[4000::1]",
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP.
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[0:0:0:0:0:ffff:c0a8:1]",
    "[::127.0.0.1]",
    "[::10.0.0.1]",
    "[::8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::8.8.8.8]",
    "[2002:7f00:1::]",
    "[2002:a00:1::1]",
    "[2002:c0a8:101::1]",
    "[2001::1]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[2606:4700::5efe:10.0.0.1]",
    "[2606:4700::200:5efe:192.168.0.1]",
];

#[test]
fn every_spelling_of_an_inner_address_is_denied() {
    assert!(REFUSED_HOSTS.len() >= 60);
    let guard = Guard::default();
    for host in REFUSED_HOSTS {
        for text in [
            format!("http://{host}/"),
            format!("https://{host}:8443/x?y#z"),
        ] {
            // What the URL parser itself refuses never becomes a request.
            let Ok(url) = Url::parse(&text) else {
                continue;
            };
            let failure = guard.check(&url).expect_err(&text);
            assert_eq!(failure.name, FailureName::Denied, "{text}");
            let hint = failure.hint.unwrap_or_default();
            assert!(hint.contains("[grants] private_hosts"), "{text}: {hint}");
        }
    }
}

#[test]
fn nearly_all_spellings_reach_the_guard() {
    let refused_by_parser: Vec<_> = REFUSED_HOSTS
        .iter()
        .filter(|host| Url::parse(&format!("http://{host}/")).is_err())
        .collect();
    assert!(refused_by_parser.is_empty(), "{refused_by_parser:?}");
}

#[test]
fn other_schemes_and_credentials_are_denied() {
    for text in [
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://example.com:70/_",
        "data:text/plain,x",
        "ws://example.com/",
        "javascript:alert(1)",
        "http://user@example.com/",
        "http://user:secret@example.com/",
        "http://example.com@127.0.0.1/",
        "https://:secret@example.com/",
    ] {
        let failure = Guard::default()
            .check(&Url::parse(text).unwrap())
            .unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{text}");
    }
}

#[test]
fn grants_open_exactly_what_they_name() {
    let check = |grant: &str, url: &str| {
        let guard = Guard::new(&[grant.to_owned()]);
        guard.check(&Url::parse(url).unwrap()).ok()
    };
    let granted = Some(Passage::Granted);
    let public = Some(Passage::Public);
    for (grant, url, expected) in [
        ("127.0.0.1", "http://127.0.0.1:9/", public),
        ("127.0.0.1", "http://0x7f.1/", public),
        ("127.0.0.1", "http://127.0.0.2/", None),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/", granted),
        ("127.0.0.1:8080", "http://127.0.0.1:8081/", None),
        ("127.0.0.1:80", "http://127.0.0.1/", granted),
        ("10.1.0.0/16", "http://10.1.2.3/", public),
        ("10.1.0.0/16", "http://10.2.0.1/", None),
        ("::1", "http://[::1]/", public),
        ("[::1]", "http://[::1]/", public),
        ("[::1]:8080", "http://[::1]:8080/", granted),
        ("[::1]:8080", "http://[::1]/", None),
        ("fd00::/8", "http://[fd12::1]/", public),
        ("Intranet.", "http://intranet/", granted),
        ("intranet:8080", "http://INTRANET:8080/", granted),
        ("127.0.0.1", "http://localhost:9/", public),
        ("localhost", "http://localhost./", granted),
        ("localhost:1", "http://localhost:2/", None),
        ("localhost", "http://a.localhost/", None),
        ("10.0.0.0/8", "http://LOCALHOST./", None),
        // The platform's own service is opened by its exact address or name alone.
        ("0.0.0.0/0", "http://169.254.169.254/", None),
        ("169.254.0.0/16", "http://169.254.169.254/", None),
        ("169.254.169.0/24", "http://[::ffff:169.254.169.254]/", None),
        ("fc00::/7", "http://[fd00:ec2::254]/", None),
        ("100.64.0.0/10", "http://100.100.100.200/", None),
        ("100.64.0.0/10", "http://100.64.0.1/", public),
        ("168.0.0.0/8", "http://168.63.129.16/", None),
        ("169.254.169.254", "http://169.254.169.254/", public),
        ("169.254.169.254:80", "http://169.254.169.254/", granted),
        ("169.254.169.254", "http://169.254.170.2/", None),
        (
            "metadata.google.internal",
            "http://metadata.google.internal/",
            granted,
        ),
        ("169.254.169.254", "http://metadata.google.internal/", None),
        // Not granted: left to the resolver, which refuses inner addresses.
        ("intranet:8080", "http://intranet:8081/", public),
        ("intranet", "http://evil.intranet/", public),
    ] {
        assert_eq!(check(grant, url), expected, "{grant} for {url}");
    }
}
