//! What an address says: where to connect, how, and how far TLS is checked (`sslmode` of libpq).

use std::time::Duration;

use svc_core::{Error, Result};
use tokio_postgres::config::{Config, SslMode};
use url::Url;

use crate::engine::PoolSettings;
use crate::tls::{Checked, Files, Tls};

/// A plan is kept as long as its connection, while tables grow under it. A scan or a join that reads a whole table is the
/// cheapest plan for the first hundred rows alone, so the planner takes one only where no index serves. The price that it puts
/// on that would make it compile the plan.
const PLANS: [&str; 4] =
    ["-c enable_seqscan=off", "-c enable_hashjoin=off", "-c enable_mergejoin=off", "-c jit=off"];

/// Reads `postgres://…` with the settings of the pool.
pub(super) fn read(url: &str, settings: &PoolSettings) -> Result<(Config, Tls)> {
    let mut url = Url::parse(url).map_err(|error| malformed(error))?;
    let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    url.set_query(None);
    let mut asked = Asked::default();
    let mut rest = Vec::new();
    for (key, value) in query {
        if !asked.take(&key, &value) {
            rest.push(format!("{key}={}", encoded(&value)));
        }
    }
    if url.host_str().is_none_or(str::is_empty) && !rest.iter().any(|pair| pair.starts_with("host")) {
        rest.push("host=localhost".to_owned());
    }
    url.set_query((!rest.is_empty()).then(|| rest.join("&")).as_deref());
    let mut config: Config = url.as_str().parse().map_err(|error| malformed(error))?;
    if config.get_application_name().is_none() {
        config.application_name("svc");
    }
    config.options(asked.options(settings)).connect_timeout(settings.connect_timeout);
    let (mode, checked) = asked.mode(settings)?;
    config.ssl_mode(mode);
    asked.files.authorities = settings.authorities.as_ref().map(|path| path.display().to_string());
    Ok((config, Tls::new(checked, &asked.files)?))
}

/// Parameters of the query that the driver does not know, or knows otherwise.
#[derive(Default)]
struct Asked {
    sslmode: Option<String>,
    files: Files,
    options: Vec<String>,
}

impl Asked {
    fn take(&mut self, key: &str, value: &str) -> bool {
        match key {
            "sslmode" | "ssl-mode" => self.sslmode = Some(value.to_owned()),
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => self.files.roots = Some(value.to_owned()),
            "sslcert" | "ssl-cert" => self.files.certificate = Some(value.to_owned()),
            "sslkey" | "ssl-key" => self.files.key = Some(value.to_owned()),
            "options" => self.options.push(value.to_owned()),
            "statement-cache-capacity" => {}
            _ => match key.strip_prefix("options[").and_then(|key| key.strip_suffix(']')) {
                Some(key) => self.options.push(format!("-c {key}={value}")),
                None => return false,
            },
        }
        true
    }

    /// Settings of the session travel with the start-up message: the role's own stay as they are.
    fn options(&self, settings: &PoolSettings) -> String {
        let timeout = |name: &str, span: Duration| format!("-c {name}={}ms", span.as_millis());
        let mut options = vec![
            timeout("statement_timeout", settings.statement_timeout),
            timeout("idle_in_transaction_session_timeout", settings.idle_in_transaction_timeout),
        ];
        options.extend(PLANS.map(str::to_owned));
        options.extend(settings.schema.iter().map(|schema| format!("-c search_path={schema}")));
        options.extend(self.options.iter().cloned());
        options.join(" ")
    }

    fn mode(&self, settings: &PoolSettings) -> Result<(SslMode, Checked)> {
        let default = if settings.require_ssl { "require" } else { "prefer" };
        Ok(match self.sslmode.as_deref().unwrap_or(default) {
            "disable" | "allow" => (SslMode::Disable, Checked::Nothing),
            "prefer" => (SslMode::Prefer, Checked::Nothing),
            "require" => (SslMode::Require, Checked::Nothing),
            "verify-ca" => (SslMode::Require, Checked::Authority),
            "verify-full" => (SslMode::Require, Checked::AuthorityAndName),
            _ => {
                return Err(Error::bad_request(
                    "sslmode must be disable, allow, prefer, require, verify-ca or verify-full",
                ));
            }
        })
    }
}

fn encoded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>().replace('+', "%20")
}

#[track_caller]
fn malformed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::bad_request("the PostgreSQL URL is malformed").caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(query: &str, require_ssl: bool) -> SslMode {
        let settings = PoolSettings { require_ssl, ..PoolSettings::default() };
        read(&format!("postgres://svc:p%40ss@db.internal:5433/svc{query}"), &settings)
            .unwrap()
            .0
            .get_ssl_mode()
    }

    #[test]
    fn the_address_settles_tls_and_the_setting_fills_in() {
        assert_eq!(mode("", false), SslMode::Prefer);
        assert_eq!(mode("", true), SslMode::Require);
        assert_eq!(mode("?sslmode=disable", true), SslMode::Disable);
        assert_eq!(mode("?sslmode=verify-full", false), SslMode::Require);
        let settings = PoolSettings::default();
        assert!(read("postgres://db/svc?sslmode=sometimes", &settings).is_err());
        assert!(read("postgres://db/svc?sslmode=verify-ca&sslrootcert=/absent.pem", &settings).is_err());
        let settings = PoolSettings { authorities: Some("/absent.pem".into()), ..PoolSettings::default() };
        assert!(read("postgres://db/svc?sslmode=verify-ca", &settings).is_err());
    }

    #[test]
    fn limits_plans_schema_and_options_of_the_address_travel_with_the_start_up_message() {
        let settings = PoolSettings { schema: Some("s1".to_owned()), ..PoolSettings::default() };
        let url = "postgres:///svc?user=svc&host=/run/postgresql&options[work_mem]=8MB&options=-c%20jit%3Don";
        let (config, _) = read(url, &settings).unwrap();
        assert_eq!(
            config.get_options(),
            Some(
                "-c statement_timeout=15000ms -c idle_in_transaction_session_timeout=30000ms \
                 -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off \
                 -c search_path=s1 -c work_mem=8MB -c jit=on"
            )
        );
        assert_eq!(config.get_application_name(), Some("svc"));
        assert_eq!(config.get_hosts(), [tokio_postgres::config::Host::Unix("/run/postgresql".into())]);
    }
}
