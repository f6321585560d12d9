//! The relay of development (`[oauth_proxy]`): preview deployments ask providers to answer at the one address that is registered
//! there, and the deployment at that address sends each answer on to where the sign-in began.
//!
//! `state` (RFC 6749 §4.1.1) says where that is, signed with a secret that the deployments share. The relay keeps nothing and
//! cannot use what it passes on: the verifier of the code (RFC 7636) stays with the browser that began.

use svc_config::{HttpUrl, OauthProxy};
use svc_core::{Error, Result};
use svc_http::{HostCx, Params};
use svc_keys::hmac::hmac_sha256_of;
use svc_keys::{base64url, constant_time_eq, from_base64url};
use url::Url;

use crate::hosted::with_query;

/// Begins a `state` that a relay sends on.
const PREFIX: &str = "relay.";
/// Keeps these signatures apart from all others that the secret may be used for.
const LABEL: &[u8] = b"svc oauth proxy 1";

/// Where a provider sends people back to: the tenant's own address, or the relay's.
pub fn redirect_uri(host: &HostCx, return_path: &str) -> String {
    let relay = relay_of(&host.app.config.oauth_proxy).map(HttpUrl::as_str);
    format!("{}{return_path}", relay.unwrap_or(&host.tenant.issuer).trim_end_matches('/'))
}

/// The `state` that the provider is given. Where the answer comes through a relay, it says that it belongs here.
pub fn outgoing(host: &HostCx, return_path: &str, state: String) -> String {
    let settings = &host.app.config.oauth_proxy;
    if relay_of(settings).is_none() {
        return state;
    }
    let issuer = &host.tenant.issuer;
    let signature = base64url(signature(settings, [issuer, return_path, &state]));
    format!("{PREFIX}{}.{signature}.{state}", base64url(issuer))
}

/// The address at another deployment to which an answer belongs. `None` where this is no relay or the answer is for this deployment.
pub fn onward(host: &HostCx, path: &str, params: &Params) -> Result<Option<String>> {
    let settings = &host.app.config.oauth_proxy;
    let is_relay = settings.enabled && settings.relay_url.is_none();
    let Some(relayed) = params.one("state").and_then(|state| state.strip_prefix(PREFIX)).filter(|_| is_relay)
    else {
        return Ok(None);
    };
    let (issuer, state) = opened(settings, path, relayed).ok_or_else(|| {
        Error::forbidden("state: no deployment that shares this relay's secret has signed it")
    })?;
    if !is_allowed(&settings.allowed_origins, &issuer) {
        let what = format!("state: {issuer} is not among oauth_proxy.allowed_origins; add its origin there");
        return Err(Error::forbidden(what));
    }
    let own = |(name, value)| (name, if name == "state" { state } else { value });
    Ok(Some(with_query(&format!("{}{path}", issuer.trim_end_matches('/')), params.iter().map(own))))
}

/// The relay through which this deployment's answers come.
fn relay_of(settings: &OauthProxy) -> Option<&HttpUrl> {
    settings.relay_url.as_ref().filter(|_| settings.enabled)
}

/// The issuer and the `state` that were signed for this path.
fn opened<'a>(settings: &OauthProxy, path: &str, relayed: &'a str) -> Option<(String, &'a str)> {
    let (issuer, rest) = relayed.split_once('.')?;
    let (signed, state) = rest.split_once('.')?;
    let issuer = String::from_utf8(from_base64url(issuer)?).ok()?;
    let signed = from_base64url(signed)?;
    constant_time_eq(&signed, &signature(settings, [&issuer, path, state])).then_some((issuer, state))
}

fn signature(settings: &OauthProxy, [issuer, path, state]: [&str; 3]) -> [u8; 32] {
    let secret = settings.secret.as_ref().map_or("", |secret| secret.expose());
    let parts = [LABEL, b"\0", issuer.as_bytes(), b"\0", path.as_bytes(), b"\0", state.as_bytes()];
    hmac_sha256_of(secret.as_bytes(), &parts)
}

/// Whether the issuer's origin is listed: as itself, or below a domain whose entry begins with `*.`.
fn is_allowed(allowed: &[String], issuer: &str) -> bool {
    let Ok(url) = Url::parse(issuer) else { return false };
    let origin = url.origin().ascii_serialization();
    allowed.iter().any(|entry| match entry.split_once("://*.") {
        None => *entry == origin,
        Some((scheme, domain)) => origin
            .strip_prefix(scheme)
            .and_then(|rest| rest.strip_prefix("://"))
            .and_then(|host| host.strip_suffix(domain))
            .is_some_and(|below| below.len() > 1 && below.ends_with('.')),
    })
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn an_origin_is_allowed_as_itself_or_below_a_listed_domain() {
        let allowed = ["https://one.example", "https://*.preview.example", "http://*.localhost:8080"];
        let allowed = allowed.map(str::to_owned);
        for (issuer, expected) in [
            ("https://one.example", true),
            ("https://one.example/tenant", true),
            ("https://a.preview.example", true),
            ("https://a.b.preview.example/t", true),
            ("http://pr-7.localhost:8080", true),
            ("http://one.example", false),
            ("https://one.example:8443", false),
            ("https://preview.example", false),
            ("https://.preview.example", false),
            ("https://evilpreview.example", false),
            ("https://a.preview.example.attacker.example", false),
            ("https://a.preview.example:8443", false),
            ("https://attacker.example/a.preview.example", false),
            ("https://attacker.example#.preview.example", false),
            ("https://a.preview.example@attacker.example", false),
            ("http://pr-7.localhost", false),
            ("javascript:alert(1)//a.preview.example", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(&allowed, issuer), expected, "{issuer}");
        }
    }
}
