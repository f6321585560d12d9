//! Access tokens as JWTs (RFC 9068): their claims, and the checks that need no database.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{ApiKeyId, Error, OrganizationId, Result, Scope, Seconds, TenantRef, Timestamp};
use svc_keys::jose::{Dated, Jws, KeyRing, Times, Typ};
use utoipa::ToSchema;

/// The longest that an API may let its access tokens live; a revocation is kept as long.
pub const LONGEST_LIFETIME: Seconds = Seconds(86_400);

/// The claims of an access token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    /// The tenant's issuer.
    pub iss: String,
    /// The subject within tenant and application.
    pub sub: String,
    /// The one API that the token is for.
    pub aud: String,
    /// End of validity, seconds since the epoch.
    pub exp: i64,
    /// Start of validity.
    pub nbf: i64,
    /// Time of issue.
    pub iat: i64,
    /// The token's id; `<family>.<random>` where the token belongs to a refresh family.
    pub jti: String,
    /// The isolation boundary.
    pub tenant_id: TenantRef,
    /// The application that received the token.
    pub client_id: String,
    /// What it permits.
    pub scope: Scope,
    /// The category of caller.
    pub subject_type: SubjectType,
    /// The session behind a person's token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// When the person signed in (RFC 9470 §6.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<i64>,
    /// How strongly the person signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acr: Option<String>,
    /// How the person signed in (RFC 8176).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amr: Vec<String>,
    /// Delegation (RFC 8693 §4.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Value>,
    /// What was granted in detail (RFC 9396 §9.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details: Vec<Value>,
    /// The claims that UserInfo tells besides those of the scope (OpenID Connect Core §5.5).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub userinfo_claims: BTreeSet<String>,
    /// The person's roles, where the API wants them (RFC 9068 §2.2.3.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The names of the person's groups, where the API wants them (RFC 9068 §2.2.3.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The scopes that the person's roles permit, where the API wants them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
    /// The organization in which it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<OrganizationContext>,
    /// Sender constraint (RFC 7800).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cnf: Option<Confirmation>,
}

/// The organization in which a person acts with a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrganizationContext {
    /// The organization.
    #[schema(value_type = String)]
    pub id: OrganizationId,
    /// The name in addresses and requests.
    pub slug: String,
    /// The person's roles there.
    pub roles: Vec<String>,
}

/// What the sender of a token has to prove; at least one member is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Members", into = "Members")]
pub struct Confirmation {
    /// The thumbprint of a key (RFC 9449 §6.1).
    pub jkt: Option<String>,
    /// The thumbprint of a certificate (RFC 8705 §3.1).
    pub x5t_s256: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Members {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    jkt: Option<String>,
    #[serde(default, rename = "x5t#S256", skip_serializing_if = "Option::is_none")]
    x5t_s256: Option<String>,
}

impl Confirmation {
    /// What a sender has proven, if it is anything.
    pub fn of(jkt: Option<String>, x5t_s256: Option<String>) -> Option<Self> {
        (jkt.is_some() || x5t_s256.is_some()).then_some(Self { jkt, x5t_s256 })
    }

    /// Whether a sender that has proven `jkt` and `x5t_s256` is the one that is meant.
    pub fn is_held(&self, jkt: Option<&str>, x5t_s256: Option<&str>) -> bool {
        let is_met = |wanted: &Option<String>, proven| wanted.is_none() || wanted.as_deref() == proven;
        is_met(&self.jkt, jkt) && is_met(&self.x5t_s256, x5t_s256)
    }
}

impl TryFrom<Members> for Confirmation {
    type Error = &'static str;

    /// A token that is bound in a way that is not known here must not pass as unbound.
    fn try_from(Members { jkt, x5t_s256 }: Members) -> std::result::Result<Self, Self::Error> {
        Self::of(jkt, x5t_s256).ok_or("cnf has no member that is known")
    }
}

impl From<Confirmation> for Members {
    fn from(Confirmation { jkt, x5t_s256 }: Confirmation) -> Self {
        Self { jkt, x5t_s256 }
    }
}

/// Who is behind a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubjectType {
    /// A person.
    Human,
    /// An AI agent.
    Agent,
    /// An application acting for itself.
    System,
    /// A person who is not known.
    Anonymous,
}

impl Dated for Claims {
    fn times(&self) -> Times {
        Times { exp: self.exp, nbf: self.nbf, iat: self.iat }
    }
}

impl Claims {
    /// How the token is sent (RFC 6750 §6.1.1, RFC 9449 §5): one that is bound to a certificate alone as any other.
    pub fn token_type(&self) -> &'static str {
        let has_key = self.cnf.as_ref().is_some_and(|bound| bound.jkt.is_some());
        if has_key { "DPoP" } else { "Bearer" }
    }

    /// The refresh family that the token belongs to, if any.
    pub fn family(&self) -> Option<&str> {
        self.jti.split_once('.').map(|(family, _)| family)
    }

    /// The API key that stands where an access token does, or that was exchanged for this one: its `jti` begins with the key.
    pub fn api_key(&self) -> Option<ApiKeyId> {
        self.client_id.parse().ok().or_else(|| self.family()?.parse().ok())
    }

    /// Whether they are those of an API key.
    pub fn is_of_api_key(&self) -> bool {
        self.api_key().is_some()
    }

    /// The one organization that they concern: that of an API key which belongs to one. A person is none's.
    pub fn confined_to(&self) -> Option<OrganizationId> {
        self.org.as_ref().filter(|_| self.is_of_api_key()).map(|org| org.id)
    }
}

/// Verifies type, signature, time and issuer; audience, tenant and scope are the caller's to hold against its own.
pub fn verify(ring: &KeyRing, token: &str, issuer: &str, now: Timestamp) -> Result<Claims> {
    from_issuer(ring.read(token, Typ::AccessToken, now)?, issuer)
}

/// Does the same for a token that may be for any API: one that wants the type `JWT` gets it.
///
/// ID tokens have that type too. They lack members that every access token has, the key that signs ID tokens alone signs
/// nothing that is accepted here, and no token of that type is for the issuer itself.
pub fn verify_for_any_api(ring: &KeyRing, token: &str, issuer: &str, now: Timestamp) -> Result<Claims> {
    verify(ring, token, issuer, now).or_else(|error| {
        let is_fit = Jws::parse(token, Typ::AccessToken.algorithms()).is_ok();
        let claims: Option<Claims> = is_fit.then(|| ring.read(token, Typ::Jwt, now).ok()).flatten();
        from_issuer(claims.filter(|claims| claims.aud != issuer).ok_or(error)?, issuer)
    })
}

fn from_issuer(claims: Claims, issuer: &str) -> Result<Claims> {
    if claims.iss == issuer {
        Ok(claims)
    } else {
        Err(Error::invalid_token("the token is from another issuer"))
    }
}
