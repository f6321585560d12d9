//! A configuration that cannot be right is refused in words before anything is opened (N94).

use super::Place;

#[tokio::test]
async fn values_out_of_range_misspelt_or_mistyped_keep_every_command_from_starting() {
    for (name, value, says) in [
        ("SVC_JWT__ACCESS_TOKEN_LIFETIME_HUMAN_SECS", "59", "access_token_lifetime_human_secs"),
        ("SVC_JWT__ACCESS_TOKEN_LIFETIME_HUMAN_SECS", "86401", "access_token_lifetime_human_secs"),
        ("SVC_JWT__ACCESS_TOKEN_LIFETIME_AGENT_SECS", "59", "access_token_lifetime_agent_secs"),
        ("SVC_JWT__REFRESH_TOKEN_LIFETIME_HUMAN_SECS", "3599", "refresh_token_lifetime_human_secs"),
        ("SVC_JWT__REFRESH_TOKEN_LIFETIME_HUMAN_SECS", "7776001", "refresh_token_lifetime_human_secs"),
        ("SVC_JWT__REFRESH_TOKEN_LIFETIME_AGENT_SECS", "3599", "refresh_token_lifetime_agent_secs"),
        ("SVC_JWT__ID_TOKEN_LIFETIME_SECS", "59", "id_token_lifetime_secs"),
        ("SVC_JWT__ID_TOKEN_LIFETIME_SECS", "3601", "id_token_lifetime_secs"),
        ("SVC_JWT__KEY_ROTATION_DAYS", "0", "key_rotation_days"),
        ("SVC_JWT__KEY_ROTATION_DAYS", "366", "key_rotation_days"),
        ("SVC_JWT__DEFAULT_ALGORITHM", "HS256", "default_algorithm"),
        ("SVC_JWT__DEFAULT_ALGORITHM", "none", "default_algorithm"),
        ("SVC_SERVER__PORT", "0", "server.port"),
        ("SVC_SERVER__PORT", "65536", "server.port"),
        ("SVC_SERVER__PORT", "http", "server.port"),
        ("SVC_SERVER__PROT", "8080", "SVC_SERVER__PORT"),
        ("SVC_SERVER__ALLOWED_HOSTS", "localhost", "allowed_hosts"),
        ("SVC_RUNTIME_PLANE", "everything", "SVC_RUNTIME_PLANE"),
        ("DATABASE_URL", "mysql://localhost/svc", "database"),
    ] {
        let mut place = Place::empty().await;
        place.set(name, value);
        for command in [&[][..], &["--migrate-only"], &["config", "check"]] {
            place.refuses(command, says).await;
        }
        assert!(place.is_untouched().await, "{name}={value}");
    }
}

#[tokio::test]
async fn a_refresh_token_does_not_end_before_its_access_token() {
    let mut place = Place::empty().await;
    place.set("SVC_JWT__ACCESS_TOKEN_LIFETIME_HUMAN_SECS", "7200");
    place.set("SVC_JWT__REFRESH_TOKEN_LIFETIME_HUMAN_SECS", "3600");
    place.refuses(&[], "refresh_token_lifetime_human_secs").await;
    place.refuses(&["--migrate-only"], "refresh_token_lifetime_human_secs").await;
}

#[tokio::test]
async fn a_file_with_an_unknown_key_or_broken_text_is_refused_with_its_place() {
    for (text, says) in [
        ("server.prot = 1", "server.port"),
        ("[sevrer]\nport = 1", "server"),
        ("server.port = ", "svc.toml"),
        ("server.port = \"80", "svc.toml"),
    ] {
        let place = Place::empty().await;
        place.write("svc.toml", text);
        place.refuses(&[], says).await;
        assert!(place.is_untouched().await, "{text}");
    }
    let mut place = Place::empty().await;
    place.set("SVC_CONFIG_FILE", "absent.toml");
    place.refuses(&[], "absent.toml").await;
}

#[tokio::test]
async fn the_check_shows_what_is_effective_and_no_secret() {
    let mut place = Place::empty().await;
    place.set("SVC_SERVER__METRICS_BEARER_TOKEN", "canary-metrics-token");
    place.set("SVC_EMAIL__SMTP__PASSWORD", "canary-smtp-password");
    let shown = place.run(&["config", "check"]).await;
    assert!(shown.is_success && shown.stdout.contains("metrics_bearer_token"), "{shown:?}");
    assert!(!shown.stdout.contains("canary") && !shown.stderr.contains("canary"), "{shown:?}");
    assert!(place.is_untouched().await);
}

