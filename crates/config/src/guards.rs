//! The rules of starting: what must hold before a process serves, always or in production.

pub(super) mod publicity;

use super::Config;
use super::auth::{CaptchaProvider, FailMode};
use super::delivery::{EmailProvider, PhoneProvider};
use super::deployment::{CoordinationBackend, DatabaseTopology, Plane};
use super::load::database_url::Engine;
use super::load::fault::Fault;
use super::load::web::HttpUrl;
use super::providers::SHORTEST_SECRET;
use super::server::Transport;
use svc_core::Seconds;

/// When a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In every mode.
    Always,
    /// With `security.production`.
    Production,
}

/// One rule; the process does not start while it is broken.
pub struct Guard {
    /// The key to mend.
    pub key: &'static str,
    /// When it applies.
    pub when: When,
    /// Where it applies.
    pub planes: &'static [Plane],
    /// Whether the configuration breaks it.
    pub broken: fn(&Config) -> bool,
    /// What is wrong, in the specification's words.
    pub message: &'static str,
    /// What to do.
    pub fix: &'static str,
}

/// What breaks any rule that applies to this process.
pub(super) fn faults(config: &Config) -> Vec<Fault> {
    let applies = |guard: &&Guard| {
        (guard.when == When::Always || config.security.production) && guard.planes.contains(&config.plane)
    };
    let broken = GUARDS.iter().filter(applies).filter(|guard| (guard.broken)(config));
    let broken = broken.map(|guard| Fault::new(guard.key, guard.message, guard.fix));
    publicity::fault(config).into_iter().chain(broken).collect()
}

const EVERYWHERE: &[Plane] = Plane::ALL;
const AUTH: &[Plane] = &[Plane::All, Plane::Auth];
/// What queues messages, and what sends them.
const SENDS: &[Plane] = &[Plane::All, Plane::Auth, Plane::Async];

macro_rules! guards {
    ($($when:ident $planes:ident $key:literal: $broken:expr => $message:literal, $fix:literal;)+) => {
        /// Every rule of starting, in the order of the specification.
        pub const GUARDS: &[Guard] = &[$(Guard {
            key: $key, when: When::$when, planes: $planes, broken: $broken, message: $message, fix: $fix,
        }),+];
    };
}

