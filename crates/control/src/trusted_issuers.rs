//! `/api/v1/trusted-issuers`: whose assertions about people are believed, and whom they mean (RFC 7523, ID-JAG).

use serde::{Deserialize, Serialize};
use svc_core::{Error, OrganizationId, Result, TenantUserId, TrustedIssuerId};
use svc_db::{Tenant, Tx};
use svc_domain::federation::trusted_issuers::{self, Configuration, New, TrustedIssuer};
use svc_domain::federation::trusted_subjects;
use svc_domain::lists::Order;
use svc_http::{Json, NoContent, Path, Problem, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::Record;
use crate::resource::Resource;
use crate::unknown;
use crate::{privileges, tenant_users};

/// A new issuer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "issuer": "https://partner.example", "name": "Partner", "jwks": { "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] } })))]
pub(crate) struct NewTrustedIssuer {
    /// An https URL, unique in the tenant with its organizations; it never changes.
    #[schema(min_length = 1)]
    issuer: String,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What can be changed of an issuer: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Partner", "jwks": { "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] } })))]
pub(crate) struct TrustedIssuerUpdate {
    /// Unchanged unless given; null in a patch enables it.
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

impl TrustedIssuerUpdate {
    /// The same with what a `PUT` may leave out.
    pub(crate) fn completed(self, issuer: &TrustedIssuer) -> Self {
        Self { enabled: self.enabled.or(Some(issuer.enabled)), ..self }
    }
}

impl From<&TrustedIssuer> for TrustedIssuerUpdate {
    fn from(issuer: &TrustedIssuer) -> Self {
        Self { enabled: Some(issuer.enabled), configuration: issuer.configuration.clone() }
    }
}

/// A person's subject at the issuer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "subject": "248289761001" })))]
pub(crate) struct TrustedSubject {
    /// The `sub` of its assertions.
    #[schema(min_length = 1, max_length = 255)]
    pub(crate) subject: String,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only this issuer.
    #[param(nullable = false)]
    issuer: Option<String>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    const LINK: &str = "{id}/subjects/{tenant_user_id}";
    Resource::at("trusted-issuers", "Trusted issuers")
        .may_read("See whose assertions about people are believed")
        .may_write("Choose whose assertions about people are believed")
        .crud::<TrustedIssuer>()
        .put(LINK, "Link a tenant user to a subject of the issuer", link)
        .delete(LINK, "Unlink a tenant user from the issuer", unlink)
}

impl Record for TrustedIssuer {
    const ONE: &'static str = "a trusted issuer";
    const MANY: &'static str = "trusted issuers";

    type Stored = Self;
    type Id = TrustedIssuerId;
    type Filter = Filter;
    type New = NewTrustedIssuer;
    type Created = Self;
    type Change = TrustedIssuerUpdate;

    fn head(issuer: &Self) -> (TrustedIssuerId, i64) {
        (issuer.id, issuer.version)
    }

    fn present(issuer: &Self) -> TrustedIssuerUpdate {
        issuer.into()
    }

    fn completed(issuer: &Self, wanted: TrustedIssuerUpdate) -> TrustedIssuerUpdate {
        wanted.completed(issuer)
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(issuer: &Self) -> Vec<&str> {
        vec![&issuer.configuration.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<TrustedIssuerId>,
    ) -> Result<Vec<Self>> {
        if let Some(named) = filter.issuer.as_deref() {
            let found = trusted_issuers::find_by_issuer(tx, named).await?;
            return Ok(page.only(found.filter(|found| found.organization_id.is_none()), Self::names));
        }
        let (order, wanted) = page.ordered();
        trusted_issuers::list_by(tx, order, wanted).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: TrustedIssuerId) -> Result<Option<Self>> {
        trusted_issuers::find(tx, None, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewTrustedIssuer) -> Result<(Self, Self)> {
        let issuer = created(caller, tx, (None, &new)).await?;
        Ok((issuer.clone(), issuer))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        issuer: Self,
        wanted: TrustedIssuerUpdate,
    ) -> Result<()> {
        updated(caller, tx, &issuer, &wanted).await
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, issuer: Self) -> Result<()> {
        trusted_issuers::delete(tx, caller, &issuer).await
    }
}

/// Trusts an issuer for the tenant, or for an organization.
pub(crate) async fn created(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (organization, new): (Option<OrganizationId>, &NewTrustedIssuer),
) -> Result<TrustedIssuer> {
    check(caller, &new.configuration)?;
    if new.issuer == caller.tenant.issuer {
        return Err(Error::bad_request("issuer: this is the tenant itself; give another issuer"));
    }
    let new = New { organization, issuer: &new.issuer, configuration: &new.configuration };
    trusted_issuers::create(tx, caller, new).await
}

/// Makes what can be changed of an issuer so.
pub(crate) async fn updated(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    issuer: &TrustedIssuer,
    wanted: &TrustedIssuerUpdate,
) -> Result<()> {
    check(caller, &wanted.configuration)?;
    let enabled = wanted.enabled.unwrap_or(true);
    trusted_issuers::update(tx, caller, issuer, &wanted.configuration, enabled).await?;
    Ok(())
}

/// The caller must be one who may let others speak for people it does not name. An address that will never be called is refused
/// here, where an administrator reads the answer.
fn check(caller: &TenantCx, configuration: &Configuration) -> Result<()> {
    privileges::always(caller, "trust in an issuer")?;
    let outcome = configuration.jwks_uri.as_deref().map_or(Ok(()), |uri| caller.app.outbound.check(uri));
    outcome.map_err(|error| Error::bad_request(format!("jwks_uri: {}", error.detail())))
}

async fn link(
    caller: TenantCx,
    Path((id, user)): Path<(TrustedIssuerId, TenantUserId)>,
    Json(wanted): Json<TrustedSubject>,
) -> Result<NoContent, Problem> {
    check_link(&caller)?;
    let mut tx = caller.begin().await?;
    let issuer = trusted_issuers::find(&mut tx, None, id).await?.ok_or_else(unknown)?;
    let person = tenant_users::find(&mut tx, user).await?;
    trusted_subjects::link(&mut tx, &caller, &issuer, (person.id, &wanted.subject)).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// Who links a person to an issuer lets it speak for the person.
pub(crate) fn check_link(caller: &TenantCx) -> Result<()> {
    privileges::always(caller, "a link, with which the issuer speaks for the person")
}

async fn unlink(
    caller: TenantCx,
    Path((id, user)): Path<(TrustedIssuerId, TenantUserId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let issuer = trusted_issuers::find(&mut tx, None, id).await?.ok_or_else(unknown)?;
    trusted_subjects::unlink(&mut tx, &caller, &issuer, user).await?;
    tx.commit().await?;
    Ok(NoContent)
}
