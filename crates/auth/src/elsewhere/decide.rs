//! The decision on a polled request (RFC 8628 §3.3, OpenID CIBA §10): made by the person it waits for, once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_core::{
    AppId, CibaRequestId, Cx, DeviceCodeId, Error, ImpersonationId, OrganizationId, Result, Seconds,
    TenantUserId, Timestamp,
};
use svc_db::{Tenant as TenantSpace, Tx};
use svc_domain::apis::Api;
use svc_domain::apps;
use svc_domain::apps::App;
use svc_domain::claims::assurance::Level;
use svc_domain::grants::grant::{Authentication, AuthorizationGrant};
use svc_domain::grants::polled::{Decision, Wanted};
use svc_domain::grants::{ciba_requests, consents, device_codes};
use svc_domain::organizations::Place;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::people::impersonations;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::HostCx;

use super::choice::{Answer, chosen};
use crate::authorize::details::is_offered;
use crate::authorize::narrowed;
use crate::authorize::organization::{self, Member, Whereabouts, roles_for};
use crate::hosted::{Carried, Visit};
use crate::signin::complete::must_owe_nothing;
use crate::signin::{accepted, demand, must_not_be_locked, offers, owed_address};

/// No request lives longer than half an hour.
const LIFETIME: Seconds = Seconds(30 * 60);

/// Which request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polled {
    /// Of a device.
    DeviceCode(DeviceCodeId),
    /// Of an application that knows whom it wants to ask.
    CibaRequest(CibaRequestId),
    /// Of support staff who want to act for the person.
    Impersonation(ImpersonationId),
}

impl From<DeviceCodeId> for Polled {
    fn from(id: DeviceCodeId) -> Self {
        Self::DeviceCode(id)
    }
}

impl From<CibaRequestId> for Polled {
    fn from(id: CibaRequestId) -> Self {
        Self::CibaRequest(id)
    }
}

/// Who decides, and how they proved who they are.
pub struct Decider<'a> {
    /// The person.
    pub person: &'a Person,
    /// Their sign-in.
    pub authentication: &'a Authentication,
}

/// The parties to a request: who asks, and the API that it is about.
pub struct Parties {
    /// Who asks.
    pub app: App,
    /// The API, unless that is the tenant itself.
    pub api: Option<Arc<Api>>,
    /// Where the tokens count; the person may have yet to choose.
    pub whereabouts: Whereabouts,
}

impl Parties {
    /// The organizations of which the person chooses one, where they have to.
    pub fn choices(&self) -> &[Place] {
        if let Whereabouts::Open(places) = &self.whereabouts { places } else { &[] }
    }
}

/// What an answer led to.
pub enum Decided {
    /// The request is settled.
    Settled,
    /// Nothing is: the choice is missing, or is none of these organizations, in which alone the tokens can count.
    Unchosen(Vec<Place>),
    /// Nothing is: the person may not allow it as they have signed in.
    Insufficient(Box<Insufficient>),
}

/// Why a sign-in is not enough, and what helps.
pub struct Insufficient {
    /// What the person reads.
    pub error: Error,
    /// What helps.
    pub remedy: Remedy,
}

/// What helps a person who may not allow a request as they have signed in.
pub enum Remedy {
    /// The second factor that is demanded here, by the application or by the organization: the person can add it.
    SecondFactor,
    /// Another sign-in.
    SignIn {
        /// As this application demands it.
        app: Box<App>,
        /// And this organization, in which the tokens would count.
        organization: Option<OrganizationId>,
        /// How long ago it may be, where the age of the present one is all that the organization refuses.
        max_age: Option<Seconds>,
    },
}

/// Where decisions are made.
pub struct Desk<'a> {
    /// The call, and the tenant.
    pub host: &'a HostCx,
}

