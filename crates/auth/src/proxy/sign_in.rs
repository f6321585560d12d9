//! Sign-in at a host behind a proxy: the authorization code flow (RFC 6749 §4.1, RFC 7636) with this service as the client.
//!
//! What the browser carries meanwhile is the `state`: sealed, and bound to a cookie of that host.

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, Result, Seconds, Timestamp};
use svc_http::{
    HeaderMap, HostCx, IntoResponse, Params, Problem, QueryParams, Response, Route, Routes, Visitor as _,
    see_other,
};
use svc_keys::{pkce, token};

use super::paths::{CALLBACK, START};
use super::ticket::Ticket;
use super::{application, forwarded};
use crate::hosted::{Carried, Visit, with_query};
use crate::token::redeemed;

const WHY: &str = "people come here to sign in at a host behind a proxy";

/// A sign-in that is under way.
#[derive(Serialize, Deserialize)]
struct UnderWay {
    app: AppId,
    origin: String,
    /// The path with its query that was asked for.
    to: String,
    code_verifier: String,
}

impl Carried for UnderWay {
    const LABEL: &'static str = "proxy sign-in";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }
}

/// The two ends of the flow.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(START).public(WHY, start).undocumented(),
        Route::get(CALLBACK).public(WHY, callback).undocumented(),
    ])
}

async fn start(
    host: HostCx,
    headers: HeaderMap,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    let origin = forwarded::origin(&host, &headers)?;
    let app = application::named(&host, &params, &origin).await?;
    let visit = Visit::of(host, &headers, None)?;
    let redirect_uri = format!("{origin}{CALLBACK}");
    let code_verifier = token(&*visit.cx().entropy);
    let challenge = pkce::s256(&code_verifier);
    let to = forwarded::local(params.one("to").unwrap_or_default()).to_owned();
    let state = visit.seal(&UnderWay { app: app.id, origin, to, code_verifier })?;
    let endpoint = format!("{}/oauth/authorize", visit.host.origin());
    let url = with_query(
        &endpoint,
        [
            ("response_type", "code"),
            ("response_mode", "query"),
            ("client_id", &app.client_id()),
            ("redirect_uri", &redirect_uri),
            ("scope", "openid"),
            ("state", &state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ],
    );
    Ok((visit.browser.introduce()?, see_other(&url)).into_response())
}

async fn callback(
    host: HostCx,
    headers: HeaderMap,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    let origin = forwarded::origin(&host, &headers)?;
    let visit = Visit::of(host, &headers, None)?;
    let under_way: UnderWay = visit.open(params.one("state"))?;
    if under_way.origin != origin {
        return Err(Error::forbidden("this sign-in was begun at another host; start again").into());
    }
    let code = returned(&visit, &params)?;
    let host = &visit.host;
    let app = application::of(host, &under_way.app.to_string(), &origin).await?;
    let redirect_uri = format!("{origin}{CALLBACK}");
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", &redirect_uri),
        ("code_verifier", &under_way.code_verifier),
    ];
    let lifetime = host.app.config.proxy.session_lifetime_secs;
    let claims = redeemed(host, &app, &form.into_iter().collect(), lifetime).await?;
    if claims.act.is_some() {
        // What stands behind the proxy learns of a subject alone, and would take the staff member for the person.
        return Err(Error::forbidden(
            "support staff who act for a person have no access here; end that first",
        )
        .into());
    }
    let back = format!("{origin}{}", under_way.to);
    Ok((Ticket::at(host, origin, claims).cookie(host)?, see_other(&back)).into_response())
}

/// The code that the authorization endpoint sent back (RFC 6749 §4.1.2, RFC 9207).
fn returned<'a>(visit: &Visit, params: &'a Params) -> Result<&'a str> {
    if params.one("iss").is_some_and(|issuer| issuer != visit.host.tenant.issuer) {
        return Err(Error::forbidden("iss: this answer is of another issuer"));
    }
    match params.one("error") {
        Some("access_denied") => {
            Err(Error::forbidden("the application was not allowed; open its page to decide again"))
        }
        Some(_) => Err(Error::forbidden("the sign-in was not completed; open the page again")),
        None => params.required("code"),
    }
}
