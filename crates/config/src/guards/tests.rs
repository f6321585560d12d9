//! Each rule alone: a valid configuration, broken in one way, says exactly that rule's message.

use super::super::fixtures::{PRODUCTION, start};
use super::*;

/// For every guard, in its order, one environment that breaks it and nothing else. An empty value takes the
/// key out.
fn breaks(key: &str, when: When) -> &'static [(&'static str, &'static str)] {
    match (key, when) {
        ("security.production", _) => &[("SVC_SECURITY__PRODUCTION", "false")],
        ("SVC_RUNTIME_PLANE", _) => &[("SVC_DEPLOYMENT__ALLOW_ALL_IN_ONE_RUNTIME_PLANE", "false")],
        ("database.url", When::Always) => &[("database", "")],
        ("deployment.database_topology", _) => {
            &[("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane"), ("DATABASE_URL", "sqlite:svc.db")]
        }
        ("deployment.allow_all_in_one_runtime_plane", _) => {
            &[("SVC_RUNTIME_PLANE", "auth"), ("DATABASE_URL", "sqlite:svc.db")]
        }
        ("database.identity_url", _) => {
            &[("DATABASE_URL", "sqlite:a.db"), ("DATABASE_AUTH_URL", "sqlite:b.db")]
        }
        ("server.tls.cert_pem_path", _) => &[("server.tls.cert_pem_path", "")],
        ("server.tls.key_pem_path", _) => &[("server.tls.key_pem_path", "")],
        ("email.smtp.host", _) => &[("email.smtp.host", "")],
        ("email.smtp.from", _) => &[("email.smtp.from", "")],
        ("phone.http.url", _) => &[("SVC_PHONE__PROVIDER", "http")],
        ("captcha.secret_key", _) => &[("captcha.secret_key", "")],
        ("kms.socket_path", _) => &[("kms", "")],
        ("server.transport", _) => &[("SVC_SERVER__TRANSPORT", "plain_http")],
        ("server.allowed_hosts", _) => &[("server.allowed_hosts", "")],
        ("server.trusted_proxies", _) => &[("server.trusted_proxies", "")],
        ("server.request_timeout_secs", _) => &[("SVC_SERVER__REQUEST_TIMEOUT_SECS", "0")],
        ("server.shutdown_deadline_secs", _) => &[("SVC_SERVER__SHUTDOWN_DEADLINE_SECS", "0")],
        ("database.require_ssl", _) => &[("SVC_DATABASE__REQUIRE_SSL", "false")],
        ("database.url", When::Production) => &[("DATABASE_URL", "sqlite::memory:")],
        ("oidc.issuer_url", _) => &[("SVC_OIDC__ISSUER_URL", "http://id.example.com")],
        ("openapi.enabled", _) => &[("SVC_OPENAPI__ENABLED", "true")],
        ("oauth_proxy.enabled", _) => &[("SVC_OAUTH_PROXY__ENABLED", "true")],
        ("security.webhook_allow_non_standard_ports", _) => {
            &[("SVC_SECURITY__WEBHOOK_ALLOW_NON_STANDARD_PORTS", "true")]
        }
        ("security.outbound_allow_loopback", _) => &[("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true")],
        ("captcha.enabled", _) => &[("SVC_CAPTCHA__ENABLED", "false")],
        ("captcha.fail_mode", _) => &[("SVC_CAPTCHA__FAIL_MODE", "fail-open")],
        ("hibp.enabled", _) => &[("SVC_HIBP__ENABLED", "false")],
        ("hibp.fail_mode", _) => &[("SVC_HIBP__FAIL_MODE", "fail-open")],
        ("email.provider", _) => &[("SVC_EMAIL__PROVIDER", "log")],
        ("email.smtp.starttls", _) => &[("SVC_EMAIL__SMTP__STARTTLS", "false")],
        ("phone.provider", _) => &[("SVC_PHONE__PROVIDER", "log")],
        ("auth.argon2_memory_kib", _) => &[("SVC_AUTH__ARGON2_MEMORY_KIB", "19456")],
        ("auth.argon2_parallelism", _) => &[("SVC_AUTH__ARGON2_PARALLELISM", "2")],
        (key, _) => panic!("{key} has no test: say how it is broken"),
    }
}

fn without(document: &mut toml::Table, path: &str) {
    match path.split_once('.') {
        None => drop(document.remove(path)),
        Some((table, rest)) => without(document[table].as_table_mut().unwrap(), rest),
    }
}

fn broken(breaks: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
    let mut document: toml::Table = PRODUCTION.parse().unwrap();
    let (taken, env): (Vec<_>, Vec<_>) = breaks.iter().partition(|(_, value)| value.is_empty());
    for (path, _) in taken {
        without(&mut document, path);
    }
    (document.to_string(), super::super::fixtures::env(&env))
}

