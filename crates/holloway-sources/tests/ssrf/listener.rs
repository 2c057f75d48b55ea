//! What must not be reached? A listener on both loopback addresses at one port,
//! which counts connections and answers every request the same way.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

pub(crate) struct Listener {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
}

impl Listener {
    pub(crate) async fn start() -> Self {
        Self::answering(|_| "200 OK\r\ncontent-type: application/json".to_owned()).await
    }

    /// `answer` gets the requested target and gives the status and headers.
    pub(crate) async fn answering(answer: fn(&str) -> String) -> Self {
        let connections = Arc::new(AtomicUsize::new(0));
        loop {
            let four = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let port = four.local_addr().unwrap().port();
            let six = TcpListener::bind(("::1", port)).await;
            if six
                .as_ref()
                .is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse)
            {
                continue;
            }
            for listener in [Ok(four), six].into_iter().flatten() {
                tokio::spawn(serve(listener, Arc::clone(&connections), answer));
            }
            return Self { port, connections };
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// As a host with its port, for grants and base addresses.
    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

async fn serve(listener: TcpListener, connections: Arc<AtomicUsize>, answer: fn(&str) -> String) {
    while let Ok((mut stream, _)) = listener.accept().await {
        connections.fetch_add(1, Ordering::SeqCst);
        let mut buffer = [0; 4096];
        let size = stream.read(&mut buffer).await.unwrap_or(0);
        let request = String::from_utf8_lossy(&buffer[..size]).into_owned();
        let target = request.split(' ').nth(1).unwrap_or_default();
        let head = answer(target);
        let text = format!("HTTP/1.1 {head}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
        stream.write_all(text.as_bytes()).await.ok();
    }
}
