//! Sign-in through others, and directories: `[social]`, `[enterprise_sso]`, `[generic_oauth]`, `[scim]`.

use super::load::choice::choice;
use super::load::section::section;
use super::load::web::HttpUrl;
use svc_core::{Seconds, Secret};

section! {
    /// Sign-in through well-known providers; one with a client id is offered.
    Social {
        /// Whether any of them is offered.
        enabled: bool = false;
        /// Connectors of one tenant: providers at which it has registered itself.
        max_connectors_per_tenant: u32 = 20, 1..=100;
        tables {
            /// Google.
            google: SocialProvider;
            /// GitHub, or GitHub Enterprise at `base_url`.
            github: SocialProvider;
            /// Microsoft: Entra ID of any organization, and personal accounts.
            microsoft: SocialProvider;
            /// Apple.
            apple: AppleProvider;
            /// GitLab, or one of your own at `base_url`.
            gitlab: SocialProvider;
            /// Discord.
            discord: SocialProvider;
            /// Facebook.
            facebook: SocialProvider;
            /// LinkedIn.
            linkedin: SocialProvider;
            /// X.
            x: SocialProvider;
            /// Slack.
            slack: SocialProvider;
            /// Spotify.
            spotify: SocialProvider;
        }
    }
}

section! {
    /// Our registration at this provider.
    SocialProvider {
        /// Client id that the provider gave.
        client_id: Option<String> = None;
        /// Client secret that the provider gave.
        client_secret: Option<Secret> = None;
        /// Where the provider is, if not at its public address: a server of your own, or a national cloud.
        base_url: Option<HttpUrl> = None;
    }
}

section! {
    /// Our registration at Apple, whose client secret is a token that a key of yours signs.
    AppleProvider {
        /// The id of the service (Services ID).
        client_id: Option<String> = None;
        /// The id of the team.
        team_id: Option<String> = None;
        /// The id of the key.
        key_id: Option<String> = None;
        /// The key: the text of the file that Apple gave (PEM, PKCS #8), on one line.
        private_key: Option<Secret> = None;
        /// Where the provider is, if not at its public address.
        base_url: Option<HttpUrl> = None;
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

choice! {
    /// Where a client secret goes (RFC 6749 §2.3.1).
    ProviderClientAuth {
        /// Into the `Authorization` header.
        Basic = "client_secret_basic",
        /// Into the body.
        Post = "client_secret_post",
    }
}

section! {
    /// Sign-in through further providers of the whole deployment, by OpenID Connect or plain OAuth 2.0.
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
    /// One provider: `id`, `client_id`, and either `issuer_url` or the three endpoints of plain OAuth 2.0.
    GenericProvider {
        /// Name in addresses: lower-case letters, digits, hyphens.
        id: Option<String> = None;
        /// Name on the button; the id where there is none.
        display_name: Option<String> = None;
        /// Its issuer (OpenID Connect); the rest comes from discovery.
        issuer_url: Option<HttpUrl> = None;
        /// Where the browser goes (OAuth 2.0).
        authorization_endpoint: Option<HttpUrl> = None;
        /// Where codes are redeemed (OAuth 2.0).
        token_endpoint: Option<HttpUrl> = None;
        /// What says who the person is, as JSON (OAuth 2.0); people are bound to it: under another address they are unknown.
        userinfo_endpoint: Option<HttpUrl> = None;
        /// Client id that it gave.
        client_id: Option<String> = None;
        /// Client secret that it gave; a public client has none.
        client_secret: Option<Secret> = None;
        /// Where the secret goes at the token endpoint.
        client_auth: ProviderClientAuth = ProviderClientAuth::Basic;
        /// Whether it is sent a PKCE challenge.
        pkce: bool = true;
        /// Scopes asked for.
        scopes: Vec<String> = ["openid", "profile", "email"].map(str::to_owned).to_vec();
        /// The member that names the person for good.
        subject_claim: String = "sub".to_owned();
        /// The member with the address.
        email_claim: String = "email".to_owned();
        /// The member that says whether the address is the person's.
        email_verified_claim: String = "email_verified".to_owned();
        /// Whether its addresses are believed where it says that they are the person's; otherwise people prove theirs here.
        trusted_email: bool = false;
        /// The member with the full name.
        name_claim: String = "name".to_owned();
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
