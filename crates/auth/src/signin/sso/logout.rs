//! Logout by the provider of an organization (OpenID Connect Back-Channel Logout 1.0 §2.5, Front-Channel Logout 1.0 §2): ends the
//! sessions that it vouched for.

use svc_core::{Actor, Cx, Error, Result, SsoConnectionId};
use svc_db::{Tenant, Tx};
use svc_domain::federation::sso::{self as records, Connection};
use svc_domain::people::{sessions, tenant_users};
use svc_http::{
    Form, HostCx, IntoResponse as _, OauthError, Path, Problem, QueryParams, Response, Route, Routes,
    StatusCode,
};

use super::client::client;
use crate::signin::provider::{self, Ended};

/// Where a provider says whose sessions are over: behind the address to which it sends people back.
const PATH: &str = "/auth/return/{connection_id}/backchannel-logout";
const WHY: &str = "a provider posts a token that it has signed";

/// Where its page leads a frame instead: some providers know nothing else.
const FRAMED: &str = "/auth/return/{connection_id}/frontchannel-logout";
const WHY_FRAMED: &str =
    "a provider's page leads a frame here, which names a session by what the provider alone has said";
/// Shortest name of a session that counts by itself: one that cannot be guessed.
const SHORTEST: usize = 16;

/// The receivers of logout tokens and of frames.
pub fn routes() -> Routes {
    Routes::new([
        Route::post(PATH).public(WHY, receive).undocumented(),
        Route::get(FRAMED).public(WHY_FRAMED, framed).undocumented(),
    ])
}

/// Ends the session that a frame names. Nothing is written where there is none: anyone can send this.
async fn framed(
    host: HostCx,
    Path(id): Path<SsoConnectionId>,
    QueryParams(params): QueryParams,
) -> Result<Response, Problem> {
    let mut tx = host.read().await?;
    let connection = records::find_by_id(&mut tx, id).await?;
    let connection = connection.ok_or_else(|| Error::not_found("no connection has this address"))?;
    let (iss, sid) = (params.required("iss")?, params.required("sid")?);
    if iss != connection.configuration.issuer {
        return Err(Error::invalid_request("iss: expected the issuer of the connection").into());
    }
    if sid.len() < SHORTEST {
        let what =
            "sid: expected at least 16 characters; use back-channel logout where the provider's are shorter";
        return Err(Error::invalid_request(what).into());
    }
    let is_known = records::has_session(&mut tx, (id, iss), sid).await?;
    drop(tx);
    if is_known {
        let cx = host.cx.acting_as(Actor::System("sso"));
        let mut tx = host.begin().await?;
        end_sessions(&mut tx, &cx, &connection, (None, Some(sid))).await?;
        tx.commit().await?;
    }
    Ok(StatusCode::OK.into_response())
}

async fn receive(
    host: HostCx,
    Path(id): Path<SsoConnectionId>,
    Form(params): Form,
) -> Result<Response, OauthError> {
    let connection = records::find_by_id(&mut host.read().await?, id).await?;
    let connection = connection.ok_or_else(|| Error::not_found("no connection has this address"))?;
    let token = params.required("logout_token")?;
    let client = client(&host, &connection).await?;
    let refused = refused(&host, id);
    let ended = provider::ended(&host, &client, token).await.map_err(&refused)?;
    end(&host, &connection, &ended).await.map_err(&refused)?;
    Ok(StatusCode::OK.into_response())
}

/// What a provider gets as answer whose token does not count (§2.8): nothing about the people here.
fn refused(host: &HostCx, connection: SsoConnectionId) -> impl Fn(Error) -> Error {
    let request_id = host.cx.request_id.clone();
    move |error| {
        tracing::info!(%request_id, %connection, ?error, "a logout token does not count");
        if error.class().status() >= 500 {
            return error;
        }
        Error::invalid_request(format!("logout_token: {}", error.detail()))
    }
}

/// Ends every session that the provider vouched for and now calls over, and every sign-in on the way to one. Several are ended together,
/// or none; the provider may repeat a token whose sessions could not be ended.
async fn end(host: &HostCx, connection: &Connection, ended: &Ended) -> Result<()> {
    let cx = host.cx.acting_as(Actor::System("sso"));
    let (issuer, whose) =
        (connection.configuration.issuer.as_str(), (ended.subject.as_deref(), ended.sid.as_deref()));
    let mut tx = host.begin().await?;
    if !host.app.coordination.note_with(&mut tx, &ended.once, cx.now).await? {
        return Err(Error::conflict("the logout token was used before"));
    }
    // A sign-in may be under way that is no session yet.
    records::note_end(&mut tx, &cx, (connection.id, issuer), whose);
    end_sessions(&mut tx, &cx, connection, whose).await?;
    tx.commit().await
}

async fn end_sessions(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    connection: &Connection,
    whose: (Option<&str>, Option<&str>),
) -> Result<()> {
    let at = (connection.id, connection.configuration.issuer.as_str());
    loop {
        let found = records::sessions_of(tx, at, whose).await?;
        if found.is_empty() {
            return Ok(());
        }
        for (session, person) in found {
            let person = tenant_users::find(tx, person).await?;
            let person = person.ok_or_else(|| Error::internal("a session has no person"))?;
            sessions::sign_out(tx, cx, &person, session).await?;
        }
    }
}
