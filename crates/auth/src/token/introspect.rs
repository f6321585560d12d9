//! Token introspection (RFC 7662), for the application a token was issued to and for the API it is meant for.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use svc_core::{Actor, Error};
use svc_domain::apps::App;
use svc_domain::grants::refresh::{self, Found, State};
use svc_domain::people::subjects;
use svc_domain::people::tenant_users::Person;
use svc_domain::tokens::access_token::{self, Claims};
use svc_http::{Form, HeaderMap, HostCx, IntoResponse, NoStore, OauthError, Response, Route, Routes};

use crate::authorize::details;
use crate::clients;

/// The route of this endpoint.
pub fn routes() -> Routes {
    Routes::new([Route::post("/oauth/introspect").client(introspect).summary("Tell the state of a token")])
}

async fn introspect(host: HostCx, headers: HeaderMap, Form(params): Form) -> Result<Response, OauthError> {
    let app = clients::authenticate(&host, &headers, &params).await?;
    if app.is_public() {
        return Err(Error::invalid_client("introspection is for confidential applications").into());
    }
    let host = HostCx { cx: host.cx.acting_as(Actor::App(app.id.to_string())), ..host };
    let token = params.one("token").ok_or_else(|| Error::invalid_request("token is missing"))?;
    if let Some(claims) = access_token(&host, &app, token).await? {
        let token_type = if claims.cnf.is_some() { "DPoP" } else { "Bearer" };
        return Ok(NoStore(Introspection { active: true, token_type, claims }).into_response());
    }
    // A refresh token is one word; what has the dots of a JWT needs no look into the database.
    let state = if token.contains('.') { None } else { refresh_token(&host, &app, token).await? };
    Ok(NoStore(state.unwrap_or_else(|| json!({ "active": false }))).into_response())
}

#[derive(Serialize)]
struct Introspection {
    active: bool,
    token_type: &'static str,
    #[serde(flatten)]
    claims: Claims,
}

/// The claims of a live access token, if the application may see them.
async fn access_token(host: &HostCx, app: &Arc<App>, token: &str) -> Result<Option<Claims>, Error> {
    let services = &host.app.services;
    let Ok(claims) =
        access_token::verify_for_any_api(&services.keys.ring(), token, &host.tenant.issuer, host.cx.now)
    else {
        return Ok(None);
    };
    if services.revocations.is_revoked(&claims) {
        return Ok(None);
    }
    let client_id = app.client_id();
    if claims.client_id == client_id {
        return Ok(Some(claims));
    }
    let api = services.apis.find(host.tenant.id, &claims.aud).await?;
    let answers_for_it = api.is_some_and(|api| api.configuration.resource_servers.contains(&client_id));
    Ok(answers_for_it.then_some(claims))
}

/// The state of a live refresh token of the application's own.
async fn refresh_token(
    host: &HostCx,
    app: &Arc<App>,
    token: &str,
) -> Result<Option<serde_json::Value>, Error> {
    let mut tx = host.app.db.read(host.tenant.id).await?;
    let found = refresh::find_with_person(&mut tx, svc_keys::digest(token), host.cx.now).await?;
    let is_own = |found: &Found| found.state == State::Live && found.family.app == app.id;
    let Some((found, person)) = found.filter(|(found, _)| is_own(found)) else { return Ok(None) };
    let (family, expires_at) = (found.family, found.expires_at);
    let is_current =
        |person: &Person| person.may_sign_in() && family.created_at >= person.credentials_changed_at;
    let person = person.filter(is_current);
    let Some(person) = person else { return Ok(None) };
    let sub = subjects::find(&mut tx, &person, app).await?;
    let mut state = json!({
        "active": true, "token_type": "refresh_token", "iss": host.tenant.issuer, "sub": sub,
        "client_id": app.client_id(), "scope": family.grant.scope, "tenant_id": host.tenant.id,
        "exp": expires_at.as_secs(), "iat": family.created_at.as_secs(),
    });
    details::add_to(&mut state, &family.grant.authorization_details);
    if let (Some(act), Some(state)) = (family.grant.actor, state.as_object_mut()) {
        state.insert("act".to_owned(), act);
    }
    Ok(Some(state))
}
