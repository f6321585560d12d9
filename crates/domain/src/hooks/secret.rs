//! The secret with which the calls of a hook are signed: as that of a webhook, sealed at rest and replaced with an overlap.

use svc_core::events::HookSecretRotated;
use svc_core::{Cx, HookId, Result, Secret, TenantRef, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql};
use svc_keys::keyring::{Sealed, Sealer};

use super::{Hook, store};
use crate::delivery::webhooks::{check_secret, made_secret};
use crate::log::{Action, Meaning, change, check_version};
use crate::overlap::Overlap;
use crate::sealed_secret::Place;

/// Replaces the secret; the former one signs as well for `overlap`. Returns the new one, and until when that is. `conflict` where
/// receivers may still use the one before, unless both are to end at once.
pub async fn rotate(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    hook: &Hook,
    overlap: Overlap,
) -> Result<(String, Option<Timestamp>)> {
    let secret = made_secret(cx);
    let former_expires_at = replace(tx, cx, sealer, hook, (&secret, overlap)).await?;
    Ok((secret, former_expires_at))
}

/// Whether this is the secret of a hook. One that does not open, because its key was destroyed, is no longer its secret.
pub fn holds(hook: &Hook, given: &str, tenant: TenantRef, sealer: &Sealer) -> bool {
    place((tenant, hook.id)).holds(&hook.secret, given, sealer)
}

/// The same as [`rotate`] with a secret that is given. Returns until when the former one signs as well.
pub async fn replace(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    hook: &Hook,
    (secret, overlap): (&str, Overlap),
) -> Result<Option<Timestamp>> {
    check_secret(secret)?;
    let former_expires_at = overlap.end_after(hook.former_secret_expires_at, cx.now)?;
    let stored = place((tx.tenant().reference(), hook.id)).seal(secret, sealer, cx)?;
    let former = former_expires_at.map(|_| hook.secret.clone().into_column());
    let update = change_sql!(
        "UPDATE hooks SET sealed_secret = $3, sealed_former_secret = $4, former_expires_at = $5, updated_at = $6, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $7"
    );
    let arguments = args![hook.id, stored.into_column(), former, former_expires_at, cx.now, hook.version];
    let meaning =
        Meaning::done(Action::HookSecretRotated, hook.id).telling(HookSecretRotated { hook_id: hook.id });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the hook")?;
    store::touch(tx, cx);
    Ok(former_expires_at)
}

/// What signs a call at this moment: the secret, and the former one as long as it counts and opens.
pub fn secrets(hook: &Hook, tenant: TenantRef, sealer: &Sealer, now: Timestamp) -> Result<Vec<Secret>> {
    let is_valid = hook.former_secret_expires_at.is_some_and(|until| now < until);
    let former = hook.former_secret.as_ref().filter(|_| is_valid);
    let place = place((tenant, hook.id));
    let open = |sealed: &Sealed<String>| place.open(sealed, sealer).map(Secret::new);
    let mut secrets = vec![open(&hook.secret)?];
    match former.map(open).transpose() {
        Ok(former) => secrets.extend(former),
        Err(error) => {
            tracing::warn!(hook = %hook.id, error = ?error, "the former secret of a hook does not open");
        }
    }
    Ok(secrets)
}

pub(super) fn place(hook: (TenantRef, HookId)) -> Place {
    Place::of("hooks", hook)
}
