//! The accounts of a tenant's people. They are the deployment's, and an archive has of each what is the tenant's to take along.
//!
//! An account that opens this tenant alone travels whole. One that opens another tenant too, or is an operator's, travels with its address
//! and its name: its password and factors are not this tenant's. Of a member who has not agreed yet there is the address, and of one
//! who has left nothing but the id.

use serde_json::{Value as Json, json};
use svc_core::{OrInternal as _, Result, TenantId};
use svc_db::{Row, SystemSql, system_sql};

use super::table::{Column, INT, MAYBE_BYTES, MAYBE_INT, MAYBE_TEXT, Of, TEXT};
use super::values;

/// The part of accounts.
pub const ACCOUNTS: &str = "accounts";
/// The part of what people prove themselves with besides the password.
pub const CREDENTIALS: &str = "account_credentials";

macro_rules! columns {
    ($($(#[doc = $about:literal])+ $list:ident = $($name:literal: $of:expr),+;)+) => {
        $($(#[doc = $about])+ pub const $list: &[Column] = &[$(Column { name: $name, of: $of }),+];)+
    };
}

columns! {
    /// What an archive has of an account.
    ACCOUNT = "id": TEXT, "status": TEXT, "email": MAYBE_TEXT, "email_verified": super::table::FLAG, "profile": TEXT,
        "password": MAYBE_TEXT, "credentials_changed_at": INT, "created_at": INT, "updated_at": INT;
    /// What an archive has of a credential.
    CREDENTIAL = "id": TEXT, "account_id": TEXT, "kind": TEXT, "lookup": MAYBE_BYTES, "name": TEXT, "document": TEXT,
        "sealed": Of::MaybeSealed("sealed"), "mark": INT, "created_at": INT, "last_used_at": MAYBE_INT,
        "expires_at": MAYBE_INT;
}

/// The columns of a credential that no archive has.
pub const LEFT_OF_CREDENTIALS: &[(&str, &str)] =
    &[("added_in", "no session of a deployment is known in another")];

/// Columns of an account that no archive has, each for its reason.
pub const LEFT_OF_ACCOUNTS: &[(&str, &str)] = &[
    ("email_key", "made of the address"),
    ("managed_by", "the tenant manages what it brings"),
    ("operator_since", "an operator of one deployment is none of another"),
    ("operator_role", "an operator of one deployment is none of another"),
    ("password_must_change", "a password that travels is its person's; one of an administrator is set again"),
    ("named_since", "no request that waits for a person travels"),
    ("address_changes", "the links that take them back were mailed by the other deployment"),
];

/// The accounts of the tenant after an id, with what of them is the tenant's.
pub(super) const PAGE_OF_ACCOUNTS: SystemSql = system_sql!(
    "SELECT a.id, a.status, a.email, a.email_verified, a.profile, a.password, a.credentials_changed_at, a.created_at, \
     a.updated_at, a.operator_since, a.managed_by, \
     (SELECT count(*) FROM tenant_users u WHERE u.tenant_id = $1 AND u.account_id = a.id \
      AND u.status NOT IN ('removed', 'pre_provisioned')) AS present, \
     (SELECT count(*) FROM tenant_users u WHERE u.tenant_id = $1 AND u.account_id = a.id \
      AND u.status = 'pre_provisioned') AS waiting, \
     (SELECT count(*) FROM tenant_users o WHERE o.account_id = a.id AND o.tenant_id <> $1 AND o.status <> 'removed') AS elsewhere \
     FROM accounts a WHERE a.id IN (SELECT m.account_id FROM tenant_users m WHERE m.tenant_id = $1) AND a.id > $2 \
     ORDER BY a.id LIMIT $3"
);

/// The credentials, after an id, of the accounts that travel whole; browsers that are not asked again have a cookie of the other
/// deployment.
pub(super) const PAGE_OF_CREDENTIALS: SystemSql = system_sql!(
    "SELECT c.id, c.account_id, c.kind, c.lookup, c.name, c.document, c.sealed, c.mark, c.created_at, c.last_used_at, c.expires_at \
     FROM account_credentials c JOIN accounts a ON a.id = c.account_id \
     WHERE a.id IN (SELECT m.account_id FROM tenant_users m WHERE m.tenant_id = $1 AND m.status NOT IN ('removed', 'pre_provisioned')) \
     AND a.operator_since IS NULL AND (a.managed_by IS NULL OR a.managed_by = $1) \
     AND NOT EXISTS (SELECT 1 FROM tenant_users o WHERE o.account_id = a.id AND o.tenant_id <> $1 AND o.status <> 'removed') \
     AND c.kind <> 'trusted_browser' AND c.id > $2 ORDER BY c.id LIMIT $3"
);

/// How much of an account is the tenant's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Name,
    Address,
    Nothing,
}

/// A row of the archive, and whether the account travels without its password and factors.
pub(super) fn row(tenant: TenantId, row: &Row) -> Result<(Vec<Json>, bool)> {
    let extent = extent(tenant, row)?;
    let values = ACCOUNT.iter().map(|column| {
        let is_kept = match column.name {
            "email" | "email_verified" => extent != Extent::Nothing,
            "password" => extent == Extent::Whole,
            _ => true,
        };
        match (column.name, extent) {
            ("profile", Extent::Whole) => values::read(row, column),
            ("profile", Extent::Name) => name_alone(&row.text("profile")?),
            ("profile", _) => Ok(json!("{}")),
            ("email_verified", _) => Ok(json!(is_kept && row.flag("email_verified")?)),
            _ if is_kept => values::read(row, column),
            _ => Ok(Json::Null),
        }
    });
    Ok((values.collect::<Result<_>>()?, extent == Extent::Name))
}

fn extent(tenant: TenantId, row: &Row) -> Result<Extent> {
    let manager = row.maybe_text("managed_by")?;
    let is_own = manager.is_none_or(|manager| manager == tenant.to_string());
    let is_operators = row.maybe_int("operator_since")?.is_some();
    Ok(match (row.int("present")?, row.int("waiting")?, row.int("elsewhere")?) {
        (0, 0, _) => Extent::Nothing,
        (0, ..) => Extent::Address,
        (_, _, 0) if is_own && !is_operators => Extent::Whole,
        _ => Extent::Name,
    })
}

/// The profile as other tenants' administrators see it.
fn name_alone(profile: &str) -> Result<Json> {
    let profile: Json = serde_json::from_str(profile).or_internal()?;
    let name = profile.get("name").filter(|name| name.is_string());
    Ok(name.map_or_else(|| json!("{}"), |name| json!(json!({ "name": name }).to_string())))
}
