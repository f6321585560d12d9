//! The one client for every address that a tenant or client chooses: key sets, metadata, webhooks, logout notices.
//!
//! A request goes to a public host over https on port 443, to an address that was vetted after its name was resolved; it
//! follows no redirect, uses no proxy, and ends when its time or its bytes are used up.

mod address;
mod freshness;
mod resolver;
mod retry_after;
#[cfg(test)]
mod tests;
mod trust;

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use bytes::{Bytes, BytesMut};
use reqwest::{Client, RequestBuilder, Response, redirect, retry};
use svc_config::Config;
use svc_core::{Error, OrInternal as _, Result, Seconds, Timestamp};

use self::address::Reach;
use self::resolver::Vetted;

/// Sends requests to addresses that others chose.
#[derive(Clone)]
pub struct Outbound {
    client: Client,
    reach: Reach,
}

/// What one exchange may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From looking up the name to the last byte of the answer.
    pub time: Seconds,
    /// Most bytes of the answer's body.
    pub bytes: usize,
}

/// An answer, whatever its status; a redirect is one like any other.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// How long the answer may be kept, if it says so; 0 where it must not be.
    pub max_age: Option<Seconds>,
}

impl Fetched {
    /// How long the receiver asks to be left alone.
    pub fn retry_after(&self, now: Timestamp) -> Option<Seconds> {
        retry_after::of(&self.headers, now)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Seconds(5), bytes: 64 * 1024 }
    }
}

impl Outbound {
    /// A client under the rules of `config`.
    pub fn new(config: &Config) -> Result<Self> {
        let reach = Reach { loopback: config.security.outbound_allow_loopback };
        let client = Client::builder()
            .tls_backend_preconfigured(trust::config(config.server.tls.ca_pem_path.as_deref())?)
            .dns_resolver(Arc::new(Vetted(reach)))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            // A proxy of the environment would hide the address from the rules.
            .no_proxy()
            .http1_only()
            .user_agent(concat!("svc/", env!("CARGO_PKG_VERSION")))
            .build()
            .or_internal()?;
        Ok(Self { client, reach })
    }

    /// Refuses, where it is registered, an address that will never be called. Its name is not looked up, so that the
    /// answer reveals nothing about our network.
    pub fn check(&self, url: &str) -> Result<()> {
        self.reach.url(url).map(|_| ()).ok_or_else(out_of_reach)
    }

    /// Fetches a document.
    pub async fn get(&self, url: &str, limits: Limits) -> Result<Fetched> {
        let url = self.reach.url(url).ok_or_else(out_of_reach)?;
        exchange(self.client.get(url), limits).await
    }

    /// Sends `body`; `headers` say what it is.
    pub async fn post(&self, url: &str, headers: HeaderMap, body: Bytes, limits: Limits) -> Result<Fetched> {
        let url = self.reach.url(url).ok_or_else(out_of_reach)?;
        exchange(self.client.post(url).headers(headers).body(body), limits).await
    }
}

async fn exchange(request: RequestBuilder, limits: Limits) -> Result<Fetched> {
    let time = Duration::from_secs(u64::try_from(limits.time.0).unwrap_or_default());
    // Nothing is unpacked: a few compressed bytes could become any number.
    let request = request.header(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let whole = async {
        let response = request.send().await.map_err(|error| unreachable(error.without_url()))?;
        read(response, limits.bytes).await
    };
    tokio::time::timeout(time, whole).await.unwrap_or_else(|elapsed| Err(unreachable(elapsed)))
}

async fn read(mut response: Response, most: usize) -> Result<Fetched> {
    let (status, headers) = (response.status(), response.headers().clone());
    if headers.get(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return Err(unreachable("the answer is compressed although that was not offered"));
    }
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(error.without_url()))? {
        if body.len() + chunk.len() > most {
            return Err(unreachable("the answer is too long"));
        }
        body.extend_from_slice(&chunk);
    }
    let max_age = freshness::of(&headers);
    Ok(Fetched { status, headers, body: body.freeze(), max_age })
}

#[track_caller]
fn out_of_reach() -> Error {
    Error::invalid_request(
        "the address is not https on port 443 of a public host, without user name and fragment",
    )
}

/// One text for every failure, so that a caller cannot map our network by it; the log knows more.
#[track_caller]
fn unreachable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::invalid_request("the address gave no usable answer in time").caused_by(cause)
}
