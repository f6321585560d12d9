//! A tenant's bare address, and the well-known address of a password form (W3C, A Well-Known URL for Changing Passwords).

use std::future::{Ready, ready};

use svc_core::{Error, Result};
use svc_http::{Params, Response, Route, Routes, see_other};

use crate::hosted::Visit;
use crate::hosted::paths::{ACCESS, APPROVALS, FORGOT, OWN_PASSWORD, START};
use crate::pages::Start;
use crate::signin::{account_of, current_or_acting, offers};

use super::sign_out;

/// The page at `/`.
pub fn landing() -> Routes {
    Routes::new([Route::get(START).page("tells where one is", show)])
}

/// Where password managers lead people.
pub fn routes() -> Routes {
    Routes::new([Route::get("/.well-known/change-password").page("leads to the form", change_password)])
}

async fn show(visit: &mut Visit, _query: Params) -> Result<Response> {
    let session = if visit.has_session() {
        current_or_acting(visit, &mut visit.host.read().await?).await?
    } else {
        None
    };
    if let Some(session) = &session {
        visit.speak_as(&session.person)?;
    }
    let page = Start {
        account: session.as_ref().map(|session| account_of(&session.person).into()),
        approvals_url: APPROVALS.into(),
        access_url: Some(ACCESS.into()),
        sign_out_url: sign_out::PATH.into(),
    };
    visit.page(&page)
}

fn change_password(visit: &mut Visit, _query: Params) -> Ready<Result<Response>> {
    ready(if offers::recovery(&visit.host) {
        Ok(see_other(FORGOT))
    } else if offers::password(&visit.host) {
        Ok(see_other(OWN_PASSWORD))
    } else {
        Err(Error::not_found("passwords cannot be changed here"))
    })
}
