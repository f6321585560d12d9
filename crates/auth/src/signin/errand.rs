//! Sign-in on the way to a page of our own: no application asked for it, and none gets an answer.

use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds, Timestamp};
use svc_http::{HeaderMap, HostCx, OauthError, Response, Route, Routes, Uri};

use super::ceremony::{SignIn, Way};
use super::steps::Attempt;
use crate::hosted::paths::{APPROVALS, DEVICE};
use crate::hosted::{Carried, Visit, query_of, with_query};

const PATH: &str = "/auth/errand";

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
        SignIn::new(Way::Errand(visit, self.clone())).page(attempt)
    }
}

impl Carried for Errand {
    const LABEL: &'static str = "hosted errand";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }
}

/// The sign-in page.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).public("a page of sign-in", show).undocumented()])
}

async fn show(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let errand = query_of(&uri).and_then(|query| visit.open::<Errand>(query.one("flow")));
    let outcome = errand.and_then(|errand| errand.sign_in_page(&visit, &Attempt::default()));
    Ok(visit.answer(outcome))
}
