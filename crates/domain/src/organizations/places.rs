//! Where a person may act: the active organizations that they belong to, each with the roles that they have there.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use svc_core::{OrganizationId, Result, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, sql};

use super::{Configuration, SignInRules, sign_in};
use crate::claims::custom;
use crate::document;
use crate::tokens::access_token::OrganizationContext;

/// An active organization to which a person belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The organization.
    pub id: OrganizationId,
    /// The name in addresses and requests.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// Names of the roles that the person has there.
    pub roles: Vec<String>,
    /// What applications of the tenant may read of it.
    pub metadata: Map<String, Value>,
    /// How the person must have signed in for tokens that count there.
    pub sign_in: SignInRules,
}

impl Place {
    /// What claims can be made of.
    pub fn facts(&self) -> custom::Organization<'_> {
        let Self { id, slug, name, roles, metadata, .. } = self;
        custom::Organization { id: *id, slug, name, roles, metadata }
    }

    /// What tokens say of it.
    pub fn context(&self) -> OrganizationContext {
        OrganizationContext { id: self.id, slug: self.slug.clone(), roles: self.roles.clone() }
    }
}

/// Reads the places of the person `$2`; the argument says which.
macro_rules! places_sql {
    ($which:literal) => {
        sql!(
            "SELECT o.id, o.slug, o.configuration, o.sign_in_rules, r.held_roles FROM organization_records r \
             JOIN organizations o ON o.tenant_id = r.tenant_id AND o.id = r.organization_id \
             WHERE r.tenant_id = $1 AND r.tenant_user_id = $2 AND r.status = 'active' AND o.status = 'active'",
            $which
        )
    };
}

/// The place of a person in one organization; nothing where it is unknown, not active, or the person does not belong to it.
pub async fn place(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    organization: OrganizationId,
) -> Result<Option<Place>> {
    let select = places_sql!(" AND o.id = $3");
    tx.optional(select, args![person, organization]).await?.as_ref().map(read).transpose()
}

/// The same by what a request calls the organization: its id or its slug. No slug looks like an id.
pub async fn place_named(tx: &mut Tx<Tenant>, person: TenantUserId, named: &str) -> Result<Option<Place>> {
    if let Ok(id) = named.parse() {
        return place(tx, person, id).await;
    }
    let select = places_sql!(" AND o.slug = $3");
    tx.optional(select, args![person, named]).await?.as_ref().map(read).transpose()
}

/// The first places of a person, by name.
pub async fn places(tx: &mut Tx<Tenant>, person: TenantUserId, limit: u32) -> Result<Vec<Place>> {
    let select = places_sql!(" ORDER BY o.name_key, o.id LIMIT $3");
    tx.all(select, args![person, limit]).await?.iter().map(read).collect()
}

/// Whether a text can be the id or the slug of an organization.
pub fn may_name(text: &str) -> bool {
    text.parse::<OrganizationId>().is_ok() || super::store::check_slug(text).is_ok()
}

fn read(row: &Row) -> Result<Place> {
    let configuration: Configuration = document::load(row, "configuration")?;
    let roles: BTreeSet<String> = document::load(row, "held_roles")?;
    Ok(Place {
        id: row.parse("id")?,
        slug: row.text("slug")?,
        name: configuration.name,
        metadata: configuration.metadata,
        sign_in: sign_in::read(row)?,
        roles: roles.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_organization_is_named_by_its_id_or_its_slug() {
        for good in ["initech", "a", "org_01jd3x9k2mfa8t5v7w0q4r6s8y"] {
            assert!(may_name(good), "{good}");
        }
        for bad in ["", "Initech", "-a", "org_x", "a b", "app_01jd3x9k2mfa8t5v7w0q4r6s8y", &"a".repeat(64)] {
            assert!(!may_name(bad), "{bad}");
        }
    }
}
