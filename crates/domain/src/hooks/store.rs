//! Hooks of a tenant in the database.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::events::{HookCreated, HookDeleted, HookUpdated};
use svc_core::{AppId, Cx, Error, HookId, HookModuleId, Result, Secret};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::keyring::{Sealed, Sealer};

use super::{Answerer, Configuration, Hook, New, TEST_INTERVAL, modules, secret};
use crate::delivery::webhooks::{check_secret, made_secret};
use crate::log::{Action, Meaning, change, check_version};
use crate::people::intake::for_whom;
use crate::{apps, document, lists};

/// Reads hooks; the argument says which.
macro_rules! hooks_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, sealed_secret, sealed_former_secret, former_expires_at, created_at, updated_at, \
             version FROM hooks WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Makes a hook; returns it with its secret, where the caller brought none.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    new: New<'_>,
) -> Result<(Hook, Option<String>)> {
    tx.hold("hooks");
    check(tx, new.configuration, &[]).await?;
    new.secret.map_or(Ok(()), |secret| check_secret(secret.expose()))?;
    let is_called = matches!(new.configuration.answerer()?, Answerer::Address(_));
    if new.secret.is_some() && !is_called {
        return Err(Error::bad_request("secret: nothing is signed for a module; leave it out"));
    }
    let made = new.secret.is_none().then(|| made_secret(cx));
    let plain = new.secret.map(Secret::expose).or(made.as_deref()).unwrap_or_default();
    let count = sql!("SELECT COUNT(*) AS count FROM hooks WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= i64::from(new.most) {
        return Err(Error::conflict(format!("a tenant has at most {} hooks", new.most)));
    }
    let id = cx.id();
    let hook = Hook {
        id,
        configuration: new.configuration.clone(),
        former_secret_expires_at: None,
        created_at: cx.now,
        updated_at: cx.now,
        secret: secret::place((tx.tenant().reference(), id)).seal(plain, sealer, cx)?,
        former_secret: None,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO hooks (tenant_id, id, point, configuration, sealed_secret, tested_at, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, 0, $6, $6, 1)"
    );
    let (point, stored) = (new.configuration.point.name(), document::store(new.configuration)?);
    let arguments = args![id, point, stored, hook.secret.clone().into_column(), cx.now];
    let meaning = Meaning::done(Action::HookCreated, id)
        .with(facts(new.configuration))
        .telling(HookCreated { hook_id: id, point: point.to_owned() });
    change(tx, cx, insert, arguments, meaning).await?;
    touch(tx, cx);
    Ok((hook, made.filter(|_| is_called)))
}

/// Makes the configuration so; returns whether anything changed.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, present: &Hook, new: &Configuration) -> Result<bool> {
    tx.hold("hooks");
    check(tx, new, &present.configuration.application_ids).await?;
    if *new == present.configuration {
        return Ok(false);
    }
    write(tx, cx, present, new).await?;
    Ok(true)
}

