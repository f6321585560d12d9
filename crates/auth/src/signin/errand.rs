//! Sign-in on the way to a page of our own: no application asked for it, and none gets an answer.

use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds, Timestamp};
use svc_http::{Form, HeaderMap, HostCx, IntoResponse, OauthError, Response, Route, Routes, Uri, see_other};

use super::methods::{self, Verdict};
use super::offers;
use super::session::start;
use super::steps::Attempt;
use crate::hosted::paths::{APPROVALS, DEVICE, FORGOT};
use crate::hosted::{Carried, Visit, query_of, with_query};
use crate::pages::{MessageKey, Page, SignIn};

const PATH: &str = "/auth/errand";
/// How long the form may stay open.
const LIFETIME: Seconds = Seconds(15 * 60);

/// Where the person goes on; a closed list, so that nobody can be sent elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Errand {
    /// Enters the code of a device, which may be known already.
    Device(Option<String>),
    /// Decides what waits for approval.
    Approvals,
}

impl Errand {
    /// The address of the page.
    pub fn url(&self) -> String {
        match self {
            Self::Device(None) => DEVICE.to_owned(),
            Self::Device(Some(code)) => with_query(DEVICE, [("user_code", code.as_str())]),
            Self::Approvals => APPROVALS.to_owned(),
        }
    }

    /// Signs in as somebody else than the present person, and comes back.
    pub fn switch_url(&self, visit: &Visit) -> Result<String> {
        Ok(format!("{PATH}?flow={}", visit.seal(self)?))
    }

    /// The sign-in form.
    pub fn sign_in_page(&self, visit: &Visit, attempt: &Attempt<'_>) -> Result<Response> {
        let flow = visit.seal(self)?;
        let page = Page::SignIn(SignIn {
            action: PATH,
            flow: &flow,
            username: attempt.username.unwrap_or_default(),
            error: attempt.error,
            notice: attempt.notice,
            app_name: None,
            register_url: None,
            forgot_url: offers::recovery(&visit.host).then_some(FORGOT),
        });
        visit.page_as(attempt.status, &page, None)
    }
}

impl Carried for Errand {
    const LABEL: &'static str = "hosted errand";

    fn expires_at(&self, now: Timestamp) -> Timestamp {
        now + LIFETIME
    }
}

/// The sign-in form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(PATH).public("a page of sign-in", show).undocumented(),
        Route::post(PATH).public("the sign-in form", sign_in).undocumented(),
    ])
}

async fn show(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let errand = query_of(&uri).and_then(|query| visit.open::<Errand>(query.one("flow")));
    let outcome = errand.and_then(|errand| errand.sign_in_page(&visit, &Attempt::default()));
    Ok(visit.answer(outcome))
}

async fn sign_in(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let outcome = signed_in(&visit, form).await;
    Ok(visit.answer(outcome))
}

async fn signed_in(visit: &Visit, form: Result<Form, OauthError>) -> Result<Response> {
    let form = visit.own_form(form)?;
    let errand: Errand = visit.open(form.one("flow"))?;
    let method = methods::chosen(visit, form.one("method"))?;
    let proof = match (method.finish)(visit, &form).await? {
        Verdict::Proven(proof) => proof,
        Verdict::Refused(status, error) => {
            return errand.sign_in_page(visit, &Attempt::again(&form, status, error));
        }
    };
    let mut tx = visit.host.begin().await?;
    let Some(person) = proof.settle(&mut tx, visit.cx()).await? else {
        tx.rollback().await?;
        let attempt = Attempt { error: Some(MessageKey::WrongCredentials), ..Attempt::default() };
        return errand.sign_in_page(visit, &attempt);
    };
    let (_, cookie) = start(visit, &mut tx, &person, proof.method).await?;
    tx.commit().await?;
    Ok((cookie, see_other(&errand.url())).into_response())
}
