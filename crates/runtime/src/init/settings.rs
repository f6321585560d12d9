//! The text of `svc.toml`, and the secrets that `svc-kms` holds in place of it.

use svc_core::Secret;
use toml::Value;

use super::answers::Plan;
use super::certificate::{AUTHORITY, CHAIN, KEY};
use super::folder::{Folder, SOCKET};

const ABOUT: &str = "\
# Production on one machine, written by `svc-runtime init`. svc.example.toml describes every key.
# Keep the mode 0600: the address of the database may hold a password. The other secrets are with svc-kms
# (`svc-kms provision NAME`).
";

/// Secrets by the keys of the configuration.
pub fn secrets(plan: &Plan) -> Vec<(String, Secret)> {
    let captcha = ("captcha.secret_key".to_owned(), plan.captcha.clone());
    let relay = plan.relay.password.clone().map(|secret| ("email.smtp.password".to_owned(), secret));
    [captcha].into_iter().chain(relay).collect()
}

/// The configuration.
pub fn text(plan: &Plan, folder: &Folder) -> String {
    let path = |name: &str| Value::from(folder.at(name).display().to_string());
    let host = plan.host_in_url();
    let below = plan.has_subdomains().then(|| format!("*.{host}"));
    let hosts: Vec<_> = [host.clone()].into_iter().chain(below).collect();
    let base_domain = plan.has_subdomains().then(|| Value::from(host));
    let authority = plan.given.is_none().then(|| path(AUTHORITY));
    let has_tls = plan.is_postgres() && !plan.database.expose().contains("sslmode=");
    let required = has_tls.then(|| Value::from(true));
    let sections = [
        ("security", vec![("production", Some(Value::from(true)))]),
        ("deployment", vec![("allow_all_in_one_runtime_plane", Some(Value::from(true)))]),
        (
            "server",
            vec![
                ("host", Some(Value::from(plan.listen.to_string()))),
                ("port", Some(Value::from(i64::from(plan.port)))),
                ("transport", Some(Value::from("tls"))),
                ("base_domain", base_domain),
                ("allowed_hosts", Some(Value::from(hosts))),
                ("direct_client_exposure", Some(Value::from(true))),
            ],
        ),
        (
            "server.tls",
            vec![
                ("cert_pem_path", Some(path(CHAIN))),
                ("key_pem_path", Some(path(KEY))),
                ("ca_pem_path", authority),
            ],
        ),
        ("oidc", vec![("issuer_url", Some(Value::from(plan.issuer())))]),
        ("database", vec![("url", Some(Value::from(plan.database.expose()))), ("require_ssl", required)]),
        ("tenant", vec![("default_tenant_slug", Some(Value::from(plan.tenant.as_str())))]),
        (
            "kms",
            vec![
                ("socket_path", Some(path(SOCKET))),
                ("server_public_key_path", Some(path("kms/server.pub"))),
                ("client_private_key_path", Some(path("kms/client.key"))),
            ],
        ),
        ("admin", vec![("second_factor_required", Some(Value::from(true)))]),
        ("captcha", vec![("enabled", Some(Value::from(true)))]),
        ("hibp", vec![("enabled", Some(Value::from(true)))]),
        ("email", vec![("provider", Some(Value::from("smtp")))]),
        (
            "email.smtp",
            vec![
                ("host", Some(Value::from(plan.relay.host.as_str()))),
                ("port", Some(Value::from(i64::from(plan.relay.port)))),
                ("username", plan.relay.username.as_deref().map(Value::from)),
                ("from", Some(Value::from(plan.sender.as_str()))),
            ],
        ),
        ("phone", vec![("provider", Some(Value::from("none")))]),
        ("telemetry", vec![("log_format", Some(Value::from("json")))]),
    ];
    format!("{ABOUT}{}", sections.map(|(name, keys)| section(name, keys)).concat())
}

fn section(name: &str, keys: Vec<(&str, Option<Value>)>) -> String {
    let lines = keys.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}\n", value?)));
    format!("\n[{name}]\n{}", lines.collect::<String>())
}
