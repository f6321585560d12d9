//! The one client for every address that a tenant or client chooses: key sets, metadata, webhooks, logout notices.
//!
//! A request goes to a public host over https on port 443, to an address that was vetted after its name was resolved; it
//! follows no redirect, uses no proxy, and ends when its time or its bytes are used up.

mod address;
mod freshness;
pub(crate) mod names;
mod resolver;
mod retry_after;
#[cfg(test)]
mod tests;
mod tls;
pub(crate) mod trust;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use bytes::{Bytes, BytesMut};
use reqwest::{Client, RequestBuilder, Response, redirect, retry};
use rustls::RootCertStore;
use svc_config::{Config, Transport};
use svc_core::{Error, OrInternal as _, Result, Seconds, Timestamp};

use self::address::{Hosts, Reach};
use self::resolver::Vetted;
pub use self::tls::TlsPeer;
use crate::telemetry::{Called, TRACEPARENT, Telemetry};

/// Who chose an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChosenBy {
    /// The operator, in the configuration.
    Operator,
    /// A tenant or a client, in a record.
    Tenant,
}

/// Sends requests to addresses that others chose.
#[derive(Clone)]
pub struct Outbound {
    client: Client,
    roots: Arc<RootCertStore>,
    reach: Reach,
    telemetry: Telemetry,
}

/// What one exchange may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From looking up the name to the last byte of the answer.
    pub time: Seconds,
    /// Most bytes of the answer's body.
    pub bytes: usize,
}

/// What becomes of an answer that is longer than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excess {
    /// It is no usable answer.
    Refused,
    /// Its beginning is read, and the connection is closed.
    Cut,
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
    /// Whether it is the document that was asked for: other statuses, also those of success, bring none or another one.
    pub fn is_document(&self) -> bool {
        self.status == StatusCode::OK
    }

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
        let loopback = config.security.outbound_allow_loopback;
        Self::within(Reach { loopback, ..Reach::PUBLIC }, config, Version::HTTP_11)
    }

    /// A client for addresses of the configuration, which may be inside the operator's own network.
    pub fn to_chosen_by_operators(config: &Config) -> Result<Self> {
        Self::within(Reach::CHOSEN_BY_OPERATORS, config, Version::HTTP_11)
    }

    /// A client of the service itself, which takes nothing but HTTP/2 where it says so and clients connect directly.
    pub fn to_this_service(config: &Config) -> Result<Self> {
        let server = &config.server;
        let is_http2 = server.transport == Transport::TlsH2Only && server.direct_client_exposure;
        let version = if is_http2 { Version::HTTP_2 } else { Version::HTTP_11 };
        Self::within(Reach::CHOSEN_BY_OPERATORS, config, version)
    }

    fn within(reach: Reach, config: &Config, version: Version) -> Result<Self> {
        let further = config.server.tls.ca_pem_path.as_deref();
        let mut tls = trust::config(further)?;
        let speaking = if version == Version::HTTP_2 {
            tls.alpn_protocols = vec![b"h2".to_vec()];
            Client::builder().http2_prior_knowledge()
        } else {
            Client::builder().http1_only()
        };
        let client = speaking
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(Vetted(reach)))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .referer(false)
            // A proxy of the environment would hide the address from the rules.
            .no_proxy()
            .user_agent(concat!("svc/", env!("CARGO_PKG_VERSION")))
            .build()
            .or_internal()?;
        let roots = Arc::new(trust::roots(further)?);
        Ok(Self { client, roots, reach, telemetry: Telemetry::default() })
    }

    /// The same client, whose calls are spans.
    pub(crate) fn traced(self, telemetry: &Telemetry) -> Self {
        Self { telemetry: telemetry.clone(), ..self }
    }

    /// The same client for receivers of webhooks, whose ports the configuration may leave open.
    #[must_use]
    pub fn to_receivers(&self, config: &Config) -> Self {
        let any_port = config.security.webhook_allow_non_standard_ports;
        Self { reach: Reach { any_port, ..self.reach }, ..self.clone() }
    }

    /// The same client for what the operator chose and people's sign-ins rest on: in production over https, but for this machine.
    #[must_use]
    pub(crate) fn over_tls(&self, config: &Config) -> Self {
        let hosts = if config.security.production { Hosts::AnyOverTls } else { Hosts::Any };
        Self { reach: Reach { hosts, ..self.reach }, ..self.clone() }
    }

    /// Refuses, where it is registered, an address that will never be called. Its name is not looked up, so that the
    /// answer reveals nothing about our network.
    pub fn check(&self, url: &str) -> Result<()> {
        self.reach.url(url).map(|_| ()).ok_or_else(out_of_reach)
    }

    /// Fetches a document.
    pub async fn get(&self, url: &str, limits: Limits) -> Result<Fetched> {
        self.get_with(url, HeaderMap::new(), limits).await
    }

    /// Fetches a document with further headers.
    pub async fn get_with(&self, url: &str, headers: HeaderMap, limits: Limits) -> Result<Fetched> {
        self.send(Method::GET, url, (headers, None), (limits, Excess::Refused)).await
    }

    /// Sends `body`; `headers` say what it is.
    pub async fn post(&self, url: &str, headers: HeaderMap, body: Bytes, limits: Limits) -> Result<Fetched> {
        self.send(Method::POST, url, (headers, Some(body)), (limits, Excess::Refused)).await
    }

    /// Sends `body` to a receiver of whose answer the beginning is enough, however long it is.
    pub async fn post_reading_beginning(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
        limits: Limits,
    ) -> Result<Fetched> {
        self.send_reading_beginning(Method::POST, url, (headers, Some(body)), limits).await
    }

    /// The same by any method, with a body or without.
    pub async fn send_reading_beginning(
        &self,
        method: Method,
        url: &str,
        content: (HeaderMap, Option<Bytes>),
        limits: Limits,
    ) -> Result<Fetched> {
        self.send(method, url, content, (limits, Excess::Cut)).await
    }

    async fn send(
        &self,
        method: Method,
        url: &str,
        (headers, body): (HeaderMap, Option<Bytes>),
        limits: (Limits, Excess),
    ) -> Result<Fetched> {
        let url = self.reach.url(url).ok_or_else(out_of_reach)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let request = self.client.request(method.clone(), url).headers(headers);
        let request = match body {
            Some(body) => request.body(body),
            None => request,
        };
        self.traced_exchange(method, host, request, limits).await
    }

    async fn traced_exchange(
        &self,
        method: Method,
        host: String,
        request: RequestBuilder,
        limits: (Limits, Excess),
    ) -> Result<Fetched> {
        let entered = self.telemetry.call();
        let request = match entered.as_ref().and_then(|entered| entered.context().header()) {
            Some(traceparent) => request.header(TRACEPARENT, traceparent),
            None => request,
        };
        let started = Instant::now();
        let outcome = exchange(request, limits).await;
        let status = outcome.as_ref().ok().map(|fetched| fetched.status.as_u16());
        let called = Called { method, host, status, took: started.elapsed() };
        self.telemetry.called(entered.as_deref(), &called);
        outcome
    }
}

