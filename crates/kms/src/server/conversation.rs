//! A conversation with one client: its user, its key, the version of its messages, then requests, several at once.

use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::time::Duration;

use svc_keys::kms::{Answer, Call, Frame, Reply, Request, VERSION, read, write};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::answers;
use super::holder::Holder;
use super::socket::is_ours;

/// A client that is well proves its key long before.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many requests of a client are worked on at once; further ones wait in the socket.
const MOST_AT_ONCE: usize = 64;

/// Talks with a client until it goes.
pub async fn hold(stream: UnixStream, holder: &Arc<Holder>) -> Result<()> {
    if !is_ours(&stream) {
        return Err(Error::new(ErrorKind::PermissionDenied, "it runs as another user"));
    }
    let acceptor = TlsAcceptor::from(Arc::clone(&holder.loaded().tls));
    let mut stream = timeout(PATIENCE, acceptor.accept(stream)).await??;
    timeout(PATIENCE, greet(&mut stream)).await??;
    let (mut from, to) = tokio::io::split(stream);
    let (replies, queue) = mpsc::channel(MOST_AT_ONCE);
    tokio::spawn(send(to, queue));
    let turns = Arc::new(Semaphore::new(MOST_AT_ONCE));
    while let Some(Call(number, request)) = read(&mut from).await? {
        let Ok(turn) = Arc::clone(&turns).acquire_owned().await else { return Ok(()) };
        let (holder, replies) = (Arc::clone(holder), replies.clone());
        tokio::spawn(async move {
            let answer = answers::to(request, &holder.loaded()).await;
            if let Ok(frame) = Frame::new(&Reply(number, answer)) {
                // A client that has gone needs no answer.
                let _ = replies.send(frame).await;
            }
            drop(turn);
        });
    }
    Ok(())
}

/// Agrees on the version of the messages.
async fn greet(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> Result<()> {
    let Some(Call(number, request)) = read(stream).await? else {
        return Err(Error::new(ErrorKind::UnexpectedEof, "it went without a greeting"));
    };
    let (answer, outcome) = match request {
        Request::Hello { version: VERSION } => (Answer::Hello(VERSION), Ok(())),
        Request::Hello { version } => {
            let why = format!("this svc-kms speaks version {VERSION} of the messages, not {version}");
            (Answer::Refused(why.clone()), Err(Error::new(ErrorKind::Unsupported, why)))
        }
        _ => {
            let why = "the first request must be `hello`";
            (Answer::Refused(why.to_owned()), Err(Error::new(ErrorKind::InvalidData, why)))
        }
    };
    write(stream, &Frame::new(&Reply(number, answer))?).await?;
    outcome
}

async fn send(mut to: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Frame>) {
    while let Some(frame) = queue.recv().await {
        if write(&mut to, &frame).await.is_err() {
            return;
        }
    }
}
