//! The organization in which tokens count: which one a request leads to, and the roles that open scopes there.

use serde::Serialize;
use svc_config::Config;
use svc_core::capability::Capability;
use svc_core::{OrganizationId, Result};
use svc_db::{Tenant as Space, Tx};
use svc_domain::apps::{App, OrganizationUsage};
use svc_domain::organizations::{Place, place, place_named, places};
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Tenant;
use utoipa::ToSchema;

/// Most organizations that are offered to choose from.
const MOST: u32 = 200;

/// Where the tokens of a request count.
#[derive(Clone, Debug, PartialEq)]
pub enum Whereabouts {
    /// In the tenant as a whole.
    Everywhere,
    /// In one organization.
    In(Place),
    /// In one of these; the person chooses.
    Open(Vec<Place>),
    /// Nowhere: the person belongs to no organization, or not to the one that is named.
    Nowhere,
}

/// A person with the organizations that they belong to, which are read where an application needs one, and once for many requests.
pub struct Member<'a> {
    /// The person.
    pub person: &'a Person,
    places: Option<Vec<Place>>,
}

impl<'a> Member<'a> {
    /// The person, whose organizations have not been read.
    pub fn of(person: &'a Person) -> Self {
        Self { person, places: None }
    }

    async fn places(&mut self, tx: &mut Tx<Space>) -> Result<Vec<Place>> {
        if let Some(known) = &self.places {
            return Ok(known.clone());
        }
        let read = places(tx, self.person.id, MOST).await?;
        Ok(self.places.insert(read).clone())
    }
}

/// What decides where tokens count.
pub struct Wanted<'a> {
    /// What the request calls the organization.
    pub named: Option<&'a str>,
    /// What the person has chosen.
    pub chosen: Option<OrganizationId>,
}

impl Whereabouts {
    /// Where the tokens count that `app` gets for the person.
    pub async fn find(
        tx: &mut Tx<Space>,
        (config, tenant): (&Config, &Tenant),
        (app, member): (&App, &mut Member<'_>),
        wanted: &Wanted<'_>,
    ) -> Result<Self> {
        let usage = app.organization_usage();
        let is_offered = tenant.offers(config, &Capability::ORGANIZATIONS);
        if let Some(named) = wanted.named {
            if !is_offered || usage == OrganizationUsage::Deny {
                return Ok(Self::Nowhere);
            }
            return Ok(place_named(tx, member.person.id, named).await?.map_or(Self::Nowhere, Self::In));
        }
        if !is_offered || usage != OrganizationUsage::Require {
            return Ok(Self::Everywhere);
        }
        if let Some(chosen) = wanted.chosen
            && let Some(place) = place(tx, member.person.id, chosen).await?
        {
            return Ok(Self::In(place));
        }
        let mut all = member.places(tx).await?;
        Ok(match (all.pop(), all.is_empty()) {
            (None, _) => Self::Nowhere,
            (Some(only), true) => Self::In(only),
            (Some(last), false) => {
                all.push(last);
                Self::Open(all)
            }
        })
    }

    /// The one organization, where there is one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::In(place) => Some(place),
            _ => None,
        }
    }
}

/// The roles that open scopes of an API: those in the organization, or else those in the tenant. Our own APIs are about the
/// tenant as a whole, so that a role in an organization opens nothing of them.
pub fn roles_for<'a>(
    tenant: &Tenant,
    audience: &str,
    person: &'a Person,
    place: Option<&'a Place>,
) -> &'a [String] {
    let is_ours = audience == tenant.api_audience() || audience == tenant.control_plane_audience();
    place.filter(|_| !is_ours).map_or(&person.roles, |place| &place.roles)
}

/// An organization that the person belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnOrganization)]
pub struct OwnOrganization {
    /// Its id.
    #[schema(value_type = String)]
    pub id: OrganizationId,
    /// The name in addresses and requests.
    slug: String,
    /// What people read.
    name: String,
    /// The roles that the person has there.
    roles: Vec<String>,
}

impl From<Place> for OwnOrganization {
    fn from(place: Place) -> Self {
        Self { id: place.id, slug: place.slug, name: place.name, roles: place.roles }
    }
}
