//! The page behind a link that signs in. Opening it changes nothing, because programs that look at mails open links; its button
//! spends it, in the browser that asked for it.

use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds, Timestamp};
use svc_domain::people::accounts::Email;
use svc_domain::people::changes::Candidate;
use svc_domain::people::links::{self, LinkKind};
use svc_http::{Params, Response, Route, Routes, StatusCode};
use svc_keys::digest;

use super::ceremony::{SignIn, Way};
use super::methods::{email_otp, magic_link};
use super::waiting::Waiting;
use crate::hosted::paths::{SIGN_IN_LINK, START};
use crate::hosted::{Carried, Visit};
use crate::pages::{self, Done, Form, Outcome};

/// The secret of a link, in the form of its page.
#[derive(Serialize, Deserialize)]
struct Followed(String);

impl Carried for Followed {
    const LABEL: &'static str = "sign-in link";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }
}

/// The page and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(SIGN_IN_LINK).page("the link of a mail that signs in", show),
        Route::post(SIGN_IN_LINK).form("signs in the browser that asked for the link", submit),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    let mut tx = visit.host.read().await?;
    let link = links::find::<Waiting>(&mut tx, visit.cx(), digest(secret), LinkKind::SignIn).await?;
    drop(tx);
    let Some(link) = link else { return ended(visit, StatusCode::BAD_REQUEST, Outcome::LinkExpired) };
    if !link.payload.is_of(visit) {
        return ended(visit, StatusCode::OK, Outcome::OpenedElsewhere);
    }
    let flow = visit.seal(&Followed(secret.to_owned()))?;
    let page = pages::SignInLink { form: Form::new(SIGN_IN_LINK, flow), email: link.payload.to.into() };
    let signin = SignIn::open(visit, Some(&link.payload.flow)).await?;
    match &signin.way {
        // The answer to the form may lead back to the application.
        Way::Flow(journey) => journey.page(StatusCode::OK, &page),
        Way::Errand(visit, _) => visit.page(&page),
    }
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Followed(secret) = visit.open(form.one("flow"))?;
    let mut tx = visit.host.begin().await?;
    let link = links::spend::<Waiting>(&mut tx, visit.cx(), digest(&secret), LinkKind::SignIn).await?;
    let link = link.filter(|link| link.payload.is_of(visit));
    let Some(link) = link else {
        tx.rollback().await?;
        return ended(visit, StatusCode::BAD_REQUEST, Outcome::LinkExpired);
    };
    tx.commit().await?;
    let owner = email_otp::owner(visit, &Email::parse(&link.payload.to)?).await?;
    // With a change of the credentials ends what was under way before.
    let is_meant = |owner: &Candidate| {
        Some(owner.account.id) == link.account && owner.account.credentials_changed_at <= link.created_at
    };
    let owner = owner.filter(is_meant);
    let Some(owner) = owner else { return ended(visit, StatusCode::BAD_REQUEST, Outcome::LinkExpired) };
    let signin = SignIn::open(visit, Some(&link.payload.flow)).await?;
    signin.proven(&magic_link::METHOD, &email_otp::proof(owner.account)).await
}

fn ended(visit: &Visit, status: StatusCode, outcome: Outcome) -> Result<Response> {
    visit.page_as(status, &Done { outcome, continue_url: START.into() }, None)
}
