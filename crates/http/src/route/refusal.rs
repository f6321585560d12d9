//! What the audit log says of a caller who was known, and refused by the access-token contract.
//!
//! Only of known ones: a caller without a valid token of the tenant could otherwise fill the log.

use serde_json::json;
use svc_core::{Actor, Result};
use svc_domain::log::{self, Action, Meaning};
use svc_domain::tokens::access_token::{Claims, SubjectType};

use crate::context::HostCx;
use crate::dpop::Covered;

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
