//! Tenants: the isolation boundary, found by host, kept in memory.

mod adaptive_mfa;
mod directory;
mod impersonation;
mod limits;
pub mod listing;
mod naming;
mod own_domain;
mod passwordless;
pub mod records;
mod settings;
mod social_recovery;
mod tenant;

use svc_core::events::{TenantCreated, TenantUpdated};
use svc_core::{Cx, Error, OrInternal as _, Origin, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Row, System, Tx, args, change_system_sql, system_sql};
use url::Host;

pub use self::adaptive_mfa::{AdaptiveMfa, Consequence, HIGHEST_SCORE};
pub use self::directory::Tenants;
pub(crate) use self::impersonation::LONGEST_MINUTES;
pub use self::impersonation::{Impersonation, Notice};
pub use self::limits::Limits;
pub use self::own_domain::{check_unnamed, move_domain};
pub use self::passwordless::{Levels, check_demanded, check_passwordless, out_of_reach};
pub use self::settings::{TenantSettings, check_settings};
pub use self::social_recovery::{LONGEST_WAIT_HOURS, SocialRecovery};
pub use self::tenant::{CONTROL_PLANE, MANAGEMENT, Tenant};
use crate::document;
use crate::log::{Action, Log, Meaning, change_across};
use crate::names;

/// Most characters of a name.
const LONGEST_NAME: usize = 200;

/// What to create or change.
#[derive(Clone, Debug)]
pub struct NewTenant {
    /// The host label: lower-case letters, digits and hyphens, 1 to 63.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own, if any.
    pub custom_domain: Option<String>,
    /// Choices.
    pub settings: TenantSettings,
}

/// Creates a tenant; the slug must be free.
pub async fn create(tx: &mut Tx<System>, cx: &Cx, new: &NewTenant) -> Result<TenantId> {
    create_as(tx, cx, cx.id(), new).await
}

/// The same under an id for which a key was made before.
pub async fn create_as(tx: &mut Tx<System>, cx: &Cx, id: TenantRef, new: &NewTenant) -> Result<TenantId> {
    Error::every([check_slug(&new.slug), check_name(&new.name, None), check_settings(&new.settings)])?;
    let insert = change_system_sql!(
        "INSERT INTO tenants (id, slug, name, custom_domain, status, settings, created_at, updated_at, version, \
         own_keys_wanted_at) VALUES ($1, $2, $3, $4, 'active', $5, $6, $6, 1, $7) RETURNING id"
    );
    let settings = document::store(&new.settings)?;
    let own_keys = own_keys_wanted_at(&new.settings, cx);
    let arguments = args![id, &new.slug, &new.name, new.custom_domain.clone(), settings, cx.now, own_keys];
    change_across(tx, cx, insert, arguments, |_| {
        let (slug, name, custom_domain) = (new.slug.clone(), new.name.clone(), new.custom_domain.clone());
        let event = TenantCreated { slug, name, custom_domain };
        Ok((Log::Of(id), Meaning::done(Action::TenantCreated, id).with_event(event)))
    })
    .await?;
    Ok(proven(id))
}

/// Refuses a new name that people could not read; the one that the tenant has stays.
pub fn check_name(wanted: &str, present: Option<&str>) -> Result<()> {
    if present == Some(wanted) { Ok(()) } else { names::check(wanted, LONGEST_NAME) }
}

/// Makes a tenant's name, domain and settings so; returns whether anything changed. Who makes them from what the tenant has holds it
/// first ([`records::hold`]).
pub async fn update(tx: &mut Tx<System>, cx: &Cx, id: TenantId, new: &NewTenant) -> Result<bool> {
    check_settings(&new.settings)?;
    let update = change_system_sql!(
        "UPDATE tenants SET name = $2, custom_domain = $3, settings = $4, updated_at = $5, version = version + 1, \
         own_keys_wanted_at = $6 \
         WHERE id = $1 AND deleted_at IS NULL \
         AND (name <> $2 OR COALESCE(custom_domain, '') <> COALESCE($3, '') OR settings <> $4) RETURNING id"
    );
    let settings = document::store(&new.settings)?;
    let own_keys = own_keys_wanted_at(&new.settings, cx);
    let arguments = args![id, &new.name, new.custom_domain.clone(), settings, cx.now, own_keys];
    let changed = change_across(tx, cx, update, arguments, |_| {
        let (name, custom_domain) = (new.name.clone(), new.custom_domain.clone());
        let settings = serde_json::to_value(&new.settings).or_internal()?;
        let event = TenantUpdated { name, custom_domain, settings };
        Ok((Log::Of(id.reference()), Meaning::done(Action::TenantUpdated, id).with_event(event)))
    })
    .await?;
    Ok(!changed.is_empty())
}

