//! The protocol's numbers: `[jwt]`, `[oidc]`, `[dpop]`, `[device_authorization]` and the like.

use super::load::choice::choice;
use super::load::section::section;
use super::load::setting::Setting;
use super::load::web::HttpUrl;
use svc_core::{Seconds, Secret};

choice! {
    /// The algorithm of new signing keys (RFC 7518, RFC 8037).
    JwtAlgorithm {
        /// ECDSA on P-256 with SHA-256.
        Es256 = "ES256",
        /// Ed25519.
        EdDsa = "EdDSA",
    }
}

section! {
    /// Token lifetimes and signing. A refresh lifetime is never shorter than the matching access lifetime.
    Jwt {
        /// Algorithm of new signing keys.
        default_algorithm: JwtAlgorithm = JwtAlgorithm::Es256;
        /// Access tokens of people.
        access_token_lifetime_human_secs: Seconds = Seconds(900), 60..=86_400;
        /// Access tokens of agents.
        access_token_lifetime_agent_secs: Seconds = Seconds(300), 60..=86_400;
        /// Refresh tokens of people.
        refresh_token_lifetime_human_secs: Seconds = Seconds(604_800), 3600..=7_776_000;
        /// Refresh tokens of agents.
        refresh_token_lifetime_agent_secs: Seconds = Seconds(86_400), 3600..=7_776_000;
        /// ID tokens.
        id_token_lifetime_secs: Seconds = Seconds(300), 60..=3600;
        /// Days until a signing key is replaced.
        key_rotation_days: u32 = 30, 1..=365;
        /// How long a rotated refresh token, sent again by the same client, gets the same successor.
        refresh_reuse_grace_secs: Seconds = Seconds(10), 0..=60;
    }
}

choice! {
    /// Who may register applications by protocol (RFC 7591).
    Registration {
        /// No application: the endpoint does not exist.
        Off = "off",
        /// Holders of an initial access token, which administrators make.
        Token = "token",
        /// Every application, up to a number that is not in use yet.
        Open = "open",
    }
}

/// Whether confidential applications that registered themselves must use PKCE (RFC 9700 §2.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationPkce {
    /// Always.
    Yes,
    /// Unless the request has the scope `openid` and a `nonce`.
    OrNonce,
    /// Never.
    No,
}

impl Setting for RegistrationPkce {
    fn from_env(text: &str) -> toml::Value {
        bool::from_env(text)
    }

    fn read(value: &toml::Value) -> Result<Self, String> {
        match value {
            toml::Value::Boolean(true) => Ok(Self::Yes),
            toml::Value::Boolean(false) => Ok(Self::No),
            toml::Value::String(word) if word == "or_nonce" => Ok(Self::OrNonce),
            _ => Err("is not one of the choices".to_owned()),
        }
    }

    fn show(&self) -> Option<toml::Value> {
        Some(match self {
            Self::Yes => toml::Value::Boolean(true),
            Self::OrNonce => toml::Value::String("or_nonce".to_owned()),
            Self::No => toml::Value::Boolean(false),
        })
    }

    fn expects() -> String {
        "one of true \"or_nonce\" false".to_owned()
    }

    fn sample() -> toml::Value {
        toml::Value::Boolean(true)
    }
}

section! {
    /// The OpenID provider.
    Oidc {
        /// Issuer of the default tenant; https in production. When not set: `http://localhost:<server.port>`.
        issuer_url: HttpUrl = HttpUrl::built_in("http://localhost:8080");
        /// Life of an authorization code.
        authorization_code_lifetime_secs: Seconds = Seconds(60), 10..=60;
        /// Life of a pushed authorization request (RFC 9126).
        par_lifetime_secs: Seconds = Seconds(60), 30..=90;
        /// Life of a backchannel authentication request that asks for no other (OpenID CIBA).
        ciba_lifetime_secs: Seconds = Seconds(120), 10..=600;
        /// Pause between polls of a backchannel authentication request.
        ciba_interval_secs: Seconds = Seconds(5), 1..=60;
        /// Whether applications may ask for rich authorization details (RFC 9396), as far as each is allowed to.
        authorization_details: bool = true;
        /// Capabilities that no tenant has: their endpoints, grants and parameters do not exist.
        disabled_capabilities: Vec<String> = Vec::new();
        /// Who may register applications at /oauth/register.
        dynamic_registration: Registration = Registration::Off;
        /// Applications of one tenant that registered without a token and were never used; past that the oldest gives way.
        dynamic_registration_quota: u32 = 1000, 1..=1_000_000;
        /// Registrations, and changes of them, from one address within the window; three times as many reads.
        dynamic_registration_rate_limit_max: u32 = 100, 1..=100_000;
        /// That window.
        dynamic_registration_rate_limit_window_secs: Seconds = Seconds(600), 1..=86_400;
        /// Whether confidential applications that registered themselves must use PKCE; `"or_nonce"` accepts `openid` with a
        /// `nonce` instead, as certification suites and older libraries send it.
        registration_requires_pkce: RegistrationPkce = RegistrationPkce::OrNonce;
        /// Private-use schemes without a dot that applications of type native may redirect to.
        registration_private_schemes: Vec<String> =
            ["cursor", "vscode", "vscode-insiders", "windsurf", "claude"].map(str::to_owned).to_vec();
        /// Whether discovery names what drafts define (identity assertions); suites refuse names that they do not know.
        publish_draft_metadata: bool = false;
        /// Time to complete a sign-in that an application asked for.
        login_transaction_lifetime_secs: Seconds = Seconds(900), 60..=3600;
    }
}

section! {
    /// Sender-constrained tokens (RFC 9449).
    Dpop {
        /// Oldest proof accepted.
        proof_max_age_secs: Seconds = Seconds(60), 10..=60;
        /// How far a proof may be ahead of the server's clock.
        clock_skew_secs: Seconds = Seconds(10), 0..=60;
        /// Whether every proof must carry a nonce of the server.
        nonce_required: bool = false;
        /// Life of such a nonce.
        nonce_lifetime_secs: Seconds = Seconds(300), 30..=3600;
    }
}

section! {
    /// Sign-in on devices without a browser (RFC 8628).
    DeviceAuthorization {
        /// Whether the grant exists.
        enabled: bool = true;
        /// Life of a device code.
        lifetime_secs: Seconds = Seconds(600), 60..=1800;
        /// Pause between polls.
        interval_secs: Seconds = Seconds(5), 1..=60;
    }
}

section! {
    /// Memory of refresh tokens whose family has ended, so that one which is presented again is refused without asking the
    /// database. A token that is honoured is always spent there.
    RefreshFamilyCache {
        /// Whether it is used.
        enabled: bool = true;
        /// Tokens kept, 256 bytes each.
        max_entries: u32 = 10_000, 1..=10_000_000;
        /// Longest time without asking the database.
        ttl_secs: Seconds = Seconds(30), 1..=3600;
    }
}

section! {
    /// Preview deployments that share one address at the providers of `[social]` and `[generic_oauth]`: the deployment at that
    /// address, the relay, sends each answer on to where the sign-in began. For development only: production refuses it.
    OauthProxy {
        /// Whether it runs.
        enabled: bool = false;
        /// In a preview: the issuer at the relay behind which `/auth/return/<provider>` is registered. At the relay: nothing.
        relay_url: Option<HttpUrl> = None;
        /// At the relay: the origins of the previews, such as `https://*.preview.example.com` for all below a domain.
        allowed_origins: Vec<String> = Vec::new();
        /// What the relay knows its previews by: the same text in all of them, of 32 characters or more.
        secret: Option<Secret> = None;
    }
}
