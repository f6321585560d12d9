//! `id_token_hint` (OpenID Connect Core §3.1.2.1): whom the application expects.

use svc_core::{Error, Result};
use svc_domain::keys::former;
use svc_http::HostCx;
use svc_keys::{Algorithm, Claims, Jws, KeyRing, Typ};

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Takes the subject of an ID token that we issued to this application; that it has expired does not matter.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let Some(token) = input.params.one("id_token_hint") else { return Ok(()) };
    let refused =
        || Error::invalid_request("id_token_hint: give an ID token that was issued to this application");
    let read = |ring: &KeyRing| ours(ring, token, &input.tenant.issuer);
    let claims = read(input.ring).or_else(|| input.former.and_then(read)).ok_or_else(refused)?;
    if !claims.has_audience(&input.app.client_id()) {
        return Err(refused());
    }
    request.hinted_subject = Some(claims.text("sub").ok_or_else(refused)?.to_owned());
    Ok(())
}

/// The claims of an ID token of this tenant, expired or not. An access token for an API that wants the type `JWT` is
/// distinguished by its scope, a signed authorization response by having no subject.
pub fn ours(ring: &KeyRing, token: &str, issuer: &str) -> Option<Claims> {
    let claims = ring.verify_at_any_time(token, Typ::Jwt).ok()?;
    let is_id_token = claims.member("sub").is_some() && claims.member("scope").is_none();
    (claims.text("iss") == Some(issuer) && is_id_token).then_some(claims)
}

/// The key that signed a token, where that has left the key set since: a session lives longer than a key that was about to be
/// followed.
pub async fn former_key(host: &HostCx, ring: &KeyRing, token: &str) -> Result<Option<KeyRing>> {
    let Ok(jws) = Jws::parse(token, Algorithm::SIGNING) else { return Ok(None) };
    let may_be_ours =
        |kid: &&str| ring.find(kid).is_none() && kid.bytes().all(|byte| byte.is_ascii_graphic());
    let Some(kid) = jws.kid().filter(may_be_ours) else { return Ok(None) };
    former::find(&host.app.db, host.tenant.id, kid, host.cx.now).await
}
