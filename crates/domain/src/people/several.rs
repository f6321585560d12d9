//! Several people in one transaction: it holds all of them before anything else, in the order of their ids, so that it and another one that
//! takes the same people never wait for each other.

use std::collections::BTreeSet;

use svc_core::{AccountId, Result};
use svc_db::{Call, System, Tenant, Tx, args, sql, system_sql};

use super::email::Email;
use crate::people::credentials;
use crate::people::tenant_users::{Status, identifier_key};

/// How many accounts are looked for in one round trip.
const AT_ONCE: usize = 200;

/// Holds the accounts with these addresses that are to become members of the tenant, unless they are already.
///
/// Who makes several accounts members begins with this: they are held before what the plan of the tenant allows, as by one who joins.
pub async fn hold_newcomers(tx: &mut Tx<Tenant>, emails: &[Email]) -> Result<()> {
    let select = sql!(
        "SELECT a.id FROM accounts a WHERE a.email_key = $2 AND NOT EXISTS (SELECT 1 FROM tenant_users u \
         WHERE u.tenant_id = $1 AND u.account_id = a.id AND u.status <> 'removed')"
    );
    let calls = emails.iter().map(|email| tx.call(select, args![email.key()])).collect();
    let found = ids(tx, calls).await?;
    hold(tx, &found);
    Ok(())
}

/// A member of the tenant with this slug who is to be suspended, or let in again.
pub struct Moving<'a> {
    /// The slug.
    pub tenant: &'a str,
    /// What the person signs in as.
    pub identifier: &'a str,
    /// The status that ends.
    pub from: Status,
}

/// The same for several tenants: of those who are to become members of the one with this slug, and of those who are to be suspended or
/// let in again.
pub async fn hold_of_tenants(
    tx: &mut Tx<System>,
    joining: &[(&str, Email)],
    moving: &[Moving<'_>],
) -> Result<()> {
    let newcomer = system_sql!(
        "SELECT a.id FROM accounts a WHERE a.email_key = $1 AND NOT EXISTS (SELECT 1 FROM tenant_users u \
         JOIN tenants t ON t.id = u.tenant_id WHERE t.slug = $2 AND u.account_id = a.id AND u.status <> 'removed')"
    );
    let newcomers = joining.iter().map(|(tenant, email)| tx.call(newcomer, args![email.key(), *tenant]));
    let calls = newcomers.chain(moving.iter().map(|moving| member(tx, moving))).collect();
    let found = ids(tx, calls).await?;
    hold(tx, &found);
    Ok(())
}

/// Selects the account of a member who has the status that is to end.
fn member(tx: &Tx<System>, moving: &Moving<'_>) -> Call {
    let key = identifier_key(moving.identifier);
    // A user name has no `@`, so each form has its own index.
    let select = if key.contains('@') {
        system_sql!(
            "SELECT a.id FROM accounts a JOIN tenant_users u ON u.account_id = a.id JOIN tenants t ON t.id = u.tenant_id \
             WHERE a.email_key = $1 AND t.slug = $2 AND u.status <> 'removed' AND u.status = $3"
        )
    } else {
        system_sql!(
            "SELECT u.account_id AS id FROM tenant_users u JOIN tenants t ON t.id = u.tenant_id \
             WHERE u.username_key = $1 AND t.slug = $2 AND u.status <> 'removed' AND u.status = $3"
        )
    };
    tx.call(select, args![key, moving.tenant, moving.from.name()])
}

async fn ids<S>(tx: &mut Tx<S>, calls: Vec<Call>) -> Result<BTreeSet<AccountId>> {
    let (mut calls, mut found) = (calls.into_iter().peekable(), BTreeSet::new());
    while calls.peek().is_some() {
        for row in tx.batch_of(calls.by_ref().take(AT_ONCE).collect()).await?.iter().flatten() {
            found.insert(row.parse("id")?);
        }
    }
    Ok(found)
}

fn hold<S>(tx: &mut Tx<S>, accounts: &BTreeSet<AccountId>) {
    for account in accounts {
        credentials::hold(tx, *account);
    }
}
