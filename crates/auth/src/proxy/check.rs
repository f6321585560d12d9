//! What proxies ask for each request: who sent it? (nginx `auth_request`, Caddy `forward_auth`, Traefik `forwardAuth`, Envoy
//! `ext_authz`).

use svc_core::{Error, OrInternal as _, Result};
use svc_http::{
    HeaderMap, HeaderName, HeaderValue, HostCx, IntoResponse, Params, Problem, QueryParams, Response, Route,
    Routes, StatusCode, Unguarded, header, see_other,
};

use super::paths::START;
use super::ticket::Ticket;
use super::{application, forwarded};
use crate::authorize::Reads;
use crate::hosted::with_query;

/// For proxies that take 401 for "not signed in" and redirect themselves.
const CHECK: &str = "/auth/proxy/check";
/// For proxies that pass any other answer than a success on to the browser.
const FORWARD: &str = "/auth/proxy/forward";
const WHY: &str =
    "trusted proxies ask; the answer follows from the cookie of the request that they ask about";

const READS: Reads<'_> = Reads { needed: &["client_id"], usual: &[], taken: &[] };

/// What a proxy learns of a request.
enum Standing {
    /// The request is of this subject.
    SignedIn(HeaderValue),
    /// The browser has not signed in; it does so here.
    Stranger(String),
}

/// Both ways to ask, by every method: some proxies ask with that of the request. The requests of people who signed in are as
/// many as the application has, and count for no limit.
pub fn routes() -> Routes {
    const OTHERS: [fn(&'static str) -> Unguarded; 4] = [Route::post, Route::put, Route::patch, Route::delete];
    let other_checks =
        OTHERS.map(|method| method(CHECK).public(WHY, check).counting_refusals().undocumented());
    let other_forwards =
        OTHERS.map(|method| method(FORWARD).public(WHY, forward).counting_refusals().undocumented());
    let asked = [
        documented(Route::get(CHECK).public(WHY, check)).summary("Check who sent a request"),
        documented(Route::get(FORWARD).public(WHY, forward))
            .summary("Check who sent a request, or redirect its browser to the sign-in")
            .redirects("The sign-in, where a browser opens a page."),
    ];
    Routes::new(asked.into_iter().chain(other_checks).chain(other_forwards))
}

fn documented(route: Route) -> Route {
    route
        .counting_refusals()
        .parameters(|| READS.parameters())
        .describe(
            "Reverse proxies of `server.trusted_proxies` ask here, with the cookies of the request and `X-Forwarded-Proto`, \
             `-Host`, `-Uri` and `-Method`; `client_id` in the query names the application. A success carries the subject in \
             the header `proxy.subject_header`.",
        )
        .returns_nothing(200)
        .returns_nothing(401)
}

/// 200, or 401 with the address of the sign-in in `Location`.
async fn check(
    host: HostCx,
    headers: HeaderMap,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    match standing(&host, &headers, &params).await? {
        Standing::SignedIn(subject) => Ok(signed_in(&host, subject)?),
        Standing::Stranger(url) => Ok(stranger(&host, &url)?),
    }
}

/// 200, or a redirect to the sign-in where a page is opened; what else has no session gets 401.
async fn forward(
    host: HostCx,
    headers: HeaderMap,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    match standing(&host, &headers, &params).await? {
        Standing::SignedIn(subject) => Ok(signed_in(&host, subject)?),
        Standing::Stranger(url) if forwarded::is_navigation(&headers)? => Ok(see_other(&url)),
        Standing::Stranger(url) => Ok(stranger(&host, &url)?),
    }
}

async fn standing(host: &HostCx, headers: &HeaderMap, params: &Params) -> Result<Standing> {
    let origin = forwarded::origin(host, headers)?;
    let app = application::named(host, params, &origin).await?;
    let client_id = app.client_id();
    let ticket = Ticket::of(host, headers, &origin).filter(|ticket| ticket.claims.client_id == client_id);
    let Some(Ticket { claims }) = ticket else {
        let fields = [("client_id", client_id.as_str()), ("to", forwarded::target(headers)?)];
        return Ok(Standing::Stranger(with_query(&format!("{origin}{START}"), fields)));
    };
    refuse_other_subject(&host.app.config.proxy.subject_header, headers, &claims.sub)?;
    Ok(Standing::SignedIn(HeaderValue::try_from(claims.sub).or_internal()?))
}

/// Refuses a request that claims to be another subject's by the header that the proxy is to set: whatever the proxy does with
/// it, the application does not see it. Programs behind CGI take `_` for `-`.
fn refuse_other_subject(name: &str, headers: &HeaderMap, subject: &str) -> Result<()> {
    let is_same = |sent: &HeaderName| sent.as_str().replace('_', "-").eq_ignore_ascii_case(name);
    let mut claimed = headers.iter().filter(|(sent, _)| is_same(sent));
    if claimed.any(|(_, value)| value.as_bytes() != subject.as_bytes()) {
        return Err(Error::forbidden(format!("{name}: only the proxy may set this header")));
    }
    Ok(())
}

fn signed_in(host: &HostCx, subject: HeaderValue) -> Result<Response> {
    let name = HeaderName::try_from(host.app.config.proxy.subject_header.as_str()).or_internal()?;
    Ok((StatusCode::OK, [(name, subject)]).into_response())
}

/// No document: proxies read the status and the address, and nginx sends its own page.
fn stranger(host: &HostCx, url: &str) -> Result<Response> {
    let challenge = format!("Session realm=\"{}\"", host.arrival.host);
    let headers = [
        (header::LOCATION, HeaderValue::try_from(url).or_internal()?),
        (header::WWW_AUTHENTICATE, HeaderValue::try_from(challenge).or_internal()?),
    ];
    Ok((StatusCode::UNAUTHORIZED, headers).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_names_another_subject_is_refused_however_it_is_written() {
        let judge = |fields: &[(&'static str, &'static str)]| {
            let pairs = fields.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            refuse_other_subject("X-Svc-Subject", &pairs.collect(), "ada")
        };
        assert!(judge(&[]).is_ok());
        assert!(judge(&[("x-svc-subject", "ada")]).is_ok());
        for name in ["x-svc-subject", "x_svc_subject", "x-svc_subject"] {
            assert!(judge(&[(name, "admin")]).is_err(), "{name}");
        }
        assert!(judge(&[("x-svc-subject", "ada"), ("x_svc_subject", "admin")]).is_err());
        assert!(judge(&[("x-svc-subject", "")]).is_err());
    }
}
