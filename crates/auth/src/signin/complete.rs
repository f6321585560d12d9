//! The page of what a person owes before they go on: documents to accept, and fields to fill in. It stands behind the proofs of a
//! sign-in and before consent, and for pages of our own that approve something, before these.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, OrganizationId, Result, Seconds, SessionId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::Place;
use svc_domain::people::intake::{Answers, Asking, Intake, Owed, keep};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::people::terms::{Given, Way as AcceptedAt};
use svc_http::{HostCx, IntoResponse as _, Params, Response, Route, Routes, StatusCode, see_other};

use super::accounts::Accounts;
use super::asked_in::asked_in;
use super::attempt::Attempt;
use super::called::account_of;
use super::carried::Aim;
use super::errand::Errand;
use super::flow::Flow;
use super::intake::{Typed, answers, part};
use super::journey::Journey;
use super::missing::Missing;
use super::session::{current, not_while_acting};
use super::who::Who;
use crate::hosted::paths::{COMPLETE, START};
use crate::hosted::{Carried, Visit};
use crate::pages::{Complete, Form, MessageKey};

/// What a person owes on the way to somewhere.
#[derive(Serialize, Deserialize)]
struct Owing {
    aim: Aim,
    person: TenantUserId,
}

impl Carried for Owing {
    const LABEL: &'static str = "what a person owes";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        self.aim.expires_at(now, login)
    }

    fn app(&self) -> Option<AppId> {
        self.aim.app()
    }
}

/// The page and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(COMPLETE).page("what a person owes before they go on", show),
        Route::post(COMPLETE).form("the form of what a person owes", submit),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let Owing { aim, person } = visit.open(query.one("flow"))?;
    match aim {
        Aim::Flow(flow) => {
            visit.speak(flow.request.ui_locales.as_deref())?;
            Journey::of(visit, Flow { person: Some(person), ..*flow }).await?.resume(None).await
        }
        Aim::Errand(errand) => {
            errand.dress(visit).await?;
            let session = current(visit, &mut visit.host.read().await?).await?;
            match session.filter(|session| session.person.id == person) {
                Some(session) => {
                    visit.speak_as(&session.person)?;
                    let owed = owed_on_errand(visit, &errand, &session).await?;
                    Ok(owed.unwrap_or_else(|| see_other(&errand.url())))
                }
                None => errand.sign_in_page(visit, &Attempt::default()),
            }
        }
    }
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Owing { aim, person } = visit.open(form.one("flow"))?;
    let decision = match form.one("decision") {
        Some("continue") => Decision::Continue,
        Some("later") => Decision::Later,
        Some("deny") => Decision::Deny,
        _ => return Err(Error::invalid_request("decision: give continue, later or deny")),
    };
    match aim {
        Aim::Flow(flow) => {
            visit.speak(flow.request.ui_locales.as_deref())?;
            let journey = Journey::of(visit, Flow { person: Some(person), ..*flow }).await?;
            in_flow(&journey, (decision, &form)).await
        }
        Aim::Errand(errand) => {
            errand.dress(visit).await?;
            on_errand(visit, (errand, person), (decision, &form)).await
        }
    }
}

/// What a person does at the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// Accepts and answers.
    Continue,
    /// Puts off what is not required.
    Later,
    /// Does neither, and goes back.
    Deny,
}

