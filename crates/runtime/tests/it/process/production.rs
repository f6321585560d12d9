//! Production mode starts with everything that it needs or not at all (N93).

use std::collections::BTreeSet;

use svc_config::REMOVED;

use super::{Ended, Place};

/// A production configuration that breaks no rule; each line is one key, so that it can be taken out.
const PRODUCTION: &str = r#"
security.production = true
kms.socket_path = "kms.sock"
kms.server_public_key_path = "kms.pub"
kms.client_private_key_path = "svc.key"
oidc.issuer_url = "https://id.example.com"
captcha.enabled = true
captcha.secret_key = "captcha-secret-of-32-characters-or-more"
hibp.enabled = true
phone.provider = "none"
email.provider = "smtp"
email.smtp.host = "mail.example.com"
email.smtp.from = "no-reply@example.com"
deployment.allow_all_in_one_runtime_plane = true
server.transport = "tls_h2_only"
server.allowed_hosts = ["id.example.com"]
server.trusted_proxies = ["10.0.0.0/8"]
server.tls.cert_pem_path = "tls.crt"
server.tls.key_pem_path = "tls.key"
"#;

/// A way to break one rule: lines that begin with `without` go, `with` is added.
struct Break {
    says: &'static str,
    without: &'static str,
    with: &'static str,
}

const fn broken(says: &'static str, without: &'static str, with: &'static str) -> Break {
    Break { says, without, with }
}

/// The rows of "Startup errors" and of "Production mode requirements".
const BREAKS: &[Break] = &[
    broken("security.production must be true", "security.production", "security.production = false"),
    broken("server.transport = plain_http", "server.transport", "server.transport = \"plain_http\""),
    broken("server.allowed_hosts", "server.allowed_hosts", ""),
    broken("server.allowed_hosts", "server.allowed_hosts", "server.allowed_hosts = []"),
    broken("trusted_proxies", "server.trusted_proxies", ""),
    broken("kms must be configured", "kms.", ""),
    broken("openapi.enabled must be false", "-", "openapi.enabled = true"),
    broken("captcha.enabled", "captcha.enabled", ""),
    broken("hibp.enabled", "hibp.enabled", ""),
    broken("captcha.secret_key", "captcha.secret_key", ""),
    broken("captcha.secret_key must have 32", "captcha.secret_key", "captcha.secret_key = \"guessed\""),
    broken("captcha.site_key", "-", "captcha.provider = \"turnstile\""),
    broken("captcha.fail_mode", "-", "captcha.fail_mode = \"fail-open\""),
    broken("hibp.api_url", "-", "hibp.api_url = \"http://mirror.example\""),
    broken("hibp.fail_mode", "-", "hibp.fail_mode = \"fail-open\""),
    broken("server.request_timeout_secs", "-", "server.request_timeout_secs = 0"),
    broken("server.shutdown_deadline_secs", "-", "server.shutdown_deadline_secs = 0"),
    broken("oidc.issuer_url", "oidc.issuer_url", "oidc.issuer_url = \"http://id.example.com\""),
    broken("oauth_proxy.enabled must be false", "-", "oauth_proxy.enabled = true"),
    broken(
        "security.webhook_allow_non_standard_ports",
        "-",
        "security.webhook_allow_non_standard_ports = true",
    ),
    broken("email.provider", "email.provider", "email.provider = \"log\""),
    broken("phone.provider", "phone.provider", "phone.provider = \"log\""),
    broken("email.smtp.starttls", "-", "email.smtp.starttls = false"),
    broken(
        "phone.http.url must use https",
        "phone.provider",
        "phone = { provider = \"http\", http.url = \"http://gateway.example\" }",
    ),
    broken("SVC_RUNTIME_PLANE", "deployment.", "deployment.allow_all_in_one_runtime_plane = false"),
    broken("server.tls.cert_pem_path", "server.tls.cert_pem_path", ""),
    broken("server.tls.key_pem_path", "server.tls.key_pem_path", ""),
];

async fn place(without: &str, with: &str) -> Place {
    let mut place = Place::empty().await;
    for key in ["SVC_OIDC__ISSUER_URL", "SVC_SERVER__BASE_DOMAIN", "SVC_AUTH__ARGON2_MEMORY_KIB"] {
        place.set(key, "");
    }
    if place.database.url.starts_with("postgres") {
        place.set("SVC_DATABASE__REQUIRE_SSL", "true");
    }
    let kept = PRODUCTION.lines().filter(|line| !line.starts_with(without));
    let text: Vec<_> = kept.chain([with]).collect();
    place.write("svc.toml", &text.join("\n"));
    place
}

