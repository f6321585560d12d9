//! What wrong guesses at passwords are counted by: the names that people type, and the account that answers to them.

use svc_core::{AccountId, Digest, TenantId};
use svc_keys::digest;

use super::tenant_users::identifier_key;
use crate::coordination::attempts;

/// The counter of a name. An address is one name in the whole deployment, as its account is; a user name is a tenant's.
pub fn at_name(tenant: TenantId, typed: &str) -> Digest {
    let key = identifier_key(typed);
    if key.contains('@') {
        return digest(&format!("address {key}"));
    }
    digest(&format!("identifier {tenant} {key}"))
}

/// The counters of an account and of the names that it answers to in a tenant: a new password clears them.
pub fn at_account(tenant: TenantId, account: AccountId, names: [Option<&str>; 2]) -> Vec<Digest> {
    let names = names.into_iter().flatten().map(|name| at_name(tenant, name));
    names.chain([attempts::subject_of(account)]).collect()
}
