use std::collections::VecDeque;
use std::marker::PhantomData;
use std::time::Duration;

use reqwest::{Method, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Client, Error, discovery, random_text};

const LARGEST_ANSWER: usize = 4 * 1024 * 1024;
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const ATTEMPTS: u32 = 4;

/// Where the access token of a call comes from.
pub enum TokenSource {
    /// A token, or an API key, that does not change.
    Static(String),
    /// Client credentials: this scope of this API, renewed half a minute before the token ends.
    Credentials(Box<Client>, String, Option<String>, tokio::sync::Mutex<Option<(String, i64)>>),
}

impl TokenSource {
    /// By client credentials.
    pub fn credentials(client: Client, scope: &str, resource: Option<&str>) -> Self {
        Self::Credentials(Box::new(client), scope.to_owned(), resource.map(str::to_owned), tokio::sync::Mutex::default())
    }

    async fn token(&self) -> Result<String, Error> {
        let (client, scope, resource, kept) = match self {
            Self::Static(token) => return Ok(token.clone()),
            Self::Credentials(client, scope, resource, kept) => (client, scope, resource, kept),
        };
        let mut kept = kept.lock().await;
        if let Some((token, ends)) = &*kept
            && crate::now() + 30 < *ends
        {
            return Ok(token.clone());
        }
        let tokens = client.client_credentials(scope, resource.as_deref()).await?;
        let ends = crate::now() + i64::try_from(tokens.expires_in).unwrap_or(0);
        *kept = Some((tokens.access_token.clone(), ends));
        Ok(tokens.access_token)
    }
}

/// Calls the management API of a tenant, as `docs/openapi.json` describes it.
pub struct Management {
    issuer: String,
    tokens: TokenSource,
    http: reqwest::Client,
}

/// One call.
#[derive(Clone, Debug, Default)]
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

impl Management {
    /// Calls the tenant of this issuer.
    pub fn new(issuer: &str, tokens: TokenSource) -> Result<Self, Error> {
        if !discovery::is_safe(issuer) {
            return Err(Error::local("the issuer is no https address"));
        }
        Ok(Self { issuer: issuer.trim_end_matches('/').to_owned(), tokens, http: discovery::http()? })
    }

    /// Sends a call, again where that is safe: it has no effect, or an idempotency key that the server keeps (not for PATCH).
    pub async fn send(&self, mut call: Call) -> Result<Value, Error> {
        if !call.path.starts_with('/') {
            return Err(Error::local("the path does not begin with a slash"));
        }
        let is_read = call.method.is_safe();
        if !is_read {
            call.idempotency_key.get_or_insert_with(random_text);
        }
        let is_repeatable = is_read || call.method != Method::PATCH;
        let mut attempt = 1;
        loop {
            let answer = self.attempt(&call).await;
            let wait = answer.as_ref().err().and_then(|error| pause(error, attempt));
            match wait.filter(|_| is_repeatable && attempt < ATTEMPTS) {
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

    /// The applications of the tenant.
    pub fn applications(&self) -> Resource<'_, Value> {
        self.resource("/api/v1/applications")
    }

    /// The people of the tenant.
    pub fn tenant_users(&self) -> Resource<'_, Value> {
        self.resource("/api/v1/tenant-users")
    }

    /// The organizations of the tenant.
    pub fn organizations(&self) -> Resource<'_, Value> {
        self.resource("/api/v1/organizations")
    }

    /// The webhooks of the tenant.
    pub fn webhooks(&self) -> Resource<'_, Value> {
        self.resource("/api/v1/webhooks")
    }

    async fn attempt(&self, call: &Call) -> Result<Value, Error> {
        let mut url = Url::parse(&format!("{}{}", self.issuer, call.path))
            .map_err(|_| Error::local("the path is malformed"))?;
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        let mut request = self.http.request(call.method.clone(), url).bearer_auth(self.tokens.token().await?);
        request = request.header("accept", "application/json");
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        if let Some(key) = &call.idempotency_key {
            request = request.header("idempotency-key", key);
        }
        if let Some(tag) = &call.if_match {
            request = request.header("if-match", tag);
        }
        let response = request.send().await.map_err(Error::unanswered)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = discovery::bounded(response, LARGEST_ANSWER).await?;
        match (status, body.is_empty()) {
            (200..=299, true) => Ok(Value::Null),
            (200..=299, false) => {
                serde_json::from_slice(&body).map_err(|_| Error::local("the answer is no JSON"))
            }
            _ => Err(Error::answered(status, &headers, &body, &self.issuer)),
        }
    }
}