guards! {
    Always EVERYWHERE "SVC_RUNTIME_PLANE":
        |config| config.plane == Plane::All && !config.allows_all_in_one()
        => "SVC_RUNTIME_PLANE must be one of auth, control, async while all-in-one is not allowed",
        "set SVC_RUNTIME_PLANE, or set deployment.allow_all_in_one_runtime_plane = true";
    Always EVERYWHERE "database.url":
        |config| !has_databases(config)
        => "database URL is required",
        "set DATABASE_URL, SVC_DATABASE__URL or the plane URLs with the identity URL";
    Always EVERYWHERE "database.identity_url":
        |config| is_split(config) && config.database.identity_url.is_none()
        => "database.identity_url is required by deployment.database_topology = split_by_plane",
        "name the address that accounts are managed by";
    Always EVERYWHERE "deployment.database_topology":
        |config| is_split(config) && has_sqlite(config)
        => "deployment.database_topology = split_by_plane does not work with SQLite",
        "use deployment.database_topology = \"shared\" with one SQLite file, or PostgreSQL";
    Always EVERYWHERE "deployment.allow_all_in_one_runtime_plane":
        |config| config.plane != Plane::All && has_sqlite(config)
        => "SQLite works with the all-in-one plane only",
        "set deployment.allow_all_in_one_runtime_plane = true and SVC_RUNTIME_PLANE=all, or use PostgreSQL";
    Always EVERYWHERE "database.identity_url":
        |config| !is_split(config) && has_several_sqlite(config)
        => "SQLite is one file for every plane, but the database URLs differ",
        "set database.url alone";
    Always EVERYWHERE "server.base_domain":
        |config| config.server.base_domain.as_ref().is_some_and(|base| *base != config.oidc.issuer_url.host())
        => "server.base_domain is not the host of oidc.issuer_url, so that tenants' issuers would lead elsewhere",
        "set both to the same host";
    Always EVERYWHERE "oidc.issuer_url":
        |config| config.oidc.issuer_url.has_path()
        => "oidc.issuer_url has a path, but pages and endpoints are at the root of their host",
        "set scheme and host alone, and give the service a host of its own";
    Always EVERYWHERE "redis.url":
        |config| config.deployment.coordination_backend == CoordinationBackend::Redis && config.redis.url.is_none()
        => "redis.url is required by deployment.coordination_backend = redis",
        "name the Redis that every node uses";
    Always EVERYWHERE "memcached.address":
        |config| config.deployment.coordination_backend == CoordinationBackend::Memcached
            && config.memcached.address.is_none()
        => "memcached.address is required by deployment.coordination_backend = memcached",
        "name the Memcached that every node uses";
    Always EVERYWHERE "server.tls.cert_pem_path":
        |config| needs_tls(config) && config.server.tls.cert_pem_path.is_none()
        => "server.tls.cert_pem_path is required by server.transport = tls and tls_h2_only",
        "name the certificate chain's PEM file";
    Always EVERYWHERE "server.tls.key_pem_path":
        |config| needs_tls(config) && config.server.tls.key_pem_path.is_none()
        => "server.tls.key_pem_path is required by server.transport = tls and tls_h2_only",
        "name the private key's PEM file";
    Always EVERYWHERE "server.acme.folder":
        |config| config.server.orders_certificates() && config.server.acme.folder.is_none()
        => "server.acme.folder is required by server.acme.domains and server.acme.custom_domains",
        "name a folder that outlives the process";
    Always EVERYWHERE "server.acme.domains":
        |config| config.server.has_acme() && !config.server.transport.is_tls()
        => "server.acme.domains orders a certificate that server.transport = plain_http never shows",
        "set server.transport = \"tls\"";
    Always EVERYWHERE "server.acme.custom_domains":
        |config| config.server.acme.custom_domains && !config.server.transport.is_tls()
        => "server.acme.custom_domains orders certificates that server.transport = plain_http never shows",
        "set server.transport = \"tls\"";
    Always EVERYWHERE "server.tls.domains_folder":
        |config| config.server.tls.domains_folder.is_some() && !config.server.transport.is_tls()
        => "server.tls.domains_folder has certificates that server.transport = plain_http never shows",
        "set server.transport = \"tls\"";
    Always SENDS "email.smtp.host":
        |config| is_smtp(config) && config.email.smtp.host.is_none()
        => "email.smtp.host is required by email.provider = smtp",
        "name the relay";
    Always SENDS "email.smtp.from":
        |config| is_smtp(config) && config.email.smtp.from.is_none()
        => "email.smtp.from is required by email.provider = smtp",
        "name the sender of mails";
    Always SENDS "phone.http.url":
        |config| config.phone.provider == PhoneProvider::Http && config.phone.http.url.is_none()
        => "phone.http.url is required by phone.provider = http",
        "name the gateway";
    Always AUTH "captcha.secret_key":
        |config| config.captcha.enabled && config.captcha.secret_key.is_none()
        => "captcha.enabled needs captcha.secret_key",
        "set captcha.secret_key";
    Always AUTH "captcha.site_key":
        |config| lacks_site_key(config)
        => "captcha.enabled needs captcha.site_key with a provider elsewhere",
        "set captcha.site_key, or captcha.provider = \"proof_of_work\"";

    Production EVERYWHERE "kms.socket_path":
        |config| !config.kms.is_configured()
        => "kms must be configured in production",
        "configure [kms] and run `svc-kms`";
    Production EVERYWHERE "server.transport":
        |config| config.server.transport == Transport::PlainHttp
        => "server.transport = plain_http is refused in production",
        "set server.transport = \"tls\" or \"tls_h2_only\"";
    Production EVERYWHERE "server.allowed_hosts":
        |config| config.server.allowed_hosts.is_empty()
        => "server.allowed_hosts is empty",
        "list the hosts that requests may name";
    Production EVERYWHERE "server.trusted_proxies":
        |config| config.server.trusted_proxies.is_empty() && !config.server.direct_client_exposure
        => "server.trusted_proxies is empty and direct exposure is not declared",
        "list the proxies, or set server.direct_client_exposure = true";
    Production EVERYWHERE "server.request_timeout_secs":
        |config| config.server.request_timeout_secs == Seconds(0)
        => "server.request_timeout_secs must be greater than 0 in production",
        "set a time limit";
    Production EVERYWHERE "server.shutdown_deadline_secs":
        |config| config.server.shutdown_deadline_secs == Seconds(0)
        => "server.shutdown_deadline_secs must be greater than 0 in production",
        "set a time limit";
    Production EVERYWHERE "database.require_ssl":
        lacks_database_tls
        => "database.require_ssl must be true in production",
        "set database.require_ssl = true, or put sslmode=verify-full into every database URL; sslmode=disable, allow and \
         prefer are refused";
    Production EVERYWHERE "database.url":
        |config| config.database.urls().any(|(_, url)| url.is_in_memory())
        => "an SQLite database in memory is refused in production",
        "name a local file";
    Production EVERYWHERE "oidc.issuer_url":
        |config| !config.oidc.issuer_url.is_https()
        => "oidc.issuer_url must use https in production",
        "set the address under which people reach the service";
    Production EVERYWHERE "telemetry.otlp_endpoint":
        |config| sends_telemetry_in_clear(config)
        => "telemetry.otlp_endpoint must use https in production, unless it is on this machine",
        "use https, or a collector on this machine";
    Production EVERYWHERE "openapi.enabled":
        |config| config.openapi.enabled
        => "openapi.enabled must be false in production",
        "set openapi.enabled = false";
    Production EVERYWHERE "oauth_proxy.enabled":
        |config| config.oauth_proxy.enabled
        => "oauth_proxy.enabled must be false in production",
        "set oauth_proxy.enabled = false";
    Production EVERYWHERE "security.webhook_allow_non_standard_ports":
        |config| config.security.webhook_allow_non_standard_ports
        => "security.webhook_allow_non_standard_ports must be false in production",
        "set security.webhook_allow_non_standard_ports = false";
    Production EVERYWHERE "security.outbound_allow_loopback":
        |config| config.security.outbound_allow_loopback
        => "security.outbound_allow_loopback must be false in production",
        "set security.outbound_allow_loopback = false";
    Production AUTH "captcha.enabled":
        |config| !config.captcha.enabled
        => "captcha.enabled must be true in production",
        "set captcha.enabled = true, captcha.secret_key and captcha.fail_mode = \"fail-closed\"";
    Production AUTH "captcha.secret_key":
        |config| has_guessable_challenges(config)
        => "captcha.secret_key must have 32 characters or more in production with captcha.provider = proof_of_work",
        "set a random one: openssl rand -base64 32";
    Production AUTH "captcha.fail_mode":
        |config| config.captcha.fail_mode == FailMode::FailOpen
        => "captcha.fail_mode must not be fail-open in production",
        "set captcha.fail_mode = \"fail-closed\"";
    Production AUTH "captcha.verify_url":
        |config| verifies_in_clear(config)
        => "captcha.verify_url must use https in production, unless it is on this machine",
        "use https, or leave it out for the provider's usual endpoint";
    Production AUTH "hibp.enabled":
        |config| !config.hibp.enabled
        => "hibp.enabled must be true in production",
        "set hibp.enabled = true and hibp.fail_mode = \"fail-closed\"";
    Production AUTH "hibp.fail_mode":
        |config| config.hibp.fail_mode == FailMode::FailOpen
        => "hibp.fail_mode must not be fail-open in production",
        "set hibp.fail_mode = \"fail-closed\"";
    Production AUTH "hibp.api_url":
        |config| config.hibp.list_path.is_none() && !config.hibp.api_url.is_https()
        => "hibp.api_url must use https in production",
        "use https, or look passwords up in a file with hibp.list_path";
    Production SENDS "email.provider":
        |config| config.email.provider == EmailProvider::Log
        => "email.provider must not be log in production",
        "set email.provider = \"smtp\" and [email.smtp]";
    Production SENDS "email.smtp.starttls":
        |config| is_smtp(config) && !config.email.smtp.starttls
        => "email.smtp.starttls must be true in production",
        "set email.smtp.starttls = true";
    Production SENDS "phone.provider":
        |config| config.phone.provider == PhoneProvider::Log
        => "phone.provider must not be log in production",
        "set phone.provider = \"http\" and [phone.http], or \"none\"";
    Production SENDS "phone.http.url":
        |config| sends_texts_in_clear(config)
        => "phone.http.url must use https in production, unless it is on this machine",
        "use https, or a gateway on this machine";
    Production AUTH "auth.argon2_memory_kib":
        |config| config.auth.argon2_memory_kib < 65_536
        => "auth.argon2_memory_kib must be 65536 (64 MiB) or more in production",
        "set auth.argon2_memory_kib = 65536";
    Production AUTH "auth.argon2_parallelism":
        |config| config.auth.argon2_parallelism != 1
        => "auth.argon2_parallelism must be 1 in production",
        "set auth.argon2_parallelism = 1";
}

