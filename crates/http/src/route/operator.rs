//! The guard of the control plane: an operator of the deployment, who signed in not long ago, with a token that the built-in
//! application got at the default tenant.

use std::sync::Arc;

use axum::http::request::Parts;
use svc_core::{Actor, Error};
use svc_domain::apis::control_plane::{READ, WRITE};
use svc_domain::apps::control_plane;
use svc_domain::claims::assurance::Level;
use svc_domain::people::operators::{self, Role};
use svc_domain::tokens::access_token::{Claims, SubjectType};

use super::guard::{TokenRequirements, admit};
use super::step_up::{StepUp, check_age, sign_in_again};
use super::{Declared, refusal};
use crate::context::{HostCx, OperatorCx, TenantCx};
use crate::dpop::Covered;
use crate::render::Problem;
use crate::reply::Narrowed;

/// Admits an operator.
pub(super) async fn operator(
    host: HostCx,
    declared: &Declared,
    least: Role,
    parts: &Parts,
) -> Result<OperatorCx, Problem> {
    let scope = if parts.method.is_safe() { READ } else { WRITE };
    let asked = TokenRequirements {
        audience: host.tenant.control_plane_audience(),
        scope,
        former_scope: None,
        subject_types: &[SubjectType::Human],
        accepts_delegation: false,
        tenant: &host.tenant,
    };
    let covered = Covered { headers: &parts.headers, method: &parts.method, path: parts.uri.path() };
    let claims = admit(&host, &asked, &covered).await?;
    if let Err(error) = check_role(&host, &claims, least).await {
        refusal::record(&host, scope, &covered, &claims).await?;
        return Err(error.into());
    }
    check_age(&host, &covered, (&claims, host.app.config.admin.session_lifetime_secs))?;
    check_strength(&host, &covered, &claims)?;
    let cx = host.cx.acting_as(Actor::Operator(claims.sub.clone()));
    if !parts.method.is_safe() {
        host.app.services.sealers.prepare(host.tenant.id, &cx).await;
    }
    let HostCx { tenant, app, arrival, .. } = host;
    let narrowed = Narrowed::of(&parts.uri);
    Ok(OperatorCx(TenantCx {
        cx,
        tenant,
        claims: Arc::new(claims),
        app,
        route: declared.path,
        narrowed,
        arrival,
    }))
}

/// Refuses a caller who is no operator, or may not go so far.
async fn check_role(host: &HostCx, claims: &Claims, least: Role) -> Result<(), Error> {
    let role = role_of(host, claims).await?;
    let role = role.ok_or_else(|| Error::forbidden("the caller is not an operator of this deployment"))?;
    if role < least {
        return Err(Error::forbidden(format!(
            "role: this needs an operator who is `{least}`, and the caller is `{role}`; an administrator gives another role by \
             `PUT /api/v1/control-plane/operators/{{id}}`"
        )));
    }
    Ok(())
}

/// The account is asked at each call: who is an operator no more, or may go less far, is refused at once, on every node.
async fn role_of(host: &HostCx, claims: &Claims) -> Result<Option<Role>, Error> {
    let app = host.app.services.apps.find(host.tenant.id, &claims.client_id).await?;
    if !app.is_some_and(|app| control_plane::is(&app)) {
        return Ok(None);
    }
    operators::role_of(&mut host.read().await?, &claims.sub).await
}

/// Refuses a sign-in without a second factor where operators need one (RFC 9470 §3).
fn check_strength(host: &HostCx, covered: &Covered<'_>, claims: &Claims) -> Result<(), Problem> {
    let reached = claims.acr.as_deref().and_then(Level::of);
    if !host.app.config.admin.second_factor_required || reached >= Some(Level::Aal2) {
        return Ok(());
    }
    let error = Error::unauthorized("operators need a second factor; sign in with one");
    Err(sign_in_again(host, covered, error, StepUp::To(Level::Aal2)))
}
