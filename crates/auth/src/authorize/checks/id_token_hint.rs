//! `id_token_hint` (OpenID Connect Core §3.1.2.1): whom the application expects.

use svc_core::{Error, Result};
use svc_keys::{Claims, KeyRing, Typ};

use crate::authorize::asked::Asked;
use crate::authorize::request::AuthorizationRequest;

/// Takes the subject of an ID token that we issued to this application; that it has expired does not matter.
pub fn check(asked: &Asked<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(token) = asked.params.one("id_token_hint") else { return Ok(()) };
    let refused =
        || Error::invalid_request("id_token_hint is not an ID token that was issued to this application");
    let claims = ours(asked.ring, token, &asked.tenant.issuer).ok_or_else(refused)?;
    if !claims.has_audience(&asked.app.client_id()) {
        return Err(refused());
    }
    request.hinted_subject = Some(claims.text("sub").ok_or_else(refused)?.to_owned());
    Ok(())
}

/// The claims of an ID token of this tenant, expired or not. An access token for an API that wants the type `JWT` is told
/// apart by its scope, a signed authorization response by having no subject.
pub fn ours(ring: &KeyRing, token: &str, issuer: &str) -> Option<Claims> {
    let claims = ring.verify_at_any_time(token, Typ::Jwt).ok()?;
    let is_id_token = claims.member("sub").is_some() && claims.member("scope").is_none();
    (claims.text("iss") == Some(issuer) && is_id_token).then_some(claims)
}
