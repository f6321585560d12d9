//! Scopes and audiences that a file names have to be there once all of it is: a misspelt one would be granted to nothing.

use std::collections::BTreeSet;

use svc_core::STANDARD_SCOPES;
use svc_db::{Tenant as Space, Tx};
use svc_domain::apis::management::MANAGEMENT;
use svc_domain::apis::{self, Api};
use svc_domain::tenancy::tenants;

use super::Tenant;
use super::faults::Faults;
use crate::failure::Failure;
use crate::pages::read_all;

/// Refuses names that no API of the tenant has; every one is named, with what it may stand for.
pub(super) async fn check(
    tx: &mut Tx<Space>,
    (tenant, wanted): (&tenants::Tenant, &Tenant),
    (outer, faults): (&str, &mut Faults),
) -> Result<(), Failure> {
    let apis = all(tx, tenant).await?;
    // An API of the file that has faults is not there, but known.
    let listed = wanted.api.iter();
    let scopes =
        apis.iter().map(|api| &api.configuration).chain(listed.clone().map(|api| &api.configuration));
    let scopes = scopes.flat_map(|configuration| &configuration.scopes).map(|scope| scope.name.as_str());
    let scopes: BTreeSet<&str> = scopes.chain(STANDARD_SCOPES.iter().copied()).collect();
    // An application may name the management API by its stored name.
    let identifiers = apis.iter().map(|api| &api.identifier).chain(listed.map(|api| &api.identifier));
    let identifiers = identifiers.map(String::as_str);
    let audiences: BTreeSet<&str> = identifiers.chain([MANAGEMENT]).collect();
    for application in &wanted.application {
        let configuration = &application.configuration;
        let place = format!("{outer}: application {:?}", application.handle);
        let mut refuse = |fault: String| {
            faults.note::<()>(&application.written, &place, Err(Failure::new(fault))).map(|_| ())
        };
        for scope in configuration.scope.iter().filter(|scope| !scopes.contains(scope)) {
            refuse(format!("scope: no API has {scope:?}{}", suggestion(scope, &scopes)))?;
        }
        for audience in configuration.audience.iter().filter(|name| !audiences.contains(name.as_str())) {
            refuse(format!("audience: no API is {audience:?}{}", suggestion(audience, &audiences)))?;
        }
    }
    Ok(())
}

/// Every API, the disabled ones too.
pub(super) async fn all(tx: &mut Tx<Space>, tenant: &tenants::Tenant) -> Result<Vec<Api>, Failure> {
    Ok(read_all!(|page| apis::list(tx, tenant, page).await?, |api| api.id))
}

fn suggestion(written: &str, known: &BTreeSet<&str>) -> String {
    let nearest = nearest(written, known.iter().copied());
    nearest.map(|known| format!("; did you mean {known:?}?")).unwrap_or_default()
}

/// The name that fewest typing mistakes lead to.
pub(super) fn nearest<'k>(written: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let mistakes = |known: &&str| strsim::damerau_levenshtein(known, written);
    known.into_iter().min_by_key(mistakes).filter(|known| mistakes(known) <= 1 + written.len() / 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_followed_by_the_nearest_one() {
        let known = BTreeSet::from(["orders:read", "orders:write"]);
        assert_eq!(suggestion("orders:raed", &known), "; did you mean \"orders:read\"?");
        assert_eq!(suggestion("invoices", &known), "");
    }
}
