//! The checks of a request, with what they are held against.

use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_domain::apps::App;
use svc_http::{HostCx, Params};

use super::arrived::{Arrived, CheckInput};
use super::checks::id_token_hint::former_key;
use super::checks::target;
use super::reply::Redirectable;
use super::request::AuthorizationRequest;
use super::{details, matrix, resource};

/// Runs the matrix; a refusal is reported to the application.
pub async fn checked(
    host: &HostCx,
    app: &App,
    arrived: &Arrived,
    reply_to: Redirectable,
) -> Result<Result<AuthorizationRequest>> {
    let (services, tenant, params) = (&host.app.services, &*host.tenant, &arrived.params);
    if let Err(refused) = offered(host, app, params) {
        return Ok(Err(refused));
    }
    let audience = target::audience(resource::named(host, params).await?, app, tenant);
    let api = services.apis.find(tenant, &audience).await?;
    let known_scope = services.apis.scope(tenant).await?;
    let ring = services.keys.ring(tenant.id);
    // Boxed: every request would hold room for the rare one.
    let former = match params.one("id_token_hint") {
        Some(token) => Box::pin(former_key(host, &ring, token)).await?,
        None => None,
    };
    let offers_details = details::is_enabled(host, app);
    let input = CheckInput {
        params,
        app,
        audience: &audience,
        known_scope: &known_scope,
        api: api.as_deref(),
        tenant,
        ring: &ring,
        former: former.as_ref(),
        default_max_age: app
            .configuration
            .default_max_age
            .filter(|_| host.offers_to(app, &Capability::MAX_AGE)),
        default_acr_values: default_acr_values(host, app),
        offers_details,
        offers_signed_replies: host.offers_to(app, &Capability::JARM),
    };
    let mut request = AuthorizationRequest::new(app.id, reply_to);
    let outcome = matrix::check(arrived.endpoint, &input, &mut request);
    request.reference.clone_from(&arrived.reference);
    request.dpop_jkt = arrived.dpop_jkt.clone().or(request.dpop_jkt);
    Ok(outcome.map(|()| request))
}

/// What the application prefers where a request says nothing; nothing where a request could not say it.
fn default_acr_values<'a>(host: &HostCx, app: &'a App) -> &'a [String] {
    if host.offers_to(app, &Capability::ACR_VALUES) { &app.configuration.default_acr_values } else { &[] }
}

/// Refuses parameters of what the tenant or the application does not have.
fn offered(host: &HostCx, app: &App, params: &Params) -> Result<()> {
    let is_off = |capability: &&Capability| !host.offers_to(app, capability);
    for capability in Capability::ALL.iter().filter(is_off) {
        if let Some(name) = capability.parameters.iter().find(|name| params.one(name).is_some()) {
            return Err(Error::new(
                capability.refusal,
                format!("{name}: this parameter is not offered here"),
            ));
        }
    }
    Ok(())
}
