//! `/api/v1/sign-up-fields`: what people of the tenant are asked for beside their name and how they sign in.

use svc_core::{Result, SignUpFieldId};
use svc_db::{Tenant, Tx};
use svc_domain::people::fields::{self, Field, FieldContent};
use svc_http::{Everything, TenantCx};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;

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
    type Filter = Everything;
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
        _: Everything,
        page: &Page<SignUpFieldId>,
    ) -> Result<Vec<Self>> {
        fields::list(tx, page.by_id()).await
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