fn needs_tls(config: &Config) -> bool {
    config.server.transport.is_tls() && !config.server.has_acme()
}

fn lacks_site_key(config: &Config) -> bool {
    let captcha = &config.captcha;
    captcha.enabled && captcha.provider != CaptchaProvider::ProofOfWork && captcha.site_key.is_none()
}

/// Every browser has a challenge with its code: a short secret is found by trying, and then challenges are made that ask for no work.
fn has_guessable_challenges(config: &Config) -> bool {
    let captcha = &config.captcha;
    let is_short =
        || captcha.secret_key.as_ref().is_some_and(|secret| secret.expose().len() < SHORTEST_SECRET);
    captcha.enabled && captcha.provider == CaptchaProvider::ProofOfWork && is_short()
}

fn verifies_in_clear(config: &Config) -> bool {
    config.captcha.provider != CaptchaProvider::ProofOfWork
        && config.captcha.verify_url.as_ref().is_some_and(crosses_a_network_in_clear)
}

fn is_smtp(config: &Config) -> bool {
    config.email.provider == EmailProvider::Smtp
}

fn sends_telemetry_in_clear(config: &Config) -> bool {
    config.telemetry.otlp_endpoint.as_ref().is_some_and(crosses_a_network_in_clear)
}

fn sends_texts_in_clear(config: &Config) -> bool {
    config.phone.provider == PhoneProvider::Http
        && config.phone.http.url.as_ref().is_some_and(crosses_a_network_in_clear)
}

