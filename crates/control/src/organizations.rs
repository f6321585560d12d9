//! `/api/v1/organizations`: customers of the tenant, their members with the roles that each has there, and their owners.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{Error, OrganizationId, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::lists::Order;
use svc_domain::log::audit;
use svc_domain::organizations::{
    self, Configuration, Member, Narrowed, New, Organization, SignInRules, Status, demands, sign_in,
};
use svc_domain::people;
use svc_domain::tenancy::tenants::Levels;
use svc_http::{IfMatch, Json, List, Listing, NoContent, Path, Problem, TenantCx, Versioned};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::{
    branding, directory_groups, organization_domains as domains, organization_invitations as invitations,
    privileges, tenant_users, texts, unknown, unknown_at,
};

/// A new organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "slug": "initech", "name": "Initech", "owner_id": "usr_01jd3x9k2mfa8t5v7w0q4r6s8y" })))]
pub(crate) struct NewOrganization {
    /// The name in addresses and requests: lower-case letters, digits and hyphens; it never changes.
    #[schema(min_length = 1, max_length = 63)]
    slug: String,
    /// The tenant user who owns it, its first member.
    #[schema(value_type = String)]
    owner_id: TenantUserId,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What can be changed of an organization: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Initech", "metadata": { "plan": "gold" }, "sign_in": { "second_factor": "optional", "session_max_age_secs": 28800 } })))]
pub(crate) struct OrganizationUpdate {
    /// Unchanged unless given; null in a patch makes it active.
    #[serde(default)]
    #[schema(inline)]
    status: Option<Status>,
    /// How its members must have signed in for tokens that count in it; as it is unless given, and null in a patch removes the rules.
    #[serde(default)]
    sign_in: Option<SignInRules>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// Which members of an organization.
#[derive(Debug, Deserialize, IntoParams)]
struct MemberFilter {
    /// Only those to whom the organization has given this role.
    #[param(nullable = false)]
    role: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only the organization of this slug.
    #[param(nullable = false)]
    slug: Option<String>,
    /// Only those of this status.
    #[param(inline, nullable = false)]
    status: Option<Status>,
    /// Only those that this tenant user owns.
    #[param(value_type = Option<String>, nullable = false)]
    owner_id: Option<TenantUserId>,
    /// Only those that this tenant user is a member of.
    #[param(value_type = Option<String>, nullable = false)]
    tenant_user_id: Option<TenantUserId>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

/// A person's membership in an organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "roles": ["editor"] })))]
struct OrganizationMembership {
    /// Names of roles of the tenant.
    #[serde(default)]
    roles: Vec<String>,
}

/// The new owner of an organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "tenant_user_id": "usr_01jd3x9k2mfa8t5v7w0q4r6s8y" })))]
struct OrganizationOwner {
    /// A member of the organization.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    const MEMBER: &str = "{id}/members/{tenant_user_id}";
    const DOMAIN: &str = "{id}/domains/{domain_id}";
    const INVITATION: &str = "{id}/invitations/{invitation_id}";
    let organizations = Resource::at("organizations", "Organizations")
        .may_read("See the customers of this organisation and their members")
        .may_write("Create, change and delete customers of this organisation, and choose their members")
        .crud::<Organization>()
        .put("{id}/owner", "Make another member the owner of an organization", transfer)
        .get("{id}/members", "List the members of an organization", members)
        .get(MEMBER, "Read a member of an organization", member)
        .put(MEMBER, "Make a tenant user a member of an organization, with these roles there", add)
        .delete(MEMBER, "Take a member out of an organization", remove)
        .get("{id}/invitations", "List the invitations to an organization", invitations::list)
        .post("{id}/invitations", "Invite a person to an organization by mail", invitations::create)
        .get(INVITATION, "Read an invitation to an organization", invitations::read)
        .post(
            "{id}/invitations/{invitation_id}/resend",
            "Mail an invitation to an organization again",
            invitations::resend,
        )
        .delete(INVITATION, "Revoke an invitation to an organization", invitations::revoke)
        .get("{id}/domains", "List the domains of an organization", domains::list)
        .post("{id}/domains", "Claim a domain for an organization", domains::create)
        .get(DOMAIN, "Read a domain of an organization", domains::read)
        .delete(DOMAIN, "Remove a domain from an organization", domains::delete)
        .post(
            "{id}/domains/{domain_id}/verify",
            "Verify a domain by its DNS record or file",
            domains::verify,
        );
    texts::routes(branding::routes(directory_groups::routes(organizations)))
}

impl Record for Organization {
    const ONE: &'static str = "an organization";
    const MANY: &'static str = "organizations";

