//! The API reference at the root of a tenant's host: the OpenAPI document of the routes that the tenant offers, in the
//! tenant's look. It signs in as the tenant's public application [`HANDLE`], where there is one.

use serde_json::Value;
use svc_core::Result;
use svc_domain::apps;
use svc_http::{Describes, Params, Response, Route, Routes};

use super::described;
use crate::hosted::Visit;
use crate::pages::SignInOf;

/// The handle of the application with which the page signs in.
const HANDLE: &str = "api-reference";

/// The page; `App::part` must hold [`Describes`].
pub fn routes() -> Routes {
    Routes::new([
        Route::get("/").page("the description of the API, which the operator chose to publish", show)
    ])
}

async fn show(visit: &mut Visit, _query: Params) -> Result<Response> {
    let host = &visit.host;
    let offers = |capability| host.offers(capability);
    let document: Value = (host.app.part::<Describes>()?.0)()?.at(&host.tenant.issuer, offers);
    let mut page = described::page(&document);
    page.sign_in = sign_in(visit).await?;
    visit.page(&page)
}

/// The application of the page, as far as its codes may go here.
async fn sign_in(visit: &Visit) -> Result<Option<SignInOf>> {
    let tenant = &visit.host.tenant;
    let redirect_uri = format!("{}/", tenant.issuer);
    let app = apps::find_by_handle(&mut visit.host.read().await?, HANDLE).await?;
    let app = app.filter(|app| app.enabled && app.is_public() && app.owns_redirect_uri(&redirect_uri));
    Ok(app.map(|app| SignInOf {
        client_id: app.client_id().into(),
        scope: app.configuration.scope.to_string().into(),
        audience: tenant.api_audience().into(),
        redirect_uri: redirect_uri.into(),
    }))
}
