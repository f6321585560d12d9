//! A new password, by a person who has just proven who they are (NIST SP 800-63B §3.1.1): everything older ends.

use svc_core::Result;
use svc_http::{IntoResponse as _, Params, Response};

use super::super::own::password::set;
use super::here::{Missing, sign_in};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::hosted::done;
use crate::hosted::paths::OWN_PASSWORD;
use crate::pages::{AccountPassword, MessageKey};
use crate::signin::methods::password::{fault, shortest, typed};
use crate::signin::{current, offers, renewed};

/// The section.
pub const SECTION: Section = Section {
    id: "password",
    title: "account-password",
    path: OWN_PASSWORD,
    is_offered: offers::password,
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told) }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

fn show(here: &Here<'_>, told: Told) -> Result<Response> {
    let person = &here.session.person;
    let page = AccountPassword {
        frame: here.frame(told)?,
        username: person.email.as_deref().unwrap_or_default().into(),
        is_first: person.password.is_none(),
        min_length: shortest(),
    };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let (visit, person, new) = (here.visit, &here.session.person, typed(form));
    let about = [&person.email, &person.username, &person.profile.name];
    let about: Vec<&str> = about.into_iter().flatten().map(String::as_str).collect();
    if let Some(error) = fault(visit, &new, &about).await {
        return Ok(Acted::Fault(error));
    }
    let mut own = here.own();
    let hash = visit.host.app.hash_password(visit.host.tenant.id, &new).await?;
    let mut tx = visit.host.begin().await?;
    // The session may have ended meanwhile.
    let session = current(visit, &mut tx).await?.filter(|session| session.person.id == person.id);
    let Some(session) = session else {
        tx.rollback().await?;
        return sign_in(visit, here.section, Missing::SessionOfForm).map(Acted::Shown);
    };
    set(&mut own, &mut tx, &hash).await?;
    // This browser goes on, by a session that is not older than the password.
    let cookies = renewed(visit, own.cx(), &mut tx, &session).await?;
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(Acted::Shown((cookies, done(visit, here.section.path, MessageKey::PasswordChanged)?).into_response()))
}
