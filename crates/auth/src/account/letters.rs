//! Mails to members on behalf of a tenant's administrators: the same links as people ask for themselves.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::credentials::Credential;
use svc_domain::people::tenant_users::Person;
use svc_http::{Letters, TenantCx};

use super::written::Sender;
use super::{organization_invitation, recovery, sign_up, support};
use crate::hosted::mail::undoing;
use crate::pages::{Changed, Mail, Topic};

/// What the management API has mailed.
pub const LETTERS: Letters = Letters {
    invitation: |caller, tx, person| Box::pin(sign_up::invite(caller, tx, person)),
    organization: |caller, tx, letter| Box::pin(organization_invitation::send(caller, tx, letter)),
    recovery: |caller, tx, person| Box::pin(recovery::offer(caller, tx, person)),
    credential_removed: |caller, tx, person, removed| {
        Box::pin(std::future::ready(tell_removal(caller, tx, (person, removed))))
    },
    impersonation: |caller, tx, person, staff| {
        Box::pin(std::future::ready(support::letters::ask(caller, tx, (person, staff))))
    },
};

/// Tells the owner of an account that a credential is gone, as when they remove it themselves; an account without an address gets no
/// mail, and a browser that was trusted is none to write about.
fn tell_removal(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (person, removed): (&Person, &Credential),
) -> Result<()> {
    let (Some(to), Some(changed)) = (person.email.as_deref(), Changed::of(removed)) else { return Ok(()) };
    let url = format!("{}{}", caller.tenant.issuer, undoing(&caller.host()));
    let (topic, name) = (Topic::CredentialRemoved(changed), person.profile.name.as_deref());
    let mail = Mail { topic, name, organization: None, url: &url, code: None, time: None };
    Sender::from(caller).queue_to(tx, (to, person.profile.locale.as_deref()), &mail)
}
