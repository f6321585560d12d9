//! The guard of the provisioning API: the directory of an organization, with a SCIM token (RFC 7644 §2).

use std::sync::Arc;

use axum::http::request::Parts;
use svc_core::{Actor, Error};
use svc_domain::organizations::Status;
use svc_domain::scim::tokens::{self, ScimToken};
use svc_keys::digest;

use crate::context::{HostCx, ScimCx};
use crate::credential::bearer;
use crate::render::{Problem, printable};
use crate::throttle;

/// Admits the bearer of a SCIM token; no other credential is one.
pub(super) async fn directory(host: HostCx, parts: &Parts) -> Result<ScimCx, Problem> {
    let sent = bearer(&parts.headers).map_err(|error| refused(&host, error, None))?;
    let mut tx = host.read().await?;
    let token = match sent.strip_prefix(tokens::PREFIX) {
        Some(_) => tokens::find_live(&mut tx, digest(sent), host.cx.now).await?,
        None => None,
    };
    let Some(token) = token else {
        let error = Error::unauthorized("the SCIM token is not valid or has expired");
        return Err(refused(&host, error, Some("invalid_token")));
    };
    let (organization, declared) = tokens::home(&mut tx, &token).await?;
    drop(tx);
    throttle::count_client(&host, &token.id.to_string())?;
    if organization.status != Status::Active {
        return Err(Error::forbidden("the organization is suspended").into());
    }
    if token.is_use_to_note(host.cx.now) {
        note(&host, &token).await?;
    }
    let cx = host.cx.acting_as(Actor::App(token.id.to_string()));
    if !parts.method.is_safe() {
        host.app.services.sealers.prepare(host.tenant.id, &cx).await;
    }
    let (tenant, app) = (host.tenant, host.app);
    let (token, organization) = (Arc::new(token), Arc::new(organization));
    Ok(ScimCx { cx, tenant, token, organization, schemas: declared.into(), app })
}

async fn note(host: &HostCx, token: &ScimToken) -> Result<(), Error> {
    let mut tx = host.begin().await?;
    tokens::note_use(&mut tx, &host.cx, token.id).await?;
    tx.commit().await
}

/// A refusal that says with what a SCIM client has to authenticate (RFC 6750 §3).
fn refused(host: &HostCx, error: Error, code: Option<&str>) -> Problem {
    let told = code
        .map(|code| format!(", error=\"{code}\", error_description=\"{}\"", printable(error.detail())))
        .unwrap_or_default();
    let challenge = format!("Bearer realm=\"{}\"{told}", host.tenant.issuer);
    Problem::from(error).challenge(&challenge)
}
