//! Claims that are asked for by name (OpenID Connect Core §5.5), and what of them a person has to consent to.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_core::Scope;

use crate::claims::profile;

/// What a claim is called among the scopes of a consent; no API can define a scope that begins so.
pub const CONSENT_PREFIX: &str = "claim:";

/// The claims about the person that an application asks for by name; others are never kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimsRequest {
    /// To be told by UserInfo.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub userinfo: BTreeSet<String>,
    /// To be told in the ID token.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub id_token: BTreeSet<String>,
}

impl ClaimsRequest {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.userinfo.is_empty() && self.id_token.is_empty()
    }

    /// The claims that an application with these scopes could have had by scope.
    #[must_use]
    pub fn within(&self, scope: &Scope) -> Self {
        Self { userinfo: within(&self.userinfo, scope), id_token: within(&self.id_token, scope) }
    }

    /// The claims, wherever they are to be told.
    pub fn names(&self) -> BTreeSet<&str> {
        self.userinfo.union(&self.id_token).map(String::as_str).collect()
    }

    /// What a consent to `scope` does not cover yet, as tokens that stand next to its scopes.
    pub fn beyond(&self, scope: &Scope) -> Scope {
        let is_beyond = |claim: &&str| !profile::unlocks(scope, claim);
        self.names().into_iter().filter(is_beyond).map(|claim| format!("{CONSENT_PREFIX}{claim}")).collect()
    }
}

/// Those of `claims` that `scope` unlocks.
pub fn within(claims: &BTreeSet<String>, scope: &Scope) -> BTreeSet<String> {
    claims.iter().filter(|claim| profile::unlocks(scope, claim)).cloned().collect()
}

/// Whether a consent to `given` covers `token`: the token itself, or for a claim the scope that unlocks it.
pub fn covers(given: &Scope, token: &str) -> bool {
    let claim = token.strip_prefix(CONSENT_PREFIX);
    given.has(token) || claim.is_some_and(|claim| profile::unlocks(given, claim))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(text: &str) -> Scope {
        text.parse().unwrap()
    }

    fn request(userinfo: &[&str], id_token: &[&str]) -> ClaimsRequest {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        ClaimsRequest { userinfo: set(userinfo), id_token: set(id_token) }
    }

    #[test]
    fn only_claims_that_a_scope_of_the_application_unlocks_are_kept() {
        let asked = request(&["email", "birthdate", "unheard_of"], &["name", "phone_number"]);
        assert_eq!(asked.within(&scope("openid profile")), request(&["birthdate"], &["name"]));
        assert!(asked.within(&scope("openid")).is_empty());
    }

    #[test]
    fn a_consent_names_the_claims_that_no_scope_of_it_covers() {
        let asked = request(&["email", "birthdate"], &["birthdate", "phone_number"]);
        assert_eq!(asked.beyond(&scope("openid email")), scope("claim:birthdate claim:phone_number"));
        assert_eq!(asked.beyond(&scope("profile email phone")), Scope::default());
    }

    #[test]
    fn a_claim_is_covered_by_itself_and_by_its_scope() {
        assert!(covers(&scope("claim:email"), "claim:email"));
        assert!(covers(&scope("email"), "claim:email"));
        assert!(covers(&scope("email"), "email"));
        assert!(!covers(&scope("claim:email"), "email"), "a scope is more than one claim of it");
        assert!(!covers(&scope("profile phone"), "claim:email"));
    }
}
