//! Claims that a tenant cannot define: those of the standards that tokens of this service carry, or that receivers decide by.

use super::profile::CLAIMS_OF_SCOPES;

/// Names of RFC 7519 §4.1, RFC 8693 §4, RFC 9068 §2.2, RFC 9396 §9.1, RFC 9449 §6.1, OpenID Connect Core §2 and §5.6.2 and
/// Back-Channel Logout §2.4, of introspection (RFC 7662 §2.2), and those of this service.
const RESERVED: &[&str] = &[
    "_claim_names",
    "_claim_sources",
    "acr",
    "act",
    "active",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "authorization_details",
    "azp",
    "c_hash",
    "client_id",
    "cnf",
    "entitlements",
    "events",
    "exp",
    "iat",
    "iss",
    "jti",
    "may_act",
    "nbf",
    "nonce",
    "org",
    "permissions",
    "s_hash",
    "scope",
    "sid",
    "sub",
    "sub_id",
    "subject_type",
    "tenant_id",
    "token_type",
    "txn",
    "userinfo_claims",
    "username",
];

/// Whether a claim means something already.
pub fn is_reserved(name: &str) -> bool {
    let is_standard = || CLAIMS_OF_SCOPES.iter().any(|(_, names)| names.contains(&name));
    RESERVED.contains(&name) || is_standard()
}
