//! A stretch of network that a test can cut, lay elsewhere, hold up and slow down, and share out between several ends as a load
//! balancer does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A port of the loopback interface that leads to others.
pub struct Cable {
    /// Where it begins.
    pub port: u16,
    ends: Arc<watch::Sender<Vec<u16>>>,
    passage: Arc<watch::Sender<Passage>>,
}

/// What becomes of bytes on their way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passage {
    Free,
    Late(Duration),
    Held,
}

impl Cable {
    /// Lays it to the first of these ports that accepts a connection; the turn goes round.
    pub async fn to(ports: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let ends = Arc::new(watch::Sender::new(ports.to_vec()));
        let passage = Arc::new(watch::Sender::new(Passage::Free));
        tokio::spawn(carry(listener, Arc::clone(&ends), Arc::clone(&passage)));
        Self { port, ends, passage }
    }

    /// Lays it elsewhere; what goes through it breaks.
    pub fn lay(&self, ports: &[u16]) {
        self.ends.send_replace(ports.to_vec());
    }

    /// Leads new connections elsewhere; those that go through it stay.
    pub fn lead(&self, ports: &[u16]) {
        self.ends.send_if_modified(|ends| {
            *ends = ports.to_vec();
            false
        });
    }

    /// Cuts it: connections break, and new ones are closed at once, as by a host without the server.
    pub fn cut(&self) {
        self.lay(&[]);
    }

    /// Lets nothing through, as a network that is divided: connections stay, and nothing is heard on them.
    pub fn hold(&self) {
        self.passage.send_replace(Passage::Held);
    }

    /// Lets everything through, but late.
    pub fn delay(&self, by: Duration) {
        self.passage.send_replace(Passage::Late(by));
    }

    /// Lets everything through at once, also what was held.
    pub fn free(&self) {
        self.passage.send_replace(Passage::Free);
    }
}

async fn carry(
    listener: TcpListener,
    ends: Arc<watch::Sender<Vec<u16>>>,
    passage: Arc<watch::Sender<Passage>>,
) {
    let turn = AtomicUsize::new(0);
    while let Ok((near, _)) = listener.accept().await {
        let mut state = ends.subscribe();
        let mut ports = state.borrow_and_update().clone();
        if ports.is_empty() {
            continue;
        }
        let first = turn.fetch_add(1, Ordering::Relaxed) % ports.len();
        ports.rotate_left(first);
        let passage = passage.subscribe();
        tokio::spawn(async move {
            let Some(far) = reached(&ports).await else { return };
            let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
            let both = async {
                tokio::join!(pass(near_in, far_out, passage.clone()), pass(far_in, near_out, passage.clone()))
            };
            tokio::select! {
                _ = both => {}
                _ = state.changed() => {}
            }
        });
    }
}

/// Carries bytes one way, until they end.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut passage: watch::Receiver<Passage>,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let now = *passage.borrow_and_update();
        if let Passage::Late(by) = now {
            tokio::time::sleep(by).await;
        }
        // A cable that is gone lets nothing through either.
        let is_let = passage.wait_for(|passage| *passage != Passage::Held).await.is_ok();
        if !is_let || to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}

async fn reached(ports: &[u16]) -> Option<TcpStream> {
    for port in ports {
        if let Ok(stream) = TcpStream::connect(("127.0.0.1", *port)).await {
            return Some(stream);
        }
    }
    None
}
