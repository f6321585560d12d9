//! Modules of a tenant in the database: uploaded once, never changed, named by hooks.

use serde::Serialize;
use serde_json::json;
use svc_core::events::{HookModuleCreated, HookModuleDeleted};
use svc_core::{Cx, Error, HookModuleId, OrInternal as _, Result, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, sql};
use svc_keys::{hex, sha256};
use utoipa::ToSchema;

use super::{Program, store};
use crate::lists;
use crate::log::{Action, Meaning, change};
use crate::names;

/// A WebAssembly module that hooks can name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HookModule {
    /// Its id.
    #[schema(value_type = String)]
    pub id: HookModuleId,
    /// What people call it.
    pub name: String,
    /// Its length in bytes.
    pub size: i64,
    /// The SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// When it was uploaded.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
}

/// A module to keep.
pub struct NewModule<'a> {
    /// What people call it.
    pub name: &'a str,
    /// The WebAssembly.
    pub bytes: Vec<u8>,
    /// Most modules of the tenant.
    pub most: u32,
}

/// Keeps a module that a hook can run.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: NewModule<'_>) -> Result<HookModule> {
    names::check(new.name, 100)?;
    let NewModule { name, bytes, most } = new;
    let reading = tokio::task::spawn_blocking(move || Program::read(&bytes).map(|_| bytes));
    let bytes = reading.await.or_internal()?;
    let bytes = bytes.map_err(|fault| Error::bad_request(format!("module: {fault}")))?;
    tx.hold("hook modules");
    let count = sql!("SELECT COUNT(*) AS count FROM hook_modules WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= i64::from(most) {
        return Err(Error::conflict(format!(
            "a tenant has at most {most} modules; delete one that no hook names"
        )));
    }
    check_free(tx, name).await?;
    let module = HookModule {
        id: cx.id(),
        name: name.to_owned(),
        size: i64::try_from(bytes.len()).or_internal()?,
        sha256: hex(sha256(&bytes)),
        created_at: cx.now,
    };
    let insert = change_sql!(
        "INSERT INTO hook_modules (tenant_id, id, name, module, sha256, size, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    );
    let arguments = args![module.id, name, bytes, &module.sha256, module.size, cx.now];
    let meaning = Meaning::done(Action::HookModuleCreated, module.id)
        .with(json!({ "name": name, "sha256": module.sha256 }))
        .telling(HookModuleCreated { hook_module_id: module.id, sha256: module.sha256.clone() });
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(module)
}

/// Files name a module by its name, which has to mean one.
async fn check_free(tx: &mut Tx<Tenant>, name: &str) -> Result<()> {
    let select = sql!("SELECT id FROM hook_modules WHERE tenant_id = $1 AND name = $2 LIMIT 1");
    match tx.optional(select, args![name]).await? {
        Some(_) => Err(Error::conflict("name: a module of this name exists")),
        None => Ok(()),
    }
}

/// Deletes a module that no hook names.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: HookModuleId) -> Result<()> {
    tx.hold("hooks");
    if let Some(hook) = store::naming(tx, id).await? {
        return Err(Error::conflict(format!("the hook {hook} names this module; give it another one first")));
    }
    let delete = change_sql!("DELETE FROM hook_modules WHERE tenant_id = $1 AND id = $2");
    let meaning =
        Meaning::done(Action::HookModuleDeleted, id).telling(HookModuleDeleted { hook_module_id: id });
    match change(tx, cx, delete, args![id], meaning).await? {
        0 => Err(Error::unknown_id()),
        _ => Ok(()),
    }
}

/// One module.
pub async fn find(tx: &mut Tx<Tenant>, id: HookModuleId) -> Result<Option<HookModule>> {
    let select =
        sql!("SELECT id, name, sha256, size, created_at FROM hook_modules WHERE tenant_id = $1 AND id = $2");
    tx.optional(select, args![id]).await?.as_ref().map(read).transpose()
}

/// A page of modules by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<HookModuleId>, u32),
) -> Result<Vec<HookModule>> {
    let select = sql!(
        "SELECT id, name, sha256, size, created_at FROM hook_modules WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    );
    lists::page(tx, select, (cursor, limit), |row| read(row).map(Some)).await
}

/// The WebAssembly of a module.
pub(super) async fn bytes(tx: &mut Tx<Tenant>, id: HookModuleId) -> Result<Option<Vec<u8>>> {
    let select = sql!("SELECT module FROM hook_modules WHERE tenant_id = $1 AND id = $2");
    tx.optional(select, args![id]).await?.map(|row| row.bytes("module")).transpose()
}

fn read(row: &Row) -> Result<HookModule> {
    Ok(HookModule {
        id: row.parse("id")?,
        name: row.text("name")?,
        size: row.int("size")?,
        sha256: row.text("sha256")?,
        created_at: row.time("created_at")?,
    })
}
