//! What wrong guesses at passwords are counted by: the names that people type, and the account that answers to them.

use svc_core::{Digest, TenantId};
use svc_db::{Tenant, Tx};
use svc_keys::digest;

use super::changes::Candidate;
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

/// Forgets what was guessed wrong at an account, by itself and by the names that it answers to in the tenant: a new password does.
pub fn clear(tx: &mut Tx<Tenant>, Candidate { account, member }: &Candidate) {
    let tenant = tx.tenant();
    let username = member.as_ref().and_then(|member| member.username.as_deref());
    let names = [account.email.as_deref(), username].into_iter().flatten();
    for counter in names.map(|name| at_name(tenant, name)).chain([attempts::subject_of(account.id)]) {
        attempts::clear(tx, counter);
    }
}
