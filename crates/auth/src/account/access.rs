//! What a person has allowed applications, and where they take it back: as easy as it was to allow.

use svc_core::{AppId, Result};
use svc_db::{Tenant as Space, Tx};
use svc_domain::grants::consents::{self, Consent};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Tenant;
use svc_domain::{apis, apps};
use svc_http::{Params, Response, Route, Routes, StatusCode, see_other};

use super::ends::take_in_ends;
use super::purpose::{Purpose, wrong_form};
use crate::hosted::Visit;
use crate::hosted::paths::ACCESS;
use crate::pages::{Access, Allowed, App, Form, RequestedAccess, Sentences};
use crate::signin::{Attempt, Errand, account_of, current};

/// The list and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(ACCESS).page("leads to sign-in where there is no session", show),
        Route::post(ACCESS).form("the form is bound to browser, session and person", take_back),
    ])
}

async fn show(visit: &mut Visit, _query: Params) -> Result<Response> {
    let mut tx = visit.host.read().await?;
    let Some(session) = current(visit, &mut tx).await? else {
        return Errand::Access.sign_in_page(visit, &Attempt::default());
    };
    visit.speak_as(&session.person)?;
    let mut allowed = Vec::new();
    for consent in consents::of_person(&mut tx, session.person.id).await? {
        allowed.extend(shown(&mut tx, &visit.host.tenant, &consent).await?);
    }
    drop(tx);
    page(visit, &session.person, allowed)
}

fn page(visit: &Visit, person: &Person, allowed: Vec<Allowed>) -> Result<Response> {
    let page = Access {
        form: Form::new(ACCESS, visit.seal(&Purpose::TakeBack(person.id))?),
        account: account_of(person).into(),
        switch_url: Some(Errand::Access.switch_url(visit)?.into()),
        allowed,
    };
    visit.page_as(StatusCode::OK, &page, None)
}

/// One consent as people read it; none where the application is gone.
async fn shown(tx: &mut Tx<Space>, tenant: &Tenant, consent: &Consent) -> Result<Option<Allowed>> {
    let Some(app) = apps::find(tx, consent.app).await? else { return Ok(None) };
    let api = apis::find_by_identifier(tx, tenant, &tenant.audience_of(&consent.audience)).await?;
    let asked = RequestedAccess::at(api.as_ref(), &consent.scope, Sentences::default());
    Ok(Some(Allowed { value: app.id.to_string().into(), app: App::of(&app), asked }))
}

async fn take_back(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::TakeBack(person) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    let app: AppId = form.id("app")?;
    let mut tx = visit.host.begin().await?;
    let session = current(visit, &mut tx).await?;
    // Another person may have signed in since the page was shown.
    let Some(session) = session.filter(|session: &Session| session.person.id == person) else {
        tx.rollback().await?;
        return Errand::Access.sign_in_page(visit, &Attempt::default());
    };
    let cx = visit.cx().acting_as(session.person.actor());
    if let Some(app) = apps::find(&mut tx, app).await? {
        consents::take_back(&mut tx, &cx, &session.person, (app.id, &app.client_id())).await?;
    }
    tx.commit().await?;
    take_in_ends(&visit.host).await?;
    Ok(see_other(ACCESS))
}
