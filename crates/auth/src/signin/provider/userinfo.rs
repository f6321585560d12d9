//! What a provider says of a person to whom we show the access token (OpenID Connect Core §5.3).

use serde_json::{Map, Value};
use svc_core::{Error, OrInternal as _, Result};
use svc_http::{ChosenBy, HeaderMap, HeaderValue, HostCx, header};

use super::metadata::Metadata;
use super::reach;
use super::registration::Registration;

/// What is said of a sign-in rather than of a person: in the ID token or nowhere.
const OF_SIGN_IN: &[&str] = &["acr", "amr", "auth_time", "sid"];

/// The claims of an ID token, with what it lacks and the sign-in reads.
pub async fn completed(
    host: &HostCx,
    client: &Registration,
    (metadata, access_token): (&Metadata, Option<&str>),
    mut claims: Map<String, Value>,
) -> Result<Map<String, Value>> {
    let is_whole = client.reads.iter().all(|name| claims.contains_key(name));
    let (Some(url), Some(token), false) = (&metadata.userinfo_endpoint, access_token, is_whole) else {
        return Ok(claims);
    };
    let more = person(host, (client.chosen_by, url), token).await?;
    // Without this, the token of another person could be put in the place of this one's (OpenID Connect Core §5.3.2).
    if more.get("sub") != claims.get("sub") {
        return Err(Error::conflict("the provider's user endpoint: another person"));
    }
    for (name, value) in more.into_iter().filter(|(name, _)| !OF_SIGN_IN.contains(&name.as_str())) {
        claims.entry(name).or_insert(value);
    }
    Ok(claims)
}

/// What the endpoint says of the person of an access token.
pub async fn person(host: &HostCx, at: (ChosenBy, &str), access_token: &str) -> Result<Map<String, Value>> {
    match fetch(host, at, access_token).await? {
        Value::Object(document) => Ok(document),
        _ => Err(Error::conflict("the provider's user endpoint: no object")),
    }
}

/// Reads the JSON document at a URL, which is there by the word of one, with an access token as bearer (RFC 6750 §2.1).
pub async fn fetch(host: &HostCx, (chosen_by, url): (ChosenBy, &str), access_token: &str) -> Result<Value> {
    let mut bearer = HeaderValue::try_from(format!("Bearer {access_token}")).or_internal()?;
    bearer.set_sensitive(true);
    let mut headers = HeaderMap::new();
    headers.insert(header::AUTHORIZATION, bearer);
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    // GitHub refuses requests without a user agent.
    headers.insert(header::USER_AGENT, HeaderValue::from_static("svc"));
    let answer = reach::get(host, ("user endpoint", chosen_by, url), headers).await?;
    if answer.status != 200 {
        let class = reach::class_of(answer.status.as_u16());
        return Err(Error::new(class, format!("the provider's user endpoint: status {}", answer.status)));
    }
    serde_json::from_slice(&answer.body)
        .map_err(|cause| Error::conflict("the provider's user endpoint: no JSON").caused_by(cause))
}