async fn in_flow(journey: &Journey<'_>, (decision, form): (Decision, &Params)) -> Result<Response> {
    let visit = journey.visit;
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::or_acting(visit, &mut tx).await?;
    if accounts.is_acting() {
        return Err(not_while_acting());
    }
    if decision == Decision::Deny {
        let refusal = journey.deny(&mut tx, "the person did not accept or answer").await?;
        tx.commit().await?;
        return refusal.send(visit, &journey.app).await;
    }
    let who = match journey.who(&mut tx, &accounts).await? {
        Who::One(mut session) if !session.person.is_guest() => {
            let intake = Arc::clone(&journey.intake);
            let organizations = journey.asked_in(&mut tx, &session).await?;
            let (application, now) = (Some(journey.app.id), visit.cx().now);
            let asking = Asking { application, organizations: &organizations, now };
            let taken = taken(visit, &mut tx, (&intake, &mut *session, asking), (decision, form)).await?;
            if let Err(part) = taken {
                tx.rollback().await?;
                return journey.complete_page(&session, part, Some(MessageKey::AnswersIncomplete));
            }
            Who::One(session)
        }
        who => who,
    };
    let (next, session) = journey.onward(&mut tx, (&accounts, who), None).await?;
    tx.commit().await?;
    journey.show(next, session.as_ref()).await
}

async fn on_errand(
    visit: &mut Visit,
    (errand, person): (Errand, TenantUserId),
    (decision, form): (Decision, &Params),
) -> Result<Response> {
    if decision == Decision::Deny {
        return Ok(see_other(START).into_response());
    }
    let intake = visit.host.app.services.intakes.of(visit.host.tenant.id).await?;
    let mut tx = visit.host.begin().await?;
    let session = current(visit, &mut tx).await?;
    let Some(mut session) = session.filter(|session| session.person.id == person) else {
        tx.rollback().await?;
        return errand.sign_in_page(visit, &Attempt::default());
    };
    visit.speak_as(&session.person)?;
    let organizations = errand.asked_in(visit, &mut tx, (&intake, &session)).await?;
    let asking = Asking { application: None, organizations: &organizations, now: visit.cx().now };
    if let Err(part) = taken(visit, &mut tx, (&intake, &mut session, asking), (decision, form)).await? {
        tx.rollback().await?;
        return page_on_errand(visit, (&errand, &session), part, Some(MessageKey::AnswersIncomplete));
    }
    tx.commit().await?;
    Ok(see_other(&errand.url()).into_response())
}

/// Keeps what a form accepts and answers, and reads the person again; or what the page shows once more.
async fn taken(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (intake, session, asking): (&Intake, &mut Session, Asking<'_>),
    (decision, form): (Decision, &Params),
) -> Result<std::result::Result<(), Missing>> {
    let language = visit.locale.as_str();
    let standing = intake.standing(tx, &session.person).await?;
    let open = intake.open((&session.person, &standing), asking);
    let is_put_off = decision == Decision::Later && open.owed != Owed::Required;
    let answers = if is_put_off {
        Some(Answers { puts_off: true, ..Answers::default() })
    } else {
        answers(&open, form)
    };
    let Some(answers) = answers else {
        let part = part(&open, language, Typed::Sent(form));
        return Ok(Err(Missing { part, is_optional: open.owed != Owed::Required }));
    };
    let cx = visit.cx().acting_as(session.actor());
    let given = Given { language, at: AcceptedAt::SignIn, application: asking.application };
    keep(tx, &cx, &session.person, (&answers, given)).await?;
    if let Some(person) = tenant_users::find(tx, session.person.id).await? {
        session.person = person;
    }
    Ok(Ok(()))
}

impl Journey<'_> {
    /// The organizations whose people the person of a session is asked as, on the way of this flow.
    async fn asked_in(&self, tx: &mut Tx<Tenant>, session: &Session) -> Result<Vec<OrganizationId>> {
        if !self.intake.is_of_organizations() {
            return Ok(Vec::new());
        }
        let whereabouts = self.whereabouts(tx, session).await?;
        let leads_to = whereabouts.place().map(|place| place.id);
        asked_in(tx, &self.intake, (&session.person, session.id), leads_to).await
    }

    /// What a person owes: the page where it is at its own address, and else the way there.
    pub fn complete(&self, session: &Session, missing: Missing) -> Result<Response> {
        if self.visit.path() == Some(COMPLETE) {
            return self.complete_page(session, missing, None);
        }
        way_there(self.visit, &self.owing(session))
    }

    fn owing(&self, session: &Session) -> Owing {
        let person = session.person.id;
        Owing { aim: Aim::Flow(Box::new(Flow { person: Some(person), ..self.flow.clone() })), person }
    }

    fn complete_page(
        &self,
        session: &Session,
        Missing { part, is_optional }: Missing,
        error: Option<MessageKey>,
    ) -> Result<Response> {
        let page = Complete {
            form: Form::new(COMPLETE, self.visit.seal(&self.owing(session))?).with(error),
            app_name: Some((&self.app.configuration.name).into()),
            account: account_of(&session.person).into(),
            switch_url: Some(self.switch_account_url()?.into()),
            intake: part,
            is_optional,
        };
        self.page(StatusCode::OK, &page)
    }
}

