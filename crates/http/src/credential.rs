//! The `Authorization` header: how an access token is sent and asked for (RFC 6750 §2.1, §3; RFC 9449 §7.1; RFC 9728
//! §5.1), and how a client sends its secret (RFC 6749 §2.3.1).

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_domain::tokens::access_token::Claims;
use svc_keys::{dpop, from_base64};

use crate::context::HostCx;
use crate::extract::decode;
use crate::render::printable;

/// What the paths of the control plane begin with.
const CONTROL_PLANE: &str = "/api/v1/control-plane/";

/// The scheme of an `Authorization` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Every holder of the token may use it.
    Bearer,
    /// Only the holder of a key may use it.
    Dpop,
}

/// An access token as it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credential<'a> {
    /// The scheme.
    pub scheme: Scheme,
    /// The token.
    pub token: &'a str,
}

impl<'a> Credential<'a> {
    /// The one access token of the `Authorization` header.
    pub fn of(headers: &'a HeaderMap) -> Result<Self> {
        let absent = || Error::unauthorized("an access token is required");
        let mut fields = headers.get_all(AUTHORIZATION).iter();
        let field = fields.next().ok_or_else(absent)?;
        if fields.next().is_some() {
            return Err(Error::unauthorized("there is more than one Authorization header"));
        }
        let (scheme, token) =
            field.to_str().ok().and_then(|field| field.split_once(' ')).ok_or_else(absent)?;
        let scheme = Scheme::from_name(scheme).ok_or_else(absent)?;
        let token = token.trim_matches(' ');
        if token.is_empty() { Err(absent()) } else { Ok(Self { scheme, token }) }
    }
}

/// The one bearer token of the `Authorization` header, where nothing else is accepted.
pub fn bearer(headers: &HeaderMap) -> Result<&str> {
    let credential = Credential::of(headers).ok().filter(|sent| sent.scheme == Scheme::Bearer);
    credential.map(|sent| sent.token).ok_or_else(|| Error::unauthorized("a bearer token is required"))
}

/// The name and the secret of a Basic credential; both halves are form-encoded (RFC 6749 §2.3.1, RFC 7617 §2).
pub fn basic(header: &str) -> Option<(String, String)> {
    let (scheme, encoded) = header.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") || encoded.len() > 4096 {
        return None;
    }
    let decoded = String::from_utf8(from_base64(encoded.trim())?).ok()?;
    let (name, secret) = decoded.split_once(':')?;
    Some((form_decoded(name)?, form_decoded(secret)?))
}

/// One value in form encoding: the same rules as for a whole form.
fn form_decoded(text: &str) -> Option<String> {
    if text.contains(['&', '=']) {
        return None;
    }
    decode(text).ok()
}

impl Scheme {
    /// The scheme in which a token with these claims is sent.
    pub(crate) fn of(claims: &Claims) -> Self {
        Self::from_name(claims.token_type()).unwrap_or(Self::Bearer)
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Bearer, Self::Dpop].into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer",
            Self::Dpop => "DPoP",
        }
    }

    /// What a tenant's API answers to a request whose token, sent like this, did not hold. It says where the metadata of the API is
    /// (RFC 9728 §5.1).
    pub fn challenge(self, host: &HostCx, error: Option<(&str, &str)>, scope: Option<&str>) -> String {
        let (issuer, described) = (&host.tenant.issuer, described_at(host));
        format!(
            "{}, resource_metadata=\"{issuer}/.well-known/oauth-protected-resource{described}\"",
            self.undescribed_challenge(host, error, scope)
        )
    }

    /// The same for an address of no API, which has no metadata. Where no keys can be proven, a proof is not asked for.
    pub fn undescribed_challenge(
        self,
        host: &HostCx,
        error: Option<(&str, &str)>,
        scope: Option<&str>,
    ) -> String {
        let asked = if host.offers(&Capability::DPOP) { self } else { Self::Bearer };
        let error =
            error.map(|(code, why)| format!(", error=\"{code}\", error_description=\"{}\"", printable(why)));
        let scope = scope.map(|scope| format!(", scope=\"{scope}\""));
        let algs = (asked == Self::Dpop).then(|| format!(", algs=\"{}\"", dpop::ALGORITHM_NAMES.join(" ")));
        format!(
            "{} realm=\"{}\"{}{}{}",
            asked.name(),
            host.tenant.issuer,
            error.unwrap_or_default(),
            scope.unwrap_or_default(),
            algs.unwrap_or_default(),
        )
    }
}

/// Where the metadata of the API is that was called, below that of the management API: a token for that one opens no control plane.
fn described_at(host: &HostCx) -> &'static str {
    let is_of_operators = host.arrival.route().is_some_and(|route| route.starts_with(CONTROL_PLANE));
    if is_of_operators { "/control-plane" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_credentials_are_form_decoded() {
        assert_eq!(basic("Basic YSUzQWI6cCtx").unwrap(), ("a:b".to_owned(), "p q".to_owned()));
        assert_eq!(basic("basic YTpi").unwrap(), ("a".to_owned(), "b".to_owned()));
    }

    #[test]
    fn malformed_basic_credentials_are_no_credentials() {
        for bad in
            ["Basic", "Basic ", "Basic !!!", "Basic YWI", "Basic YSUyOmI=", "Bearer YTpi", "Basic /w=="]
        {
            assert_eq!(basic(bad), None, "{bad}");
        }
        assert_eq!(basic(&format!("Basic {}", "A".repeat(65536))), None);
    }
}
