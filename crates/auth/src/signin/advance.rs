//! How far a flow goes for the person of a session, in one transaction: what is known of them, and what that leads to.

use svc_core::{Result, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::grants::consents;
use svc_domain::organizations::Place;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::people::intake::{Asking, Open, Owed};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;

use super::accepted;
use super::acting;
use super::asked_in::asked_in;
use super::demand;
use super::engine::{Step, Terms, next_step};
use super::flow::Offer;
use super::held::Held;
use super::journey::{Journey, Next};
use super::methods;
use super::missing::Missing;
use super::owed_address;
use super::progress::Progress;
use crate::authorize::organization::{Whereabouts, roles_for};
use crate::authorize::{PromptValue, narrowed};

/// What the database knows of a person on the way to the application.
struct Facts<'a> {
    /// Where the tokens would count.
    whereabouts: Whereabouts,
    /// The scope that the person can give.
    scope: Scope,
    /// The same, with the claims that are asked for beyond it.
    wanted: Scope,
    /// A digest of what is asked for in detail.
    details: Option<String>,
    /// Whether they have allowed the application nothing here yet.
    is_stranger: bool,
    /// What they allowed before.
    remembered: Scope,
    /// Whether they allowed these details before.
    has_details: bool,
    /// Whether the sign-in is as the organization wants it.
    fit: Fit,
    /// What they have not accepted or answered yet.
    open: Option<Open<'a>>,
    /// The strongest sign-in that makes sense to ask them for.
    best: Option<Level>,
    /// Whether they are one of those whom the request names.
    is_named: bool,
}

