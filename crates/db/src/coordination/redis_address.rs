//! The address of a Redis: `redis://user:password@host:6379/0`, or `rediss://` with TLS.

use std::path::Path;

use redis::RedisConnectionInfo;
use rustls::pki_types::ServerName;
use svc_core::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use url::Url;

use crate::tls::{Checked, Files, Tls};

/// Where it is, and what is said to it first.
pub(super) struct Address {
    host: String,
    port: u16,
    tls: Option<(Tls, ServerName<'static>)>,
    session: RedisConnectionInfo,
}

/// A connection in clear or under TLS.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

impl Address {
    /// Reads an address. What is wrong with it is said without its password.
    pub(super) fn parse(text: &str, authorities: Option<&Path>) -> Result<Self> {
        let url = Url::parse(text).map_err(|_| malformed())?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(malformed)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let tls = match url.scheme() {
            "redis" => None,
            "rediss" => {
                let roots = authorities.map(|path| path.to_string_lossy().into_owned());
                let tls = Tls::new(Checked::AuthorityAndName, &Files { roots, ..Files::default() })?;
                Some((tls, ServerName::try_from(host.clone()).map_err(|_| malformed())?))
            }
            _ => return Err(malformed()),
        };
        let database = url.path().trim_matches('/');
        let database = if database.is_empty() { Ok(0) } else { database.parse() };
        let mut session = RedisConnectionInfo::default().set_db(database.map_err(|_| malformed())?);
        if !url.username().is_empty() {
            session = session.set_username(decoded(url.username())?);
        }
        if let Some(password) = url.password() {
            session = session.set_password(decoded(password)?);
        }
        Ok(Self { host, port: url.port().unwrap_or(6379), tls, session })
    }

    /// What a connection begins with.
    pub(super) fn session(&self) -> &RedisConnectionInfo {
        &self.session
    }

    /// Connects.
    pub(super) async fn stream(&self) -> Result<Box<dyn Stream>> {
        let stream = TcpStream::connect((self.host.as_str(), self.port))
            .await
            .map_err(|error| Error::unavailable(error))?;
        stream.set_nodelay(true).map_err(|error| Error::unavailable(error))?;
        match self.tls.clone() {
            Some((tls, name)) => {
                Ok(Box::new(tls.session(name, stream).await.map_err(|error| Error::unavailable(error))?))
            }
            None => Ok(Box::new(stream)),
        }
    }
}

fn decoded(text: &str) -> Result<String> {
    percent_encoding::percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| malformed())
}

#[track_caller]
fn malformed() -> Error {
    Error::bad_request("redis.url: write redis://user:password@host:port/database, or rediss:// with TLS")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_host_database_and_credentials() {
        let address = Address::parse("redis://svc:p%40ss@cache.internal/3", None).unwrap();
        assert_eq!((address.host.as_str(), address.port), ("cache.internal", 6379));
        let session = address.session();
        assert_eq!((session.username(), session.password(), session.db()), (Some("svc"), Some("p@ss"), 3));
        assert!(Address::parse("rediss://[::1]:7000", None).unwrap().tls.is_some());
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said_without_its_password() {
        for text in ["redis://:hunter2@", "http://:hunter2@cache", "redis://:hunter2@cache/first"] {
            let fault = Address::parse(text, None).err().unwrap().to_string();
            assert!(fault.contains("redis.url: write redis://") && !fault.contains("hunter2"), "{fault}");
        }
    }
}