    type Stored = Self;
    type Id = OrganizationId;
    type Filter = Filter;
    type New = NewOrganization;
    type Created = Self;
    type Change = OrganizationUpdate;

    fn head(organization: &Self) -> (OrganizationId, i64) {
        (organization.id, organization.version)
    }

    fn present(organization: &Self) -> OrganizationUpdate {
        OrganizationUpdate {
            status: Some(organization.status),
            sign_in: Some(organization.sign_in.clone()),
            configuration: organization.configuration.clone(),
        }
    }

    fn completed(organization: &Self, wanted: OrganizationUpdate) -> OrganizationUpdate {
        OrganizationUpdate {
            status: wanted.status.or(Some(organization.status)),
            sign_in: wanted.sign_in.or_else(|| Some(organization.sign_in.clone())),
            configuration: wanted.configuration,
        }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(organization: &Self) -> Vec<&str> {
        vec![&organization.configuration.name]
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<OrganizationId>,
    ) -> Result<Vec<Self>> {
        let Filter { status, owner_id: owner, tenant_user_id: member, .. } = filter;
        let narrowed = Narrowed { status, owner, member };
        let Some(named) = filter.slug.as_deref() else {
            return organizations::list_by(tx, &narrowed, page.ordered()).await;
        };
        let Some(found) = organizations::find_by_slug(tx, named).await? else { return Ok(Vec::new()) };
        let is_wanted = narrowed.fits(tx, &found).await?;
        Ok(page.only(is_wanted.then_some(found), Self::names))
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: OrganizationId) -> Result<Option<Self>> {
        organizations::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewOrganization) -> Result<(Self, Self)> {
        let owner = people::tenant_users::find(tx, new.owner_id).await?;
        let owner = owner.ok_or_else(|| unknown_at("owner_id"))?;
        let new = New { slug: &new.slug, owner: &owner, configuration: &new.configuration };
        let organization = organizations::create(tx, caller, new).await?;
        Ok((organization.clone(), organization))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        organization: Self,
        wanted: OrganizationUpdate,
    ) -> Result<()> {
        let (status, rules) = (wanted.status.unwrap_or_default(), wanted.sign_in.unwrap_or_default());
        let (present, new) = (&organization.configuration.metadata, &wanted.configuration.metadata);
        if status != organization.status || present != new {
            refuse_own_key(caller)?;
        }
        let is_changed =
            organizations::update(tx, caller, &organization, (&wanted.configuration, status)).await?;
        if rules != organization.sign_in {
            check_demand(caller, &rules)?;
            let present = if is_changed { find(tx, organization.id).await? } else { organization };
            sign_in::set(tx, caller, &present, &rules).await?;
        }
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, organization: Self) -> Result<()> {
        refuse_own_key(caller)?;
        organizations::delete(tx, caller, &organization).await
    }
}

/// Refuses a second factor that is demanded of people who could have none.
fn check_demand(caller: &TenantCx, rules: &SignInRules) -> Result<()> {
    let tenant = &caller.tenant;
    let without = [&tenant.plan.disabled_capabilities, &tenant.settings.disabled_capabilities];
    demands::check_rules(Levels { config: &caller.app.config, slug: &tenant.slug, without: &without }, rules)
}

async fn transfer(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    if_match: IfMatch,
    Json(wanted): Json<OrganizationOwner>,
) -> Result<Versioned<Organization>, Problem> {
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let organization = find(&mut tx, id).await?;
    if_match.check(held, organization.version)?;
    organizations::transfer(&mut tx, &caller, &organization, wanted.tenant_user_id).await?;
    let record = find(&mut tx, id).await?;
    tell_changes(&mut tx, &organization, &record);
    tx.commit().await?;
    Ok(Versioned { version: record.version, record })
}

async fn members(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Listing { filter, page }: Listing<TenantUserId, MemberFilter>,
) -> Result<Json<List<Member>>, Problem> {
    let mut tx = caller.read().await?;
    let organization = find(&mut tx, id).await?;
    let (role, after) = (filter.role.as_deref(), (page.after, page.fetch()));
    let found = organizations::list_members(&mut tx, organization.id, role, after).await?;
    Ok(Json(caller.page(found, page.limit, |member: &Member| member.tenant_user_id)?))
}

async fn member(
    caller: TenantCx,
    Path((id, user)): Path<(OrganizationId, TenantUserId)>,
) -> Result<Versioned<Member>, Problem> {
    let mut tx = caller.read().await?;
    Ok(versioned(find_member(&mut tx, (id, user)).await?))
}

async fn add(
    caller: TenantCx,
    Path((id, user)): Path<(OrganizationId, TenantUserId)>,
    if_match: IfMatch,
    Json(wanted): Json<OrganizationMembership>,
) -> Result<Versioned<Member>, Problem> {
    let (mut tx, held) = record::begin(&caller, &membership(id, user)).await?;
    let organization = find(&mut tx, id).await?;
    let person = tenant_users::find(&mut tx, user).await?;
    let present = organizations::find_member(&mut tx, id, user).await?;
    // An organization invites people; who else is in the tenant, its API key is not told.
    if present.is_none() && caller.claims.confined_to().is_some() {
        return Err(unknown().into());
    }
    match &present {
        Some(member) => if_match.check(held, member.version)?,
        None => if_match.check_absent(held)?,
    }
    let roles = present.as_ref().map(|member| member.roles.as_slice()).unwrap_or_default();
    privileges::for_added_roles(&caller, &mut tx, roles, &wanted.roles).await?;
    let most = caller.tenant.settings.limits.organizations.max_members(&caller.app.config);
    let wanted = (&person, present.as_ref(), wanted.roles.as_slice());
    organizations::add(&mut tx, &caller, (&organization, most), wanted).await?;
    let member = find_member(&mut tx, (id, user)).await?;
    tell_member(&mut tx, id, present.as_ref(), Some(&member));
    tx.commit().await?;
    Ok(versioned(member))
}

async fn remove(
    caller: TenantCx,
    Path((id, user)): Path<(OrganizationId, TenantUserId)>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &membership(id, user)).await?;
    let organization = find(&mut tx, id).await?;
    let present = organizations::find_member(&mut tx, id, user).await?;
    if let Some(member) = &present {
        if_match.check(held, member.version)?;
    }
    if !organizations::remove(&mut tx, &caller, &organization, user).await? {
        return Err(unknown().into());
    }
    tell_member(&mut tx, id, present.as_ref(), None);
    tx.commit().await?;
    Ok(NoContent)
}

/// What a membership is held by: it has no id of its own.
fn membership(id: OrganizationId, user: TenantUserId) -> String {
    format!("{user} of {id}")
}

/// Whether an organization is a customer, and what applications read of it, is the tenant's to say and not the organization's.
fn refuse_own_key(caller: &TenantCx) -> Result<()> {
    if caller.claims.confined_to().is_none() {
        return Ok(());
    }
    Err(Error::forbidden(
        "the API key of an organization neither suspends nor deletes it, and leaves its metadata as they are",
    ))
}

fn versioned(member: Member) -> Versioned<Member> {
    Versioned { version: member.version, record: member }
}

/// Tells the audit log what became of an organization.
pub(crate) fn tell_changes(tx: &mut Tx<Tenant>, before: &Organization, after: &Organization) {
    audit::tell_changes(tx, &before.id.to_string(), &json!(before), &json!(after));
}

/// Tells the audit log what became of a membership; the entry is about the organization.
fn tell_member(tx: &mut Tx<Tenant>, id: OrganizationId, before: Option<&Member>, after: Option<&Member>) {
    audit::tell_changes(tx, &id.to_string(), &told(before), &told(after));
}

/// A membership without the roles that follow from others.
fn told(member: Option<&Member>) -> Value {
    let mut told = json!(member);
    if let Some(members) = told.as_object_mut() {
        members.remove("effective_roles");
    }
    told
}

/// One organization, or `not_found`.
pub(crate) async fn find(tx: &mut Tx<Tenant>, id: OrganizationId) -> Result<Organization> {
    organizations::find(tx, id).await?.ok_or_else(unknown)
}

async fn find_member(tx: &mut Tx<Tenant>, (id, user): (OrganizationId, TenantUserId)) -> Result<Member> {
    organizations::find_member(tx, id, user).await?.ok_or_else(unknown)
}
