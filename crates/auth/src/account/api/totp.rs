//! `/api/v1/identity/totp`: an app that makes one-time codes (RFC 6238), in two calls: a key, and a code that proves it.

use serde::{Deserialize, Serialize};
use svc_core::Secret;
use svc_http::{Json, NoContent, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::totp;
use super::caller::{WRITE, must_offer_second_factors, open, own, seal};

/// What binds the two calls.
const WHAT: &str = "totp";

/// The key of an app to add. The app does not count until a code of it was sent.
#[derive(Serialize, ToSchema)]
#[schema(as = NewTotp)]
struct NewTotp {
    /// For the second call, within 15 minutes.
    flow: String,
    /// The key, in base32.
    secret: String,
    /// The content of the QR code, an `otpauth:` address.
    url: String,
}

/// A code of the app.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TotpProof, examples(json!({ "flow": "AAAA", "code": "123456", "name": "My phone" })))]
struct TotpProof {
    /// From the first call.
    flow: String,
    /// What the app shows now.
    #[schema(max_length = 20)]
    code: String,
    /// What the person calls the app.
    #[schema(max_length = 60)]
    name: Option<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/v1/identity/totp")
            .tenant(WRITE, begin)
            .summary("Make a key for an app that makes one-time codes")
            .recent_sign_in()
            .idempotent(),
        Route::post("/api/v1/identity/totp/confirm")
            .tenant(WRITE, confirm)
            .summary("Add the app, proven by a code")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn begin(caller: TenantCx) -> Result<Json<NewTotp>, Problem> {
    let own = own(&caller).await?;
    must_offer_second_factors(&caller)?;
    let app = totp::begin(&own)?;
    let secret = app.secret.expose();
    Ok(Json(NewTotp { flow: seal(&own, WHAT, secret)?, secret: secret.to_owned(), url: app.url }))
}

async fn confirm(caller: TenantCx, Json(proof): Json<TotpProof>) -> Result<NoContent, Problem> {
    let own = own(&caller).await?;
    must_offer_second_factors(&caller)?;
    let secret = Secret::new(open(&own, WHAT, &proof.flow)?);
    totp::add(&own, secret, (&proof.code, proof.name.as_deref()))
        .await?
        .map_err(|denied| denied.refusal())?;
    Ok(NoContent)
}
