//! The answer to the account chooser (OpenID Connect Core §3.1.2.1, `prompt=select_account`).

use svc_core::Result;
use svc_http::{Params, Response, Route, Routes};

use super::journey::Journey;
use super::session::current;
use crate::authorize::PromptValue;
use crate::hosted::Visit;
use crate::hosted::paths::SELECT_ACCOUNT;

/// The choice of an account that is not in the list.
const OTHER: &str = "other";

/// The account chooser.
pub fn routes() -> Routes {
    Routes::new([Route::post(SELECT_ACCOUNT).form("the account chooser", select_account)])
}

async fn select_account(visit: &mut Visit, form: Params) -> Result<Response> {
    let mut journey = Journey::open(visit, form.one("flow")).await?;
    let choice = form.required("account")?;
    let visit = journey.visit;
    let mut tx = visit.host.begin().await?;
    let session = current(visit, &mut tx).await?;
    match &session {
        Some(session) if session.id.to_string() == choice => journey.flow.selected = true,
        _ => {
            journey.flow.request.prompt.add(PromptValue::Login);
            journey.flow.request.login_hint = Some(choice.to_owned()).filter(|choice| choice != OTHER);
        }
    }
    let next = journey.advance(&mut tx, session.as_ref(), None).await?;
    tx.commit().await?;
    journey.show(next, session.as_ref()).await
}
