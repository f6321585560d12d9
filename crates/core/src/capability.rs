//! The capabilities that a deployment, a tenant or an application can switch off: one declaration each.
//!
//! A tenant cannot have what the deployment has switched off, nor an application what its tenant has. Each of them therefore lists
//! what it does without. What is off is absent from discovery and from the OpenAPI document of that host; its endpoints answer 404,
//! its grants `unsupported_grant_type`, its parameters an error of their own. What an application goes without is refused to it
//! alone: its endpoints and grants as `unauthorized_client`, its parameters by the same errors.

mod without;

pub use self::without::Without;
use crate::Class;

/// A capability, and what is absent where it is off.
#[derive(Clone, Copy, Debug)]
pub struct Capability {
    /// The name in settings.
    pub name: &'static str,
    /// The configuration key that switches it off, if it has one in addition to `oidc.disabled_capabilities`.
    pub config_key: Option<&'static str>,
    /// The declared paths that exist for it alone.
    pub endpoints: &'static [&'static str],
    /// The members of the authorization server's metadata that announce it. Where it is off, flags are false and others are absent.
    pub metadata: &'static [&'static str],
    /// The parameters of an authorization request that need it.
    pub parameters: &'static [&'static str],
    /// What a request with one of them is refused as, where the capability is off.
    pub refusal: Class,
    /// Whether an application can switch it off; the others are about how applications are registered.
    pub is_of_applications: bool,
}

macro_rules! capabilities {
    ($($(#[$doc:meta])* $constant:ident = $name:literal {
        $($member:ident: $value:expr,)*
    })*) => {
        impl Capability {
            $($(#[$doc])* pub const $constant: Self = Self {
                name: $name,
                $($member: $value,)*
                ..Self::NONE
            };)*

            /// Every capability.
            pub const ALL: &'static [Self] = &[$(Self::$constant),*];
        }
    };
}

impl Capability {
    const NONE: Self = Self {
        name: "",
        config_key: None,
        endpoints: &[],
        metadata: &[],
        parameters: &[],
        refusal: Class::InvalidRequest,
        is_of_applications: true,
    };
}

