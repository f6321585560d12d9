//! Configurations for the tests of this folder.

use super::{Config, Faults};

/// What the environment holds.
pub fn env(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// A configuration without faults.
pub fn config(pairs: &[(&str, &str)]) -> Config {
    Config::load(None, &env(pairs)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The faults of a configuration.
pub fn faults(pairs: &[(&str, &str)]) -> String {
    Config::load(None, &env(pairs)).expect_err("there are faults").to_string()
}

/// What the rules of starting say; keys that this version refuses are another matter.
pub fn start(toml: &str, pairs: &[(&str, &str)]) -> Result<Config, Faults> {
    let config = Config::load(Some(("svc.toml", toml)), &env(pairs))?;
    let faults = super::guards::faults(&config);
    if faults.is_empty() { Ok(config) } else { Err(Faults(faults)) }
}

/// A production configuration that breaks no rule.
pub const PRODUCTION: &str = r#"
security.production = true
kms = { socket_path = "/run/kms", server_public_key_path = "/kms.pub", client_private_key_path = "/svc.key" }
keyring.path = "/etc/svc/keyring.json"
database = { url = "postgres://svc:pw@db/svc", require_ssl = true }
oidc.issuer_url = "https://id.example.com"
captcha = { enabled = true, secret_key = "captcha-secret-of-32-characters-or-more" }
hibp.enabled = true
phone.provider = "none"
email = { provider = "smtp", smtp = { host = "mail.example.com", from = "no-reply@example.com" } }
deployment.allow_all_in_one_runtime_plane = true
[server]
host = "0.0.0.0"
port = 443
transport = "tls_h2_only"
allowed_hosts = ["id.example.com"]
trusted_proxies = ["10.0.0.0/8"]
tls = { cert_pem_path = "/tls.crt", key_pem_path = "/tls.key" }
"#;