async fn exchange(request: RequestBuilder, (limits, excess): (Limits, Excess)) -> Result<Fetched> {
    let time = Duration::from_secs(u64::try_from(limits.time.0).unwrap_or_default());
    // Nothing is unpacked: a few compressed bytes could become any number.
    let request = request.header(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let whole = async {
        let response = request.send().await.map_err(|error| unreachable(error.without_url()))?;
        read(response, limits.bytes, excess).await
    };
    tokio::time::timeout(time, whole).await.unwrap_or_else(|elapsed| Err(unreachable(elapsed)))
}

async fn read(response: Response, most: usize, excess: Excess) -> Result<Fetched> {
    let (status, headers) = (response.status(), response.headers().clone());
    let is_packed = headers.get(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity");
    if is_packed && excess == Excess::Refused {
        return Err(unreachable("the answer is compressed although that was not offered"));
    }
    let body = if is_packed { Bytes::new() } else { body(response, most, excess).await? };
    let max_age = freshness::of(&headers);
    Ok(Fetched { status, headers, body, max_age })
}

async fn body(mut response: Response, most: usize, excess: Excess) -> Result<Bytes> {
    let mut body = BytesMut::new();
    loop {
        let chunk = match response.chunk().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            // The status has been said, and counts where the beginning is enough.
            Err(_) if excess == Excess::Cut => break,
            Err(error) => return Err(unreachable(error.without_url())),
        };
        let room = most - body.len();
        if chunk.len() > room && excess == Excess::Refused {
            return Err(unreachable("the answer is too long"));
        }
        body.extend(chunk.iter().take(room));
        if body.len() == most && excess == Excess::Cut {
            break;
        }
    }
    Ok(body.freeze())
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
