//! The UserInfo endpoint (OpenID Connect Core §5.3): what a person has consented to tell the application.

use serde_json::{Map, Value, json};
use svc_core::{Class, Error};
use svc_domain::access_token::{self, Claims, SubjectType};
use svc_domain::tenant_users::{self, Person};
use svc_http::{Form, HeaderMap, HostCx, IntoResponse, NoStore, Problem, Response, Route, Routes, bearer, challenge, header};
use svc_keys::jose::{Signer, Typ};

use crate::origins;

const WHY: &str = "the bearer token is the credential";
const SUMMARY: &str = "Claims about the signed-in person";

/// The routes of this endpoint; GET and POST are the same but for where the token may stand.
pub fn routes() -> Routes {
    Routes::new([
        Route::get("/userinfo").public(WHY, by_get).cors(origins::registered()).summary(SUMMARY),
        Route::post("/userinfo").public(WHY, by_post).cors(origins::registered()).summary(SUMMARY),
    ])
}

async fn by_get(host: HostCx, headers: HeaderMap) -> Result<Response, Problem> {
    let told = match bearer(&headers) {
        Ok(token) => respond(&host, token).await,
        Err(error) => Err(error),
    };
    told.map_err(|error| challenged(&host, error))
}

async fn by_post(host: HostCx, headers: HeaderMap, form: Option<Form>) -> Result<Response, Problem> {
    let in_form = form.as_ref().and_then(|Form(params)| params.one("access_token"));
    let has_header = headers.contains_key(header::AUTHORIZATION);
    let token = match in_form {
        Some(_) if has_header => Err(Error::invalid_request("send the access token once")),
        Some(token) => Ok(token),
        None => bearer(&headers),
    };
    let told = match token {
        Ok(token) => respond(&host, token).await,
        Err(error) => Err(error),
    };
    told.map_err(|error| challenged(&host, error))
}

/// The challenge of RFC 6750 §3; whoever sent no token at all is told no error code.
fn challenged(host: &HostCx, error: Error) -> Problem {
    let told = match error.class() {
        Class::InvalidToken => Some(("invalid_token", error.detail())),
        Class::InsufficientScope => Some(("insufficient_scope", error.detail())),
        _ => None,
    };
    let scope = (error.class() == Class::InsufficientScope).then_some("openid");
    let challenge = challenge(&host.tenant, told, scope);
    let status = error.class().status();
    let problem = Problem::from(error);
    if status == 401 || status == 403 { problem.challenge(&challenge) } else { problem }
}

async fn respond(host: &HostCx, token: &str) -> Result<Response, Error> {
    let services = &host.app.services;
    let claims = access_token::verify(&services.keys.ring(), token, &host.tenant.issuer, host.cx.now)?;
    let refused = || Error::invalid_token("the access token is not valid");
    if claims.tenant_id != host.tenant.id.reference() || services.revocations.is_revoked(&claims) {
        return Err(refused());
    }
    if !claims.scope.has("openid") || claims.subject_type != SubjectType::Human {
        return Err(Error::insufficient_scope("the access token lacks the scope openid"));
    }
    let mut tx = host.app.db.read(host.tenant.id).await?;
    let person = tenant_users::find_by_subject(&mut tx, &claims.sub).await?.filter(Person::may_sign_in);
    let person = person.ok_or_else(refused)?;
    let mut told = Map::new();
    told.insert("sub".to_owned(), json!(claims.sub));
    told.extend(person.known().claims_for(&claims.scope));
    signed_or_plain(host, &claims, told).await
}

/// Signed when the application registered `userinfo_signed_response_alg`.
async fn signed_or_plain(host: &HostCx, claims: &Claims, mut told: Map<String, Value>) -> Result<Response, Error> {
    let app = host.app.services.apps.find(host.tenant.id, &claims.client_id).await?;
    let Some(algorithm) = app.and_then(|app| app.configuration.userinfo_signed_response_alg) else {
        return Ok(NoStore(told).into_response());
    };
    told.insert("iss".to_owned(), json!(claims.iss));
    told.insert("aud".to_owned(), json!(claims.client_id));
    let payload = serde_json::to_vec(&told).map_err(Error::internal)?;
    let token = host.app.services.keys.ring().sign(algorithm, Typ::Jwt, &payload)?;
    let headers = [(header::CONTENT_TYPE, "application/jwt"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, token).into_response())
}
