//! The sign-in page on the way to a page of our own.

use std::future::{Ready, ready};

use svc_core::Result;
use svc_http::{Params, Response, Route, Routes};

use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::errand::{Errand, PATH};
use crate::hosted::Visit;

impl Errand {
    /// The sign-in form.
    pub fn sign_in_page(&self, visit: &Visit, attempt: &Attempt<'_>) -> Result<Response> {
        SignIn::new(Way::Errand(visit, self.clone())).page(attempt)
    }
}

/// The sign-in page.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).page("a page of sign-in", show)])
}

#[expect(clippy::needless_pass_by_value, reason = "the handler of a page owns its parameters")]
fn show(visit: &mut Visit, query: Params) -> Ready<Result<Response>> {
    let errand = visit.open::<Errand>(query.one("flow"));
    ready(errand.and_then(|errand| errand.sign_in_page(visit, &Attempt::default())))
}
