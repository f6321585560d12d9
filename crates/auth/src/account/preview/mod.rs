//! A look at hosted pages and mails with branding and texts that are not saved yet, for administrators who may change them.
//!
//! It answers no other person, saves nothing and sets no cookie. The frame takes over the content security policy of the page.

mod draft;

use svc_core::{Error, Result};
use svc_domain::people::sessions::Session;
use svc_http::{IntoResponse as _, PageResponse, Params, Response, Route, Routes, StatusCode};
use svc_keys::token;

use self::draft::Draft;
use super::own::rights::permit;
use super::purpose::{Purpose, wrong_form};
use crate::hosted::Visit;
use crate::hosted::paths::PREVIEW;
use crate::pages::{Form, Look};
use crate::signin::{Attempt, Errand, account_of, current};

/// The scope of the management API that opens it.
const RIGHT: &str = "branding:write";

/// The page and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(PREVIEW).page("leads to sign-in where there is no session", show),
        Route::post(PREVIEW).form("shows a draft to the administrator whose form it is", draw),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    match administrator(visit).await? {
        Some(session) => page(visit, &session, Draft::saved(visit, query.one("organization")).await?),
        None => sign_in(visit),
    }
}

async fn draw(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::Preview(person) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    // Another person may have signed in since the page was shown.
    let session = administrator(visit).await?.filter(|session| session.person.id == person);
    match session {
        Some(session) => page(visit, &session, Draft::typed(visit, &form).await?),
        None => sign_in(visit),
    }
}

fn sign_in(visit: &Visit) -> Result<Response> {
    Errand::Account("preview".to_owned()).sign_in_page(visit, &Attempt::default())
}

/// The session of a person whose roles permit to change the look; nothing where no person is signed in.
async fn administrator(visit: &Visit) -> Result<Option<Session>> {
    let Some(session) = current(visit, &mut visit.host.read().await?).await? else { return Ok(None) };
    if permit(&visit.host, &session.person, RIGHT).await? {
        return Ok(Some(session));
    }
    Err(Error::forbidden("this page is for administrators who may change how the pages look"))
}

fn page(visit: &Visit, session: &Session, draft: Draft) -> Result<Response> {
    let nonce = token(&*visit.cx().entropy);
    let drawn = match &draft.branding {
        Ok(branding) => {
            let locale = draft.locale.clone();
            let look = Look { locale, branding, nonce: &nonce, address: None, acting: None };
            Some(visit.pages()?.draw(&look, draft.sample, draft.is_dark)?)
        }
        Err(_) => None,
    };
    let flow = visit.seal(&Purpose::Preview(session.person.id))?;
    let account = account_of(&session.person);
    let page = draft.page(visit.pages()?, (Form::new(PREVIEW, flow), account), drawn);
    let look = Look {
        locale: visit.locale.clone(),
        branding: &visit.branding,
        nonce: &nonce,
        address: None,
        acting: None,
    };
    let html = visit.pages()?.render(&look, &page)?;
    let status = StatusCode::OK;
    let response = PageResponse { status, html, nonce, form_action: Vec::new(), sources: &[] };
    Ok(response.into_response())
}
