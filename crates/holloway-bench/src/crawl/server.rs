//! Who answers the crawl? A plain server on loopback that keeps connections open and
//! has every answer ready, packed and not.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use anyhow::Result;
use flate2::Compression;
use flate2::read::GzEncoder;

use super::site;

type Answers = BTreeMap<String, Vec<u8>>;

/// Prints the address and serves until the process is ended.
pub(crate) fn run() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let mut answers = Answers::new();
    for (path, (kind, bytes)) in site::files(&format!("http://{address}")) {
        answers.insert(path, answer("200 OK", kind, &bytes)?);
    }
    let missing = answer("404 Not Found", "text/html", b"not found")?;
    let shared = Arc::new((answers, missing));
    println!("{address}");
    for stream in listener.incoming() {
        let shared = Arc::clone(&shared);
        // A connection that breaks off concerns nobody else.
        std::thread::spawn(move || stream.map(|stream| serve(stream, &shared.0, &shared.1)));
    }
    Ok(())
}

fn answer(status: &str, kind: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, Compression::default()).read_to_end(&mut packed)?;
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-encoding: gzip\r\ncache-control: max-age=600\r\n\
         x-content-type-options: nosniff\r\nset-cookie: visit=1; Path=/\r\ncontent-length: {}\r\n\r\n",
        packed.len()
    );
    Ok([head.as_bytes(), &packed].concat())
}

fn serve(stream: TcpStream, answers: &Answers, missing: &Vec<u8>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let mut line = String::from("x");
        while !line.trim().is_empty() {
            line.clear();
            reader.read_line(&mut line)?;
        }
        let path = first.split(' ').nth(1).unwrap_or_default();
        writer.write_all(answers.get(path).unwrap_or(missing))?;
    }
}
