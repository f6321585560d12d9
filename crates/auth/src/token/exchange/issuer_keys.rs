//! The keys of trusted issuers: inline, or fetched before a transaction is open that would have to wait for them.

use svc_core::{Error, Result};
use svc_domain::federation::trusted_issuers::{self, TrustedIssuer};
use svc_http::HostCx;
use svc_keys::KeySet;
use svc_keys::jose::{Algorithm, Claims, Jws};

use crate::clients::ClientKeys;
use crate::token::grant::{Looking, Request};

/// Fetches the keys that `token` may need; what is wrong with it is reported later.
pub(crate) fn prepare<'a>(request: &'a Request<'a>, token: &'a str) -> Looking<'a> {
    Box::pin(async move {
        let Ok(jws) = Jws::parse(token, Algorithm::ALL) else { return Ok(()) };
        let claims = jws.unverified_claims().ok();
        let Some(name) = claims.as_ref().and_then(|claims| claims.text("iss")) else { return Ok(()) };
        let issuer = {
            let mut tx = request.host.read().await?;
            trusted_issuers::find_by_issuer(&mut tx, name).await?
        };
        if let Some(uri) =
            issuer.filter(|issuer| issuer.enabled).and_then(|issuer| issuer.configuration.jwks_uri)
        {
            let fetched = request.host.app.part::<ClientKeys>()?.at(request.host, &uri, &jws).await;
            if let Err(error) = fetched {
                tracing::debug!(
                    request_id = request.host.cx.request_id,
                    ?error,
                    "a trusted issuer has no keys"
                );
            }
        }
        Ok(())
    })
}

/// The claims of a token that one of the issuer's keys verifies.
pub(super) async fn verified(host: &HostCx, issuer: &TrustedIssuer, jws: &Jws<'_>) -> Result<Claims> {
    if let Some(jwks) = &issuer.configuration.jwks {
        return KeySet::from_json(jwks)?.verify(jws);
    }
    let uri = issuer.configuration.jwks_uri.as_deref();
    let uri = uri.ok_or_else(|| Error::invalid_grant("the issuer has no keys"))?;
    host.app.part::<ClientKeys>()?.at(host, uri, jws).await?.verify(jws)
}
