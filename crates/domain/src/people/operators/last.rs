//! The last operator who may do everything stays: someone has to be left who can make others.
//!
//! Whatever takes an operator away asks here, in the transaction that does it: the membership is suspended or ends, its person leaves,
//! the account is disabled, the role is taken or lowered. Of the last two who go at the same moment, one stays.

use svc_core::{AccountId, Error, Result};
use svc_db::{System, SystemSql, Tenant, TenantSql, Tx, args, sql, system_sql};

use crate::apis::control_plane::CONTROL_PLANE;
use crate::people::tenant_users::Person;
use crate::tenancy::tenants;

/// What a refusal says.
pub const STAYS: &str =
    "the last operator of the deployment who is `administrator` stays; make another member one first";

/// Held from the question to the end of the transaction, so that the answer stays true.
const HELD: &str = "the last operator";

/// The questions about members who may do everything: whether one is such a member where the control plane is, and whether another is who
/// stays. A person's are of their tenant, an account's of all; which members those are is said once.
macro_rules! questions_sql {
    ($members:literal, $control_plane:literal, $who_stays:literal) => {
        const PERSON: TenantSql = sql!(
            "SELECT u.id ",
            $members,
            " AND u.tenant_id = $1 AND u.id = $2 AND EXISTS (SELECT 1 ",
            $control_plane,
            " AND p.identifier = $3)"
        );
        const ANOTHER_PERSON: TenantSql =
            sql!("SELECT u.id ", $members, " AND u.tenant_id = $1 AND u.id <> $2 ", $who_stays);
        const ACCOUNT: SystemSql = system_sql!(
            "SELECT u.tenant_id ",
            $members,
            " AND u.account_id = $1 AND EXISTS (SELECT 1 ",
            $control_plane,
            " AND p.identifier = $2)"
        );
        const ANOTHER_ACCOUNT: SystemSql = system_sql!(
            "SELECT u.id ",
            $members,
            " AND u.tenant_id = $1 AND u.account_id <> $2 ",
            $who_stays
        );
    };
}

questions_sql!(
    "FROM tenant_users u JOIN accounts a ON a.id = u.account_id WHERE u.status = 'active' AND a.status = 'active' \
     AND a.operator_since >= u.created_at AND COALESCE(a.operator_role, 'administrator') = 'administrator'",
    "FROM apis p WHERE p.tenant_id = u.tenant_id",
    "AND u.delete_at IS NULL LIMIT 1"
);

/// Refuses where no other member may do everything. `conflict`.
pub async fn must_not_be_last(tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
    if is_last(tx, person).await? { Err(Error::conflict(STAYS)) } else { Ok(()) }
}

/// Whether the person may do everything, and no other member who stays. A tenant without a control plane has no operators: its members
/// may be some elsewhere.
pub async fn is_last(tx: &mut Tx<Tenant>, person: &Person) -> Result<bool> {
    if !person.may_sign_in() || person.is_guest() {
        return Ok(false);
    }
    if tx.optional(PERSON, args![person.id, CONTROL_PLANE]).await?.is_none() {
        return Ok(false);
    }
    tx.hold(HELD);
    Ok(tx.optional(ANOTHER_PERSON, args![person.id]).await?.is_none())
}

/// The same for an account, wherever it is a member.
pub async fn account_must_not_be_last(tx: &mut Tx<System>, account: AccountId) -> Result<()> {
    let rows = tx.all(ACCOUNT, args![account, CONTROL_PLANE]).await?;
    for row in &rows {
        let tenant = tenants::of_row(row)?;
        tx.hold_in(tenant, HELD);
        if tx.optional(ANOTHER_ACCOUNT, args![tenant, account]).await?.is_none() {
            return Err(Error::conflict(STAYS));
        }
    }
    Ok(())
}
