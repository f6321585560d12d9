//! The management API of a tenant, as `docs/openapi.json` describes it.

mod generated;
mod pages;
mod resource;
mod token;

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use reqwest::{Method, RequestBuilder, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::pages::Pages;
pub use self::resource::Resource;
pub use self::token::TokenSource;
use crate::sending::Sender;
use crate::{Error, Http, discovery, random_text};

/// What a page of 200 large records may take.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;
const CONFIDED: [&str; 3] = ["secret", "password", "token"];

/// A body and its ETag.
type Answered = Result<(Value, Option<String>), Error>;

/// Calls the management API of a tenant, as `docs/openapi.json` describes it.
pub struct Management {
    issuer: String,
    tokens: TokenSource,
    http: Sender,
    attempts: u32,
    longest_wait: Duration,
}

/// One call.
#[derive(Clone, Default)]
pub struct Call {
    /// The method; GET unless given.
    pub method: Method,
    /// The path, from its slash on.
    pub path: String,
    /// The parameters of the query.
    pub query: Vec<(String, String)>,
    /// The body.
    pub body: Option<Value>,
    /// The key of a write; a fresh one unless given.
    pub idempotency_key: Option<String>,
    /// The ETag that the record has to have.
    pub if_match: Option<String>,
}

impl Call {
    /// Whether it may be sent again although it may have come through: POST and PATCH outside of `/api/v1/`, such as those of SCIM, have
    /// no idempotency keys.
    fn is_repeatable(&self) -> bool {
        ![Method::POST, Method::PATCH].contains(&self.method) || self.path.starts_with("/api/v1/")
    }

    /// That of the body: of a change by RFC 7396, members that are absent stay and null removes.
    fn media_type(&self) -> &'static str {
        if self.path.starts_with("/scim/") {
            "application/scim+json"
        } else if self.method == Method::PATCH {
            "application/merge-patch+json"
        } else {
            "application/json"
        }
    }

    /// The texts of the body that no error repeats, by the names of their members.
    fn confided(&self) -> Vec<&str> {
        let is_confided = |name: &str| name.split('_').any(|part| CONFIDED.contains(&part));
        let members = self.body.as_ref().and_then(Value::as_object).into_iter().flatten();
        members.filter(|(name, _)| is_confided(name)).filter_map(|(_, member)| member.as_str()).collect()
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} {}]", self.method, self.path)
    }
}

impl fmt::Debug for Management {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[management of {}]", self.issuer)
    }
}

impl Management {
    /// Calls the tenant of this issuer; [`crate::tenant_issuer`] makes that of another.
    pub fn new(issuer: &str, tokens: TokenSource) -> Result<Self, Error> {
        Self::with_http(issuer, tokens, &Http::default())
    }

    /// The same by another client, or with other limits. Tokens by client credentials are asked for as their client was made.
    pub fn with_http(issuer: &str, tokens: TokenSource, http: &Http) -> Result<Self, Error> {
        if !discovery::is_safe(issuer) {
            return Err(Error::local("the issuer is no https address").of(issuer));
        }
        let issuer = issuer.trim_end_matches('/').to_owned();
        let Http { attempts, longest_wait, .. } = *http;
        Ok(Self { issuer, tokens, http: http.sender()?, attempts, longest_wait })
    }

    /// Sends a call, again where that is safe: where the server did nothing (429), where the method has the same effect twice, and where
    /// the server knows the repetition by its idempotency key, which it does below `/api/v1/`. So it is with a token by client credentials
    /// that is refused: it is dropped, and the call sent once more with another one.
    pub async fn send(&self, call: Call) -> Result<Value, Error> {
        self.send_tagged(call).await.map(|(body, _)| body)
    }

