//! Where the person is signed in, and how to end it from here.

use svc_core::Result;
use svc_domain::people::login_history::words;
use svc_http::{Params, Response};

use super::super::own::sessions;
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountSession, AccountSessions, MessageKey};

/// The section.
pub const SECTION: Section = Section {
    id: "sessions",
    title: "account-sessions",
    path: "/account/sessions",
    is_offered: |_| true,
    is_sensitive: false,
    whose: Whose::Everyone,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

/// Most sessions that the page has; its button ends all of them.
const MOST: usize = 100;

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let shown = sessions::live(&here.own()).await?.into_iter().take(MOST).map(|session| {
        let (browser, os) = words(&session.user_agent);
        AccountSession {
            value: session.id.to_string().into(),
            browser: browser.into(),
            os: os.into(),
            client_ip: session.client_ip.into(),
            signed_in: session.created_at.to_string().into(),
            last_seen: session.last_seen_at.to_string().into(),
            is_here: session.id == here.session.id,
        }
    });
    let page = AccountSessions { sessions: shown.collect(), frame: here.frame(told)? };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let (own, this) = (here.own(), here.session.id);
    match form.required("session")? {
        "others" => sessions::end_others(&own, Some(this)).await?,
        _ => {
            sessions::end(&own, form.id("session")?).await?;
        }
    }
    Ok(Acted::Done(MessageKey::SessionsEnded))
}