impl Desk<'_> {
    /// The parties to a request for what the person has chosen, if anything; nothing where they are gone, or the person does not belong to
    /// the organization that it is for, so that there is nothing left to decide.
    pub async fn parties(
        &self,
        tx: &mut Tx<TenantSpace>,
        (app, member): (AppId, &mut Member<'_>),
        wanted: &Wanted,
        choice: Option<OrganizationId>,
    ) -> Result<Option<Parties>> {
        let app = apps::find(tx, app).await?;
        let Some(app) = app.filter(|app| app.enabled) else { return Ok(None) };
        let HostCx { tenant, app: deployment, .. } = self.host;
        let api = deployment.services.apis.find_in(tx, tenant, &wanted.audience).await?;
        let is_known = (api.is_some() || wanted.audience == tenant.issuer)
            && wanted.authorization_details.iter().all(|detail| is_offered(detail, &app, api.as_deref()));
        let organization = organization::Wanted { named: wanted.organization.as_deref(), chosen: choice };
        let whereabouts =
            Whereabouts::find(tx, (&deployment.config, tenant), (&app, member), &organization).await?;
        let is_left = is_known && whereabouts != Whereabouts::Nowhere;
        Ok(is_left.then_some(Parties { app, api, whereabouts }))
    }

    /// Settles a request: `Conflict` where it was decided before, `NotFound` where it does not wait for this person.
    pub async fn decide(
        &self,
        tx: &mut Tx<TenantSpace>,
        polled: Polled,
        by: &Decider<'_>,
        answer: Answer,
    ) -> Result<Decided> {
        must_not_be_locked(tx, &self.host.cx, by.person).await?;
        let cx = self.host.cx.acting_as(by.person.actor());
        if let Polled::Impersonation(id) = polled {
            impersonations::decide(tx, &cx, (id, by.person.id), answer.is_allowed()).await?;
            return Ok(Decided::Settled);
        }
        let (app, wanted) = wanted_by(tx, polled, by.person).await?;
        let Answer::Allow(choice) = answer else {
            settle(tx, &cx, polled, by.person, Decision::Deny).await?;
            return Ok(Decided::Settled);
        };
        let parties = self.parties(tx, (app, &mut Member::of(by.person)), &wanted, choice).await?;
        let Parties { app, api, whereabouts } = parties.ok_or_else(|| Error::unknown_id())?;
        self.check(by, &app)?;
        let chosen = chosen(whereabouts, choice);
        let there = chosen.as_ref().ok().and_then(Option::as_ref);
        if let Some(insufficient) = self.insufficient(tx, by, (&app, there)).await? {
            // A guest has nothing to sign in with.
            let is_guest = by.person.is_guest();
            return if is_guest { Err(insufficient.error) } else { Ok(Decided::Insufficient(insufficient)) };
        }
        let place = match chosen {
            Ok(place) => place,
            Err(places) => return Ok(Decided::Unchosen(places)),
        };
        let whose = (by.person, by.authentication.session);
        must_owe_nothing(self.host, tx, whose, (app.id, place.as_ref())).await?;
        let grant = granted(&self.host.tenant, by, wanted, (api.as_deref(), place.as_ref()));
        self.allow(tx, (polled, &app), by, &grant).await?;
        Ok(Decided::Settled)
    }

    /// Why the sign-in is not enough for the application, or for the organization in which the tokens would count: it is of another kind
    /// than they accept, or too old, or proves less than is demanded here. Nothing where it is enough.
    async fn insufficient(
        &self,
        tx: &mut Tx<TenantSpace>,
        by: &Decider<'_>,
        (app, place): (&App, Option<&Place>),
    ) -> Result<Option<Box<Insufficient>>> {
        let (made, now) = (by.authentication, self.host.cx.now);
        let fit = accepted::fit(&self.host.app, tx, made, (place, now)).await?;
        let is_taken = accepted::is_taken_by(app, &self.host.app, made);
        if !is_taken || fit == Fit::Other {
            let who = if is_taken { "organization" } else { "application" };
            let error = Error::forbidden(format!(
                "the {who} asks for another sign-in than this one; sign in as it demands, and decide again"
            ));
            let max_age = if is_taken { self.outlived(tx, made, place).await? } else { None };
            let organization = place.map(|place| place.id);
            let remedy = Remedy::SignIn { app: Box::new(app.clone()), organization, max_age };
            return Ok(Some(Box::new(Insufficient { error, remedy })));
        }
        let is_weak = Level::of(&made.acr) < demand::floor_of(self.host, app, (by.person, made));
        let error = (is_weak || fit == Fit::LacksSecondFactor).then(|| {
            Error::forbidden(
                "more is demanded here than this sign-in has proven; sign in with a second factor, and decide again",
            )
        });
        Ok(error.map(|error| Box::new(Insufficient { error, remedy: Remedy::SecondFactor })))
    }

    /// For how long a sign-in counts in the organization, where its age alone is why it counts no more: of another kind, a fresh one
    /// would not count either.
    async fn outlived(
        &self,
        tx: &mut Tx<TenantSpace>,
        made: &Authentication,
        place: Option<&Place>,
    ) -> Result<Option<Seconds>> {
        let when_made = accepted::fit(&self.host.app, tx, made, (place, made.auth_time)).await?;
        let longest = place.and_then(|place| place.sign_in.outlived_by(made.auth_time, self.host.cx.now));
        Ok(longest.filter(|_| when_made != Fit::Other))
    }

    /// Gives the application what it gets. What a third-party application gets is kept as consent.
    async fn allow(
        &self,
        tx: &mut Tx<TenantSpace>,
        (polled, app): (Polled, &App),
        by: &Decider<'_>,
        grant: &AuthorizationGrant,
    ) -> Result<()> {
        let cx = self.host.cx.acting_as(by.person.actor());
        let is_first_party = app.configuration.first_party;
        if !is_first_party {
            consents::rely_on(tx, by.person.id, app.id);
        }
        settle(tx, &cx, polled, by.person, Decision::Approve(grant)).await?;
        if !is_first_party {
            // The person sees this later among what they allowed, and can take it back.
            let given = grant.scope.union(&grant.claims.beyond(&grant.scope));
            let audience = self.host.tenant.stored_audience(&grant.audience);
            consents::grant(tx, &cx, by.person.id, app.id, (audience, &given)).await?;
        }
        Ok(())
    }

    /// Refuses a guest where the application goes without guests, and a person who has an address to prove.
    fn check(&self, by: &Decider<'_>, app: &App) -> Result<()> {
        if by.person.is_guest() && !offers::guests(self.host, app) {
            return Err(Error::forbidden(
                "the application takes no guests; keep the account first, and decide again",
            ));
        }
        if owed_address::is_owed_by(self.host, (by.person, by.authentication)) {
            return Err(Error::forbidden(
                "the address of the account has to be proven first; sign in again, and decide again",
            ));
        }
        Ok(())
    }
}

