//! Configuration: defaults, then a TOML file, then the environment; all faults are reported together.

mod auth;
mod capabilities;
mod database;
mod delivery;
mod deployment;
mod federation;
#[cfg(test)]
mod fixtures;
mod forms;
mod guards;
mod load;
mod passwordless;
mod platform;
mod providers;
mod relations;
mod reload;
mod removed;
mod server;
mod signin;
#[cfg(test)]
mod specification;
mod stores;
mod tenancy;
mod tokens;
mod wallet;

use std::collections::HashSet;
use std::fmt;

use svc_core::Secret;

pub use auth::{Auth, Captcha, CaptchaProvider, FailMode, Hibp};
pub use capabilities::{documented as keys_without_effect, keys};
pub use database::{Database, Pool, PoolSize};
pub use delivery::{Email, EmailProvider, Phone, PhoneHttp, PhoneLog, PhoneProvider, Sink, Smtp};
pub use deployment::{CoordinationBackend, DatabaseTopology, Deployment, Memcached, Plane, Redis};
pub use federation::{
    AppleProvider, EnterpriseSso, GenericOauth, GenericProvider, ProviderClientAuth, Scim, Social,
    SocialProvider,
};
pub use forms::is_host;
pub use guards::publicity::{is_local, signs as signs_of_publicity};
pub use guards::{GUARDS, Guard, When};
pub use load::database_url::{DatabaseUrl, Engine};
pub use load::fault::{Fault, Faults, Source};
pub use load::known::held_as;
pub use load::network::Network;
pub use load::report::example;
pub use load::web::{HttpUrl, WebOrigin};
pub use platform::{
    AccessControl, Admin, I18n, Keyring, Kms, LogFormat, OpenApi, Proxy, Security, Telemetry, Tenant,
};
pub use reload::{RELOADED, Reload};
pub use removed::REMOVED;
pub use server::{Acme, Mtls, Server, Tls, Transport};
pub use signin::{
    AdaptiveMfa, Anonymous, Challenge, EmailOtp, Impersonation, MagicLink, Passkey, PasskeysOfDomains,
    SessionCookie, Sms, TwoFactor, UserSelfService, UserVerification,
};
pub use tenancy::{
    ApiKeys, AuditLog, Billing, Commerce, CustomDomains, Hooks, Invitations, Organizations, Vault,
    VerifiedDomains, Webhooks,
};
pub use tokens::{
    DeviceAuthorization, Dpop, Jwt, JwtAlgorithm, OauthProxy, Oidc, RefreshFamilyCache, Registration,
    RegistrationPkce,
};
pub use wallet::{Chain, Siwe, Wallet};

use load::known::Known;
use load::reader::{Entry, Given, Layers, Raw, Reader};
use load::{env, file, report};

macro_rules! sections {
    ($($section:ident: $type:ty,)+) => {
        /// The effective configuration of one process.
        #[derive(Clone)]
        pub struct Config {
            /// What this process runs: `SVC_RUNTIME_PLANE`.
            pub plane: Plane,
            entries: Vec<Entry>,
            strangers: Vec<Fault>,
            $(#[doc = concat!("`[", stringify!($section), "]`")] pub $section: $type,)+
        }

        impl fmt::Debug for Config {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut shown = f.debug_struct("Config");
                shown.field("plane", &self.plane);
                $(shown.field(stringify!($section), &self.$section);)+
                shown.finish_non_exhaustive()
            }
        }

        /// Reads every section; the plane and the key table are filled in by the caller.
        fn read_sections(reader: &mut Reader) -> Config {
            Config {
                plane: Plane::All,
                entries: Vec::new(),
                strangers: Vec::new(),
                $($section: load::section::Section::read(reader, stringify!($section)),)+
            }
        }
    };
}

