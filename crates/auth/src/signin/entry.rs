//! The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2): proof first, then the matrix, then the pages.

use std::sync::Arc;

use svc_core::{Class, Digest, Error, Result};
use svc_domain::apps::App;
use svc_domain::grants::par::{self, Pushed};
use svc_domain::people::sessions::{self, Session};
use svc_http::{
    FormText, HeaderMap, HostCx, IntoResponse as _, Method, OauthError, Params, Response, Route, Routes,
    StatusCode, Uri, Visitor as _,
};
use svc_keys::digest;

use super::flow::Flow;
use super::journey::Journey;
use super::leaving;
use crate::authorize::{
    Arrived, Endpoint, PARAMETERS, Prompt, Reads, Redirectable, checked, pushed, unfolded,
};
use crate::hosted::paths::CONTINUE;
use crate::hosted::{Visit, merged, redirected};
use crate::register::document;

const PATH: &str = "/oauth/authorize";
const WHY: &str = "people come here to sign in";
/// A signed or a pushed request says everything else elsewhere.
const READS: Reads<'_> = Reads {
    needed: &["client_id"],
    usual: &[
        "response_type",
        "redirect_uri",
        "scope",
        "state",
        "nonce",
        "code_challenge",
        "code_challenge_method",
    ],
    taken: &[PARAMETERS, &["request", "request_uri"]],
};

/// The authorization endpoint.
pub fn routes() -> Routes {
    Routes::new([
        documented(Route::get(PATH).public(WHY, get)).parameters(|| READS.parameters()),
        documented(Route::post(PATH).public(WHY, post))
            .forms(|| vec![READS.form("AuthorizationRequest", "What the application asks for.")]),
    ])
}

fn documented(route: Route) -> Route {
    route
        .at_issuer()
        .summary("Authorization request")
        .describe(
            "A browser is sent here (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). Errors go back to the application once \
             it and its `redirect_uri` are proven; until then they are a page.",
        )
        .returns_page(200)
        .redirects("The next page of sign-in, or the application's `redirect_uri` with `code` or `error`, `state`, `iss`.")
}

async fn get(host: HostCx, method: Method, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    // Safe by definition (RFC 9110 §9.3.2): no page is shown, and no code is issued that would be lost.
    if method == Method::HEAD {
        return Ok(StatusCode::OK.into_response());
    }
    let visit = Visit::of(host, &headers, Some(&uri))?;
    let query = uri.query().unwrap_or_default();
    let params = Params::parse(query).or_else(|error| pushed::alone(query).ok_or(error));
    Ok(answer(visit, params).await)
}

async fn post(
    host: HostCx,
    headers: HeaderMap,
    uri: Uri,
    form: Result<FormText, OauthError>,
) -> Result<Response, OauthError> {
    let visit = Visit::of(host, &headers, None)?;
    let params = sent(uri.query().unwrap_or_default(), form);
    if let Some(redirect) = redirected(&visit, &headers, PATH, &params) {
        return Ok(redirect);
    }
    Ok(answer(visit, params).await)
}

/// The parameters of a request that a form sent, also of one whose query and body double what says nothing.
fn sent(query: &str, form: Result<FormText, OauthError>) -> Result<Params> {
    let FormText(body) = form.map_err(|OauthError(error)| error)?;
    let params = Params::parse(&body).and_then(|body| merged(query, body));
    params.or_else(|error| pushed::alone(&format!("{query}&{body}")).ok_or(error))
}

async fn answer(mut visit: Visit, params: Result<Params>) -> Response {
    let outcome = match params {
        Ok(params) => Box::pin(authorize(&mut visit, &params)).await,
        Err(error) => Err(error),
    };
    visit.answer(outcome).await
}

/// Until application and return address are proven an error becomes a page; from then on a redirect.
async fn authorize(visit: &mut Visit, params: &Params) -> Result<Response> {
    visit.host.know_connectors().await?;
    let app = application(visit, params).await?;
    let (arrived, session) = match arrived(visit, &app, params).await {
        Ok(arrived) => arrived,
        // What is unsigned may say where the refusal goes, as long as the address is the application's own.
        Err(error) => {
            let reply_to = Redirectable::prove(&app, params).ok().filter(|_| error.class().status() < 500);
            let reply_to = reply_to.filter(|_| error.class() != Class::InvalidRequestUri);
            let Some(reply_to) = reply_to else { return Err(error) };
            let reply = reply_to.refuse(&visit.host.tenant.issuer, &error);
            return leaving::send(visit, &app, &reply, Prompt::is_silent(params)).await;
        }
    };
    let reply_to = proven(visit, &app, &arrived.params)?;
    match checked(&visit.host, &app, &arrived, reply_to.clone()).await? {
        Ok(request) => {
            visit.speak(request.ui_locales.as_deref())?;
            let flow = Flow::new(request, visit.cx().now);
            let state = visit.seal(&flow)?;
            visit.found_at(CONTINUE, state);
            Journey::of(visit, flow).await?.resume(session).await
        }
        Err(refusal) => {
            let reply = reply_to.refuse(&visit.host.tenant.issuer, &refusal);
            leaving::send(visit, &app, &reply, Prompt::is_silent(&arrived.params)).await
        }
    }
}

/// The return address; one that is not registered is shown next to those that are.
fn proven(visit: &Visit, app: &App, params: &Params) -> Result<Redirectable> {
    Redirectable::prove(app, params).inspect_err(|error| {
        if error.class() == Class::InvalidRedirectUri {
            let sent = params.one("redirect_uri").unwrap_or_default();
            visit.note_mismatch("redirect_uri", sent, &app.configuration.redirect_uris);
        }
    })
}

/// What has come, and the session of the browser where it was read already.
async fn arrived(visit: &Visit, app: &App, params: &Params) -> Result<(Arrived, Option<Session>)> {
    if let Some(reference) = pushed::reference(params) {
        let (found, session) = with_session(visit, digest(reference)).await?;
        return Ok((pushed::arrived((&visit.host, app), reference, found)?, session));
    }
    let params = unfolded(&visit.host, app, params).await?;
    Ok((Arrived { params, endpoint: Endpoint::Authorize, reference: None, dpop_jkt: None }, None))
}

/// What was pushed, and the session of the browser that brings the reference, in one flight.
async fn with_session(visit: &Visit, reference: Digest) -> Result<(Option<Pushed>, Option<Session>)> {
    let (now, mut tx) = (visit.cx().now, visit.host.read().await?);
    let pushed = par::pushed_as(&tx, reference, now);
    // Where several accounts are signed in, or support staff act, it is not known yet whose session counts.
    let Some(cookie) = visit.browser.signed_in.only().filter(|_| visit.acting().is_none()) else {
        let [pushed] = tx.batch([pushed]).await?;
        return Ok((par::one(&pushed)?, None));
    };
    let session = sessions::behind(&tx, cookie, now, visit.lifetimes());
    let [pushed, session] = tx.batch([pushed, session]).await?;
    Ok((par::one(&pushed)?, sessions::one(&mut tx, &session).await?))
}

/// The application that asks: known and enabled.
async fn application(visit: &Visit, params: &Params) -> Result<Arc<App>> {
    let client_id = params.required("client_id")?;
    let host = &visit.host;
    let app = document::find(host, client_id).await?;
    app.filter(|app| app.enabled)
        .ok_or_else(|| Error::invalid_request("client_id: give that of an application of this tenant"))
}
