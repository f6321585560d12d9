//! The keys of trusted issuers: inline, or fetched before a transaction is open that would have to wait for them.

use svc_core::{Error, Result};
use svc_domain::federation::trusted_issuers::{self, TrustedIssuer};
use svc_http::ChosenBy;
use svc_keys::KeySet;
use svc_keys::jose::{Algorithm, Claims, Jws};

use crate::clients::{ClientKeys, Published};
use crate::token::grant::{Looking, Request};

/// Fetches the keys that `token` may need; what is wrong with it is reported later.
pub(crate) fn prepare<'a>(request: &'a Request<'a>, token: &'a str) -> Looking<'a> {
    Box::pin(async move {
        let Ok(jws) = Jws::parse(token, Algorithm::ALL) else { return Ok(None) };
        let claims = jws.unverified_claims().ok();
        let Some(name) = claims.as_ref().and_then(|claims| claims.text("iss")) else { return Ok(None) };
        let issuer = {
            let mut tx = request.host.read().await?;
            trusted_issuers::find_by_issuer(&mut tx, name).await?
        };
        let uri = issuer.filter(|issuer| issuer.enabled).and_then(|issuer| issuer.configuration.jwks_uri);
        let Some(uri) = uri else { return Ok(None) };
        let keys = request.host.app.part::<ClientKeys>()?;
        let published = keys.published(request.host, (ChosenBy::Tenant, uri), &jws).await;
        let published = published.inspect_err(|error| {
            tracing::debug!(request_id = request.host.cx.request_id, ?error, "a trusted issuer has no keys");
        });
        Ok(published.ok())
    })
}

/// The claims of a token that one of the issuer's keys verifies: given inline, or published and fetched before.
pub(super) fn verified(
    published: Option<&Published>,
    issuer: &TrustedIssuer,
    jws: &Jws<'_>,
) -> Result<Claims> {
    let configuration = &issuer.configuration;
    if let Some(jwks) = &configuration.jwks {
        return KeySet::from_json(jwks)?.verify(jws);
    }
    // An issuer whose address changed meanwhile has other keys.
    let keys =
        published.zip(configuration.jwks_uri.as_deref()).and_then(|(published, uri)| published.of(uri));
    keys.ok_or_else(|| Error::invalid_grant("the issuer has no keys"))?.verify(jws)
}
