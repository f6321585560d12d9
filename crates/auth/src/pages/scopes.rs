//! The sentences for standard scopes, and for claims that are asked for by name.

/// The standard scopes (OpenID Connect Core §5.4, §11) and the ids of their sentences.
pub(super) const SCOPES: &[(&str, &str)] = &[
    ("openid", "scope-openid"),
    ("profile", "scope-profile"),
    ("email", "scope-email"),
    ("address", "scope-address"),
    ("phone", "scope-phone"),
    ("offline_access", "scope-offline-access"),
    // Claims that are asked for by name, as consents call them.
    ("claim:name", "claim-name"),
    ("claim:given_name", "claim-given-name"),
    ("claim:family_name", "claim-family-name"),
    ("claim:middle_name", "claim-middle-name"),
    ("claim:nickname", "claim-nickname"),
    ("claim:preferred_username", "claim-preferred-username"),
    ("claim:profile", "claim-profile"),
    ("claim:picture", "claim-picture"),
    ("claim:website", "claim-website"),
    ("claim:gender", "claim-gender"),
    ("claim:birthdate", "claim-birthdate"),
    ("claim:zoneinfo", "claim-zoneinfo"),
    ("claim:locale", "claim-locale"),
    ("claim:updated_at", "claim-updated-at"),
    ("claim:email", "scope-email"),
    ("claim:email_verified", "claim-email-verified"),
    ("claim:address", "scope-address"),
    ("claim:phone_number", "scope-phone"),
    ("claim:phone_number_verified", "claim-phone-number-verified"),
];

/// The id of the sentence for a standard scope or claim.
pub(super) fn scope(name: &str) -> Option<&'static str> {
    SCOPES.iter().find(|(scope, _)| *scope == name).map(|(_, id)| *id)
}

/// The place of a sentence in the order in which people expect them.
pub(super) fn rank(id: &'static str) -> usize {
    SCOPES.iter().position(|(_, known)| *known == id).unwrap_or(SCOPES.len())
}
