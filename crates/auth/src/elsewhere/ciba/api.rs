//! `/api/v1/identity/ciba/requests`: backchannel requests (OpenID CIBA §7) that wait for a person.

use svc_core::{CibaRequestId, Result};
use svc_domain::grants::ciba_requests::{self, Page, Pending};
use svc_http::{Json, List, Listing, Problem, Route, Routes, TenantCx};

use crate::authorize::organization::Member;
use crate::elsewhere::api::{ABOUT_APPROVALS, SCOPE, approve, deny, of_people, waiting};
use crate::signin::person_of_token;

waiting!(CibaRequest of CibaRequestId,
    /// The message that the application shows, for the person to compare.
    binding_message: Option<String>
);

pub fn routes() -> Routes {
    Routes::new(
        [
            Route::get("/api/v1/identity/ciba/requests")
                .tenant(SCOPE, list)
                .summary("List the requests that wait for the person's approval, newest first"),
            Route::post("/api/v1/identity/ciba/requests/{id}/approve")
                .tenant(SCOPE, approve::<CibaRequestId>)
                .summary("Approve a request")
                .describe(ABOUT_APPROVALS)
                .idempotent(),
            Route::post("/api/v1/identity/ciba/requests/{id}/deny")
                .tenant(SCOPE, deny::<CibaRequestId>)
                .summary("Deny a request")
                .idempotent(),
        ]
        .map(of_people),
    )
}

async fn list(
    caller: TenantCx,
    Listing { page: request, .. }: Listing<CibaRequestId>,
) -> Result<Json<List<Waiting>>, Problem> {
    let mut tx = caller.read().await?;
    let person = person_of_token(&caller, &mut tx).await?;
    let page = Page { cursor: request.after, limit: request.fetch() };
    let found = ciba_requests::of_person(&mut tx, &person, caller.now, &page).await?;
    let list = caller.page(found, request.limit, |pending: &Pending| pending.id)?;
    let mut data = Vec::with_capacity(list.data.len());
    let mut member = Member::of(&person);
    for pending in list.data {
        data.extend(Waiting::of(&caller, &mut tx, (pending, &mut member)).await?);
    }
    Ok(Json(List { data, next_cursor: list.next_cursor }))
}
