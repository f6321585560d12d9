//! What the audit log says of a caller who was known, and refused by the access-token contract, or because the request would have given
//! what the caller does not hold.
//!
//! Only of known ones: a caller without a valid token of the tenant could otherwise fill the log.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use svc_core::{Actor, Result};
use svc_domain::log::{self, Action, Meaning};
use svc_domain::tokens::access_token::{Claims, SubjectType};

use super::Endpoint;
use crate::app::App;
use crate::context::{HostCx, TenantCx};
use crate::dpop::Covered;
use crate::render::{self, Problem};

/// The scope of those who may give what they do not hold.
pub const GRANT: &str = "privileges:grant";
/// Most characters that an entry has of why a request was refused: a body may ask for thousands of things.
const MOST_CAUSE: usize = 500;

/// Who acts with an access token.
pub(super) fn actor_of(claims: &Claims) -> Actor {
    let act = claims.act.as_ref().map(ToString::to_string);
    // What was done with a person's key is distinguished from what the person did.
    if let Some(key) = claims.api_key() {
        return Actor::ApiKey { id: key.to_string(), organization: claims.confined_to(), act };
    }
    if let Some(act) = act {
        return Actor::Delegated { sub: claims.sub.clone(), act };
    }
    match claims.subject_type {
        SubjectType::System => Actor::App(claims.client_id.clone()),
        _ => Actor::User(claims.sub.clone()),
    }
}

/// Records that a call was refused for want of `scope`, or because of who called.
pub(super) async fn record(host: &HostCx, scope: &str, covered: &Covered<'_>, claims: &Claims) -> Result<()> {
    let facts = json!({ "method": covered.method.as_str(), "subject_type": claims.subject_type });
    let cx = host.cx.acting_as(actor_of(claims));
    let mut tx = host.begin().await?;
    log::record(&mut tx, &cx, Meaning::denied(Action::AccessRefused, scope).with(facts));
    tx.commit().await
}

/// The endpoint of a change, whose handler alone can tell that it would give more than the caller holds.
pub(super) fn recorded_by(endpoint: Endpoint) -> Endpoint {
    Arc::new(move |request, app| Box::pin(answered(Arc::clone(&endpoint), request, app)))
}

/// The answer, whose refusal is recorded after the transaction of the handler has ended.
async fn answered(endpoint: Endpoint, request: Request, app: App) -> Response {
    let method = request.method().clone();
    let caller = request.extensions().get::<TenantCx>().cloned();
    let answer = endpoint(request, app).await;
    let (Some(caller), Some(refused)) = (caller, render::lack_of_scope(&answer)) else { return answer };
    match record_gift(&caller, &method, refused.detail()).await {
        Ok(()) => answer,
        Err(error) => Problem::from(error).into_response(),
    }
}

async fn record_gift(caller: &TenantCx, method: &Method, cause: &str) -> Result<()> {
    let cause: String = cause.chars().take(MOST_CAUSE).collect();
    let facts =
        json!({ "method": method.as_str(), "subject_type": caller.claims.subject_type, "cause": cause });
    let mut tx = caller.begin().await?;
    log::record(&mut tx, &caller.cx, Meaning::denied(Action::AccessRefused, GRANT).with(facts));
    tx.commit().await
}
