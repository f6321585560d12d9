//! `/api/v1/control-plane/keys`: the keys that sign, for every tenant or for one, their rotation, and the withdrawal of one that leaked.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, Seconds, TenantRef, Timestamp};
use svc_domain::keys::signing_keys::{Line, NOTICE, Rotation, SHORTEST_NOTICE};
use svc_domain::people::operators::Role;
use svc_domain::tenancy::tenants::records;
use svc_http::{Json, OperatorCx, Path, Problem, Route, Routes};
use svc_keys::Algorithm;
use svc_keys::jose::KeyState;
use utoipa::ToSchema;

/// A key that is announced for later than this is forgotten about.
const LONGEST_NOTICE: Seconds = Seconds(30 * 86_400);

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([
        Route::get("/api/v1/control-plane/keys").operator(Role::Viewer, list).summary("List the published signing keys"),
        Route::post("/api/v1/control-plane/keys/rotate")
            .operator(Role::Administrator, rotate)
            .summary("Replace signing keys: the new ones are published now and sign after a while")
            .describe("The old keys stay published until the last token that they signed has expired.")
            .idempotent(),
        Route::post("/api/v1/control-plane/keys/{id}/withdraw")
            .operator(Role::Administrator, withdraw)
            .summary("Withdraw a signing key at once, after a leak: every token that it signed ends")
            .describe(
                "Another key signs from the same instant. Every node of the service refuses the tokens within a second; \
                 verifiers elsewhere when they read the key set again, at the latest when their copy expires.",
            )
            .idempotent(),
    ])
}

/// The published signing keys, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
struct SigningKeys {
    keys: Vec<Key>,
}

/// A signing key.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SigningKey)]
struct Key {
    /// Its id, the `kid` of what it signs.
    kid: String,
    /// The one tenant whose key it is; null where it is the key of every tenant without keys of its own.
    #[schema(value_type = Option<String>)]
    tenant_id: Option<TenantRef>,
    /// `ES256`, `EdDSA` or `RS256`.
    algorithm: &'static str,
    /// `next`: is published, and signs later. `active`: signs. `retired`: stays published for what it has signed.
    state: &'static str,
    /// From when it signs.
    #[schema(value_type = String, format = "date-time")]
    signs_from: Timestamp,
    /// When it leaves the key set; null while nothing follows it.
    #[schema(value_type = Option<String>, format = "date-time")]
    expires_at: Option<Timestamp>,
}

/// Which keys to replace, and when.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = KeyRotation, examples(json!({ "algorithm": "ES256", "signs_in_secs": 86400 })))]
struct Wanted {
    /// `ES256`, `EdDSA` or `RS256`; each of them unless it is given.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    algorithm: Option<Algorithm>,
    /// The tenant whose own keys are replaced; without it those of every tenant that has none of its own.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    tenant_id: Option<TenantRef>,
    /// Seconds until the new key signs, 5 to 2592000, by default a day: verifiers that keep the key set have read it again by then.
    #[serde(default)]
    #[schema(minimum = 5, maximum = 2_592_000)]
    signs_in_secs: Option<i64>,
}

async fn list(caller: OperatorCx) -> Result<Json<SigningKeys>, Problem> {
    Ok(Json(published(&caller).await?))
}

async fn rotate(caller: OperatorCx, Json(wanted): Json<Wanted>) -> Result<Json<SigningKeys>, Problem> {
    let notice = wanted.signs_in_secs.map_or(NOTICE, Seconds);
    if !(SHORTEST_NOTICE..=LONGEST_NOTICE).contains(&notice) {
        return Err(Error::bad_request("signs_in_secs: use 5 to 2592000").into());
    }
    if wanted.algorithm.is_some_and(|one| !Algorithm::SIGNING.contains(&one)) {
        return Err(Error::bad_request("algorithm: use ES256, EdDSA or RS256").into());
    }
    if let Some(tenant) = wanted.tenant_id
        && records::find(&mut caller.app.db.read_system().await?, tenant).await?.is_none()
    {
        return Err(Error::bad_request("tenant_id: no tenant has this id").into());
    }
    let rotation = Rotation { signs_from: caller.now + notice, withdraws: false };
    let (app, chosen) = (&caller.app, wanted.algorithm.as_ref().map(std::slice::from_ref));
    for &algorithm in chosen.unwrap_or(Algorithm::SIGNING) {
        let line = Line { tenant: wanted.tenant_id, algorithm };
        app.services.keys.replace(&app.db, &caller, line, rotation).await?;
    }
    Ok(Json(published(&caller).await?))
}

async fn withdraw(caller: OperatorCx, Path(kid): Path<String>) -> Result<Json<SigningKeys>, Problem> {
    caller.app.services.keys.withdraw(&caller.app.db, &caller, &kid).await?;
    Ok(Json(published(&caller).await?))
}

async fn published(caller: &OperatorCx) -> Result<SigningKeys> {
    let standing = caller.app.services.keys.standing(&caller.app.db, caller.now).await?;
    let keys = standing.into_iter().map(|(key, state)| Key {
        kid: key.kid,
        tenant_id: key.line.tenant,
        algorithm: key.line.algorithm.name(),
        state: match state {
            KeyState::Next => "next",
            KeyState::Active => "active",
            KeyState::Retired => "retired",
        },
        signs_from: key.signs_from,
        expires_at: key.expires_at,
    });
    Ok(SigningKeys { keys: keys.collect() })
}
