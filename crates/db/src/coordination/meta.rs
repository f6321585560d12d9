//! The meta commands of Memcached (`doc/protocol.txt`, "Meta Commands"): one line each, with data where something is stored, and
//! one reply.

use std::sync::{Mutex, PoisonError};

use svc_core::{Error, Result};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::memcached::MemcachedSettings;

/// What is stored is short; a longer reply is of another kind of server.
const LONGEST: u64 = 8192;

/// A reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// `HD`, `MN`: done, without a value.
    Done,
    /// `VA`: the value, and its version where that was asked for.
    Value(String, u64),
    /// `EN`, `NF`: there is no such entry.
    Absent,
    /// `EX`, `NS`: another caller was faster.
    Outrun,
    /// An error line.
    Refused(String),
}

/// Connections, each used by one command at a time.
pub(super) struct Pool {
    settings: MemcachedSettings,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
}

type Connection = BufStream<TcpStream>;

impl Pool {
    pub fn new(settings: MemcachedSettings) -> Self {
        let permits = Semaphore::new(settings.pool_size.max(1));
        Self { settings, idle: Mutex::default(), permits }
    }

    /// Sends a command. A connection whose reply was not read to its end is not used again.
    pub async fn ask(&self, line: &str, data: Option<&str>) -> Result<Reply> {
        let _permit = self.permits.acquire().await.map_err(|error| Error::unavailable(error))?;
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let reply = exchange(&mut connection, line, data).await?;
        let mut idle = self.idle();
        if idle.len() < self.settings.max_idle {
            idle.push(connection);
        }
        Ok(reply)
    }

    async fn connect(&self) -> Result<Connection> {
        let connecting = timeout(self.settings.connect_timeout, TcpStream::connect(&self.settings.address));
        let stream = connecting
            .await
            .map_err(|error| Error::unavailable(error))?
            .map_err(|error| Error::unavailable(error))?;
        stream.set_nodelay(true).map_err(|error| Error::unavailable(error))?;
        Ok(BufStream::new(stream))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn exchange(connection: &mut Connection, line: &str, data: Option<&str>) -> Result<Reply> {
    let text = data.map_or_else(|| format!("{line}\r\n"), |data| format!("{line}\r\n{data}\r\n"));
    connection.write_all(text.as_bytes()).await.map_err(|error| Error::unavailable(error))?;
    connection.flush().await.map_err(|error| Error::unavailable(error))?;
    let mut head = String::new();
    let read = (&mut *connection)
        .take(LONGEST)
        .read_line(&mut head)
        .await
        .map_err(|error| Error::unavailable(error))?;
    if read == 0 {
        return Err(Error::unavailable("Memcached has closed the connection"));
    }
    let mut words = head.split_ascii_whitespace();
    match words.next() {
        Some("HD" | "MN") => Ok(Reply::Done),
        Some("EN" | "NF") => Ok(Reply::Absent),
        Some("EX" | "NS") => Ok(Reply::Outrun),
        Some("VA") => {
            let length: u64 = words.next().and_then(|length| length.parse().ok()).unwrap_or(u64::MAX);
            let version = words.find_map(|word| word.strip_prefix('c')?.parse().ok()).unwrap_or_default();
            Ok(Reply::Value(value(connection, length).await?, version))
        }
        _ => Ok(Reply::Refused(head.trim().to_owned())),
    }
}

/// A value and the end of its line.
async fn value(connection: &mut Connection, length: u64) -> Result<String> {
    let malformed = || Error::unavailable("Memcached sent a malformed value");
    let size = usize::try_from(length.min(LONGEST)).map_err(|_| malformed())?;
    let mut bytes = vec![0; size + 2];
    connection.read_exact(&mut bytes).await.map_err(|error| Error::unavailable(error))?;
    let text = bytes.strip_suffix(b"\r\n").ok_or_else(malformed)?;
    String::from_utf8(text.to_vec()).map_err(|_| malformed())
}
