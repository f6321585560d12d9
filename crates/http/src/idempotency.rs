//! `idempotency-key`: a retry of a tenant write gets the first response again, marked `idempotency-replayed`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, ETAG, LOCATION};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde::{Deserialize, Serialize};
use svc_core::{Cx, Digest, Error, OrInternal as _, Result, Seconds};
use svc_db::coordination::NODE_SKEW;
use svc_domain::coordination::idempotency::{self, Claim, Slot};
use svc_keys::{Purpose, Sealer, digest, sha256};

use crate::body;
use crate::context::TenantCx;
use crate::edge::during;
use crate::extract::normal_path;
use crate::render::{self, Problem, Scene};
use crate::route::Endpoint;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 255;
/// Headers that belong to the response's meaning; all others are made again.
const KEPT: [HeaderName; 3] = [CONTENT_TYPE, LOCATION, ETAG];

/// One call under a key.
struct Call {
    caller: TenantCx,
    tenant: String,
    name: String,
    route: String,
    key: Digest,
    body: Digest,
    sealer: Sealer,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// The request's key.
pub(crate) fn key_of(headers: &HeaderMap) -> Result<Option<String>> {
    let mut fields = headers.get_all(KEY).iter();
    let Some(field) = fields.next() else { return Ok(None) };
    let is_visible = |key: &&str| key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = field.to_str().ok().filter(|key| (1..=LONGEST_KEY).contains(&key.len())).filter(is_visible);
    match (key, fields.next()) {
        (Some(key), None) => Ok(Some(key.to_owned())),
        _ => Err(Error::bad_request("idempotency-key: one value of 1 to 255 visible ASCII characters")),
    }
}

/// Performs the call unless its key has been seen.
pub(crate) async fn once(
    caller: TenantCx,
    key: String,
    request: Request,
    endpoint: Endpoint,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let bytes = body::read(body).await?;
    let sealer = caller.app.services.sealers.of(caller.tenant.id, Purpose::Replies, &caller.cx).await?;
    let call = Call {
        tenant: caller.tenant.id.to_string(),
        name: format!("{} {}", caller.claims.client_id, caller.claims.sub),
        route: format!("{} {}", parts.method, normal_path(parts.uri.path())),
        key: digest(&key),
        body: digest_of(parts.uri.query(), &bytes),
        sealer,
        caller,
    };
    match call.claim().await? {
        Claim::First => {
            let request = Request::from_parts(parts, Body::from(bytes));
            // On its own task: a client that hangs up must not leave a finished operation without its record.
            let arrival = Arc::clone(&call.caller.arrival);
            let task = tokio::spawn(during(arrival, call.perform(request, endpoint)));
            Ok(task.await.or_internal()?)
        }
        Claim::Running => {
            Err(Error::conflict("idempotency-key: the first call with it is still running; ask again")
                .retry_after(1)
                .into())
        }
        Claim::OtherBody => {
            Err(Error::conflict("idempotency-key: this was used with another request; use a new one").into())
        }
        Claim::Done(kept) => Ok(call.replay(&kept)?),
    }
}

impl Call {
    async fn claim(&self) -> Result<Claim> {
        let mut tx = self.caller.begin().await?;
        let mut claim = idempotency::claim(&mut tx, self.cx(), &self.slot(), self.patience()).await?;
        if let Claim::Done(sealed) = &claim
            && self.opened(sealed).is_none()
        {
            tracing::warn!(
                request_id = self.cx().request_id,
                "a kept response does not open; the call is made again"
            );
            claim = idempotency::claim_again(&mut tx, self.cx(), &self.slot(), self.patience()).await?;
        }
        tx.commit().await?;
        Ok(claim)
    }

    async fn perform(self, request: Request, endpoint: Endpoint) -> Response {
        let app = self.caller.app.clone();
        let scene = Scene {
            types: &app.error_types,
            realm: &self.caller.tenant.issuer,
            request_id: &self.cx().request_id,
        };
        let response = render::finish(endpoint(request, app.clone()).await, &scene);
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        if let Err(error) = self.keep(&parts, &bytes).await {
            tracing::error!(request_id = self.cx().request_id, error = ?error, "a response was not kept for retries");
        }
        Response::from_parts(parts, Body::from(bytes))
    }

    async fn keep(&self, response: &Parts, bytes: &Bytes) -> Result<()> {
        let mut tx = self.caller.begin().await?;
        match self.sealed(response, bytes)? {
            Some(sealed) => idempotency::complete(&mut tx, self.cx(), &self.slot(), sealed).await?,
            None => idempotency::abandon(&mut tx, self.cx(), &self.slot()).await?,
        }
        tx.commit().await
    }

    /// What is stored; nothing for a failure of ours, and for a sign-in that is not enough: a retry may overcome both.
    fn sealed(&self, response: &Parts, bytes: &Bytes) -> Result<Option<Vec<u8>>> {
        let status = response.status;
        let Ok(body) = std::str::from_utf8(bytes) else { return Ok(None) };
        let is_passing = [StatusCode::TOO_MANY_REQUESTS, StatusCode::UNAUTHORIZED].contains(&status);
        if status.is_server_error() || is_passing {
            return Ok(None);
        }
        let text = |name: &HeaderName| {
            Some((name.to_string(), response.headers.get(name)?.to_str().ok()?.to_owned()))
        };
        let headers = KEPT.iter().filter_map(text).collect();
        let stored = Stored { status: status.as_u16(), headers, body: body.to_owned() };
        let plain = serde_json::to_vec(&stored).or_internal()?;
        self.sealer.seal(&self.context(), &plain, self.cx()).map(Some)
    }

    /// What was kept; nothing where the keyring is another one than when it was kept.
    fn opened(&self, sealed: &[u8]) -> Option<Stored> {
        let plain = self.sealer.open(&self.context(), sealed)?;
        serde_json::from_slice(&plain).ok()
    }

    fn replay(&self, sealed: &[u8]) -> Result<Response> {
        let stored = self.opened(sealed).ok_or_else(|| Error::internal("a kept response does not open"))?;
        let mut response = Response::new(Body::from(stored.body));
        *response.status_mut() = StatusCode::from_u16(stored.status).or_internal()?;
        for (name, value) in stored.headers {
            let name = HeaderName::try_from(name).or_internal()?;
            response.headers_mut().insert(name, HeaderValue::try_from(value).or_internal()?);
        }
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        Ok(response)
    }

    fn slot(&self) -> Slot<'_> {
        Slot { caller: &self.name, route: &self.route, key: self.key, body: self.body }
    }

    fn context(&self) -> [&str; 3] {
        [&self.tenant, &self.name, &self.route]
    }

    fn cx(&self) -> &Cx {
        &self.caller.cx
    }

    /// A little longer than any call may take, by the clock of any node.
    fn patience(&self) -> Seconds {
        let longest = self.caller.app.config.server.request_timeout_secs.0.max(30);
        Seconds(longest.saturating_add(NODE_SKEW.0 + 5))
    }
}

fn digest_of(query: Option<&str>, body: &[u8]) -> Digest {
    let mut text = query.unwrap_or_default().as_bytes().to_vec();
    text.push(b'\n');
    text.extend_from_slice(body);
    Digest(sha256(&text))
}
