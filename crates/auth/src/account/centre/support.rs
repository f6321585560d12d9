//! Support staff who acted for the person, and how to end it.

use svc_core::Result;
use svc_core::capability::Capability;
use svc_domain::people::impersonations::{Page, State};
use svc_http::{Params, Response};

use super::super::own::support::{self, Visited};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::hosted::paths::{APPROVALS, SUPPORT};
use crate::pages::{AccountSupport, MessageKey, SUPPORT_STATES, SupportVisit};

/// Most that are shown.
const MOST: u32 = 20;

/// The section.
pub const SECTION: Section = Section {
    id: "support",
    title: "account-support",
    path: SUPPORT,
    is_offered: |host| host.tenant.offers(&host.app.config, &Capability::IMPERSONATION),
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let found = support::page(&here.own(), &Page { cursor: None, limit: MOST }).await?;
    let visits: Vec<_> = found.into_iter().map(shown).collect();
    let is_waiting = visits.iter().any(|visit| visit.state == state(State::Waiting));
    let approvals_url = is_waiting.then(|| APPROVALS.into());
    here.visit.page(&AccountSupport { visits, approvals_url, frame: here.frame(told)? })
}

fn shown(Visited { impersonation, staff }: Visited) -> SupportVisit {
    SupportVisit {
        value: impersonation.id.to_string().into(),
        staff: staff.into(),
        reason: impersonation.reason.into(),
        state: state(impersonation.state),
        at: impersonation.started_at.unwrap_or(impersonation.created_at).to_string().into(),
        can_end: matches!(impersonation.state, State::Ready | State::Active),
    }
}

/// The id of the message that says where it stands.
fn state(state: State) -> &'static str {
    SUPPORT_STATES.iter().find(|(known, _)| *known == state).map_or("support-ended", |(_, id)| id)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    support::end(&here.own(), form.id("impersonation")?).await?;
    Ok(Acted::Done(MessageKey::SupportEnded))
}
