//! The guardians of the person, and the recovery that someone has asked them for.

use svc_core::Result;
use svc_domain::people::accounts::Email;
use svc_domain::people::guardians::{Browser, Guardian, Stage};
use svc_domain::tenancy::tenants::LONGEST_WAIT_HOURS;
use svc_http::{Params, Response};

use super::super::own::guardians::{self, Chosen, active};
use super::second_factors::told;
use super::section::{Acted, Answering, Here, Section, Told, Whose, unknown_action};
use crate::hosted::paths::OWN_GUARDIANS;
use crate::pages::{AccountGuardian, AccountGuardians, AskingBrowser, MessageKey, RecoveryAsked, day};
use crate::signin::offers;

/// The section.
pub const SECTION: Section = Section {
    id: "guardians",
    title: "account-guardians",
    path: OWN_GUARDIANS,
    is_offered: offers::social_recovery,
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told, "").await }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

/// Shows everyone whom the person has chosen, and the address that was typed where it could not be invited.
async fn show(here: &Here<'_>, told: Told, typed: &str) -> Result<Response> {
    let own = here.own();
    let Chosen { guardians: chosen, rules, is_ready, asked } = guardians::chosen(&own).await?;
    let page = AccountGuardians {
        frame: here.frame(told)?,
        typed: typed.into(),
        active: active(&chosen),
        guardians: chosen.iter().map(shown).collect(),
        threshold: rules.threshold,
        is_ready,
        wait_hours: guardians::hours(rules.wait),
        least_hours: guardians::least_hours(&own),
        most_hours: LONGEST_WAIT_HOURS,
        asked: asked.map(|(case, browsers)| RecoveryAsked {
            threshold: case.threshold,
            browsers: browsers.iter().map(|one| asking(one, case.threshold)).collect(),
        }),
    };
    here.visit.page(&page)
}

fn shown(guardian: &Guardian) -> AccountGuardian {
    AccountGuardian {
        value: guardian.id.to_string().into(),
        email: guardian.email.as_str().into(),
        is_accepted: guardian.accepted_at.is_some(),
        is_active: guardian.is_active,
        since: day(guardian.accepted_at.unwrap_or(guardian.created_at)),
    }
}

fn asking((browser, stage): &(Browser, Stage), threshold: u32) -> AskingBrowser {
    AskingBrowser {
        at: browser.opened_at.to_string().into(),
        browser: browser.browser.as_str().into(),
        os: browser.os.as_str().into(),
        network: browser.network.as_str().into(),
        confirmed: match stage {
            Stage::Waiting { confirmed, .. } => *confirmed,
            Stage::Reached(_) | Stage::Ready => threshold,
        },
        ready_at: match stage {
            Stage::Reached(at) => Some(at.to_string().into()),
            Stage::Waiting { .. } | Stage::Ready => None,
        },
    }
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let own = here.own();
    match form.required("action")? {
        "invite" => invite(&here, form.one("email").unwrap_or_default()).await,
        "remove" => {
            guardians::remove(&own, form.id("guardian")?).await?;
            Ok(Acted::Done(MessageKey::GuardianRemoved))
        }
        "rules" => {
            let number = |name| form.one(name).and_then(|text| text.trim().parse().ok()).unwrap_or_default();
            let saved = guardians::set_rules(&own, (number("threshold"), number("wait_hours"))).await?;
            Ok(told(saved.map(|()| true), MessageKey::GuardianRulesSaved))
        }
        "cancel" => {
            guardians::cancel(&own).await?;
            Ok(Acted::Done(MessageKey::RecoveryCancelled))
        }
        _ => Err(unknown_action()),
    }
}

async fn invite(here: &Here<'_>, typed: &str) -> Result<Acted> {
    let error = match Email::parse(typed) {
        Err(_) => MessageKey::EmailInvalid,
        Ok(email) => match guardians::invite(&here.own(), &email).await? {
            Ok(()) => return Ok(Acted::Done(MessageKey::GuardianInvited)),
            Err(denied) => denied.message(),
        },
    };
    show(here, Told { error: Some(error), ..Told::default() }, typed).await.map(Acted::Shown)
}