#[tokio::test]
async fn a_taken_port_and_an_unreachable_database_are_told_in_a_line_without_the_password() {
    let place = Place::migrated().await;
    let _taken = std::net::TcpListener::bind(("127.0.0.1", place.port)).unwrap();
    let ended = place.run(&[]).await;
    assert!(!ended.is_success && ended.stderr.contains(&place.port.to_string()), "{ended:?}");

    let mut place = Place::empty().await;
    place.set("SVC_KEYRING__PATH", "keyring.json");
    for url in ["postgres://svc:canary-password@127.0.0.1:1/svc", "sqlite:absent/folder/svc.db"] {
        place.set("DATABASE_URL", url);
        place.set("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1");
        let ended = place.refuses(&[], "database.url: the database ").await;
        assert!(!ended.stderr.contains("canary-password"), "{ended:?}");
    }
}

#[tokio::test]
async fn the_address_that_migrates_is_named_with_its_key_where_no_database_answers() {
    let mut place = Place::migrated().await;
    // An address of PostgreSQL takes a keyring, whatever the other addresses are.
    place.set("SVC_KEYRING__PATH", "keyring.json");
    place.set("MIGRATION_DATABASE_URL", "postgres://svc:canary-password@127.0.0.1:1/svc");
    place.set("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1");
    for command in [&["--migrate-only"][..], &["db", "grant"], &["restore", "--in-place"]] {
        let ended = place.refuses(command, "database.migration_url: the database postgres://").await;
        assert!(ended.stderr.contains("cannot be used: "), "{ended:?}");
        assert!(!ended.stderr.contains("canary-password"), "{ended:?}");
    }
}

#[tokio::test]
async fn a_missing_file_is_told_with_every_other_fault_before_anything_is_made() {
    let mut place = Place::empty().await;
    place.set("SVC_SERVER__TRANSPORT", "tls");
    place.set("SVC_SERVER__TLS__CERT_PEM_PATH", "absent.crt");
    place.set("SVC_SERVER__TLS__KEY_PEM_PATH", "absent.key");
    place.set("SVC_SERVER__TLS__CA_PEM_PATH", "absent.pem");
    place.set("SVC_SERVER__TEMPLATES_DIR", "absent");
    place.set("SVC_TELEMETRY__LOG_FILTER", "info,=");
    place.set("SVC_DEPLOYMENT__COORDINATION_BACKEND", "redis");
    place.set("DATABASE_URL", "sqlite:absent.db");
    for command in [&[][..], &["config", "check"]] {
        let ended = place.refuses(command, "absent.crt").await;
        for says in
            ["absent.pem", "there is no folder absent", "telemetry.log_filter", "coordination_backend"]
        {
            assert!(ended.stderr.contains(says), "{says}: {ended:?}");
        }
        let names_database =
            ended.stderr.contains("database.url: the database sqlite:absent.db cannot be used");
        assert_eq!(names_database, command.is_empty(), "{ended:?}");
    }
    assert!(!place.folder.path().join("absent.db").exists());
}

#[tokio::test]
async fn an_address_of_postgresql_that_says_what_cannot_be_is_told_with_its_key() {
    let mut place = Place::empty().await;
    place.set("SVC_KEYRING__PATH", "keyring.json");
    for (query, says) in [
        ("application=svc", "unknown option"),
        ("sslmode=sometimes", "sslmode must be disable, allow"),
        ("sslmode=verify-full&sslrootcert=absent.pem", "absent.pem cannot be used as a PEM file"),
    ] {
        let url = format!("postgres://svc:canary-password@127.0.0.1:1/svc?{query}");
        place.set("MAINTENANCE_DATABASE_URL", &url);
        for command in [&[][..], &["config", "check"]] {
            let ended = place.refuses(command, says).await;
            let is_named = ended.stderr.contains("\ndatabase.maintenance_url: ");
            assert!(is_named && !ended.stderr.contains("canary-password"), "{ended:?}");
        }
    }
}

