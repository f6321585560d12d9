//! For what a token may be had: an enabled API that the application may reach, and no scope that one of the parties lacks.

use std::sync::Arc;

use svc_core::{Error, OrganizationId, STANDARD_SCOPES, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apis::Api;

use crate::authorize::resource::other_forms;
use crate::token::grant::{Request, not_allowed, within};

/// What `resource` (RFC 8707) or `audience` (RFC 8693 §2.1) names; one token has one audience.
pub(crate) fn named<'a>(request: &Request<'a>) -> Result<Option<&'a str>, Error> {
    match (request.params.one("resource"), request.params.one("audience")) {
        (Some(resource), Some(audience)) if resource != audience => {
            Err(Error::invalid_target("resource, audience: name one API; one token is for one"))
        }
        (resource, audience) => Ok(resource.or(audience)),
    }
}

/// The API that is asked for, which is the one that an assertion is for, where it says so.
pub(crate) async fn api_of(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    only: Option<&str>,
) -> Result<Arc<Api>, Error> {
    let requested = named(request)?;
    let Some(only) = only else { return api(request, tx, requested).await };
    let meant = api(request, tx, Some(only)).await?;
    let Some(requested) = requested.filter(|requested| *requested != only) else { return Ok(meant) };
    if api(request, tx, Some(requested)).await?.identifier == meant.identifier {
        Ok(meant)
    } else {
        Err(Error::invalid_target("the assertion is for another resource"))
    }
}

/// The API that is asked for, if the application may reach it.
async fn api(request: &Request<'_>, tx: &mut Tx<Tenant>, wanted: Option<&str>) -> Result<Arc<Api>, Error> {
    let configuration = &request.app.configuration;
    let (tenant, named) = (&request.host.tenant, wanted.map(str::to_owned));
    let usual = configuration.audience.as_deref().map(|stored| tenant.audience_of(stored));
    let identifier = named.or_else(|| usual.clone());
    let identifier =
        identifier.ok_or_else(|| Error::invalid_target("resource: name the API that the token is for"))?;
    let api = find(request, tx, &identifier).await?;
    let may_reach = |api: &Arc<Api>| {
        usual.as_ref() == Some(&api.identifier) || !api.scope().intersect(&configuration.scope).is_empty()
    };
    api.filter(may_reach)
        .ok_or_else(|| Error::invalid_target("the application may not have tokens for this API"))
}

async fn find(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    identifier: &str,
) -> Result<Option<Arc<Api>>, Error> {
    let (apis, tenant) = (&request.host.app.services.apis, &request.host.tenant);
    let mut found = apis.find_in(tx, tenant, identifier).await?;
    for other in other_forms(identifier) {
        if found.is_some() {
            break;
        }
        found = apis.find_in(tx, tenant, &other).await?;
    }
    Ok(found)
}

/// Refuses an organization's issuer at our own APIs, which are about the tenant as a whole: a person's roles in the tenant open
/// them, and those are not the organization's to vouch for.
pub(crate) fn check_vouched(
    request: &Request<'_>,
    api: &Api,
    vouched_by: Option<OrganizationId>,
) -> Result<(), Error> {
    let tenant = &request.host.tenant;
    let ours = [tenant.api_audience(), tenant.control_plane_audience(), tenant.issuer.clone()];
    if vouched_by.is_some() && ours.contains(&api.identifier) {
        return Err(Error::invalid_target("the issuer of an organization is not trusted for this API"));
    }
    Ok(())
}

/// Refuses an API for which the issuer of what was presented is not trusted. `trusted` lists audiences as they are stored; where it is
/// empty, the issuer is trusted for every API.
pub(crate) fn check_trusted(
    request: &Request<'_>,
    api: &Api,
    (presented, trusted): (&str, &[String]),
) -> Result<(), Error> {
    let is_meant = |stored: &String| request.host.tenant.audience_of(stored) == api.identifier;
    if trusted.is_empty() || trusted.iter().any(is_meant) {
        return Ok(());
    }
    Err(Error::invalid_target(format!("the issuer of the {presented} is not trusted for this API")))
}

/// The scope of the new token: what is asked for, or everything, of what source, application, API and person allow.
pub(crate) fn scope(
    request: &Request<'_>,
    source: Option<&Scope>,
    api: &Api,
    roles: &[String],
) -> Result<Scope, Error> {
    let offline: Scope = ["offline_access"].into_iter().collect();
    let app = &request.app.configuration.scope;
    let allowed = app.intersect(&api.scope_for(roles).union(&offline));
    let allowed = source.map_or_else(|| allowed.clone(), |source| allowed.intersect(source));
    let Some(requested) = request.params.one("scope") else { return Ok(allowed.without("offline_access")) };
    let requested: Scope = requested.parse()?;
    // Scopes about identity do not pass from hand to hand.
    let personal = STANDARD_SCOPES.iter().filter(|token| **token != "offline_access");
    let requested = personal.fold(requested, |scope, personal| scope.without(personal));
    within(requested, &allowed)
}

/// Refuses a token that opens nothing at an API with scopes. What was presented is about another one then, and a resource server that looks at
/// the audience alone would take the token all the same.
pub(crate) fn must_open(api: &Api, presented: Option<&Scope>, scope: &Scope) -> Result<(), Error> {
    if presented.is_some() && opens_nothing(scope) && !api.scope().is_empty() {
        return Err(Error::invalid_target("what was presented has no scope of this API"));
    }
    Ok(())
}

/// Whether a scope has nothing that an API could go by.
fn opens_nothing(scope: &Scope) -> bool {
    scope.iter().all(|token| token == "offline_access")
}

/// Refuses a request of which nothing is left, where the API goes by scopes: the scopes about identity alone were asked for.
pub(crate) fn must_be_left(request: &Request<'_>, api: &Api, scope: &Scope) -> Result<(), Error> {
    let requested: Scope = request.params.one("scope").unwrap_or_default().parse()?;
    let refused = requested.iter().find(|token| *token != "offline_access");
    match refused.filter(|_| opens_nothing(scope) && !api.scope().is_empty()) {
        Some(token) => Err(not_allowed(token)),
        None => Ok(()),
    }
}

/// Refuses a token of another API at one of the service's own: a scope of the same name there is not what the person allowed.
pub(crate) fn check_ours(request: &Request<'_>, api: &Api, presented_for: Option<&str>) -> Result<(), Error> {
    let is_of_another = presented_for.is_some_and(|audience| audience != api.identifier);
    if is_of_another && request.host.tenant.keeps_api(&api.identifier) {
        return Err(Error::invalid_target(
            "the subject_token is for another API, and opens none of the service's own",
        ));
    }
    Ok(())
}
