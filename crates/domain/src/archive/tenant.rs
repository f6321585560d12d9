//! The tenant itself: what its row says, and what starts afresh.

use svc_core::{Cx, Error, Result, TenantId, TenantRef};
use svc_db::{System, SystemSql, Tx, args, change_system_sql, system_sql};

use super::table::{Column, INT, MAYBE_INT, MAYBE_TEXT, TEXT};
use crate::document;
use crate::log::{Action, Log, Meaning, change_across};
use crate::tenancy::tenants::{self, TenantSettings};

/// The part of the tenant.
pub const TENANTS: &str = "tenants";

/// What an archive has of the tenant's own row.
pub const TENANT: &[Column] = &[
    Column { name: "id", of: TEXT },
    Column { name: "slug", of: TEXT },
    Column { name: "name", of: TEXT },
    Column { name: "custom_domain", of: MAYBE_TEXT },
    Column { name: "settings", of: TEXT },
    Column { name: "texts", of: MAYBE_TEXT },
    Column { name: "own_keys_wanted_at", of: MAYBE_INT },
    Column { name: "created_at", of: INT },
    Column { name: "version", of: INT },
];

/// Columns of the tenant's row that no archive has, each for its reason.
pub const LEFT_OF_TENANTS: &[(&str, &str)] = &[
    ("status", "a tenant that was brought is active, unless it is asked to wait"),
    ("updated_at", "the time of the import"),
    ("plan_id", "plans are the deployment's"),
    ("delete_at", "a tenant that was brought is not being deleted"),
    ("status_before", "a tenant that was brought is not being deleted"),
    ("deleted_at", "a tenant that was brought is there"),
];

pub(super) const ROW: SystemSql = system_sql!(
    "SELECT id, slug, name, custom_domain, settings, texts, own_keys_wanted_at, created_at, version FROM tenants \
     WHERE id = $1 AND deleted_at IS NULL"
);

/// The tenant of an archive.
#[derive(Clone, Debug)]
pub struct Brought {
    /// Its id, which it keeps.
    pub id: TenantRef,
    /// Its host label, or the one that it is given here.
    pub slug: String,
    /// Its domain, if it has one.
    pub custom_domain: Option<String>,
    pub(super) name: String,
    pub(super) settings: String,
    pub(super) texts: Option<String>,
    pub(super) own_keys_wanted_at: Option<i64>,
    pub(super) created_at: i64,
    pub(super) version: i64,
}

impl Brought {
    /// Refuses what no tenant can have.
    pub(super) fn check(&self) -> Result<()> {
        let settings: TenantSettings = document::read(&self.settings)
            .map_err(|_| Error::bad_request("tenants: settings: they cannot be read by this version"))?;
        Error::every([tenants::check_slug(&self.slug), tenants::check_settings(&settings)])
    }

    /// Writes its row, and in its log that it came from an archive.
    pub(super) async fn insert(
        &self,
        tx: &mut Tx<System>,
        cx: &Cx,
        (is_active, facts): (bool, &serde_json::Value),
    ) -> Result<TenantId> {
        let insert = change_system_sql!(
            "INSERT INTO tenants (id, slug, name, custom_domain, status, settings, texts, own_keys_wanted_at, created_at, \
             updated_at, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id AS tenant_id"
        );
        let status = if is_active { "active" } else { "suspended" };
        let arguments = args![
            self.id,
            &self.slug,
            &self.name,
            self.custom_domain.clone(),
            status,
            &self.settings,
            self.texts.clone(),
            self.own_keys_wanted_at,
            self.created_at,
            cx.now,
            self.version
        ];
        let rows = change_across(tx, cx, insert, arguments, |_| {
            Ok((Log::Of(self.id), Meaning::done(Action::TenantImported, self.id).with(facts.clone())))
        })
        .await?;
        rows.first().map_or_else(|| Err(Error::internal("a tenant was not written")), tenants::of_row)
    }
}