/// The faults that a process which refused to start has told, without their lines in the file. That nothing was migrated yet
/// is not the configuration's.
fn faults(ended: &Ended) -> BTreeSet<String> {
    let lines =
        ended.stderr.lines().filter(|line| line.contains("; ") && !line.contains("there is no such file"));
    lines.map(|line| line.split(" (from ").next().unwrap().to_owned()).collect()
}

/// What keeps the whole configuration from starting here: this version has no key management, and the files are not
/// there.
async fn usual() -> BTreeSet<String> {
    let ended = place("-", "").await.refuses(&[], "svc-kms is not reachable at kms.sock").await;
    let usual = faults(&ended);
    let starts = ["kms: ", "server.tls: tls.crt"];
    assert_eq!(usual.len(), starts.len(), "{usual:?}");
    for start in starts {
        assert!(usual.iter().any(|line| line.starts_with(start)), "{start}: {usual:?}");
    }
    usual
}

/// The refusal names the one further fault, for `serve` and `config check` alike, and nothing was migrated.
async fn refused(place: &Place, says: &str) -> Ended {
    let ended = place.refuses(&[], says).await;
    let usual = usual().await;
    let further: Vec<_> = faults(&ended).into_iter().filter(|line| !usual.contains(line)).collect();
    assert_eq!(further.len(), 1, "one fault, one line: {ended:?}");
    place.refuses(&["config", "check"], says).await;
    assert!(place.is_untouched().await, "{says}: the database was touched");
    ended
}

#[tokio::test]
async fn each_missing_requirement_alone_keeps_the_service_from_starting() {
    for row in BREAKS {
        refused(&place(row.without, row.with).await, row.says).await;
    }
}

#[tokio::test]
async fn a_database_without_an_address_or_without_tls_is_refused() {
    let mut without = place("-", "").await;
    without.set("DATABASE_URL", "");
    refused(&without, "database URL is required").await;
    without.refuses(&["--migrate-only"], "database URL is required").await;
    let mut in_clear = place("-", "").await;
    in_clear.set("SVC_DATABASE__REQUIRE_SSL", "");
    in_clear.set("SVC_KEYRING__PATH", "keyring.json");
    in_clear.set("DATABASE_URL", "postgres://svc:canary-password@192.0.2.1/svc");
    in_clear.refuses(&["--migrate-only"], "database.require_ssl must be true in production").await;
    let ended = refused(&in_clear, "database.require_ssl").await;
    assert!(!ended.stderr.contains("canary-password"), "{ended:?}");
}

#[tokio::test]
async fn a_list_of_breached_passwords_that_is_not_there_is_refused() {
    let mut place = place("-", "").await;
    place.set("SVC_HIBP__LIST_PATH", "no-such-list");
    refused(&place, "hibp.list_path: no-such-list cannot be used").await;
}

#[tokio::test]
async fn every_removed_secret_is_named_and_never_shown() {
    for variable in REMOVED {
        let mut place = place("-", "").await;
        place.set(variable, "canary-secret");
        let ended = refused(&place, "moved to sigid-kms").await;
        assert!(ended.stderr.contains(variable) && ended.stderr.contains("svc-kms"), "{ended:?}");
        assert!(!ended.stderr.contains("canary-secret"), "{ended:?}");
    }
}

#[tokio::test]
async fn key_management_that_is_configured_and_absent_is_no_reason_to_do_without() {
    let place = place("-", "").await;
    place.refuses(&[], "svc-kms is not reachable at kms.sock").await;
    place.refuses(&["config", "check"], "svc-kms is not reachable at kms.sock").await;
    assert!(place.is_untouched().await);
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once() {
    let place = place("kms.", "openapi.enabled = true\nhibp.fail_mode = \"fail-open\"").await;
    let ended = place.refuses(&[], "kms must be configured").await;
    for says in ["openapi.enabled must be false", "hibp.fail_mode"] {
        assert!(ended.stderr.contains(says), "{says}: {ended:?}");
    }
}
