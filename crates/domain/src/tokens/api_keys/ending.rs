//! API keys end, with every token that was got for one.

use svc_core::events::ApiKeyDeleted;
use svc_core::{Cx, Error, OrganizationId, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql};

use super::{ApiKey, keys_of, meaning};
use crate::log::{Action, change};
use crate::tokens::revocations::{self, Revoked};

/// Deletes a key, which ends with the answer on every node, and with it every token that was got for it.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey) -> Result<()> {
    let delete = change_sql!("DELETE FROM api_keys WHERE tenant_id = $1 AND id = $2");
    let meaning = meaning(Action::ApiKeyDeleted, key).telling(ApiKeyDeleted {
        api_key_id: key.id,
        tenant_user_id: key.tenant_user_id,
        organization_id: key.organization_id,
    });
    if change(tx, cx, delete, args![key.id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    revocations::revoke(tx, cx, &Revoked::Jti(key.id.to_string()));
    Ok(())
}

/// Ends every key of a person, also one that is being made.
pub async fn end_of_person(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<()> {
    tx.hold(&keys_of(&person.to_string()));
    let delete = quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM api_keys WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    tx.execute(delete, args![person]).await.map(|_| ())
}

/// Ends every key of an organization, with every token that was got for one.
pub(crate) async fn end_of_organization(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<()> {
    tx.hold(&keys_of(&organization.to_string()));
    let mark = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'jti', id, $3, $4 FROM api_keys WHERE tenant_id = $1 AND organization_id = $2 \
         ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(mark, args![organization, cx.now, revocations::horizon(cx.now)]);
    let delete = quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM api_keys WHERE tenant_id = $1 AND organization_id = $2"
    );
    tx.execute(delete, args![organization]).await.map(|_| ())
}

/// Ends the tokens that were got for a key so far; their subject is the key. Each was noted as a use of the key, which may have been by
/// a clock that is ahead of this one.
pub(super) fn of_tokens(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey) {
    let mark = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'subject', id, CASE WHEN last_used_at > $3 THEN last_used_at ELSE $3 END, $4 FROM api_keys \
         WHERE tenant_id = $1 AND id = $2 ON CONFLICT (tenant_id, kind, value) \
         DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at \
         WHERE revocations.revoked_at < excluded.revoked_at"
    );
    tx.later(mark, args![key.id, cx.now, revocations::horizon(cx.now)]);
}
