//! Does a host that may be reached lead on to one that may not? By no status, no
//! spelling of the location, and no chain.

use holloway_engine::failure::FailureName;
use holloway_sources::openapi::{OpenApiConfig, read_document};
use holloway_tools::Grants;

use super::listener::Listener;
use super::reach::{at_base, description, every_way, service};

/// `/302/http://…` redirects there; `/chain/N/302/…` goes through N more first.
fn redirect(target: &str) -> String {
    let rest = target.trim_start_matches('/');
    if let Some(rest) = rest.strip_prefix("chain/") {
        let (count, rest) = rest.split_once('/').unwrap();
        let next = match count.parse::<u32>().unwrap() {
            0 => format!("/{rest}"),
            count => format!("/chain/{}/{rest}", count - 1),
        };
        return format!("307 Temporary Redirect\r\nlocation: {next}");
    }
    match rest.split_once('/') {
        Some((status, location)) if status.parse::<u16>().is_ok() => {
            format!("{status} Redirect\r\nlocation: {location}")
        }
        _ => "200 OK".to_owned(),
    }
}

const STATUSES: [u16; 5] = [301, 302, 303, 307, 308];

/// Locations inside, in spellings that survive a request line.
fn locations(inner: &Listener) -> Vec<String> {
    let port = inner.port;
    let hosts = [
        "127.0.0.1",
        "localhost",
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "user@127.0.0.1",
        "localhost.",
    ];
    let mut locations: Vec<_> = hosts.map(|host| format!("http://{host}:{port}/")).into();
    locations.push(format!("//127.0.0.1:{port}/"));
    locations.push(format!("\\\\127.0.0.1:{port}\\"));
    locations.push(format!("https://127.0.0.1:{port}/"));
    locations.push("http://169.254.169.254/latest/meta-data/".to_owned());
    locations.push("file:///etc/passwd".to_owned());
    locations
}

#[tokio::test]
async fn redirects_to_the_inside_end_there() {
    let outer = Listener::answering(redirect).await;
    let inner = Listener::start().await;
    let granted = [outer.host()];
    let mut requests = 0;
    for location in locations(&inner) {
        for status in STATUSES {
            let url = format!("http://{}/{status}/{location}", outer.host());
            for (way, outcome) in every_way(&url, &granted).await {
                requests += 1;
                if way == "builtin/http-send" {
                    // It returns redirects as they are.
                    assert_eq!(outcome.unwrap()["status"], status);
                } else {
                    let failure = outcome.expect_err(&url);
                    assert_ne!(failure.name, FailureName::Timeout, "{way} {url}");
                    assert!(!failure.retryable, "{way} {url}: {failure}");
                }
            }
        }
    }
    assert_eq!(inner.connections(), 0);
    assert_eq!(
        outer.connections(),
        requests,
        "each was asked once and led nowhere"
    );
}

#[tokio::test]
async fn chains_of_redirects_end_at_the_inside_too() {
    let outer = Listener::answering(redirect).await;
    let inner = Listener::start().await;
    for count in [0, 1, 3] {
        let url = format!(
            "http://{}/chain/{count}/302/http://{}/",
            outer.host(),
            inner.host()
        );
        let outcomes = every_way(&url, &[outer.host()]).await;
        let fetched = outcomes
            .into_iter()
            .find(|(way, _)| *way == "builtin/http-fetch");
        let failure = fetched.unwrap().1.unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{failure}");
        let base = format!(
            "http://{}/chain/{count}/302/http://{}",
            outer.host(),
            inner.host()
        );
        let failure = at_base(&base, "get").await.unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{failure}");
    }
    assert_eq!(inner.connections(), 0);
}

#[tokio::test]
async fn redirects_within_the_origin_are_followed() {
    let outer = Listener::answering(redirect).await;
    let url = format!("http://{}/chain/2/307//fine", outer.host());
    for (way, outcome) in every_way(&url, &[outer.host()]).await {
        assert!(outcome.is_ok(), "{way}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_description_cannot_redirect_its_reader_to_the_inside() {
    let outer = Listener::answering(redirect).await;
    let inner = Listener::start().await;
    for location in locations(&inner) {
        let url = format!("http://{}/302/{location}", outer.host());
        let read = read_document(&url, std::path::Path::new("/"), &Grants::default()).await;
        assert!(read.is_err(), "{location}");
    }
    assert_eq!(inner.connections(), 0);
    assert!(outer.connections() > 0);
}

#[tokio::test]
async fn a_description_found_at_one_host_does_not_open_another() {
    let (found_at, inner) = (Listener::start().await, Listener::start().await);
    let server = format!("http://{}/", inner.host());
    let config = OpenApiConfig {
        origin: format!("http://{}/openapi.json", found_at.host()),
        document: description(&server),
        ..OpenApiConfig::default()
    };
    let failure = service(config.clone(), Grants::default(), "get")
        .await
        .unwrap_err();
    assert_eq!(failure.name, FailureName::Denied, "{failure}");
    assert_eq!(inner.connections(), 0);
    let relative = OpenApiConfig {
        document: description("/"),
        ..config
    };
    service(relative, Grants::default(), "get").await.unwrap();
    assert_eq!(found_at.connections(), 1);
}