async fn wanted_by(tx: &mut Tx<TenantSpace>, polled: Polled, person: &Person) -> Result<(AppId, Wanted)> {
    let found = match polled {
        Polled::DeviceCode(id) => {
            device_codes::find(tx, id, person.id).await?.map(|pending| (pending.app, pending.wanted))
        }
        Polled::CibaRequest(id) => {
            ciba_requests::find(tx, id, person).await?.map(|pending| (pending.app, pending.wanted))
        }
        Polled::Impersonation(_) => None,
    };
    found.ok_or_else(|| Error::unknown_id())
}

async fn settle(
    tx: &mut Tx<TenantSpace>,
    cx: &Cx,
    polled: Polled,
    person: &Person,
    decision: Decision<'_>,
) -> Result<()> {
    match polled {
        Polled::DeviceCode(id) => device_codes::decide(tx, cx, (id, person.id), decision).await,
        Polled::CibaRequest(id) => ciba_requests::decide(tx, cx, (id, person), decision).await,
        Polled::Impersonation(_) => Err(Error::unknown_id()),
    }
}

/// What the application gets: what it asked for, as far as the person can give it.
fn granted(
    tenant: &Tenant,
    by: &Decider<'_>,
    wanted: Wanted,
    (api, place): (Option<&Api>, Option<&Place>),
) -> AuthorizationGrant {
    let roles = roles_for(tenant, &wanted.audience, by.person, place);
    AuthorizationGrant {
        redirect_uri: String::new(),
        code_challenge: None,
        nonce: None,
        scope: narrowed(&wanted.scope, api, roles),
        audience: wanted.audience,
        authentication: by.authentication.clone(),
        dpop_jkt: None,
        x5t_s256: None,
        authorization_details: wanted.authorization_details,
        claims: wanted.claims,
        actor: None,
        organization: place.map(|place| place.id),
    }
}

/// A form that decides, bound to whom it was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// What is to be decided.
    pub polled: Polled,
    /// By whom.
    pub person: TenantUserId,
}

impl Carried for Ask {
    const LABEL: &'static str = "hosted approval";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + LIFETIME
    }
}

impl<'a> Desk<'a> {
    /// The desk of a tenant's pages.
    pub fn of(visit: &'a Visit) -> Self {
        Self { host: &visit.host }
    }
}
