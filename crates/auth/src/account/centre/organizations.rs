//! The organizations that the person belongs to, and how to leave one.

use svc_core::{Error, OrganizationId, Result};
use svc_http::{Params, Response};

use super::super::own::organizations;
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountOrganization, AccountOrganizations, MessageKey};

/// The section.
pub const SECTION: Section = Section {
    id: "organizations",
    title: "account-organizations",
    path: "/account/organizations",
    is_offered: |host| host.app.config.organizations.enabled,
    is_sensitive: false,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(show(here, told)) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

async fn show(here: Here<'_>, told: Told) -> Result<Response> {
    let shown = organizations::all(&here.own()).await?.into_iter().map(|place| AccountOrganization {
        value: place.id.to_string().into(),
        name: place.name.into(),
        roles: place.roles.join(", ").into(),
    });
    let page = AccountOrganizations { organizations: shown.collect(), frame: here.frame(told)? };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let id = form.required("organization")?;
    let id: OrganizationId = id.parse().map_err(|_| Error::invalid_request("organization: give an id"))?;
    Ok(match organizations::leave(&here.own(), id).await? {
        Ok(_) => Acted::Done(MessageKey::OrganizationLeft),
        Err(denied) => Acted::Fault(denied.message()),
    })
}
