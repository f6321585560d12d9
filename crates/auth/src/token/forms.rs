//! The forms of the token endpoint, one for each grant, made of the facts of the grants.

use svc_http::FormOf;

use super::grant::Grant;
use super::grants::GRANTS;
use crate::authorize::Reads;

/// What every grant reads.
const COMMON: &[&str] = &["scope", "resource", "audience", "authorization_details"];

/// A form for each grant.
pub(super) fn forms() -> Vec<FormOf> {
    GRANTS.iter().map(of).collect()
}

fn of(grant: &'static Grant) -> FormOf {
    let facts = &grant.facts;
    let needed: Vec<_> = ["grant_type"].iter().chain(facts.needed).copied().collect();
    let reads = Reads { needed: &needed, usual: &[], taken: &[facts.parameters, COMMON] };
    let mut form = reads.client_form(&named(facts.label), &format!("The grant `{}`.", facts.name));
    form.capability = facts.capability;
    for parameter in form.parameters.iter_mut().filter(|parameter| parameter.name == "grant_type") {
        (parameter.example, parameter.values) = (facts.name, std::slice::from_ref(&facts.name));
    }
    form
}

/// `authorization_code` becomes `AuthorizationCodeTokenRequest`.
fn named(label: &str) -> String {
    let words = label.split('_').flat_map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        [first.to_ascii_uppercase(), rest.to_owned()]
    });
    words.chain(["TokenRequest".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_of_a_grant_is_described() {
        for (grant, form) in GRANTS.iter().zip(forms()) {
            let declared = grant.facts.needed.iter().chain(grant.facts.parameters).chain(COMMON);
            for name in declared {
                assert!(form.parameters.iter().any(|known| known.name == *name), "{}: {name}", form.name);
            }
        }
    }

    #[test]
    fn forms_are_named_by_their_grant() {
        assert_eq!(named("authorization_code"), "AuthorizationCodeTokenRequest");
    }
}
