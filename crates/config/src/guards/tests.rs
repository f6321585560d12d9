//! Each rule alone: a valid configuration, broken in one way, says exactly that rule's message.

use super::super::fixtures::{PRODUCTION, start};
use super::*;

/// For every guard, in its order, one environment that breaks it and nothing else. An empty value takes the
/// key out.
fn breaks(key: &str, when: When, message: &str) -> &'static [(&'static str, &'static str)] {
    match (key, when) {
        ("SVC_RUNTIME_PLANE", _) => &[("SVC_DEPLOYMENT__ALLOW_ALL_IN_ONE_RUNTIME_PLANE", "false")],
        ("database.url", When::Always) => &[("database", "")],
        ("deployment.database_topology", _) => &[
            ("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane"),
            ("DATABASE_URL", "sqlite:svc.db"),
            ("DATABASE_IDENTITY_URL", "sqlite:svc.db"),
        ],
        ("deployment.allow_all_in_one_runtime_plane", _) => {
            &[("SVC_RUNTIME_PLANE", "auth"), ("DATABASE_URL", "sqlite:svc.db")]
        }
        ("database.identity_url", _) if message.contains("split_by_plane") => {
            &[("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane")]
        }
        ("database.identity_url", _) => {
            &[("DATABASE_URL", "sqlite:a.db"), ("DATABASE_AUTH_URL", "sqlite:b.db")]
        }
        ("server.base_domain", _) => &[("SVC_SERVER__BASE_DOMAIN", "example.com")],
        ("redis.url", _) => &[("SVC_DEPLOYMENT__COORDINATION_BACKEND", "redis")],
        ("memcached.address", _) => &[("SVC_DEPLOYMENT__COORDINATION_BACKEND", "memcached")],
        ("server.tls.cert_pem_path", _) => &[("server.tls.cert_pem_path", "")],
        ("server.tls.key_pem_path", _) => &[("server.tls.key_pem_path", "")],
        ("server.acme.folder", _) => &[("SVC_SERVER__ACME__DOMAINS", r#"["id.example.com"]"#)],
        // Without TLS, which production demands as well; that rule is left out below.
        ("server.acme.domains", _) => &[
            ("SVC_SERVER__ACME__DOMAINS", r#"["id.example.com"]"#),
            ("SVC_SERVER__ACME__FOLDER", "acme"),
            ("SVC_SERVER__TRANSPORT", "plain_http"),
        ],
        ("server.acme.custom_domains", _) => &[
            ("SVC_SERVER__ACME__CUSTOM_DOMAINS", "true"),
            ("SVC_SERVER__ACME__FOLDER", "acme"),
            ("SVC_SERVER__TRANSPORT", "plain_http"),
        ],
        ("server.tls.domains_folder", _) => {
            &[("SVC_SERVER__TLS__DOMAINS_FOLDER", "domains"), ("SVC_SERVER__TRANSPORT", "plain_http")]
        }
        ("email.smtp.host", _) => &[("email.smtp.host", "")],
        ("email.smtp.from", _) => &[("email.smtp.from", "")],
        ("phone.http.url", When::Always) => &[("SVC_PHONE__PROVIDER", "http")],
        ("phone.http.url", _) => {
            &[("SVC_PHONE__PROVIDER", "http"), ("SVC_PHONE__HTTP__URL", "http://gateway.example/messages")]
        }
        ("captcha.secret_key", When::Always) => &[("captcha.secret_key", "")],
        ("captcha.secret_key", _) => &[("SVC_CAPTCHA__SECRET_KEY", "guessed-by-trying")],
        ("kms.socket_path", _) => &[("kms", "")],
        ("server.transport", _) => &[("SVC_SERVER__TRANSPORT", "plain_http")],
        ("server.allowed_hosts", _) => &[("server.allowed_hosts", "")],
        ("server.trusted_proxies", _) => &[("server.trusted_proxies", "")],
        ("server.request_timeout_secs", _) => &[("SVC_SERVER__REQUEST_TIMEOUT_SECS", "0")],
        ("server.shutdown_deadline_secs", _) => &[("SVC_SERVER__SHUTDOWN_DEADLINE_SECS", "0")],
        ("database.require_ssl", _) => &[("SVC_DATABASE__REQUIRE_SSL", "false")],
        ("database.url", When::Production) => &[("DATABASE_URL", "sqlite::memory:")],
        ("oidc.issuer_url", When::Always) => &[("SVC_OIDC__ISSUER_URL", "https://id.example.com/auth")],
        ("oidc.issuer_url", _) => &[("SVC_OIDC__ISSUER_URL", "http://id.example.com")],
        ("telemetry.otlp_endpoint", _) => {
            &[("SVC_TELEMETRY__OTLP_ENDPOINT", "http://collector.example:4318")]
        }
        ("openapi.enabled", _) => &[("SVC_OPENAPI__ENABLED", "true")],
        ("oauth_proxy.enabled", _) => &[("SVC_OAUTH_PROXY__ENABLED", "true")],
        ("security.webhook_allow_non_standard_ports", _) => {
            &[("SVC_SECURITY__WEBHOOK_ALLOW_NON_STANDARD_PORTS", "true")]
        }
        ("security.outbound_allow_loopback", _) => &[("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true")],
        ("captcha.site_key", _) => &[("SVC_CAPTCHA__PROVIDER", "turnstile")],
        ("captcha.enabled", _) => &[("SVC_CAPTCHA__ENABLED", "false")],
        ("captcha.fail_mode", _) => &[("SVC_CAPTCHA__FAIL_MODE", "fail-open")],
        ("captcha.verify_url", _) => &[
            ("SVC_CAPTCHA__PROVIDER", "turnstile"),
            ("SVC_CAPTCHA__SITE_KEY", "site"),
            ("SVC_CAPTCHA__VERIFY_URL", "http://verify.example/siteverify"),
        ],
        ("hibp.api_url", _) => &[("SVC_HIBP__API_URL", "http://mirror.example")],
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
        let (toml, env) = broken(breaks(guard.key, guard.when, guard.message));
        // The environment wins over the file, shortcuts included.
        let found = faults(&Config::load(Some(("svc.toml", &toml)), &env).unwrap());
        let others = [
            ("server.acme.domains", "server.transport"),
            ("server.acme.custom_domains", "server.transport"),
            ("server.tls.domains_folder", "server.transport"),
        ];
        let is_other = |fault: &&Fault| others.contains(&(guard.key, fault.key.as_str()));
        let found: Vec<_> = found.iter().filter(|fault| !is_other(fault)).map(ToString::to_string).collect();
        assert_eq!(found, [format!("{}: {}; {}", guard.key, guard.message, guard.fix)]);
    }
}

#[test]
fn a_valid_production_configuration_starts_on_every_plane() {
    for plane in ["all", "auth", "control", "async"] {
        let config = start(PRODUCTION, &[("SVC_RUNTIME_PLANE", plane)]).unwrap();
        assert_eq!(config.plane.as_str(), plane);
    }
}

fn faults_on(plane: &str, env: &[(&str, &str)]) -> usize {
    let started = start(PRODUCTION, &[env, &[("SVC_RUNTIME_PLANE", plane)]].concat());
    started.map_or_else(|faults| faults.0.len(), |_| 0)
}

#[test]
fn abuse_controls_are_the_auth_planes_business() {
    let env = [("SVC_CAPTCHA__ENABLED", "false"), ("SVC_HIBP__ENABLED", "false")];
    for (plane, faults) in [("auth", 2), ("all", 2), ("control", 0), ("async", 0)] {
        assert_eq!(faults_on(plane, &env), faults, "{plane}");
    }
}

#[test]
fn delivery_is_the_business_of_the_plane_that_queues_and_of_the_one_that_sends() {
    let in_clear = [("SVC_PHONE__PROVIDER", "http"), ("SVC_PHONE__HTTP__URL", "http://gateway.example")];
    let logged = [("SVC_EMAIL__PROVIDER", "log"), ("SVC_PHONE__PROVIDER", "log")];
    for (plane, refuses) in [("auth", true), ("all", true), ("control", false), ("async", true)] {
        let starttls = [("SVC_EMAIL__SMTP__STARTTLS", "false")];
        assert_eq!(faults_on(plane, &starttls), usize::from(refuses), "{plane}");
        assert_eq!(faults_on(plane, &in_clear), usize::from(refuses), "{plane}");
        assert_eq!(faults_on(plane, &logged), 2 * usize::from(refuses), "{plane}");
    }
}

#[test]
fn a_gateway_for_text_messages_on_this_machine_may_do_without_tls() {
    for url in ["http://localhost:9000/messages", "http://127.0.0.1:9000", "https://gateway.example"] {
        start(PRODUCTION, &[("SVC_PHONE__PROVIDER", "http"), ("SVC_PHONE__HTTP__URL", url)]).unwrap();
    }
    // What is not used may stand there.
    start(PRODUCTION, &[("SVC_PHONE__HTTP__URL", "http://gateway.example")]).unwrap();
}

#[test]
fn a_captcha_endpoint_that_is_asked_nothing_or_is_on_this_machine_may_do_without_tls() {
    let at = |provider: &'static str, url: &'static str| {
        let provider = [("SVC_CAPTCHA__PROVIDER", provider), ("SVC_CAPTCHA__SITE_KEY", "site")];
        start(PRODUCTION, &[&provider[..], &[("SVC_CAPTCHA__VERIFY_URL", url)]].concat())
    };
    at("turnstile", "http://127.0.0.1:9000/siteverify").unwrap();
    at("turnstile", "https://verify.example/siteverify").unwrap();
    at("proof_of_work", "http://verify.example/siteverify").unwrap();
    assert!(at("hcaptcha", "http://verify.example/siteverify").is_err());
}

#[test]
fn the_secret_of_a_captcha_provider_is_as_long_as_the_provider_has_made_it() {
    let env = [
        ("SVC_CAPTCHA__PROVIDER", "turnstile"),
        ("SVC_CAPTCHA__SITE_KEY", "site"),
        ("SVC_CAPTCHA__SECRET_KEY", "0x4AAA"),
    ];
    start(PRODUCTION, &env).unwrap();
    assert!(start(PRODUCTION, &env[2..]).is_err());
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
fn an_address_that_lets_connections_do_without_tls_is_refused_whatever_require_ssl_says() {
    let names = ["disable", "allow", "prefer"].map(|mode| ("sslmode", mode));
    // What the driver takes for the same.
    let others = [("ssl-mode", "disable"), ("ssl%6Dode", "prefer"), ("sslmode=require&ssl-mode", "allow")];
    for (name, mode) in names.into_iter().chain(others) {
        let url = format!("postgres://db/svc?{name}={mode}");
        let env = [("DATABASE_URL", url.as_str()), ("SVC_DATABASE__REQUIRE_SSL", "true")];
        assert!(
            start(PRODUCTION, &env).unwrap_err().to_string().starts_with("database.require_ssl"),
            "{url}"
        );
    }
}

#[test]
fn both_kinds_of_tls_do_for_production() {
    for transport in ["tls", "tls_h2_only"] {
        start(PRODUCTION, &[("SVC_SERVER__TRANSPORT", transport)]).unwrap();
    }
}

#[test]
fn a_second_factor_that_no_one_may_set_up_is_demanded_of_no_one() {
    for key in ["SVC_ADMIN__SECOND_FACTOR_REQUIRED", "SVC_TWO_FACTOR__REQUIRED"] {
        let pairs = [("DATABASE_URL", "sqlite:svc.db"), ("SVC_TWO_FACTOR__ENABLED", "false"), (key, "true")];
        let faults =
            Config::load_for_start(None, &super::super::fixtures::env(&pairs)).unwrap_err().to_string();
        assert!(faults.contains("needs two_factor.enabled"), "{faults}");
    }
}

#[test]
fn a_key_without_effect_is_remarked_on_when_it_is_set() {
    let warned = |pairs: &[(&str, &str)]| {
        let config = Config::load(None, &super::super::fixtures::env(pairs)).unwrap();
        config.warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(warned(&[("SVC_SERVER__PORT", "9000"), ("SVC_VAULT__MAX_SECRET_BYTES", "65536")]).is_empty());
    let said = warned(&[("SVC_VAULT__MAX_SECRET_BYTES", "9"), ("SVC_FOO", "1")]);
    assert!(said[0].starts_with("vault.max_secret_bytes: has no effect in this version"), "{said:?}");
    assert!(said.len() == 2 && said[1].starts_with("SVC_FOO: is not a variable"), "{said:?}");
}

#[test]
fn a_key_that_production_demands_is_not_remarked_on() {
    assert_eq!(start(PRODUCTION, &[]).unwrap().warnings(), Vec::new());
}

#[test]
fn a_list_of_proxies_that_has_the_addresses_of_strangers_is_remarked_on() {
    for (given, network) in [
        ("0.0.0.0/0", Some("0.0.0.0/0")),
        ("::/0", Some("::/0")),
        ("0.0.0.0/1", Some("0.0.0.0/1")),
        ("10.0.0.0/8", None),
        ("fd00::/8", None),
    ] {
        let given = format!("[\"127.0.0.1\", \"{given}\"]");
        let config = start(PRODUCTION, &[("SVC_SERVER__TRUSTED_PROXIES", &given)]).unwrap();
        let told: Vec<_> = config.warnings().iter().map(ToString::to_string).collect();
        let told = told.iter().map(|line| line.split(" has addresses of strangers").next().unwrap());
        let expected = network.map(|network| format!("server.trusted_proxies: {network}"));
        assert_eq!(told.collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>(), "{given}");
    }
}

#[test]
fn what_is_not_local_needs_production_and_is_named() {
    let database = ("DATABASE_URL", "sqlite:svc.db");
    for (name, value, named) in [
        ("SVC_SERVER__HOST", "192.0.2.1", "server.host = 192.0.2.1 is"),
        ("SVC_SERVER__HOST", "10.0.0.1", "server.host = 10.0.0.1 is"),
        ("SVC_SERVER__HOST", "0.0.0.0", "server.host = 0.0.0.0 is"),
        ("SVC_SERVER__HOST", "::", "server.host = :: is"),
        ("SVC_OIDC__ISSUER_URL", "https://id.example.com", "oidc.issuer_url = https://id.example.com is"),
        ("SVC_OIDC__ISSUER_URL", "http://192.168.1.5:8080", "oidc.issuer_url = http://192.168.1.5:8080 is"),
        ("SVC_SERVER__ALLOWED_HOSTS", r#"["localhost", "a.example"]"#, "server.allowed_hosts = a.example is"),
        ("SVC_SERVER__BASE_DOMAIN", "example.com", "server.base_domain = example.com is"),
        (
            "SVC_SERVER__TRUSTED_PROXIES",
            r#"["127.0.0.1", "10.0.0.0/8"]"#,
            "server.trusted_proxies = 10.0.0.0/8 is",
        ),
        (
            "SVC_SERVER__DASHBOARD_APP_ORIGIN",
            "https://a.example",
            "server.dashboard_app_origin = https://a.example is",
        ),
    ] {
        let message = start("", &[database, (name, value)]).unwrap_err().to_string();
        assert!(message.contains("security.production must be true"), "{name}: {message}");
        assert!(message.contains(&format!("because {named} not local")), "{name}: {message}");
    }
    let passkeys =
        [("SVC_PASSKEY__ORIGIN", "https://id.example.com"), ("SVC_PASSKEY__RP_ID", "id.example.com")];
    let message = start("", &[database, passkeys[0], passkeys[1]]).unwrap_err().to_string();
    assert!(message.contains("because passkey.origin = https://id.example.com is not local"), "{message}");
    for local in [
        ("SVC_SERVER__HOST", "127.0.0.2"),
        ("SVC_SERVER__HOST", "::1"),
        ("SVC_SERVER__DIRECT_CLIENT_EXPOSURE", "true"),
        ("SVC_OIDC__ISSUER_URL", "http://acme.localhost:8080"),
        ("SVC_OIDC__ISSUER_URL", "http://[::1]:8080"),
        ("SVC_SERVER__ALLOWED_HOSTS", r#"["localhost", "*.localhost", "127.0.0.1", "[::1]"]"#),
        ("SVC_SERVER__BASE_DOMAIN", "localhost"),
        ("SVC_SERVER__TRUSTED_PROXIES", r#"["127.0.0.0/8", "::1"]"#),
    ] {
        assert!(start("", &[database, local]).is_ok(), "{local:?}");
    }
}

#[test]
fn every_key_that_made_it_public_is_named_at_once() {
    let env = [
        ("DATABASE_URL", "sqlite:svc.db"),
        ("SVC_SERVER__HOST", "0.0.0.0"),
        ("SVC_OIDC__ISSUER_URL", "http://id.example"),
    ];
    let message = start("", &env).unwrap_err().to_string();
    assert!(
        message.contains("server.host = 0.0.0.0, oidc.issuer_url = http://id.example are not local"),
        "{message}"
    );
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
