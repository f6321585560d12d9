//! `/api/v1/identity/data`: everything that is kept about the person here (GDPR, Article 20).

use serde_json::Value;
use svc_http::{Json, Problem, Route, TenantCx};

use super::super::own::data::document;
use super::caller::{READ, own};

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/data")
            .tenant(READ, read)
            .summary("Download everything that is kept about the person here")
            .recent_sign_in(),
    ]
}

async fn read(caller: TenantCx) -> Result<Json<Value>, Problem> {
    Ok(Json(document(&own(&caller).await?).await?))
}