/// Whether people can owe anything here.
pub async fn may_owe(host: &HostCx) -> Result<bool> {
    Ok(!host.app.services.intakes.of(host.tenant.id).await?.is_empty())
}

/// Refuses a person who owes something that is required for tokens of an application, where they count: whatever else is proven, that
/// comes first.
pub async fn must_owe_nothing(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    (person, session): (&Person, SessionId),
    (application, place): (AppId, Option<&Place>),
) -> Result<()> {
    let intake = host.app.services.intakes.of(host.tenant.id).await?;
    if intake.is_empty() || person.is_guest() {
        return Ok(());
    }
    let organizations = asked_in(tx, &intake, (person, session), place.map(|place| place.id)).await?;
    let standing = intake.standing(tx, person).await?;
    let asking = Asking { application: Some(application), organizations: &organizations, now: host.cx.now };
    if intake.open((person, &standing), asking).owed == Owed::Required {
        return Err(Error::forbidden(
            "the person has documents to accept or fields to fill in first; open the account centre, and decide again",
        ));
    }
    Ok(())
}

/// The page of what a person owes before they approve something; nothing where they owe nothing that is required.
pub async fn owed_on_errand(visit: &Visit, errand: &Errand, session: &Session) -> Result<Option<Response>> {
    let intake = visit.host.app.services.intakes.of(visit.host.tenant.id).await?;
    if intake.is_empty() || session.person.is_guest() {
        return Ok(None);
    }
    let (organizations, standing) = {
        let mut tx = visit.host.read().await?;
        let organizations = errand.asked_in(visit, &mut tx, (&intake, session)).await?;
        (organizations, intake.standing(&mut tx, &session.person).await?)
    };
    let asking = Asking { application: None, organizations: &organizations, now: visit.cx().now };
    let open = intake.open((&session.person, &standing), asking);
    if open.owed != Owed::Required {
        return Ok(None);
    }
    if visit.path() == Some(COMPLETE) {
        let missing = Missing::of(&open, visit.locale.as_str());
        return page_on_errand(visit, (errand, session), missing, None).map(Some);
    }
    way_there(visit, &owing_on(errand, session)).map(Some)
}

fn owing_on(errand: &Errand, session: &Session) -> Owing {
    Owing { aim: Aim::Errand(errand.clone()), person: session.person.id }
}

/// The redirect to the page at its own address.
fn way_there(visit: &Visit, owing: &Owing) -> Result<Response> {
    let flow = visit.seal(owing)?;
    Ok((visit.browser.introduce()?, see_other(&format!("{COMPLETE}?flow={flow}"))).into_response())
}

fn page_on_errand(
    visit: &Visit,
    (errand, session): (&Errand, &Session),
    Missing { part, is_optional }: Missing,
    error: Option<MessageKey>,
) -> Result<Response> {
    let page = Complete {
        form: Form::new(COMPLETE, visit.seal(&owing_on(errand, session))?).with(error),
        app_name: None,
        account: account_of(&session.person).into(),
        switch_url: Some(errand.switch_url(visit)?.into()),
        intake: part,
        is_optional,
    };
    visit.page(&page)
}
