//! Can a name server trick the guard by changing its answer? Names are looked up by
//! the tests: 127.0.0.2 is granted and stands for the outside, 127.0.0.1 is inside.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use holloway_engine::failure::FailureName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

/// Listens at one port inside and outside, and counts.
struct World {
    port: u16,
    inside: Arc<AtomicUsize>,
    outside: Arc<AtomicUsize>,
}

impl World {
    async fn start() -> Self {
        loop {
            let outside = TcpListener::bind("127.0.0.2:0").await.unwrap();
            let port = outside.local_addr().unwrap().port();
            if let Ok(inside) = TcpListener::bind(("127.0.0.1", port)).await {
                return Self {
                    port,
                    inside: count(inside),
                    outside: count(outside),
                };
            }
        }
    }

    fn connections(&self) -> (usize, usize) {
        let read = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        (read(&self.inside), read(&self.outside))
    }

    async fn fetch(&self, http: &Http, path: &str) -> Result<u16, ToolFailure> {
        let url = format!("http://name.example:{}{path}", self.port);
        let outgoing = Outgoing {
            method: Method::GET,
            url: Url::parse(&url).unwrap(),
            headers: HeaderMap::new(),
            body: None,
            follow: true,
        };
        let response = http.exchange(outgoing).await?;
        Ok(response.status().as_u16())
    }
}

/// Redirects `/again` to the same name, as a second chance for the name server.
fn count(listener: TcpListener) -> Arc<AtomicUsize> {
    let counter = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&counter);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut buffer = [0; 4096];
            let size = stream.read(&mut buffer).await.unwrap_or(0);
            let again = buffer[..size].starts_with(b"GET /again");
            let status = if again {
                "302 Found\r\nlocation: /"
            } else {
                "200 OK"
            };
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.ok();
        }
    });
    counter
}

/// Answers the first question with the first list, and so on; the last one stays.
fn answering(answers: &'static [&'static [&'static str]]) -> (Http, Arc<AtomicUsize>) {
    let grants = Grants {
        private_hosts: vec!["127.0.0.2".to_owned()],
        ..Grants::default()
    };
    let asked = Arc::new(AtomicUsize::new(0));
    let questions = Arc::clone(&asked);
    let lookup = move |_: String| -> resolver::Looking {
        let number = questions.fetch_add(1, Ordering::SeqCst);
        let answer = answers.get(number).or(answers.last()).copied();
        let addresses = answer.into_iter().flatten();
        let addresses = addresses.map(|text| SocketAddr::new(text.parse().unwrap(), 0));
        let addresses = addresses.collect();
        Box::pin(async move { Ok(addresses) })
    };
    let http = Http::with_lookup(&Arc::new(grants), Arc::new(lookup));
    (http, asked)
}

#[tokio::test]
async fn a_name_that_stays_outside_is_reached() {
    let world = World::start().await;
    let (http, _) = answering(&[&["127.0.0.2"]]);
    assert_eq!(world.fetch(&http, "/again").await.unwrap(), 200);
    assert_eq!(world.connections(), (0, 2));
}

#[tokio::test]
async fn each_connection_goes_to_an_address_that_was_checked() {
    let world = World::start().await;
    let (http, asked) = answering(&[&["127.0.0.2"], &["127.0.0.1"]]);
    assert_eq!(world.fetch(&http, "/").await.unwrap(), 200);
    assert_eq!(
        asked.load(Ordering::SeqCst),
        1,
        "one lookup for check and connection"
    );
    for _ in 0..3 {
        let failure = world.fetch(&http, "/").await.unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{failure}");
    }
    assert_eq!(world.connections(), (0, 1));
}

#[tokio::test]
async fn a_redirect_to_the_same_name_is_checked_again() {
    let world = World::start().await;
    let (http, _) = answering(&[&["127.0.0.2"], &["127.0.0.1"]]);
    let failure = world.fetch(&http, "/again").await.unwrap_err();
    assert_eq!(failure.name, FailureName::Denied, "{failure}");
    assert_eq!(world.connections(), (0, 1));
}

#[tokio::test]
async fn of_a_mixed_answer_only_the_outside_is_tried() {
    let world = World::start().await;
    let (http, _) = answering(&[&["127.0.0.1", "::1", "127.0.0.2", "::ffff:127.0.0.1"]]);
    assert_eq!(world.fetch(&http, "/").await.unwrap(), 200);
    assert_eq!(world.connections(), (0, 1));
}
