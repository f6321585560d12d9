//! `/api/v1/identity/password`: a new password (NIST SP 800-63B §3.1.1).

use serde::Deserialize;
use svc_core::Secret;
use svc_domain::people::passwords;
use svc_http::{Json, NoContent, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::password::set;
use super::caller::{WRITE, own};

/// A password to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OwnPassword, examples(json!({ "password": "compiler nanosecond moth" })))]
struct OwnPassword {
    #[schema(value_type = String, format = "password", min_length = 8, max_length = 1024, write_only)]
    password: Secret,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::put("/api/v1/identity/password")
            .tenant(WRITE, change)
            .summary("Set the password, and end every session and token, including those of this call")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn change(
    caller: TenantCx,
    Json(OwnPassword { password }): Json<OwnPassword>,
) -> Result<NoContent, Problem> {
    let mut own = own(&caller).await?;
    let known = [&own.person.email, &own.person.username, &own.person.profile.name];
    let about: Vec<_> = known.into_iter().flatten().map(String::as_str).collect();
    let password = passwords::normal(&password);
    passwords::check(&password, &about)?;
    caller.app.breached.refuse(&password).await?;
    // Hashing takes its time and would hold the transaction open.
    let phc = caller.app.hash_password(caller.tenant.id, &password).await?;
    let mut tx = caller.begin().await?;
    set(&mut own, &mut tx, &phc).await?;
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(NoContent)
}