#[test]
fn each_broken_rule_alone_says_exactly_its_message() {
    for guard in GUARDS {
        let (toml, env) = broken(breaks(guard.key, guard.when));
        // The environment wins over the file, shortcuts included.
        let faults = Config::load_for_start(Some(("svc.toml", &toml)), &env).unwrap_err();
        assert_eq!(faults.to_string(), format!("{}: {}; {}", guard.key, guard.message, guard.fix));
    }
}

#[test]
fn a_valid_production_configuration_starts_on_every_plane() {
    for plane in ["all", "auth", "control", "async"] {
        let config = start(PRODUCTION, &[("SVC_RUNTIME_PLANE", plane)]).unwrap();
        assert_eq!(config.plane.as_str(), plane);
    }
}

#[test]
fn abuse_controls_and_delivery_are_the_auth_planes_business() {
    let env =
        [("SVC_CAPTCHA__ENABLED", "false"), ("SVC_HIBP__ENABLED", "false"), ("SVC_PHONE__PROVIDER", "log")];
    for (plane, faults) in [("auth", 3), ("all", 3), ("control", 0), ("async", 0)] {
        let started = start(PRODUCTION, &[&env[..], &[("SVC_RUNTIME_PLANE", plane)]].concat());
        assert_eq!(started.map_or_else(|faults| faults.0.len(), |_| 0), faults, "{plane}");
    }
}

#[test]
fn production_does_not_assume_that_one_process_runs_everything() {
    let toml = PRODUCTION.replace("deployment.allow_all_in_one_runtime_plane = true", "");
    let message = start(&toml, &[]).unwrap_err().to_string();
    assert!(message.contains("SVC_RUNTIME_PLANE must be one of auth, control, async"), "{message}");
    start("", &[("DATABASE_URL", "sqlite:svc.db")]).unwrap();
}

#[test]
fn sqlite_in_production_is_one_process_and_one_file() {
    let env = [("DATABASE_URL", "sqlite:svc.db"), ("SVC_DATABASE__REQUIRE_SSL", "false")];
    start(PRODUCTION, &env).unwrap();
}

#[test]
fn sslmode_settles_tls_for_every_address_or_for_none() {
    let env = [
        ("DATABASE_URL", "postgres://db/svc?sslmode=verify-full"),
        ("SVC_DATABASE__REQUIRE_SSL", "false"),
        ("MIGRATION_DATABASE_URL", "postgres://db/svc"),
    ];
    start(PRODUCTION, &env[..2]).unwrap();
    assert!(start(PRODUCTION, &env).unwrap_err().to_string().starts_with("database.require_ssl"));
}

#[test]
fn what_is_not_local_needs_production() {
    let database = ("DATABASE_URL", "sqlite:svc.db");
    for public in [
        ("SVC_SERVER__HOST", "192.0.2.1"),
        ("SVC_SERVER__HOST", "10.0.0.1"),
        ("SVC_OIDC__ISSUER_URL", "https://id.example.com"),
        ("SVC_OIDC__ISSUER_URL", "http://192.168.1.5:8080"),
        ("SVC_SERVER__ALLOWED_HOSTS", r#"["localhost", "id.example.com"]"#),
        ("SVC_SERVER__BASE_DOMAIN", "example.com"),
        ("SVC_SERVER__DASHBOARD_APP_ORIGIN", "https://localhost.example.com"),
        ("SVC_PASSKEY__ORIGIN", "https://id.example.com"),
    ] {
        let message = start("", &[database, public]).unwrap_err().to_string();
        assert!(message.contains("security.production must be true"), "{public:?}: {message}");
    }
    for local in [
        ("SVC_SERVER__HOST", "0.0.0.0"),
        ("SVC_SERVER__HOST", "::1"),
        ("SVC_SERVER__DIRECT_CLIENT_EXPOSURE", "true"),
        ("SVC_OIDC__ISSUER_URL", "http://acme.localhost:8080"),
        ("SVC_OIDC__ISSUER_URL", "http://[::1]:8080"),
        ("SVC_SERVER__ALLOWED_HOSTS", r#"["localhost", "*.localhost", "127.0.0.1", "[::1]"]"#),
        ("SVC_SERVER__BASE_DOMAIN", "localhost"),
    ] {
        assert!(start("", &[database, local]).is_ok(), "{local:?}");
    }
    let exposed = [database, ("SVC_SERVER__HOST", "::"), ("SVC_SERVER__DIRECT_CLIENT_EXPOSURE", "true")];
    assert!(start("", &exposed).is_err());
}

#[test]
fn a_split_deployment_names_the_identity_database_and_each_planes() {
    let toml = PRODUCTION.replace("url = \"postgres://svc:pw@db/svc\", ", "");
    let mut env = vec![
        ("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane"),
        ("SVC_RUNTIME_PLANE", "auth"),
        ("DATABASE_AUTH_URL", "postgres://db/auth"),
    ];
    assert!(start(&toml, &env).unwrap_err().to_string().contains("database URL is required"));
    env.push(("DATABASE_IDENTITY_URL", "postgres://db/identity"));
    start(&toml, &env).unwrap();
}
