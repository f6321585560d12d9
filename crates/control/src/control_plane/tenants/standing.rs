//! Whether a tenant answers: suspended and reactivated, deleted and restored.

use svc_core::{Error, Result, Seconds, TenantRef};
use svc_domain::deletion;
use svc_domain::people::operators::Role;
use svc_domain::people::standing::set_tenant_active;
use svc_domain::tenancy::tenants::records::{self, Standing};
use svc_http::{IfMatch, OperatorCx, Path, Problem, Route, Routes, Versioned};

use super::documents::Tenant;
use super::{ONE, check_other, found, versioned};

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([
        Route::post("/api/v1/control-plane/tenants/{id}/suspend")
            .operator(Role::TenantManager, suspend)
            .summary("Suspend a tenant: it answers nothing, its sessions and tokens end")
            .idempotent(),
        Route::post("/api/v1/control-plane/tenants/{id}/reactivate")
            .operator(Role::TenantManager, reactivate)
            .summary("Let a suspended tenant answer again")
            .idempotent(),
        Route::delete(ONE)
            .operator(Role::TenantManager, delete)
            .summary("Delete a tenant: it is suspended now, and everything in it is removed after the grace period")
            .describe(
                "Until `delete_at`, which `admin.tenant_deletion_grace_days` decides, it can be restored. Then its keys are \
                 destroyed, its rows are removed, and its slug and its domain are free. Its audit log ends with its retention.",
            )
            .idempotent(),
        Route::post("/api/v1/control-plane/tenants/{id}/restore")
            .operator(Role::TenantManager, restore)
            .summary("Restore a deleted tenant before everything in it is removed")
            .describe("It answers again; one that was suspended before it was deleted is suspended again.")
            .idempotent(),
    ])
}

async fn suspend(caller: OperatorCx, Path(id): Path<TenantRef>) -> Result<Versioned<Tenant>, Problem> {
    set_active(&caller, id, false).await
}

async fn reactivate(caller: OperatorCx, Path(id): Path<TenantRef>) -> Result<Versioned<Tenant>, Problem> {
    set_active(&caller, id, true).await
}

async fn set_active(
    caller: &OperatorCx,
    id: TenantRef,
    is_active: bool,
) -> Result<Versioned<Tenant>, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    records::hold(&mut tx, id);
    let present = found(&mut tx, id).await?;
    check_other(caller, &present)?;
    if present.standing == Standing::Deleting {
        return Err(Error::conflict("the tenant is being deleted; restore it first").into());
    }
    set_tenant_active(&mut tx, caller, present.id, is_active).await?;
    let changed = found(&mut tx, id).await?;
    tx.commit().await?;
    Ok(versioned(changed))
}

async fn delete(
    caller: OperatorCx,
    Path(id): Path<TenantRef>,
    if_match: IfMatch,
) -> Result<Versioned<Tenant>, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    let held = records::hold(&mut tx, id);
    let present = found(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    check_other(&caller, &present)?;
    let grace = Seconds::from_days(caller.app.config.admin.tenant_deletion_grace_days);
    deletion::begin(&mut tx, &caller, present.id, grace).await?;
    let deleted = found(&mut tx, id).await?;
    tx.commit().await?;
    Ok(versioned(deleted))
}

async fn restore(caller: OperatorCx, Path(id): Path<TenantRef>) -> Result<Versioned<Tenant>, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    records::hold(&mut tx, id);
    let present = found(&mut tx, id).await?;
    deletion::restore(&mut tx, &caller, present.id).await?;
    let restored = found(&mut tx, id).await?;
    tx.commit().await?;
    Ok(versioned(restored))
}
