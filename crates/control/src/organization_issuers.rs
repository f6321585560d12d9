//! `/api/v1/organizations/{id}/trusted-issuers`: whose assertions about members of an organization are believed (RFC 7523, ID-JAG).

use svc_core::{OrganizationId, Result, TenantUserId, TrustedIssuerId};
use svc_db::{Tenant, Tx};
use svc_domain::federation::trusted_issuers::{self, TrustedIssuer};
use svc_domain::federation::trusted_subjects;
use svc_domain::organizations;
use svc_http::{Json, NoContent, Path, Problem, TenantCx};

use crate::organization_record::{OrganizationRecord, declare, find};
use crate::resource::Resource;
use crate::trusted_issuers::{
    NewTrustedIssuer, TrustedIssuerUpdate, TrustedSubject, check_link, created, updated,
};
use crate::unknown;

/// The resource; its scopes are those of the tenant's issuers.
pub(crate) fn resource() -> Resource {
    const LINK: &str = "{issuer_id}/subjects/{tenant_user_id}";
    let issuers = Resource::at("organizations/{id}/trusted-issuers", "Trusted issuers of organizations");
    let summaries = [
        "List the trusted issuers of an organization",
        "Create a trusted issuer of an organization",
        "Read a trusted issuer of an organization",
        "Replace the writable fields of a trusted issuer of an organization",
        "Change some fields of a trusted issuer of an organization",
        "Delete a trusted issuer of an organization",
    ];
    declare::<TrustedIssuer>(issuers, "{issuer_id}", summaries)
        .put(LINK, "Link a member to a subject of the organization's issuer", link)
        .delete(LINK, "Unlink a member from the organization's issuer", unlink)
}

impl OrganizationRecord for TrustedIssuer {
    const WORD: &'static str = "trusted-issuers";

    type Id = TrustedIssuerId;
    type New = NewTrustedIssuer;
    type Created = Self;
    type Change = TrustedIssuerUpdate;

    fn head(&self) -> (TrustedIssuerId, i64) {
        (self.id, self.version)
    }

    fn present(&self) -> TrustedIssuerUpdate {
        self.into()
    }

    fn completed(&self, wanted: TrustedIssuerUpdate) -> TrustedIssuerUpdate {
        wanted.completed(self)
    }

    async fn page(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        page: (Option<TrustedIssuerId>, u32),
    ) -> Result<Vec<Self>> {
        trusted_issuers::list_of_organization(tx, organization, page).await
    }

    async fn of(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        id: TrustedIssuerId,
    ) -> Result<Option<Self>> {
        trusted_issuers::find(tx, Some(organization), id).await
    }

    async fn make(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        (organization, new): (OrganizationId, NewTrustedIssuer),
    ) -> Result<(Self, Self)> {
        let issuer = created(caller, tx, (Some(organization), &new)).await?;
        Ok((issuer.clone(), issuer))
    }

    async fn change(
        &self,
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        wanted: TrustedIssuerUpdate,
    ) -> Result<()> {
        updated(caller, tx, self, &wanted).await
    }

    async fn end(&self, caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<()> {
        trusted_issuers::delete(tx, caller, self).await
    }
}

async fn link(
    caller: TenantCx,
    Path((id, issuer, user)): Path<(OrganizationId, TrustedIssuerId, TenantUserId)>,
    Json(wanted): Json<TrustedSubject>,
) -> Result<NoContent, Problem> {
    check_link(&caller)?;
    let mut tx = caller.begin().await?;
    let issuer: TrustedIssuer = find(&mut tx, (id, issuer)).await?;
    let member = organizations::find_member(&mut tx, id, user).await?.ok_or_else(unknown)?;
    let subject = (member.tenant_user_id, wanted.subject.as_str());
    trusted_subjects::link(&mut tx, &caller, &issuer, subject).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn unlink(
    caller: TenantCx,
    Path((id, issuer, user)): Path<(OrganizationId, TrustedIssuerId, TenantUserId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let issuer: TrustedIssuer = find(&mut tx, (id, issuer)).await?;
    trusted_subjects::unlink(&mut tx, &caller, &issuer, user).await?;
    tx.commit().await?;
    Ok(NoContent)
}