impl Journey<'_> {
    /// The next page, or the code, for the person of a session. `allowed` is what they were shown and have just consented to.
    pub async fn advance(
        &self,
        tx: &mut Tx<Tenant>,
        session: Option<&Session>,
        allowed: Option<&Offer>,
    ) -> Result<Next> {
        let Some(session) = session else { return Ok(self.begin()) };
        // Boxed: a sign-in would hold room for what reads them to its end.
        let facts = Box::pin(self.facts(tx, session)).await?;
        let terms = self.terms(session, &facts, allowed);
        let step = match &session.authentication.acting {
            Some(acting) => Box::pin(acting::next(self, tx, (session, acting), &terms)).await?,
            None => next_step(&self.flow, Some(session), &terms, self.visit.cx().now),
        };
        self.at(tx, session, (step, facts)).await
    }

    async fn facts(&self, tx: &mut Tx<Tenant>, session: &Session) -> Result<Facts<'_>> {
        let (request, person) = (&self.flow.request, &session.person);
        let whereabouts = self.whereabouts(tx, session).await?;
        let place = whereabouts.place();
        let roles = roles_for(&self.visit.host.tenant, &request.audience, person, place);
        let scope = narrowed(&request.scope, self.api.as_deref(), roles);
        let claims = request.claims.within(&self.app.configuration.scope);
        let details = self.digest_of_details()?;
        let (remembered, has_details) = self.remembered(tx, person, details.as_deref()).await?;
        let (app, now) = (&self.visit.host.app, self.visit.cx().now);
        let fit = accepted::fit(app, tx, &session.authentication, (place, now)).await?;
        let open = self.owed_by(tx, session, place).await?;
        let best = self.best(tx, session, Level::of(&session.authentication.acr)).await?;
        let is_named = self.is_named(tx, person).await?;
        Ok(Facts {
            wanted: scope.union(&claims.beyond(&scope)),
            whereabouts,
            scope,
            details,
            is_stranger: remembered.is_none(),
            remembered: remembered.unwrap_or_default(),
            has_details,
            fit,
            open,
            best,
            is_named,
        })
    }

    fn terms<'t>(&self, session: &Session, facts: &'t Facts<'_>, allowed: Option<&'t Offer>) -> Terms<'t> {
        let (host, place) = (&self.visit.host, facts.whereabouts.place());
        let is_taken = accepted::is_taken_by(&self.app, &host.app, &session.authentication);
        Terms {
            best: facts.best,
            strongest: methods::strongest(host),
            floor: demand::floor_of(host, &self.app, (&session.person, &session.authentication)),
            takes_guests: self.takes_guests(),
            is_named: facts.is_named,
            owes_address: owed_address::is_owed_by(host, (&session.person, &session.authentication)),
            whereabouts: &facts.whereabouts,
            is_taken,
            fit: if is_taken { facts.fit } else { Fit::Other },
            was_held: facts.fit != Fit::Other || place.is_some_and(|place| self.is_held_to(place.id)),
            owed: facts.open.as_ref().map_or(Owed::Nothing, |open| open.owed),
            scope: &facts.wanted,
            is_stranger: facts.is_stranger,
            remembered: &facts.remembered,
            details: facts.details.as_deref(),
            has_details: facts.has_details,
            allowed,
            is_first_party: self.app.configuration.first_party,
        }
    }

    /// What the browser gets at a step.
    async fn at(
        &self,
        tx: &mut Tx<Tenant>,
        session: &Session,
        (step, facts): (Step, Facts<'_>),
    ) -> Result<Next> {
        let Facts { whereabouts, scope, fit, open, .. } = facts;
        let place = whereabouts.place();
        match step {
            Step::Done => self.grant(tx, session, (scope, place)).await.map(Next::Reply),
            Step::SelectOrganization | Step::NoOrganization
                if !self.flow.request.prompt.has(PromptValue::None) =>
            {
                let places = if let Whereabouts::Open(places) = whereabouts { places } else { Vec::new() };
                Ok(Next::Organization(places))
            }
            Step::SelectAccount => self.choose(tx, [session].into_iter()).await,
            step @ Step::SignIn => Ok(match (self.unless_silent(step), place) {
                // The organization of the person who gives way says nothing of the one who comes.
                (Next::Ask(_), Some(place)) if fit == Fit::Other && !self.is_for_another() => {
                    Next::SignInAs(place.id)
                }
                (next, _) => next,
            }),
            step @ Step::Complete => Ok(match (self.unless_silent(step), open) {
                (Next::Ask(_), Some(open)) => Next::Complete(Missing::of(&open, self.visit.locale.as_str())),
                (next, _) => next,
            }),
            step => Ok(self.unless_silent(step).counting_in(place)),
        }
    }

    /// What the person has allowed the application before: scopes, if any, and whether these very details. Of one of the tenant's own
    /// nothing is remembered.
    async fn remembered(
        &self,
        tx: &mut Tx<Tenant>,
        person: &Person,
        details: Option<&str>,
    ) -> Result<(Option<Scope>, bool)> {
        if self.app.configuration.first_party {
            return Ok((None, false));
        }
        let (app, audience) = (self.app.id, self.stored_audience());
        consents::rely_on(tx, person.id, app);
        let scope = consents::find(tx, person.id, app, audience).await?;
        let has_details = match details {
            Some(details) => consents::has_details(tx, person.id, app, (audience, details)).await?,
            None => false,
        };
        Ok((scope, has_details))
    }

    /// What the person owes. Guests owe nothing, and support staff accept nothing for a person.
    async fn owed_by(
        &self,
        tx: &mut Tx<Tenant>,
        session: &Session,
        place: Option<&Place>,
    ) -> Result<Option<Open<'_>>> {
        if self.intake.is_empty() || session.person.is_guest() || session.is_acting() {
            return Ok(None);
        }
        let (whose, leads_to) = ((&session.person, session.id), place.map(|place| place.id));
        let organizations = asked_in(tx, &self.intake, whose, leads_to).await?;
        let standing = self.intake.standing(tx, &session.person).await?;
        let (application, now) = (Some(self.app.id), self.visit.cx().now);
        let asking = Asking { application, organizations: &organizations, now };
        Ok(Some(self.intake.open((&session.person, &standing), asking)))
    }

    /// The strongest sign-in that makes sense to ask this person for: for a preference that the application can do without, what they
    /// have set up.
    async fn best(
        &self,
        tx: &mut Tx<Tenant>,
        session: &Session,
        reached: Option<Level>,
    ) -> Result<Option<Level>> {
        let (best, assurance) = (methods::strongest(&self.visit.host), &self.flow.request.assurance);
        if assurance.is_empty() || assurance.is_essential() || reached >= best {
            return Ok(best);
        }
        if session.person.is_guest() {
            return Ok(None);
        }
        let whose = (session.person.account_id, session.person.password.is_some());
        let progress = Progress::of_session(session);
        let held = Held::read(tx, self.visit, whose, &progress).await?;
        Ok(held.best(&self.visit.host, &progress))
    }

    /// Whether another person is to go on than the one who is signed in: an account that is still to be made is never theirs.
    fn is_for_another(&self) -> bool {
        let flow = &self.flow;
        let has_come = flow.signed_in.is_some() || flow.led.is_some();
        flow.for_another || (flow.request.prompt.has(PromptValue::Create) && !has_come)
    }
}
