//! The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2): proof first, then the matrix, then the pages.

mod assurance;
mod checks;
mod matrix;
mod pushed;
mod reply;
mod request;
mod request_object;

use std::sync::Arc;

use svc_core::{Class, Error, Result};
use svc_domain::apps::App;
use svc_http::{Form, HeaderMap, HostCx, OauthError, Params, Response, Route, Routes, Uri, see_other};

#[cfg(test)]
pub use self::assurance::Assurance;
pub use self::checks::id_token_hint::ours as own_id_token;
pub use self::checks::scope::narrowed;
use self::matrix::Asked;
pub use self::matrix::Endpoint;
pub use self::pushed::PREFIX as REFERENCE_PREFIX;
pub use self::reply::{Redirectable, Reply, ResponseMode, with_query};
pub use self::request::{AuthorizationRequest, Prompt, Wish};
pub use self::request_object::{parameters as object_parameters, unfolded, verified as verified_object};
use crate::authorization_details;
use crate::client_documents;
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
    let query = uri.query().unwrap_or_default();
    let params = Params::parse(query).or_else(|error| pushed::alone(query).ok_or(error));
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
    let arrived = match arrived(&visit.host, &app, params).await {
        Ok(arrived) => arrived,
        // What is unsigned may say where the refusal goes, as long as the address is the application's own.
        Err(error) => {
            let reply_to = Redirectable::prove(&app, params).ok().filter(|_| error.class().status() < 500);
            let reply_to = reply_to.filter(|_| error.class() != Class::InvalidRequestUri);
            let Some(reply_to) = reply_to else { return Err(error) };
            return visit.reply(&reply_to.refuse(&visit.host.tenant.issuer, &error));
        }
    };
    let reply_to = Redirectable::prove(&app, &arrived.params)?;
    match checked(&visit.host, &app, &arrived, reply_to.clone()).await? {
        Ok(request) => {
            visit.speak(request.ui_locales.as_deref())?;
            let flow = Flow::new(request, visit.cx().now);
            Journey::of(visit, flow).await?.resume().await
        }
        Err(refusal) => visit.reply(&reply_to.refuse(&visit.host.tenant.issuer, &refusal)),
    }
}

/// A request on its arrival, after whatever it was wrapped in.
pub struct Arrived {
    /// The parameters that count.
    pub params: Params,
    /// Where it came.
    pub endpoint: Endpoint,
    /// Under which reference it was pushed before.
    pub reference: Option<String>,
    /// The key that was proven when it was pushed.
    pub dpop_jkt: Option<String>,
}

async fn arrived(host: &HostCx, app: &App, params: &Params) -> Result<Arrived> {
    if let Some(reference) = pushed::reference(params) {
        return pushed::load(host, app, reference).await;
    }
    let params = unfolded(host, app, params).await?;
    Ok(Arrived { params, endpoint: Endpoint::Authorize, reference: None, dpop_jkt: None })
}

/// The application that asks: known and enabled.
async fn application(visit: &Visit, params: &Params) -> Result<Arc<App>> {
    let client_id = params.required("client_id")?;
    let host = &visit.host;
    let app = client_documents::find(host, client_id).await?;
    app.filter(|app| app.enabled)
        .ok_or_else(|| Error::invalid_request("client_id is not an application of this tenant"))
}

/// Runs the matrix; what it refuses, the application is told.
pub async fn checked(
    host: &HostCx,
    app: &App,
    arrived: &Arrived,
    reply_to: Redirectable,
) -> Result<Result<AuthorizationRequest>> {
    let (services, tenant, params) = (&host.app.services, &*host.tenant, &arrived.params);
    let audience = checks::target::named(params, app, tenant);
    let api = services.apis.find(tenant.id, audience).await?;
    let ring = services.keys.ring();
    let offers_details = authorization_details::is_enabled(host);
    let asked = Asked { params, app, api: api.as_deref(), tenant, ring: &ring, offers_details };
    let mut request = AuthorizationRequest::new(app.id, reply_to);
    let outcome = matrix::check(arrived.endpoint, &asked, &mut request);
    request.reference.clone_from(&arrived.reference);
    request.dpop_jkt = arrived.dpop_jkt.clone().or(request.dpop_jkt);
    Ok(outcome.map(|()| request))
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
