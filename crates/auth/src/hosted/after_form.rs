//! The page after a form, at the address that carries it.

use std::future::{Ready, ready};

use svc_core::{OrInternal as _, Result};
use svc_http::{Params, Response, Route, Routes, StatusCode, redirect_target};

use super::kept::{Kept, PATH};
use super::visit::Visit;
use crate::pages::Data;

/// The pages after forms.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).page("the page after a form", show)])
}

#[expect(clippy::needless_pass_by_value, reason = "the handler of a page owns its parameters")]
fn show(visit: &mut Visit, query: Params) -> Ready<Result<Response>> {
    ready(shown(visit, &query))
}

fn shown(visit: &Visit, query: &Params) -> Result<Response> {
    let Kept { template, page, status, target } = visit.open(query.one("shown"))?;
    let status = StatusCode::from_u16(status).or_internal()?;
    visit.filled(status, (&template, Data::of(&page)), target.as_deref().and_then(redirect_target))
}
