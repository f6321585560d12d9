//! `/api/v1/tenant-users/{id}/credentials`: what a person proves themselves with besides the password, and how an administrator helps
//! one who has lost it. Only the accounts that the tenant manages are its to look into.

use serde::Serialize;
use svc_core::{CredentialId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::credentials::{self, Credential, Kind, Owner};
use svc_domain::people::phones;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{Json, Letters, List, NoContent, Path, Problem, TenantCx, Whole};
use utoipa::ToSchema;

use super::find;
use crate::{managed, record, unknown};

/// Something that a person proves themselves with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TenantUserCredential)]
pub(super) struct Kept {
    /// Its id.
    #[schema(value_type = String)]
    id: CredentialId,
    /// `totp`, `backup_code`, `passkey`, `phone`, `trusted_browser` or `identity` (an account at another provider).
    kind: &'static str,
    /// What the person calls it.
    name: String,
    /// When it was added.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When it was used last.
    #[schema(value_type = Option<String>, format = "date-time")]
    last_used_at: Option<Timestamp>,
    /// When it expires, if ever.
    #[schema(value_type = Option<String>, format = "date-time")]
    expires_at: Option<Timestamp>,
}

/// Those that count, oldest first.
pub(super) async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    whole: Whole,
) -> Result<Json<List<Kept>>, Problem> {
    let mut tx = caller.read().await?;
    let person = find(&mut tx, id).await?;
    managed::check_managed(&mut tx, &person).await?;
    let all = credentials::of_account(&mut tx, person.account_id).await?;
    let live = all.into_iter().filter(|one| one.is_live(caller.now));
    Ok(Json(whole.part(&caller, live.filter_map(shown).collect(), |one: &Kept| one.id)?))
}

/// Removes one and ends what is under way; the owner is notified by mail.
pub(super) async fn remove(
    caller: TenantCx,
    Path((id, credential)): Path<(TenantUserId, CredentialId)>,
) -> Result<NoContent, Problem> {
    let (mut tx, _) = record::begin(&caller, &id).await?;
    let person = find(&mut tx, id).await?;
    managed::check(&caller, &mut tx, &person).await?;
    let all = credentials::held_of_account(&mut tx, person.account_id).await?;
    let is_meant = |one: &&Credential| one.id == credential && one.kind.is_some();
    let removed = all.iter().find(is_meant).ok_or_else(unknown)?;
    if !credentials::remove(&mut tx, &caller, Owner::from(&person), removed).await? {
        return Err(unknown().into());
    }
    follow(&caller, &mut tx, (&person, removed), &all).await?;
    tenant_users::end_all_access(&mut tx, &caller, &person).await?;
    (caller.app.part::<Letters>()?.credential_removed)(&caller, &mut tx, &person, removed).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// With the last app or second factor go the codes on paper and the trust in browsers, which stand for it; with a number what the
/// profile says of it.
async fn follow(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (person, removed): (&Person, &Credential),
    all: &[Credential],
) -> svc_core::Result<()> {
    credentials::remove_stand_ins(tx, caller, Owner::from(person), (removed, all)).await?;
    if removed.kind == Some(Kind::Phone) {
        phones::removed(tx, caller, person, removed).await?;
    }
    Ok(())
}

/// One of a kind that this version knows.
fn shown(stored: Credential) -> Option<Kept> {
    Some(Kept {
        id: stored.id,
        kind: stored.kind?.name(),
        name: stored.name,
        created_at: stored.created_at,
        last_used_at: stored.last_used_at,
        expires_at: stored.expires_at,
    })
}
