//! Deletes an application, and removes it from the lists of applications in sign-up fields and hooks.

use std::collections::BTreeSet;

use svc_core::{AppId, Cx, Result};
use svc_db::{Db, Tenant, Tx, args, sql, system_sql};

use crate::people::fields;
use crate::tenancy::tenants;
use crate::{apps, hooks};

/// Deletes an application as [`apps::delete`] does, and takes it out of the sign-up fields and hooks that name it. Those for it alone
/// are deleted with it, as they would be for every application otherwise.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    apps::delete(tx, cx, id).await?;
    forget(tx, cx, id).await
}

/// Takes applications that are gone out of the fields and hooks that still name them, in the tenants where one ended within the day;
/// returns how many there were. Where an application unregisters itself, or is removed unused, no one may change these lists.
pub async fn forget_gone(db: &Db, cx: &Cx) -> Result<u64> {
    let lately = system_sql!(
        "SELECT t.id AS tenant_id FROM tenants t WHERE t.delete_at IS NULL \
         AND EXISTS (SELECT 1 FROM revocations r WHERE r.tenant_id = t.id AND r.kind = 'app') \
         AND (EXISTS (SELECT 1 FROM sign_up_fields f WHERE f.tenant_id = t.id) \
         OR EXISTS (SELECT 1 FROM hooks h WHERE h.tenant_id = t.id))"
    );
    let rows = db.read_system().await?.all(lately, args![]).await?;
    let mut taken_out = 0;
    for row in &rows {
        let tenant = tenants::of_row(row)?;
        // No id is used twice: an application that is gone now is gone in the transaction too.
        let gone = named_and_gone(&mut db.read(tenant).await?).await?;
        if gone.is_empty() {
            continue;
        }
        let mut tx = db.begin(tenant).await?;
        for id in &gone {
            forget(&mut tx, cx, *id).await?;
        }
        tx.commit().await?;
        taken_out += gone.len() as u64;
    }
    Ok(taken_out)
}

async fn forget(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    fields::forget_application(tx, cx, id).await?;
    hooks::forget_application(tx, cx, id).await
}

async fn named_and_gone(tx: &mut Tx<Tenant>) -> Result<Vec<AppId>> {
    let (asked, called) = (fields::all(tx).await?, hooks::all(tx).await?);
    let by_fields = asked.iter().flat_map(|field| &field.content.application_ids);
    let by_hooks = called.iter().flat_map(|hook| &hook.configuration.application_ids);
    let named: BTreeSet<AppId> = by_fields.chain(by_hooks).copied().collect();
    // Not by `apps::find`, which knows no application of a newer version.
    let select = sql!("SELECT id FROM apps WHERE tenant_id = $1 AND id = $2");
    let mut gone = Vec::new();
    for id in named {
        if tx.optional(select, args![id]).await?.is_none() {
            gone.push(id);
        }
    }
    Ok(gone)
}
