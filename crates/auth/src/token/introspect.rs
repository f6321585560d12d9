//! Token introspection (RFC 7662), for the application a token was issued to and for the API it is meant for.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use svc_core::Error;
use svc_core::capability::Capability;
use svc_domain::apps::App;
use svc_domain::grants::refresh::{self, Found, State};
use svc_domain::people::subjects;
use svc_domain::people::tenant_users::Person;
use svc_domain::tokens::access_token::{self, Claims, OrganizationContext};
use svc_domain::tokens::api_keys;
use svc_http::{
    FormOf, HeaderMap, HostCx, IntoResponse, NoStore, OauthError, Response, Route, Routes, SentForm,
    api_key_claims,
};
use utoipa::ToSchema;

use super::{organization, signed_introspection};
use crate::authorize::{Reads, details};
use crate::clients;

/// The route of this endpoint.
pub fn routes() -> Routes {
    Routes::new([Route::post("/oauth/introspect")
        .client(introspect)
        .summary("Look into a token")
        .describe(
            "For the application that a token was issued to, and for the applications that answer for its API (RFC 7662).",
        )
        .forms(|| vec![form()])
        .returns::<Answer>(200)
        .returns_text(200, signed_introspection::MEDIA_TYPE)])
}

fn form() -> FormOf {
    let reads = Reads { needed: &["token"], usual: &[], taken: &[&["token_type_hint"]] };
    reads.client_form("IntrospectionRequest", "The token that is looked into.")
}

async fn introspect(host: HostCx, SentForm { headers, params }: SentForm) -> Result<Response, OauthError> {
    let app = clients::authenticate_for(&host, &headers, &params, &Capability::INTROSPECTION).await?;
    if app.is_public() {
        return Err(Error::invalid_client("introspection is for confidential applications").into());
    }
    let host = host.performed_by_app(&app);
    let token = params.required("token")?;
    if let Some(claims) = access_token(&host, &app, token).await? {
        let token_type = claims.token_type();
        return answered(&host, &app, &headers, Introspection { active: true, token_type, claims }).await;
    }
    // A refresh token is one word; what has the dots of a JWT needs no look into the database.
    let state = if token.contains('.') { None } else { refresh_token(&host, &app, token).await? };
    answered(&host, &app, &headers, state.unwrap_or_else(|| json!({ "active": false }))).await
}

/// As JSON, or signed where the request asks for that.
async fn answered(
    host: &HostCx,
    app: &App,
    headers: &HeaderMap,
    state: impl Serialize + Send,
) -> Result<Response, OauthError> {
    if signed_introspection::is_asked_for(headers) {
        return Ok(signed_introspection::signed(host, app, state).await?);
    }
    Ok(NoStore(state).into_response())
}

