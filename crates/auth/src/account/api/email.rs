//! `/api/v1/identity/email`: asks for another address, which takes effect once the link that is mailed to it was opened.

use serde::Deserialize;
use svc_core::Error;
use svc_domain::people::accounts::Email;
use svc_http::{Json, NoContent, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::new_address::{AskOutcome, ask};
use super::caller::{WRITE, own};

/// The address that the account is to have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewEmail, examples(json!({ "email": "ada@new.example" })))]
struct NewEmail {
    #[schema(format = "email", max_length = 320)]
    email: String,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/v1/identity/email")
            .tenant(WRITE, change)
            .summary("Mail a confirmation link to a new address for the account")
            .recent_sign_in()
            .idempotent(),
    ]
}

async fn change(caller: TenantCx, Json(NewEmail { email }): Json<NewEmail>) -> Result<NoContent, Problem> {
    let email = Email::parse(&email)?;
    match ask(&own(&caller).await?, &email).await? {
        AskOutcome::Mailed => Ok(NoContent),
        AskOutcome::Same => Err(Error::conflict("email: the account has this address already").into()),
        AskOutcome::Enforced => {
            Err(Error::forbidden("email: people with the present address sign in at their organization")
                .into())
        }
        AskOutcome::TooMany(wait) => {
            let refused = Error::rate_limited("email: too many links were asked for; wait before the next");
            Err(refused.retry_in(wait).into())
        }
    }
}
