//! One kept-alive connection of the load generator, its requests and replies.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, LOCATION, ORIGIN, SET_COOKIE};
use hyper::{Method, Request, StatusCode};
use serde_json::Value;

use super::wire::{Sender, Tls};
use crate::Result;

/// A connection that is opened again when the server has closed it.
pub struct Connection {
    port: u16,
    authority: String,
    tls: Option<Tls>,
    sender: Option<Sender>,
}

/// A request as the workloads state it.
#[derive(Default)]
pub struct Call<'a> {
    /// The path with its query.
    pub path: &'a str,
    /// A form to post; without one it is a GET.
    pub form: Option<String>,
    /// A JSON document and the method that it is sent with.
    pub json: Option<(Method, Value)>,
    /// The `authorization` header.
    pub authorization: Option<&'a str>,
    /// The proof that the sender holds a key.
    pub dpop: Option<String>,
    /// Cookies to send.
    pub jar: Option<&'a Jar>,
}

/// What came back, read to its end.
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Connection {
    /// A connection to a port of 127.0.0.1, opened at the first request.
    pub fn new(port: u16, authority: &str) -> Self {
        Self { port, authority: authority.to_owned(), tls: None, sender: None }
    }

    /// The same over TLS, where there is a configuration for it.
    pub fn secured(self, tls: Option<Tls>) -> Self {
        Self { tls, ..self }
    }

    /// Names another host in what follows; the connection stays.
    pub fn turn_to(&mut self, authority: String) {
        self.authority = authority;
    }

    /// Sends a request and reads the whole reply.
    pub async fn send(&mut self, call: &Call<'_>) -> Result<Reply> {
        let request = self.request(call)?;
        let sender = self.ready().await?;
        let (head, body) = sender.send(request).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(Reply { status: head.status, headers: head.headers, body })
    }

    fn request(&self, call: &Call<'_>) -> Result<Request<Full<Bytes>>> {
        let mut request = match &self.tls {
            None => Request::builder().uri(call.path).header(HOST, &self.authority),
            Some(_) => Request::builder().uri(format!("https://{}{}", self.authority, call.path)),
        };
        if let Some(authorization) = call.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        if let Some(proof) = &call.dpop {
            request = request.header("dpop", proof);
        }
        if let Some(jar) = call.jar.filter(|jar| !jar.0.is_empty()) {
            request = request.header(COOKIE, jar.header());
        }
        if let Some((method, json)) = &call.json {
            let request = request.method(method).header(CONTENT_TYPE, "application/json");
            return Ok(request.body(Full::from(json.to_string()))?);
        }
        let Some(form) = &call.form else { return Ok(request.body(Full::default())?) };
        let request = request.method(Method::POST).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        // Browsers name the page's origin with every form, and a careful server looks at it; applications do not.
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let origin = call.jar.map(|_| format!("{scheme}://{}", self.authority));
        let request = origin.into_iter().fold(request, |request, origin| request.header(ORIGIN, origin));
        Ok(request.body(Full::from(form.clone()))?)
    }

    async fn ready(&mut self) -> Result<&mut Sender> {
        let is_open = match &mut self.sender {
            Some(sender) => sender.is_ready().await,
            None => false,
        };
        if !is_open {
            self.sender = Some(Sender::connect(self.port, self.tls.as_ref()).await?);
        }
        self.sender.as_mut().ok_or_else(|| "no connection".into())
    }
}

impl Reply {
    /// The body as JSON, after the status was checked.
    pub fn json(&self, expected: StatusCode) -> Result<Value> {
        self.expect(expected)?;
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// Fails with the body's beginning when the status is another.
    pub fn expect(&self, expected: StatusCode) -> Result<()> {
        if self.status == expected {
            return Ok(());
        }
        let said: String = self.text().chars().take(300).collect();
        Err(format!("expected status {expected}, got {}: {said}", self.status).into())
    }

    /// Where a redirect points.
    pub fn location(&self) -> Option<&str> {
        self.headers.get(LOCATION).and_then(|value| value.to_str().ok())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Cookies by name: one host, so paths and domains do not matter.
#[derive(Clone, Default)]
pub struct Jar(Vec<(String, String)>);

impl Jar {
    /// Takes over what a reply sets or removes.
    pub fn keep(&mut self, reply: &Reply) {
        for line in reply.headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok()) {
            let Some((name, rest)) = line.split_once('=') else { continue };
            let value = rest.split(';').next().unwrap_or_default();
            self.0.retain(|(known, _)| known != name);
            let is_removed = value.is_empty() || rest.to_ascii_lowercase().contains("max-age=0");
            if !is_removed {
                self.0.push((name.to_owned(), value.to_owned()));
            }
        }
    }

    /// The same with another value of one cookie.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let others = self.0.iter().filter(|(known, _)| known != name).cloned();
        Self(others.chain([(name.to_owned(), value.to_owned())]).collect())
    }

    fn header(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }
}
