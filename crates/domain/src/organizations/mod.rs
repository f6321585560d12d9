//! Organizations: customers of a tenant. People belong to them, each with roles of its own there.

pub mod demands;
pub mod domains;
pub mod invitations;
mod listing;
pub mod looks;
mod members;
mod places;
pub mod sign_in;
mod store;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::{OrganizationId, TenantUserId, Timestamp};
use utoipa::ToSchema;

use crate::tenancy::branding::Branding;

pub use self::listing::{Narrowed, find, find_by_slug, list, list_by};
pub(crate) use self::listing::{of_id, one};
pub use self::looks::{Look, Looks};
pub use self::members::{
    Member, add, find_member, keep_members, list_members, remove, roles_in_any, transfer,
};
pub(crate) use self::members::{add_later, end_all_vouched, full, has_room_for_all};
pub use self::places::{Place, may_name, place, place_named, places};
pub use self::sign_in::{Demand, SignInRules};
pub(crate) use self::store::hold_records;
pub use self::store::{New, create, delete, update};

/// An organization.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Organization {
    /// Its id.
    #[schema(value_type = String)]
    pub id: OrganizationId,
    /// The name in addresses and requests; it never changes.
    pub slug: String,
    /// Its status.
    pub status: Status,
    /// The member who owns it.
    #[schema(value_type = String)]
    pub owner_id: TenantUserId,
    /// What it is.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// How its members must have signed in for tokens that count in it.
    pub sign_in: SignInRules,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// The status of an organization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OrganizationStatus)]
pub enum Status {
    /// Its members may act in it.
    #[default]
    Active,
    /// They may not, for now.
    Suspended,
}

/// What an organization is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OrganizationConfiguration)]
pub struct Configuration {
    /// What people read.
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// Its logo, an https address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    pub logo_uri: Option<String>,
    /// Its accent colour, `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^#[0-9a-fA-F]{6}$")]
    pub accent: Option<String>,
    /// The privacy policy that its people are shown, an https address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    pub policy_uri: Option<String>,
    /// The terms of service that its people are shown, an https address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri")]
    pub tos_uri: Option<String>,
    /// The corner radius of pages for its people, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 24)]
    pub radius: Option<u32>,
    /// The typeface of pages for its people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^(system|humanist|geometric|rounded|serif|monospace)$")]
    pub font: Option<String>,
    /// The name from which mails about it come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 60)]
    pub sender_name: Option<String>,
    /// Metadata that applications of the tenant can read: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
}

impl Configuration {
    /// How pages and mails look that are about it.
    pub fn branding(&self) -> Branding {
        let Self { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name, .. } = self.clone();
        Branding { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name }
    }

    /// The same organization with this look.
    #[must_use]
    pub fn with_branding(&self, branding: Branding) -> Self {
        let Branding { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name } = branding;
        Self { logo_uri, accent, policy_uri, tos_uri, radius, font, sender_name, ..self.clone() }
    }
}

impl Status {
    /// The stored name, which is also the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
        }
    }
}
