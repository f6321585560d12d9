//! The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2): proof first, then the matrix, then the pages.

mod checks;
mod matrix;
mod reply;
mod request;

use std::sync::Arc;

use svc_core::{Error, Result};
use svc_domain::apps::App;
use svc_http::{Form, HeaderMap, HostCx, OauthError, Params, Response, Route, Routes, Uri, see_other};

pub use self::checks::id_token_hint::ours as own_id_token;
pub use self::checks::scope::narrowed;
use self::matrix::{Asked, Endpoint};
pub use self::reply::{Redirectable, Reply, ResponseMode, with_query};
#[cfg(test)]
pub use self::request::Prompt;
pub use self::request::{AuthorizationRequest, Wish};
use crate::flow::Flow;
use crate::signin::Journey;
use crate::visit::{Visit, is_foreign};

const PATH: &str = "/oauth/authorize";
/// Longest address that a request sent by POST is moved to.
const LONGEST_ADDRESS: usize = 16 * 1024;

/// The authorization endpoint.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(PATH)
            .public("people come here to sign in", get)
            .summary("Authorization request")
            .tag("oauth"),
        Route::post(PATH)
            .public("people come here to sign in", post)
            .summary("Authorization request")
            .tag("oauth"),
    ])
}

async fn get(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let params = Params::parse(uri.query().unwrap_or_default());
    Ok(answer(visit, params).await)
}

async fn post(
    host: HostCx,
    headers: HeaderMap,
    uri: Uri,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let is_foreign = is_foreign(&headers, &host.tenant.issuer);
    let visit = Visit::new(host, &headers)?;
    let params = form.map_err(|OauthError(error)| error).and_then(|Form(body)| merged(uri.query(), body));
    if let (true, Ok(params)) = (is_foreign, &params)
        && let Some(address) = as_address(PATH, params)
    {
        // A browser sends no `SameSite=Lax` cookies with another site's form, but it does with the redirect after it.
        return Ok(see_other(&address));
    }
    Ok(answer(visit, params).await)
}

async fn answer(mut visit: Visit, params: Result<Params>) -> Response {
    let outcome = match params {
        Ok(params) => authorize(&mut visit, &params).await,
        Err(error) => Err(error),
    };
    visit.answer(outcome)
}

/// Until application and return address are proven an error becomes a page; from then on a redirect.
async fn authorize(visit: &mut Visit, params: &Params) -> Result<Response> {
    let app = application(visit, params).await?;
    let reply_to = Redirectable::prove(&app, params)?;
    match checked(visit, params, &app, reply_to.clone()).await? {
        Ok(request) => {
            visit.speak(request.ui_locales.as_deref())?;
            let flow = Flow::new(request, visit.cx().now);
            Journey::of(visit, flow).await?.resume().await
        }
        Err(refusal) => visit.reply(&reply_to.refuse(&visit.host.tenant.issuer, &refusal)),
    }
}

/// The application that asks: known and enabled.
async fn application(visit: &Visit, params: &Params) -> Result<Arc<App>> {
    let client_id = params.required("client_id")?;
    let host = &visit.host;
    let app = host.app.services.apps.find(host.tenant.id, client_id).await?;
    app.filter(|app| app.enabled)
        .ok_or_else(|| Error::invalid_request("client_id is not an application of this tenant"))
}

/// Runs the matrix; what it refuses, the application is told.
async fn checked(
    visit: &Visit,
    params: &Params,
    app: &App,
    reply_to: Redirectable,
) -> Result<Result<AuthorizationRequest>> {
    let (services, tenant) = (&visit.host.app.services, &*visit.host.tenant);
    let audience = checks::target::named(params, app, tenant);
    let api = services.apis.find(tenant.id, audience).await?;
    let ring = services.keys.ring();
    let asked = Asked { params, app, api: api.as_deref(), tenant, ring: &ring };
    let mut request = AuthorizationRequest::new(app.id, reply_to);
    Ok(matrix::check(Endpoint::Authorize, &asked, &mut request).map(|()| request))
}

/// The parameters of query and body together; none may be in both.
pub fn merged(query: Option<&str>, body: Params) -> Result<Params> {
    let Some(query) = query.filter(|query| !query.is_empty()) else { return Ok(body) };
    let query = Params::parse(query)?;
    if query.iter().any(|(name, _)| body.has(name)) {
        return Err(Error::invalid_request("a parameter occurs in both the query and the body"));
    }
    Ok(query.iter().chain(body.iter()).collect())
}

/// The same request as an address of ours, where it is short enough for one.
pub fn as_address(path: &str, params: &Params) -> Option<String> {
    let address = with_query(path, params.iter());
    (address.len() <= LONGEST_ADDRESS).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_in_query_and_body_is_refused() {
        let body = || Params::parse("client_id=b&state=x").unwrap();
        assert!(merged(Some("client_id=a"), body()).is_err());
        assert!(merged(Some("scope=a&scope=b"), body()).is_err());
        let both = merged(Some("scope=openid"), body()).unwrap();
        assert_eq!((both.one("scope"), both.one("client_id")), (Some("openid"), Some("b")));
        assert_eq!(merged(None, body()).unwrap(), body());
    }

    #[test]
    fn a_posted_request_says_the_same_as_an_address() {
        let params = Params::parse("state=a%20%26b&redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fx").unwrap();
        let address = as_address(PATH, &params).unwrap();
        assert_eq!(Params::parse(address.split_once('?').unwrap().1).unwrap(), params);
        assert!(as_address(PATH, &[("state", "x".repeat(20_000))].into_iter().collect()).is_none());
    }
}
