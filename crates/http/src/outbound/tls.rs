//! Bytes over TLS to a host that others chose, for protocols other than HTTP: the same rules, and an acknowledgement by the end of the
//! connection.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use svc_core::{Error, Result, Seconds, Secret};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::resolver::addresses;
use super::{Outbound, trust, unreachable};

/// Who receives the bytes.
#[derive(Clone, Copy, Debug)]
pub struct TlsPeer<'a> {
    /// The name or the address that its certificate has.
    pub host: &'a str,
    /// Its port.
    pub port: u16,
    /// Authorities that are trusted besides the usual ones, as PEM.
    pub ca_pem: Option<&'a str>,
    /// The certificates of this side as PEM, with their private key.
    pub identity: Option<(&'a str, &'a Secret)>,
}

impl Outbound {
    /// Refuses a peer that will never be called: one that is out of reach, on another port than `usual`, or with PEM that says nothing.
    pub fn check_peer(&self, peer: &TlsPeer<'_>, usual: u16) -> Result<()> {
        let is_here = self.reach.is_here(peer.host);
        if !self.reach.host(peer.host) || (peer.port != usual && !is_here && !self.reach.any_port) {
            return Err(Error::invalid_request(format!("the address is not port {usual} of a public host")));
        }
        self.config(peer).map(|_| ())
    }

    /// Sends `bytes` and closes; returns when the peer has closed as well, and so has read all of it.
    ///
    /// A peer that ends the connection without a farewell of TLS is taken at its word: common receivers do so. One that resets it has
    /// not read everything.
    pub async fn send_over_tls(&self, peer: &TlsPeer<'_>, bytes: &[u8], time: Seconds) -> Result<()> {
        if !self.reach.host(peer.host) {
            return Err(super::out_of_reach());
        }
        let time = Duration::from_secs(u64::try_from(time.0).unwrap_or_default());
        let sent = tokio::time::timeout(time, self.exchange_over_tls(peer, bytes));
        sent.await.unwrap_or_else(|elapsed| Err(unreachable(elapsed)))
    }

    async fn exchange_over_tls(&self, peer: &TlsPeer<'_>, bytes: &[u8]) -> Result<()> {
        let config = self.config(peer)?;
        let name = ServerName::try_from(peer.host.to_owned()).map_err(|error| unreachable(error))?;
        let found = addresses(self.reach, peer.host, peer.port).await.map_err(|error| unreachable(error))?;
        let stream = connect(&found).await.map_err(|error| unreachable(error))?;
        let mut stream = TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await
            .map_err(|error| unreachable(error))?;
        stream.write_all(bytes).await.map_err(|error| unreachable(error))?;
        stream.shutdown().await.map_err(|error| unreachable(error))?;
        // What a receiver says is not part of the protocol.
        let mut ignored = [0; 1024];
        loop {
            match stream.read(&mut ignored).await {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(unreachable(error)),
            }
        }
    }

    fn config(&self, peer: &TlsPeer<'_>) -> Result<ClientConfig> {
        trust::for_peer(&self.roots, peer.ca_pem, peer.identity)
    }
}

/// The first address that answers; each was vetted.
async fn connect(found: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in found {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
