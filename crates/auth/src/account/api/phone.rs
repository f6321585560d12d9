//! `/api/v1/identity/phone`: the phone number of the account (E.164), in two calls: a code that is sent to it, and the proof.

use serde::{Deserialize, Serialize};
use svc_core::Error;
use svc_domain::people::phones::PhoneNumber;
use svc_http::{Json, NoContent, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::phone::{AskOutcome, ask, confirm, number, remove};
use super::caller::{READ, WRITE, found, open, own, seal};

/// What binds the two calls.
const WHAT: &str = "phone";
const PATH: &str = "/api/v1/identity/phone";

/// The number that the person has proven.
#[derive(Serialize, ToSchema)]
#[schema(as = Phone)]
struct Phone {
    /// The number; null where there is none.
    phone_number: Option<String>,
}

/// The number that the account is to have.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewPhone, examples(json!({ "phone_number": "+442079460777" })))]
struct NewPhone {
    /// `+`, the code of the country, and the number.
    #[schema(max_length = 40)]
    phone_number: String,
}

/// A code is on its way.
#[derive(Serialize, ToSchema)]
#[schema(as = PhoneCodeSent)]
struct Sent {
    /// For the second call, within 15 minutes.
    flow: String,
}

/// The code of the text message.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PhoneProof, examples(json!({ "flow": "AAAA", "code": "123456" })))]
struct PhoneProof {
    /// From the first call.
    flow: String,
    /// The code.
    #[schema(max_length = 20)]
    code: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH).tenant(READ, read).summary("Read the phone number that the person has proven"),
        Route::post(PATH)
            .tenant(WRITE, begin)
            .summary("Send a code to a new phone number for the account")
            .recent_sign_in()
            .idempotent(),
        Route::post("/api/v1/identity/phone/confirm")
            .tenant(WRITE, prove)
            .summary("Set the new phone number, with the code that was sent to it")
            .recent_sign_in()
            .idempotent(),
        Route::delete(PATH)
            .tenant(WRITE, delete)
            .summary("Remove the phone number")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn read(caller: TenantCx) -> Result<Json<Phone>, Problem> {
    let number = number(&own(&caller).await?).await?;
    Ok(Json(Phone { phone_number: number.map(|number| number.to_string()) }))
}

async fn begin(caller: TenantCx, Json(new): Json<NewPhone>) -> Result<Json<Sent>, Problem> {
    let own = own(&caller).await?;
    match ask(&own, &PhoneNumber::parse(&new.phone_number)?).await? {
        AskOutcome::Sent(kept) => Ok(Json(Sent { flow: seal(&own, WHAT, &kept)? })),
        AskOutcome::Same => Err(Error::conflict("phone_number: the account has this number already").into()),
        AskOutcome::TooMany(wait) => {
            let refused =
                Error::rate_limited("phone_number: too many codes were asked for; wait before the next");
            Err(refused.retry_in(wait).into())
        }
    }
}

async fn prove(caller: TenantCx, Json(proof): Json<PhoneProof>) -> Result<NoContent, Problem> {
    let own = own(&caller).await?;
    let kept = open(&own, WHAT, &proof.flow)?;
    confirm(&own, &kept, &proof.code).await?.map_err(|denied| denied.refusal())?;
    Ok(NoContent)
}

async fn delete(caller: TenantCx) -> Result<NoContent, Problem> {
    let is_removed = remove(&own(&caller).await?).await?.map_err(|denied| denied.refusal())?;
    found(is_removed)
}
