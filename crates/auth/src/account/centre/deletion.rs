//! The end of the account, begun here, and taken back for as long as it has not come.

use svc_core::{Error, Result};
use svc_http::{Params, Response};

use super::super::mailed;
use super::super::own::deletion::{PATH, begin, due_at, grace_days, keep};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
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
    let page =
        AccountDeletion { frame: here.frame(told)?, due_on: due_at.map(day), days: grace_days(&here.own()) };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    match form.required("action")? {
        "delete" => match begin(&own).await? {
            Ok(_) => {
                let is_guest = own.person.is_guest();
                let outcome = if is_guest { Outcome::GuestDeleted } else { Outcome::DeletionBegun };
                mailed::done_at(here.visit, outcome, START).map(Acted::Shown)
            }
            Err(denied) => Ok(Acted::Fault(denied.message())),
        },
        "keep" => {
            keep(&own).await?;
            Ok(Acted::Done(MessageKey::AccountKept))
        }
        _ => Err(Error::invalid_request("action: not one of this form")),
    }
}
