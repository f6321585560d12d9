//! `/api/v1/organizations/{id}/invitations`: people are invited to an organization by mail.

use serde::Deserialize;
use svc_core::{Error, OrganizationId, OrganizationInvitationId, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::invitations::{self, Invitation, NewInvitation};
use svc_domain::organizations::{Organization, Status};
use svc_domain::people::accounts::Email;
use svc_http::{
    Created, IfMatch, Json, Letters, List, Listing, NoContent, OrganizationLetter, Path, Problem, TenantCx,
    Versioned,
};
use svc_keys::{digest, token};
use utoipa::{IntoParams, ToSchema};

use crate::{managed, organizations, privileges, record, unknown};

/// The shortest time for which a link can be made to work.
const SHORTEST: Seconds = Seconds(300);

/// A new invitation; it takes the place of the one that waits for the same address.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "email": "grace@example.com", "roles": ["editor"], "expires_in": 259_200 })))]
pub(crate) struct NewOrganizationInvitation {
    /// The address to which it is mailed; the account that has it accepts.
    #[schema(format = "email")]
    email: String,
    /// Names of roles of the tenant, which the person gets in the organization.
    #[serde(default)]
    roles: Vec<String>,
    /// How many seconds the link works; `invitations.lifetime_hours` unless given, and at most.
    #[schema(value_type = Option<i64>, nullable = false, minimum = 300)]
    expires_in: Option<Seconds>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only the invitation to this address; the case of letters does not count.
    #[param(nullable = false)]
    email: Option<String>,
}

pub(crate) async fn list(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Listing { filter, page }: Listing<OrganizationInvitationId, Filter>,
) -> Result<Json<List<Invitation>>, Problem> {
    let email = filter.email.as_deref().map(Email::parse).transpose()?;
    let mut tx = caller.read().await?;
    let organization = organizations::find(&mut tx, id).await?;
    let found = match email {
        Some(email) => {
            let found = invitations::find_by_email(&mut tx, organization.id, &email).await?;
            found.filter(|_| page.after.is_none()).into_iter().collect()
        }
        None => invitations::list(&mut tx, organization.id, (page.after, page.fetch())).await?,
    };
    Ok(Json(caller.page(found, page.limit, |invitation: &Invitation| invitation.id)?))
}

pub(crate) async fn create(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Json(wanted): Json<NewOrganizationInvitation>,
) -> Result<Created<Invitation>, Problem> {
    let email = Email::parse(&wanted.email)?;
    let lifetime = lifetime(&caller, wanted.expires_in)?;
    organizations::find(&mut caller.read().await?, id).await?;
    managed::count_mail(&caller, email.as_str()).await?;
    let mut tx = caller.begin().await?;
    let organization = active(&mut tx, id).await?;
    privileges::for_roles(&caller, &mut tx, &wanted.roles).await?;
    let secret = token(&*caller.entropy);
    let new = NewInvitation { email: &email, roles: &wanted.roles, digest: digest(&secret), lifetime };
    let most = caller.app.config.invitations.max_open_per_organization;
    let invitation = invitations::create(&mut tx, &caller, (id, most), new).await?;
    send(&caller, &mut tx, (&organization, &invitation), &secret).await?;
    tx.commit().await?;
    let location = format!("/api/v1/organizations/{id}/invitations/{}", invitation.id);
    Ok(Created { location, version: invitation.version, record: invitation })
}

pub(crate) async fn read(
    caller: TenantCx,
    Path((id, invitation)): Path<(OrganizationId, OrganizationInvitationId)>,
) -> Result<Versioned<Invitation>, Problem> {
    let mut tx = caller.read().await?;
    let record = find(&mut tx, (id, invitation)).await?;
    Ok(Versioned { version: record.version, record })
}

pub(crate) async fn resend(
    caller: TenantCx,
    Path((id, invitation)): Path<(OrganizationId, OrganizationInvitationId)>,
) -> Result<Versioned<Invitation>, Problem> {
    let present = find(&mut caller.read().await?, (id, invitation)).await?;
    managed::count_mail(&caller, &present.email).await?;
    let (mut tx, _) = record::begin(&caller, &invitation).await?;
    let organization = active(&mut tx, id).await?;
    let present = find(&mut tx, (id, invitation)).await?;
    // What lets a person in gives what the person gets.
    privileges::for_roles(&caller, &mut tx, &present.roles).await?;
    let secret = token(&*caller.entropy);
    let most = caller.app.config.invitations.max_open_per_organization;
    let lifetime = present.lifetime.min(lifetime(&caller, None)?);
    let renewed = (digest(&secret), lifetime);
    let record = invitations::renew(&mut tx, &caller, (&present, most), renewed).await?;
    send(&caller, &mut tx, (&organization, &record), &secret).await?;
    tx.commit().await?;
    Ok(Versioned { version: record.version, record })
}

pub(crate) async fn revoke(
    caller: TenantCx,
    Path((id, invitation)): Path<(OrganizationId, OrganizationInvitationId)>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &invitation).await?;
    let present = find(&mut tx, (id, invitation)).await?;
    if_match.check(held, present.version)?;
    if !invitations::revoke(&mut tx, &caller, &present).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}

fn lifetime(caller: &TenantCx, wanted: Option<Seconds>) -> Result<Seconds> {
    let most =
        Seconds::from_hours(caller.tenant.settings.limits.invitations.lifetime_hours(&caller.app.config));
    match wanted {
        None => Ok(most),
        Some(wanted) if (SHORTEST..=most).contains(&wanted) => Ok(wanted),
        Some(_) => Err(Error::bad_request(format!(
            "expires_in: use {} to {} seconds (invitations.lifetime_hours)",
            SHORTEST.0, most.0
        ))),
    }
}

async fn send(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (organization, invitation): (&Organization, &Invitation),
    secret: &str,
) -> Result<()> {
    let letter =
        OrganizationLetter { to: &invitation.email, organization, secret, lifetime: invitation.lifetime };
    (caller.app.part::<Letters>()?.organization)(caller, tx, letter).await
}

async fn active(tx: &mut Tx<Tenant>, id: OrganizationId) -> Result<Organization> {
    let organization = organizations::find(tx, id).await?;
    if organization.status != Status::Active {
        return Err(Error::conflict(
            "the organization is suspended; make it active before it invites people",
        ));
    }
    Ok(organization)
}

async fn find(
    tx: &mut Tx<Tenant>,
    (organization, id): (OrganizationId, OrganizationInvitationId),
) -> Result<Invitation> {
    invitations::find(tx, organization, id).await?.ok_or_else(unknown)
}
