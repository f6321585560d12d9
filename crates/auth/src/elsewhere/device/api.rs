//! `/api/v1/identity/device/requests`: a person enters the code of a device (RFC 8628 §3.3) in an application of their own, and decides
//! there.

use serde::Deserialize;
use svc_core::{DeviceCodeId, Error, Result};
use svc_domain::grants::device_codes::{self, Page, Pending};
use svc_http::{Json, List, Listing, Problem, Route, Routes, TenantCx};
use utoipa::ToSchema;

use super::guesses;
use crate::authorize::organization::Member;
use crate::elsewhere::api::{ABOUT_APPROVALS, SCOPE, approve, deny, must_be_own, of_people, waiting};
use crate::signin::person_of_token;

const REQUESTS: &str = "/api/v1/identity/device/requests";

waiting!(DeviceRequest of DeviceCodeId,
    /// The code that the device shows, as `BCDF-GHJK`, for the person to compare.
    user_code: String
);

/// A code that a person read on a device.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DeviceCodeEntered, examples(json!({ "user_code": "BCDF-GHJK" })))]
struct Entered {
    /// The code, in whatever case, with its hyphen or without.
    #[schema(max_length = 64)]
    user_code: String,
}

pub fn routes() -> Routes {
    Routes::new(
        [
            Route::post(REQUESTS)
                .tenant(SCOPE, enter)
                .summary("Enter the code that a device shows, to see who asks for what")
                .idempotent(),
            Route::get(REQUESTS)
                .tenant(SCOPE, list)
                .summary("List the devices whose codes the person entered and has not decided, newest first"),
            Route::post("/api/v1/identity/device/requests/{device_code_id}/approve")
                .tenant(SCOPE, approve::<DeviceCodeId>)
                .summary("Approve the request of a device")
                .describe(ABOUT_APPROVALS)
                .idempotent(),
            Route::post("/api/v1/identity/device/requests/{device_code_id}/deny")
                .tenant(SCOPE, deny::<DeviceCodeId>)
                .summary("Deny the request of a device")
                .idempotent(),
        ]
        .map(of_people),
    )
}

async fn enter(caller: TenantCx, Json(entered): Json<Entered>) -> Result<Json<Waiting>, Problem> {
    must_be_own(&caller).await?;
    let host = caller.host();
    let person = person_of_token(&caller, &mut caller.read().await?).await?;
    if let Some(wait) = guesses::count_of_person(&host, &person).await? {
        return Err(Error::rate_limited("user_code: too many codes were entered; wait before the next")
            .retry_in(wait)
            .into());
    }
    let mut tx = caller.begin().await?;
    let pending = match device_codes::normalised(&entered.user_code) {
        Some(code) => device_codes::claim(&mut tx, &caller.cx, &code, person.id).await?,
        None => None,
    };
    let waiting = match pending {
        Some(pending) => Waiting::of(&caller, &mut tx, (as_shown(pending), &mut Member::of(&person))).await?,
        None => None,
    };
    tx.commit().await?;
    let Some(waiting) = waiting else {
        guesses::count_wrong(&host).await;
        return Err(Error::not_found(
            "user_code: no device waits with this code; compare it with the device, or start again there",
        )
        .into());
    };
    Ok(Json(waiting))
}

async fn list(
    caller: TenantCx,
    Listing { page: request, .. }: Listing<DeviceCodeId>,
) -> Result<Json<List<Waiting>>, Problem> {
    let mut tx = caller.read().await?;
    let person = person_of_token(&caller, &mut tx).await?;
    let page = Page { cursor: request.after, limit: request.fetch() };
    let found = device_codes::of_person(&mut tx, person.id, caller.now, &page).await?;
    let list = caller.page(found, request.limit, |pending: &Pending| pending.id)?;
    let mut data = Vec::with_capacity(list.data.len());
    let mut member = Member::of(&person);
    for pending in list.data {
        data.extend(Waiting::of(&caller, &mut tx, (as_shown(pending), &mut member)).await?);
    }
    Ok(Json(List { data, next_cursor: list.next_cursor }))
}

/// With the code as people read it.
fn as_shown(pending: Pending) -> Pending {
    Pending { shown: device_codes::shown(&pending.shown), ..pending }
}
