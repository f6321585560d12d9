//! How an access token is sent and asked for (RFC 6750 §2.1, §3; RFC 9449 §7.1; RFC 9728 §5.1).

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use svc_core::{Error, Result};
use svc_domain::tenants::Tenant;
use svc_keys::dpop;

use crate::render::printable;

/// The scheme of an `Authorization` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Whoever has the token may use it.
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

impl Scheme {
    fn from_name(name: &str) -> Option<Self> {
        [Self::Bearer, Self::Dpop].into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer",
            Self::Dpop => "DPoP",
        }
    }

    /// What a tenant's API answers to a request whose token, sent like this, did not hold.
    pub fn challenge(self, tenant: &Tenant, error: Option<(&str, &str)>, scope: Option<&str>) -> String {
        let issuer = &tenant.issuer;
        let error =
            error.map(|(code, why)| format!(" error=\"{code}\", error_description=\"{}\",", printable(why)));
        let scope = scope.map(|scope| format!(" scope=\"{scope}\","));
        let algs = (self == Self::Dpop).then(|| format!(" algs=\"{}\",", dpop::ALGORITHM_NAMES.join(" ")));
        format!(
            "{} realm=\"{issuer}\",{}{}{} resource_metadata=\"{issuer}/.well-known/oauth-protected-resource\"",
            self.name(),
            error.unwrap_or_default(),
            scope.unwrap_or_default(),
            algs.unwrap_or_default(),
        )
    }
}
