//! One connection to `svc-kms`: several requests are under way at once, and each gets the answer that has its number.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, Error as TlsError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::frame::{self, Frame};
use super::sidecar::Settings;
use super::{Answer, Call, Identity, PublicIdentity, Reply, Request, Trouble, VERSION, connecting};

/// A process on this machine that is well has answered long before.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many requests may wait to be written.
const QUEUE: usize = 64;

/// A connection that has proven both keys.
pub(super) struct Connection {
    outgoing: mpsc::Sender<Frame>,
    waiting: Arc<Waiting>,
    number: AtomicU64,
}

/// Why a request has no answer.
pub(super) enum Unanswered {
    /// The connection has ended.
    Lost,
    /// The process takes too long.
    Late,
    /// The request is too long to be sent.
    TooLong(String),
}

impl Connection {
    /// Connects, with the keys of the files as they are now.
    pub async fn open(settings: &Settings) -> Result<Self, Trouble> {
        let opened = timeout(PATIENCE, handshake(settings)).await;
        opened.unwrap_or_else(|_| Err(settings.unreachable(&"it does not answer"))).map(Self::over)
    }

    /// Speaks over a stream on which both sides have greeted.
    fn over(stream: TlsStream<UnixStream>) -> Self {
        let (from, to) = tokio::io::split(stream);
        let (outgoing, queue) = mpsc::channel(QUEUE);
        let waiting = Arc::new(Waiting::default());
        tokio::spawn(receive(from, Arc::clone(&waiting)));
        tokio::spawn(send(to, queue, Arc::clone(&waiting)));
        Self { outgoing, waiting, number: AtomicU64::new(1) }
    }

    /// Whether nothing can be asked any more.
    pub fn is_lost(&self) -> bool {
        self.outgoing.is_closed() || self.waiting.is_closed()
    }

    /// Asks, and waits for the answer.
    pub async fn ask(&self, request: Request) -> Result<Answer, Unanswered> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let frame = Frame::new(&Call(number, request));
        let frame = frame.map_err(|error| Unanswered::TooLong(error.to_string()))?;
        let answer = self.waiting.enter(number).ok_or(Unanswered::Lost)?;
        let asked = async {
            self.outgoing.send(frame).await.map_err(|_| Unanswered::Lost)?;
            answer.await.map_err(|_| Unanswered::Lost)
        };
        timeout(PATIENCE, asked).await.unwrap_or_else(|_| {
            drop(self.waiting.leave(number));
            Err(Unanswered::Late)
        })
    }
}

/// Proves both keys, and agrees on the version of the messages.
async fn handshake(settings: &Settings) -> Result<TlsStream<UnixStream>, Trouble> {
    let socket = UnixStream::connect(&settings.socket).await.map_err(|error| settings.unreachable(&error))?;
    let config = Arc::new(settings.proofs()?);
    let name = ServerName::try_from("svc-kms").map_err(|error| settings.unreachable(&error))?;
    let stream = TlsConnector::from(config).connect(name, socket).await;
    let mut stream = stream.map_err(|error| match tls_error(&error) {
        Some(TlsError::InvalidCertificate(_)) => Trouble::ServerKey(settings.server_public_key.clone()),
        _ => settings.unreachable(&error),
    })?;
    let hello = Frame::new(&Call(0, Request::Hello { version: VERSION }));
    let hello = hello.map_err(|error| settings.unreachable(&error))?;
    // A refusal of our key waits to be read behind a failure to write.
    let _ = frame::write(&mut stream, &hello).await;
    match frame::read::<Reply>(&mut stream).await {
        Ok(Some(Reply(_, Answer::Hello(VERSION)))) => Ok(stream),
        Ok(Some(Reply(_, Answer::Refused(why)))) => Err(Trouble::Refused(why)),
        Ok(_) => Err(settings.unreachable(&"it ends the connection; does it run as the same user?")),
        Err(error) => Err(match tls_error(&error) {
            Some(TlsError::AlertReceived(_)) => Trouble::ClientKey(settings.client_private_key.clone()),
            _ => settings.unreachable(&error),
        }),
    }
}

fn tls_error(error: &std::io::Error) -> Option<&TlsError> {
    error.get_ref()?.downcast_ref()
}

impl Settings {
    fn proofs(&self) -> Result<ClientConfig, Trouble> {
        let own = Identity::from_file(&self.client_private_key)?;
        let server = PublicIdentity::from_file(&self.server_public_key)?;
        connecting(&own, server).map_err(|error| self.unreachable(&format!("{error:?}")))
    }

    fn unreachable(&self, why: &dyn std::fmt::Display) -> Trouble {
        Trouble::Unreachable(self.socket.clone(), why.to_string())
    }
}

async fn receive(mut from: impl AsyncRead + Unpin, waiting: Arc<Waiting>) {
    while let Ok(Some(Reply(number, answer))) = frame::read(&mut from).await {
        if let Some(asked) = waiting.leave(number) {
            // Who asked may have stopped waiting.
            let _ = asked.send(answer);
        }
    }
    waiting.close();
}

async fn send(mut to: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Frame>, waiting: Arc<Waiting>) {
    while let Some(frame) = queue.recv().await {
        if frame::write(&mut to, &frame).await.is_err() {
            break;
        }
    }
    waiting.close();
}

/// Who waits for which answer; nothing once the connection has ended.
struct Waiting(Mutex<Option<HashMap<u64, oneshot::Sender<Answer>>>>);

impl Default for Waiting {
    fn default() -> Self {
        Self(Mutex::new(Some(HashMap::new())))
    }
}

impl Waiting {
    fn enter(&self, number: u64) -> Option<oneshot::Receiver<Answer>> {
        let (asked, answer) = oneshot::channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.insert(number, asked);
        Some(answer)
    }

    fn leave(&self, number: u64) -> Option<oneshot::Sender<Answer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.remove(&number)
    }

    /// Ends every wait.
    fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn is_closed(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}