async fn write(tx: &mut Tx<Tenant>, cx: &Cx, present: &Hook, new: &Configuration) -> Result<()> {
    let update = change_sql!(
        "UPDATE hooks SET point = $3, configuration = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let (point, stored) = (new.point.name(), document::store(new)?);
    let arguments = args![present.id, point, stored, cx.now, present.version];
    let event = HookUpdated { hook_id: present.id, point: point.to_owned(), active: new.is_active };
    let meaning = Meaning::done(Action::HookUpdated, present.id).with(facts(new)).telling(event);
    check_version(change(tx, cx, update, arguments, meaning).await?, "the hook")?;
    touch(tx, cx);
    Ok(())
}

/// Takes an application that is deleted out of the hooks that name it; those that are asked for it alone are deleted.
pub(crate) async fn forget_application(tx: &mut Tx<Tenant>, cx: &Cx, application: AppId) -> Result<()> {
    tx.hold("hooks");
    for hook in &all(tx).await? {
        match for_whom::without(&hook.configuration.application_ids, application) {
            None => {}
            Some(rest) if rest.is_empty() => delete(tx, cx, hook.id).await?,
            Some(application_ids) => {
                let new = Configuration { application_ids, ..hook.configuration.clone() };
                write(tx, cx, hook, &new).await?;
            }
        }
    }
    Ok(())
}

/// Deletes a hook.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: HookId) -> Result<()> {
    let delete = change_sql!("DELETE FROM hooks WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::HookDeleted, id).telling(HookDeleted { hook_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    touch(tx, cx);
    Ok(())
}

/// Notes that a hook is tested now; refused where it was tested just now.
pub async fn note_test(tx: &mut Tx<Tenant>, cx: &Cx, id: HookId) -> Result<()> {
    let update =
        change_sql!("UPDATE hooks SET tested_at = $3 WHERE tenant_id = $1 AND id = $2 AND tested_at <= $4");
    let arguments = args![id, cx.now, cx.now - TEST_INTERVAL];
    if change(tx, cx, update, arguments, Meaning::done(Action::HookTested, id)).await? == 0 {
        return Err(Error::rate_limited("this hook was tested just now").retry_in(TEST_INTERVAL));
    }
    Ok(())
}

/// One hook.
pub async fn find(tx: &mut Tx<Tenant>, id: HookId) -> Result<Option<Hook>> {
    tx.optional(hooks_sql!("id = $2"), args![id]).await?.as_ref().map_or(Ok(None), hook)
}

/// A page of the hooks that are asked for, by id after `cursor`. A tenant has few.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<HookId>, u32),
    is_asked: impl Fn(&Hook) -> bool,
) -> Result<Vec<Hook>> {
    let select = hooks_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| Ok(hook(row)?.filter(&is_asked))).await
}

/// A hook that names a module, if there is one.
pub(super) async fn naming(tx: &mut Tx<Tenant>, module: HookModuleId) -> Result<Option<HookId>> {
    let all = all(tx).await?;
    Ok(all.into_iter().find(|hook| hook.configuration.module_id == Some(module)).map(|hook| hook.id))
}

/// All that this version knows, by id.
pub(crate) async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Hook>> {
    let rows = tx.all(hooks_sql!("id > '' ORDER BY id"), args![]).await?;
    rows.iter().filter_map(|row| hook(row).transpose()).collect()
}

/// Lets every node know that the tenant's hooks are others.
pub(super) fn touch(tx: &mut Tx<Tenant>, cx: &Cx) {
    let upsert = quiet_sql!(
        "goes with the hook, whose change is recorded",
        "INSERT INTO hook_sets (tenant_id, generation, updated_at) VALUES ($1, 1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET generation = hook_sets.generation + 1, updated_at = excluded.updated_at"
    );
    tx.later(upsert, args![cx.now]);
}

/// The hook of a row; nothing where it is of a point or a kind that only a newer version has.
pub(super) fn hook(row: &Row) -> Result<Option<Hook>> {
    let Some(configuration) = document::known_whole(row, "configuration")? else { return Ok(None) };
    Ok(Some(Hook {
        id: row.parse("id")?,
        configuration,
        former_secret_expires_at: row.maybe_time("former_expires_at")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        secret: Sealed::from_column(row.bytes("sealed_secret")?),
        former_secret: row.maybe_bytes("sealed_former_secret")?.map(Sealed::from_column),
        version: row.int("version")?,
    }))
}

fn facts(configuration: &Configuration) -> serde_json::Value {
    json!({
        "point": configuration.point, "active": configuration.is_active, "on_failure": configuration.on_failure
    })
}

/// Refuses what cannot be asked. Applications that the hook names already may be gone: one that unregistered itself is still named
/// for some minutes.
async fn check(tx: &mut Tx<Tenant>, configuration: &Configuration, named: &[AppId]) -> Result<()> {
    if configuration.order > 1000 {
        return Err(Error::bad_request("order: use 0 to 1000"));
    }
    let ids = &configuration.application_ids;
    if ids.len() > 100 || ids.iter().collect::<BTreeSet<_>>().len() < ids.len() {
        return Err(Error::bad_request("application_ids: name at most 100 applications, each once"));
    }
    if let Answerer::Module(id) = configuration.answerer()?
        && modules::find(tx, id).await?.is_none()
    {
        return Err(Error::bad_request(format!("module_id: {id} is no module of this tenant")));
    }
    for id in ids.iter().filter(|id| !named.contains(id)) {
        if apps::find(tx, *id).await?.is_none() {
            return Err(Error::bad_request(format!(
                "application_ids: {id} is no application of this tenant"
            )));
        }
    }
    Ok(())
}