/// The state of a token (RFC 7662 §2.2). For a token that is not active, or does not belong to the application, it has `active`
/// alone.
#[derive(ToSchema)]
#[schema(as = Introspection)]
#[expect(dead_code, reason = "describes both kinds of token to the OpenAPI document")]
struct Answer {
    /// Whether the token is good.
    #[schema(example = true)]
    active: bool,
    /// `Bearer`, `DPoP` or `refresh_token`.
    #[schema(nullable = false)]
    token_type: Option<String>,
    /// The tenant's issuer.
    #[schema(nullable = false)]
    iss: Option<String>,
    /// The subject within tenant and application.
    #[schema(nullable = false)]
    sub: Option<String>,
    /// The API that the token is for.
    #[schema(nullable = false)]
    aud: Option<String>,
    /// The application that received the token.
    #[schema(nullable = false)]
    client_id: Option<String>,
    /// What it permits.
    #[schema(nullable = false, example = "openid profile")]
    scope: Option<String>,
    /// The tenant.
    #[schema(nullable = false)]
    tenant_id: Option<String>,
    /// `human`, `agent` or `system`.
    #[schema(nullable = false)]
    subject_type: Option<String>,
    /// When it ends, in seconds since the epoch.
    #[schema(nullable = false)]
    exp: Option<i64>,
    /// When it was issued.
    #[schema(nullable = false)]
    iat: Option<i64>,
    /// From when on it is good.
    #[schema(nullable = false)]
    nbf: Option<i64>,
    /// Its id.
    #[schema(nullable = false)]
    jti: Option<String>,
    /// The session behind it.
    #[schema(nullable = false)]
    sid: Option<String>,
    /// When the person signed in.
    #[schema(nullable = false)]
    auth_time: Option<i64>,
    /// How strongly the person signed in.
    #[schema(nullable = false)]
    acr: Option<String>,
    /// How the person signed in (RFC 8176).
    #[schema(nullable = false)]
    amr: Option<Vec<String>>,
    /// Who acts for the subject (RFC 8693 §4.1).
    #[schema(value_type = Option<Object>, nullable = false)]
    act: Option<serde_json::Value>,
    /// What was granted in detail (RFC 9396 §9.2).
    #[schema(value_type = Option<Vec<Object>>, nullable = false)]
    authorization_details: Option<Vec<serde_json::Value>>,
    /// The claims that UserInfo has besides those of the scope.
    #[schema(nullable = false)]
    userinfo_claims: Option<Vec<String>>,
    /// The person's roles, where the API wants them (RFC 9068 §2.2.3.1).
    #[schema(nullable = false)]
    roles: Option<Vec<String>>,
    /// The names of the person's groups, where the API wants them.
    #[schema(nullable = false)]
    groups: Option<Vec<String>>,
    /// The scopes that the person's roles permit, where the API wants them.
    #[schema(nullable = false)]
    permissions: Option<Vec<String>>,
    /// The organization in which it counts.
    #[schema(nullable = false)]
    org: Option<OrganizationContext>,
    /// The key or the certificate that it is bound to (RFC 7800, RFC 8705 §3.2).
    #[schema(value_type = Option<Object>, nullable = false)]
    cnf: Option<serde_json::Value>,
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
    let Some(claims) = live(host, token).await? else { return Ok(None) };
    let client_id = app.client_id();
    if claims.client_id == client_id {
        return Ok(Some(claims));
    }
    let api = services.apis.find(&host.tenant, &claims.aud).await?;
    let answers_for_it = api.is_some_and(|api| api.is_answered_by(&host.tenant, &client_id));
    Ok(answers_for_it.then_some(claims))
}

/// The claims of a live access token, or what a live API key stands for.
async fn live(host: &HostCx, token: &str) -> Result<Option<Claims>, Error> {
    if api_keys::is_secret(token) {
        return api_key_claims(host, token).await;
    }
    let services = &host.app.services;
    let ring = services.keys.ring(host.tenant.id);
    let claims = access_token::verify_for_any_api(&ring, token, &host.tenant.issuer, host.cx.now).ok();
    Ok(claims.filter(|claims| !services.revocations.is_revoked(claims)))
}

/// The state of a live refresh token of the application's own.
async fn refresh_token(
    host: &HostCx,
    app: &Arc<App>,
    token: &str,
) -> Result<Option<serde_json::Value>, Error> {
    let (digest, ended) = (svc_keys::digest(token), &host.app.services.ended_families);
    if ended.has(host.tenant.id, digest, host.cx.now) {
        return Ok(None);
    }
    let mut tx = host.read().await?;
    let found = refresh::find_with_person(&mut tx, digest, host.cx.now).await?;
    if found.as_ref().is_some_and(|(found, _)| found.state == State::Ended) {
        ended.note(host.tenant.id, digest, host.cx.now);
    }
    let is_own = |found: &Found| found.state == State::Live && found.family.app == app.id;
    let Some((found, person)) = found.filter(|(found, _)| is_own(found)) else { return Ok(None) };
    let (family, expires_at) = (found.family, found.expires_at);
    let is_current =
        |person: &Person| person.may_sign_in() && family.created_at >= person.credentials_changed_at;
    if !is_current(&person) {
        return Ok(None);
    }
    let Some(place) = organization::granted(host, &mut tx, &person, family.grant.organization).await? else {
        return Ok(None);
    };
    let sub = subjects::find(&mut tx, &person, app).await?;
    let mut state = json!({
        "active": true, "token_type": "refresh_token", "iss": host.tenant.issuer,
        "client_id": app.client_id(), "scope": family.grant.scope, "tenant_id": host.tenant.id,
        "exp": expires_at.as_secs(), "iat": family.created_at.as_secs(),
    });
    // An application that has moved to another sector has been told no subject there yet.
    if let (Some(sub), Some(state)) = (sub, state.as_object_mut()) {
        state.insert("sub".to_owned(), json!(sub));
    }
    details::add_to(&mut state, &family.grant.authorization_details);
    if let (Some(place), Some(state)) = (place, state.as_object_mut()) {
        state.insert("org".to_owned(), json!(place.context()));
    }
    if let (Some(act), Some(state)) = (family.grant.actor, state.as_object_mut()) {
        state.insert("act".to_owned(), act);
    }
    Ok(Some(state))
}
