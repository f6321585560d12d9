//! The ID token (OpenID Connect Core §2): who signed in, when and how, with the claims of the granted scopes where the
//! application takes them here, and those that were asked for here by name.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};
use svc_core::{Error, OrInternal as _, Scope};
use svc_domain::apps::IdTokenClaims;
use svc_domain::claims::profile::unlocks;
use svc_domain::grants::grant::Authentication;
use svc_domain::people::tenant_users::Person;
use svc_domain::tokens::access_token::OrganizationContext;
use svc_keys::jose::{KeyRing, Signer, Typ, at_hash};

use super::grant::Request;

/// What an ID token says.
pub(super) struct About<'a> {
    pub(super) person: &'a Person,
    pub(super) authentication: &'a Authentication,
    pub(super) nonce: Option<&'a str>,
    pub(super) access_token: &'a str,
    /// The claims about the person that were asked for by name (OpenID Connect Core §5.5).
    pub(super) claims: &'a BTreeSet<String>,
    /// What was granted.
    pub(super) scope: &'a Scope,
    /// The organization in which the tokens count.
    pub(super) organization: Option<OrganizationContext>,
    /// The claims of the tenant's own.
    pub(super) custom: Map<String, Value>,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: String,
    exp: i64,
    iat: i64,
    auth_time: i64,
    /// Neither is there of a guest, who has proven nothing.
    #[serde(skip_serializing_if = "str::is_empty")]
    acr: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    amr: &'a [String],
    sid: String,
    at_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    org: Option<&'a OrganizationContext>,
    /// Who acts in the place of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<Value>,
    #[serde(flatten)]
    told: Map<String, Value>,
}

pub(super) async fn sign(request: &Request<'_>, ring: &KeyRing, about: About<'_>) -> Result<String, Error> {
    let host = request.host;
    let limits = &host.tenant.settings.limits.jwt;
    let algorithm = request.app.configuration.id_token_algorithm();
    host.app.services.keys.publish(host.tenant.id.reference(), algorithm);
    let tells_scopes = request.app.configuration.id_token_claims() == IdTokenClaims::Scopes;
    let is_told = |name: &str| about.claims.contains(name) || (tells_scopes && unlocks(about.scope, name));
    let mut told = about.person.known().claims_where(is_told);
    told.extend(about.custom);
    let claims = Claims {
        iss: &host.tenant.issuer,
        sub: &about.person.subject,
        aud: request.app.client_id(),
        exp: (host.cx.now + limits.id_token_lifetime_secs(&host.app.config)).as_secs(),
        iat: host.cx.now.as_secs(),
        auth_time: about.authentication.auth_time.as_secs(),
        acr: &about.authentication.acr,
        amr: &about.authentication.amr,
        sid: about.authentication.session.to_string(),
        at_hash: at_hash(algorithm, about.access_token),
        nonce: about.nonce,
        org: about.organization.as_ref(),
        act: about.authentication.act(),
        told,
    };
    let payload = serde_json::to_vec(&claims).or_internal()?;
    ring.sign(algorithm, Typ::Jwt, &payload).await
}
