//! Reads of tenant users, with the account behind each.

use std::collections::BTreeSet;

use svc_core::{AccountId, Digest, Result, TenantUserId};
use svc_db::{Call, Row, Tenant, Tx, args, sql};

use super::{Person, Status};
use crate::document;
use crate::people::accounts::Email;

/// Reads people; the argument says which.
macro_rules! people_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, account_id, subject, username, status, roles, group_roles, group_names, metadata, guest_used_at, email, email_verified, profile, password, \
             credentials_changed_at, account_status, created_at, updated_at, account_updated_at \
             FROM people WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// What stands for a person, stored by its digest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Credential {
    /// An approved device code.
    DeviceCode,
    /// An approved backchannel request.
    CibaRequest,
}

/// One membership with its account.
pub async fn find(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Option<Person>> {
    let select = people_sql!("id = $2");
    tx.optional(select, args![id]).await?.as_ref().map(person).transpose()
}

/// Selects one membership, to be read with others in one round trip.
pub(crate) fn of_id(tx: &Tx<Tenant>, id: TenantUserId) -> Call {
    let select = people_sql!("id = $2");
    tx.call(select, args![id])
}

/// Selects the person behind a credential, to be read with it in one round trip. There is none where the session has ended in which it was
/// approved: what ends a session denies what was approved in it, and nothing else refuses an approval that was stored meanwhile.
pub(crate) fn behind(tx: &Tx<Tenant>, credential: Credential, digest: Digest) -> Call {
    let select = match credential {
        Credential::DeviceCode => people_sql!(
            "id = (SELECT c.tenant_user_id FROM device_codes c WHERE c.tenant_id = $1 AND c.digest = $2 \
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant_id = c.tenant_id AND s.id = c.session_id \
             AND s.ended_at IS NOT NULL AND s.continued_as IS NULL))"
        ),
        Credential::CibaRequest => people_sql!(
            "id = (SELECT c.tenant_user_id FROM ciba_requests c WHERE c.tenant_id = $1 AND c.digest = $2 \
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.tenant_id = c.tenant_id AND s.id = c.session_id \
             AND s.ended_at IS NOT NULL AND s.continued_as IS NULL))"
        ),
    };
    tx.call(select, args![digest])
}

/// The person that a statement yielded.
pub(crate) fn one(rows: &[Row]) -> Result<Option<Person>> {
    rows.first().map(person).transpose()
}

/// Selects the membership that a `sub` names: the tenant's own, and the one behind a pairwise subject.
pub fn of_subject(tx: &Tx<Tenant>, subject: &str) -> [Call; 2] {
    let own = people_sql!("subject = $2");
    let pairwise = people_sql!(
        "id = (SELECT tenant_user_id FROM pairwise_subjects WHERE tenant_id = $1 AND subject = $2)"
    );
    [tx.call(own, args![subject]), tx.call(pairwise, args![subject])]
}

/// The membership that a `sub` names, also a pairwise one.
pub async fn find_by_subject(tx: &mut Tx<Tenant>, subject: &str) -> Result<Option<Person>> {
    let [own, pairwise] = tx.batch(of_subject(tx, subject)).await?;
    named_by_subject(&own, &pairwise)
}

/// The membership that the statements of [`of_subject`] yielded.
pub fn named_by_subject(own: &[Row], pairwise: &[Row]) -> Result<Option<Person>> {
    own.first().or(pairwise.first()).map(person).transpose()
}

/// The present membership of an account.
pub async fn find_by_account(tx: &mut Tx<Tenant>, account: AccountId) -> Result<Option<Person>> {
    let [rows] = tx.batch([of_account(tx, Some(account))]).await?;
    one(&rows)
}

/// Selects the present membership of an account, or none, to be read with others in one round trip.
pub(crate) fn of_account(tx: &Tx<Tenant>, account: Option<AccountId>) -> Call {
    let select = people_sql!("account_id = $2 AND status <> 'removed'");
    tx.call(select, args![account])
}

/// The person who signs in as `identifier`: an e-mail address of the account, or a user name of the tenant.
pub async fn find_by_identifier(tx: &mut Tx<Tenant>, identifier: &str) -> Result<Option<Person>> {
    let [rows] = tx.batch([named(tx, identifier)]).await?;
    one(&rows)
}

/// Selects the person who signs in as `identifier`, to be read with others in one round trip.
pub(crate) fn named(tx: &Tx<Tenant>, identifier: &str) -> Call {
    let key = identifier_key(identifier);
    // A user name has no `@`, so each form has its own index.
    let select = if key.contains('@') {
        people_sql!("email_key = $2 AND status <> 'removed'")
    } else {
        people_sql!("username_key = $2 AND status <> 'removed'")
    };
    tx.call(select, args![key])
}

/// The one form of what a person typed to sign in; also what an unknown identifier is counted under.
pub fn identifier_key(identifier: &str) -> String {
    Email::parse(identifier).map_or_else(|_| identifier.trim().to_ascii_lowercase(), |email| email.key())
}

/// How many invited people have not accepted, counted up to `most`; no other transaction counts until this one ends.
pub async fn count_invited(tx: &mut Tx<Tenant>, most: u32) -> Result<i64> {
    tx.hold("invitations");
    let select = sql!(
        "SELECT COUNT(*) AS invited FROM (SELECT id FROM tenant_users WHERE tenant_id = $1 AND status = 'invited' \
         LIMIT $2) AS open"
    );
    tx.one(select, args![most]).await?.int("invited")
}

/// The person whose columns a row has.
pub(crate) fn person(row: &Row) -> Result<Person> {
    person_with(row, standing(row)?)
}

/// The same of a row that says instead of `group_roles` and `group_names` whether the person `is_in_groups`. To follow groups into
/// groups costs more than the rest of the row, and is a statement of its own for those who are in any.
pub(crate) async fn person_and_groups(tx: &mut Tx<Tenant>, row: &Row) -> Result<Person> {
    let standing = if row.flag("is_in_groups")? {
        let select =
            sql!("SELECT roles, group_roles, group_names FROM people WHERE tenant_id = $1 AND id = $2");
        standing(&tx.one(select, args![row.text("id")?]).await?)?
    } else {
        let own_roles: Vec<String> = document::load(row, "roles")?;
        Standing { roles: own_roles.clone(), own_roles, groups: Vec::new() }
    };
    person_with(row, standing)
}

fn person_with(row: &Row, standing: Standing) -> Result<Person> {
    let Standing { own_roles, roles, groups } = standing;
    let found = Person {
        id: row.parse("id")?,
        account_id: row.parse("account_id")?,
        subject: row.text("subject")?,
        username: row.maybe_text("username")?,
        status: Status::stored(&row.text("status")?)?,
        roles,
        own_roles,
        groups,
        metadata: document::load(row, "metadata")?,
        email: row.maybe_text("email")?,
        email_verified: row.flag("email_verified")?,
        profile: document::load(row, "profile")?,
        password: row.maybe_text("password")?,
        credentials_changed_at: row.time("credentials_changed_at")?,
        account_is_active: row.text("account_status")? == "active",
        created_at: row.time("created_at")?,
        guest_used_at: row.maybe_time("guest_used_at")?,
        updated_at: row.time("updated_at")?,
    };
    if found.status == Status::Removed {
        return Ok(found.without_account());
    }
    let updated_at = found.updated_at.max(row.time("account_updated_at")?);
    Ok(Person { updated_at, ..found })
}

/// What a person has by the membership and by groups.
pub(crate) struct Standing {
    /// The roles of the membership itself.
    pub own_roles: Vec<String>,
    /// These, and those of groups in order.
    pub roles: Vec<String>,
    /// The names of the groups, in order.
    pub groups: Vec<String>,
}

/// The standing whose columns a row has.
pub(crate) fn standing(row: &Row) -> Result<Standing> {
    let own_roles: Vec<String> = document::load(row, "roles")?;
    let by_groups: BTreeSet<String> = document::load(row, "group_roles")?;
    let groups: BTreeSet<String> = document::load(row, "group_names")?;
    let further = by_groups.into_iter().filter(|role| !own_roles.contains(role));
    let roles = own_roles.iter().cloned().chain(further).collect();
    Ok(Standing { own_roles, roles, groups: groups.into_iter().collect() })
}
