//! The providers of the organizations of a person who may look after them, and a test of one, step by step.

use std::collections::BTreeMap;

use svc_core::capability::Capability;
use svc_core::{Result, SsoConnectionId};
use svc_domain::federation::sso::Connection;
use svc_http::sso_trial::{Step, is_usable};
use svc_http::{Params, Response};

use super::super::own::{organizations, sso_connections};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountSso, MessageKey, SsoConnection, SsoStep, SsoTrial};

/// The page, which is below that of the organizations.
pub const SECTION: Section = Section {
    id: "organizations/sso",
    title: "account-sso",
    path: "/account/organizations/sso",
    is_offered: |host| host.offers(&Capability::ENTERPRISE_SSO),
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told, None)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

/// What the test of a connection has found.
type Tested = (SsoConnectionId, Vec<Step>);

async fn show(here: Here<'_>, told: Told, tested: Option<Tested>) -> Result<Response> {
    let own = here.own();
    let connections = sso_connections::all(&own).await?;
    let places = organizations::all(&own).await?.into_iter().map(|place| (place.id, place.name));
    let names: BTreeMap<_, _> = places.collect();
    let issuer = &here.visit.host.tenant.issuer;
    let one = |connection: &Connection| {
        let of_this = tested.as_ref().filter(|(id, _)| *id == connection.id);
        SsoConnection {
            value: connection.id.to_string().into(),
            name: connection.configuration.display_name.as_str().into(),
            organization: names
                .get(&connection.organization_id)
                .map(String::as_str)
                .unwrap_or_default()
                .into(),
            issuer: connection.configuration.issuer.as_str().into(),
            is_enabled: connection.configuration.enabled,
            trial: of_this.map(|(_, steps)| trial(issuer, connection, steps)),
        }
    };
    let page = AccountSso { connections: connections.iter().map(one).collect(), frame: here.frame(told)? };
    here.visit.page(&page)
}

fn trial(issuer: &str, connection: &Connection, steps: &[Step]) -> SsoTrial {
    let redirect_uri = format!("{issuer}{}", connection.return_path);
    SsoTrial {
        is_usable: is_usable(steps),
        is_cut: steps.last().is_some_and(|step| !step.part.is_last()),
        backchannel_logout_uri: format!("{redirect_uri}/backchannel-logout").into(),
        redirect_uri: redirect_uri.into(),
        steps: steps.iter().map(SsoStep::of).collect(),
    }
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let id: SsoConnectionId = form.id("connection")?;
    match sso_connections::test(&here.own(), id).await? {
        Some(steps) => Ok(Acted::Shown(show(here, Told::default(), Some((id, steps))).await?)),
        None => Ok(Acted::Fault(MessageKey::SsoTestedJustNow)),
    }
}
