//! The verification page (RFC 8628 §3.3): a signed-in person enters the code, reads who asks for what, and decides.
//!
//! A code that comes with the address is filled in and no more: the person sends it, and decides on the page after that.

use svc_core::{Error, Result};
use svc_domain::grants::device_codes;
use svc_domain::people::sessions::Session;
use svc_http::{HostCx, Params, Response, Route, Routes, StatusCode};

use super::guesses;
use crate::authorize::Reads;
use crate::authorize::organization::Member;
use crate::elsewhere::decide::Desk;
use crate::elsewhere::shown::page;
use crate::hosted::Visit;
use crate::hosted::paths::DEVICE;
use crate::pages::{DeviceCode, Form, MessageKey};
use crate::signin::complete::owed_on_errand;
use crate::signin::{Attempt, Errand, account_of, current};

/// The page and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(DEVICE)
            .page("leads to sign-in where there is no session", show)
            .summary("Page on which people enter the code of a device")
            .parameters(|| Reads { needed: &[], usual: &[], taken: &[&["user_code"]] }.parameters())
            .returns_page(200)
            .redirects("The sign-in page, where there is no session.")
            .tag("Sign-in"),
        Route::post(DEVICE).form("the form is bound to browser and session", enter),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    must_be_enabled(&visit.host)?;
    let typed = query.one("user_code").and_then(device_codes::normalised);
    let errand = Errand::Device(typed.as_deref().map(device_codes::shown));
    let session =
        if visit.has_session() { current(visit, &mut visit.host.read().await?).await? } else { None };
    if let Some(session) = &session {
        visit.speak_as(&session.person)?;
    }
    match session {
        Some(session) => match owed_on_errand(visit, &errand, &session).await? {
            Some(page) => Ok(page),
            None => code_page(visit, &session, &errand, (StatusCode::OK, None)),
        },
        None => errand.sign_in_page(visit, &Attempt::default()),
    }
}

fn code_page(
    visit: &Visit,
    session: &Session,
    errand: &Errand,
    (status, error): (StatusCode, Option<MessageKey>),
) -> Result<Response> {
    let user_code = match errand {
        Errand::Device(Some(code)) => code.as_str(),
        _ => "",
    };
    let (flow, switch_url) = (visit.seal(errand)?, errand.switch_url(visit)?);
    let page = DeviceCode {
        form: Form::new(DEVICE, flow).with(error),
        user_code: user_code.into(),
        account: account_of(&session.person).into(),
        switch_url: Some(switch_url.into()),
    };
    visit.page_as(status, &page, None)
}

async fn enter(visit: &mut Visit, form: Params) -> Result<Response> {
    must_be_enabled(&visit.host)?;
    let _: Errand = visit.open(form.one("flow"))?;
    let typed = form.one("user_code").unwrap_or_default();
    let code = device_codes::normalised(typed);
    let errand = Errand::Device(code.as_deref().map(device_codes::shown));
    let mut tx = visit.host.begin().await?;
    let Some(session) = current(visit, &mut tx).await? else {
        tx.rollback().await?;
        return errand.sign_in_page(visit, &Attempt::default());
    };
    tx.rollback().await?;
    visit.speak_as(&session.person)?;
    if let Some(wait) = guesses::count(&visit.host, &session.person).await? {
        let error = MessageKey::too_many_attempts(wait);
        return code_page(visit, &session, &errand, (StatusCode::TOO_MANY_REQUESTS, Some(error)));
    }
    let mut tx = visit.host.begin().await?;
    let pending = match &code {
        Some(code) => device_codes::claim(&mut tx, visit.cx(), code, session.person.id).await?,
        None => None,
    };
    let shown = match pending {
        Some(pending) => Desk::of(visit).device(&mut tx, pending, &mut Member::of(&session.person)).await?,
        None => None,
    };
    tx.commit().await?;
    let Some(shown) = shown else {
        guesses::count_wrong(&visit.host).await;
        return code_page(visit, &session, &errand, (StatusCode::OK, Some(MessageKey::UserCodeUnknown)));
    };
    page(visit, &session, &[shown], &errand)
}

/// Refuses where the deployment offers no device authorization.
pub fn must_be_enabled(host: &HostCx) -> Result<()> {
    let is_enabled = host.app.config.device_authorization.enabled;
    if is_enabled { Ok(()) } else { Err(Error::not_found("device authorization is not offered here")) }
}
