//! Sign-in through others, and directories: `[social]`, `[enterprise_sso]`, `[generic_oauth]`, `[scim]`.

use super::load::section::section;
use super::load::web::HttpUrl;
use svc_core::{Seconds, Secret};

section! {
    /// Sign-in through well-known providers; one with a client id is offered.
    #[mark(Unused)]
    Social {
        /// Whether any of them is offered.
        enabled: bool = false;
        tables {
            /// Google.
            google: SocialProvider;
            /// GitHub.
            github: SocialProvider;
            /// Microsoft.
            microsoft: SocialProvider;
            /// Apple.
            apple: SocialProvider;
        }
    }
}

section! {
    /// Our registration at this provider.
    #[mark(Unused)]
    SocialProvider {
        /// Client id that the provider gave.
        client_id: Option<String> = None;
        /// Client secret that the provider gave.
        client_secret: Option<Secret> = None;
    }
}

section! {
    /// Single sign-on through organizations' own providers, which tenants set up.
    EnterpriseSso {
        /// Whether tenants may set it up.
        enabled: bool = true;
        /// Connections of one organization.
        max_per_organization: u32 = 10, 1..=100;
        /// How long a provider's metadata are kept.
        metadata_ttl_secs: Seconds = Seconds(3600), 60..=86_400;
    }
}

section! {
    /// Sign-in through further OpenID providers of the whole deployment.
    #[mark(Unused)]
    GenericOauth {
        /// Whether they are offered.
        enabled: bool = false;
        tables {
            /// The providers.
            providers: Vec<GenericProvider>;
        }
    }
}

section! {
    /// One OpenID provider; `id`, `issuer_url` and `client_id` are required.
    #[mark(Unused)]
    GenericProvider {
        /// Name in addresses: lower-case letters, digits, hyphens.
        id: Option<String> = None;
        /// Name on the button.
        display_name: Option<String> = None;
        /// Its issuer; the rest comes from discovery.
        issuer_url: Option<HttpUrl> = None;
        /// Client id that it gave.
        client_id: Option<String> = None;
        /// Client secret that it gave.
        client_secret: Option<Secret> = None;
        /// Scopes asked for.
        scopes: Vec<String> = ["openid", "profile", "email"].map(str::to_owned).to_vec();
    }
}

section! {
    /// Provisioning of users and groups by directories (RFC 7644).
    Scim {
        /// Whether tenants may use it.
        enabled: bool = true;
        /// Most resources of one page.
        max_results: u32 = 200, 1..=1000;
        /// Most operations of one bulk request.
        max_bulk_operations: u32 = 1000, 1..=10_000;
        /// Largest bulk request.
        max_bulk_payload_bytes: u32 = 1_048_576, 1024..=16_777_216;
    }
}
