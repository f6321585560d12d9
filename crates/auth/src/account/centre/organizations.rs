//! The organizations that the person belongs to, and how to leave one; and the invitations that wait.

use std::collections::BTreeSet;

use svc_core::capability::Capability;
use svc_core::{Error, OrganizationId, OrganizationInvitationId, Result};
use svc_http::{Params, Response};

use super::super::own::invitations::{self, Waiting};
use super::super::own::{organizations, sso_connections};
use super::organization_sso;
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountInvitation, AccountOrganization, AccountOrganizations, MessageKey, day};

/// The section.
pub const SECTION: Section = Section {
    id: "organizations",
    title: "account-organizations",
    path: "/account/organizations",
    is_offered: |host| host.offers(&Capability::ORGANIZATIONS),
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let connected = connected(&here).await?;
    let shown = organizations::all(&here.own()).await?.into_iter().map(|place| AccountOrganization {
        sso_url: connected.contains(&place.id).then(|| organization_sso::SECTION.path.into()),
        value: place.id.to_string().into(),
        name: place.name.into(),
        roles: place.roles.join(", ").into(),
    });
    let waiting = invitations::waiting(&here.own(), &mut here.visit.host.read().await?).await?;
    let waiting = waiting.into_iter().map(|Waiting { invitation, organization }| AccountInvitation {
        value: invitation.id.to_string().into(),
        name: organization.configuration.name.into(),
        roles: invitation.roles.join(", ").into(),
        ends: day(invitation.expires_at),
    });
    let page = AccountOrganizations {
        organizations: shown.collect(),
        invitations: waiting.collect(),
        frame: here.frame(told)?,
    };
    here.visit.page(&page)
}

/// The organizations with providers that the person may test.
async fn connected(here: &Here<'_>) -> Result<BTreeSet<OrganizationId>> {
    let own = here.own();
    if here.session.is_acting() || !sso_connections::may_test(&own).await? {
        return Ok(BTreeSet::new());
    }
    let connections = sso_connections::all(&own).await?;
    Ok(connections.iter().map(|connection| connection.organization_id).collect())
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    if let Some(id) = form.one("accept") {
        let is_accepted = invitations::accept(&here.own(), invitation(id)?).await?;
        return Ok(Acted::Done(answered(is_accepted, MessageKey::OrganizationJoined)));
    }
    if let Some(id) = form.one("decline") {
        let is_declined = invitations::decline(&here.own(), invitation(id)?).await?;
        return Ok(Acted::Done(answered(is_declined, MessageKey::InvitationDeclined)));
    }
    Ok(match organizations::leave(&here.own(), form.id("organization")?).await? {
        Ok(_) => Acted::Done(MessageKey::OrganizationLeft),
        Err(denied) => Acted::Fault(denied.message()),
    })
}

fn invitation(id: &str) -> Result<OrganizationInvitationId> {
    id.parse().map_err(|_| Error::invalid_request("accept, decline: give the id of an invitation"))
}

/// What the page says of an answer; an invitation that was revoked meanwhile is gone.
fn answered(is_done: bool, done: MessageKey) -> MessageKey {
    if is_done { done } else { MessageKey::InvitationGone }
}
