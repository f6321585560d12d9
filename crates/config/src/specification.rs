//! Every section and key that the specification names exists, with its default and range.

use super::load::known::describe;
use super::load::reader::Entry;

const KEYS: &[(&str, &str)] = &[
    (
        "deployment",
        "allow_all_in_one_runtime_plane background_tasks_enabled embedded_chain_monitor \
         coordination_backend database_topology",
    ),
    ("redis", "url pool_size"),
    ("memcached", "address pool_size max_idle connect_timeout_secs command_timeout_secs"),
    (
        "server",
        "host port transport base_domain identity_app_origin dashboard_app_origin allowed_hosts \
         trusted_proxies direct_client_exposure metrics_bearer_token endpoint_throttle \
         request_timeout_secs shutdown_deadline_secs",
    ),
    ("server.tls", "cert_pem_path key_pem_path ca_pem_path"),
    (
        "database",
        "url identity_url auth_url control_url async_url migration_url maintenance_url max_connections \
         min_connections connect_timeout_secs idle_timeout_secs max_lifetime_secs \
         statement_cache_capacity test_before_acquire statement_timeout_secs \
         idle_in_transaction_timeout_secs maintenance_statement_timeout_secs require_ssl",
    ),
    ("database.auth_pool", "max_connections min_connections"),
    ("database.control_pool", "max_connections min_connections"),
    ("database.async_pool", "max_connections min_connections"),
    ("kms", "socket_path server_public_key_path client_private_key_path"),
    (
        "auth",
        "argon2_memory_kib argon2_iterations argon2_parallelism argon2_max_concurrent \
         brute_force_max_attempts brute_force_lockout_secs password_verify_ip_max_attempts \
         password_verify_ip_window_secs registration_rate_limit_max registration_rate_limit_window_secs",
    ),
    ("email", "provider"),
    ("email.smtp", "starttls host port username password from"),
    ("phone", "provider"),
    ("phone.log", "sink"),
    ("captcha", "enabled secret_key fail_mode"),
    ("hibp", "enabled fail_mode"),
    (
        "jwt",
        "default_algorithm access_token_lifetime_human_secs access_token_lifetime_agent_secs \
         refresh_token_lifetime_human_secs refresh_token_lifetime_agent_secs id_token_lifetime_secs \
         key_rotation_days refresh_reuse_grace_secs",
    ),
    ("oidc", "issuer_url authorization_code_lifetime_secs"),
    ("passkey", "rp_id rp_name origin"),
    ("security", "production webhook_allow_non_standard_ports outbound_allow_loopback"),
    ("openapi", "enabled"),
    ("oauth_proxy", "enabled"),
    ("tenant", "default_tenant_slug"),
];

const NAMED_ONLY: &str = "\
    social enterprise_sso generic_oauth sms email_otp magic_link anonymous two_factor adaptive_mfa \
    challenge device_authorization session_cookie admin access_control proxy wallet chains[] siwe \
    api_keys i18n billing commerce dpop organizations invitations verified_domains vault webhooks scim \
    telemetry refresh_family_cache user_self_service";

#[test]
fn every_key_of_the_specification_exists() {
    let entries = describe();
    let has = |path: &str| entries.iter().any(|entry| entry.path() == path);
    for (section, keys) in KEYS {
        assert!(has(section), "[{section}]");
        for key in keys.split_whitespace() {
            assert!(has(&format!("{section}.{key}")), "{section}.{key}");
        }
    }
    for section in NAMED_ONLY.split_whitespace() {
        assert!(has(section), "[{section}]");
    }
}

#[test]
fn token_lifetimes_have_the_specified_defaults_and_ranges() {
    let table = [
        ("jwt.access_token_lifetime_human_secs", 900, "60..=86400"),
        ("jwt.access_token_lifetime_agent_secs", 300, "60..=86400"),
        ("jwt.refresh_token_lifetime_human_secs", 604_800, "3600..=7776000"),
        ("jwt.refresh_token_lifetime_agent_secs", 86_400, "3600..=7776000"),
        ("jwt.id_token_lifetime_secs", 300, "60..=3600"),
        ("jwt.key_rotation_days", 30, "1..=365"),
        ("jwt.refresh_reuse_grace_secs", 10, "0..=60"),
        ("oidc.authorization_code_lifetime_secs", 60, "10..=60"),
        ("oidc.par_lifetime_secs", 60, "30..=90"),
    ];
    let entries = describe();
    for (key, default, range) in table {
        let Some(Entry::Key { allowed, value, .. }) = entries.iter().find(|entry| entry.path() == key) else {
            panic!("{key} is missing")
        };
        assert_eq!(value, &Some(toml::Value::Integer(default)), "{key}");
        assert!(allowed.ends_with(&format!(" in {range}")), "{key}: {allowed}");
    }
}

#[test]
fn startup_errors_contain_the_texts_of_the_specification() {
    let texts = [
        "server.transport = plain_http",
        "server.allowed_hosts",
        "trusted_proxies",
        "database URL is required",
        "database.require_ssl",
        "kms must be configured",
        "openapi.enabled must be false",
        "captcha.enabled",
        "hibp.enabled",
    ];
    for text in texts {
        assert!(super::GUARDS.iter().any(|guard| guard.message.contains(text)), "{text}");
    }
    let public = super::fixtures::config(&[("SVC_SERVER__HOST", "0.0.0.0")]);
    let told = super::guards::publicity::fault(&public).unwrap().to_string();
    assert!(told.contains("security.production must be true"), "{told}");
}
