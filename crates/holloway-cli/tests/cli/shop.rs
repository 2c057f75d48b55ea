//! The demo shop on loopback, served from its files as they are: pages to fetch without a
//! network.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

/// What the demo shop does not have: a page with prices.
const PRODUCTS: &str = "<!doctype html><title>Products</title><ul>\
    <li class=product><b class=name>Dune</b> <i class=price>€ 129,00</i></li>\
    <li class=product><b class=name>Moor</b> <i class=price>€ 99,50</i></li>\
    <li class=product><b class=name>Hut</b> <i class=price>€ 119,00</i></li></ul>";

pub(crate) struct Shop {
    pub(crate) address: String,
}

impl Shop {
    /// Serves until the test ends.
    pub(crate) fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A visitor that leaves early is no concern of the shop.
                std::thread::spawn(move || serve(stream).ok());
            }
        });
        Self { address }
    }
}

/// One request per connection.
fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or("/");
    let found = match path {
        "/products.html" => Ok(PRODUCTS.as_bytes().to_vec()),
        path => std::fs::read(file_of(path)),
    };
    let (status, body) = match found {
        Ok(body) => ("200 OK", body),
        Err(_) => (
            "404 Not Found",
            b"<!doctype html><title>Not found</title>".to_vec(),
        ),
    };
    let kind = match file_of(path).extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("xml") => "application/xml",
        _ => "text/plain; charset=utf-8",
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}

fn file_of(path: &str) -> PathBuf {
    let public = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demos/site/public");
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let file = public.join(path.trim_start_matches('/'));
    if path.ends_with('/') {
        file.join("index.html")
    } else {
        file
    }
}
