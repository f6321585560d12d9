//! The built-in application with which operators get their tokens, at the default tenant.

use svc_core::{Cx, Error, Result};
use svc_db::Tx;

use super::store::{self, Change, NewApp};
use super::{App, AuthMethod, Configuration, Kind};
use crate::apis::control_plane::{CONTROL_PLANE, READ, WRITE};
use crate::tenancy::tenants::Tenant;

/// Its handle, which no other application gets.
pub const HANDLE: &str = "control-plane";

/// Where its codes go: to a program on the operator's own machine, on any port (RFC 8252 §7.3).
pub const REDIRECT_URI: &str = "http://127.0.0.1/callback";

/// Makes it so, and returns it.
pub async fn ensure(tx: &mut Tx<svc_db::Tenant>, cx: &Cx) -> Result<App> {
    let configuration = configuration()?;
    let Some(present) = store::find_by_handle(tx, HANDLE).await? else {
        let new = NewApp { configuration: &configuration, secret: None };
        return store::insert(tx, cx, cx.id(), HANDLE, new).await;
    };
    let change = Change { configuration: &configuration, enabled: true };
    store::make_so(tx, cx, &present, change).await?;
    Ok(App { configuration, enabled: true, ..present })
}

/// Whether an application is this one.
pub fn is(app: &App) -> bool {
    app.handle == HANDLE
}

/// Refuses the control plane to any other application, and any other API to this one. `invalid_target`.
pub fn check_target(tenant: &Tenant, app: &App, audience: &str) -> Result<()> {
    let is_control_plane = tenant.stored_audience(audience) == CONTROL_PLANE;
    if is_control_plane == is(app) || audience == tenant.issuer {
        return Ok(());
    }
    Err(Error::invalid_target(if is_control_plane {
        "resource: the control plane is for the application `control-plane` alone"
    } else {
        "resource: the application `control-plane` is for the control plane alone"
    }))
}

/// Refuses to change this one: its redirect URIs decide who gets operators' codes.
pub(super) fn refuse(app: &App) -> Result<()> {
    if is(app) {
        return Err(Error::forbidden("the application of operators is kept by the service itself"));
    }
    Ok(())
}

/// No refresh tokens: an operator signs in for each token, or has a session that is young enough.
fn configuration() -> Result<Configuration> {
    Ok(Configuration {
        name: "Control plane".to_owned(),
        kind: Kind::Native,
        redirect_uris: vec![REDIRECT_URI.to_owned()],
        grant_types: vec!["authorization_code".to_owned()],
        token_endpoint_auth_method: AuthMethod::None,
        scope: format!("openid {READ} {WRITE}").parse()?,
        audience: Some(CONTROL_PLANE.to_owned()),
        first_party: true,
        ..Configuration::default()
    })
}