pub(super) fn crosses_a_network_in_clear(url: &HttpUrl) -> bool {
    !url.is_https() && !publicity::is_local(&url.host())
}

fn is_split(config: &Config) -> bool {
    config.deployment.database_topology == DatabaseTopology::SplitByPlane
}

/// Whether the planes that this process runs, and the identity records, have an address.
fn has_databases(config: &Config) -> bool {
    let planes = match config.plane {
        Plane::All => Plane::ALL,
        ref one => std::slice::from_ref(one),
    };
    config.identity_database_url().is_some()
        && planes.iter().all(|plane| config.database_url(*plane).is_some())
}

fn has_sqlite(config: &Config) -> bool {
    config.database.urls().any(|(_, url)| url.engine() == Engine::Sqlite)
}

fn has_several_sqlite(config: &Config) -> bool {
    let file = |url: &str| url.split('?').next().map(|path| path.replacen("sqlite://", "sqlite:", 1));
    let mut urls = config.database.urls().map(|(_, url)| file(url.expose()));
    has_sqlite(config) && urls.next().is_some_and(|first| urls.any(|url| url != first))
}

/// Nothing crosses a network with `SQLite`.
fn lacks_database_tls(config: &Config) -> bool {
    config.database.urls().any(|(_, url)| config.database.is_in_clear(url))
}

#[cfg(test)]
mod tests;
