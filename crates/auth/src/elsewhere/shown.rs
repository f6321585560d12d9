//! Requests as people read them: who asks, for what, until when.

use svc_core::{Result, Scope, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{Api, Sentence};
use svc_domain::grants::polled::Wanted;
use svc_domain::grants::{ciba_requests, device_codes};
use svc_domain::organizations::Place;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants;
use svc_http::{Response, StatusCode};

use super::decide::{Ask, Desk, Parties, Polled};
use crate::authorize::narrowed;
use crate::authorize::organization::{Member, Whereabouts, roles_for};
use crate::hosted::Visit;
use crate::hosted::paths::{APPROVALS, DEVICE};
use crate::pages::{App, Approval, Approvals, Organization, RequestedAccess, Sentences, SupportRequest};
use crate::signin::{Errand, account_of};

/// One request with everything that a person has to know of it.
pub struct Shown {
    polled: Polled,
    parties: Parties,
    scope: Scope,
    details: Vec<Sentence>,
    user_code: Option<String>,
    binding_message: Option<String>,
    expires_at: Timestamp,
}

/// Most requests of one kind on a page; the rest comes into view as these are decided.
const MOST: u32 = 20;

impl Desk<'_> {
    /// Everything that waits for a person.
    pub async fn waiting(&self, tx: &mut Tx<Tenant>, person: &Person) -> Result<Vec<Shown>> {
        let (mut shown, mut member) = (Vec::new(), Member::of(person));
        let page = device_codes::Page { cursor: None, limit: MOST };
        for pending in device_codes::of_person(tx, person.id, self.host.cx.now, &page).await? {
            shown.extend(self.device(tx, pending, &mut member).await?);
        }
        let page = ciba_requests::Page { cursor: None, limit: MOST };
        for pending in ciba_requests::of_person(tx, person, self.host.cx.now, &page).await? {
            shown.extend(self.backchannel(tx, pending, &mut member).await?);
        }
        Ok(shown)
    }

    /// The request of a device.
    pub async fn device(
        &self,
        tx: &mut Tx<Tenant>,
        pending: device_codes::Pending,
        member: &mut Member<'_>,
    ) -> Result<Option<Shown>> {
        let person = member.person;
        let Some(parties) = self.parties(tx, (pending.app, member), &pending.wanted, None).await? else {
            return Ok(None);
        };
        Ok(Some(Shown {
            polled: Polled::DeviceCode(pending.id),
            scope: parties.asked(&self.host.tenant, &pending.wanted, person),
            details: details(parties.api.as_deref(), &pending.wanted),
            user_code: Some(device_codes::shown(&pending.shown)),
            binding_message: None,
            expires_at: pending.expires_at,
            parties,
        }))
    }

    async fn backchannel(
        &self,
        tx: &mut Tx<Tenant>,
        pending: ciba_requests::Pending,
        member: &mut Member<'_>,
    ) -> Result<Option<Shown>> {
        let person = member.person;
        let Some(parties) = self.parties(tx, (pending.app, member), &pending.wanted, None).await? else {
            return Ok(None);
        };
        Ok(Some(Shown {
            polled: Polled::CibaRequest(pending.id),
            scope: parties.asked(&self.host.tenant, &pending.wanted, person),
            details: details(parties.api.as_deref(), &pending.wanted),
            user_code: None,
            binding_message: pending.shown,
            expires_at: pending.expires_at,
            parties,
        }))
    }
}

/// What is asked for in detail, as sentences.
pub fn details(api: Option<&Api>, wanted: &Wanted) -> Vec<Sentence> {
    api.and_then(|api| api.sentences(&wanted.authorization_details)).unwrap_or_default()
}

/// The page with these requests.
pub fn page(visit: &Visit, session: &Session, requests: &[Shown], back: &Errand) -> Result<Response> {
    page_with(visit, session, (requests, Vec::new()), back)
}

/// The same with those of support staff.
pub fn page_with(
    visit: &Visit,
    session: &Session,
    (requests, support): (&[Shown], Vec<SupportRequest>),
    back: &Errand,
) -> Result<Response> {
    let requests = requests.iter().map(|shown| shown.approval(visit, session)).collect::<Result<_>>()?;
    let page = Approvals {
        action: APPROVALS.into(),
        account: account_of(&session.person).into(),
        switch_url: Some(back.switch_url(visit)?.into()),
        device_url: (*back == Errand::Approvals).then(|| DEVICE.into()),
        requests,
        support,
    };
    visit.page_as(StatusCode::OK, &page, None)
}

impl Shown {
    fn approval(&self, visit: &Visit, session: &Session) -> Result<Approval> {
        let Parties { app, api, .. } = &self.parties;
        Ok(Approval {
            flow: visit.seal(&Ask { polled: self.polled, person: session.person.id })?.into(),
            app: App::of(app),
            user_code: self.user_code.as_ref().map(Into::into),
            binding_message: self.binding_message.as_ref().map(Into::into),
            asked: RequestedAccess::at(api.as_deref(), &self.scope, Sentences(self.details.clone())),
            organization: self.parties.whereabouts.place().map(Organization::only),
            organizations: Organization::choices(self.parties.choices(), session.organization),
            minutes: ((self.expires_at - visit.cx().now).0 + 59) / 60,
        })
    }
}

impl Parties {
    /// What the person is asked to allow: scopes, and claims that none of these covers.
    fn asked(&self, tenant: &tenants::Tenant, wanted: &Wanted, person: &Person) -> Scope {
        let at = |place: Option<&Place>| {
            let roles = roles_for(tenant, &wanted.audience, person, place);
            narrowed(&wanted.scope, self.api.as_deref(), roles)
        };
        let scope = match &self.whereabouts {
            // Everything that one of the choices opens: the person sees it before they choose.
            Whereabouts::Open(places) => {
                places.iter().fold(Scope::default(), |all, place| all.union(&at(Some(place))))
            }
            there => at(there.place()),
        };
        scope.union(&wanted.claims.beyond(&scope))
    }
}
