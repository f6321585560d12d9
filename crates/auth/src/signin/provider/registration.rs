//! Our registration at a provider (RFC 6749 §2): a client with an id, a way to prove itself, and an address to come back to.

use serde_json::{Map, Value};
use svc_core::{Secret, Timestamp};
use svc_http::ChosenBy;

use super::freshness::Renewal;

/// Our registration at a provider.
#[derive(Clone, Debug)]
pub struct Registration {
    /// How the provider speaks, and where.
    pub speaks: Speaks,
    /// By whose word it is there.
    pub chosen_by: ChosenBy,
    /// What it calls us.
    pub client_id: String,
    /// How we prove ourselves.
    pub authentication: Authentication,
    /// The scopes asked for.
    pub scopes: Vec<String>,
    /// Where it sends people back to: the whole address.
    pub redirect_uri: String,
    /// Whether it is sent a challenge (RFC 7636); some refuse parameters that they do not know.
    pub uses_pkce: bool,
    /// The members that a sign-in reads: those that an ID token lacks are asked for.
    pub reads: Vec<String>,
    /// Whether it is to answer by a form (OAuth 2.0 Form Post Response Mode).
    pub answers_by_form: bool,
    /// How it is asked for a fresh sign-in.
    pub renewal: Renewal,
}

/// The protocol of a provider.
#[derive(Clone, Debug)]
pub enum Speaks {
    /// OpenID Connect: where its metadata are, and how it calls itself there. `{tenantid}` in the name stands for the `tid` of
    /// an ID token, as where a provider serves many directories at one address.
    OpenId {
        /// The address in front of `/.well-known/openid-configuration`.
        at: String,
        /// How it calls itself.
        issuer: String,
    },
    /// Plain OAuth 2.0: it gives an access token, for which an endpoint says who the person is.
    Oauth(Endpoints),
}

/// Where a provider of plain OAuth 2.0 is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// Where the browser goes.
    pub authorization_endpoint: String,
    /// Where codes are redeemed.
    pub token_endpoint: String,
    /// What says who the person is.
    pub userinfo_endpoint: String,
    /// What the provider is called where people are bound to it: stays when the endpoints move.
    pub name: String,
}

/// How we prove ourselves at a provider (OpenID Connect Core §9).
#[derive(Clone, Debug)]
pub enum Authentication {
    /// By a secret in the `Authorization` header.
    Basic(Secret),
    /// By a secret in the body.
    Post(Secret),
    /// By an assertion that a key of the tenant signs.
    PrivateKeyJwt,
    /// Not at all: a public client, which the challenge protects.
    None,
}

/// What a code brought.
#[derive(Debug)]
pub struct Proven {
    /// What the provider says of the person; of an ID token the claims, checked.
    pub document: Map<String, Value>,
    /// What opens the endpoints that say more.
    pub access_token: Option<String>,
    /// When the person last proved who they are there, where the provider says so.
    pub seen_at: Option<Timestamp>,
}

impl Registration {
    /// The provider's name: what an answer, and a person bound to it, belong to.
    pub fn issuer(&self) -> &str {
        match &self.speaks {
            Speaks::OpenId { issuer, .. } => issuer,
            Speaks::Oauth(endpoints) => &endpoints.name,
        }
    }
}
