//! `/api/v1/identity/passkeys`: a passkey or security key (WebAuthn §7.1), in two calls: a challenge, and its answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_http::{Json, NoContent, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::first_passkey::party_with_apps;
use super::super::own::passkeys::{add, ask};
use super::caller::{WRITE, open, own, seal};

/// What binds the two calls.
const WHAT: &str = "passkey";

/// What to ask an authenticator for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PasskeyRequest, examples(json!({ "use": "passkey" })))]
struct Wanted {
    /// `passkey`, which signs in alone, or `security_key`, which comes after a password.
    r#use: String,
}

/// A challenge for an authenticator.
#[derive(Serialize, ToSchema)]
#[schema(as = PasskeyChallenge)]
struct Challenge {
    /// For the second call, within 15 minutes.
    flow: String,
    /// The options of `navigator.credentials.create`, as `PublicKeyCredential.parseCreationOptionsFromJSON` takes them.
    #[schema(value_type = Object)]
    options: Value,
}

/// What an authenticator answered.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PasskeyAnswer, examples(json!({ "flow": "AAAA", "answer": {}, "name": "Laptop" })))]
struct Proof {
    /// From the first call.
    flow: String,
    /// The credential as its `toJSON` gives it.
    #[schema(value_type = Object)]
    answer: Value,
    /// What the person calls it.
    #[schema(max_length = 60)]
    name: Option<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/v1/identity/passkeys")
            .tenant(WRITE, begin)
            .summary("Ask for a challenge for a new passkey or security key")
            .recent_sign_in()
            .idempotent(),
        Route::post("/api/v1/identity/passkeys/confirm")
            .tenant(WRITE, confirm)
            .summary("Add the passkey that an authenticator answered with")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn begin(caller: TenantCx, Json(wanted): Json<Wanted>) -> Result<Json<Challenge>, Problem> {
    let own = own(&caller).await?;
    let new = ask(&own, &wanted.r#use).await?;
    Ok(Json(Challenge { flow: seal(&own, WHAT, &new.creation)?, options: new.shown }))
}

async fn confirm(caller: TenantCx, Json(proof): Json<Proof>) -> Result<NoContent, Problem> {
    let own = own(&caller).await?;
    let creation = open(&own, WHAT, &proof.flow)?;
    let (party, answer) = (party_with_apps(&own.host)?, proof.answer.to_string());
    add(&own, &party, (&creation, &answer, proof.name.as_deref()))
        .await?
        .map_err(|denied| denied.refusal())?;
    Ok(NoContent)
}