/// SQL does not look into the settings.
fn own_keys_wanted_at(settings: &TenantSettings, cx: &Cx) -> Option<Timestamp> {
    settings.own_signing_keys.then_some(cx.now)
}

/// The active tenants that sign with keys of their own.
pub async fn with_own_keys(tx: &mut Tx<System>) -> Result<Vec<TenantRef>> {
    let select = system_sql!(
        "SELECT id FROM tenants WHERE own_keys_wanted_at IS NOT NULL AND status = 'active' ORDER BY id"
    );
    tx.all(select, args![]).await?.iter().map(|row| row.parse("id")).collect()
}

/// How many there are.
pub async fn count(tx: &mut Tx<System>) -> Result<i64> {
    tx.one(system_sql!("SELECT count(*) AS n FROM tenants"), args![]).await?.int("n")
}

/// Every domain that a tenant has of its own.
pub async fn custom_domains(tx: &mut Tx<System>) -> Result<Vec<String>> {
    let select = system_sql!("SELECT custom_domain FROM tenants WHERE custom_domain IS NOT NULL ORDER BY id");
    tx.all(select, args![]).await?.iter().map(|row| row.text("custom_domain")).collect()
}

/// The tenant with this slug, for operators.
pub async fn find_by_slug(tx: &mut Tx<System>, slug: &str) -> Result<Option<TenantId>> {
    let select = system_sql!("SELECT id FROM tenants WHERE slug = $1");
    let row = tx.optional(select, args![slug]).await?;
    row.map(|row| row.parse("id").map(proven)).transpose()
}

/// The tenant with this slug or id that is not deleted for good, for operators.
pub async fn find_named(tx: &mut Tx<System>, named: &str) -> Result<Option<TenantId>> {
    // No slug looks like an id, which has an underscore.
    let select = system_sql!("SELECT id FROM tenants WHERE (slug = $1 OR id = $1) AND deleted_at IS NULL");
    let row = tx.optional(select, args![named]).await?;
    row.map(|row| row.parse("id").map(proven)).transpose()
}

/// Every tenant, for workers.
pub async fn all(tx: &mut Tx<System>) -> Result<Vec<TenantId>> {
    let rows = tx.all(system_sql!("SELECT id FROM tenants ORDER BY id"), &[]).await?;
    rows.iter().map(|row| row.parse("id").map(proven)).collect()
}

/// The tenant of a row that a worker has taken.
pub(crate) fn of_row(row: &Row) -> Result<TenantId> {
    row.parse("tenant_id").map(proven)
}

#[expect(clippy::disallowed_methods, reason = "the id was read from, or just written to, the database")]
fn proven(id: TenantRef) -> TenantId {
    TenantId::proven(id, Origin::Operator)
}

/// Refuses what is no host label.
pub(crate) fn check_slug(slug: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = (1..=63).contains(&slug.len()) && slug.bytes().all(allowed);
    if !is_label || slug.starts_with('-') || slug.ends_with('-') {
        return Err(Error::bad_request("slug: use 1 to 63 lower-case letters, digits and inner hyphens"));
    }
    // What begins with `xn--` has to be a name of IDNA (RFC 5891 §4.2.3.1).
    if Host::parse(&format!("{slug}.example")).is_err() {
        return Err(Error::bad_request("slug: this begins like an internationalized name, and is none"));
    }
    Ok(())
}
