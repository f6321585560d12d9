//! Brings a tenant of an archive into this deployment, in one transaction: it is there as a whole, or not at all.

use std::io::BufRead;

use serde_json::{Value as Json, json};
use svc_config::Config;
use svc_core::{Class, Clock, Cx, Error, Result, TenantId, Timestamp};
use svc_db::{Db, System, Tenant as Space, Tx, args, quiet_system_sql};
use svc_keys::{Purpose, Sealer};

use super::bringing::Bringing;
use super::check::Checked;
use super::key::ArchiveKey;
use super::reader::Reader;
use crate::apis::management::{self, ScopeSentence};
use crate::keys::tenant_keys::TenantSealers;
use crate::organizations::demands;
use crate::tenancy::tenants::{Levels, Tenant, Tenants, check_demanded, check_passwordless, check_unnamed};

/// Where to bring it, and with what.
pub struct Importing<'a> {
    /// The configuration of the deployment.
    pub config: &'a Config,
    /// The database.
    pub db: &'a Db,
    /// Tenants as this deployment names them.
    pub tenants: &'a Tenants,
    /// Makes the key that seals for the tenant here.
    pub sealers: &'a TenantSealers,
    /// Says when what was brought can be seen.
    pub clock: &'a dyn Clock,
    /// Seals the secrets of accounts, which are the deployment's.
    pub accounts: &'a Sealer,
    /// What opens the secrets of the archive, and proves it.
    pub key: Option<&'a ArchiveKey>,
    /// The scopes of the management API.
    pub scopes: &'a [ScopeSentence],
    /// Whether the tenant answers when it is there.
    pub is_active: bool,
    /// Whether it may have another issuer here than it had.
    pub accepts_issuer: bool,
    /// Do everything, and take it back.
    pub dry_run: bool,
}

/// What was brought.
#[derive(Debug)]
pub struct Imported {
    /// The tenant.
    pub id: TenantId,
    /// Its issuer here.
    pub issuer: String,
    /// How many rows were written.
    pub rows: u64,
    /// What the tenant asks of its people that they could not have here, and what to do.
    pub warnings: Vec<String>,
}

/// Brings what was checked; `tell` is called with each part, and again after many rows of one. An archive that is not the one
/// that was checked is refused, and nothing of it stays.
pub async fn import<R: BufRead>(
    importing: &Importing<'_>,
    cx: &Cx,
    (reader, checked): (&mut Reader<R>, &Checked),
    tell: &mut (dyn FnMut(&str, u64) + Send),
) -> Result<Imported> {
    if !checked.conflicts.is_empty() {
        return Err(Error::conflict(checked.conflicts.join("\n")));
    }
    // Made before the transaction begins, because key management may be another process.
    let key = importing.sealers.fresh(checked.tenant.id, cx).await?;
    let mut tx = importing.db.begin_system().await?;
    let (tenant, issuer) = begun(&mut tx, importing, cx, (reader, checked)).await?;
    let (mut tx, kept) = tx.within(tenant, async |tx| key.keep(tx, cx).await).await;
    kept?;
    let mut bringing = Bringing::new(importing, cx, (tenant, key.sealer(Purpose::Credentials)));
    if bringing.parts(&mut tx, reader, tell).await? != checked.digest {
        return Err(Error::conflict("the archive is another than the one that was checked; import it again"));
    }
    lead_on(&mut tx, tenant).await?;
    let found = importing.tenants.read(&mut tx, tenant).await?;
    let (mut tx, settled) = tx
        .within(tenant, async |tx: &mut _| {
            management::ensure(tx, cx, &found, importing.scopes).await?;
            out_of_reach(tx, importing.config, &found).await
        })
        .await;
    let warnings = settled?;
    if importing.dry_run {
        tx.rollback().await?;
    } else {
        stamp(&mut tx, tenant, importing.clock.now()).await?;
        tx.commit().await?;
    }
    Ok(Imported { id: tenant, issuer, rows: bringing.rows, warnings })
}

/// What would be refused of settings, applications and organizations that were written here. The import reports it and does not refuse: the tenant
/// could not be changed before it is here.
async fn out_of_reach(tx: &mut Tx<Space>, config: &Config, tenant: &Tenant) -> Result<Vec<String>> {
    let without = [&tenant.plan.disabled_capabilities, &tenant.settings.disabled_capabilities];
    let levels = Levels { config, slug: &tenant.slug, without: &without };
    let checks = [
        check_passwordless(config, &tenant.slug, &without),
        check_demanded(levels, &tenant.settings),
        demands::check_all(tx, levels).await,
    ];
    let mut warnings = Vec::new();
    for refused in checks.into_iter().filter_map(Result::err) {
        if !matches!(refused.class(), Class::BadRequest) {
            return Err(refused);
        }
        warnings.push(refused.detail().to_owned());
    }
    Ok(warnings)
}

/// Writes the tenant itself, unless it would have another issuer and the caller did not ask for that; returns it and its issuer.
async fn begun<R: BufRead>(
    tx: &mut Tx<System>,
    importing: &Importing<'_>,
    cx: &Cx,
    (reader, checked): (&Reader<R>, &Checked),
) -> Result<(TenantId, String)> {
    if let Some(domain) = &checked.tenant.custom_domain {
        check_unnamed(tx, importing.config, (&checked.tenant.slug, domain)).await?;
    }
    let facts = facts(reader, checked);
    let tenant = checked.tenant.insert(tx, cx, (importing.is_active, &facts)).await?;
    let issuer = importing.tenants.read(tx, tenant).await?.issuer.clone();
    let before = &reader.heading().tenant.issuer;
    if !importing.accepts_issuer && issuer != *before {
        return Err(Error::conflict(format!(
            "the issuer would be {issuer}, and was {before}: applications and passkeys are bound to it; give --as to accept that"
        )));
    }
    Ok((tenant, issuer))
}

/// What the first entry of the new audit log says.
fn facts<R: BufRead>(reader: &Reader<R>, checked: &Checked) -> Json {
    let heading = reader.heading();
    let audit = checked.audit.as_ref().map(|(last, hash)| json!({ "last": last, "last_hash": hash }));
    json!({
        "archive": heading.id, "sha256": checked.digest, "exported_at": heading.exported_at,
        "issuer": heading.tenant.issuer, "audit": audit,
    })
}

/// Processes look for what was changed of late, and bringing may have taken long: one that has found another tenant at the domain would
/// go on with that.
async fn stamp(tx: &mut Tx<System>, tenant: TenantId, now: Timestamp) -> Result<()> {
    let update = quiet_system_sql!(
        "comes with the tenant, whose import is recorded",
        "UPDATE tenants SET updated_at = $2 WHERE id = $1"
    );
    tx.execute(update, args![tenant, now]).await.map(drop)
}

/// Subscriptions go on with the next event: those before it are not here.
async fn lead_on(tx: &mut Tx<System>, tenant: TenantId) -> Result<()> {
    let webhooks = quiet_system_sql!(
        "comes with the tenant, whose import is recorded",
        "UPDATE webhooks SET position = COALESCE((SELECT p.last FROM event_positions p WHERE p.tenant_id = $1), 0) \
         WHERE tenant_id = $1"
    );
    let targets = quiet_system_sql!(
        "comes with the tenant, whose import is recorded",
        "UPDATE scim_targets SET position = COALESCE((SELECT p.last FROM event_positions p WHERE p.tenant_id = $1), 0) \
         WHERE tenant_id = $1"
    );
    let calls = [tx.call(webhooks, args![tenant]), tx.call(targets, args![tenant])];
    tx.batch(calls).await.map(drop)
}
