//! `/api/v1/identity/login-history`: when and where the person signed in.

use svc_core::LoginId;
use svc_domain::people::login_history::Login;
use svc_http::{Json, List, Listing, Problem, Route, TenantCx};

use super::super::own::login_history::page;
use super::caller::{READ, own};

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/login-history")
            .tenant(READ, list)
            .summary("List the person's sign-ins and failed attempts, newest first"),
    ]
}

async fn list(
    caller: TenantCx,
    Listing { page: asked, .. }: Listing<LoginId>,
) -> Result<Json<List<Login>>, Problem> {
    let found = page(&own(&caller).await?, (asked.after, asked.fetch())).await?;
    Ok(Json(caller.page(found, asked.limit, |login: &Login| login.id)?))
}
