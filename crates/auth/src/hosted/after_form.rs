//! The page after a form, at the address that carries it.

use svc_core::{OrInternal as _, OrganizationId, Result};
use svc_http::{Params, Response, Route, Routes, StatusCode, redirect_target};

use super::kept::{Kept, PATH};
use super::visit::Visit;
use crate::pages::Data;

/// The pages after forms.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).page("the page after a form", show)])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let Kept { template, page, status, target, language, organization } = visit.open(query.one("shown"))?;
    visit.speak(language.as_deref())?;
    visit.dress(organization.as_ref().map(OrganizationId::to_string).as_deref()).await?;
    let status = StatusCode::from_u16(status).or_internal()?;
    visit.filled(status, (&template, Data::of(&page)), target.as_deref().and_then(redirect_target))
}