#[tokio::test]
async fn a_file_of_authorities_that_holds_none_is_refused_once() {
    let mut place = Place::migrated().await;
    place.set("SVC_SERVER__TLS__CA_PEM_PATH", "authorities.pem");
    for (name, value) in [("PROVIDER", "smtp"), ("SMTP__HOST", "localhost"), ("SMTP__FROM", "svc@localhost")]
    {
        place.set(&format!("SVC_EMAIL__{name}"), value);
    }
    for text in ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
        place.write("authorities.pem", text);
        for command in [&[][..], &["config", "check"]] {
            let says = "server.tls.ca_pem_path: authorities.pem holds no PEM certificates";
            let ended = place.refuses(command, says).await;
            assert!(!ended.stderr.contains("email.smtp"), "{ended:?}");
        }
    }
    place.set("SVC_SERVER__TLS__CA_PEM_PATH", "absent.pem");
    let absent = place.refuses(&[], "absent.pem holds no PEM certificates").await;
    assert!(!absent.stderr.contains("email.smtp"), "{absent:?}");
}

#[tokio::test]
async fn the_check_remarks_on_what_is_ignored() {
    let mut place = Place::empty().await;
    place.set("SVC_FOO", "1");
    place.set("SVC_VAULT__ENABLED", "true");
    let ended = place.run(&["config", "check"]).await;
    assert!(ended.is_success, "{ended:?}");
    assert!(ended.stderr.contains("warning: SVC_FOO: is not a variable of the service"), "{ended:?}");
    assert!(ended.stderr.contains("warning: vault.enabled: has no effect in this version"), "{ended:?}");
}

#[tokio::test]
async fn what_others_can_reach_is_refused_outside_production_and_by_dev() {
    let mut place = Place::empty().await;
    place.set("SVC_SERVER__HOST", "0.0.0.0");
    place.refuses(&[], "security.production must be true, because server.host = 0.0.0.0 is not local").await;
    let (port, url) = (place.port.to_string(), place.database.url.clone());
    let dev = ["dev", "--port", &port, "--database-url", &url];
    place.refuses(&dev, "pass --insecure-expose").await;
    assert!(place.is_untouched().await);
    place.refuses(&["dev", "--port", "0"], "0 is not in 1..=65535").await;
    assert!(!place.folder.path().join(".svc-dev").exists(), "a refusal makes nothing");
}

#[tokio::test]
async fn a_domain_of_a_tenant_makes_a_deployment_public() {
    let place = Place::migrated().await;
    place.write(
        "seed.toml",
        "[[tenant]]\nslug = \"main\"\nname = \"Main\"\ncustom_domain = \"login.acme.example\"\n",
    );
    let says = "security.production must be true, because login.acme.example is not local";
    place.refuses(&["apply", "seed.toml"], says).await;
    let (port, url) = (place.port.to_string(), place.database.url.clone());
    let dev = ["dev", "--port", &port, "--database-url", &url, "--seed", "seed.toml"];
    let ended = place.refuses(&dev, says).await;
    assert!(ended.stderr.contains("or pass --insecure-expose"), "{ended:?}");
    place.write(
        "seed.toml",
        "[[tenant]]\nslug = \"main\"\nname = \"Main\"\ncustom_domain = \"login.localhost\"\n",
    );
    let applied = place.run(&["apply", "seed.toml"]).await;
    assert!(applied.is_success, "{applied:?}");
    // As a version without the rule would have left it.
    place.sql("UPDATE tenants SET custom_domain = 'login.acme.example'").await;
    place.refuses(&[], says).await;
    place.refuses(&dev[..5], says).await;
}

#[tokio::test]
async fn a_split_deployment_works_on_one_database_and_on_no_other() {
    let (mut place, other) = (Place::migrated().await, Place::empty().await);
    let own = place.database.url.clone();
    place.set("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane");
    place.set("DATABASE_IDENTITY_URL", &own);
    if own.starts_with("sqlite:") {
        place.refuses(&[], "split_by_plane does not work with SQLite").await;
        return;
    }
    // Another address than its own is looked up, even where it leads to nothing yet.
    place.set("DATABASE_CONTROL_URL", &other.database.url);
    place.refuses(&[], "database.control_url: this database has no deployment id").await;
    let migrated = other.run(&["--migrate-only"]).await;
    assert!(migrated.is_success, "{migrated:?}");
    place.refuses(&[], "is the database of another deployment").await;
    place.set("DATABASE_CONTROL_URL", &own);
    drop(place.serve().await);
}
