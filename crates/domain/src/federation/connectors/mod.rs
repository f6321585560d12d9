//! Connectors: providers at which a tenant has registered itself, and at which its people sign in (OpenID Connect Core §3.1,
//! RFC 6749 §4.1). What one of them says counts in this tenant: it is known by the id of the record, and by no name.

mod check;
mod configuration;
mod directory;
mod secret;
mod store;
mod vouched;

use serde::Serialize;
use svc_core::{ConnectorId, Secret, Timestamp};
use svc_keys::keyring::Sealed;
use utoipa::ToSchema;

pub use self::configuration::{ClientAuth, Configuration, Preset};
pub use self::directory::{Connectors, TenantConnectors};
pub use self::secret::client_secret;
pub use self::store::{all, create, delete, find, list, update};
pub use self::vouched::{of_session, serves, vouch};

/// A provider of a tenant.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Connector {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ConnectorId,
    /// What is chosen of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Where the provider sends people back to, behind the tenant's issuer: no other provider sends any there (RFC 9700 §4.4.2).
    pub return_path: String,
    /// Whether a client secret is kept; it is never shown.
    pub has_client_secret: bool,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    #[serde(skip)]
    secret: Option<Sealed<String>>,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// A connector to make.
pub struct New<'a> {
    /// What is chosen of it.
    pub configuration: &'a Configuration,
    /// What proves the tenant at the provider.
    pub client_secret: Option<&'a Secret>,
    /// Most connectors of one tenant.
    pub most: u32,
}
