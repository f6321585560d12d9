//! Applications (OAuth clients): what each may do, and how it proves itself (RFC 7591 §2).

mod certificate;
mod check;
mod configuration;
pub mod control_plane;
mod directory;
mod grant_type;
mod narrowed;
mod redirect;
pub mod registrations;
mod rules;
pub mod secrets;
mod store;
mod uses;
mod words;

use svc_core::capability::Capability;
use svc_core::{AppId, Digest, Timestamp};
use svc_keys::Algorithm;

pub use configuration::{Configuration, REDIRECT_ORIGINS};
pub use directory::Apps;
pub use grant_type::GrantType;
pub use narrowed::{Narrowed, list_narrowed};
pub use rules::Rules;
pub use secrets::FormerSecret;
pub use store::{
    Change, NewApp, create, create_as, create_registered, delete, find, find_by_handle, has_origin,
    hold_handle, list, update,
};
pub use uses::SecretUses;
pub use words::{
    AssertionTarget, AuthMethod, IdTokenClaims, Kind, OrganizationUsage, Profile, RequirePkce, SubjectForm,
};

/// What the handles of applications start with that registered themselves, and no other's.
const REGISTERED: &str = "dcr_";

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
    /// The one before it, while it is still valid.
    pub former_secret: Option<FormerSecret>,
    /// What it may do.
    pub configuration: Configuration,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
}

/// Whether a `client_id` is the address of a metadata document.
pub fn is_document_address(client_id: &str) -> bool {
    client_id.starts_with("https://") || client_id.starts_with("http://")
}

impl App {
    /// Whether it cannot keep a secret.
    pub fn is_public(&self) -> bool {
        self.configuration.token_endpoint_auth_method == AuthMethod::None
    }

    /// Its name on the wire: its id, or the address of its metadata document.
    pub fn client_id(&self) -> String {
        if self.is_document() { self.handle.clone() } else { self.id.to_string() }
    }

    /// Whether it is known by a document at the address that is its `client_id`. No other handle has a colon.
    pub fn is_document(&self) -> bool {
        is_document_address(&self.handle)
    }

    /// Whether it registered itself, or is known by a document of its own: no administrator has checked what it says.
    pub fn is_self_registered(&self) -> bool {
        self.is_document() || self.handle.starts_with(REGISTERED)
    }

    /// Whether its tokens count in an organization.
    pub fn organization_usage(&self) -> OrganizationUsage {
        let default =
            if self.is_self_registered() { OrganizationUsage::Deny } else { OrganizationUsage::Allow };
        self.configuration.organization_usage.unwrap_or(default)
    }

    /// The sector within which people have one pairwise subject, if it gets such (OpenID Connect Core §8.1).
    ///
    /// Addresses of several hosts without a document that proves them to be of one owner make a sector of their own:
    /// an application does not join another's sector by naming one of its addresses next to its own.
    pub fn sector(&self) -> Option<String> {
        if self.configuration.subject_form() == SubjectForm::Public {
            return None;
        }
        if let Some(uri) = &self.configuration.sector_identifier_uri {
            return redirect::sector_host(uri);
        }
        let mut hosts = self.configuration.redirect_uris.iter().map(|uri| redirect::sector_host(uri));
        let first = hosts.next().flatten().filter(|first| hosts.all(|host| host.as_ref() == Some(first)));
        Some(first.unwrap_or_else(|| self.client_id()))
    }

    /// Whether the FAPI 2.0 Security Profile binds it.
    pub fn is_fapi2(&self) -> bool {
        self.configuration.profile == Profile::Fapi2
    }

    /// Whether its access tokens must be bound to a key (RFC 9449).
    pub fn needs_dpop(&self) -> bool {
        let is_otherwise_bound = self.binds_to_certificate();
        self.configuration.dpop_bound_access_tokens || (self.is_fapi2() && !is_otherwise_bound)
    }

    /// Whether its access tokens are bound to the certificate of its connection (RFC 8705 §3).
    pub fn binds_to_certificate(&self) -> bool {
        self.configuration.tls_client_certificate_bound_access_tokens
    }

    /// Whether it has registered keys to verify its signatures with.
    pub fn has_keys(&self) -> bool {
        self.configuration.jwks.is_some() || self.configuration.jwks_uri.is_some()
    }

    /// The algorithms that its profile accepts its signatures in; what it registered may narrow them further.
    pub fn signature_algorithms(&self) -> &'static [Algorithm] {
        const STRICT: &[Algorithm] = &[Algorithm::Ps256, Algorithm::Es256, Algorithm::EdDsa];
        if self.is_fapi2() { STRICT } else { Algorithm::ALL }
    }

    /// Whether its codes are bound to a challenge (RFC 7636): public applications have no other proof.
    pub fn require_pkce(&self) -> RequirePkce {
        if self.is_public() || self.is_fapi2() { RequirePkce::Yes } else { self.configuration.require_pkce }
    }

    /// Whether its refresh tokens stay the same: each use is proven by its authentication and by a key.
    pub fn keeps_refresh_tokens(&self) -> bool {
        (self.needs_dpop() || self.binds_to_certificate()) && !self.is_public()
    }

    /// Whether its authorization requests must be pushed.
    pub fn needs_par(&self) -> bool {
        self.configuration.require_pushed_authorization_requests || self.is_fapi2()
    }

    /// Whether it has a capability, as far as the tenant has it.
    pub fn keeps(&self, capability: &Capability) -> bool {
        self.configuration.disabled_capabilities.keeps(capability)
    }

    /// Whether `grant_type` is one of its grants.
    pub fn allows_grant(&self, grant_type: &str) -> bool {
        self.configuration.grant_types.iter().any(|allowed| allowed == grant_type)
    }
}

impl App {
    /// Whether `redirect_uri` is one of its own: character for character, except that a native application's loopback URI
    /// matches on any port (RFC 8252 §7.3).
    pub fn owns_redirect_uri(&self, redirect_uri: &str) -> bool {
        self.configuration.redirect_uris.iter().any(|registered| {
            registered == redirect_uri
                || (self.configuration.kind == Kind::Native
                    && redirect::is_same_loopback(registered, redirect_uri))
        })
    }
}
