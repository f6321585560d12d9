//! `/api/v1/custom-domains`: a tenant proves by DNS that a domain is its own, and answers there.

mod documents;
mod moving;
pub(crate) mod names;

use svc_config::is_local;
use svc_core::{CustomDomainId, Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::domain_name::DomainName;
use svc_domain::proofs::Found;
use svc_domain::tenancy::custom_domains::{self, Domain, Proof};
use svc_http::{
    Created, IfMatch, Json, List, Listing, NoContent, Path, Problem, TenantCx, Versioned, domain_proof,
};
use svc_keys::token;

use self::documents::{Filter, NewCustomDomain, Shown};
use crate::resource::Resource;
use crate::{record, unknown};

/// What the value of the record begins with, so that an administrator of the domain sees what it is for.
const PREFIX: &str = "svc-custom-domain-verification=";

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("custom-domains", "Custom domains")
        .may_read("See the domains at which people sign in to this organisation")
        .may_write("Change the domains at which people sign in to this organisation")
        .get("", "List the custom domains of the tenant", list)
        .post("", "Ask for a custom domain", create)
        .get("{id}", "Read a custom domain", read)
        .delete("{id}", "Delete a custom domain", delete)
        .post("{id}/verify", "Verify a custom domain by its DNS record", verify)
        .post(
            "{id}/activate",
            "Serve the tenant at a custom domain, which becomes the issuer",
            moving::activate,
        )
        .post(
            "{id}/deactivate",
            "Serve the tenant at the host of its slug again, which becomes the issuer",
            moving::deactivate,
        )
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<CustomDomainId, Filter>,
) -> Result<Json<List<Shown>>, Problem> {
    let (mut tx, asked) = (caller.read().await?, (page.after, page.fetch()));
    let found = custom_domains::list(&mut tx, asked, |domain| filter.fits(&caller, domain)).await?;
    let found = found.into_iter().map(|domain| Shown::of(&caller, domain)).collect();
    Ok(Json(caller.page(found, page.limit, Shown::id)?))
}

async fn create(caller: TenantCx, Json(wanted): Json<NewCustomDomain>) -> Result<Created<Shown>, Problem> {
    let name = DomainName::parse(&wanted.domain)?;
    names::check_of_tenant(&caller, &name)?;
    let challenge = format!("{PREFIX}{}", token(&*caller.entropy));
    let most = caller.app.config.custom_domains.max_per_tenant;
    let mut tx = caller.begin().await?;
    let domain = custom_domains::create(&mut tx, &caller, (&name, challenge), most).await?;
    tx.commit().await?;
    let location = format!("{}/{}", caller.route, domain.id);
    Ok(Created { location, version: domain.version, record: Shown::of(&caller, domain) })
}

async fn read(caller: TenantCx, Path(id): Path<CustomDomainId>) -> Result<Versioned<Shown>, Problem> {
    let domain = find(&mut caller.read().await?, id).await?;
    Ok(Shown::versioned(&caller, domain))
}

async fn delete(
    caller: TenantCx,
    Path(id): Path<CustomDomainId>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (tx, answering) = moving::answering(&caller).await?;
    let (tx, deleted) = tx
        .within(caller.tenant.id, async |tx: &mut Tx<Tenant>| {
            let held = record::hold(tx, &id);
            let present = find(tx, id).await?;
            if_match.check(held, present.version)?;
            if answering.as_deref() == Some(&present.domain) {
                return Err(Error::conflict("the tenant answers at this domain; deactivate it first"));
            }
            let is_gone = custom_domains::delete(tx, &caller, &present).await?;
            if is_gone { Ok(()) } else { Err(unknown()) }
        })
        .await;
    deleted?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn verify(caller: TenantCx, Path(id): Path<CustomDomainId>) -> Result<Versioned<Shown>, Problem> {
    let asked = find(&mut caller.read().await?, id).await?;
    if asked.proof == Proof::Verified {
        return Ok(Shown::versioned(&caller, asked));
    }
    if is_local(&asked.domain) {
        let why = "a name of this machine has no name servers (RFC 6761), so that no record proves it; an operator gives it to the \
                   tenant, by `custom_domain` of the control plane or of `svc-runtime apply`";
        return Err(Error::conflict(why).into());
    }
    // Without a transaction: name servers may be slow.
    match domain_proof::look_for_record(&caller.app, &asked.domain, &asked.record_value).await {
        Found::Proof => {}
        Found::Nothing => {
            let name = domain_proof::record_name(&caller.app.config, &asked.domain);
            return Err(Error::conflict(format!(
                "no TXT record at {name} has the value of `record_value`; publish it, and try again"
            ))
            .into());
        }
        Found::NoAnswer => {
            let why = "the name servers of the domain gave no answer; try again later";
            return Err(Error::conflict(why).into());
        }
    }
    let (mut tx, _) = record::begin(&caller, &id).await?;
    let present = find(&mut tx, id).await?;
    let record = match present.proof {
        Proof::Verified => present,
        Proof::Pending => custom_domains::prove(&mut tx, &caller, &present).await?,
    };
    tx.commit().await?;
    Ok(Shown::versioned(&caller, record))
}

async fn find(tx: &mut Tx<Tenant>, id: CustomDomainId) -> Result<Domain> {
    custom_domains::find(tx, id).await?.ok_or_else(unknown)
}
