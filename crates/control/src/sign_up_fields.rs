//! `/api/v1/sign-up-fields`: fields that people of the tenant are asked to fill in.

use serde::Deserialize;
use svc_core::{AppId, OrganizationId, Result, SignUpFieldId};
use svc_db::{Tenant, Tx};
use svc_domain::people::fields::{self, Field, FieldContent};
use svc_http::TenantCx;
use utoipa::IntoParams;

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those that people are asked for, or only those that they are not.
    #[param(nullable = false)]
    enabled: Option<bool>,
    /// Only those that name this application in `application_ids`.
    #[param(value_type = Option<String>, nullable = false)]
    application_id: Option<AppId>,
    /// Only those that name this organization in `organization_ids`.
    #[param(value_type = Option<String>, nullable = false)]
    organization_id: Option<OrganizationId>,
}

impl Filter {
    fn fits(&self, field: &Field) -> bool {
        let FieldContent { enabled, application_ids, organization_ids, .. } = &field.content;
        self.enabled.is_none_or(|wanted| wanted == *enabled)
            && self.application_id.is_none_or(|wanted| application_ids.contains(&wanted))
            && self.organization_id.is_none_or(|wanted| organization_ids.contains(&wanted))
    }
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("sign-up-fields", "Sign-up fields")
        .may_read("See what people of this organisation are asked for when they register")
        .may_write("Decide what people of this organisation are asked for when they register")
        .crud::<Field>()
}

impl Record for Field {
    const ONE: &'static str = "a sign-up field";
    const MANY: &'static str = "sign-up fields";

    type Stored = Self;
    type Id = SignUpFieldId;
    type Filter = Filter;
    type New = FieldContent;
    type Created = Self;
    type Change = FieldContent;

    fn head(field: &Self) -> (SignUpFieldId, i64) {
        (field.id, field.version)
    }

    fn present(field: &Self) -> FieldContent {
        field.content.clone()
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<SignUpFieldId>,
    ) -> Result<Vec<Self>> {
        fields::list(tx, page.by_id(), |field| filter.fits(field)).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: SignUpFieldId) -> Result<Option<Self>> {
        fields::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: FieldContent) -> Result<(Self, Self)> {
        let made = fields::create(tx, caller, &new).await?;
        Ok((made.clone(), made))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, field: Self, wanted: FieldContent) -> Result<()> {
        fields::update(tx, caller, &field, &wanted).await.map(|_| ())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, field: Self) -> Result<()> {
        fields::delete(tx, caller, &field).await
    }
}
