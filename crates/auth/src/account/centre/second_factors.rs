//! Apps that make one-time codes (RFC 6238), and browsers that are not asked for one.

use svc_core::{Result, Secret};
use svc_domain::people::credentials::{self, Kind};
use svc_http::{Params, Response, StatusCode};

use super::super::denied::Denied;
use super::super::own::credentials::{kept, remove, rename};
use super::super::own::totp::{self, AppToAdd};
use super::super::purpose::wrong_form;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::pages::{AccountSecondFactors, AppKey, Kept, MessageKey};

/// The section.
pub const SECTION: Section = Section {
    id: "second-factors",
    title: "account-second-factors",
    path: "/account/second-factors",
    is_offered: |host| host.app.config.two_factor.enabled,
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    // A wrong first code or name leaves the key, which the app has already.
    let is_typed_wrong =
        matches!(told.error, Some(MessageKey::CodeWrong | MessageKey::CredentialNameInvalid));
    let secret = here.memory.clone().filter(|_| is_typed_wrong);
    let app = secret.map(|secret| totp::with(&here.own(), Secret::new(secret))).transpose()?;
    page(&here, told, app).await
}

async fn page(here: &Here<'_>, told: Told, app: Option<AppToAdd>) -> Result<Response> {
    let all = kept(&here.own(), &mut here.visit.host.read().await?).await?;
    let of = |kind| all.iter().filter(|one| one.kind == Some(kind)).map(Kept::of).collect::<Vec<_>>();
    let memory = app.as_ref().map(|app| app.secret.expose().to_owned());
    let page = AccountSecondFactors {
        frame: here.frame_with(told, memory)?,
        apps: of(Kind::Totp),
        browsers: of(Kind::TrustedBrowser),
        key: app.map(|app| AppKey { secret: app.secret.expose().into(), url: app.url.into() }),
    };
    // A key is shown in the answer to the form that asked for it, and at no address.
    here.visit.page_here(StatusCode::OK, &page, None)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    match form.required("action")? {
        "begin" => begin(&here).await,
        "add" => add(&here, form).await,
        "rename" => {
            let name = form.one("name").unwrap_or_default();
            Ok(told(rename(&own, (form.id("credential")?, name)).await?, MessageKey::CredentialRenamed))
        }
        "remove" => {
            let removed = remove(&own, form.id("credential")?, &[Kind::Totp, Kind::TrustedBrowser]).await?;
            Ok(told(removed, MessageKey::CredentialRemoved))
        }
        "forget-browsers" => forget_browsers(&here).await,
        _ => Err(unknown_action()),
    }
}

async fn begin(here: &Here<'_>) -> Result<Acted> {
    let own = here.own();
    if totp::has_most(&own).await? {
        return Ok(Acted::Fault(Denied::AppsFull.message()));
    }
    page(here, Told::default(), Some(totp::begin(&own)?)).await.map(Acted::Shown)
}

async fn add(here: &Here<'_>, form: &Params) -> Result<Acted> {
    let Some(secret) = here.memory.clone().map(Secret::new) else {
        return Err(wrong_form());
    };
    let proof = (form.one("code").unwrap_or_default(), form.one("name"));
    Ok(told(totp::add(&here.own(), secret, proof).await?, MessageKey::CredentialAdded))
}

async fn forget_browsers(here: &Here<'_>) -> Result<Acted> {
    let own = here.own();
    let mut tx = own.host.begin().await?;
    credentials::hold(&mut tx, own.person.account_id);
    credentials::remove_all(&mut tx, own.cx(), own.owner(), Kind::TrustedBrowser).await?;
    tx.commit().await?;
    Ok(Acted::Done(MessageKey::BrowsersForgotten))
}

/// What the page says of a change.
pub(super) fn told<T: Copy>(outcome: std::result::Result<T, Denied>, done: MessageKey) -> Acted {
    match outcome {
        Ok(_) => Acted::Done(done),
        Err(denied) => Acted::Fault(denied.message()),
    }
}