/// How long to wait before the call is sent again, if that is worth it.
fn pause(error: &Error, attempt: u32) -> Option<Duration> {
    let asked = error.retry_after.unwrap_or_default();
    let backoff = Duration::from_millis(100 << attempt);
    match error.status {
        _ if asked > LONGEST_WAIT => None,
        0 if error.code == "unanswered" => Some(backoff),
        429 | 502 | 503 | 504 => Some(asked.max(backoff)),
        // The first call of this idempotency key is still running.
        409 if error.retry_after.is_some() => Some(asked),
        _ => None,
    }
}

/// A list that is read page by page, to its end or to the first error.
pub struct Pages<'a, T> {
    api: &'a Management,
    next: Option<Call>,
    ready: VecDeque<Value>,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Pages<'_, T> {
    /// The next record.
    pub async fn next(&mut self) -> Result<Option<T>, Error> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return serde_json::from_value(item).map(Some).map_err(|_| Error::local("a record is malformed"));
            }
            let Some(mut call) = self.next.take() else { return Ok(None) };
            let mut page = self.api.send(call.clone()).await?;
            if let Value::Array(items) = page["data"].take() {
                self.ready = items.into();
            }
            if let Some(cursor) = page["next_cursor"].as_str().filter(|cursor| !cursor.is_empty()) {
                let next = ("cursor".to_owned(), cursor.to_owned());
                if call.query.contains(&next) {
                    return Err(Error::local("the list repeats its cursor"));
                }
                call.query.retain(|(name, _)| name != "cursor");
                call.query.push(next);
                self.next = Some(call);
            }
        }
    }
}

/// Records of the management API, each of which has an id.
pub struct Resource<'a, T> {
    api: &'a Management,
    path: String,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: DeserializeOwned> Resource<'a, T> {
    /// The records that fit the filters.
    pub fn all(&self, filters: &[(&str, &str)]) -> Pages<'a, T> {
        self.api.list(&self.path, filters)
    }

    /// The record with this id.
    pub async fn find(&self, id: &str) -> Result<T, Error> {
        self.call(Method::GET, self.at(id)?, None, None).await
    }

    /// Makes a record.
    pub async fn create(&self, members: &impl Serialize, idempotency_key: Option<&str>) -> Result<T, Error> {
        self.call(Method::POST, self.path.clone(), Some(body(members)?), idempotency_key).await
    }

    /// Changes the members that are given (JSON Merge Patch, RFC 7396).
    pub async fn update(&self, id: &str, members: &impl Serialize) -> Result<T, Error> {
        self.call(Method::PATCH, self.at(id)?, Some(body(members)?), None).await
    }

    /// Takes the record away.
    pub async fn delete(&self, id: &str) -> Result<(), Error> {
        let call = Call { method: Method::DELETE, path: self.at(id)?, ..Call::default() };
        self.api.send(call).await.map(|_| ())
    }

    fn at(&self, id: &str) -> Result<String, Error> {
        let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        (is_plain && !id.is_empty()).then(|| format!("{}/{id}", self.path)).ok_or_else(|| Error::local("this is no id"))
    }

    async fn call(
        &self,
        method: Method,
        path: String,
        body: Option<Value>,
        idempotency_key: Option<&str>,
    ) -> Result<T, Error> {
        let idempotency_key = idempotency_key.map(str::to_owned);
        let answer = self.api.send(Call { method, path, body, idempotency_key, ..Call::default() }).await?;
        serde_json::from_value(answer).map_err(|_| Error::local("the record is malformed"))
    }
}

fn body(members: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(members).map_err(|_| Error::local("the members are no JSON"))
}
