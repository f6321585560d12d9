//! Whom the person guards: invitations, and people who ask for recovery.

use svc_core::{Error, GuardianId, Result};
use svc_http::{Params, Response};

use super::super::denied::Denied;
use super::super::own::guarding::{accept, all, confirm, give_up, refuse};
use super::second_factors::told;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::hosted::paths::GUARDING;
use crate::pages::{AccountGuarding, GuardedPerson, MessageKey};
use crate::signin::offers;

/// The section.
pub const SECTION: Section = Section {
    id: "guarding",
    title: "account-guarding",
    path: GUARDING,
    is_offered: offers::social_recovery,
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told, None).await }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

/// Shows everyone; what was wrong with the code stands at the person whose it was to be.
async fn show(here: &Here<'_>, told: Told, refused: Option<GuardianId>) -> Result<Response> {
    let people = all(&here.own()).await?.into_iter().map(|guarded| GuardedPerson {
        value: guarded.guardian.id.to_string().into(),
        name: guarded.name.into(),
        is_refused: refused == Some(guarded.guardian.id),
        is_accepted: guarded.guardian.accepted_at.is_some(),
        asked_at: guarded.asked_at.map(|at| at.to_string().into()),
        is_answered: guarded.is_answered,
    });
    let page = AccountGuarding { people: people.collect(), frame: here.frame(told)? };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let (own, id) = (here.own(), form.id("guardian")?);
    match form.required("action")? {
        "accept" => done(Ok(accept(&own, id).await?), MessageKey::GuardianAccepted),
        "leave" => done(Ok(give_up(&own, id).await?), MessageKey::GuardianLeft),
        "confirm" => {
            let code = form.one("code").unwrap_or_default();
            match done(confirm(&own, id, code).await?, MessageKey::RecoveryConfirmed)? {
                Acted::Fault(error) => {
                    let fault = Told { error: Some(error), ..Told::default() };
                    show(&here, fault, Some(id)).await.map(Acted::Shown)
                }
                acted => Ok(acted),
            }
        }
        "refuse" => done(refuse(&own, id).await?, MessageKey::RecoveryRefused),
        _ => Err(unknown_action()),
    }
}

/// What the page says of a change; the invitation or the guardian may be gone since the page was shown.
fn done(outcome: std::result::Result<bool, Denied>, notice: MessageKey) -> Result<Acted> {
    match outcome {
        Ok(false) => {
            Err(Error::not_found("this invitation has ended, or the person has another guardian now"))
        }
        outcome => Ok(told(outcome, notice)),
    }
}
