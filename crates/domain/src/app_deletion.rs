//! The end of an application, with its places in the lists of what concerns some applications alone.

use svc_core::{AppId, Cx, Result};
use svc_db::{Tenant, Tx};

use crate::people::fields;
use crate::{apps, hooks};

/// Deletes an application as [`apps::delete`] does, and takes it out of the sign-up fields and hooks that name it. Those for it alone
/// are deleted with it, as they would be for every application otherwise.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    apps::delete(tx, cx, id).await?;
    fields::forget_application(tx, cx, id).await?;
    hooks::forget_application(tx, cx, id).await
}
