//! What a person is written about support staff: that one asks to act for them, that one does, or that one did.

use svc_core::{Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Notice;
use svc_http::TenantCx;

use super::super::written::Sender;
use crate::hosted::Visit;
use crate::hosted::paths::{APPROVALS, SUPPORT};
use crate::pages::{Mail, Topic};
use crate::signin::called;

/// Asks the person to approve or refuse; a person without an address finds the request among the approvals alone.
pub fn ask(caller: &TenantCx, tx: &mut Tx<Tenant>, (person, staff): (&Person, &Person)) -> Result<()> {
    let url = format!("{}{APPROVALS}", caller.tenant.issuer);
    send(Sender::from(caller), tx, (person, staff), (Topic::ImpersonationAsked, &url), None)
}

/// Tells the person, when the tenant wants it.
pub fn tell(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    people: (&Person, &Person),
    ends_at: Timestamp,
) -> Result<()> {
    let url = format!("{}{SUPPORT}", visit.host.origin());
    let (topic, due) = match visit.host.tenant.settings.impersonation.notice {
        Notice::Start => (Topic::ImpersonationStarted, None),
        Notice::End => (Topic::ImpersonationEnded, Some(ends_at)),
        Notice::Never => return Ok(()),
    };
    send(Sender::from(&visit.host), tx, people, (topic, &url), due)
}

fn send(
    sender: Sender<'_>,
    tx: &mut Tx<Tenant>,
    (person, staff): (&Person, &Person),
    (topic, url): (Topic, &str),
    due: Option<Timestamp>,
) -> Result<()> {
    let Some(to) = person.email.as_deref() else { return Ok(()) };
    let (name, other) = (person.profile.name.as_deref(), Some(called(staff)));
    let mail = Mail { topic, name, organization: other, url, code: None, time: None };
    sender.queue_for(tx, (to, person.profile.locale.as_deref()), &mail, due)
}