    /// The same, with the `ETag` of the answer, which `Call::if_match` of a later call takes.
    pub async fn send_tagged(&self, mut call: Call) -> Result<(Value, Option<String>), Error> {
        if !is_path(&call.path) {
            let wrong = "the path does not begin with a slash, has a query or leads elsewhere";
            return Err(Error::local(wrong).of(&self.issuer));
        }
        if !call.method.is_safe() {
            call.idempotency_key.get_or_insert_with(random_text);
        }
        let (mut attempt, mut is_renewed) = (1, false);
        loop {
            let token = self.tokens.token().await;
            let answer = match &token {
                Ok(token) => self.attempt(&call, token).await,
                Err(error) => Err(error.clone()),
            };
            if !is_renewed && self.forgets(&token, &answer).await {
                is_renewed = true;
                if attempt < self.attempts && call.is_repeatable() {
                    attempt += 1;
                    continue;
                }
            }
            let wait = answer.as_ref().err().and_then(|error| self.pause(&call, error, attempt));
            match wait.filter(|_| attempt < self.attempts) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return answer,
            }
            attempt += 1;
        }
    }

    /// A list, read page by page.
    pub fn list<T: DeserializeOwned>(&self, path: &str, query: &[(&str, &str)]) -> Pages<'_, T> {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let next = Some(Call { path: path.to_owned(), query, ..Call::default() });
        Pages { api: self, next, ready: VecDeque::new(), of: PhantomData }
    }

    /// The records at a path, read and written as `T`.
    pub fn resource<T>(&self, path: &str) -> Resource<'_, T> {
        Resource { api: self, path: path.to_owned(), of: PhantomData }
    }

    /// The records at a path below `/api/v1`. An id that leads elsewhere makes a path that no call takes.
    fn below<T>(&self, parts: &[&str]) -> Resource<'_, T> {
        let is_plain = parts.iter().all(|part| resource::is_plain(part));
        self.resource(&if is_plain { format!("/api/v1/{}", parts.join("/")) } else { String::new() })
    }

    /// Drops the token of a call that was refused, and says whether another one may pass.
    async fn forgets(&self, token: &Result<String, Error>, answer: &Answered) -> bool {
        let (Ok(token), Err(error)) = (token, answer) else { return false };
        // The token is not what is wrong where it is the proof.
        let is_proof = ["invalid_dpop_proof", "use_dpop_nonce"].contains(&error.code.as_str());
        error.status == 401 && !is_proof && self.tokens.forget(token).await
    }

    /// How long to wait before the call is sent again, if that is worth it.
    fn pause(&self, call: &Call, error: &Error, attempt: u32) -> Option<Duration> {
        let asked = error.retry_after.unwrap_or_default();
        let backoff = backoff(attempt);
        match error.status {
            _ if asked > self.longest_wait => None,
            429 => Some(asked.max(backoff)),
            0 if error.code == "unanswered" && call.is_repeatable() => Some(backoff),
            502..=504 if call.is_repeatable() => Some(asked.max(backoff)),
            // The first call of this idempotency key is still running.
            409 if error.retry_after.is_some() => Some(asked),
            _ => None,
        }
    }

    /// Once more where the server asks for a nonce in the proof (RFC 9449 §9).
    async fn attempt(&self, call: &Call, token: &str) -> Answered {
        let answer = self.attempt_once(call, token).await;
        match (answer, self.tokens.prover()) {
            (Err(error), Some(prover)) if prover.wants_nonce(&error) => self.attempt_once(call, token).await,
            (answer, _) => answer,
        }
    }

    async fn attempt_once(&self, call: &Call, token: &str) -> Answered {
        let request = self.request(call, token).await?;
        let response = self.http.send(request).await.map_err(|error| error.of(&self.issuer))?;
        let (status, headers) = (response.status(), response.headers().clone());
        if let Some(prover) = self.tokens.prover() {
            prover.keep_nonce(&headers).await;
        }
        let body =
            discovery::bounded(response, LARGEST_ANSWER).await.map_err(|error| error.of(&self.issuer))?;
        if !status.is_success() {
            let error = Error::answered(status.as_u16(), &headers, &body, &self.issuer);
            return Err(error.without(&[token]).without(&call.confided()));
        }
        let etag = headers.get("etag").and_then(|etag| etag.to_str().ok()).map(str::to_owned);
        if body.is_empty() {
            return Ok((Value::Null, etag));
        }
        let body = serde_json::from_slice(&body).map_err(|_| {
            Error::invalid_answer("the answer is no JSON")
                .in_answer(status.as_u16(), &headers)
                .of(&self.issuer)
        });
        Ok((body?, etag))
    }

    async fn request(&self, call: &Call, token: &str) -> Result<RequestBuilder, Error> {
        let url = Url::parse(&format!("{}{}", self.issuer, call.path));
        let mut url = url.map_err(|_| Error::local("the path is malformed").of(&self.issuer))?;
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        let request =
            self.http.request(call.method.clone(), url.as_str()).header("accept", "application/json");
        let mut request = match self.tokens.prover() {
            Some(prover) => prover.bound(request, &call.method, url.as_str(), token).await?,
            None => request.bearer_auth(token),
        };
        if let Some(body) = &call.body {
            request = request.header("content-type", call.media_type()).body(body.to_string());
        }
        let own = [("idempotency-key", &call.idempotency_key), ("if-match", &call.if_match)];
        for (name, value) in own {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        Ok(request)
    }
}

/// Whether a path begins with a slash, has no query and leads nowhere else.
fn is_path(path: &str) -> bool {
    let is_foreign = |letter: char| "?#\\".contains(letter) || letter.is_whitespace() || letter.is_control();
    path.starts_with('/') && !path.contains(is_foreign) && !path.split('/').any(is_dots)
}

/// Whether a part of a path is dots, in one of the spellings that a parser of addresses takes for them (WHATWG URL §4.1).
fn is_dots(part: &str) -> bool {
    [".", ".."].contains(&part.to_ascii_lowercase().replace("%2e", ".").as_str())
}

/// A time that grows with every attempt, and differs between callers whose calls have failed together.
fn backoff(attempt: u32) -> Duration {
    let least: u64 = 100 << attempt.min(7);
    let mut random = [0_u8];
    // Without a random number they wait alike.
    let _ = aws_lc_rs::rand::fill(&mut random);
    let [part] = random;
    Duration::from_millis(least + least * u64::from(part) / 256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_with_the_attempts_to_a_bound_and_are_not_all_alike() {
        for (attempt, least) in [(1, 200), (2, 400), (3, 800), (7, 12_800), (u32::MAX, 12_800)] {
            let all: std::collections::BTreeSet<_> = (0..100).map(|_| backoff(attempt)).collect();
            let bounds = Duration::from_millis(least)..Duration::from_millis(2 * least);
            assert!(all.len() > 1 && all.iter().all(|wait| bounds.contains(wait)), "{attempt}: {all:?}");
        }
    }
}
