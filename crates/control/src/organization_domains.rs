//! `/api/v1/organizations/{id}/domains`: organizations prove that domains are theirs, by DNS or by a file.

use serde::{Deserialize, Serialize};
use svc_core::{Error, OrganizationDomainId, OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::domains::{self, Domain, DomainName, Found, Status};
use svc_http::{
    Created, IfMatch, Json, List, Listing, NoContent, Path, Problem, TenantCx, Versioned, domain_proof,
};
use svc_keys::token;
use url::Url;
use utoipa::ToSchema;

use crate::{organizations, record, unknown};

/// What the value of the record begins with, so that an administrator of the domain sees what it is for.
const PREFIX: &str = "svc-domain-verification=";

/// A domain to claim.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "domain": "acme.example" })))]
pub(crate) struct NewOrganizationDomain {
    /// Its name; names in other scripts are kept in ASCII.
    #[schema(min_length = 1, max_length = 253)]
    domain: String,
}

/// A domain, with the record that proves it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrganizationDomainWithRecord)]
pub(crate) struct Shown {
    #[serde(flatten)]
    domain: Domain,
    /// The name of the TXT record.
    record_name: String,
    /// The address of the file that proves it instead, as a line of its text.
    file_uri: String,
}

pub(crate) async fn list(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Listing { page, .. }: Listing<OrganizationDomainId>,
) -> Result<Json<List<Shown>>, Problem> {
    let mut tx = caller.read().await?;
    let organization = organizations::find(&mut tx, id).await?;
    let found = domains::list(&mut tx, organization.id, (page.after, page.fetch())).await?;
    let found = found.into_iter().map(|domain| shown(&caller, domain)).collect();
    Ok(Json(caller.page(found, page.limit, |shown: &Shown| shown.domain.id)?))
}

pub(crate) async fn create(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Json(wanted): Json<NewOrganizationDomain>,
) -> Result<Created<Shown>, Problem> {
    let name = DomainName::parse(&wanted.domain)?;
    check_foreign(&caller, &name)?;
    let mut tx = caller.begin().await?;
    let organization = organizations::find(&mut tx, id).await?;
    let challenge = format!("{PREFIX}{}", token(&*caller.entropy));
    let most = caller.app.config.verified_domains.max_per_organization;
    let domain = domains::create(&mut tx, &caller, (organization.id, most), (&name, challenge)).await?;
    tx.commit().await?;
    let location = format!("/api/v1/organizations/{id}/domains/{}", domain.id);
    Ok(Created { location, version: domain.version, record: shown(&caller, domain) })
}

pub(crate) async fn read(
    caller: TenantCx,
    Path((id, domain)): Path<(OrganizationId, OrganizationDomainId)>,
) -> Result<Versioned<Shown>, Problem> {
    let mut tx = caller.read().await?;
    Ok(versioned(&caller, find(&mut tx, (id, domain)).await?))
}

pub(crate) async fn delete(
    caller: TenantCx,
    Path((id, domain)): Path<(OrganizationId, OrganizationDomainId)>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &domain).await?;
    let present = find(&mut tx, (id, domain)).await?;
    if_match.check(held, present.version)?;
    if !domains::delete(&mut tx, &caller, &present).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}

pub(crate) async fn verify(
    caller: TenantCx,
    Path((id, domain)): Path<(OrganizationId, OrganizationDomainId)>,
) -> Result<Versioned<Shown>, Problem> {
    let claimed = find(&mut caller.read().await?, (id, domain)).await?;
    if claimed.status == Status::Verified {
        return Ok(versioned(&caller, claimed));
    }
    // Without a transaction: name servers may be slow.
    let name = domain_proof::record_name(&caller.app.config, &claimed.domain);
    match domain_proof::look(&caller.app, &claimed).await {
        Found::Proof => {}
        Found::Nothing => {
            return Err(Error::conflict(format!(
                "no TXT record at {name} and no line of `file_uri` has the value of `record_value`; publish one of them, and try \
                 again"
            ))
            .into());
        }
        Found::NoAnswer => {
            let why = "the name servers of the domain gave no answer; try again later";
            return Err(Error::conflict(why).into());
        }
    }
    let (mut tx, _) = record::begin(&caller, &domain).await?;
    let present = find(&mut tx, (id, domain)).await?;
    let record = match present.status {
        Status::Verified => present,
        Status::Pending => domains::prove(&mut tx, &caller, &present).await?,
    };
    tx.commit().await?;
    Ok(versioned(&caller, record))
}

/// Hosts of this service belong to no organization, whatever their DNS says.
fn check_foreign(caller: &TenantCx, name: &DomainName) -> Result<()> {
    let issuers = [caller.app.config.oidc.issuer_url.as_str(), caller.tenant.issuer.as_str()];
    let hosts = issuers.iter().filter_map(|issuer| Url::parse(issuer).ok());
    if hosts.filter_map(|url| url.host_str().map(str::to_owned)).any(|host| name.is_within(&host)) {
        return Err(Error::bad_request(
            "domain: this is a host of the service; give a domain of the organization",
        ));
    }
    Ok(())
}

fn shown(caller: &TenantCx, domain: Domain) -> Shown {
    Shown {
        record_name: domain_proof::record_name(&caller.app.config, &domain.domain),
        file_uri: domain_proof::file_uri(&domain.domain),
        domain,
    }
}

fn versioned(caller: &TenantCx, domain: Domain) -> Versioned<Shown> {
    Versioned { version: domain.version, record: shown(caller, domain) }
}

async fn find(
    tx: &mut Tx<Tenant>,
    (organization, id): (OrganizationId, OrganizationDomainId),
) -> Result<Domain> {
    domains::find(tx, organization, id).await?.ok_or_else(unknown)
}
