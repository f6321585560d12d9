//! What a provider says of a person to whom we show the access token (OpenID Connect Core §5.3).

use serde_json::Value;
use svc_core::{Error, OrInternal as _, Result};
use svc_http::{HeaderMap, HeaderValue, HostCx, Limits, header};

/// Reads a JSON document with an access token as bearer (RFC 6750 §2.1).
pub async fn fetch(host: &HostCx, url: &str, access_token: &str) -> Result<Value> {
    let mut bearer = HeaderValue::try_from(format!("Bearer {access_token}")).or_internal()?;
    bearer.set_sensitive(true);
    let mut headers = HeaderMap::new();
    headers.insert(header::AUTHORIZATION, bearer);
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    // GitHub answers nobody who does not say what they are.
    headers.insert(header::USER_AGENT, HeaderValue::from_static("svc"));
    let answer = host.app.outbound.get_with(url, headers, Limits::default()).await?;
    if answer.status != 200 {
        return Err(Error::conflict(format!("the provider's user endpoint: status {}", answer.status)));
    }
    serde_json::from_slice(&answer.body)
        .map_err(|cause| Error::conflict("the provider's user endpoint: no JSON").caused_by(cause))
}
