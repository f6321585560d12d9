//! `sector_identifier_uri` (OpenID Connect Core §8.1): a document of the sector's owner that lists the redirect URIs.

use svc_core::{Error, Result, Seconds};
use svc_http::{HostCx, Limits, StatusCode};

use super::metadata::Metadata;

const LIMITS: Limits = Limits { time: Seconds(5), bytes: 64 * 1024 };

/// Refuses addresses that we would never call, and a sector whose document lacks one of the redirect URIs.
pub async fn check(host: &HostCx, metadata: &Metadata) -> Result<()> {
    let outbound = &host.app.outbound;
    if metadata.called().any(|url| outbound.check(url).is_err()) {
        return Err(Error::invalid_client_metadata(
            "jwks_uri, sector_identifier_uri, backchannel_logout_uri, logo_uri: use https on port 443 of a public host",
        ));
    }
    let Some((uri, redirect_uris)) = metadata.sector() else { return Ok(()) };
    let unread =
        |_| Error::invalid_client_metadata("sector_identifier_uri: there is no list of redirect URIs");
    let fetched = outbound.get(uri, LIMITS).await.map_err(unread)?;
    let listed: Vec<String> = match fetched.status {
        StatusCode::OK => serde_json::from_slice(&fetched.body).unwrap_or_default(),
        _ => Vec::new(),
    };
    if redirect_uris.iter().all(|uri| listed.contains(uri)) {
        Ok(())
    } else {
        Err(Error::invalid_client_metadata(
            "sector_identifier_uri: its document does not list every redirect URI",
        ))
    }
}