sections! {
    security: Security,
    deployment: Deployment,
    server: Server,
    database: Database,
    redis: Redis,
    memcached: Memcached,
    keyring: Keyring,
    kms: Kms,
    tenant: Tenant,
    oidc: Oidc,
    jwt: Jwt,
    dpop: Dpop,
    device_authorization: DeviceAuthorization,
    refresh_family_cache: RefreshFamilyCache,
    session_cookie: SessionCookie,
    user_self_service: UserSelfService,
    auth: Auth,
    captcha: Captcha,
    hibp: Hibp,
    email: Email,
    phone: Phone,
    passkey: Passkey,
    two_factor: TwoFactor,
    adaptive_mfa: AdaptiveMfa,
    impersonation: Impersonation,
    email_otp: EmailOtp,
    sms: Sms,
    magic_link: MagicLink,
    anonymous: Anonymous,
    challenge: Challenge,
    social: Social,
    enterprise_sso: EnterpriseSso,
    generic_oauth: GenericOauth,
    oauth_proxy: OauthProxy,
    scim: Scim,
    organizations: Organizations,
    invitations: Invitations,
    verified_domains: VerifiedDomains,
    custom_domains: CustomDomains,
    access_control: AccessControl,
    admin: Admin,
    api_keys: ApiKeys,
    webhooks: Webhooks,
    hooks: Hooks,
    audit_log: AuditLog,
    vault: Vault,
    wallet: Wallet,
    chains: Vec<Chain>,
    siwe: Siwe,
    billing: Billing,
    commerce: Commerce,
    proxy: Proxy,
    i18n: I18n,
    openapi: OpenApi,
    telemetry: Telemetry,
}

impl Default for Config {
    /// The built-in defaults alone.
    fn default() -> Self {
        build(Layers::new()).0
    }
}

impl Config {
    /// Reads defaults, then the file `(name, text)`, then the environment; says nothing of starting.
    pub fn load(toml: Option<(&str, &str)>, env: &[(String, String)]) -> Result<Self, Faults> {
        read(&[], toml, env, relations::faults)
    }

    /// The same over secrets that key management holds, by key.
    pub fn load_over(
        provisioned: &[(String, Secret)],
        toml: Option<(&str, &str)>,
        env: &[(String, String)],
    ) -> Result<Self, Faults> {
        read(provisioned, toml, env, relations::faults)
    }

    /// Like [`Config::load`], without the rules between keys: secrets that they miss may be with key management, which this asks.
    pub fn load_to_ask(toml: Option<(&str, &str)>, env: &[(String, String)]) -> Result<Self, Faults> {
        read(&[], toml, env, |_| Vec::new())
    }

    /// What says how to ask key management, also where values of other keys are refused.
    pub fn for_asking(toml: Option<(&str, &str)>, env: &[(String, String)]) -> Self {
        let mut layers = Layers::new();
        if let Some((path, text)) = toml {
            file::read(path, text, &mut layers);
        }
        env::read(env, &Known::new(), &mut layers);
        build(layers).0
    }

    /// Like [`Config::load`] for what needs none of the secrets that key management may hold, and could not be asked for: without its
    /// answer, none of them is missing.
    pub fn load_unasked(toml: Option<(&str, &str)>, env: &[(String, String)]) -> Result<Self, Faults> {
        read(&[], toml, env, |config| {
            let absent = config.perhaps_held();
            let is_absent = |fault: &Fault| absent.contains(&fault.key.as_str());
            relations::faults(config).into_iter().filter(|fault| !is_absent(fault)).collect()
        })
    }

    /// Like [`Config::load`], and every [`Guard`] of this process must hold.
    pub fn load_for_start(toml: Option<(&str, &str)>, env: &[(String, String)]) -> Result<Self, Faults> {
        let rules = |config: &Self| {
            [config.unasked(relations::faults(config)), config.start_faults_unasked()].concat()
        };
        read(&[], toml, env, rules)
    }

    /// The same over secrets that key management holds, by key: it was asked, and what is missing is not with it.
    pub fn load_for_start_over(
        provisioned: &[(String, Secret)],
        toml: Option<(&str, &str)>,
        env: &[(String, String)],
    ) -> Result<Self, Faults> {
        read(provisioned, toml, env, |config| [relations::faults(config), config.start_faults()].concat())
    }

    /// The keys whose secrets are given nowhere: key management may hold them.
    pub fn absent_secrets(&self) -> Vec<&str> {
        let absent = |entry: &Entry| matches!(entry, Entry::Key { is_secret: true, value: None, .. });
        self.entries.iter().filter(|entry| absent(entry)).map(Entry::path).collect()
    }

    /// The keys whose secrets key management may hold, where there is any.
    fn perhaps_held(&self) -> Vec<&str> {
        if self.kms.is_configured() { self.absent_secrets() } else { Vec::new() }
    }

    /// Whether the configuration file holds a secret.
    pub fn has_secrets_in_file(&self) -> bool {
        let is_in_file = |entry: &Entry| {
            matches!(entry, Entry::Key { is_secret: true, source: Source::File(..), value: Some(_), .. })
        };
        self.entries.iter().any(is_in_file)
    }

