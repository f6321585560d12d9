//! The account centre: what people see and change of their own account, a page for each subject.
//!
//! A section is one file and one line of [`SECTIONS`]. Every page leads to sign-in where there is no session; those that change
//! how the person signs in ask for a recent one. A form is bound to browser, person and section.

mod accounts;
mod backup_codes;
mod data;
mod delegations;
mod deletion;
mod details;
mod email;
mod guardians;
mod guarding;
mod here;
mod identities;
mod keep;
mod login_history;
mod organization_sso;
mod organizations;
mod overview;
mod passkeys;
mod password;
mod phone;
mod profile;
mod second_factors;
mod section;
mod sessions;
mod support;
mod terms;

use svc_core::Result;
use svc_domain::people::sessions::Session;
use svc_http::{IntoResponse as _, Params, Response, Route, Routes, see_other};

use self::here::Missing;
#[cfg(test)]
pub use self::section::Whose;
use self::section::{Act, Acted, Answering, Here, Section, Told};
use super::own::profile::set_language;
use super::purpose::{Purpose, wrong_form};
use crate::hosted::{Visit, done};
use crate::pages::MessageKey;
use crate::signin::{current, current_or_acting, not_while_acting};

/// Every section, in the order of the menu.
pub const SECTIONS: &[&Section] = &[
    &overview::SECTION,
    &keep::SECTION,
    &profile::SECTION,
    &details::SECTION,
    &email::SECTION,
    &phone::SECTION,
    &password::SECTION,
    &passkeys::SECTION,
    &identities::SECTION,
    &second_factors::SECTION,
    &backup_codes::SECTION,
    &guardians::SECTION,
    &guarding::SECTION,
    &accounts::SECTION,
    &sessions::SECTION,
    &login_history::SECTION,
    &support::SECTION,
    &delegations::SECTION,
    &organizations::SECTION,
    &terms::SECTION,
    &data::SECTION,
    &deletion::SECTION,
];

/// Pages below a section, which leads to them for those for whom they are.
const BELOW: &[&Section] = &[&organization_sso::SECTION];

/// The pages and forms of all sections.
pub fn routes() -> Routes {
    Routes::new(SECTIONS.iter().chain(BELOW).copied().flat_map(|section| {
        let shown = handler(move |visit, query| Box::pin(show(visit, section, query)));
        let page = Route::get(section.path).page("leads to sign-in where there is no session", shown);
        let form = section.act.map(|does| {
            let acted = handler(move |visit, form| Box::pin(act(visit, section, (does, form))));
            Route::post(section.path).form("the form is bound to browser, session and person", acted)
        });
        [page].into_iter().chain(form)
    }))
}

/// Tells the compiler that a closure answers for every visit.
fn handler<H>(handler: H) -> H
where
    H: for<'a> Fn(&'a mut Visit, Params) -> Answering<'a, Response> + Copy,
{
    handler
}

async fn show(visit: &mut Visit, section: &'static Section, query: Params) -> Result<Response> {
    know_what_is_asked(visit).await?;
    section.must_be_reached(&visit.host)?;
    let session = current_or_acting(visit, &mut visit.host.read().await?).await?;
    if session.as_ref().is_some_and(|session| session.is_acting() && !section.is_open_to_support()) {
        return Err(not_while_acting());
    }
    speak(visit, session.as_ref())?;
    match Here::admitted(visit, (section, SECTIONS), session).await? {
        Ok(here) if !section.is_for(&here.session.person) => Ok(elsewhere(&here)),
        Ok(here) => {
            remember_language(&here).await?;
            let told = Told::of_query(here.visit, &query);
            (section.show)(here, told).await
        }
        Err(missing) => here::sign_in(visit, section, missing),
    }
}

/// Takes what the tenant asks people for into memory, which says whether the sections about it are offered.
async fn know_what_is_asked(visit: &Visit) -> Result<()> {
    visit.host.app.services.intakes.of(visit.host.tenant.id).await.map(|_| ())
}

/// Speaks the language of the account, where it is known whose it is.
fn speak(visit: &mut Visit, session: Option<&Session>) -> Result<()> {
    session.map_or(Ok(()), |session| visit.speak_as(&session.person))
}

/// Makes the language that the person has just chosen that of the account, in which its mails are written.
async fn remember_language(here: &Here<'_>) -> Result<()> {
    match here.visit.newly_chosen() {
        Some(locale) if !here.session.is_acting() => set_language(&here.own(), locale.as_str()).await,
        _ => Ok(()),
    }
}

/// The first section that is for the person.
fn elsewhere(here: &Here<'_>) -> Response {
    let (host, person) = (&here.visit.host, &here.session.person);
    let first = SECTIONS.iter().find(|section| (section.is_offered)(host) && section.is_for(person));
    see_other(first.map_or(overview::SECTION.path, |section| section.path)).into_response()
}

async fn act(visit: &mut Visit, section: &'static Section, (does, form): (Act, Params)) -> Result<Response> {
    know_what_is_asked(visit).await?;
    section.must_be_reached(&visit.host)?;
    let Purpose::Account { person, section: id, memory } = visit.open(form.one("flow"))? else {
        return Err(wrong_form());
    };
    if id != section.id {
        return Err(wrong_form());
    }
    let session = current(visit, &mut visit.host.read().await?).await?;
    // Another account may act since the page was shown: nothing is done for either.
    if session.as_ref().is_some_and(|session| session.person.id != person) {
        return done(visit, overview::SECTION.path, MessageKey::OtherAccount);
    }
    speak(visit, session.as_ref())?;
    let here = match Here::admitted(visit, (section, SECTIONS), session).await? {
        Ok(here) if !section.is_for(&here.session.person) => return Ok(elsewhere(&here)),
        Ok(here) => Here { memory, ..here },
        Err(Missing::Session) => return here::sign_in(visit, section, Missing::SessionOfForm),
        Err(missing) => return here::sign_in(visit, section, missing),
    };
    match does(here.clone(), &form).await? {
        Acted::Done(notice) => done(here.visit, section.path, notice),
        Acted::Fault(error) => (section.show)(here, Told { error: Some(error), ..Told::default() }).await,
        Acted::Shown(response) => Ok(response),
    }
}
