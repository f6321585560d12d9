//! The phone number: another one counts once the code that was sent to it was typed.

use svc_core::Result;
use svc_core::capability::Capability;
use svc_domain::people::phones::PhoneNumber;
use svc_http::{Params, Response};

use super::super::own::phone::{AskOutcome, ask, confirm, number, remove, sent_to};
use super::second_factors::told;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::pages::{AccountPhone, MessageKey};

/// The section.
pub const SECTION: Section = Section {
    id: "phone",
    title: "account-phone",
    path: "/account/phone",
    is_offered: |host| host.offers(&Capability::SMS),
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    // A wrong code leaves the form that asks for it.
    let kept = here.memory.clone().filter(|_| told.error == Some(MessageKey::TextCodeWrong));
    page(&here, told, (kept, "")).await
}

/// Shows the number that counts, and the form for the code or for a number, with what was typed.
async fn page(here: &Here<'_>, told: Told, (kept, typed): (Option<String>, &str)) -> Result<Response> {
    let number = number(&here.own()).await?;
    let page = AccountPhone {
        number: number.map(|number| number.as_str().into()),
        sent_to: kept.as_deref().and_then(sent_to).map(Into::into),
        typed: typed.into(),
        frame: here.frame_with(told, kept)?,
    };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    match form.required("action")? {
        "send" => send(&here, form).await,
        "confirm" => {
            let kept = here.memory.clone().unwrap_or_default();
            let code = form.one("code").unwrap_or_default();
            Ok(told(confirm(&here.own(), &kept, code).await?, MessageKey::PhoneAdded))
        }
        "remove" => Ok(told(remove(&here.own()).await?, MessageKey::PhoneRemoved)),
        _ => Err(unknown_action()),
    }
}

async fn send(here: &Here<'_>, form: &Params) -> Result<Acted> {
    let typed = form.one("phone").unwrap_or_default();
    let (error, kept) = match PhoneNumber::parse(typed) {
        Err(_) => (Some(MessageKey::PhoneInvalid), None),
        Ok(number) => match ask(&here.own(), &number).await? {
            AskOutcome::Sent(kept) => (None, Some(kept)),
            AskOutcome::Same => (Some(MessageKey::PhoneSame), None),
            AskOutcome::TooMany(wait) => (Some(MessageKey::too_many_attempts(wait)), None),
        },
    };
    page(here, Told { error, ..Told::default() }, (kept, typed)).await.map(Acted::Shown)
}
