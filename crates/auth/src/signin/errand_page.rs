//! The sign-in page on the way to a page of our own.

use svc_core::Result;
use svc_http::{HeaderMap, HostCx, OauthError, Response, Route, Routes, Uri};

use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::errand::{Errand, PATH};
use crate::hosted::{Visit, query_of};

impl Errand {
    /// The sign-in form.
    pub fn sign_in_page(&self, visit: &Visit, attempt: &Attempt<'_>) -> Result<Response> {
        SignIn::new(Way::Errand(visit, self.clone())).page(attempt)
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
