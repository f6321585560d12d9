//! The checks of a request, with what they are held against.

use svc_core::Result;
use svc_domain::apps::App;
use svc_http::HostCx;

use super::asked::{Arrived, Asked};
use super::checks::target;
use super::reply::Redirectable;
use super::request::AuthorizationRequest;
use super::{details, matrix};

/// Runs the matrix; what it refuses, the application is told.
pub async fn checked(
    host: &HostCx,
    app: &App,
    arrived: &Arrived,
    reply_to: Redirectable,
) -> Result<Result<AuthorizationRequest>> {
    let (services, tenant, params) = (&host.app.services, &*host.tenant, &arrived.params);
    let audience = target::named(params, app, tenant);
    let api = services.apis.find(tenant.id, audience).await?;
    let ring = services.keys.ring();
    let offers_details = details::is_enabled(host);
    let asked = Asked { params, app, api: api.as_deref(), tenant, ring: &ring, offers_details };
    let mut request = AuthorizationRequest::new(app.id, reply_to);
    let outcome = matrix::check(arrived.endpoint, &asked, &mut request);
    request.reference.clone_from(&arrived.reference);
    request.dpop_jkt = arrived.dpop_jkt.clone().or(request.dpop_jkt);
    Ok(outcome.map(|()| request))
}