    /// What keeps this configuration from starting.
    pub fn start_faults(&self) -> Vec<Fault> {
        guards::faults(self)
    }

    /// The same where key management was not asked for the secrets that it may hold.
    pub fn start_faults_unasked(&self) -> Vec<Fault> {
        self.unasked(self.start_faults())
    }

    /// Says of each secret that is missing that key management may hold it.
    fn unasked(&self, faults: Vec<Fault>) -> Vec<Fault> {
        let absent = self.perhaps_held();
        let is_absent = |fault: &Fault| absent.contains(&fault.key.as_str());
        let told = |fault: Fault| if is_absent(&fault) { fault.perhaps_held() } else { fault };
        faults.into_iter().map(told).collect()
    }

    /// What was given and changes nothing: keys that this version does not implement, and unknown variables of our prefix.
    pub fn ignored(&self) -> Vec<Fault> {
        [capabilities::unused(&self.entries, self.security.production), self.strangers.clone()].concat()
    }

    /// The same, and what is hardly meant as it was given.
    pub fn warnings(&self) -> Vec<Fault> {
        let believed = self.server.trusted_strangers().map(|network| {
            let what = format!("{network} has addresses of strangers, who may claim any other as theirs");
            Fault::new("server.trusted_proxies", what, "list the addresses of your proxies alone")
        });
        self.ignored().into_iter().chain(believed).collect()
    }

    /// Every effective key with its source, in TOML; secrets are masked.
    pub fn outcome(&self) -> String {
        format!("# runtime plane: {}\n{}", self.plane, report::outcome(&self.entries))
    }

    /// Every key with its effective value and where that comes from; secrets are masked.
    pub fn effective(&self) -> Vec<(String, serde_json::Value, String)> {
        report::effective(&self.entries)
    }

    /// Whether this process may run every plane.
    pub fn allows_all_in_one(&self) -> bool {
        self.deployment.allow_all_in_one_runtime_plane.unwrap_or(!self.security.production)
    }
}

fn read(
    provisioned: &[(String, Secret)],
    toml: Option<(&str, &str)>,
    env: &[(String, String)],
    rules: fn(&Config) -> Vec<Fault>,
) -> Result<Config, Faults> {
    let known = Known::new();
    let given =
        |value: &Secret| Given { raw: Raw::Text(value.expose().to_owned()), source: Source::Provisioned };
    let mut layers: Layers = provisioned.iter().map(|(key, value)| (key.clone(), given(value))).collect();
    let mut faults = toml.map_or_else(Vec::new, |(path, text)| file::read(path, text, &mut layers));
    let is_readable = faults.is_empty();
    let (refused, strangers) = env::read(env, &known, &mut layers);
    faults.extend(refused);
    let (mut config, unread, wrong) = build(layers);
    config.strangers = strangers;
    faults.extend(known.faults(unread));
    faults.extend(wrong);
    match plane(env) {
        Ok(plane) => config.plane = plane,
        Err(fault) => faults.push(fault),
    }
    // A refused value shows its default here, and an unreadable file all of them: rules must not blame those.
    let blamed: HashSet<String> = faults.iter().map(|fault| fault.key.clone()).collect();
    if is_readable {
        faults.extend(rules(&config).into_iter().filter(|fault| !blamed.contains(&fault.key)));
    }
    if faults.is_empty() { Ok(config) } else { Err(Faults(faults)) }
}

fn build(layers: Layers) -> (Config, Layers, Vec<Fault>) {
    let mut reader = Reader::new(layers);
    let mut config = read_sections(&mut reader);
    let (entries, unread, faults) = reader.finish();
    config.entries = entries;
    if !report::is_given(&config.entries, "oidc.issuer_url") {
        let issuer = format!("http://localhost:{}", config.server.port);
        report::derived(&mut config.entries, "oidc.issuer_url", issuer.clone());
        config.oidc.issuer_url = HttpUrl::derived(issuer);
    }
    (config, unread, faults)
}

fn plane(env: &[(String, String)]) -> Result<Plane, Fault> {
    let name = "SVC_RUNTIME_PLANE";
    let Some((_, given)) = env.iter().rev().find(|(key, value)| key == name && !value.is_empty()) else {
        return Ok(Plane::All);
    };
    Plane::ALL.iter().copied().find(|plane| plane.as_str() == given).ok_or_else(|| {
        Fault::new(name, format!("{given:?} is not a plane"), "set all, auth, control or async")
    })
}

#[cfg(test)]
mod tests;
