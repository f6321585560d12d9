//! `/api/v1/identity/credentials`: the credentials of the person other than the password.

use serde::{Deserialize, Serialize};
use svc_core::{CredentialId, Timestamp};
use svc_domain::people::credentials::{Credential as Stored, Kind};
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::super::own::credentials::{kept, remove, rename};
use super::caller::{READ, WRITE, found, own};

const PATH: &str = "/api/v1/identity/credentials";
const ONE: &str = "/api/v1/identity/credentials/{credential_id}";

/// Something that the person proves themselves with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Credential)]
struct Credential {
    #[schema(value_type = String)]
    id: CredentialId,
    /// `totp`, `backup_code`, `passkey`, `phone`, `trusted_browser` or `identity` (an account at another provider).
    kind: &'static str,
    /// What the person calls it.
    name: String,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = "date-time")]
    last_used_at: Option<Timestamp>,
    /// When it expires, if ever.
    #[schema(value_type = Option<String>, format = "date-time")]
    expires_at: Option<Timestamp>,
}

/// The new name of a credential.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CredentialName, examples(json!({ "name": "My phone" })))]
struct CredentialName {
    #[schema(min_length = 1, max_length = 60)]
    name: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH).tenant(READ, list).summary("List the person's credentials, oldest first"),
        Route::put("/api/v1/identity/credentials/{credential_id}/name")
            .tenant(WRITE, name)
            .summary("Give a credential another name")
            .idempotent(),
        Route::delete(ONE)
            .tenant(WRITE, delete)
            .summary("Remove a credential; removing the last app removes the backup codes and trusted browsers too")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<Credential>>, Problem> {
    let own = own(&caller).await?;
    let kept = kept(&own, &mut caller.read().await?).await?;
    let data = kept.into_iter().filter_map(shown).collect();
    Ok(Json(whole.part(&caller, data, |one: &Credential| one.id)?))
}

/// One of a kind that this version knows.
fn shown(stored: Stored) -> Option<Credential> {
    Some(Credential {
        id: stored.id,
        kind: stored.kind?.name(),
        name: stored.name,
        created_at: stored.created_at,
        last_used_at: stored.last_used_at,
        expires_at: stored.expires_at,
    })
}

async fn name(
    caller: TenantCx,
    Path(id): Path<CredentialId>,
    Json(CredentialName { name }): Json<CredentialName>,
) -> Result<NoContent, Problem> {
    let is_renamed = rename(&own(&caller).await?, (id, &name)).await?.map_err(|denied| denied.refusal())?;
    found(is_renamed)
}

async fn delete(caller: TenantCx, Path(id): Path<CredentialId>) -> Result<NoContent, Problem> {
    let is_removed = remove(&own(&caller).await?, id, Kind::ALL).await?.map_err(|denied| denied.refusal())?;
    found(is_removed)
}
