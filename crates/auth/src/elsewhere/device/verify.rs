//! The verification page (RFC 8628 §3.3): a signed-in person enters the code, reads who asks for what, and decides.
//!
//! A code that comes with the address is filled in and no more: the person sends it, and decides on the page after that.

use svc_core::events::BruteForceDetected;
use svc_core::{Actor, Error, Result, Seconds};
use svc_domain::grants::device_codes;
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::sessions::Session;
use svc_http::{HostCx, Params, Response, Route, Routes, StatusCode};

use crate::authorize::Reads;
use crate::elsewhere::decide::Desk;
use crate::elsewhere::shown::page;
use crate::hosted::Visit;
use crate::hosted::paths::DEVICE;
use crate::pages::{DeviceCode, Form, MessageKey};
use crate::signin::complete::owed_on_errand;
use crate::signin::{Attempt, Errand, account_of, current};

/// Codes tried by one person, from one address, and wrong ones at one tenant altogether, within the window. Ten
/// thousand guesses at a thousand live codes hit one with a chance of 1 to 2,500 (20^8 codes).
const MOST_OF_PERSON: i64 = 20;
const MOST_OF_ADDRESS: i64 = 60;
const MOST_WRONG: i64 = 10_000;
const WINDOW: Seconds = Seconds(600);

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
    if let Some(error) = too_many(visit, &session).await? {
        return code_page(visit, &session, &errand, (StatusCode::TOO_MANY_REQUESTS, Some(error)));
    }
    let mut tx = visit.host.begin().await?;
    let pending = match &code {
        Some(code) => device_codes::claim(&mut tx, visit.cx(), code, session.person.id).await?,
        None => None,
    };
    let shown = match pending {
        Some(pending) => Desk::of(visit).device(&mut tx, pending, &session.person).await?,
        None => None,
    };
    tx.commit().await?;
    let Some(shown) = shown else {
        count_wrong(visit).await;
        return code_page(visit, &session, &errand, (StatusCode::OK, Some(MessageKey::UserCodeUnknown)));
    };
    page(visit, &session.person, &[shown], &errand)
}

/// Counted before the code is looked up, so that parallel guesses cannot outrun the counters.
async fn too_many(visit: &Visit, session: &Session) -> Result<Option<MessageKey>> {
    let (coordination, now) = (&visit.host.app.coordination, visit.cx().now);
    let tenant = visit.host.tenant.id;
    if coordination.count(&format!("user codes closed {tenant}"), WINDOW, now).await.count > 0 {
        return Ok(Some(MessageKey::too_many_attempts(WINDOW)));
    }
    let person = format!("user code {tenant} {}", session.person.id);
    let address = format!("user code {tenant} at {}", visit.host.arrival.throttle_key());
    for (key, most) in [(person, MOST_OF_PERSON), (address, MOST_OF_ADDRESS)] {
        let count = coordination.incr(&key, WINDOW, now).await;
        if count.count == most + 1 {
            report(visit, session).await?;
        }
        if count.count > most {
            return Ok(Some(MessageKey::too_many_attempts(count.resets_at - now)));
        }
    }
    Ok(None)
}

/// Wrong codes from many people and addresses together close the page for a while.
async fn count_wrong(visit: &Visit) {
    let (coordination, now) = (&visit.host.app.coordination, visit.cx().now);
    let tenant = visit.host.tenant.id;
    let count = coordination.incr(&format!("user codes wrong {tenant}"), WINDOW, now).await;
    if count.count > MOST_WRONG {
        coordination.incr(&format!("user codes closed {tenant}"), WINDOW, now).await;
    }
}

async fn report(visit: &Visit, session: &Session) -> Result<()> {
    let cx = visit.cx().acting_as(Actor::User(session.person.subject.clone()));
    let member = session.person.id;
    let event = BruteForceDetected { tenant_user_id: Some(member), reason: "user_codes", attempts: None };
    let mut tx = visit.host.begin().await?;
    record(&mut tx, &cx, Meaning::denied(Action::UserCodesGuessed, member).telling(event));
    tx.commit().await
}

/// Refuses where the deployment offers no device authorization.
pub fn must_be_enabled(host: &HostCx) -> Result<()> {
    let is_enabled = host.app.config.device_authorization.enabled;
    if is_enabled { Ok(()) } else { Err(Error::not_found("device authorization is not offered here")) }
}
