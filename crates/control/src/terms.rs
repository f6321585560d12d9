//! `/api/v1/terms`: versions of documents that people of the tenant accept, such as terms of service.

use serde::Deserialize;
use svc_core::{OrganizationId, Result, TermsId};
use svc_db::{Tenant, Tx};
use svc_domain::people::terms::{self, Terms, TermsContent};
use svc_http::TenantCx;
use utoipa::IntoParams;

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those that name this organization in `organization_ids`.
    #[param(value_type = Option<String>, nullable = false)]
    organization_id: Option<OrganizationId>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("terms", "Terms")
        .may_read("See which documents people of this organisation accept")
        .may_write("Decide which documents people of this organisation accept")
        .crud::<Terms>()
}

impl Record for Terms {
    const ONE: &'static str = "a version of a document that people accept";
    const MANY: &'static str = "versions of documents that people accept";

    type Stored = Self;
    type Id = TermsId;
    type Filter = Filter;
    type New = TermsContent;
    type Created = Self;
    type Change = TermsContent;

    fn head(terms: &Self) -> (TermsId, i64) {
        (terms.id, terms.version)
    }

    fn present(terms: &Self) -> TermsContent {
        terms.content.clone()
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<TermsId>,
    ) -> Result<Vec<Self>> {
        let named = |wanted: OrganizationId, terms: &Self| terms.content.organization_ids.contains(&wanted);
        let fits = |terms: &Self| filter.organization_id.is_none_or(|wanted| named(wanted, terms));
        terms::list(tx, page.by_id(), fits).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: TermsId) -> Result<Option<Self>> {
        terms::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: TermsContent) -> Result<(Self, Self)> {
        let made = terms::create(tx, caller, &new).await?;
        Ok((made.clone(), made))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, terms: Self, wanted: TermsContent) -> Result<()> {
        terms::update(tx, caller, &terms, &wanted).await.map(|_| ())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, terms: Self) -> Result<()> {
        terms::delete(tx, caller, &terms).await
    }
}
