//! The deletion of the account: begun here, and cancelled here until it takes effect.

use svc_core::Result;
use svc_http::{Params, Response};

use super::super::mailed;
use super::super::own::deletion::{PATH, begin, due_at, grace_days, keep, must_be_offered};
use super::overview;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::hosted::done;
use crate::hosted::paths::START;
use crate::pages::{AccountDeletion, MessageKey, Outcome, day};

/// The section.
pub const SECTION: Section = Section {
    id: "deletion",
    title: "account-deletion",
    path: PATH,
    is_offered: |host| host.app.config.user_self_service.deletion_enabled,
    is_sensitive: true,
    whose: Whose::Everyone,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let due_at = due_at(&here.own()).await?;
    // Who is to be deleted can keep the account, wherever the deletion was switched off meanwhile.
    if due_at.is_none() {
        must_be_offered(&here.own())?;
    }
    let page =
        AccountDeletion { frame: here.frame(told)?, due_on: due_at.map(day), days: grace_days(&here.own()) };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    match form.required("action")? {
        "delete" => {
            must_be_offered(&own)?;
            if form.one("sure") != Some("yes") {
                return Ok(Acted::Fault(MessageKey::DeletionUnsure));
            }
            match begin(&own).await? {
                Ok(_) => {
                    let is_guest = own.person.is_guest();
                    let outcome = if is_guest { Outcome::GuestDeleted } else { Outcome::DeletionBegun };
                    mailed::done_at(here.visit, outcome, START).map(Acted::Shown)
                }
                Err(denied) => Ok(Acted::Fault(denied.message())),
            }
        }
        "keep" => {
            keep(&own).await?;
            // Where the deletion is switched off, this section is gone once nothing is to be kept.
            match must_be_offered(&own) {
                Ok(()) => Ok(Acted::Done(MessageKey::AccountKept)),
                Err(_) => done(here.visit, overview::SECTION.path, MessageKey::AccountKept).map(Acted::Shown),
            }
        }
        _ => Err(unknown_action()),
    }
}
