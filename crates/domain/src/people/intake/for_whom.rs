//! For whose people something is that a tenant asks: for those of organizations, or for all.

use std::collections::BTreeSet;

use svc_core::{Cx, Error, OrganizationId, Result};
use svc_db::{Tenant, Tx, args, sql};

use crate::checks::require;
use crate::people::{fields, terms};

/// Most organizations that one record names.
const MOST: usize = 100;

/// Whether something that names organizations counts in the context of these; what names none counts everywhere.
pub fn includes(named: &[OrganizationId], organizations: &[OrganizationId]) -> bool {
    named.is_empty() || named.iter().any(|id| organizations.contains(id))
}

/// Refuses a list that no record has.
pub fn check(named: &[OrganizationId]) -> Result<()> {
    let ids: BTreeSet<_> = named.iter().collect();
    require(
        named.len() <= MOST && ids.len() == named.len(),
        "organization_ids: name at most 100 organizations, each once",
    )
}

/// Refuses organizations that the tenant does not have.
pub async fn must_exist(tx: &mut Tx<Tenant>, named: &[OrganizationId]) -> Result<()> {
    let select = sql!("SELECT id FROM organizations WHERE tenant_id = $1 AND id = $2");
    for id in named {
        if tx.optional(select, args![*id]).await?.is_none() {
            return Err(Error::bad_request(format!(
                "organization_ids: {id} is no organization of this tenant"
            )));
        }
    }
    Ok(())
}

/// Takes an organization that is deleted out of what is asked of its people; what was asked of them alone is deleted with it, as it
/// would be asked of everyone otherwise.
pub async fn forget(tx: &mut Tx<Tenant>, cx: &Cx, organization: OrganizationId) -> Result<()> {
    terms::forget(tx, cx, organization).await?;
    fields::forget(tx, cx, organization).await
}

/// The rest of a list that names something which is deleted.
pub fn without<I: Copy + PartialEq>(named: &[I], deleted: I) -> Option<Vec<I>> {
    let rest = || named.iter().copied().filter(|id| *id != deleted).collect();
    named.contains(&deleted).then(rest)
}

#[cfg(test)]
mod tests {
    use svc_core::{SeededEntropy, Timestamp};

    use super::*;

    #[test]
    fn what_names_organizations_counts_in_their_context_alone() {
        let id = |seed| OrganizationId::new(Timestamp::from_secs(1_700_000_000), &SeededEntropy::new(seed));
        let (one, other) = (id(1), id(2));
        for (named, organizations, counts) in [
            (vec![], vec![], true),
            (vec![], vec![one], true),
            (vec![one], vec![], false),
            (vec![one], vec![other], false),
            (vec![one, other], vec![other], true),
            (vec![one], vec![other, one], true),
        ] {
            assert_eq!(includes(&named, &organizations), counts, "{named:?} in {organizations:?}");
        }
        assert_eq!(without(&[one, other], one), Some(vec![other]));
        assert_eq!((without(&[one], one), without(&[other], one)), (Some(Vec::new()), None));
    }

    #[test]
    fn a_list_names_each_organization_once_and_not_too_many() {
        let id = |seed| OrganizationId::new(Timestamp::from_secs(1_700_000_000), &SeededEntropy::new(seed));
        check(&[]).unwrap();
        check(&[id(1), id(2)]).unwrap();
        assert!(check(&[id(1), id(1)]).is_err());
        assert!(check(&(0..101).map(id).collect::<Vec<_>>()).is_err());
    }
}
