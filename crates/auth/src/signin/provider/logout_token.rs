//! Logout tokens of providers (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.6): whose sessions are over there.

use serde_json::Value;
use svc_core::{Error, Result};
use svc_db::coordination::Once;
use svc_http::HostCx;
use svc_keys::{base64url, digest};

use super::code::{Found, REMEMBERED};
use super::freshness::SKEW;
use super::id_token;
use super::registration::Registration;

/// The member of `events` that makes a token one for logout.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// Longest name of a person or a session that is read.
const LONGEST: usize = 255;

/// Whose sessions are over at the provider: one, or all of a person.
pub struct Ended {
    /// The person there.
    pub subject: Option<String>,
    /// The session there.
    pub sid: Option<String>,
    /// To be noted with what follows: each token counts once, on any node.
    pub once: Once,
}

/// Reads a logout token of the provider.
pub async fn ended(host: &HostCx, client: &Registration, token: &str) -> Result<Ended> {
    let Found::OpenId(metadata) = Found::of(host, client).await? else {
        return Err(Error::conflict("a provider of plain OAuth 2.0 has no logout tokens"));
    };
    let claims = id_token::verified(host, client, &metadata, (token, &["JWT", "logout+jwt"])).await?;
    let (now, issued_at) = (host.cx.now, claims.required_time("iat")?);
    // One that is good for longer could come once more when it is not remembered any longer.
    if issued_at + REMEMBERED <= now {
        return Err(wrong("iat"));
    }
    let claims = claims.into_map();
    let text = |name: &str| {
        let text = claims.get(name).and_then(Value::as_str);
        text.filter(|text| (1..=LONGEST).contains(&text.len())).map(str::to_owned)
    };
    if !claims.get("events").and_then(|events| events.get(EVENT)).is_some_and(Value::is_object) {
        return Err(wrong("events"));
    }
    if claims.contains_key("nonce") {
        return Err(wrong("nonce"));
    }
    let (subject, sid) = (text("sub"), text("sid"));
    let is_named = |name: &str, read: &Option<String>| claims.contains_key(name) == read.is_some();
    if !is_named("sub", &subject) || !is_named("sid", &sid) {
        return Err(wrong("sub or sid"));
    }
    if subject.is_none() && sid.is_none() {
        return Err(wrong("sub and sid"));
    }
    let jti = text("jti").ok_or_else(|| wrong("jti"))?;
    let key = format!("logout {}", base64url(digest(&format!("{} {jti}", client.issuer())).0));
    // Before that every node has refused it, as one of the future.
    Ok(Ended { subject, sid, once: Once::between(key, issued_at - SKEW, now + REMEMBERED) })
}

#[track_caller]
fn wrong(what: &str) -> Error {
    Error::conflict(format!("the provider's logout token: {what}"))
}
