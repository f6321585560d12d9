//! The organization of a grant at the time of issue: the person still belongs to it, or gets nothing.

use svc_core::capability::Capability;
use svc_core::{Error, OrganizationId, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps::OrganizationUsage;
use svc_domain::organizations::{Place, SignInRules, keep_members, place, place_named};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tokens::revocations::Revoked;
use svc_http::HostCx;

use super::exchange::assertion::Asserted;
use super::grant::Request;
use crate::authorize::organization::{Member, Wanted, Whereabouts};

/// Where a person stands in the organization that something was granted for; `None` where the person has left it, it is not
/// active, or the tenant has none by now.
pub async fn granted(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    person: &Person,
    organization: Option<OrganizationId>,
) -> Result<Option<Option<Place>>> {
    match organization {
        None => Ok(Some(None)),
        Some(_) if !host.offers(&Capability::ORGANIZATIONS) => Ok(None),
        Some(organization) => Ok(place(tx, person.id, organization).await?.map(Some)),
    }
}

/// The organization that a request names, where the application takes one and the person belongs to it; `refused` is what
/// the others are told, known or unknown.
pub async fn named(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    person: &Person,
    refused: fn() -> Error,
) -> Result<Option<Place>> {
    let Some(named) = request.params.one("organization") else { return Ok(None) };
    let is_offered = request.host.offers(&Capability::ORGANIZATIONS);
    if !is_offered || request.app.organization_usage() == OrganizationUsage::Deny {
        return Err(Error::invalid_request("organization: this application takes none"));
    }
    place_named(tx, person.id, named).await?.map(Some).ok_or_else(refused)
}

/// The same for a grant without a page to choose on: for an application whose tokens always count in an organization, the
/// only one of the person where the request names none.
pub async fn settled(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    person: &Person,
    refused: fn() -> Error,
) -> Result<Option<Place>> {
    if let Some(place) = named(request, tx, person, refused).await? {
        return kept(tx, person, place.id, refused).await.map(Some);
    }
    match whereabouts(request, tx, person, None).await? {
        Whereabouts::Everywhere => Ok(None),
        Whereabouts::In(place) => kept(tx, person, place.id, refused).await.map(Some),
        Whereabouts::Open(_) => Err(Error::invalid_request(
            "organization: the person belongs to several; name the one that is meant",
        )),
        Whereabouts::Nowhere => Err(refused()),
    }
}

/// Keeps the members of the organization that [`settled`] will find for the person of this `sub`, before what a token of theirs comes from
/// is held: who ends a membership takes the two in this order.
pub async fn keep_ahead(request: &Request<'_>, tx: &mut Tx<Tenant>, sub: &str) -> Result<()> {
    let named = request.params.one("organization");
    if named.is_none() && request.app.organization_usage() != OrganizationUsage::Require {
        return Ok(());
    }
    let Some(person) = tenant_users::find_by_subject(tx, sub).await? else { return Ok(()) };
    if let Whereabouts::In(place) = whereabouts(request, tx, &person, named).await? {
        keep_members(tx, place.id);
    }
    Ok(())
}

/// Where the tokens of a request without a page count.
async fn whereabouts(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    person: &Person,
    named: Option<&str>,
) -> Result<Whereabouts> {
    let (config, tenant) = (&request.host.app.config, &request.host.tenant);
    let wanted = Wanted { named, chosen: None };
    Whereabouts::find(tx, (config, tenant), (request.app, &mut Member::of(person)), &wanted).await
}

/// The organization whose issuer's word was accepted about a member, the only one in which that word counts; `None` where the
/// tenant believes the issuer.
pub async fn vouched(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    asserted: &Asserted,
    refused: fn() -> Error,
) -> Result<Option<Place>> {
    let Some(organization) = asserted.issuer.organization_id else { return Ok(None) };
    let is_offered = request.host.offers(&Capability::ORGANIZATIONS);
    if !is_offered || request.app.organization_usage() == OrganizationUsage::Deny {
        return Err(Error::invalid_grant("the issuer is an organization's, and this application takes none"));
    }
    let there = kept(tx, &asserted.person, organization, refused).await?;
    match named(request, tx, &asserted.person, refused).await? {
        Some(named) if named.id != there.id => Err(refused()),
        _ => Ok(Some(there)),
    }
}

/// The place in an organization for which no sign-in was judged. The person stays in it until what begins there is stored: who leaves from
/// now on ends that too, and who has left by now is found to have.
pub async fn kept(
    tx: &mut Tx<Tenant>,
    person: &Person,
    organization: OrganizationId,
    refused: fn() -> Error,
) -> Result<Place> {
    keep_members(tx, organization);
    open(place(tx, person.id, organization).await?.ok_or_else(refused)?)
}

/// A place for which no sign-in was judged: refused where the organization has rules of its own for that.
fn open(place: Place) -> Result<Place> {
    if place.sign_in == SignInRules::default() {
        return Ok(place);
    }
    Err(Error::invalid_grant(
        "organization: it has rules for how its members sign in; send the person to the authorization endpoint",
    ))
}

/// Whether something that began at `began` is older than the end of a membership, or than a suspension of the organization:
/// a person who comes back signs in again.
pub fn is_older_than_an_end(
    request: &Request<'_>,
    person: &Person,
    (organization, began): (OrganizationId, Timestamp),
) -> bool {
    let (revocations, tenant) = (&request.host.app.services.revocations, request.host.tenant.id.reference());
    let member = Revoked::Member { sub: person.subject.clone(), organization };
    revocations.has_ended(tenant, began, [member, Revoked::Organization(organization)])
}