capabilities! {
    /// Asking for a page or for none (OpenID Connect Core §3.1.2.1).
    PROMPT = "prompt" {
        metadata: &["prompt_values_supported"],
        parameters: &["prompt"],
    }
    /// Asking for a recent sign-in.
    MAX_AGE = "max_age" {
        parameters: &["max_age"],
    }
    /// Asking for a strength of sign-in.
    ACR_VALUES = "acr_values" {
        metadata: &["acr_values_supported"],
        parameters: &["acr_values"],
    }
    /// Asking for single claims (OpenID Connect Core §5.5).
    CLAIMS = "claims" {
        metadata: &["claims_parameter_supported"],
        parameters: &["claims"],
    }
    /// Rich authorization details (RFC 9396).
    AUTHORIZATION_DETAILS = "authorization_details" {
        config_key: Some("oidc.authorization_details"),
        metadata: &["authorization_details_types_supported"],
        parameters: &["authorization_details"],
        refusal: Class::InvalidAuthorizationDetails,
    }
    /// Pushed authorization requests (RFC 9126).
    PAR = "par" {
        endpoints: &["/oauth/par"],
        metadata: &["pushed_authorization_request_endpoint", "require_pushed_authorization_requests"],
        parameters: &["request_uri"],
        refusal: Class::RequestUriNotSupported,
    }
    /// Signed authorization requests (RFC 9101).
    JAR = "jar" {
        metadata: &[
            "request_parameter_supported",
            "request_object_signing_alg_values_supported",
            "require_signed_request_object",
        ],
        parameters: &["request"],
        refusal: Class::RequestNotSupported,
    }
    /// Signed authorization responses (JARM).
    JARM = "jarm" {
        metadata: &["authorization_signing_alg_values_supported"],
    }
    /// Sender-constrained tokens (RFC 9449).
    DPOP = "dpop" {
        metadata: &["dpop_signing_alg_values_supported"],
        parameters: &["dpop_jkt"],
    }
    /// Client certificates, and tokens that are bound to them (RFC 8705).
    MTLS = "mtls" {
        config_key: Some("server.mtls.port"),
        metadata: &["tls_client_certificate_bound_access_tokens", "mtls_endpoint_aliases"],
    }
    /// Keys that open the management API without an access token.
    API_KEYS = "api_keys" {
        config_key: Some("api_keys.enabled"),
        endpoints: &[
            "/api/v1/api-keys",
            "/api/v1/api-keys/{id}",
            "/api/v1/api-keys/{id}/rotate",
            "/api/v1/organizations/{id}/api-keys",
            "/api/v1/organizations/{id}/api-keys/{key_id}",
            "/api/v1/organizations/{id}/api-keys/{key_id}/rotate",
        ],
        is_of_applications: false,
    }
    /// Sign-in on devices without a browser (RFC 8628).
    DEVICE = "device" {
        config_key: Some("device_authorization.enabled"),
        endpoints: &[
            "/oauth/device/code",
            "/oauth/device/verify",
            "/api/v1/identity/device/requests",
            "/api/v1/identity/device/requests/{device_code_id}/approve",
            "/api/v1/identity/device/requests/{device_code_id}/deny",
        ],
        metadata: &["device_authorization_endpoint"],
    }
    /// Backchannel authentication (OpenID CIBA).
    CIBA = "ciba" {
        endpoints: &[
            "/bc-authorize",
            "/api/v1/identity/ciba/requests",
            "/api/v1/identity/ciba/requests/{id}/approve",
            "/api/v1/identity/ciba/requests/{id}/deny",
        ],
        metadata: &[
            "backchannel_authentication_endpoint",
            "backchannel_token_delivery_modes_supported",
            "backchannel_user_code_parameter_supported",
            "backchannel_authentication_request_signing_alg_values_supported",
        ],
    }
    /// Token exchange (RFC 8693).
    TOKEN_EXCHANGE = "token_exchange" {
        metadata: &["identity_chaining_requested_token_types_supported"],
    }
    /// Assertions of trusted issuers as grants (RFC 7523 §2.1).
    JWT_BEARER = "jwt_bearer" {
        metadata: &["authorization_grant_profiles_supported"],
    }
    /// Introspection of tokens (RFC 7662).
    INTROSPECTION = "introspection" {
        endpoints: &["/oauth/introspect"],
        metadata: &[
            "introspection_endpoint",
            "introspection_endpoint_auth_methods_supported",
            "introspection_endpoint_auth_signing_alg_values_supported",
            "introspection_signing_alg_values_supported",
        ],
    }
    /// Sign-out that an application asks for (OpenID Connect RP-Initiated Logout).
    END_SESSION = "end_session" {
        endpoints: &["/oauth/end-session"],
        metadata: &["end_session_endpoint"],
    }
    /// Applications that register themselves (RFC 7591).
    DYNAMIC_REGISTRATION = "dynamic_registration" {
        config_key: Some("oidc.dynamic_registration"),
        endpoints: &["/oauth/register", "/oauth/register/{client_id}"],
        metadata: &["registration_endpoint"],
        is_of_applications: false,
    }
    /// Applications that are known by the address of a document (Client ID Metadata Documents).
    CLIENT_ID_METADATA_DOCUMENTS = "client_id_metadata_documents" {
        metadata: &["client_id_metadata_document_supported"],
        is_of_applications: false,
    }
    /// Support staff act for people.
    IMPERSONATION = "impersonation" {
        endpoints: &[
            "/auth/impersonation",
            "/auth/impersonation/end",
            "/api/v1/identity/impersonations",
            "/api/v1/identity/impersonations/{impersonation_id}/approve",
            "/api/v1/identity/impersonations/{impersonation_id}/deny",
            "/api/v1/identity/impersonations/{impersonation_id}/end",
            "/api/v1/impersonations",
            "/api/v1/impersonations/{id}",
            "/api/v1/impersonations/{id}/link",
            "/api/v1/impersonations/{id}/end",
        ],
        is_of_applications: false,
    }
    /// Forward authentication: reverse proxies ask whose a request is.
    PROXY = "proxy" {
        config_key: Some("proxy.enabled"),
        endpoints: &[
            "/auth/proxy/check",
            "/auth/proxy/forward",
            "/auth/proxy/start",
            "/auth/proxy/callback",
            "/auth/proxy/sign-out",
        ],
    }
    /// Passwords: to sign in with one, and to choose or replace one.
    PASSWORD = "password" {
        endpoints: &[
            "/.well-known/change-password",
            "/account/password",
            "/api/v1/identity/password",
            "/api/v1/tenant-users/{id}/password",
            "/api/v1/tenant-users/{id}/recovery",
            "/auth/forgot",
            "/auth/forgot/password",
            "/auth/reset",
        ],
        is_of_applications: false,
    }
    /// Passkeys and security keys (WebAuthn).
    PASSKEYS = "passkeys" {
        config_key: Some("passkey.enabled"),
        endpoints: &[
            "/.well-known/apple-app-site-association",
            "/.well-known/assetlinks.json",
            "/.well-known/webauthn",
            "/account/passkeys",
            "/api/v1/identity/passkeys",
            "/api/v1/identity/passkeys/confirm",
        ],
        is_of_applications: false,
    }
    /// Organizations: customers of a tenant.
    ORGANIZATIONS = "organizations" {
        config_key: Some("organizations.enabled"),
        endpoints: &[
            "/api/v1/organizations",
            "/api/v1/organizations/{id}",
            "/api/v1/organizations/{id}/owner",
            "/api/v1/organizations/{id}/branding",
            "/api/v1/organizations/{id}/texts",
            "/api/v1/organizations/{id}/api-keys",
            "/api/v1/organizations/{id}/api-keys/{key_id}",
            "/api/v1/organizations/{id}/api-keys/{key_id}/rotate",
            "/api/v1/organizations/{id}/members",
            "/api/v1/organizations/{id}/members/{tenant_user_id}",
            "/api/v1/organizations/{id}/invitations",
            "/api/v1/organizations/{id}/invitations/{invitation_id}",
            "/api/v1/organizations/{id}/invitations/{invitation_id}/resend",
            "/api/v1/organizations/{id}/trusted-issuers",
            "/api/v1/organizations/{id}/trusted-issuers/{issuer_id}",
            "/api/v1/organizations/{id}/trusted-issuers/{issuer_id}/subjects/{tenant_user_id}",
            "/api/v1/identity/invitations",
            "/api/v1/identity/invitations/{invitation_id}",
            "/api/v1/identity/invitations/{invitation_id}/accept",
            "/api/v1/identity/organizations",
            "/api/v1/identity/organizations/{organization_id}",
            "/auth/organization-invitation",
        ],
        parameters: &["organization"],
        is_of_applications: false,
    }
    /// Domains that organizations prove.
    VERIFIED_DOMAINS = "verified_domains" {
        config_key: Some("verified_domains.enabled"),
        endpoints: &[
            "/api/v1/organizations/{id}/domains",
            "/api/v1/organizations/{id}/domains/{domain_id}",
            "/api/v1/organizations/{id}/domains/{domain_id}/verify",
        ],
        is_of_applications: false,
    }
    /// Domains of its own that the tenant proves.
    CUSTOM_DOMAINS = "custom_domains" {
        config_key: Some("custom_domains.enabled"),
        endpoints: &[
            "/api/v1/custom-domains",
            "/api/v1/custom-domains/{id}",
            "/api/v1/custom-domains/{id}/verify",
            "/api/v1/custom-domains/{id}/activate",
            "/api/v1/custom-domains/{id}/deactivate",
        ],
        is_of_applications: false,
    }
    /// Sign-in by a code sent by mail.
    EMAIL_OTP = "email_otp" {
        config_key: Some("email_otp.enabled"),
        is_of_applications: false,
    }
    /// Sign-in by a link sent by mail.
    MAGIC_LINK = "magic_link" {
        config_key: Some("magic_link.enabled"),
        endpoints: &["/auth/sign-in-link"],
        is_of_applications: false,
    }
    /// Guests: people who have not said who they are.
    ANONYMOUS = "anonymous" {
        config_key: Some("anonymous.enabled"),
    }
    /// Sign-in and second factor by a code sent by text message, and the phone numbers for it.
    SMS = "sms" {
        config_key: Some("sms.enabled"),
        endpoints: &["/account/phone", "/api/v1/identity/phone", "/api/v1/identity/phone/confirm"],
        is_of_applications: false,
    }
    /// Sign-in with accounts at other providers.
    SOCIAL = "social" {
        endpoints: &["/api/v1/connectors", "/api/v1/connectors/{id}"],
        is_of_applications: false,
    }
    /// Sign-in with accounts of Ethereum (EIP-4361).
    SIWE = "siwe" {
        config_key: Some("siwe.enabled"),
        is_of_applications: false,
    }
    /// Single sign-on of organizations through their own providers.
    ENTERPRISE_SSO = "enterprise_sso" {
        config_key: Some("enterprise_sso.enabled"),
        endpoints: &[
            "/api/v1/organizations/{id}/sso-connections",
            "/api/v1/organizations/{id}/sso-connections/{connection_id}",
            "/api/v1/organizations/{id}/sso-connections/{connection_id}/test",
        ],
        is_of_applications: false,
    }
    /// Operating the deployment through the API, at the default tenant.
    CONTROL_PLANE = "control_plane" {
        endpoints: &[
            "/api/v1/control-plane/keys",
            "/api/v1/control-plane/keys/rotate",
            "/api/v1/control-plane/keys/{id}/withdraw",
            "/api/v1/control-plane/operators",
            "/api/v1/control-plane/operators/{id}",
            "/api/v1/control-plane/tenants",
            "/api/v1/control-plane/tenants/{id}",
            "/api/v1/control-plane/tenants/{id}/administrators",
            "/api/v1/control-plane/tenants/{id}/suspend",
            "/api/v1/control-plane/tenants/{id}/reactivate",
            "/api/v1/control-plane/tenants/{id}/restore",
            "/api/v1/control-plane/plans",
            "/api/v1/control-plane/plans/{id}",
            "/api/v1/control-plane/queues",
            "/api/v1/control-plane/jobs",
            "/api/v1/control-plane/features",
            "/api/v1/control-plane/features/{feature}",
            "/api/v1/control-plane/settings",
        ],
        is_of_applications: false,
    }
    /// Subscriptions to events.
    WEBHOOKS = "webhooks" {
        config_key: Some("webhooks.enabled"),
        endpoints: &[
            "/api/v1/webhooks",
            "/api/v1/webhooks/{id}",
            "/api/v1/webhooks/{id}/test",
            "/api/v1/webhooks/{id}/secret",
            "/api/v1/webhooks/{id}/replay",
            "/api/v1/webhooks/{id}/deliveries",
            "/api/v1/webhooks/{id}/deliveries/{delivery_id}",
            "/api/v1/webhooks/{id}/deliveries/{delivery_id}/replay",
        ],
        is_of_applications: false,
    }
    /// Streams of the audit log.
    AUDIT_STREAMS = "audit_streams" {
        endpoints: &[
            "/api/v1/audit/streams",
            "/api/v1/audit/streams/{id}",
            "/api/v1/audit/streams/{id}/test",
        ],
        is_of_applications: false,
    }
    /// Receivers that are asked before something happens.
    HOOKS = "hooks" {
        config_key: Some("hooks.enabled"),
        endpoints: &[
            "/api/v1/hook-modules",
            "/api/v1/hook-modules/{id}",
            "/api/v1/hooks",
            "/api/v1/hooks/{id}",
            "/api/v1/hooks/{id}/secret",
            "/api/v1/hooks/{id}/test",
        ],
        is_of_applications: false,
    }
    /// Provisioning of people by the directories of organizations (RFC 7644).
    SCIM = "scim" {
        config_key: Some("scim.enabled"),
        endpoints: &[
            "/api/v1/scim-schemas",
            "/api/v1/scim-schemas/{id}",
            "/api/v1/scim-tokens",
            "/api/v1/scim-tokens/{id}",
            "/api/v1/scim-tokens/{id}/rotate",
            "/api/v1/organizations/{id}/directory-groups",
            "/api/v1/organizations/{id}/directory-groups/{directory_group_id}",
            "/scim/v2/ServiceProviderConfig",
            "/scim/v2/Schemas",
            "/scim/v2/Schemas/{id}",
            "/scim/v2/ResourceTypes",
            "/scim/v2/ResourceTypes/{id}",
            "/scim/v2/Users",
            "/scim/v2/Users/.search",
            "/scim/v2/Users/{id}",
            "/scim/v2/Groups",
            "/scim/v2/Groups/.search",
            "/scim/v2/Groups/{id}",
            "/scim/v2/.search",
            "/scim/v2/Bulk",
            "/scim/v2/Me",
        ],
        is_of_applications: false,
    }
    /// Applications to which people are pushed (RFC 7644).
    SCIM_TARGETS = "scim_targets" {
        endpoints: &[
            "/api/v1/scim-targets",
            "/api/v1/scim-targets/{id}",
            "/api/v1/scim-targets/{id}/links",
            "/api/v1/scim-targets/{id}/status",
            "/api/v1/scim-targets/{id}/sync",
            "/api/v1/scim-targets/{id}/test",
        ],
        is_of_applications: false,
    }
    /// Shared signals (OpenID SSF).
    SIGNALS = "signals" {
        endpoints: &[
            "/.well-known/ssf-configuration",
            "/.well-known/ssf-configuration/{*path}",
            "/api/v1/ssf/streams",
            "/api/v1/ssf/status",
            "/api/v1/ssf/verify",
            "/api/v1/ssf/poll/{id}",
        ],
    }
}

impl Capability {
    /// The capability of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|capability| capability.name == name)
    }

    /// The capabilities that a declared path exists for: it is there where none of them is off.
    pub fn of_path(path: &str) -> impl Iterator<Item = &'static Self> {
        Self::ALL.iter().filter(move |capability| capability.endpoints.contains(&path))
    }
}

#[cfg(test)]
mod tests;
