//! Applications (OAuth clients): what each may do, and how it proves itself (RFC 7591 §2).

mod configuration;
mod directory;
mod redirect;
mod store;

use svc_core::{AppId, Digest, Timestamp};

pub use configuration::{AuthMethod, Configuration, GRANT_TYPES, Kind, Profile};
pub use directory::Apps;
pub use redirect::{check_redirect_uri, is_web_uri};
pub use store::{create, delete, find, find_by_handle, has_origin, list, rotate_secret, set_secret, update};

/// An application as every request sees it.
#[derive(Clone, Debug)]
pub struct App {
    /// The `client_id`.
    pub id: AppId,
    /// The name in declarative files, unique in the tenant.
    pub handle: String,
    /// A disabled application gets nothing.
    pub enabled: bool,
    /// The digest of its secret; none for public clients.
    pub secret_digest: Option<Digest>,
    /// What it may do.
    pub configuration: Configuration,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
}

impl App {
    /// Whether it cannot keep a secret.
    pub fn is_public(&self) -> bool {
        self.configuration.token_endpoint_auth_method == AuthMethod::None
    }

    /// Whether the FAPI 2.0 Security Profile binds it.
    pub fn is_fapi2(&self) -> bool {
        self.configuration.profile == Profile::Fapi2
    }

    /// Whether its access tokens must be bound to a key.
    pub fn needs_dpop(&self) -> bool {
        self.configuration.dpop_bound_access_tokens || self.is_fapi2()
    }

    /// Whether its authorization requests must be pushed.
    pub fn needs_par(&self) -> bool {
        self.configuration.require_pushed_authorization_requests || self.is_fapi2()
    }

    /// Whether `grant_type` is one of its grants.
    pub fn allows_grant(&self, grant_type: &str) -> bool {
        self.configuration.grant_types.iter().any(|allowed| allowed == grant_type)
    }
}

impl App {
    /// Whether `redirect_uri` is one of its own: character for character, except that a native application's literal
    /// loopback URI matches on any port (RFC 8252 §7.3).
    pub fn owns_redirect_uri(&self, redirect_uri: &str) -> bool {
        self.configuration.redirect_uris.iter().any(|registered| {
            registered == redirect_uri
                || (self.configuration.kind == Kind::Native && redirect::is_same_loopback(registered, redirect_uri))
        })
    }
}
