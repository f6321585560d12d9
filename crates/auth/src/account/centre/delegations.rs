//! The applications and agents that act for the person at other services, and how to end it (RFC 8693 §1.1).

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::apps::App as Application;
use svc_domain::grants::delegations::Delegation;
use svc_http::{HostCx, Params, Response};

use super::super::own::delegations;
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountDelegation, AccountDelegations, App, MessageKey, RequestedAccess, Sentences, day};

/// The section.
pub const SECTION: Section = Section {
    id: "delegations",
    title: "account-delegations",
    path: "/account/delegations",
    is_offered: |_| true,
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let (host, mut shown) = (&here.visit.host, Vec::new());
    let mut tx = host.read().await?;
    for (delegation, app) in delegations::live(&here.own(), &mut tx).await? {
        shown.push(one(host, &mut tx, (&delegation, &*app)).await?);
    }
    drop(tx);
    let page = AccountDelegations { delegations: shown, frame: here.frame(told)? };
    here.visit.page(&page)
}

async fn one(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    (delegation, app): (&Delegation, &Application),
) -> Result<AccountDelegation> {
    let api = host.app.services.apis.find_in(tx, &host.tenant, &delegation.audience).await?;
    let details = api.as_ref().and_then(|api| api.sentences(&delegation.authorization_details));
    Ok(AccountDelegation {
        value: delegation.id.to_string().into(),
        app: App::of(app),
        asked: RequestedAccess::at(
            api.as_deref(),
            &delegation.scope,
            details.map(Sentences).unwrap_or_default(),
        ),
        purpose: delegation.purpose.as_str().into(),
        began: day(delegation.created_at),
        ends: day(delegation.expires_at),
    })
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    delegations::end(&here.own(), form.id("delegation")?).await?;
    Ok(Acted::Done(MessageKey::DelegationEnded))
}
